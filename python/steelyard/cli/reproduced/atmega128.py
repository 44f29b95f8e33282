"""Five block ciphers on the ATmega128: figures, numbers, orders, claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from steelyard.cli.output import print_json
from steelyard.cli.reproduced.common import claim_rows, order_rows, print_claims, print_orders
from steelyard.present.terminal import print_table

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.record.schema import Record
    from steelyard.reproduce.atmega128 import Figures, Reproduction
    from steelyard.reproduce.comparison import Number, Steps


TARGET = "atmega128"
"""The chip whose compiler is taken where none is named."""


def steps(catalog: Catalog, toolchain: str) -> Steps:
    """What is measured."""
    from steelyard.reproduce import atmega128

    return atmega128.steps(catalog, toolchain)


def show(records: Sequence[Record], catalog: Catalog, *, as_json: bool) -> None:
    """Print the comparison that the records allow."""
    from steelyard.reproduce import atmega128

    made = atmega128.reproduce(records, {variant.id for variant in catalog.variants if variant.file.default})
    if as_json:
        print_json(_rows(made))
    else:
        _print(made)


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
    yield from order_rows(made.orders)
    yield from claim_rows(made.claims)


def _print(made: Reproduction) -> None:
    """The tables."""
    columns = ("flags", "cipher", "variant", "code B", "data B")
    times = ("init us", "enc us", "dec us", "enc kbit/s", "dec kbit/s", "chosen as")
    print_table((*columns, *times), _figure_lines(made), left=3)
    flags = list(dict.fromkeys(number.flags for number in made.numbers))
    print_table(
        ("published number", "published", "variants", *flags), _number_lines(made.numbers, flags), left=3
    )
    print_orders(made.orders)
    print_claims(made.claims, list(made.tables))


def _times_us(figures: Figures) -> dict[str, float]:
    cycles = {
        "init": figures.init_cycles,
        "encrypt": figures.encrypt_cycles,
        "decrypt": figures.decrypt_cycles,
    }
    return {name: 1e6 * count / figures.clock_hz for name, count in cycles.items()}


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
