"""A column of the record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

JSON = "JSON"
"""The unit of a text that holds JSON: stored records are flat."""


@dataclass(frozen=True)
class Field:
    """One column of the record. `identity`: part of what tells cells apart; `metric`: a measured figure;
    `signed`: a number that may be negative. The unit JSON marks a text that holds JSON.
    """

    name: str
    type: type[str] | type[int] | type[float] | type[bool]
    unit: str
    doc: str
    identity: bool = False
    metric: bool = False
    signed: bool = False


def decoded(row: Mapping[str, object], fields: Iterable[Field]) -> dict[str, object]:
    """Return a row in which texts of fields with the unit JSON are the values that they hold."""
    found = dict(row)
    for field in fields:
        text = row.get(field.name) if field.unit == JSON else None
        if isinstance(text, str):
            found[field.name] = json.loads(text)
    return found


def encoded(row: Mapping[str, object], fields: Iterable[Field]) -> dict[str, object]:
    """Return a row that `decoded` has made with the texts that it had before."""
    found = dict(row)
    for field in fields:
        value = row.get(field.name)
        if field.unit == JSON and value is not None and not isinstance(value, str):
            found[field.name] = json.dumps(value)
    return found
