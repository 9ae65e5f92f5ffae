"""The text over the window: panels made by `caption`, kept as textures and renewed a few times a second."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image
from pyglet.image import ImageData
from pyglet.sprite import Sprite

from demo_game.caption import caption_image, storey_legend
from demo_game.look import KEYS, FrameTimes, Look

__all__ = ["Overlay"]

EDGE = 16
#: Seconds between two looks at the text.
RENEWAL = 0.2


class Panel:
    """One panel at a corner of the window; its texture is made anew only when its text changes."""

    def __init__(self) -> None:
        self._lines: list[str] | None = None
        self._sprite: Sprite | None = None

    def draw(self, lines: Sequence[str], right: bool, top: bool, size: tuple[int, int], legend: bool = False) -> None:
        """Draws lines of text into a window of this size."""
        if self._sprite is None or list(lines) != self._lines:
            self._lines = list(lines)
            self._show(caption_image(lines, storey_legend() if legend else ()))
        sprite = self._sprite
        assert sprite is not None, "made just above"
        sprite.x = size[0] - sprite.width - EDGE if right else EDGE
        sprite.y = size[1] - sprite.height - EDGE if top else EDGE
        sprite.draw()

    def _show(self, image: Image.Image) -> None:
        data = ImageData(image.width, image.height, "RGBA", image.tobytes(), pitch=-4 * image.width)
        if self._sprite is not None:
            self._sprite.delete()
        self._sprite = Sprite(data)


class Overlay:
    """All panels of the window."""

    def __init__(self) -> None:
        self._news, self._legend, self._keys = Panel(), Panel(), Panel()
        self._lines: list[str] = []
        self._age = RENEWAL

    def draw_loading(self, text: str, size: tuple[int, int]) -> None:
        """While there is no world yet."""
        self._news.draw([text, "agents walk in a moment"], False, True, size)

    def draw(self, look: Look, times: FrameTimes, seconds: float, size: tuple[int, int]) -> None:
        """Everything that the look wants to be said; `seconds` since the last call."""
        self._age += seconds
        if self._age >= RENEWAL:
            self._age = 0.0
            self._lines = [look.world_text(), look.chosen_text(), _hint(look)]
            if look.show_times:
                self._lines.append(_times_text(times))
        self._news.draw(self._lines, False, True, size)
        self._legend.draw(["colours"], False, False, size, legend=True)
        if look.show_keys:
            self._keys.draw(["keys", *KEYS], True, False, size)


def _hint(look: Look) -> str:
    shown = [f"cut at {look.cut_height:.1f} m"] if look.cut_height is not None else []
    return ", ".join([*shown, "H shows the keys"])


def _times_text(times: FrameTimes) -> str:
    frame = times.mean("frame")
    rate = 1000.0 / frame if frame else 0.0
    return (
        f"{rate:.0f} frames/s   step {times.mean('step'):.1f} ms   draw {times.mean('draw'):.1f} ms   "
        f"worst frame {times.worst('frame'):.0f} ms"
    )
