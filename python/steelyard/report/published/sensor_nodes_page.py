"""The publication on sensor nodes beside records, as the documentation shows it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress

import polars as pl

from steelyard.report.published.common import Lines
from steelyard.report.published.pages import NOT_YET, lines_table
from steelyard.report.published.sensor_nodes import (
    code_lines,
    cycle_lines,
    normalised_lines,
    public_key_lines,
    span_lines,
    spread_lines,
    usual,
)
from steelyard.report.tables import markdown_table
from steelyard.reproduce import sensor_nodes
from steelyard.reproduce.sensor_node_claims import ATMEGA103, ATMEGA128, AVRS
from steelyard.reproduce.sensor_nodes import (
    DEFAULT,
    HASHES,
    IDEA,
    LAST_OF_ONE_BLOCK_BYTES,
    MD5,
    RC4,
    RC5,
    SHA1,
    Platform,
    Reproduction,
    Row,
    Table,
    Timed,
    platforms,
    printed_rows,
)
from steelyard.reproduce.verdict import MissingFigure

COMMANDS = ("reproduce sensor-nodes", "reproduce sensor-nodes --toolchain clang")
"""What measures every row of the page."""

BUILDS = (
    ("gcc", "-O0"),
    ("gcc", "-Os"),
    ("gcc", "-O2"),
    ("gcc", "-O3"),
    ("clang", "-Os"),
    ("clang", "-O2"),
)
"""Compilers and flags of the columns, in order."""

_UNOPTIMISED = BUILDS[0]

FAR_OFF = 2.0
"""From this factor on, up or down, a row is explained."""

EXPLAINED: dict[tuple[str, str], str] = {
    **{(name, "Digest"): "Hashes" for name in HASHES},
    (RC5, "Init"): "Set-up of RC5 and RC4",
    (RC4, "Init"): "Set-up of RC5 and RC4",
    (RC5, "Enc"): "RC5",
    (RC5, "Dec"): "RC5",
    (IDEA, "Init enc"): "Set-up of IDEA",
    (IDEA, "Init dec"): "Set-up of IDEA",
    (IDEA, "Enc"): "IDEA",
    (IDEA, "Dec"): "IDEA",
    (RC4, "Enc"): "RC4",
}
"""By algorithm and action the heading of the page under which it says why a row is far off."""

_MOST_CYCLES_SHARE = 0.05


_Shown = Callable[[Table], Lines]


class Page:
    """The tables of the page, from records of any compilers; `defaults` are the default variants' names."""

    def __init__(self, records: pl.DataFrame, defaults: Collection[str]) -> None:
        self._records = records
        self._made: dict[str, Reproduction] = {
            name: sensor_nodes.reproduce(records.filter(pl.col("toolchain") == name).to_dicts(), defaults)
            for name in dict.fromkeys(name for name, _ in BUILDS)
        }
        self._gcc = self._made["gcc"]

    def times(self, target: str) -> str:
        """Markdown: Table 3's column of a target, each build's time and in parentheses its ratio to it."""
        builds = [build for build in BUILDS if self._of(build, target)]
        lines = []
        for row in printed_rows():
            cells = []
            for build in builds:
                one = self._timed(build, target, row)
                cells.append("" if one is None else f"{one.time_us:,.{_digits(one)}f} ({one.ratio:.2f})")
            lines.append((*_named(row), f"{row.printed(target):,.0f}", *cells))
        if not builds:
            return NOT_YET
        headings = ("Algorithm", "Bytes", "Action", "Published", *(" ".join(build) for build in builds))
        return markdown_table(headings, lines, left=3)

    def spans(self) -> str:
        """Markdown: ratios over all flags and variants of GCC."""
        return lines_table(span_lines(self._gcc))

    def far_off(self) -> str:
        """Markdown: rows that no optimisation of GCC brings within FAR_OFF, and where the page says why."""
        lines = []
        for row in printed_rows():
            far = []
            for platform in platforms():
                optimised, plain = self._closest(platform, row), self._ratio(_UNOPTIMISED, platform, row)
                if optimised is not None and not 1 / FAR_OFF <= optimised <= FAR_OFF:
                    without = "" if plain is None else f" ({plain:.2f})"
                    far.append(f"{platform.target} {optimised:.2f}{without}")
            if far:
                heading = EXPLAINED[row.algorithm, row.action]
                link = f"[{heading}](#{heading.lower().replace(' ', '-')})"
                lines.append((*_named(row), ", ".join(far), link))
        headings = ("Algorithm", "Bytes", "Action", "Closest with optimisation (without)", "Why")
        return markdown_table(headings, lines, left=5)

    def cycles(self) -> str:
        """Markdown: Figure 2."""
        return self._usual(cycle_lines)

    def normalised(self) -> str:
        """Markdown: Figure 3."""
        return self._usual(normalised_lines)

    def code(self) -> str:
        """Markdown: Figure 4."""
        return self._usual(code_lines)

    def spread(self) -> str:
        """Markdown: deviations over random inputs."""
        return self._usual(spread_lines)

    def public_key(self) -> str:
        """Markdown: encryption with a public key."""
        return self._usual(public_key_lines)

    def claims(self) -> str:
        """Markdown: the verdict on every claim, what it rests on, and what Table 3 itself says."""
        lines = [
            (
                one.claim,
                one.statement,
                one.verdict.finding,
                self._gcc.printed[one.claim],
                one.verdict.reason,
            )
            for one in self._gcc.claims
        ]
        headings = ("Claim", "It says", "Verdict", "In its own Table 3", "Of so many settings")
        return markdown_table(headings, lines, left=5)

    def multiply(self) -> str:
        """Markdown: cycles on the chip without a multiply instruction over those on the chip with one."""
        lines = []
        for row in printed_rows():
            times = [row.printed(target) for target in AVRS]
            mhz = {platform.target: platform.clock_mhz for platform in platforms()}
            lacking, having = (
                time_us * mhz[target]
                for time_us, target in zip(times, AVRS, strict=True)
                if time_us is not None
            )
            cells = [f"{lacking / having:.2f}"]
            for build in BUILDS:
                ours = [self._timed(build, target, row) for target in (ATMEGA103, ATMEGA128)]
                without, with_one = (one.cycles if one is not None else float("nan") for one in ours)
                cells.append(f"{without / with_one:.2f}")
            lines.append((*_named(row), *cells))
        headings = ("Algorithm", "Bytes", "Action", "Published", *(" ".join(build) for build in BUILDS))
        return markdown_table(headings, lines, left=3)

    def blocks(self) -> str:
        """Markdown: what a block more costs in a hash, and the rest of a message of one block, in cycles."""
        lines = []
        table = usual(self._gcc)
        assert table is not None
        for platform in platforms():
            for name, one_label, two_label in (
                (MD5, "MD5 Digest 0", "MD5 Digest 62-80"),
                (SHA1, "SHA-1 Digest 1", "SHA-1 Digest 64"),
            ):
                printed = {row.label: row.printed(platform.target) for row in printed_rows()}
                one, two = printed[one_label], printed[two_label]
                assert one is not None and two is not None
                theirs = (two - one) * platform.clock_mhz, (2 * one - two) * platform.clock_mhz
                with suppress(MissingFigure):
                    of_one = table.digest(platform.target, name, LAST_OF_ONE_BLOCK_BYTES)
                    a_block = table.digest(platform.target, name, 120) / 2 - of_one / 2
                    ours = a_block, of_one - a_block
                    cells = (f"{theirs[0]:,.0f}", f"{ours[0]:,.0f}", f"{theirs[1]:,.0f}", f"{ours[1]:,.0f}")
                    lines.append((name, platform.target, *cells))
        headings = ("Algorithm", "Target", "Block, published", "Block, ours", "Rest, published", "Rest, ours")
        return markdown_table(headings, lines, left=2)

    def functions(self, target: str, build: tuple[str, str]) -> str:
        """Markdown: of every row of ciphers the functions that take most of its cycles, with their share."""
        lines = []
        for row in printed_rows():
            one = self._timed(build, target, row)
            if row.algorithm in HASHES or one is None:
                continue
            functions = self._record(one)["functions"]
            if functions is not None:
                shares = ", ".join(_shares(str(functions)))
                lines.append((row.algorithm, row.action, shares, f"{one.cycles:,.0f}"))
        return markdown_table(("Algorithm", "Action", "Where its cycles go", "Cycles"), lines, left=3)

    def mix(self, target: str) -> str:
        """Markdown: what two compilers' code executes at `-Os` in the rows in which they differ most."""
        columns = ("cycles", "instructions", "mix_alu", "mix_shift", "loads", "stores", "branches")
        lines = []
        for row in printed_rows():
            if (row.algorithm, row.action) not in ((RC5, "Enc"), (RC4, "Init")):
                continue
            for build in (("gcc", "-Os"), ("clang", "-Os")):
                one = self._timed(build, target, row)
                if one is not None:
                    record = self._record(one)
                    counts = (f"{record[name]:,.0f}" for name in columns)
                    lines.append((row.algorithm, row.action, " ".join(build), *counts))
        headings = (
            "Algorithm",
            "Action",
            "Build",
            "Cycles",
            "Instructions",
            "ALU",
            "Shifts",
            "Loads",
            "Stores",
        )
        return markdown_table((*headings, "Branches"), lines, left=3)

    def _usual(self, lines: _Shown) -> str:
        table = usual(self._gcc)
        assert table is not None
        return lines_table(lines(table))

    def _of(self, build: tuple[str, str], target: str) -> bool:
        return any(self._timed(build, target, row) is not None for row in printed_rows())

    def _timed(self, build: tuple[str, str], target: str, row: Row) -> Timed | None:
        toolchain, flags = build
        table = self._made[toolchain].tables[DEFAULT].get(flags)
        return None if table is None else table.timed.get((target, row.label))

    def _ratio(self, build: tuple[str, str], platform: Platform, row: Row) -> float | None:
        one = self._timed(build, platform.target, row)
        return None if one is None else one.ratio

    def _closest(self, platform: Platform, row: Row) -> float | None:
        """The ratio nearest to one of any optimisation by GCC."""
        found = (
            self._ratio(build, platform, row)
            for build in BUILDS
            if build[0] == "gcc" and build != _UNOPTIMISED
        )
        ratios = [ratio for ratio in found if ratio is not None]
        return min(ratios, key=lambda ratio: max(ratio, 1 / ratio), default=None)

    def _record(self, one: Timed) -> dict[str, object]:
        ((primitive, operation, mode, length),) = one.row.cells
        (found,) = self._records.filter(
            pl.col("primitive").eq(primitive)
            & pl.col("variant").eq(one.variant)
            & pl.col("operation").eq(operation)
            & pl.col("mode").eq_missing(pl.lit(mode))
            & pl.col("message_bytes").eq_missing(pl.lit(length))
            & pl.col("target").eq(one.platform.target)
            & pl.col("toolchain").eq(one.toolchain)
            & pl.col("flags").eq(one.flags)
        ).iter_rows(named=True)
        return dict(found)


