"""The emulator beside published figures of boards, in the report of chips on such boards."""

from __future__ import annotations

from collections.abc import Collection

import polars as pl

from steelyard.fidelity.boards import boards_folder, known_boards, load_board
from steelyard.fidelity.compare import GROUPS
from steelyard.fidelity.kept import kept_rows
from steelyard.present.chart import Chart, nominal, plot, quantitative, tooltip
from steelyard.present.table import Table
from steelyard.report.section import Section


def section(targets: Collection[str]) -> Section | None:
    """Return the published figures of boards with these chips; None if no board has one of them."""
    boards = {name: load_board(name, boards_folder()).file for name in known_boards()}
    rows = [
        {
            "board": boards[row.board].title,
            "target": boards[row.board].target,
            "code": GROUPS[row.group],
            "routine": row.routine,
            "options": row.options,
            "unit": row.unit,
            "published": row.published,
            "emulated": row.emulated,
            "error": row.error_percent,
        }
        for row in kept_rows()
        if row.error_percent is not None and boards[row.board].target in targets
    ]
    if not rows:
        return None
    figures = pl.DataFrame(rows)
    return Section(
        id="boards",
        kind="About",
        title="Beside boards",
        note="Cycles that others published of their code on a board, and what the emulator says of the same"
        " code; steelyard fidelity does it again. Only boards whose chips are in this report.",
        charts=(_chart(figures),),
        lines=(_lines(figures),),
    )


def _chart(figures: pl.DataFrame) -> Chart:
    error = quantitative("error", "emulated, from published, %", axis={"tickCount": 8})
    spec = plot(
        height=34 * figures["board"].n_unique(),
        layer=[
            {"mark": {"type": "rule", "strokeDash": [4, 3], "opacity": 0.7}, "encoding": {"x": {"datum": 0}}},
            {
                "mark": {"type": "point", "filled": True, "size": 40, "opacity": 0.6},
                "encoding": {
                    "x": error,
                    "y": nominal("board", axis={"grid": True, "labelLimit": 300}),
                    "color": nominal("series"),
                    "tooltip": tooltip(
                        ("board", "routine", "options", "unit"),
                        published=("", ",.4~g"),
                        emulated=("", ",.4~g"),
                        error=("error, %", "+.2f"),
                    ),
                },
            },
        ],
    )
    return Chart(
        id="boards",
        title="Errors by board",
        caption="A point is a published figure; on the line the emulator says the same. Figures of compiled"
        " code also have in them what another compiler version does.",
        spec=spec,
        rows=figures,
        open=("target", "code"),
        single=(),
        series=("code",),
    )


def _lines(figures: pl.DataFrame) -> Table:
    found = (
        figures.group_by("board", "target", "code")
        .agg(
            pl.len().alias("figures"),
            pl.col("error").abs().median().alias("median"),
            pl.col("error").abs().max().alias("worst"),
        )
        .sort("board", "code")
    )
    return Table(
        "Errors by board and kind of code",
        ("Board", "Chip", "Code", "Figures", "Median error", "Worst error"),
        tuple(
            (board, target, code, f"{count:,}", f"{median:.2f}%", f"{worst:.2f}%")
            for board, target, code, count, median, worst in found.iter_rows()
        ),
        left=3,
    )
