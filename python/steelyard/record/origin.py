"""Where the numbers of this process come from: versions that go into records and cache keys."""

from __future__ import annotations

import hashlib
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from steelyard.data import data_root


@cache
def steelyard_version() -> str:
    """Version of the installed distribution; `0` in a source tree that was never installed."""
    try:
        return version("steelyard")
    except PackageNotFoundError:
        return "0"


@cache
def steelyard_commit() -> str | None:
    """Commit of the checkout the data folders belong to, with a + where it was changed.

    None outside a checkout.
    """
    checkout = (data_root() / "primitives").resolve().parent
    if not (checkout / ".git").exists():
        return None
    try:
        done = subprocess.run(
            ["git", "-C", str(checkout), "describe", "--always", "--abbrev=12", "--match=", "--dirty=+"],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return None
    return done.stdout.strip() or None


def measuring_code() -> str:
    """SHA-256 of the code that turns an image into a record: a change of it outdates cached measurements."""
    return code_of("record", "measure", "oracle", "machine")


@cache
def code_of(*packages: str) -> str:
    """SHA-256 of the code of these packages of steelyard."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for folder in packages:
        for path in sorted((package / folder).glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()
