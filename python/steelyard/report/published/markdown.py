"""The publication on the SA-1100 beside records, as the documentation shows it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

import polars as pl

from steelyard.present.markdown import markdown_table
from steelyard.report.published.cache_sweep import lines_of as sweep_lines
from steelyard.report.published.sa1100 import throughput_lines, weight_lines
from steelyard.reproduce import cache_sweep, sa1100
from steelyard.reproduce.comparison import Claim
from steelyard.reproduce.sa1100 import FIVE, MEGABYTES, Throughput

COMMANDS = ("reproduce energy-sa1100", "reproduce cache-sweep")
"""What measures every row of the page."""

_AIM = 1.5
_LEAST_SHARE = 0.04


def reach_table(records: pl.DataFrame) -> str:
    """Markdown: of each cipher in ECB the published throughput and our best under the memory rule."""
    lines = []
    for name in FIVE:
        one = _best(records, name)
        lines.append(
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
    return markdown_table(headings, lines, left=1)


def profile_table(records: pl.DataFrame) -> str:
    """Markdown: where the cycles of the best of each cipher in ECB go."""
    lines = []
    for name in FIVE:
        one = _best(records, name)
        (record,) = records.filter(
            pl.col("variant").eq(one.variant)
            & pl.col("flags").eq(one.flags)
            & pl.col("mode").eq("ecb")
            & pl.col("message_bytes").eq(sa1100.MESSAGE_BYTES)
        ).iter_rows(named=True)
        executed, waited = (
            record[field] / sa1100.BLOCKS for field in ("instructions", "memory_stall_cycles")
        )
        shares = ", ".join(_shares(record["functions"]))
        lines.append((name, one.variant, shares, f"{one.cycles:,.0f}", f"{executed:,.0f}", f"{waited:,.0f}"))
    headings = (
        "Cipher",
        "Variant",
        "Where its cycles go",
        "Cycles of 16 bytes",
        "Instructions",
        "Waits, cycles",
    )
    return markdown_table(headings, lines, left=3)


def throughput_table(records: pl.DataFrame) -> str:
    """Markdown: Table 2 beside ours."""
    shown = throughput_lines(sa1100.reproduce(records.to_dicts()))
    return markdown_table(shown.headings, shown.rows, left=shown.left)


def weights_table(records: pl.DataFrame) -> str:
    """Markdown: sizes, cycles and energy of the ciphers."""
    shown = weight_lines(sa1100.reproduce(records.to_dicts()))
    return markdown_table(shown.headings, shown.rows, left=shown.left)


def sweep_table(records: pl.DataFrame) -> str:
    """Markdown: cycles by cache size."""
    shown = sweep_lines(cache_sweep.reproduce(records.to_dicts()))
    return markdown_table(shown.headings, shown.rows, left=shown.left)


def claims_table(records: pl.DataFrame) -> str:
    """Markdown: the verdict on every claim and what it rests on."""
    rows = records.to_dicts()
    claims: Iterable[Claim] = (*sa1100.reproduce(rows).claims, *cache_sweep.reproduce(rows).claims)
    lines = [
        (one.claim, one.statement, one.verdict.finding, one.verdict.reason)
        for one in sorted(claims, key=lambda claim: claim.claim)
    ]
    return markdown_table(("Claim", "It says", "Verdict", "Of so many settings"), lines, left=4)


def _best(records: pl.DataFrame, cipher: str) -> Throughput:
    """The highest throughput in ECB of any choice and flags."""
    return max(
        (
            one
            for one in sa1100.reproduce(records.to_dicts()).throughputs
            if (one.cipher, one.mode) == (cipher, "ECB")
        ),
        key=lambda one: one.ours_bytes_per_s,
    )


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
