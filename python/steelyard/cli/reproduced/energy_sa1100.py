"""Block ciphers under memory constraints on the SA-1100: figures, Table 2, orders, claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING

from steelyard.cli.output import print_json
from steelyard.cli.reproduced.common import claim_rows, order_rows, print_claims, print_orders
from steelyard.present.terminal import print_table

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.record.schema import Record
    from steelyard.reproduce.comparison import Steps
    from steelyard.reproduce.sa1100 import Reproduction, Weighed


TARGET = "sa1100"
"""The chip whose compiler is taken where none is named."""


def steps(catalog: Catalog, toolchain: str) -> Steps:
    """What is measured."""
    from steelyard.reproduce import sa1100

    return sa1100.steps(catalog, toolchain)


def show(records: Sequence[Record], catalog: Catalog, *, as_json: bool) -> None:
    """Print the comparison that the records allow."""
    from steelyard.reproduce import sa1100

    made = sa1100.reproduce(records)
    if as_json:
        print_json(_rows(made))
    else:
        _print(made)


def _rows(made: Reproduction) -> Iterator[dict[str, object]]:
    """One object per line of the tables; `table` says of which."""
    from steelyard.reproduce.sa1100 import MEGABYTES, OPERATIONS

    for choice, by_flags in made.tables.items():
        for table in by_flags.values():
            for one in table:
                powers = {
                    f"{operation.replace(' ', '_')}_power_mw": _power_mw(one, operation)
                    for operation in OPERATIONS
                }
                modes = {"mode_cycles": dict(one.mode_cycles)}
                yield {"table": "figure", "choice": choice, **asdict(one), **modes, **powers}
    for one_mode in made.throughputs:
        yield {
            "table": "throughput",
            **asdict(one_mode),
            "cycles": one_mode.cycles,
            "ratio": {name: one_mode.ratio(name) for name in MEGABYTES},
            "published_cycles": {name: one_mode.published_cycles(name) for name in MEGABYTES},
        }
    yield from order_rows(made.orders)
    yield from claim_rows(made.claims)


def _print(made: Reproduction) -> None:
    """The tables."""
    from steelyard.reproduce.sa1100 import MEGABYTES

    figures = ("flags", "cipher", "variant", "text B", "const B", "RAM B", "key cycles", "enc cycles")
    energies = ("dec cycles", "key uJ", "enc uJ", "dec uJ", "enc mW", "chosen as")
    print_table((*figures, *energies), _figure_lines(made), left=3)
    print("Cycles and energy are of a key expansion and of 16 bytes; XTEA's are of two blocks.")
    flags = list(dict.fromkeys(one.flags for one in made.throughputs))
    print_table(("cipher", "mode", "published", "variants", *flags), _throughput_lines(made, flags), left=4)
    units = " and of ".join(MEGABYTES)
    print(f"Throughput in MB/s of 10^6 bytes; in parentheses over the published one in MB of {units} bytes.")
    print_orders(made.orders)
    print_claims(made.claims, list(made.tables))


def _power_mw(one: Weighed, operation: str) -> float | None:
    from steelyard.reproduce.verdict import MissingFigure

    with suppress(MissingFigure):
        return one.power_mw(operation)
    return None


def _figure_lines(made: Reproduction) -> Iterator[tuple[str, ...]]:
    """Each variant chosen in any way, once."""
    chosen_as: dict[Weighed, list[str]] = {}
    for choice, by_flags in made.tables.items():
        for table in by_flags.values():
            for one in table:
                chosen_as.setdefault(one, []).append(choice)
    ciphers = list(dict.fromkeys(one.cipher for one in chosen_as))
    flags = list(dict.fromkeys(one.flags for one in chosen_as))
    for one in sorted(chosen_as, key=lambda f: (flags.index(f.flags), ciphers.index(f.cipher))):
        power_mw = _power_mw(one, "encryption")
        yield (
            one.flags,
            one.cipher,
            one.variant,
            *(f"{size:,}" for size in (one.text_bytes, one.const_bytes, one.ram_bytes)),
            *(f"{count:,.0f}" for count in (one.expand_cycles, one.encrypt_cycles, one.decrypt_cycles)),
            *(
                "" if energy_nj is None else f"{energy_nj / 1e3:,.2f}"
                for energy_nj in (one.expand_nj, one.encrypt_nj, one.decrypt_nj)
            ),
            "" if power_mw is None else f"{power_mw:,.0f}",
            ", ".join(chosen_as[one]) + ("" if one.small_memory else " (breaks the memory rule)"),
        )


def _throughput_lines(made: Reproduction, flags: list[str]) -> Iterator[tuple[str, ...]]:
    """A line for each cipher, mode and choice of variants, ours at each of the flags with its ratios."""
    ours: dict[tuple[str, str, str, str], dict[str, str]] = {}
    for one in made.throughputs:
        labels = (one.cipher, one.mode, f"{one.published_mb_per_s:.3f}", one.choice)
        ratios = ", ".join(f"{one.ratio(megabyte):.2f}" for megabyte in ("10^6", "2^20"))
        ours.setdefault(labels, {})[one.flags] = f"{one.ours_bytes_per_s / 1e6:.3f} ({ratios})"
    for key, line in ours.items():
        yield (*key, *(line.get(name, "") for name in flags))
