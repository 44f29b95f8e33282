"""Location of the data files (primitives, modes, firmware, targets and others) and of folders of the user."""

from __future__ import annotations

import os
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


def user_folder(variable: str, below_home: str, instead: str) -> Path:
    """Return the folder that a variable of the XDG Base Directory Specification names, or one below home.

    The specification says that a relative path is to be ignored. `instead` says how a user names a folder;
    EnvironmentProblem with it for a user without a home directory.
    """
    named = Path(os.environ.get(variable) or "")
    if named.is_absolute():
        return named
    try:
        return Path.home() / below_home
    except RuntimeError:
        raise EnvironmentProblem(f"This user has no home directory; name a folder in {instead}.") from None
