"""The publication's platforms and rows, and figures of them by choice of variants and flags."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

from steelyard.measure.plan import ALL_FLAGS
from steelyard.record.schema import Record
from steelyard.study.figures import cycles, integer
from steelyard.study.model import Defaults
from steelyard.study.published import read_table
from steelyard.study.verdict import MissingFigure

HERE = Path(__file__).parent

MD5, SHA1, RC5, IDEA, RC4 = FIVE = ("MD5", "SHA-1", "RC5", "IDEA", "RC4")
PRIMITIVES = {MD5: "md5", SHA1: "sha-1", RC5: "rc5-32-12-8", IDEA: "idea", RC4: "rc4-128"}
HASHES = (MD5, SHA1)
PUBLIC_KEY = "sm2"

PADDED_BYTES = 64
"""Block of both hashes; the padding takes nine bytes at least."""
LAST_OF_ONE_BLOCK_BYTES = PADDED_BYTES - 9
UNOPTIMISED = "-O0"
FLAGS = (UNOPTIMISED, *ALL_FLAGS)
"""Without optimisation times are only shown: no publication's claim is asked of them."""

HASH_LENGTHS_BYTES = (0, 1, 3, 14, 26, 40, 55, 56, 62, 64, 80, 120)
LONG_LENGTHS_BYTES = (1024, 65536)
"""Beside the longest of the table's, what the effect of caches on longer messages is read off."""
LONG_SAMPLES = PUBLIC_KEY_SAMPLES = 2
TEXT_BYTES = 16

COLD, OUTSIDE, ONE_IMAGE = "cold", "ram=external", "built_for=atmega103"
"""Conditions of a record that is no usual one: caches that are empty; context, statics and stack in the
board's RAM; the image of the older chip on the newer one."""
CHANGED_CHIPS = {OUTSIDE: "atmega103", ONE_IMAGE: "atmega128"}
"""The chip that each setting changes."""

DEFAULT, FAST, COMPACT = CHOICES = ("default", "fast", "compact")
"""How the variant of every primitive is chosen, the same on all platforms: the default, or by its name."""


@dataclass(frozen=True)
class Platform:
    """A platform of the publication as a chip of the catalogue; `printed` is its column of Table 3."""

    target: str
    printed: str
    word_bits: int
    clock_mhz: float
    compiler: str


@dataclass(frozen=True)
class Row:
    """A row of Table 3, or one beside it without printed times; microseconds by target."""

    algorithm: str
    text_bytes: str
    action: str
    printed_us: tuple[tuple[str, float], ...] = ()

    @property
    def label(self) -> str:
        """The row's name."""
        return f"{self.algorithm} {self.action} {self.text_bytes}"

    def printed(self, target: str) -> float | None:
        """The printed time on a platform."""
        return dict(self.printed_us).get(target)

    @property
    def is_set_up(self) -> bool:
        """Whether it is a set-up, which takes no text."""
        return self.action.startswith("Init")

    @property
    def cells(self) -> tuple[tuple[str, str, str | None, int | None], ...]:
        """Primitive, operation, mode and message length of each of the records whose mean it is."""
        primitive = PRIMITIVES[self.algorithm]
        if self.algorithm in HASHES:
            lengths = _MD5_LENGTHS_BYTES.get(self.text_bytes) if self.algorithm == MD5 else None
            return tuple((primitive, "digest", None, length) for length in lengths or (int(self.text_bytes),))
        operation = _OPERATIONS[self.action]
        if self.is_set_up:
            return ((primitive, operation, None, None),)
        mode = None if self.algorithm == RC4 else "ecb"
        return ((primitive, operation, mode, int(self.text_bytes)),)


_MD5_LENGTHS_BYTES = {"0": (0,), "1-26": (1, 3, 14, 26), "62-80": (62, 80)}
_OPERATIONS = {
    "Init": "init",
    "Init enc": "init",
    "Init dec": "init-decrypt",
    "Enc": "encrypt",
    "Dec": "decrypt",
}


@cache
def platforms() -> tuple[Platform, ...]:
    """The seven columns of Table 3."""
    return tuple(
        Platform(
            row["target"],
            row["printed"],
            int(row["word_bits"]),
            float(row["clock_mhz"]),
            row["compiler"],
        )
        for row in read_table(HERE / "platforms.csv")
    )


@cache
def printed_rows() -> tuple[Row, ...]:
    """The sixteen rows of Table 3."""
    targets = [platform.target for platform in platforms()]
    return tuple(
        Row(
            row["algorithm"],
            row["text_bytes"],
            row["action"],
            tuple((target, float(row[f"{target}_us"])) for target in targets),
        )
        for row in read_table(HERE / "table3-times.csv")
    )


