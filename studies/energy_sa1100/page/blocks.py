"""Tables that only the page shows, which has the sweep of cache sizes as well."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator

import polars as pl

from steelyard.present.table import Table
from steelyard.report.tables import origin
from steelyard.studies.energy_sa1100.study import (
    BLOCKS,
    FIVE,
    MEGABYTES,
    MESSAGE_BYTES,
    SIX,
    WEIGHTS,
    Reproduction,
    Throughput,
    weights,
)
from steelyard.study import figures
from steelyard.study.model import Claim, Outcome

NAME, SWEEP = "energy-sa1100", "cache-sweep"
COLUMNS = ("instructions", "memory_stall_cycles", "functions")

_AIM = 1.5
_LEAST_SHARE = 0.04


def keep(records: pl.DataFrame, _: Collection[str]) -> pl.DataFrame:
    """Functions are shown in ECB alone."""
    return records.with_columns(functions=pl.when(pl.col("mode").eq_missing("ecb")).then("functions"))


def blocks(
    kept: Callable[[str], pl.DataFrame], outcome: Callable[[str], Outcome]
) -> dict[str, Callable[[], Table | tuple[Claim, ...] | str]]:
    """The blocks by name; the page's claims are those of both studies."""

    def made() -> Reproduction:
        found = outcome(NAME)
        assert isinstance(found, Reproduction)
        return found

    return {
        "origin": lambda: origin(pl.concat([kept(NAME), kept(SWEEP)])),
        "claims": lambda: tuple(
            sorted((*outcome(NAME).claims, *outcome(SWEEP).claims), key=lambda claim: claim.claim)
        ),
        "reach": lambda: _reach(made()),
        "profile": lambda: _profile(made(), kept(NAME)),
        "weights": lambda: _weights(made()),
    }


def _weights(made: Reproduction) -> Table:
    """Sizes, cycles and energy of the six in each setting."""
    rows = tuple(
        (flags, choice, one.cipher, one.variant, *weights(one))
        for choice, flags, sheet in figures.settings(made.sheets)
        for one in sheet
        if one.cipher in SIX
    )
    return Table("Bytes, cycles and energy", ("Flags", "Variants", "Cipher", "Variant", *WEIGHTS), rows, 4)


def _reach(made: Reproduction) -> Table:
    """The published throughput in ECB of each cipher and our best under the memory rule."""
    rows = []
    for name in FIVE:
        one = _best(made, name)
        rows.append(
            (
                name,
                f"{one.published_mb_per_s:.3f}",
                f"{one.ours_bytes_per_s / 1e6:.3f}",
                *(f"{one.ratio(megabyte):.2f}" for megabyte in MEGABYTES),
                f"`{one.variant}` {one.flags}",
                _reached(one),
            )
        )
    ratios = (f"Ratio, MB of {megabyte}" for megabyte in MEGABYTES)
    headings = ("Cipher", "Published, MB/s", "Ours, 10^6 bytes/s", *ratios, "Variant", f"{_AIM:g} times")
    return Table("Reach", headings, tuple(rows), 1)


def _profile(made: Reproduction, records: pl.DataFrame) -> Table:
    """Where the cycles of the best of each cipher in ECB go."""
    rows = []
    for name in FIVE:
        one = _best(made, name)
        (record,) = records.filter(
            pl.col("variant").eq(one.variant)
            & pl.col("flags").eq(one.flags)
            & pl.col("mode").eq("ecb")
            & pl.col("message_bytes").eq(MESSAGE_BYTES)
        ).iter_rows(named=True)
        executed, waited = (record[field] / BLOCKS for field in ("instructions", "memory_stall_cycles"))
        shares = ", ".join(_shares(record["functions"]))
        rows.append((name, one.variant, shares, f"{one.cycles:,.0f}", f"{executed:,.0f}", f"{waited:,.0f}"))
    headings = (
        *("Cipher", "Variant", "Where its cycles go"),
        *("Cycles of 16 bytes", "Instructions", "Waits, cycles"),
    )
    return Table("Profile", headings, tuple(rows), 3)


def _best(made: Reproduction, cipher: str) -> Throughput:
    """The highest throughput in ECB of any choice and flags."""
    of_cipher = (one for one in made.throughputs if (one.cipher, one.mode) == (cipher, "ECB"))
    return max(of_cipher, key=lambda one: one.ours_bytes_per_s)


def _reached(one: Throughput) -> str:
    ratios = [one.ratio(megabyte) for megabyte in MEGABYTES]
    if min(ratios) >= _AIM:
        return "yes"
    return "in MB of 10^6" if max(ratios) >= _AIM else "no"


def _shares(functions: str) -> Iterator[str]:
    listed = json.loads(functions)
    total = sum(each["cycles"] for each in listed)
    for each in listed:
        if each["cycles"] >= _LEAST_SHARE * total:
            yield f"`{each['name']}` {each['cycles'] / total:.0%}"
