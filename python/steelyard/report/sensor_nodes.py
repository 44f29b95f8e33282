"""The AVR columns of a published table of sensor-node measurements beside records of the same work.

Published: `reference/sensor-nodes-2003/`; everything else on the page comes from records.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from steelyard.data import data_root
from steelyard.report.tables import markdown_table, verified_results

TARGETS = ("atmega103", "atmega128")

COMMANDS = (
    "--primitive md5 --length 0 --length 1 --length 3 --length 14 --length 26 --length 62 --length 80",
    "--primitive sha-1 --length 1 --length 3 --length 56 --length 64",
    "--primitive rc5-32-12-8 --primitive idea --operation init",
    "--primitive idea --operation init-decrypt",
    "--primitive rc5-32-12-8 --primitive idea --operation encrypt --operation decrypt --mode ecb --length 16",
    "--primitive rc4-128 --operation init --operation encrypt --length 16",
)
"""Selections that measure every row of the table, as options of `steelyard measure`."""

BUILDS = (("gcc", "-Os"), ("gcc", "-O2"), ("gcc", "-O3"), ("clang", "-Os"), ("clang", "-O2"))
"""Compilers and flags of the columns, in order."""


@dataclass(frozen=True)
class Work:
    """What a row of the published table measured: a primitive's operation on messages of these lengths."""

    primitive: str
    operation: str
    mode: str | None
    lengths_bytes: tuple[int | None, ...]


# The ranges of the published table hold the seven test strings of RFC 1321, appendix A.5.
_MD5_LENGTHS_BYTES = {"0": (0,), "1-26": (1, 3, 14, 26), "62-80": (62, 80)}

_CIPHERS = {
    ("RC5", "Init"): ("rc5-32-12-8", "init", None),
    ("RC5", "Enc"): ("rc5-32-12-8", "encrypt", "ecb"),
    ("RC5", "Dec"): ("rc5-32-12-8", "decrypt", "ecb"),
    ("IDEA", "Init enc"): ("idea", "init", None),
    ("IDEA", "Init dec"): ("idea", "init-decrypt", None),
    ("IDEA", "Enc"): ("idea", "encrypt", "ecb"),
    ("IDEA", "Dec"): ("idea", "decrypt", "ecb"),
    ("RC4", "Init"): ("rc4-128", "init", None),
    ("RC4", "Enc"): ("rc4-128", "encrypt", None),
}


@dataclass(frozen=True)
class Published:
    """A row of the published table; times in microseconds by target."""

    algorithm: str
    text_bytes: str
    action: str
    time_us: dict[str, float]

    @property
    def work(self) -> Work:
        """The same work in the words of the records."""
        if self.algorithm == "MD5":
            return Work("md5", "digest", None, _MD5_LENGTHS_BYTES[self.text_bytes])
        if self.algorithm == "SHA-1":
            return Work("sha-1", "digest", None, (int(self.text_bytes),))
        primitive, operation, mode = _CIPHERS[self.algorithm, self.action]
        length = None if operation.startswith("init") else int(self.text_bytes)
        return Work(primitive, operation, mode, (length,))


def published() -> list[Published]:
    """The published rows, in the order of the table."""
    path = data_root() / "reference" / "sensor-nodes-2003" / "table3-avr-times.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Published(
                row["algorithm"],
                row["text_bytes"],
                row["action"],
                {target: float(row[f"{target}_us"]) for target in TARGETS},
            )
            for row in csv.DictReader(file)
        ]


def rows_of(records: pl.DataFrame, work: Work, target: str, build: tuple[str, str]) -> pl.DataFrame:
    """The verified records of a row's work on a target by a build; LookupError if one is missing."""
    toolchain, flags = build
    wanted_bytes = list(work.lengths_bytes)
    found = verified_results(records).filter(
        pl.col("primitive").eq(work.primitive)
        & pl.col("operation").eq(work.operation)
        & pl.col("mode").eq_missing(pl.lit(work.mode))
        & pl.col("target").eq(target)
        & pl.col("toolchain").eq(toolchain)
        & pl.col("flags").eq(flags)
        & pl.col("message_bytes").is_in(wanted_bytes, nulls_equal=True)
    )
    if found.height != len(wanted_bytes):
        raise LookupError(f"{found.height} records instead of {len(wanted_bytes)} for {work} on {target}")
    return found


