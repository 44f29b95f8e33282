"""A long stream of random programs beside Unicorn: `python tests/riscv/soak.py --instructions 10000000`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from riscv.pair import compare


def main() -> int:
    """0 where nothing differs, 1 where something does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instructions", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        stream = compare(options.seed, options.instructions)
    except AssertionError as difference:
        print(f"difference: {difference}")
        return 1
    for name, count in sorted(stream.made.items()):
        print(f"{name:<20} {count:>9}")
    print(f"rv32imac, seed {options.seed}: {options.instructions} instructions, difference 0", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
