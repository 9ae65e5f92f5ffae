"""Results as tables on the screen."""

from __future__ import annotations

from typing import Any

from benchmarks.queries import COMPARED
from benchmarks.subjects import DETAILS


def print_figures(name: str, result: dict[str, float]) -> None:
    """A line a figure."""
    print(f"\n{name}")
    for key, value in result.items():
        print(f"  {key:<36} {value:10.2f}")


def print_measurement(name: str, result: dict[str, Any]) -> None:
    """One level, ours alone: a line a figure."""
    print(f"\n{name}")
    bake, queries = result["bake"], result["queries"]
    print(f"  {'bake':<24} {bake['ms']['median']:10.2f} ms   {bake['tiles']} tiles, {bake['polygons']} polygons")
    for stage, value in bake["stages_ms"].items():
        print(f"    {stage:<22} {value:10.2f} ms")
    print(f"  {queries['reached']} of {queries['pairs']} pairs reached")
    for call, times in [*queries["us"].items(), *result["places"]["us"].items()]:
        print(f"  {call:<24} {times['median']:10.2f} us median {times['p99']:10.2f} us p99")
    print(f"  {'exact to polygon':<24} {result['exact']['exact_to_polygon']:10.2f} times the time")
    for model, excess in result["exact"]["excess"].items():
        print(f"  {model.lower():<24} {excess['mean']:10.4f} mean excess {excess['worst']:10.4f} worst")


def print_comparison(name: str, result: dict[str, Any]) -> None:
    """Ours and the peers: medians and the ratio ours / theirs, below 1 when ours is faster."""
    print(f"\n{name:<37}{'onepath':>12}{'peer':>12}{'ratio':>9}")
    rows = [(f"bake{ending}, ms".replace("_", " "), result["bake" + ending]) for ending in DETAILS]
    rows += [(f"{what}, us", result["queries"][what]) for what in COMPARED]
    rows += [(f"{what}, us", row) for what, row in result["places"].items() if what != "radius"]
    for label, row in rows:
        mine = row["onepath"]["median"]
        for peer, times in row["peers"].items():
            print(f"  {label + '  ' + peer:<35}{mine:12.2f}{times['median']:12.2f}{times['ratio']:9.2f}")
    lengths = result["queries"]["lengths"]
    for peer, row in lengths.items():
        if peer != "onepath":
            print(
                f"  reached: onepath {lengths['onepath']['reached']}, {peer} {row['reached']}; mean length of the "
                f"{row['pairs_where_both']} in both: {row['onepath_mean_where_both']:.2f} and "
                f"{row['mean_where_both']:.2f} m"
            )
