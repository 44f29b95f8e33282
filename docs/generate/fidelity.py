"""Blocks of a kept run of `steelyard fidelity`, beside the goals of each board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from steelyard.fidelity.boards import Board, boards_folder, known_boards, load_board
from steelyard.fidelity.compare import GROUPS, Row, Summary, summaries
from steelyard.fidelity.kept import kept_rows
from steelyard.present.markdown import markdown_table


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
    """Return the blocks by name, from the rows that Steelyard keeps."""
    boards = [load_board(name, boards_folder()) for name in known_boards()]
    return {
        "fidelity summary": lambda: summary_table(kept_rows(), boards),
        **{
            f"fidelity {board.id}": partial(lambda one: figures_table(kept_rows(), one), board)
            for board in boards
        },
    }
