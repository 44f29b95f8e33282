"""A long stream of random Thumb programs beside Unicorn.

`python tests/cortex_m/soak.py --instructions 10000000`
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from cortex_m.pair import MODELS, compare


def main() -> int:
    """0 where nothing differs, 1 where something does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--instructions", type=int, default=10_000_000, help="on each of the four architectures"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    same = True
    for architecture in MODELS:
        try:
            stream = compare(architecture, options.seed, options.instructions)
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


if __name__ == "__main__":
    sys.exit(main())
