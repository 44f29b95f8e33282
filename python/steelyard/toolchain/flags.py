"""Compiler flags that a build accepts: those that choose code generation, none that move files."""

from __future__ import annotations

import re
from collections.abc import Sequence

from steelyard.errors import UsageError

_TAKEN = re.compile(r"-(O[a-z0-9]*|[fm][a-z].*|[DU][A-Za-z_].*|W[a-z][a-z-].*|std=.+|pedantic|g[0-9]?)")
# These read or write files, or contradict the target's data file.
_REFUSED = re.compile(
    r"-(fplugin|fprofile|fauto-profile|fdump|ftest-coverage|fstack-usage|fcallgraph-info|fuse-ld"
    r"|mmcu|mcpu|march|W[alp],).*"
)


def check_flags(flags: Sequence[str]) -> tuple[str, ...]:
    """Return the flags unchanged; UsageError, in one sentence, for a flag that a build does not accept."""
    for flag in flags:
        if flag.startswith("-flto"):
            raise UsageError(
                f"{flag}: link-time optimisation merges the variant's code with the rest of the image,"
                " so that its bytes cannot be told apart; leave it out."
            )
        if not _TAKEN.fullmatch(flag) or _REFUSED.fullmatch(flag):
            raise UsageError(
                f"{flag}: not a flag for code generation; a build takes -O, -f, -m, -D, -U, -W, -g and -std."
            )
    return tuple(flags)
