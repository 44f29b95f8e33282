"""Compiled images on Unicorn and on the emulator, on a LEON3.

`python tests/sparc/images.py` compares every variant, compiler and mode.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from targets.beside_unicorn import compare_all

CHIPS = ("leon3",)

if __name__ == "__main__":
    sys.exit(compare_all("sparc", CHIPS))
