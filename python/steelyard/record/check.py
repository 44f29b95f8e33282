"""Whether a JSON object is a record: the types, the ranges and the finite numbers of the schema."""

from __future__ import annotations

import json
import math
from typing import get_args

from steelyard.record.schema import FIELD_NAMES, FIELDS, Field, Record, Status

STATUSES: tuple[str, ...] = get_args(Status)

_LARGEST = 2**63 - 1
_WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


def parsed(text: bytes) -> Record | str:
    """Return the record of a JSON object, or a clause that says why it is none.

    Every key is present in the result, in the order of FIELDS; an unknown key is left out, and a missing one
    is null.
    """
    try:
        row = json.loads(text.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError):
        return "it is not JSON"
    if not isinstance(row, dict):
        return "it is not a JSON object"
    if row.get("status") not in STATUSES:
        return f"status is none of {', '.join(STATUSES)}"
    if row.get("target") is None:
        return "target is missing"
    wrong = (clause for field in FIELDS if (clause := _wrong(field, row.get(field.name))))
    return next(wrong, None) or {name: row.get(name) for name in FIELD_NAMES}


def _wrong(field: Field, value: object) -> str | None:
    """A clause on a value that the field cannot have."""
    if value is None:
        return None
    number = field.type in (int, float) and type(value) in (int, field.type)
    if not number and type(value) is not field.type:
        return f"{field.name} is not {_WORDS[field.type]}"
    if number and isinstance(value, int | float):
        if not math.isfinite(value) or (isinstance(value, int) and value > _LARGEST):
            return f"{field.name} is too large or no number"
        if value < 0 and not field.signed:
            return f"{field.name} is negative"
    return None


def _no_number(name: str) -> float:
    raise ValueError(name)
