"""Rijndael with tables of four sizes, timed with caches of 1 to 16 KB, as published in a figure.

The publication is that of `energy-sa1100`; its section 3 shows, in Figure 1 and without numbers, four
implementations with tables of 256 bytes to 8 KB on a SPARC V8 processor with separate caches of equal size
for instructions and data. Their sizes are changed on each chip as by `--set`. What message was timed is not
stated: here it is a kilobyte in ECB with warm caches, so that different blocks touch different entries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

import polars as pl

from steelyard.catalog.load import Catalog
from steelyard.measure.selection import Selection
from steelyard.present.chart import Chart, nominal, plot, quantitative, tooltip
from steelyard.present.table import Table
from steelyard.record.schema import Record
from steelyard.study.comparison import CLOSE, is_close
from steelyard.study.figures import cycles, integer
from steelyard.study.measure import in_steps
from steelyard.study.model import Defaults, Outcome, Row, Step, Steps, Study
from steelyard.study.published import claims_of
from steelyard.study.verdict import MissingFigure, judge

TARGETS = ("sa1100", "leon2")
"""The chips on which it is measured as far as the catalogue has them; the last is the publication's kind."""

SBOX = "aes/sbox-rows"
LARGE = ("aes/ttable-1k", "aes/ttable-4k", "aes/ttable-8k")
VARIANTS = (SBOX, *LARGE)
CACHE_BYTES = tuple(1024 << power for power in range(5))
MESSAGE_BYTES, BLOCK_BYTES = 1024, 16
SAMPLES = 4

_SIZES = re.compile(r"dcache\.size=(\d+) icache\.size=(\d+)")


@dataclass(frozen=True)
class Point:
    """A variant on a chip with caches of so many bytes each; cycles of one block."""

    target: str
    flags: str
    variant: str
    cache_bytes: int
    cycles: float
    misses: float | None


class Sweep:
    """The points of one chip at one of the compiler's flags."""

    def __init__(self, points: Sequence[Point]) -> None:
        self._cycles = {(point.variant, point.cache_bytes): point.cycles for point in points}

    def cycles(self, variant: str, cache_bytes: int) -> float:
        """Cycles of a block; MissingFigure where it was not measured."""
        if (variant, cache_bytes) not in self._cycles:
            raise MissingFigure(f"no verified figures of {variant} with caches of {cache_bytes // 1024} KB")
        return self._cycles[variant, cache_bytes]


