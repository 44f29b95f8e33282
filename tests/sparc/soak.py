"""A long stream of random SPARC programs beside Unicorn: `--instructions 10000000`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from sparc.pair import compare
from targets.soak import soak

if __name__ == "__main__":
    sys.exit(soak(__doc__, {"sparc": compare}))
