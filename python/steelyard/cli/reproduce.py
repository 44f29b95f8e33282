"""`steelyard reproduce`: a published measurement made anew, beside what was published."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import print_json, print_table, warn

if TYPE_CHECKING:
    from steelyard.reproduce.atmega128 import Number, Reproduction
    from steelyard.reproduce.figures import Figures
    from steelyard.reproduce.verdict import Finding

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

    Each claim gets a verdict computed from the records alone: holds, holds in part, fails, or not testable;
    over all choices of variants, and for each of them.

    \b
    Examples:
      steelyard reproduce atmega128
      steelyard reproduce atmega128 --toolchain clang --json
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.cli.measure import progress, tell_failures
    from steelyard.measure.image import Rules
    from steelyard.measure.selection import match
    from steelyard.measure.session import prepare
    from steelyard.reproduce import atmega128
    from steelyard.store.segments import store_folder

    match("experiment", [experiment], EXPERIMENTS)
    catalog = load_catalog()
    session = prepare(catalog, [atmega128.selection(toolchain)])
    warn(f"{len(session.plan.builds)} images to build, {session.plan.cell_count} cells to measure.")
    with progress(session) as advance:
        result = session.run(store_folder(store), Rules(), jobs, advance)
    defaults = {variant.id for variant in catalog.variants if variant.file.default}
    made = atmega128.reproduce(result.records, defaults)
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
    for choice, by_flags in made.tables.items():
        for table in by_flags.values():
            for figures in table:
                yield {
                    "table": "figure",
                    "choice": choice,
                    **asdict(figures),
                    **{f"{name}_time_us": time for name, time in _times_us(figures).items()},
                    "encrypt_throughput_bits_per_s": figures.throughput("encrypt"),
                    "decrypt_throughput_bits_per_s": figures.throughput("decrypt"),
                }
    for number in made.numbers:
        yield {"table": "number", **asdict(number), "ratio": number.ratio}
    for order in made.orders:
        yield {"table": "order", **asdict(order), "agrees": order.agrees}
    for claim in made.claims:
        named = {"claim": claim.claim, "section": claim.section, "statement": claim.statement}
        yield {"table": "claim", **named, **asdict(claim.verdict)}


def _times_us(figures: Figures) -> dict[str, float]:
    cycles = {
        "init": figures.init_cycles,
        "encrypt": figures.encrypt_cycles,
        "decrypt": figures.decrypt_cycles,
    }
    return {name: 1e6 * count / figures.clock_hz for name, count in cycles.items()}


def _print(made: Reproduction) -> None:
    columns = ("flags", "cipher", "variant", "code B", "data B")
    times = ("init us", "enc us", "dec us", "enc kbit/s", "dec kbit/s", "chosen as")
    print_table((*columns, *times), _figure_lines(made), left=3)
    flags = list(dict.fromkeys(number.flags for number in made.numbers))
    print_table(
        ("published number", "published", "variants", *flags), _number_lines(made.numbers, flags), left=3
    )
    print_table(("order", "of", "settings"), _order_lines(made), left=3)
    print_table(
        ("claim", "verdict", *made.tables, "statement"),
        (
            (
                claim.claim.removeprefix("seed"),
                claim.verdict.finding,
                *(_SHORT[finding] for finding in claim.verdict.by_choice.values()),
                claim.statement,
            )
            for claim in made.claims
        ),
        left=3 + len(made.tables),
    )
    for claim in made.claims:
        print(f"{claim.claim}: {claim.verdict.finding}: {claim.verdict.reason}.")


_SHORT: dict[Finding, str] = {
    "holds": "holds",
    "holds in part": "in part",
    "fails": "fails",
    "not testable": "-",
}


def _figure_lines(made: Reproduction) -> Iterator[tuple[str, ...]]:
    """Each variant chosen in any way, once."""
    chosen_as: dict[Figures, list[str]] = {}
    for choice, by_flags in made.tables.items():
        for table in by_flags.values():
            for figures in table:
                chosen_as.setdefault(figures, []).append(choice)
    ciphers = list(dict.fromkeys(figures.cipher for figures in chosen_as))
    flags = list(dict.fromkeys(figures.flags for figures in chosen_as))
    for figures in sorted(chosen_as, key=lambda f: (flags.index(f.flags), ciphers.index(f.cipher))):
        throughputs = (figures.throughput(name) / 1e3 for name in ("encrypt", "decrypt"))
        yield (
            figures.flags,
            figures.cipher,
            figures.variant,
            f"{figures.code_bytes:,}",
            f"{figures.data_bytes:,}",
            *(f"{time:,.1f}" for time in _times_us(figures).values()),
            *(f"{throughput:,.1f}" for throughput in throughputs),
            ", ".join(chosen_as[figures]),
        )


def _number_lines(numbers: Sequence[Number], flags: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """A line for each quantity and choice of variants, ours at each of the flags with its ratio."""
    ours: dict[tuple[str, str, str], dict[str, str]] = {}
    for number in numbers:
        span = f"{number.low:g}" + (f" to {number.high:g}" if number.high > number.low else "")
        line = ours.setdefault((number.quantity, f"{span} {number.unit}", number.choice), {})
        line[number.flags] = f"{number.ours:.1f} ({number.ratio:.2f})"
    for labels, line in ours.items():
        yield (*labels, *(line.get(name, "") for name in flags))


def _order_lines(made: Reproduction) -> Iterator[tuple[str, ...]]:
    """The published order of each quantity, then ours, each with the settings in which it is found."""
    found: dict[tuple[str, tuple[str, ...]], dict[tuple[tuple[str, ...], bool], dict[str, list[str]]]] = {}
    for order in made.orders:
        by_order = found.setdefault((order.quantity, order.published), {})
        by_order.setdefault((order.ours, order.agrees), {}).setdefault(order.choice, []).append(order.flags)
    for (quantity, published), by_order in found.items():
        yield ", ".join(published), quantity, "published"
        for (ours, agrees), settings in by_order.items():
            where = "; ".join(f"{choice} {' '.join(flags)}" for choice, flags in settings.items())
            yield "  " + ", ".join(ours), "agrees" if agrees else "", where
