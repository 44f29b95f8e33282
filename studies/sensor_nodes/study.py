"""Five primitives on the processors of sensor nodes, as published in 2003.

The publication and its tables are described in the README beside. What its text says decides what is
compared:

* One C source for all platforms, unmodified (section 4.1): a choice of variants is the same on every chip.
* Set-up, encryption and decryption apart, each executed a thousand times with the same input, and averaged
  (section 4.1). A call takes as long as its input, the caches and the branch prediction make it. So without
  these all runs are equal, and one is the mean of a thousand. With caches they are equal as soon as a run
  leaves all as it found it, here after one run; branch prediction takes one more, for at most a few cycles.
  The warm record, measured after the same call once, stands for the thousand; the tests run them.
* Ciphers encrypt 16 bytes. What MD5 prints as "1-26" and "62-80" are the lengths of RFC 1321, appendix A.5.
* Rounds of RC5 are not stated: twelve. Flags are not stated but for the M16C: every claim is asked at each of
  the usual ones, and without optimisation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

import polars as pl

from steelyard.catalog.load import Catalog
from steelyard.measure.plan import ALL_FLAGS, can_be_cold
from steelyard.measure.selection import Selection
from steelyard.present.chart import Chart, nominal, plot, quantitative, tooltip
from steelyard.present.table import Table
from steelyard.record.schema import Record
from steelyard.studies.sensor_nodes.claims import SPARC, XSCALE_200, judged, normalised
from steelyard.studies.sensor_nodes.sheets import (
    CHANGED_CHIPS,
    COMPACT,
    DEFAULT,
    FAST,
    FIVE,
    FLAGS,
    HASH_LENGTHS_BYTES,
    HASHES,
    IDEA,
    LONG_LENGTHS_BYTES,
    LONG_SAMPLES,
    MD5,
    PRIMITIVES,
    PUBLIC_KEY,
    PUBLIC_KEY_SAMPLES,
    RC4,
    RC5,
    SHA1,
    TEXT_BYTES,
    Platform,
    Row,
    Sheet,
    Tables,
    Timed,
    optimised,
    platforms,
    printed_rows,
    rows,
    sheets_of,
)
from steelyard.study.measure import in_steps
from steelyard.study.model import Defaults, Outcome, Step, Steps, Study
from steelyard.study.model import Row as JsonRow
from steelyard.study.verdict import MissingFigure

_USUAL_FLAGS = "-O2"
_STEP_PX = 18

# What is measured


def steps(catalog: Catalog, toolchain: str) -> Steps:
    """What is measured, platform by platform; one whose compiler is missing is left out."""
    made: list[Callable[[Sequence[Record]], Step]] = []
    for platform in platforms():
        target = catalog.target(platform.target)
        if toolchain not in target.file.toolchain:
            continue
        made.append(_step(_selections(platform.target, toolchain)))
        if can_be_cold(target):
            made.append(_step((_long_selection(platform.target, toolchain),), LONG_SAMPLES))
            if platform.target != XSCALE_200:
                made.append(_step(_selections(platform.target, toolchain, cache=("cold",))))
        if platform.word_bits < 32:
            made.append(_step((_public_selection(platform.target, toolchain),), PUBLIC_KEY_SAMPLES))
        for setting in (one for one, of in CHANGED_CHIPS.items() if of == platform.target):
            made.append(_step(_selections(platform.target, toolchain), settings=(setting,)))
    return tuple(made)


def _step(
    selections: tuple[Selection, ...], samples: int | None = None, settings: tuple[str, ...] = ()
) -> Callable[[Sequence[Record]], Step]:
    return lambda _: Step(selections, settings, samples, optional=True)


def _variants(algorithms: Iterable[str]) -> tuple[str, ...]:
    folders = {MD5: "md5", SHA1: "sha-1", RC5: "rc5", IDEA: "idea", RC4: "rc4"}
    return tuple(f"{folders[algorithm]}/{name}" for algorithm in algorithms for name in (FAST, COMPACT))


def _selections(target: str, toolchain: str, **of_all: object) -> tuple[Selection, ...]:
    """Every row of Table 3; images hold both directions."""

    def select(algorithms: Sequence[str], **more: object) -> Selection:
        return Selection.model_validate(
            {
                "primitive": tuple(PRIMITIVES[algorithm] for algorithm in algorithms),
                "variant": _variants(algorithms),
                "target": (target,),
                "toolchain": (toolchain,),
                "flags": FLAGS,
                "footprint": ("both",),
                **of_all,
                **more,
            }
        )

    return (
        select(HASHES, length=HASH_LENGTHS_BYTES),
        select((RC5, IDEA), operation=("init", "init-decrypt")),
        select((RC5, IDEA), operation=("encrypt", "decrypt"), mode=("ecb",), length=(TEXT_BYTES,)),
        select((RC4,), length=(TEXT_BYTES,)),
    )


def _long_selection(target: str, toolchain: str) -> Selection:
    return Selection(
        primitive=tuple(PRIMITIVES[algorithm] for algorithm in HASHES),
        variant=_variants(HASHES),
        target=(target,),
        toolchain=(toolchain,),
        flags=FLAGS,
        length=LONG_LENGTHS_BYTES,
        footprint=("both",),
    )


def _public_selection(target: str, toolchain: str) -> Selection:
    return Selection(
        primitive=(PUBLIC_KEY,),
        target=(target,),
        toolchain=(toolchain,),
        flags=ALL_FLAGS[:1],
        operation=("encrypt",),
        length=(TEXT_BYTES,),
        footprint=("encrypt",),
    )


def absent_of(found: Tables) -> tuple[Platform, ...]:
    """The platforms of which some row is missing in every setting."""
    complete = {
        platform for by_flags in found.values() for one in by_flags.values() for platform in one.present
    }
    return tuple(platform for platform in platforms() if platform not in complete)


# What is shown


@dataclass(frozen=True)
class Reproduction(Outcome):
    """The sheets; `absent` are platforms of which some row is missing in every setting."""

    sheets: Tables
    absent: tuple[Platform, ...]

    def settings(self) -> Iterator[Sheet]:
        """The sheets one after the other."""
        for by_flags in self.sheets.values():
            yield from by_flags.values()

    def usual(self) -> Sheet | None:
        """The setting that is shown where there is room for one: default variants, at `-O2` if measured."""
        by_flags = {flags: sheet for flags, sheet in self.sheets[DEFAULT].items() if sheet.timed}
        return by_flags.get(_USUAL_FLAGS) or next(iter(by_flags.values()), None)

    @property
    def worth_showing(self) -> bool:
        return self.usual() is not None

    def figure_rows(self) -> Iterator[JsonRow]:
        for sheet in self.settings():
            setting = {"choice": sheet.choice, "flags": sheet.flags}
            for one in sheet.timed.values():
                yield {"table": "time", **_time(sheet, one)}
            for (target, algorithm), size in sheet.code_bytes.items():
                what = {"target": target, "algorithm": algorithm}
                yield {"table": "code", **setting, **what, "code_bytes": size}
            for (target, algorithm, length), cycles in sheet.digests.items():
                what = {"target": target, "algorithm": algorithm}
                yield {"table": "digest", **setting, **what, "message_bytes": length, "cycles": cycles}
        public_key = {one.target: one for sheet in self.settings() for one in sheet.public_key.values()}
        for key in public_key.values():
            yield {"table": "public key", **asdict(key)}

    def tables(self) -> Mapping[str, Table]:
        found = {f"times {flags}": _times(sheet) for flags, sheet in self.sheets[DEFAULT].items()}
        found["spans"] = self._spans()
        shown = self.usual()
        if shown is not None:
            found["cycles"] = _cycles(shown)
            found["normalised"] = _normalised(shown)
            found["code"] = _code(shown)
            found["spread"] = _spread(shown)
            if shown.public_key:
                found["public key"] = _public_key(shown)
        return found

    def _spans(self) -> Table:
        """Of each row and platform the least and the most that ours is of the printed time in any setting."""
        found: dict[tuple[str, str], list[float]] = {}
        for table in self.settings():
            for place, one in table.timed.items():
                if one.ratio is not None:
                    found.setdefault(place, []).append(one.ratio)
        measured = {target for target, _ in found}
        shown = [platform for platform in platforms() if platform.target in measured]
        lines = tuple(
            (
                *_named(row),
                *(
                    f"{min(ratios):.2f} to {max(ratios):.2f}"
                    if (ratios := found.get((platform.target, row.label)))
                    else ""
                    for platform in shown
                ),
            )
            for row in printed_rows()
        )
        headings = ("Algorithm", "Bytes", "Action", *(platform.target for platform in shown))
        return Table("Ours over the published times, over all flags and variants", headings, lines, 3)

    def charts(self) -> Iterator[Chart]:
        frame = pl.DataFrame(list(_points(self)), infer_schema_length=None)
        figures = (
            ("time", "Execution times", "time, microseconds", "Table 3 and Figure 1", "time_us"),
            ("cycles", "Clock cycles", "cycles", "Figure 2", "cycles"),
            (
                "normalised",
                "Normalised overhead",
                "time by clock and word size over SPARC's",
                "Figure 3",
                "overhead",
            ),
        )
        for name, title, axis, figure, field in figures:
            chosen = frame.select(
                "variants", "flags", "row", "target", "whose", pl.col(field).alias("value")
            ).drop_nulls("value")
            if len(chosen):
                caption = (
                    f"In the form of the publication's {figure}: rings are printed values, dots are ours."
                )
                yield _dots(f"sensor-nodes-{name}", title, caption, axis, chosen)
        code = pl.DataFrame(list(_sizes(self)), infer_schema_length=None)
        if len(code):
            caption = "In the form of Figure 4, which prints no numbers; without library routines."
            yield _dots("sensor-nodes-code", "Code size", caption, "code and constants, bytes", code)

    def remarks(self) -> Iterator[str]:
        held = [one.claim for one in self.claims if one.published == "holds"]
        failed = [one.claim for one in self.claims if one.published in ("fails", "holds in part")]
        yield (
            f"In the publication's own Table 3 hold {', '.join(held)};"
            f" do not, or in part only, {', '.join(failed)}."
        )

    def warnings(self) -> Iterator[str]:
        for platform in self.absent:
            yield f"not every row was measured on {platform.target}: it is left out of the claims."


def reproduce(records: Sequence[Record], defaults: Defaults) -> Reproduction:
    """The comparison that these records of one compiler allow; `defaults` are the default variants.

    Nothing but them and the published numbers goes in.
    """
    found = sheets_of(records, defaults)
    absent = absent_of(found)
    return Reproduction(judged(optimised(found), absent), found, absent)


def _time(table: Sheet, one: Timed) -> JsonRow:
    overhead = None
    with suppress(MissingFigure):
        overhead = normalised(table, one.platform.target, one.row.label)
    printed_us = one.row.printed(one.platform.target)
    return {
        "choice": one.choice,
        "flags": one.flags,
        "toolchain": one.toolchain,
        "target": one.platform.target,
        "algorithm": one.row.algorithm,
        "text_bytes": one.row.text_bytes,
        "action": one.row.action,
        "variant": one.variant,
        "published_us": printed_us,
        "time_us": one.time_us,
        "ratio": one.ratio,
        "published_cycles": None if printed_us is None else printed_us * one.platform.clock_mhz,
        "cycles": one.cycles,
        "cycles_min": one.cycles_min,
        "cycles_max": one.cycles_max,
        "cycles_sd": one.sd,
        "published_overhead": printed_normalised(one.row, one.platform),
        "overhead": overhead,
    }


# Tables of one setting


def _grid(
    title: str,
    table: Sheet,
    cell: Callable[[Timed], str],
    *,
    only_printed: bool = False,
) -> Table:
    """A line for each row, a column for each platform that has any of them."""
    shown = _columns(table)
    lines = []
    for row in rows():
        if only_printed and not row.printed_us:
            continue
        cells = []
        for platform in shown:
            text = ""
            with suppress(MissingFigure):
                text = cell(table[platform.target, row.label])
            cells.append(text)
        lines.append((*_named(row), *cells))
    headings = ("Algorithm", "Bytes", "Action", *(platform.target for platform in shown))
    return Table(f"{title}: {_setting(table)}", headings, tuple(lines), 3)


def _columns(table: Sheet) -> tuple[Platform, ...]:
    measured = {target for target, _ in table.timed}
    return tuple(platform for platform in platforms() if platform.target in measured)


def _named(row: Row) -> tuple[str, str, str]:
    return row.algorithm, row.text_bytes, row.action


def _setting(table: Sheet) -> str:
    return f"{table.choice} variants, {table.flags}"


def _times(table: Sheet) -> Table:
    """Table 3: printed microseconds, ours, and ours over them."""

    def cell(one: Timed) -> str:
        printed_us, ratio = one.row.printed(one.platform.target), one.ratio
        if printed_us is None or ratio is None:
            return f"{one.time_us:,.1f}"
        return f"{printed_us:,.0f} | {one.time_us:,.1f} ({ratio:.2f})"

    return _grid("Microseconds, published | ours (ratio)", table, cell)


def _cycles(table: Sheet) -> Table:
    """Figure 2: printed cycles, that is, time by clock, and ours."""

    def cell(one: Timed) -> str:
        printed_us = one.row.printed(one.platform.target)
        if printed_us is None:
            return f"{one.cycles:,.0f}"
        return f"{printed_us * one.platform.clock_mhz:,.0f} | {one.cycles:,.0f}"

    return _grid("Cycles (Figure 2), published | ours", table, cell)


def _normalised(table: Sheet) -> Table:
    """Figure 3: time by clock and word size over SPARC's; empty without SPARC."""

    def cell(one: Timed) -> str:
        printed = printed_normalised(one.row, one.platform)
        ours = normalised(table, one.platform.target, one.row.label)
        return f"{ours:.2f}" if printed is None else f"{printed:.2f} | {ours:.2f}"

    return _grid("Time by clock and word size over SPARC's (Figure 3), published | ours", table, cell)


