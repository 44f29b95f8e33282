"""The model of encryption overhead: its constants, its accuracy, the terms that refine it, claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from steelyard.cli.output import print_json, warn
from steelyard.cli.reproduced.common import claim_rows, print_claims, print_lines

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.record.schema import Record
    from steelyard.reproduce.comparison import Steps
    from steelyard.reproduce.ganesan import Reproduction

TARGET = "atmega128"
"""The chip whose compiler is taken where none is named."""


def steps(catalog: Catalog, toolchain: str) -> Steps:
    """What is measured: the rows of the publication's Table 3."""
    from steelyard.reproduce import sensor_nodes

    return sensor_nodes.steps(catalog, toolchain)


def show(records: Sequence[Record], catalog: Catalog, *, as_json: bool) -> None:
    """Print the model on Table 3 and on the records."""
    from steelyard.report.published import ganesan as report
    from steelyard.reproduce import ganesan, sensor_nodes

    defaults = {variant.id for variant in catalog.variants if variant.file.default}
    measured = sensor_nodes.reproduce(records, defaults)
    made = ganesan.reproduce(measured.tables)
    if as_json:
        print_json(_rows(made))
    else:
        print_lines(report.accuracy_lines(made))
        print_lines(report.parameter_lines(made))
        print_lines(report.term_lines(made))
        print_claims(made.claims, list(made.settings))
    for platform in measured.absent:
        warn(f"not every row was measured on {platform.target}: our constants are fitted without it.")


def _rows(made: Reproduction) -> Iterator[dict[str, object]]:
    """One object per setting and algorithm, prediction and claim; `table` says which it is."""
    from steelyard.report.published.ganesan import points, settings
    from steelyard.reproduce.ganesan import setting_accuracy

    for setting in settings(made):
        named = {"variants": setting.name, "flags": setting.flags or None}
        for algorithm, constants in setting.parameters.items():
            found = asdict(setting_accuracy(setting, algorithm))
            worst = found.pop("worst")
            yield {
                "table": "parameters",
                **named,
                "algorithm": algorithm,
                "a_bit_cycles": constants.a,
                "b_bit_cycles": constants.b,
                **found,
                "worst_row": worst["row"],
                "worst_target": worst["target"],
            }
        for algorithm, by_case in setting.terms.items():
            for case, term in by_case.items():
                yield {
                    "table": "term",
                    **named,
                    "algorithm": algorithm,
                    "case": case,
                    "a_bit_cycles": term.a,
                    "b_bit_cycles": term.b,
                }
    for point in points(made):
        yield {"table": "prediction", **point, "flags": None if point["flags"] == "-" else point["flags"]}
    yield from claim_rows(made.claims)
