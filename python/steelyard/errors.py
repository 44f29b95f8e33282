"""Errors that end a command with one sentence and an exit status of the command line's contract."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires

_OF_EXTRA = re.compile(r"([\w.-]+)[^;]*;.*extra == ['\"]([\w-]+)['\"]")
_DEVELOPMENT = "dev"
_PACKAGES = {"vl_convert": "vl-convert-python"}
"""Packages whose names are not those of their modules."""


class SteelyardError(Exception):
    """Base class: the message is one clear sentence for the user; `exit_status` is the command's."""

    exit_status = 1


class UsageError(SteelyardError):
    """The request or an input is wrong: an unknown name, a malformed file, an impossible option."""

    exit_status = 2


class EnvironmentProblem(SteelyardError):
    """The machine lacks something: a compiler, disk space, a readable store."""

    exit_status = 3


class Unforeseen(SteelyardError):
    """Steelyard itself is wrong; the message says where the report of the exception is."""

    exit_status = 70


def missing_extra(module: str) -> EnvironmentProblem | None:
    """Return the error for a module that only an extra of Steelyard brings, or None for any other module."""
    try:
        found = [_OF_EXTRA.match(requirement) for requirement in requires("steelyard") or ()]
    except PackageNotFoundError:
        return None
    package = _PACKAGES.get(module, module)
    extras = [one[2] for one in found if one and one[1] == package and one[2] != _DEVELOPMENT]
    if not extras:
        return None
    commands = " or ".join(f"pip install 'steelyard[{extra}]'" for extra in extras)
    return EnvironmentProblem(f"This needs the package {package}, which is not installed; run: {commands}")
