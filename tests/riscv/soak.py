"""A long stream of random programs beside Unicorn: `python tests/riscv/soak.py --instructions 10000000`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from riscv.pair import compare
from targets.soak import soak

if __name__ == "__main__":
    sys.exit(soak(__doc__, {"rv32imac": compare}))
