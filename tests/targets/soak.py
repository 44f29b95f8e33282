"""What every soak beside Unicorn does: a long stream on each architecture, its units, and the difference."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Protocol


class Stream(Protocol):
    """A stream that was compared."""

    @property
    def made(self) -> Mapping[str, int]:
        """How many units of each kind were in it."""


def soak(description: str | None, streams: Mapping[str, Callable[[int, int], Stream]]) -> int:
    """Compares a stream of each architecture; 0 where nothing differs, 1 where something does.

    A stream is made and compared by a function of the seed and the number of instructions, which raises
    AssertionError at the first difference.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--instructions", type=int, default=10_000_000, help="on each architecture")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    same = True
    for architecture, compare in streams.items():
        try:
            stream = compare(options.seed, options.instructions)
        except AssertionError as difference:
            same = False
            print(f"difference: {difference}")
            continue
        for name, count in sorted(stream.made.items()):
            print(f"{name:<20} {count:>9}")
        print(
            f"{architecture}, seed {options.seed}: {options.instructions} instructions, difference 0",
            flush=True,
        )
    return 0 if same else 1
