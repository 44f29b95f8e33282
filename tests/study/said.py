"""What a study says of records, small enough to be kept: verdicts as they are, figures as a digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

_DIGITS = 9
"""Fits are solved by libraries whose last digits depend on the machine."""


def said(rows: Iterable[Mapping[str, object]]) -> dict[str, Any]:
    """The rows of `steelyard reproduce NAME --json`: each claim, and the number and digest of other rows."""
    claims: dict[str, Any] = {}
    others: dict[str, list[str]] = {}
    for row in rows:
        if row["table"] == "claim":
            claims[str(row["claim"])] = [row["finding"], row["by_choice"], row["reason"]]
        else:
            others.setdefault(str(row["table"]), []).append(json.dumps(_rounded(row), sort_keys=True))
    figures = {
        table: f"{len(lines)} {hashlib.sha256(repr(lines).encode()).hexdigest()[:16]}"
        for table, lines in others.items()
    }
    return {"claims": claims, "figures": figures}


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, Mapping):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in value]
    return value