def printed_normalised(row: Row, platform: Platform) -> float | None:
    """A bar of Figure 3 as Table 3 has it; None where nothing is printed."""
    (sparc,) = (one for one in platforms() if one.target == SPARC)
    ours, theirs = row.printed(platform.target), row.printed(SPARC)
    if ours is None or theirs is None:
        return None
    return ours * platform.clock_mhz * platform.word_bits / (theirs * sparc.clock_mhz * sparc.word_bits)


def _spread(table: Sheet) -> Table:
    """How much the times of random inputs differ."""

    def cell(one: Timed) -> str:
        if not one.varies:
            return "none"
        return f"{one.sd / one.cycles:.2%}"

    return _grid("Standard deviation over random inputs, of the mean", table, cell)


def _code(table: Sheet) -> Table:
    """Figure 4: bytes of code and constants, without library routines."""
    shown = _columns(table)
    lines = tuple(
        (
            algorithm,
            *(
                f"{size:,}" if (size := table.code_bytes.get((platform.target, algorithm))) else ""
                for platform in shown
            ),
        )
        for algorithm in FIVE
    )
    headings = ("Algorithm", *(platform.target for platform in shown))
    return Table(f"Bytes of code and constants (Figure 4): {_setting(table)}", headings, lines, 1)


def _public_key(table: Sheet) -> Table:
    """What an encryption of 16 bytes with a public key takes on low-end nodes."""
    lines = tuple(
        (
            one.target,
            one.variant,
            "" if one.cycles is None else f"{one.cycles:,.0f}",
            "" if one.time_us is None else f"{one.time_us / 1e6:,.1f}",
            "" if one.rom_bytes is None else f"{one.rom_bytes:,}",
            "" if one.ram_bytes is None else f"{one.ram_bytes:,}",
            one.error or "",
        )
        for one in table.public_key.values()
    )
    headings = ("Target", "Variant", "Cycles", "Seconds", "ROM", "RAM", "")
    return Table("16 bytes encrypted with a public key", headings, lines, 2)


