"""Tables that only the page shows, which has the sweep of cache sizes as well."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from operator import attrgetter

import polars as pl

from steelyard.present.table import Table
from steelyard.report.tables import origin
from steelyard.studies.energy_sa1100.study import (
    BLOCKS,
    FIVE,
    FORMS,
    MAKES_TABLES,
    MEGABYTES,
    MESSAGE_BYTES,
    RC6,
    RIJNDAEL,
    RUN_TIME,
    SIX,
    WEIGHTS,
    XTEA,
    Reproduction,
    Throughput,
    Weighed,
    weights,
)
from steelyard.study import figures
from steelyard.study.findings import listed, span, verdict_on, verdicts
from steelyard.study.model import Claim, Defaults, Outcome

NAME, SWEEP = "energy-sa1100", "cache-sweep"
COLUMNS = ("instructions", "memory_stall_cycles", "functions")

_AIM = 1.5
_LEAST_SHARE = 0.04


def keep(records: pl.DataFrame, _: Defaults) -> pl.DataFrame:
    """Functions are shown in ECB alone; those of a set-up say what making tables takes."""
    needed = pl.col("mode").eq_missing("ecb") | (
        pl.col("operation").eq("init") & pl.col("functions").str.contains(MAKES_TABLES)
    )
    return records.with_columns(functions=pl.when(needed).then("functions"))


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
        "findings": lambda: _findings(made(), outcome(SWEEP)),
        "reach": lambda: _reach(made()),
        "profile": lambda: _profile(made(), kept(NAME)),
        "weights": lambda: _weights(made()),
        "shares": lambda: _power_shares(made()),
    }


def _findings(made: Reproduction, sweep: Outcome) -> str:
    """The five lines at the head of the page, of cycles, sizes and caches."""
    described = made.sheets["as described"].values()

    def of(figure: Callable[[Weighed], float], name: str) -> str:
        return span((figure(sheet[name]) for sheet in described), ",.0f")

    def of_claim(number: str) -> str:
        return verdict_on(made, f"seed001-{number}")

    twice = span((sheet[RUN_TIME].text_bytes / sheet[RIJNDAEL].text_bytes for sheet in described), ".2f")
    ratios = span((_best(made, name).ratio("10^6") for name in FIVE), ".2f")
    return listed(
        (
            verdicts(made),
            f"RC6 encrypts 16 bytes in {of(attrgetter('encrypt_cycles'), RC6)} cycles, Rijndael in"
            f" {of(attrgetter('encrypt_cycles'), RIJNDAEL)}, XTEA in"
            f" {of(attrgetter('encrypt_cycles'), XTEA)}. That RC6 is the fastest: {of_claim('01')}.",
            f"RC6 expands a key in {of(attrgetter('expand_cycles'), RC6)} cycles, Rijndael in"
            f" {of(attrgetter('expand_cycles'), RIJNDAEL)}, and with tables made at run time, which are"
            f" not counted, in {of(attrgetter('expand_cycles'), RUN_TIME)}. That RC6's is the longest:"
            f" {of_claim('03')}. The latter's text is {twice} of the other Rijndael's, where the"
            f" publication has 2: {of_claim('21')}.",
            f"In ECB our best variants reach {ratios} of the published throughput, in MB of 10^6.",
            "That a table of 256 bytes hardly depends on the cache's size:"
            f" {verdict_on(sweep, 'seed001-26')}; that it is fastest with 1 KB:"
            f" {verdict_on(sweep, 'seed001-28')}.",
        )
    )


def _weights(made: Reproduction) -> Table:
    """Sizes, cycles and energy of the six in each setting."""
    rows = tuple(
        (flags, choice, one.cipher, one.variant, *weights(one))
        for choice, flags, sheet in figures.settings(made.sheets)
        for one in sheet
        if one.cipher in SIX
    )
    return Table("Bytes, cycles and energy", ("Flags", "Variants", "Cipher", "Variant", *WEIGHTS), rows, 4)


def _power_shares(made: Reproduction) -> Table:
    """Power of encryption in both forms and its shares by part, of the variants as described."""
    found = [
        (flags, one)
        for choice, flags, sheet in figures.settings(made.sheets)
        for one in sheet
        if choice == "as described" and one.cipher in SIX and one.encrypt_shares
    ]
    parts = list(dict.fromkeys(part for _, one in found for part, _ in one.encrypt_shares))
    rows = tuple(
        (
            *(flags, one.cipher, one.variant),
            *(f"{one.power_mw('encryption', form):,.0f}" for form in FORMS),
            *(f"{one.share(part):.1%}" for part in parts),
        )
        for flags, one in found
    )
    headings = ("Flags", "Cipher", "Variant", "Measured, mW", "Simulated, mW", *parts)
    return Table("Power and its shares", headings, rows, 3)


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