@dataclass(frozen=True)
class Reproduction(Outcome):
    """What the points say; `absent` are the chips of which nothing was measured."""

    points: tuple[Point, ...]
    absent: tuple[str, ...]

    @property
    def worth_showing(self) -> bool:
        return bool(self.points)

    def figure_rows(self) -> Iterator[Row]:
        for point in self.points:
            yield {"table": "point", **asdict(point)}

    def tables(self) -> Mapping[str, Table]:
        return {
            "cycles": self._table("Cycles of a block by cache size", lambda point: f"{point.cycles:,.0f}"),
            "misses": self._table(
                "Cache misses of a block by cache size",
                lambda point: "" if point.misses is None else f"{point.misses:,.1f}",
            ),
        }

    def _table(self, title: str, shown: Callable[[Point], str]) -> Table:
        found: dict[tuple[str, str, str], dict[int, str]] = {}
        for point in self.points:
            line = found.setdefault((point.target, point.flags, point.variant), {})
            line[point.cache_bytes] = shown(point)
        rows = tuple(
            (*labels, *(line.get(size, "") for size in CACHE_BYTES)) for labels, line in sorted(found.items())
        )
        sizes = tuple(f"{size // 1024} KB" for size in CACHE_BYTES)
        return Table(title, ("Target", "Flags", "Variant", *sizes), rows, 3)

    def charts(self) -> Iterator[Chart]:
        rows = pl.DataFrame(
            [{**asdict(point), "cache_kb": point.cache_bytes // 1024} for point in self.points],
            infer_schema_length=None,
        )
        x = quantitative(
            "cache_kb",
            "size of each cache, KB",
            scale={"type": "log", "base": 2, "nice": False},
            axis={"values": [size // 1024 for size in CACHE_BYTES]},
        )
        y = quantitative(
            "cycles", "cycles per block", scale={"zero": True}, axis={"tickCount": 6, "format": ",~r"}
        )
        told = tooltip(
            ("variant", "target", "flags"),
            cache_kb=("caches, KB", ",d"),
            cycles=("cycles per block", ",.0f"),
            misses=("misses per block", ",.1f"),
        )
        yield Chart(
            id="cache-sweep-cycles",
            title="Cycles against cache size",
            caption="Ours in the form of the publication's Figure 1, which prints no numbers.",
            spec=plot(
                height=320,
                mark={"type": "line", "point": {"size": 45, "filled": True}, "strokeWidth": 2},
                encoding={
                    "x": x,
                    "y": y,
                    "color": nominal("variant", sort=list(VARIANTS)),
                    "tooltip": told,
                },
            ),
            rows=rows,
            open=(),
            single=("target", "flags"),
            series=("variant",),
        )

    def warnings(self) -> Iterator[str]:
        for target in self.absent:
            yield f"nothing was measured on {target}."


def steps(catalog: Catalog, toolchain: str) -> Steps:
    """What is measured: the four variants with caches of each size on each chip.

    One whose compiler is missing is left out.
    """

    def step(target: str, cache_bytes: int) -> Callable[[Sequence[Record]], Step]:
        selection = Selection(
            primitive=("aes-128",),
            variant=VARIANTS,
            target=(target,),
            toolchain=(toolchain,),
            flags=("-O2", "-O3"),
            operation=("encrypt",),
            mode=("ecb",),
            length=(MESSAGE_BYTES,),
            footprint=("encrypt",),
        )
        settings = tuple(f"{cache}.size={cache_bytes}" for cache in ("dcache", "icache"))
        return lambda _: Step((selection,), settings, SAMPLES, optional=True)

    here = [name for name in TARGETS if toolchain in catalog.target(name).file.toolchain]
    return tuple(step(target, cache_bytes) for target, cache_bytes in product(here, CACHE_BYTES))


def reproduce(records: Sequence[Record], _: Defaults = ()) -> Reproduction:
    """The comparison that these records of one compiler allow; nothing but them goes in."""
    points = tuple(point for record in records if (point := _point(record)) is not None)
    settings: dict[str, Mapping[str, Sweep]] = {
        target: {
            flags: Sweep([p for p in points if (p.target, p.flags) == (target, flags)])
            for flags in dict.fromkeys(p.flags for p in points if p.target == target)
        }
        for target in TARGETS
    }
    claims = claims_of(Path(__file__).parent, lambda claim: judge(CLAIMS[claim], settings))
    absent = tuple(target for target in TARGETS if not settings[target])
    return Reproduction(claims, points, absent)


def _point(record: Record) -> Point | None:
    """The point of a record, or None of one that is no part of the sweep."""
    sizes = _SIZES.fullmatch(str(record["settings"]))
    if (
        sizes is None
        or sizes[1] != sizes[2]
        or record["target"] not in TARGETS
        or record["variant"] not in VARIANTS
        or record["primitive"] != "aes-128"
        or record["status"] != "ok"
        or record["verified"] is not True
        or record["cache_state"] == "cold"
        or (record["operation"], record["mode"]) != ("encrypt", "ecb")
        or (record["footprint"], record["message_bytes"]) != ("encrypt", MESSAGE_BYTES)
    ):
        return None
    blocks = integer(record, "message_bytes") // BLOCK_BYTES
    misses = record["cache_misses"]
    return Point(
        str(record["target"]),
        str(record["flags"]),
        str(record["variant"]),
        int(sizes[1]),
        cycles(record) / blocks,
        misses / blocks if isinstance(misses, float) else None,
    )


# The claims

_SMALLEST, _LARGEST = CACHE_BYTES[0], CACHE_BYTES[-1]


def _insensitive(sweep: Sweep) -> bool:
    times = [sweep.cycles(SBOX, size) for size in CACHE_BYTES]
    return is_close(min(times), max(times))


def _declines(variant: str) -> Callable[[Sweep], bool]:
    return lambda sweep: sweep.cycles(variant, _LARGEST) < (1 - CLOSE) * sweep.cycles(variant, _SMALLEST)


def _faster(one: str, other: str, cache_bytes: int) -> Callable[[Sweep], bool]:
    return lambda sweep: sweep.cycles(one, cache_bytes) < sweep.cycles(other, cache_bytes)


CLAIMS: Mapping[str, Mapping[str, Callable[[Sweep], bool]]] = {
    "seed001-26": {f"times of 1 to 16 KB within {CLOSE:.0%}": _insensitive},
    "seed001-27": {
        **{f"{v} faster than {SBOX} with 16 KB": _faster(v, SBOX, _LARGEST) for v in LARGE},
        **{f"{v} slower by more than {CLOSE:.0%} with 1 KB": _declines(v) for v in LARGE},
    },
    "seed001-28": {f"with 1 KB faster than {v}": _faster(SBOX, v, _SMALLEST) for v in LARGE},
}
"""What each claim says, as tests of a sweep."""

STUDY = Study(
    title="Rijndael and the size of caches",
    note="Figure 1 of the publication on the SA-1100 made anew: AES-128 with tables of 256 bytes to 8 KB,"
    " with instruction and data caches of the same size each. A message of 1,024 bytes in ECB with warm"
    " caches.",
    targets=TARGETS,
    judge=reproduce,
    measure=in_steps(steps, TARGETS[0]),
    changed_chips=True,
)