def times_table(records: pl.DataFrame, target: str) -> str:
    """Markdown: published time, then by build the measured one and measured / published in parentheses."""
    lines = []
    for row in published():
        theirs_us = row.time_us[target]
        cells = [f"{theirs_us:,.0f}"]
        for build in BUILDS:
            ours_us = rows_of(records, row.work, target, build)["time_us"].mean()
            assert isinstance(ours_us, float)
            cells.append(f"{ours_us:,.0f} ({ours_us / theirs_us:.2f})")
        lines.append((row.algorithm, row.text_bytes, row.action, *cells))
    headings = ("Algorithm", "Bytes", "Action", "Published", *(" ".join(build) for build in BUILDS))
    return markdown_table(headings, lines, left=3)


def multiply_table(records: pl.DataFrame) -> str:
    """Markdown: cycles on the chip without a multiply instruction over those on the chip with one."""
    lines = []
    for row in published():
        lacking, having = (row.time_us[target] * _mhz(records, target) for target in TARGETS)
        cells = [f"{lacking / having:.2f}"]
        for build in BUILDS:
            ours = [rows_of(records, row.work, target, build)["cycles"].mean() for target in TARGETS]
            assert isinstance(ours[0], float)
            assert isinstance(ours[1], float)
            cells.append(f"{ours[0] / ours[1]:.2f}")
        lines.append((row.algorithm, row.text_bytes, row.action, *cells))
    headings = ("Algorithm", "Bytes", "Action", "Published", *(" ".join(build) for build in BUILDS))
    return markdown_table(headings, lines, left=3)


def functions_table(records: pl.DataFrame, target: str, build: tuple[str, str]) -> str:
    """Markdown: for every row of ciphers the functions that take most of its cycles, with their share."""
    lines = []
    for row in published():
        if row.algorithm in ("MD5", "SHA-1"):
            continue
        record = rows_of(records, row.work, target, build).row(0, named=True)
        shares = ", ".join(_shares(record["functions"]))
        lines.append((row.algorithm, row.action, shares, f"{record['cycles']:,.0f}"))
    return markdown_table(("Algorithm", "Action", "Where its cycles go", "Cycles"), lines, left=3)


def mix_table(records: pl.DataFrame, target: str) -> str:
    """Markdown: what the two compilers' code executes at `-Os` in the rows in which they differ most."""
    columns = ("cycles", "instructions", "mix_alu", "mix_shift", "loads", "stores", "branches")
    lines = []
    for row in published():
        if (row.algorithm, row.action) not in (("RC5", "Enc"), ("RC4", "Init")):
            continue
        for build in (("gcc", "-Os"), ("clang", "-Os")):
            record = rows_of(records, row.work, target, build).row(0, named=True)
            counts = (f"{record[name]:,.0f}" for name in columns)
            lines.append((row.algorithm, row.action, " ".join(build), *counts))
    headings = ("Algorithm", "Action", "Build", "Cycles", "Instructions", "ALU", "Shifts", "Loads", "Stores")
    return markdown_table((*headings, "Branches"), lines, left=3)


def _shares(functions: str, *, least: float = 0.05) -> Iterator[str]:
    listed = json.loads(functions)
    total = sum(each["cycles"] for each in listed)
    for each in listed:
        if each["cycles"] >= least * total:
            yield f"`{each['name']}` {each['cycles'] / total:.0%}"


def _mhz(records: pl.DataFrame, target: str) -> float:
    clock_hz = records.filter(pl.col("target") == target)["clock_hz"][0]
    return float(clock_hz) / 1e6


def origin(records: pl.DataFrame) -> str:
    """What made the records: compilers, Steelyard, day."""
    compilers = sorted(
        f"{name} {version}"
        for name, version in records.select("toolchain", "toolchain_version").unique().rows()
    )
    steelyards = sorted(
        f"{version} ({commit})"
        for version, commit in records.select("steelyard_version", "steelyard_commit").unique().rows()
    )
    days = sorted(records["date"].str.slice(0, 10).unique().to_list())
    made_by = f"Compilers: {'; '.join(compilers)}. Steelyard {'; '.join(steelyards)}."
    return f"{made_by} Measured {' to '.join(days)}.\n"