def kept(records: pl.DataFrame, defaults: Collection[str]) -> pl.DataFrame:
    """The records that the page needs: of GCC all, of others the default variants' rows in BUILDS."""
    of_others = pl.col("variant").is_in(list(defaults)) & pl.concat_str(
        "toolchain", "flags", separator=" "
    ).is_in([" ".join(build) for build in BUILDS])
    lengths = [length for row in printed_rows() for *_, length in row.cells if length is not None]
    of_rows = pl.col("message_bytes").is_null() | pl.col("message_bytes").is_in(lengths)
    taken = records.filter(pl.col("toolchain").eq("gcc") | (of_others & of_rows))
    shown = (
        pl.col("target").eq(ATMEGA103)
        & pl.col("flags").eq("-Os")
        & pl.col("toolchain").eq("gcc")
        & pl.col("kind").is_in(["block", "stream"])
        & pl.col("variant").is_in(list(defaults))
    )
    return taken.with_columns(functions=pl.when(shown).then("functions").otherwise(None))


def _named(row: Row) -> tuple[str, str, str]:
    return row.algorithm, row.text_bytes, row.action


def _digits(one: Timed) -> int:
    return 0 if one.time_us >= 100 else 1


def _shares(functions: str) -> Iterator[str]:
    listed = json.loads(functions)
    total = sum(each["cycles"] for each in listed)
    for each in listed:
        if each["cycles"] >= _MOST_CYCLES_SHARE * total:
            yield f"`{each['name']}` {each['cycles'] / total:.0%}"
