"""A column of the record."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Field:
    """One column of the record. `identity`: part of what tells cells apart; `metric`: a measured figure;
    `signed`: a number that may be negative.
    """

    name: str
    type: type[str] | type[int] | type[float] | type[bool]
    unit: str
    doc: str
    identity: bool = False
    metric: bool = False
    signed: bool = False
