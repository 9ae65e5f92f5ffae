"""python -m benchmarks: times on this machine; with --peers, ratios to other libraries in the same run."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

import onepath
from benchmarks import bake, batches, document, exact, files, machine, places, quality, queries, start_up
from benchmarks.peers import PACKAGES, Peer, PeersUnavailableError, default_cache, install_peers, node_version
from benchmarks.report import print_comparison, print_figures, print_measurement
from benchmarks.subjects import DETAILS, SETTINGS, Subject, at_origin, settings_for_peers, subjects


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", metavar="NAME", help="levels whose name contains this, or files")
    parser.add_argument("--pairs", type=int, default=2000, help="start/end pairs a level (default 2000)")
    parser.add_argument("--rounds", type=int, default=9, help="bakes of each side a level (default 9)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write everything to a JSON file")
    parser.add_argument("--peers", action="store_true", help="beside recast-navigation and navcat (needs npm)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="with --peers: also write a page of tables")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="where the peers are installed")
    options = parser.parse_args(arguments)
    if options.markdown is not None and not options.peers:
        parser.error("--markdown writes the comparison and needs --peers")
    return options


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Ours alone, on every level."""
    results: dict[str, Any] = {"start_up": start_up.measure()}
    print_figures("start_up", results["start_up"])
    if options.only is None or options.only in "files":
        results["files"] = files.measure(options.rounds)
        print_figures("files", results["files"])
    for subject in subjects(options.only):
        baked, asked = bake.measure(subject, options.rounds), queries.measure(subject, options.pairs)
        around, shortest = places.measure(subject, options.pairs), exact.measure(subject, options.pairs)
        results[subject.name] = {"bake": baked, "queries": asked, "places": around, "exact": shortest}
        print_measurement(subject.name, results[subject.name])
    return results


def compare(options: argparse.Namespace) -> dict[str, Any]:
    """Ours and the peers in turns, on every level."""
    install_peers(options.cache)
    results: dict[str, Any] = {}
    with ExitStack() as stack:
        peers = [stack.enter_context(Peer(name, options.cache)) for name in PACKAGES]
        for subject in map(at_origin, subjects(options.only)):
            results[subject.name] = compare_on(subject, peers, options)
            print_comparison(subject.name, results[subject.name])
    return results


def compare_on(subject: Subject, peers: list[Peer], options: argparse.Namespace) -> dict[str, Any]:
    """Everything about one level. The peers answer queries on the mesh that they baked last: the plain one."""
    results: dict[str, Any] = {}
    for ending, settings in reversed(DETAILS.items()):
        results["bake" + ending] = bake.compare(subject, peers, options.rounds, settings)
        results["quality" + ending] = quality.compare(subject, peers, settings)
    return {
        **results,
        "queries": queries.compare(subject, peers, options.pairs, rounds=3),
        "places": places.compare(subject, peers, options.pairs, rounds=3),
        "batches": batches.measure(subject, options.pairs),
        "exact": exact.measure(subject, options.pairs),
    }


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    surroundings = machine.describe()
    try:
        results = compare(options) if options.peers else measure(options)
    except PeersUnavailableError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    whole = {
        "onepath": onepath.__version__,
        "numpy": np.__version__,
        "machine": surroundings,
        "rounds": options.rounds,
        "pairs": options.pairs,
        "settings": asdict(SETTINGS),
        "results": results,
    }
    if options.peers:
        whole["peers"] = {"packages": PACKAGES, "settings": settings_for_peers(SETTINGS), "node": node_version()}
        print("\nsettings of both sides:", json.dumps(settings_for_peers(SETTINGS)))
    if options.markdown is not None:
        options.markdown.write_text(document.page(whole), encoding="utf-8")
    if options.json is not None:
        options.json.write_text(json.dumps(whole, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