# Plots


def _points(made: Reproduction) -> Iterator[JsonRow]:
    for table in made.settings():
        for one in table.timed.values():
            named = {
                "variants": table.choice,
                "flags": table.flags,
                "row": one.row.label,
                "target": one.platform.target,
            }
            overhead = None
            with suppress(MissingFigure):
                overhead = normalised(table, one.platform.target, one.row.label)
            figures = {"time_us": one.time_us, "cycles": one.cycles, "overhead": overhead}
            yield {**named, "whose": "ours", **figures}
            printed_us = one.row.printed(one.platform.target)
            if printed_us is not None:
                yield {
                    **named,
                    "whose": "published",
                    "time_us": printed_us,
                    "cycles": printed_us * one.platform.clock_mhz,
                    "overhead": printed_normalised(one.row, one.platform) if overhead is not None else None,
                }


def _sizes(made: Reproduction) -> Iterator[JsonRow]:
    for table in made.settings():
        for (target, algorithm), size in table.code_bytes.items():
            named = {"variants": table.choice, "flags": table.flags, "row": algorithm, "target": target}
            yield {**named, "whose": "ours", "value": float(size)}


def _dots(name: str, title: str, caption: str, axis: str, frame: pl.DataFrame) -> Chart:
    order = list(dict.fromkeys(frame["row"]))
    targets = list(dict.fromkeys(frame["target"]))
    told = tooltip(("row", "target", "whose"), value=(axis, ",.4~r"))
    ours = {
        "test": "datum.whose === 'ours'",
        "field": "target",
        "type": "nominal",
        "sort": targets,
        "legend": None,
    }
    spec = plot(
        mark={"type": "point", "strokeWidth": 2},
        encoding={
            "y": nominal("row", sort=order, axis={"grid": True, "labelLimit": 200}),
            "x": quantitative(
                "value",
                axis,
                scale={"type": "log", "nice": False, "padding": 16},
                axis={"tickCount": 6, "format": ",~r"},
            ),
            "color": nominal("target", sort=targets),
            "fill": {"condition": ours, "value": "transparent"},
            "tooltip": told,
        },
    )
    return Chart(
        id=name,
        title=title,
        caption=caption,
        spec=spec,
        rows=frame,
        open=("target",),
        single=("variants", "flags"),
        series=("row",),
        half=True,
        step_px=_STEP_PX,
    )


STUDY = Study(
    title="Encryption overhead of sensor nodes (2003)",
    note="Table 3 and the figures of the publication beside those of the records here. The same C source was"
    " compiled for every chip; variants are the catalogue's default ones for its class, or those of one"
    " name. Flags of the compiler are stated for the M16C alone, so every claim is asked at each of those"
    " measured.",
    targets=tuple(platform.target for platform in platforms()),
    primitives=(*PRIMITIVES.values(), PUBLIC_KEY),
    judge=reproduce,
    measure=in_steps(steps, "atmega128"),
)