@cache
def rows() -> tuple[Row, ...]:
    """Those of Table 3 and the decryption of RC4, of which the publication prints nothing."""
    return (*printed_rows(), Row(RC4, str(TEXT_BYTES), "Dec"))


@dataclass(frozen=True)
class Timed:
    """A row on a platform in one setting; `sd` is the largest standard deviation over random inputs."""

    row: Row
    platform: Platform
    choice: str
    variant: str
    toolchain: str
    flags: str
    clock_hz: int
    cycles: float
    cycles_min: int
    cycles_max: int
    sd: float

    @property
    def time_us(self) -> float:
        """Microseconds at the chip's clock."""
        return 1e6 * self.cycles / self.clock_hz

    @property
    def bit_cycles(self) -> float:
        """Cycles times word size: time normalised by both clock and width."""
        return self.cycles * self.platform.word_bits

    @property
    def ratio(self) -> float | None:
        """Ours over the printed time; None where none is printed."""
        printed_us = self.row.printed(self.platform.target)
        return None if printed_us is None else self.time_us / printed_us

    @property
    def varies(self) -> bool:
        """Whether random inputs of one length took different times."""
        return self.sd > 0


@dataclass(frozen=True)
class PublicKey:
    """What encryption with a public key takes on a platform; cycles and time are None if it does not fit."""

    target: str
    variant: str
    cycles: float | None
    time_us: float | None
    rom_bytes: int | None
    ram_bytes: int | None
    error: str | None


_Place = tuple[str, str]


@dataclass(frozen=True)
class Sheet:
    """Figures of all platforms in one setting: one choice of variants at one of the compiler's flags."""

    choice: str
    flags: str
    timed: dict[_Place, Timed]
    digests: dict[tuple[str, str, int], float]
    code_bytes: dict[_Place, int]
    public_key: dict[str, PublicKey]
    conditions: dict[str, dict[_Place, Timed]] = field(default_factory=dict)
    """Rows under COLD, OUTSIDE and ONE_IMAGE."""

    def __getitem__(self, place: _Place) -> Timed:
        """The row of a label on a target; MissingFigure where it was not measured."""
        target, label = place
        return _get(self.timed, place, f"no verified figures of {label} on {target}")

    def cycles(self, target: str, label: str) -> float:
        """Cycles of a row."""
        return self[target, label].cycles

    def at(self, target: str, label: str) -> Timed:
        """The row of a label on a target; MissingFigure where it was not measured."""
        return self[target, label]

    def under(self, condition: str, target: str, label: str) -> Timed:
        """The row under a condition; MissingFigure where it was not measured."""
        missing = f"no verified figures of {label} on {target}, {condition}"
        return _get(self.conditions.get(condition, {}), (target, label), missing)

    def digest(self, target: str, algorithm: str, length_bytes: int) -> float:
        """Cycles of a digest of a message."""
        place = target, algorithm, length_bytes
        return _get(
            self.digests, place, f"no verified figures of {algorithm} of {length_bytes} bytes on {target}"
        )

    def code(self, target: str, algorithm: str) -> int:
        """Bytes of code and constants, without library routines."""
        return _get(self.code_bytes, (target, algorithm), f"no sizes of {algorithm} on {target}")

    def public(self, target: str) -> PublicKey:
        """Encryption with a public key."""
        return _get(self.public_key, target, f"no figures of {PUBLIC_KEY} on {target}")

    @property
    def present(self) -> tuple[Platform, ...]:
        """The platforms that have every row of Table 3."""
        return tuple(
            platform
            for platform in platforms()
            if all((platform.target, row.label) in self.timed for row in printed_rows())
        )


_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


def _get(found: Mapping[_Key, _Value], key: _Key, missing: str) -> _Value:
    if key not in found:
        raise MissingFigure(missing)
    return found[key]


Tables = dict[str, dict[str, Sheet]]
"""By choice of variants and flags."""


# From records to tables


def sheets_of(records: Sequence[Record], defaults: Defaults) -> Tables:
    """The figures that these records of one compiler give; `defaults` are the default variants."""
    comparable = [record for record in records if _is_comparable(record)]
    public_key = _public_key(records)
    flags = [
        name for name in FLAGS if any(one["flags"] == name and not _condition(one) for one in comparable)
    ]
    return {
        choice: {
            name: _table(
                choice,
                name,
                [one for one in comparable if one["flags"] == name and _is_chosen(one, choice, defaults)],
                public_key,
            )
            for name in flags
        }
        for choice in CHOICES
    }


def optimised(found: Tables) -> Tables:
    """The settings of which claims are asked."""
    return {
        choice: {flags: table for flags, table in by_flags.items() if flags != UNOPTIMISED}
        for choice, by_flags in found.items()
    }


PRINTED = "printed"


