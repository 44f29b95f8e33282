"""Location of the data files: primitives, modes, firmware, targets, vectors and others."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from steelyard.errors import EnvironmentProblem


@cache
def data_root() -> Path:
    """Return the folder that holds the data folders; in a checkout its entries link to the folders."""
    root = Path(str(files("steelyard").joinpath("_data")))
    if not (root / "primitives").is_dir():
        raise EnvironmentProblem(f"{root}: the installation is incomplete; install Steelyard again.")
    return root
