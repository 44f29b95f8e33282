"""The analytic model of encryption overhead (2003), fitted to the printed times and to ours."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import polars as pl

from steelyard.models.ganesan import Accuracy, Parameters, by_parameters
from steelyard.present.chart import SCHEMA, Chart, Spec
from steelyard.present.table import Table
from steelyard.report.published.common import Publication, of_one_compiler
from steelyard.reproduce import ganesan, sensor_nodes
from steelyard.reproduce.ganesan import ALGORITHMS, GROUPS, PRINTED, REFITTED, Reproduction, Setting

_NOTE = (
    "Equation 1 of the publication, t = (a + b n) / (f w), with the constants of its Table 4, with constants"
    " fitted anew to its Table 3, and with constants fitted to the records here. a and b are in bit-cycles;"
    " n counts a cipher's message of 16 bytes, or a hash's padded blocks."
)
_SQUARE_PX = 420


def publication(records: pl.DataFrame, defaults: Collection[str]) -> Publication | None:
    """What the records say of the model; None where no platform has all its rows."""
    targets = [platform.target for platform in sensor_nodes.platforms()]
    wanted = list(sensor_nodes.PRIMITIVES.values())
    found = of_one_compiler(
        records.filter(pl.col("target").is_in(targets) & pl.col("primitive").is_in(wanted))
    )
    if found is None:
        return None
    compiler, taken = found
    made = ganesan.reproduce(sensor_nodes.reproduce(taken.to_dicts(), defaults).tables)
    if not any(ours(made)):
        return None
    return Publication(
        "ganesan",
        ganesan.TITLE,
        _NOTE,
        compiler,
        (_chart(made),),
        tuple(made.settings),
        made.claims,
        (accuracy_lines(made), parameter_lines(made), term_lines(made)),
    )


def settings(made: Reproduction) -> Iterator[Setting]:
    """All settings one after the other."""
    for by_flags in made.settings.values():
        yield from by_flags.values()


def ours(made: Reproduction) -> Iterator[Setting]:
    """Those of our records."""
    return (setting for setting in settings(made) if setting.name not in (PRINTED, REFITTED))


def _name(setting: Setting) -> str:
    return f"{setting.name} {setting.flags}".strip()


def accuracy_lines(made: Reproduction) -> Table:
    """How far equation 1 is off in every setting."""

    def line(setting: Setting, found: Accuracy) -> tuple[str, ...]:
        worst = f"{found.worst.row} on {found.worst.target}"
        return (
            _name(setting),
            str(len(setting.targets)),
            str(found.cells),
            f"{found.within_10_percent / found.cells:.0%}",
            f"{found.within_20_percent / found.cells:.0%}",
            f"{found.within_factor_two / found.cells:.0%}",
            f"{found.median_factor:.2f}",
            f"{found.worst_factor:.1f}",
            worst,
        )

    headings = ("Constants", "Platforms", "Cells", "10 %", "20 %", "Factor 2", "Median", "Worst", "")
    rows = tuple(line(setting, ganesan.setting_accuracy(setting)) for setting in settings(made))
    return Table("Equation 1: cells within, median and worst factor", headings, rows, 1)


def parameter_lines(made: Reproduction) -> Table:
    """Table 4: a and b of every algorithm."""
    rows = tuple(
        (_name(setting), *(_pair(setting.parameters[algorithm]) for algorithm in ALGORITHMS))
        for setting in settings(made)
    )
    return Table("a / b in bit-cycles (Table 4)", ("Constants", *ALGORITHMS), rows, 1)


def term_lines(made: Reproduction) -> Table:
    """Tables 5 and 6: what equations 2 and 3 add to a and b."""
    cases = [(algorithm, case) for algorithm, (_, by_case) in GROUPS.items() for case in by_case]

    def cell(setting: Setting, algorithm: str, case: str) -> str:
        found = setting.terms.get(algorithm, {}).get(case)
        return "" if found is None else _pair(found)

    headings = ("Constants", *(f"{algorithm}, {GROUPS[algorithm][0]}: {case}" for algorithm, case in cases))
    rows = tuple((_name(setting), *(cell(setting, *one) for one in cases)) for setting in settings(made))
    return Table("Terms of equations 2 and 3, a / b in bit-cycles (Tables 5 and 6)", headings, rows, 1)


def _pair(parameters: Parameters) -> str:
    return f"{parameters.a:,.0f} / {parameters.b:,.0f}"


def points(made: Reproduction) -> Iterator[dict[str, object]]:
    """Measured and predicted bit-cycles of every observation in every setting."""
    for setting in settings(made):
        predict = by_parameters(setting.parameters)
        for one in setting.observations:
            yield {
                "variants": setting.name,
                "flags": setting.flags or "-",
                "algorithm": one.algorithm,
                "row": one.row,
                "target": one.target,
                "blocks": one.blocks,
                "measured": one.bit_cycles,
                "predicted": predict(one),
            }


def _chart(made: Reproduction) -> Chart:
    frame = pl.DataFrame(list(points(made)), infer_schema_length=None)

    def axis(field: str, title: str) -> Spec:
        return {
            "field": field,
            "type": "quantitative",
            "title": f"{title}, bit-cycles",
            "scale": {"type": "log", "nice": False, "padding": 16},
            "axis": {"tickCount": 6, "format": ",~r"},
        }

    tooltip = [{"field": name} for name in ("algorithm", "row", "target")]
    tooltip += [{"field": name, "format": ",.0f"} for name in ("measured", "predicted")]
    spec: Spec = {
        "$schema": SCHEMA,
        "data": {"name": "rows"},
        "width": "container",
        "autosize": {"type": "fit-x", "contains": "padding"},
        "height": _SQUARE_PX,
        "layer": [
            {
                "mark": {"type": "line", "strokeDash": [4, 4], "color": "gray"},
                "encoding": {"x": axis("measured", "measured"), "y": axis("measured", "predicted")},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 60},
                "encoding": {
                    "x": axis("measured", "measured"),
                    "y": axis("predicted", "predicted"),
                    "color": {
                        "field": "algorithm",
                        "type": "nominal",
                        "title": None,
                        "sort": list(ALGORITHMS),
                    },
                    "tooltip": tooltip,
                },
            },
        ],
    }
    return Chart(
        id="ganesan-predicted",
        title="Measured against predicted",
        caption="In the form of the publication's Figure 5; on the dashed line both are equal.",
        spec=spec,
        rows=frame,
        open=("target",),
        single=("variants", "flags"),
        series=("algorithm",),
        half=True,
    )
