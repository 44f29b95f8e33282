"""Predictions for a user's chip, with the model that fits what is known of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from steelyard.errors import UsageError
from steelyard.files import read_limited
from steelyard.models import operations
from steelyard.models.evaluation import SHOTS, cost_vector, interval
from steelyard.models.kept import chosen
from steelyard.models.training import METRICS, Chip, ChipFile, Row, Training, matrix_file
from steelyard.models.transfer import Prediction, Transfer
from steelyard.nearest import printable, unknown

MANY_PRIMITIVES = 10
"""Number of measured primitives from which the chip's own cost vector is fitted."""
_LARGEST = 1e15
_TABLE_LIMIT_BYTES = 64 << 20


@dataclass(frozen=True)
class Estimate:
    """A row's figures by metric, each with its interval; metrics in `measured` were given by the user."""

    row: Row
    figures: Mapping[str, tuple[float, float, float]]
    measured: frozenset[str]
    models: Mapping[str, str]
    clock_hz: int | None = field(default=None)

    @property
    def time_us(self) -> float | None:
        """Time of the cycles in microseconds, if a clock is known."""
        return None if self.clock_hz is None else self.figures["cycles"][0] / self.clock_hz * 1e6

    def cells(self, metric: str) -> list[str]:
        """Return the figure and its interval as text."""
        middle, low, high = self.figures[metric]
        return [f"{middle:,.0f}", "measured" if metric in self.measured else f"[{low:,.0f}, {high:,.0f}]"]

    def flat(self) -> dict[str, object]:
        """Return one object with every key."""
        found: dict[str, object] = {
            "primitive": self.row.primitive,
            "operation": self.row.operation,
            "message_bytes": self.row.message_bytes if self.row.message_bytes >= 0 else None,
        }
        for metric, (middle, low, high) in self.figures.items():
            found |= {
                metric: round(middle, 1),
                f"{metric}_low": round(low, 1),
                f"{metric}_high": round(high, 1),
            }
            found[f"{metric}_model"] = "measured" if metric in self.measured else self.models[metric]
        return {**found, "clock_hz": self.clock_hz, "time_us": self.time_us}


