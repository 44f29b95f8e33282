"""Tables that only the page shows: each platform with each compiler, and why rows are off."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

import polars as pl

from steelyard.catalog.load import load_catalog
from steelyard.present.table import Table
from steelyard.studies.sensor_nodes.claims import ATMEGA103, ATMEGA128, AVRS
from steelyard.studies.sensor_nodes.page.explanations import (
    CAUSES,
    COMPILER,
    NO_EXPLANATIONS,
    ROUNDING,
    SOURCE,
    Explanations,
    Unexplained,
    borne_out,
    read_explanations,
)
from steelyard.studies.sensor_nodes.sheets import (
    DEFAULT,
    HASHES,
    LAST_OF_ONE_BLOCK_BYTES,
    MD5,
    RC4,
    RC5,
    SHA1,
    Row,
    Timed,
    platforms,
    printed_rows,
)
from steelyard.studies.sensor_nodes.study import Reproduction, reproduce
from steelyard.study.model import Outcome
from steelyard.study.verdict import MissingFigure

NAME = "sensor-nodes"
COMMANDS = ("reproduce sensor-nodes", "reproduce sensor-nodes --toolchain clang")
"""What measures every row of the page."""
COLUMNS = ("instructions", "mix_alu", "mix_shift", "loads", "stores", "branches", "functions")

EXPLANATIONS = Path(__file__).with_name("explanations.toml")

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
"""A row that an optimised build misses by more than this factor, up or down, is explained."""

ROUNDED_US = 0.5
"""What a time printed in whole microseconds leaves open to either side."""

_MOST_CYCLES_SHARE = 0.05


class Page:
    """The tables of the page, from records of any compilers; `defaults` are the default variants' names.

    `explanations` are needed for what is off alone.
    """

    def __init__(
        self, records: pl.DataFrame, defaults: Collection[str], explanations: Explanations = NO_EXPLANATIONS
    ) -> None:
        self._records = records
        self._explanations = explanations
        self._made: dict[str, Reproduction] = {
            name: reproduce(records.filter(pl.col("toolchain") == name).to_dicts(), defaults)
            for name in dict.fromkeys(name for name, _ in BUILDS)
        }
        self._gcc = self._made["gcc"]

    def times(self, target: str) -> Table | str:
        """Table 3's column of a target, each build's time and in parentheses its ratio to it."""
        builds = [build for build in BUILDS if self._of(build, target)]
        lines = []
        for row in printed_rows():
            cells = []
            for build in builds:
                one = self._timed(build, target, row)
                cells.append("" if one is None else f"{one.time_us:,.{_digits(one)}f} ({one.ratio:.2f})")
            lines.append((*_named(row), f"{row.printed(target):,.0f}", *cells))
        if not builds:
            return "Not measured yet.\n"
        headings = ("Algorithm", "Bytes", "Action", "Published", *(" ".join(build) for build in builds))
        return Table("", headings, tuple(lines), 3)

    def far_off(self, target: str) -> Table | str:
        """rows of a target that some optimised build misses by more than FAR_OFF, and why.

        Unexplained for a row without a text, and for one whose causes the records do not bear out.
        """
        lines = []
        above = None
        for row in printed_rows():
            optimised = [
                one.ratio
                for build in BUILDS
                if build != _UNOPTIMISED and (one := self._timed(build, target, row)) is not None
            ]
            if all(_is_near(ratio) for ratio in optimised):
                continue
            why = self._explanations.of(target, row.label)
            if not borne_out(why.causes, self._within(target, row)):
                causes = " and ".join(cause for cause in CAUSES if cause in why.causes)
                raise Unexplained(f"{row.label} on {target} is put down to {causes}, but no record says so.")
            text = "as above" if why is above else why.text
            above = why
            plain = self._timed(_UNOPTIMISED, target, row)
            lines.append(
                (
                    *_named(row),
                    _span(optimised),
                    "" if plain is None else f"{plain.ratio:.2f}",
                    self._of_an_instruction(target, row),
                    ", ".join(cause for cause in CAUSES if cause in why.causes),
                    text,
                )
            )
        if not lines:
            return "Every row is within a factor of two.\n"
        headings = ("Algorithm", "Bytes", "Action", "Ours / theirs", "`-O0`", "Cycles / instruction", "Cause")
        return Table("", (*headings, "Why"), tuple(lines), 8)

    def _within(self, target: str, row: Row) -> set[str]:
        """What brings a row within the factor: causes, alone and two together."""
        of_default, of_others, of_all = [], [], []
        for toolchain, made in self._made.items():
            for choice, by_flags in made.sheets.items():
                for flags, table in by_flags.items():
                    one = table.timed.get((target, row.label))
                    if one is None:
                        continue
                    of_all.append(one.ratio)
                    if choice == DEFAULT:
                        of_default.append(one.ratio)
                    elif toolchain == "gcc" and flags != _UNOPTIMISED[1]:
                        of_others.append(one.ratio)
        printed_us = row.printed(target)
        assert printed_us is not None
        rounded = [
            one.time_us / (printed_us + half)
            for build in BUILDS
            if build[0] == "gcc"
            and build != _UNOPTIMISED
            and (one := self._timed(build, target, row)) is not None
            for half in (-ROUNDED_US, ROUNDED_US)
        ]
        found: dict[str, Sequence[float | None]] = {
            COMPILER: of_default,
            SOURCE: of_others,
            f"{COMPILER} and {SOURCE}": of_all,
            ROUNDING: rounded,
        }
        return {cause for cause, ratios in found.items() if any(_is_near(ratio) for ratio in ratios)}

    def _of_an_instruction(self, target: str, row: Row) -> str:
        """Cycles an instruction of ours took, and would take for the printed time, at GCC's `-Os`."""
        one = self._timed(("gcc", "-Os"), target, row)
        if one is None or one.ratio is None:
            return ""
        instructions = [record["instructions"] for record in self._records_of(one)]
        mean = sum(count for count in instructions if isinstance(count, float)) / len(instructions)
        return f"{one.cycles / mean:.2f} → {one.cycles / one.ratio / mean:.2f}"

    def multiply(self) -> Table:
        """cycles on the chip without a multiply instruction over those on the chip with one."""
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
        return Table("", headings, tuple(lines), 3)

    def blocks(self) -> Table:
        """what a block more costs in a hash, and the rest of a message of one block, in cycles."""
        lines = []
        table = self._gcc.usual()
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
        return Table("", headings, tuple(lines), 2)

    def functions(self, target: str, build: tuple[str, str]) -> Table:
        """of every row of ciphers the functions that take most of its cycles, with their share."""
        lines = []
        for row in printed_rows():
            one = self._timed(build, target, row)
            if row.algorithm in HASHES or one is None:
                continue
            functions = self._record(one)["functions"]
            if functions is not None:
                shares = ", ".join(_shares(str(functions)))
                lines.append((row.algorithm, row.action, shares, f"{one.cycles:,.0f}"))
        return Table("", ("Algorithm", "Action", "Where its cycles go", "Cycles"), tuple(lines), 3)

    def mix(self, target: str) -> Table:
        """what two compilers' code executes at `-Os` in the rows in which they differ most."""
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
        return Table("", (*headings, "Branches"), tuple(lines), 3)

    def _of(self, build: tuple[str, str], target: str) -> bool:
        return any(self._timed(build, target, row) is not None for row in printed_rows())

    def _timed(self, build: tuple[str, str], target: str, row: Row) -> Timed | None:
        toolchain, flags = build
        table = self._made[toolchain].sheets[DEFAULT].get(flags)
        return None if table is None else table.timed.get((target, row.label))

    def _record(self, one: Timed) -> dict[str, object]:
        (found,) = self._records_of(one)
        return found

    def _records_of(self, one: Timed) -> list[dict[str, object]]:
        """Those whose mean a row is."""
        listed = []
        for primitive, operation, mode, length in one.row.cells:
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
            listed.append(dict(found))
        return listed


