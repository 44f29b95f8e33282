"""`steelyard reproduce`: a published measurement made anew, beside what was published."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import print_json, print_table, warn

if TYPE_CHECKING:
    from steelyard.reproduce.atmega128 import Reproduction
    from steelyard.reproduce.figures import Figures

EXPERIMENTS = ("atmega128",)


def reproduce(
    experiment: Annotated[
        str,
        typer.Argument(metavar="EXPERIMENT", help="atmega128: five block ciphers on the ATmega128 (2010)."),
    ],
    toolchain: Annotated[str, typer.Option(metavar="NAME", help="Compiler, gcc or clang.")] = "gcc",
    jobs: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Threads (default: one per core).")
    ] = None,
    store: options.Store = None,
    json: options.Json = False,
) -> None:
    """Measure what a publication measured and print its figures, orders and claims beside ours.

    Each claim gets a verdict computed from the records alone: holds, holds in part, fails, or not testable.

    \b
    Examples:
      steelyard reproduce atmega128
      steelyard reproduce atmega128 --toolchain clang --json
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.cli.measure import tell_failures
    from steelyard.measure.image import Rules
    from steelyard.measure.selection import match
    from steelyard.measure.session import prepare
    from steelyard.reproduce import atmega128
    from steelyard.store.segments import store_folder

    match("experiment", [experiment], EXPERIMENTS)
    session = prepare(load_catalog(), [atmega128.selection(toolchain)])
    result = session.run(store_folder(store), Rules(), jobs)
    made = atmega128.reproduce(result.records)
    if json:
        print_json(_rows(made))
    else:
        _print(made)
    tell_failures(result.records)
    if result.interrupted:
        warn("interrupted; what is done is kept: the same command goes on from there.")
        raise typer.Exit(130)
    raise typer.Exit(1 if result.failed else 0)


def _rows(made: Reproduction) -> Iterator[dict[str, object]]:
    """One object per line of the tables; `table` says of which."""
    for setting, table in made.tables.items():
        for figures in table:
            yield {
                "table": "figure",
                "setting": setting,
                **asdict(figures),
                **{f"{name}_time_us": time for name, time in _times_us(figures).items()},
                "encrypt_throughput_bits_per_s": figures.throughput("encrypt"),
                "decrypt_throughput_bits_per_s": figures.throughput("decrypt"),
            }
    for number in made.numbers:
        yield {"table": "number", **asdict(number), "ratio": number.ratio}
    for order in made.orders:
        yield {"table": "order", **asdict(order)}
    for claim in made.claims:
        yield {"table": "claim", **asdict(claim)}


def _times_us(figures: Figures) -> dict[str, float]:
    cycles = {
        "init": figures.init_cycles,
        "encrypt": figures.encrypt_cycles,
        "decrypt": figures.decrypt_cycles,
    }
    return {name: 1e6 * count / figures.clock_hz for name, count in cycles.items()}


def _print(made: Reproduction) -> None:
    headings = ("setting", "cipher", "variant", "code B", "data B")
    times = ("init us", "enc us", "dec us", "enc kbit/s", "dec kbit/s")
    print_table((*headings, *times), _figure_lines(made), left=3)
    print_table(
        ("published number", "setting", "published", "measured", "ratio"),
        (
            (
                number.quantity,
                number.setting,
                f"{number.low:g}" + (f" to {number.high:g}" if number.high > number.low else ""),
                f"{number.ours:.1f} {number.unit}",
                f"{number.ratio:.2f}",
            )
            for number in made.numbers
        ),
        left=2,
    )
    print_table(
        ("published order", "setting", "published", "measured"),
        (
            (order.quantity, order.setting, " > ".join(order.published), " > ".join(order.ours))
            for order in made.orders
        ),
        left=4,
    )
    print_table(
        ("claim", "verdict", "statement"), ((c.claim, c.finding, c.statement) for c in made.claims), left=3
    )
    for claim in made.claims:
        print(f"{claim.claim}: {claim.finding}: {claim.reason}.")


def _figure_lines(made: Reproduction) -> Iterator[tuple[str, ...]]:
    for setting, table in made.tables.items():
        for figures in table:
            throughputs = (figures.throughput(name) / 1e3 for name in ("encrypt", "decrypt"))
            yield (
                setting,
                figures.cipher,
                figures.variant,
                f"{figures.code_bytes:,}",
                f"{figures.data_bytes:,}",
                *(f"{time:,.1f}" for time in _times_us(figures).values()),
                *(f"{throughput:,.1f}" for throughput in throughputs),
            )
