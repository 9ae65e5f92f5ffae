"""The text over the picture, drawn with Pillow and its own font: no machine has to bring one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from demo_game.palette import STOREY_COLOURS

__all__ = ["caption_image", "storey_legend"]

SIZE, MARGIN, LEADING = 16, 12, 22
PANEL, TEXT, FAINT = (18, 24, 34, 190), (244, 246, 248, 255), (190, 200, 212, 255)
Entry = tuple[str, tuple[int, int, int, int] | None]


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def storey_legend() -> list[Entry]:
    """What the agents' colours mean."""
    names = ("to the ground floor", "to the first floor", "to the second floor")
    return [
        (name, (*(int(255 * share) for share in colour), 255))  # type: ignore[misc]
        for name, colour in zip(names, STOREY_COLOURS, strict=True)
    ]


def caption_image(lines: Sequence[str], legend: Sequence[Entry] = (), scale: int = 1) -> Image.Image:
    """A dark, half transparent panel with lines of text, the first brighter; legend entries with their colour below."""
    font = _font(SIZE * scale)
    entries = [(line, None) for line in lines] + list(legend)
    indent = [0 if colour is None else 20 * scale for _, colour in entries]
    width = max(int(font.getlength(text)) + space for (text, _), space in zip(entries, indent, strict=True))
    size = (width + 2 * MARGIN * scale, (LEADING * len(entries) + MARGIN) * scale)
    image = Image.new("RGBA", size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), 8 * scale, fill=PANEL)
    for number, ((text, colour), space) in enumerate(zip(entries, indent, strict=True)):
        x, y = MARGIN * scale, (MARGIN // 2 + LEADING * number) * scale
        if colour is not None:
            pen.ellipse((x, y + 4 * scale, x + 12 * scale, y + 16 * scale), fill=colour)
        pen.text((x + space, y), text, font=font, fill=TEXT if number == 0 else FAINT)
    return image
