"""Tables that only the page shows: each platform with each compiler, and why rows are off."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from statistics import median

import polars as pl

from steelyard.catalog.load import load_catalog
from steelyard.present.table import Table
from steelyard.studies.sensor_nodes.claims import ATMEGA103, ATMEGA128, AVRS, CACHED
from steelyard.studies.sensor_nodes.page.explanations import (
    CAUSES,
    COMPILER,
    LEVEL,
    NO_EXPLANATIONS,
    ROUNDING,
    SOURCE,
    Explanation,
    Explanations,
    Unexplained,
    borne_out,
    filled,
    read_explanations,
)
from steelyard.studies.sensor_nodes.sheets import (
    COLD,
    DEFAULT,
    HASHES,
    LAST_OF_ONE_BLOCK_BYTES,
    MD5,
    OUTSIDE,
    RC4,
    RC5,
    SHA1,
    Row,
    Timed,
    platforms,
    printed_rows,
)
from steelyard.studies.sensor_nodes.study import Reproduction, reproduce
from steelyard.study.findings import listed, span, verdict_on, verdicts
from steelyard.study.model import Defaults, Outcome
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
_OPTIMISED = "optimised"
"""All other levels, in a text."""

FAR_OFF = 2.0
"""A row that an optimised build misses by more than this factor, up or down, is explained."""

ROUNDED_US = 0.5
"""What a time printed in whole microseconds leaves open to either side."""

_MOST_CYCLES_SHARE = 0.05

_USUAL = pl.col("settings").is_null() & pl.col("cache_state").ne_missing(COLD)
"""Records of chips as they are, with warm caches."""


class Page:
    """The tables of the page, from records of any compilers; `defaults` are the default variants.

    `explanations` are needed for what is off alone.
    """

    def __init__(
        self, records: pl.DataFrame, defaults: Defaults, explanations: Explanations = NO_EXPLANATIONS
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
            text = "as above" if why is above else self._filled(target, why)
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

    def _filled(self, target: str, why: Explanation) -> str:
        """The text with its figures; Unexplained for one that no record has."""

        def span(toolchain: str, choice: str, flags: str) -> str:
            ratios = [
                one.ratio
                for row in printed_rows()
                if row.label in why.rows
                for *build, one in self._every(target, row)
                if build[:2] == [toolchain, choice]
                and (build[2] == flags or (flags == _OPTIMISED and build[2] != _UNOPTIMISED[1]))
            ]
            if not ratios:
                raise Unexplained(f"{why.rows[0]} on {target} names {toolchain} {choice} {flags}: no record.")
            return _span(ratios)

        return filled(why.text, span)

    def _within(self, target: str, row: Row) -> set[str]:
        """What brings a row within the factor: causes, alone and two together."""
        of_default, of_others, of_all, unoptimised = [], [], [], []
        for toolchain, choice, flags, one in self._every(target, row):
            if flags == _UNOPTIMISED[1]:
                unoptimised.append(one.ratio)
                continue
            of_all.append(one.ratio)
            if choice == DEFAULT:
                of_default.append(one.ratio)
            elif toolchain == "gcc":
                of_others.append(one.ratio)
        printed_us = row.printed(target)
        assert printed_us is not None
        near = {
            COMPILER: any(map(_is_near, of_default)),
            SOURCE: any(map(_is_near, of_others)),
            f"{COMPILER} and {SOURCE}": any(map(_is_near, of_all)),
            LEVEL: any(map(_is_near, unoptimised)),
            ROUNDING: all(
                any(_is_near(one.time_us / (printed_us + half)) for half in (-ROUNDED_US, ROUNDED_US))
                for toolchain, choice, flags, one in self._every(target, row)
                if (toolchain, choice) == ("gcc", DEFAULT) and flags != _UNOPTIMISED[1]
            ),
        }
        return {cause for cause, is_near in near.items() if is_near}

    def _every(self, target: str, row: Row) -> Iterator[tuple[str, str, str, Timed]]:
        """Compiler, choice of variants, flags and figure of every build of a row."""
        for toolchain, made in self._made.items():
            for choice, by_flags in made.sheets.items():
                for flags, table in by_flags.items():
                    one = table.timed.get((target, row.label))
                    if one is not None:
                        yield toolchain, choice, flags, one

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

    def findings(self) -> str:
        """The five lines at the head of the page."""

        def of_claim(number: str) -> str:
            return verdict_on(self._gcc, f"seed000-{number}")

        def ratios(flags: str) -> list[float]:
            timed = self._gcc.sheets[DEFAULT][flags].timed.values()
            return [one.ratio for one in timed if one.ratio is not None]

        def near(flags: str) -> str:
            found = ratios(flags)
            return f"{sum(map(_is_near, found)) / len(found):.0%} at `{flags}`"

        usual = self._gcc.usual()
        assert usual is not None
        cold = [
            usual.under(COLD, target, row.label).cycles / usual.cycles(target, row.label)
            for target in CACHED
            for row in printed_rows()
        ]
        outside = [
            usual.under(OUTSIDE, ATMEGA103, row.label).cycles / usual.cycles(ATMEGA103, row.label)
            for row in printed_rows()
        ]
        flags = usual.flags
        rc4, rc5 = (usual.cycles(ATMEGA103, f"{name} Enc 16") for name in (RC4, RC5))
        return listed(
            (
                verdicts(self._gcc),
                f"Default variants at `{flags}` take {median(ratios(flags)):.2f} of the published time in the"
                f" median. Within a factor of two are {near(flags)} and {near(_UNOPTIMISED[1])}.",
                f"RC4 encrypts 16 bytes on the ATmega103 in {rc4:,.0f} cycles and RC5 in {rc5:,.0f}. That RC4"
                f" is the faster one: {of_claim('03')}.",
                f"A row takes {span(cold, '.2f')} times as long with cold caches, in the median"
                f" {median(cold):.2f}. That caches hardly matter: {of_claim('02')}.",
                "That one image takes equal cycles on both ATmegas where it does not multiply:"
                f" {of_claim('10')}. State in the external memory of the ATmega103 makes a row"
                f" {span(outside, '.2f')} times as long.",
            )
        )

    def external(self) -> Table:
        """Times with state in the board's RAM over those with the chip's, and the ratios to theirs."""
        lines = []
        builds = [build for build in BUILDS if build[0] == "gcc"]
        for row in printed_rows():
            cells = []
            for _, flags in builds:
                table = self._gcc.sheets[DEFAULT][flags]
                inside = table[ATMEGA103, row.label]
                outside = table.under(OUTSIDE, ATMEGA103, row.label)
                cells.append(f"{outside.cycles / inside.cycles:.2f} ({outside.ratio:.2f})")
            lines.append((*_named(row), *cells))
        headings = ("Algorithm", "Bytes", "Action", *(" ".join(build) for build in builds))
        return Table("", headings, tuple(lines), 3)

    def cold(self) -> Table:
        """What cold caches cost: of each row the least and the most, over optimised builds and variants."""
        lines = []
        for row in printed_rows():
            cells = []
            for target in CACHED:
                ratios = [
                    table.under(COLD, target, row.label).cycles / table.cycles(target, row.label)
                    for by_flags in self._gcc.sheets.values()
                    for flags, table in by_flags.items()
                    if flags != _UNOPTIMISED[1]
                ]
                cells.append(_span(ratios))
            lines.append((*_named(row), *cells))
        return Table("", ("Algorithm", "Bytes", "Action", *CACHED), tuple(lines), 3)

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
                & _USUAL
            ).iter_rows(named=True)
            listed.append(dict(found))
        return listed


def keep(records: pl.DataFrame, defaults: Defaults) -> pl.DataFrame:
    """The records that the page needs: of GCC all, of others the default variants' rows in BUILDS."""
    places = records.select("variant", "target").iter_rows()
    is_default = pl.Series([place in defaults for place in places], dtype=pl.Boolean)
    records = records.with_columns(is_default=is_default)
    of_others = pl.col("is_default") & pl.concat_str("toolchain", "flags", separator=" ").is_in(
        [" ".join(build) for build in BUILDS]
    )
    lengths = [length for row in printed_rows() for *_, length in row.cells if length is not None]
    of_rows = pl.col("message_bytes").is_null() | pl.col("message_bytes").is_in(lengths)
    taken = records.filter(pl.col("toolchain").eq("gcc") | (of_others & of_rows & _USUAL))
    shown = (
        _USUAL
        & pl.col("target").eq(ATMEGA103)
        & pl.col("flags").eq("-Os")
        & pl.col("toolchain").eq("gcc")
        & pl.col("kind").is_in(["block", "stream"])
        & pl.col("is_default")
    )
    return taken.with_columns(functions=pl.when(shown).then("functions").otherwise(None)).drop("is_default")


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
        "findings": lambda: page().findings(),
        "external": lambda: page().external(),
        "cold": lambda: page().cold(),
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
