"""A long stream of random programs beside Unicorn: `python tests/arm/soak.py --instructions 10000000`."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from arm.pair import MODELS, compare
from targets.soak import soak

if __name__ == "__main__":
    sys.exit(soak(__doc__, {architecture: partial(compare, architecture) for architecture in MODELS}))