def keep(records: pl.DataFrame, defaults: Collection[str]) -> pl.DataFrame:
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


def blocks(
    kept: Callable[[str], pl.DataFrame], _: Callable[[str], Outcome]
) -> dict[str, Callable[[], Table | str]]:
    """The blocks by name; those of a platform are its times and, with `off`, what is to be explained."""

    @cache
    def page() -> Page:
        known = read_explanations(
            EXPLANATIONS,
            [platform.target for platform in platforms()],
            [row.label for row in printed_rows()],
        )
        return Page(kept(NAME), load_catalog().defaults, known)

    targets = [platform.target for platform in platforms()]
    return {
        **{target: partial(lambda target: page().times(target), target) for target in targets},
        **{f"off {target}": partial(lambda target: page().far_off(target), target) for target in targets},
        "multiply": lambda: page().multiply(),
        "blocks": lambda: page().blocks(),
        "functions": lambda: page().functions(ATMEGA103, ("gcc", "-Os")),
        "mix": lambda: page().mix(ATMEGA128),
    }


def _named(row: Row) -> tuple[str, str, str]:
    return row.algorithm, row.text_bytes, row.action


def _is_near(ratio: float | None) -> bool:
    return ratio is None or 1 / FAR_OFF <= ratio <= FAR_OFF


def _span(ratios: Collection[float | None]) -> str:
    known = [ratio for ratio in ratios if ratio is not None]
    low, high = f"{min(known):.2f}", f"{max(known):.2f}"
    return low if low == high else f"{low} to {high}"


def _digits(one: Timed) -> int:
    return 0 if one.time_us >= 100 else 1


def _shares(functions: str) -> Iterator[str]:
    listed = json.loads(functions)
    total = sum(each["cycles"] for each in listed)
    for each in listed:
        if each["cycles"] >= _MOST_CYCLES_SHARE * total:
            yield f"`{each['name']}` {each['cycles'] / total:.0%}"
