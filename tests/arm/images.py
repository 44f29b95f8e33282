"""Compiled images on Unicorn and on the emulator, on StrongARM and an XScale chip.

`python tests/arm/images.py` compares every variant, compiler and mode.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from targets.beside_unicorn import compare_all

CHIPS = ("sa1100", "pxa250-400")

if __name__ == "__main__":
    sys.exit(compare_all("arm", CHIPS))
