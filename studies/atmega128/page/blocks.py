"""The findings at the head of the page."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from steelyard.present.table import Table
from steelyard.studies.atmega128.study import (
    AES,
    ASSEMBLY,
    CAST5,
    MARS,
    SERPENT,
    Reproduction,
)
from steelyard.study import figures
from steelyard.study.findings import listed, span, verdict_on, verdicts
from steelyard.study.model import Outcome

NAME = "atmega128"


def blocks(
    kept: Callable[[str], pl.DataFrame], outcome: Callable[[str], Outcome]
) -> dict[str, Callable[[], Table | str]]:
    """The blocks by name."""

    def made() -> Reproduction:
        found = outcome(NAME)
        assert isinstance(found, Reproduction)
        return found

    return {
        "findings": lambda: _findings(made()),
        "assembly": lambda: _assembly(made()),
        "serpent": lambda: _serpent(kept(NAME)),
        "mars": lambda: _mars(kept(NAME)),
    }


def _findings(made: Reproduction) -> str:
    def of_claim(number: str) -> str:
        return verdict_on(made, f"seed002-{number}")

    fastest = made.sheets["fastest"].values()
    every = [sheet for _, _, sheet in figures.settings(made.sheets)]

    def throughputs(name: str) -> str:
        return span((sheet[name].throughput("encrypt") / 1e3 for sheet in fastest), ",.0f")

    ratios = [number for number in made.numbers if number.quantity.startswith("AES throughput / Serpent")]
    mars = [sheet[MARS].code_bytes / 1024 for sheet in every]
    in_assembly, in_c = (
        span((sheet[name].encrypt_cycles for sheet in fastest), ",.0f") for name in (ASSEMBLY, AES)
    )
    return listed(
        (
            verdicts(made),
            f"The fastest AES encrypts {throughputs(AES)} kbit/s and the fastest CAST-128"
            f" {throughputs(CAST5)}, by the compiler's flags. That AES outperforms CAST-128 per bit:"
            f" {of_claim('10')}.",
            f"{SERPENT} is {span((one.ours for one in ratios), '.1f')} times slower than AES, where the"
            f" publication has 30 to 40: {of_claim('15')}.",
            f"{MARS} takes {span(mars, '.1f')} KB of code, where the publication has 31: {of_claim('01')}.",
            f"The fastest AES takes {in_assembly} cycles a block in assembly and {in_c} in C. That assembly"
            f" makes no substantial difference: {of_claim('17')}.",
        )
    )


def _assembly(made: Reproduction) -> Table:
    """C and assembly that were chosen for the same end."""
    rows = []
    for choice in ("fastest", "smallest"):
        for flags, sheet in made.sheets[choice].items():
            c, assembly = sheet[AES], sheet[ASSEMBLY]
            rows.append(
                (
                    *(choice, flags, c.variant, assembly.variant),
                    *(
                        f"{ours:,.0f} / {other:,.0f} ({ours / other:.2f})"
                        for ours, other in (
                            (c.encrypt_cycles, assembly.encrypt_cycles),
                            (c.decrypt_cycles, assembly.decrypt_cycles),
                            (c.code_bytes, assembly.code_bytes),
                        )
                    ),
                )
            )
    headings = ("Chosen as", "Flags", "In C", "In assembly", "Encryption, cycles", "Decryption, cycles")
    return Table("C / assembly", (*headings, "Code, bytes"), tuple(rows), 4)


_LEVELS = ("-O0", "-Os", "-O2", "-O3")


def _of(records: pl.DataFrame, primitive: str, operation: str, field: str) -> dict[tuple[str, str], float]:
    """A field of the verified records of one block, by variant in C and flags."""
    listed = records.filter(
        pl.col("primitive").eq(primitive)
        & pl.col("operation").eq(operation)
        & pl.col("status").eq("ok")
        & ~pl.col("variant").str.ends_with("-asm")
    )
    return {
        (str(variant), str(flags)): float(value)
        for variant, flags, value in listed.select("variant", "flags", field).iter_rows()
    }


def _serpent(records: pl.DataFrame) -> Table:
    """Time of every Serpent over that of the fastest AES of the same flags."""
    rows = []
    for operation in ("encrypt", "decrypt"):
        aes, serpent = (_of(records, name, operation, "cycles") for name in ("aes-128", "serpent-128"))
        fastest = {
            level: min(count for (_, flags), count in aes.items() if flags == level) for level in _LEVELS
        }
        for variant in sorted({variant for variant, _ in serpent}):
            cells = (f"{serpent[variant, level] / fastest[level]:.1f}" for level in _LEVELS)
            rows.append((operation, variant, *cells))
    return Table("Serpent over AES", ("Operation", "Variant", *_LEVELS), tuple(rows), 2)


def _mars(records: pl.DataFrame) -> Table:
    """Code and constants of every MARS, in KB, and the data memory of its encryption."""
    code, data = (_of(records, "mars-128", "encrypt", field) for field in ("rom_bytes", "ram_bytes"))
    rows = tuple(
        (variant, *(f"{code[variant, one] / 1024:.1f} / {data[variant, one]:,.0f}" for one in _LEVELS))
        for variant in sorted({variant for variant, _ in code})
    )
    return Table("KB of code / bytes of data", ("Variant", *_LEVELS), rows, 1)
