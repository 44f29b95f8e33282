"""Output of `steelyard host interfere`: latencies, differences, histograms as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from steelyard.linux.interfere import words
from steelyard.linux.interfere.result import SIDES
from steelyard.linux.interfere.series import bin_edge_us
from steelyard.present.table import Table
from steelyard.present.terminal import terminal_width

Row = Mapping[str, Any]

_QUANTITIES = {"wakeup": "wake-up", "response": "response"}
_STATISTICS = {"min": "min", "mean": "avg", "p50": "median", "p99": "99 %", "p999": "99.9 %", "max": "max"}
_ADDED = {
    "wakeup_mean_us": "wake-up avg us",
    "wakeup_p99_us": "wake-up 99 % us",
    "response_mean_us": "response avg us",
    "response_p99_us": "response 99 % us",
    "misses_percent": "misses %",
    "cpu_process_percent": "CPU %",
}
_MOST_LINES = 24
_BAR_CHARACTERS = 30
_FIGURES_CHARACTERS = 47
"""Characters of a histogram line beside its two bars."""


def page(rows: Sequence[Row]) -> Iterator[Table | str]:
    """Every run that was timed by itself, then what encryption adds in each of them."""
    timed = [row for row in rows if row["scheduler"] is not None]
    for row in timed:
        yield from _run(row)
    if timed:
        yield _differences(timed)
    for row in rows:
        if row["status"] == "ok" and row["scheduler"] is None:
            yield (
                f"{row['primitive']}: the output is right; an emulator's times say nothing and are not given."
            )


def _run(row: Row) -> Iterator[Table | str]:
    """A line for each quantity and side, the two histograms side by side, the notes."""
    yield f"{row['device']}: {row['processor']}, {row['architecture']}, Linux {row['kernel']}"
    yield (
        f"Task: {words.task(row)} ({row['work_rounds']:,} rounds, {words.microseconds(row['work_us'])} us"
        f" undisturbed), {row['scheduler']}"
    )
    yield (
        f"Beside it: {words.what(row)}, {words.messages(row)}, {row['encryption_scheduler']};"
        f" {row['messages']:,} messages, {words.microseconds(row['message_us_mean'])} us each"
    )
    lines = tuple(
        (
            name,
            side,
            *(words.microseconds(row[f"{quantity}_{statistic}_us_{side}"]) for statistic in _STATISTICS),
            f"{row[f'late_{side}']:,}",
            f"{row[f'lost_{side}']:,}",
            f"{row[f'jobs_{side}'] + row[f'lost_{side}']:,}",
            words.percent(row[f"cpu_process_percent_{side}"]),
            words.percent(row[f"cpu_machine_percent_{side}"]),
        )
        for quantity, name in _QUANTITIES.items()
        for side in SIDES
    )
    headings = (
        "us", "encryption", *_STATISTICS.values(), "late", "lost", "periods", "CPU %", "machine %"
    )  # fmt: skip
    yield Table("", headings, lines, left=2, least_needed=("machine %", "CPU %", "99.9 %"))
    for quantity, name in _QUANTITIES.items():
        yield f"{name} us, periods without and with encryption (bars are logarithmic)"
        yield "\n".join([*histogram(row, quantity, terminal_width()), ""])
    yield from json.loads(row["notes"])


def _differences(rows: Sequence[Row]) -> Table:
    """What each primitive adds, with its 95 % interval."""
    lines = []
    for row in rows:
        for name, label in _ADDED.items():
            form = words.percent if name.endswith("percent") else words.microseconds
            lines.append(
                (
                    words.what(row),
                    label,
                    *(form(row[f"{name}_{side}"]) for side in SIDES),
                    *words.difference(row, name),
                )
            )
    headings = ("encrypted with", "figure", *SIDES, "added", "95 % interval", "finding")
    return Table("", headings, tuple(lines), left=2)


def histogram(row: Row, quantity: str, width: int | None) -> Iterator[str]:
    """Lines of a histogram, the bins of both sides side by side, neighbours joined where they are many.

    On a terminal of that width the bars are as long as it has room for.
    """
    sides = [dict(json.loads(row[f"{quantity}_histogram_{side}"])) for side in SIDES]
    numbers = [number for side in sides for number in side]
    if not numbers:
        return
    low, high = min(numbers), max(numbers)
    joined = -(-(high - low + 1) // _MOST_LINES)
    counts = [
        [sum(side.get(number, 0) for number in range(first, first + joined)) for side in sides]
        for first in range(low, high + 1, joined)
    ]
    room = _BAR_CHARACTERS if width is None else (width - _FIGURES_CHARACTERS) // 2
    most = max(1, min(_BAR_CHARACTERS, room))
    longest = max(max(pair) for pair in counts).bit_length()
    for index, pair in enumerate(counts):
        first = low + index * joined
        span = f"{bin_edge_us(first):10,.1f} to {bin_edge_us(first + joined):10,.1f}"
        bars = (f"{count:9,} {'#' * -(-most * count.bit_length() // longest):{most}}" for count in pair)
        yield f"{span} {'  '.join(bars)}".rstrip()