def read_measured(path: Path, training: Training) -> dict[str, dict[int, float]]:
    """Read figures by metric and row index from a CSV file; UsageError in one sentence if it is invalid.

    Other columns are ignored, so that an export of a store will do.
    """
    raw = read_limited(path, _TABLE_LIMIT_BYTES, "a table of figures")
    try:
        return _measured(path, csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")), training)
    except (UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path}: cannot be read as CSV: {printable(str(error))}.") from None


def _measured(path: Path, lines: csv.DictReader[str], training: Training) -> dict[str, dict[int, float]]:
    names = lines.fieldnames or ()
    if not names:
        raise UsageError(f"{path}: there is no row below the heading.")
    for name in ("primitive", "operation", "message_bytes", *METRICS):
        if names.count(name) > 1:
            raise UsageError(f"{path}: there are {names.count(name)} columns {name}.")
    present = [metric for metric in METRICS if metric in names]
    for column in ("primitive", "operation"):
        if column not in names:
            raise UsageError(f"{path}: there is no column {column}.")
    if not present:
        raise UsageError(f"{path}: there is no column of {', '.join(METRICS)}.")
    index = {row: place for place, row in enumerate(training.rows)}
    found: dict[str, dict[int, float]] = {metric: {} for metric in present}
    number = 0
    for number, line in enumerate(lines, start=2):
        row = _row(path, number, line, index)
        for metric in present:
            text = (line[metric] or "").strip()
            if not text:
                continue
            figure = _figure(path, number, metric, text)
            if found[metric].setdefault(index[row], figure) != figure:
                before = found[metric][index[row]]
                raise UsageError(
                    f"{path}, line {number}: {metric} of {row} was {before:g} before, here it is {figure:g}."
                )
    if not number:
        raise UsageError(f"{path}: there is no row below the heading.")
    if not any(found.values()):
        raise UsageError(f"{path}: no row has a figure of {', '.join(present)}.")
    return found


def _row(path: Path, number: int, line: Mapping[str, str | None], index: Mapping[Row, int]) -> Row:
    name, operation = (line["primitive"] or "").strip(), (line["operation"] or "").strip()
    known = sorted({row.primitive for row in index})
    if name not in known:
        raise UsageError(f"{path}, line {number}: {unknown('primitive', name, known)}")
    mine = [row for row in index if row.primitive == name]
    operations_known = sorted({row.operation for row in mine})
    if operation not in operations_known:
        raise UsageError(
            f"{path}, line {number}: {unknown(f'operation of {name}', operation, operations_known)}"
        )
    of_operation = [row for row in mine if row.operation == operation]
    text = (line.get("message_bytes") or "").strip()
    for row in of_operation:
        if row.message_bytes < 0 or (text and text == str(row.message_bytes)):
            return row
    if len(of_operation) == 1 and not text:
        return of_operation[0]
    lengths = " or ".join(str(row.message_bytes) for row in of_operation)
    raise UsageError(
        f"{path}, line {number}: message_bytes of {name} {operation} is {lengths},"
        f" not {printable(text) or 'empty'}."
    )


def _figure(path: Path, number: int, metric: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise UsageError(f"{path}, line {number}: {metric} is no number: {printable(text)}.") from None
    if not 0 < value < _LARGEST:
        raise UsageError(f"{path}, line {number}: {metric} has to be above 0, not {printable(text)}.")
    return value


def predict_rows(
    training: Training,
    chip: ChipFile | None,
    measured: Mapping[str, Mapping[int, float]],
    primitives: Sequence[str],
) -> list[Estimate]:
    """Predict all rows of these primitives, in the order of the names."""
    by_metric = {metric: _predict(training, metric, chip, measured.get(metric, {})) for metric in METRICS}
    clock = chip.clock_hz if chip is not None else None
    return [
        Estimate(
            row,
            {metric: figures[place] for metric, (figures, _) in by_metric.items()},
            frozenset(metric for metric in METRICS if place in measured.get(metric, {})),
            {metric: model for metric, (_, model) in by_metric.items()},
            clock,
        )
        for name in primitives
        for place, row in enumerate(training.rows)
        if row.primitive == name
    ]


def _predict(
    training: Training, metric: str, chip: Chip | None, measured: Mapping[int, float]
) -> tuple[list[tuple[float, float, float]], str]:
    """Return every row's figure with its interval, and the name of the model."""
    seen = {training.rows[row].primitive for row in measured}
    setup = matrix_file()
    if chip is not None and len(seen) >= MANY_PRIMITIVES:
        transfer = Transfer(training, metric)
        of = operations.profile(transfer, chip, frozenset())
        rows = np.array(sorted(measured))
        logs = np.log([measured[int(row)] for row in rows])
        groups = [training.algorithms[row] for row in rows]
        vector, width = cost_vector(of, rows, logs, groups, setup.interval.coverage)
        return _figures(vector.predict(np.arange(len(training.rows))), width, measured), "operations"
    shot = min((one for one in (0, *SHOTS) if one >= len(seen)), default=SHOTS[-1])
    transfer = Transfer(training, metric, by_parameters=chip is not None)
    fit = chosen(transfer, shot, setup)
    found = fit.predict(chip or training.chips[0], measured)
    name = "few-shot" if measured else "parameters"
    if chip is None:
        name = "few-shot, no parameters" if measured else "mean of all chips"
    return _figures(found, fit.widths[shot], measured), name


def _figures(
    found: Prediction, width: float, measured: Mapping[int, float]
) -> list[tuple[float, float, float]]:
    return [
        (measured[row],) * 3 if row in measured else interval(float(mean), float(deviation), width)
        for row, (mean, deviation) in enumerate(zip(found.mean, found.deviation, strict=True))
    ]
