"""Output of `steelyard host interfere`: latencies, differences, histograms as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from steelyard.linux.interfere import words
from steelyard.linux.interfere.result import SIDES
from steelyard.linux.interfere.series import bin_edge_us
from steelyard.present.terminal import print_table

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


def print_run(row: Row) -> None:
    """Print one run: a line for each quantity and side, the two histograms side by side, the notes."""
    print(f"{row['device']}: {row['processor']}, {row['architecture']}, Linux {row['kernel']}")
    print(
        f"Task: {words.task(row)} ({row['work_rounds']:,} rounds, {words.microseconds(row['work_us'])} us"
        f" undisturbed), {row['scheduler']}"
    )
    print(
        f"Beside it: {words.what(row)}, {words.messages(row)}, {row['encryption_scheduler']};"
        f" {row['messages']:,} messages, {words.microseconds(row['message_us_mean'])} us each"
    )
    lines = [
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
    ]
    headings = (
        "us", "encryption", *_STATISTICS.values(), "late", "lost", "periods", "CPU %", "machine %"
    )  # fmt: skip
    print_table(headings, lines, left=2)
    for quantity, name in _QUANTITIES.items():
        print(f"{name} us, periods without and with encryption (bars are logarithmic)")
        print("\n".join(histogram(row, quantity)), end="\n\n")
    for note in json.loads(row["notes"]):
        print(note)


def print_differences(rows: Sequence[Row]) -> None:
    """Print the effect of each primitive, with its 95 % interval."""
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
    headings = ("encrypted with", "figure", *SIDES, "added", "95 % interval", "")
    print_table(headings, lines, left=2)


def histogram(row: Row, quantity: str) -> Iterator[str]:
    """Yield lines of a histogram with the bins of both sides side by side; many bins are merged."""
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
    longest = max(max(pair) for pair in counts).bit_length()
    for index, pair in enumerate(counts):
        first = low + index * joined
        span = f"{bin_edge_us(first):10,.1f} to {bin_edge_us(first + joined):10,.1f}"
        bars = (
            f"{count:9,} {'#' * -(-_BAR_CHARACTERS * count.bit_length() // longest):{_BAR_CHARACTERS}}"
            for count in pair
        )
        yield f"{span} {'  '.join(bars)}".rstrip()
