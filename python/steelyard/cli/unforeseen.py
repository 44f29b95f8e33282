"""The report of an exception that nobody foresaw: what it was, where, and of which version."""

from __future__ import annotations

import os
import platform
import sys
import time
import traceback
from pathlib import Path

from steelyard.errors import Unforeseen
from steelyard.nearest import printable


def unforeseen(error: BaseException) -> Unforeseen:
    """Write the report and return the error that tells in one sentence where it is.

    Without a folder that can be written, the report goes to standard error.
    """
    what = type(error).__name__
    said = printable(str(error))
    what += f" ({said})" if said else ""
    report = _report(error)
    path = _kept(report)
    if path is None:
        print(report, file=sys.stderr)
        return Unforeseen(f"This is a fault of Steelyard: {what}; its report is above.")
    return Unforeseen(f"This is a fault of Steelyard: {what}; its report is in {path}.")


def _report(error: BaseException) -> str:
    from steelyard.record.origin import steelyard_version

    lines = [
        f"Steelyard {steelyard_version()}",
        f"Python {platform.python_version()} on {platform.platform()}",
        f"Arguments: {sys.argv[1:]!r}",
        "",
        *traceback.format_exception(error),
    ]
    return "\n".join(lines)


def _kept(report: str) -> Path | None:
    """Write into the first folder that takes it, of the XDG Base Directory Specification."""
    name = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{os.getpid()}.txt"
    for variable, fallback in (("XDG_STATE_HOME", ".local/state"), ("XDG_CACHE_HOME", ".cache")):
        try:
            named = Path(os.environ.get(variable) or "")
            base = named if named.is_absolute() else Path.home() / fallback
            path = base / "steelyard" / "faults" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(report, encoding="utf-8", errors="backslashreplace")
        except (OSError, RuntimeError):
            continue
        return path
    return None
