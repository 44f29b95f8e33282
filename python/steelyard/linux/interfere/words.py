"""Texts for a run and its figures, for the terminal and the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from steelyard.units import duration

Row = Mapping[str, Any]


def what(row: Row) -> str:
    """Return the primitive with its mode, and its implementation."""
    name = " ".join(part for part in (row["primitive"], (row["mode"] or "").upper()) if part)
    by = row["library"] or row["variant"]
    return f"{name} ({by})" if by else name


def messages(row: Row) -> str:
    """Return length and requested rate, and the thread's scheduling if it is unusual."""
    rate = "one after the other" if row["rate_hz"] is None else f"{row['rate_hz']:,.5g}/s"
    said = [f"{row['message_bytes']:,} bytes", rate]
    if row["encryption_priority"]:
        said.append(f"priority {row['encryption_priority']}")
    if row["encryption_core"] is not None:
        said.append(f"core {row['encryption_core']}")
    return ", ".join(said)


def task(row: Row) -> str:
    """Return the requested period, work, deadline, priority and core."""
    said = [f"period {duration(row['period_us'] / 1e6)}", f"work {row['work_asked']}"]
    if row["deadline_us"] != row["period_us"]:
        said.append(f"deadline {duration(row['deadline_us'] / 1e6)}")
    said.append(f"priority {row['priority']}" if row["priority"] else "no priority")
    if row["core"] is not None:
        said.append(f"core {row['core']}")
    return ", ".join(said)


def microseconds(value: float | None) -> str:
    """Format microseconds with the digits that a clock read through the kernel justifies."""
    if value is None:
        return "-"
    return f"{value:,.1f}" if abs(value) < 1000 else f"{value:,.0f}"


def percent(value: float | None) -> str:
    """Format a percentage with enough digits for a single period of some ten thousand."""
    return "-" if value is None else f"{value:,.2f}"


def difference(row: Row, name: str) -> tuple[str, str, str]:
    """Return the effect of encryption, its interval, and `none found` if the interval contains zero."""
    value, low, high = (row[f"added_{name}{end}"] for end in ("", "_low", "_high"))
    if value is None:
        return "-", "", ""
    form = percent if name.endswith("percent") else microseconds
    interval = f"{_signed(form(low))} to {_signed(form(high))}"
    return _signed(form(value)), interval, "" if low > 0 or high < 0 else "none found"


def added(row: Row, name: str) -> str:
    """Return the effect of encryption and its interval as one text."""
    value, interval, verdict = difference(row, name)
    return value if not interval else f"{value} ({interval})" + (f", {verdict}" if verdict else "")


def _signed(text: str) -> str:
    if not any(digit in text for digit in "123456789"):
        return text.removeprefix("-")
    return text if text.startswith("-") else f"+{text}"
