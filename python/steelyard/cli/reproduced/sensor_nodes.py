"""Five primitives on the processors of sensor nodes: times, cycles, normalised overhead, code, claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from steelyard.cli.output import print_json, warn
from steelyard.cli.reproduced.common import claim_rows, print_claims, print_lines

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.record.schema import Record
    from steelyard.reproduce.comparison import Steps
    from steelyard.reproduce.sensor_nodes import Reproduction, Sheet, Timed


TARGET = "atmega128"
"""The chip whose compiler is taken where none is named."""


def steps(catalog: Catalog, toolchain: str) -> Steps:
    """What is measured."""
    from steelyard.reproduce import sensor_nodes

    return sensor_nodes.steps(catalog, toolchain)


def show(records: Sequence[Record], catalog: Catalog, *, as_json: bool) -> None:
    """Print the comparison that the records allow."""
    from steelyard.reproduce import sensor_nodes

    defaults = {variant.id for variant in catalog.variants if variant.file.default}
    made = sensor_nodes.reproduce(records, defaults)
    if as_json:
        print_json(_rows(made))
    else:
        _print(made)
    for platform in made.absent:
        warn(f"not every row was measured on {platform.target}: it is left out of the claims.")


def _rows(made: Reproduction) -> Iterator[dict[str, object]]:
    """One object per figure and claim; `table` says which it is."""
    for table in made.settings():
        for one in table.timed.values():
            yield {"table": "time", **_time(table, one)}
        for (target, algorithm), size in table.code_bytes.items():
            yield {
                "table": "code",
                "choice": table.choice,
                "flags": table.flags,
                "target": target,
                "algorithm": algorithm,
                "code_bytes": size,
            }
        for (target, algorithm, length), cycles in table.digests.items():
            yield {
                "table": "digest",
                "choice": table.choice,
                "flags": table.flags,
                "target": target,
                "algorithm": algorithm,
                "message_bytes": length,
                "cycles": cycles,
            }
    public_key = {one.target: one for table in made.settings() for one in table.public_key.values()}
    for key in public_key.values():
        yield {
            "table": "public key",
            "target": key.target,
            "variant": key.variant,
            "cycles": key.cycles,
            "time_us": key.time_us,
            "rom_bytes": key.rom_bytes,
            "ram_bytes": key.ram_bytes,
            "error": key.error,
        }
    for row in claim_rows(made.claims):
        yield {**row, "published_table": made.printed[str(row["claim"])]}


def _time(table: Sheet, one: Timed) -> dict[str, object]:
    from steelyard.report.published.sensor_nodes import printed_normalised
    from steelyard.reproduce.sensor_node_claims import normalised
    from steelyard.reproduce.verdict import MissingFigure

    overhead = None
    with suppress(MissingFigure):
        overhead = normalised(table, one.platform.target, one.row.label)
    printed_us = one.row.printed(one.platform.target)
    return {
        "choice": one.choice,
        "flags": one.flags,
        "toolchain": one.toolchain,
        "target": one.platform.target,
        "algorithm": one.row.algorithm,
        "text_bytes": one.row.text_bytes,
        "action": one.row.action,
        "variant": one.variant,
        "published_us": printed_us,
        "time_us": one.time_us,
        "ratio": one.ratio,
        "published_cycles": None if printed_us is None else printed_us * one.platform.clock_mhz,
        "cycles": one.cycles,
        "cycles_min": one.cycles_min,
        "cycles_max": one.cycles_max,
        "cycles_sd": one.sd,
        "published_overhead": printed_normalised(one.row, one.platform),
        "overhead": overhead,
    }


def _print(made: Reproduction) -> None:
    """Sheet 3 in every setting of the default variants, the figures in one, the claims."""
    from steelyard.report.published import sensor_nodes as report
    from steelyard.reproduce.sensor_nodes import CHOICES, DEFAULT

    for table in made.tables[DEFAULT].values():
        print_lines(report.time_lines(table))
    print_lines(report.span_lines(made))
    shown = report.usual(made)
    if shown is not None:
        print_lines(report.cycle_lines(shown))
        print_lines(report.normalised_lines(shown))
        print_lines(report.code_lines(shown))
        print_lines(report.spread_lines(shown))
        if shown.public_key:
            print_lines(report.public_key_lines(shown))
    print_claims(made.claims, list(CHOICES))
    held = [claim for claim, finding in made.printed.items() if finding == "holds"]
    failed = [claim for claim, finding in made.printed.items() if finding in ("fails", "holds in part")]
    print(
        f"In the publication's own Sheet 3 hold {', '.join(held)};"
        f" do not, or in part only, {', '.join(failed)}."
    )
