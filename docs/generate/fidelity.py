"""Blocks of a kept run of `steelyard fidelity`, beside the goals of each board."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from steelyard.fidelity.boards import Board, known_boards, load_board
from steelyard.fidelity.compare import GROUPS, Row, Summary, summaries
from steelyard.present.markdown import markdown_table


def read_rows(path: Path) -> list[Row]:
    """Read the rows that `--output` wrote."""
    with path.open(encoding="utf-8", newline="") as file:
        return [_row(line) for line in csv.DictReader(file)]


def _row(line: dict[str, str]) -> Row:
    def number(name: str) -> float | None:
        return float(line[name]) if line[name] else None

    return Row(
        board=line["board"],
        routine=line["routine"],
        source=line["source"],
        path=line["path"],
        language=line["language"],
        options=line["options"],
        unit=line["unit"],
        published=float(line["published"]),
        emulated=number("emulated"),
        error_percent=number("error_percent"),
        cycles=int(line["cycles"]) if line["cycles"] else None,
        assembly_percent=number("assembly_percent"),
        toolchain_version=line["toolchain_version"] or None,
        timing_version=line["timing_version"] or None,
        reason=line["reason"] or None,
    )


def summary_table(rows: Iterable[Row], boards: Iterable[Board]) -> str:
    """Return errors by board and group in Markdown, beside the goal if the board has one."""
    by_id = {board.id: board for board in boards}
    lines = []
    for one in summaries(rows):
        file = by_id[one.board].file
        lines.append(
            (
                f"[{file.title}](#{one.board})",
                file.core,
                GROUPS[one.group],
                str(one.routines),
                str(one.not_run),
                _percent(one.median_percent),
                _percent(one.worst_percent),
                _standing(one, by_id[one.board]),
            )
        )
    headings = ("board", "core", "code", "routines", "not run", "median error, %", "worst, %", "goal")
    return markdown_table(headings, lines, left=3)


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _standing(one: Summary, board: Board) -> str:
    goal = board.file.goal
    if goal is None or one.group != "assembly" or one.median_percent is None or one.worst_percent is None:
        return ""
    met = one.median_percent <= goal.median_percent and one.worst_percent <= goal.worst_percent
    aim = f"{goal.median_percent:g}, worst {goal.worst_percent:g}"
    return f"{aim}: {'met' if met else 'missed'}"


def figures_table(rows: Sequence[Row], board: Board) -> str:
    """Return in Markdown the measurements of a board, their place, and each of its routines."""
    file = board.file
    sources = "; ".join(
        f"[{source.publication}]({source.repository}), commit `{(source.commit or 'any')[:12]}`"
        for source in file.source
    )
    lines = [
        f"Measured: {file.measured}. Memory: {file.memory}. Compiler: {file.compiler}. Source: {sources}.",
        "",
    ]
    if file.correction is not None:
        lines += [f"Accounted for: {file.correction.reason} ({file.correction.document}).", ""]
    numbers = [
        (
            row.routine,
            row.language,
            f"{row.published:.10g}" if row.unit == "cycles" else f"{row.published:.0f}",
            _emulated(row),
            "" if row.error_percent is None else f"{row.error_percent:+.2f}",
            "" if row.assembly_percent is None else f"{row.assembly_percent:.0f}",
        )
        for row in rows
        if row.board == board.id
    ]
    headings = ("routine", "code", f"published, {file.unit}", "emulated", "error, %", "assembly, %")
    lines.append(markdown_table(headings, numbers, left=2))
    lines += [f"* Left out: {one.name}: {one.reason}." for one in file.left_out]
    return "\n".join(lines).rstrip("\n") + "\n"


def _emulated(row: Row) -> str:
    if row.emulated is None:
        return f"not run: {row.reason}"
    whole = row.unit != "cycles" or row.emulated.is_integer()
    return f"{row.emulated:.0f}" if whole else f"{row.emulated:.1f}"


def blocks() -> dict[str, Callable[[], str]]:
    """Return the blocks by name, from docs/records/fidelity.csv of `steelyard fidelity --output`."""
    path = Path(__file__).resolve().parents[1] / "records" / "fidelity.csv"
    boards = [load_board(name, path) for name in known_boards()]
    return {
        "fidelity summary": lambda: summary_table(read_rows(path), boards),
        **{
            f"fidelity {board.id}": partial(lambda one: figures_table(read_rows(path), one), board)
            for board in boards
        },
    }
