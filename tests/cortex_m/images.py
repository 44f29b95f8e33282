"""Compiled images on Unicorn and on the emulator, on a chip of each instruction set.

`python tests/cortex_m/images.py` compares every variant, compiler and mode.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from targets.beside_unicorn import compare_all

CHIPS = ("stm32f051", "stm32f100", "stm32f407", "stm32l552")

if __name__ == "__main__":
    sys.exit(compare_all("cortex-m", CHIPS))