def printed_table() -> Sheet:
    """Table 3 itself in the place of records; it has no code sizes, and one input only."""
    timed = {
        (platform.target, row.label): Timed(
            row,
            platform,
            PRINTED,
            "",
            "",
            "",
            round(platform.clock_mhz * 1e6),
            count := time_us * platform.clock_mhz,
            round(count),
            round(count),
            0.0,
        )
        for platform in platforms()
        for row in printed_rows()
        if (time_us := row.printed(platform.target)) is not None
    }
    digests = {
        (one.platform.target, one.row.algorithm, length): one.cycles
        for one in timed.values()
        if one.row.algorithm in HASHES
        for *_, length in one.row.cells
        if length is not None
    }
    return Sheet(PRINTED, "", timed, digests, {}, {})


def _condition(record: Record) -> str | None:
    """Return "" of a usual record, the condition of another that is compared, None of any other."""
    settings, cold = record["settings"], record["cache_state"] == COLD
    if settings is None:
        return COLD if cold else ""
    return str(settings) if CHANGED_CHIPS.get(str(settings)) == record["target"] else None


def _is_comparable(record: Record) -> bool:
    return (
        record["status"] == "ok"
        and record["verified"] is True
        and _condition(record) is not None
        and record["footprint"] == "both"
        and record["primitive"] in PRIMITIVES.values()
        and record["flags"] in FLAGS
    )


def _is_chosen(record: Record, choice: str, defaults: Defaults) -> bool:
    variant = str(record["variant"])
    return (
        (variant, record["target"]) in defaults if choice == DEFAULT else variant.rpartition("/")[2] == choice
    )


def _table(choice: str, flags: str, every: Sequence[Record], public_key: dict[str, PublicKey]) -> Sheet:
    def rows_under(condition: str) -> dict[_Place, Timed]:
        found: dict[tuple[object, ...], Record] = {
            tuple(record[name] for name in ("target", *_CELL)): record
            for record in every
            if _condition(record) == condition
        }
        return {
            (platform.target, row.label): one
            for platform in platforms()
            for row in rows()
            if (one := _timed(choice, flags, row, platform, found)) is not None
        }

    timed = rows_under("")
    records = [record for record in every if not _condition(record)]
    names = {primitive: algorithm for algorithm, primitive in PRIMITIVES.items()}
    digests: dict[tuple[str, str, int], float] = {}
    code_bytes: dict[_Place, int] = {}
    for record in records:
        target, algorithm = str(record["target"]), names[str(record["primitive"])]
        if record["operation"] == "digest":
            digests[target, algorithm, integer(record, "message_bytes")] = cycles(record)
        if record["mode"] is None:
            own_bytes = integer(record, "rom_code_bytes") + integer(record, "rom_const_bytes")
            code_bytes[target, algorithm] = own_bytes
    conditions = {name: rows_under(name) for name in (COLD, *CHANGED_CHIPS)}
    return Sheet(choice, flags, timed, digests, code_bytes, public_key, conditions)


_CELL = ("primitive", "operation", "mode", "message_bytes")


def _timed(
    choice: str, flags: str, row: Row, platform: Platform, found: dict[tuple[object, ...], Record]
) -> Timed | None:
    try:
        records = [found[platform.target, *cell] for cell in row.cells]
    except KeyError:
        return None
    first = records[0]
    sds = [value for record in records if isinstance(value := record["cycles_sd"], float)]
    return Timed(
        row,
        platform,
        choice,
        str(first["variant"]),
        str(first["toolchain"]),
        flags,
        integer(first, "clock_hz"),
        sum(cycles(record) for record in records) / len(records),
        min(integer(record, "cycles_min") for record in records),
        max(integer(record, "cycles_max") for record in records),
        max(sds),
    )


def _public_key(records: Iterable[Record]) -> dict[str, PublicKey]:
    """The fastest encryption by platform, or why there is none; whatever variants the others have."""
    found: dict[str, PublicKey] = {}
    for record in records:
        if record["primitive"] != PUBLIC_KEY or record["operation"] != "encrypt" or record["settings"]:
            continue
        fits = record["status"] == "ok" and record["verified"] is True
        if not fits and record["status"] != "does-not-fit":
            continue
        rom_bytes, ram_bytes = (
            value if isinstance(value := record[name], int) else None for name in ("rom_bytes", "ram_bytes")
        )
        one = PublicKey(
            str(record["target"]),
            str(record["variant"]),
            cycles(record) if fits else None,
            1e6 * cycles(record) / integer(record, "clock_hz") if fits else None,
            rom_bytes,
            ram_bytes,
            None if fits else str(record["error"]),
        )
        other = found.get(one.target)
        if other is None or other.cycles is None or (one.cycles is not None and one.cycles < other.cycles):
            found[one.target] = one
    return found
