"""What publications say about each other: the same ciphers on processors of 8, 16 and 32 bits.

A claim between publications needs the chips of both. Of each size of words there are one or more chips, and a
claim is asked of every pairing of them that was measured. Only encryption is compared, in images that hold
nothing else, so that most ciphers fit the smallest chip. On each chip the variant of a cipher is chosen for
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise, product
from pathlib import Path

import polars as pl

from steelyard.catalog.load import Catalog
from steelyard.measure.selection import Selection
from steelyard.present.chart import Chart, tooltip
from steelyard.present.table import Table
from steelyard.record.schema import Record
from steelyard.study.charts import lines
from steelyard.study.comparison import CLOSE, is_close
from steelyard.study.figures import cycles, integer
from steelyard.study.measure import in_steps
from steelyard.study.model import Defaults, Outcome, Row, Step, Steps, Study
from steelyard.study.published import claims_of
from steelyard.study.verdict import MissingFigure, judge

TARGETS: Mapping[int, tuple[str, ...]] = {
    8: ("atmega128",),
    16: ("m30102", "rl78-g13", "msp430f1611"),
    32: ("sa1100", "leon2"),
}
"""Chips by word size in bits, as far as the catalogue has them; those of the publications come first."""
_WORD_BITS = {name: bits for bits, names in TARGETS.items() for name in names}

PRIMITIVES = {
    "AES": "aes-128",
    "RC6": "rc6-32-20-16",
    "Serpent": "serpent-128",
    "Twofish": "twofish-128",
    "XTEA": "xtea",
    "Camellia": "camellia-128",
    "CAST5": "cast-128",
    "MARS": "mars-128",
    "RC5": "rc5-32-12-16",
}
AES, RC6, SERPENT, TWOFISH, XTEA, CAMELLIA, CAST5, MARS, RC5 = CIPHERS = tuple(PRIMITIVES)
OF_8_BITS = (AES, SERPENT, CAMELLIA, CAST5, MARS)
"""The five of the publication on the ATmega128."""
OF_32_BITS = (RC6, SERPENT, XTEA, CAST5, MARS, RC5)
"""Ciphers of 32-bit operations."""

DEFAULT, FASTEST, SMALLEST = "default", "fastest", "smallest"


@dataclass(frozen=True)
class Weighed:
    """One variant of a cipher on a chip; cycles are of one byte, without the set-up."""

    cipher: str
    target: str
    word_bits: int
    variant: str
    toolchain: str
    flags: str
    rom_bytes: int
    cycles_per_byte: float


CHOICES: dict[str, Callable[[Weighed], float] | None] = {
    DEFAULT: None,
    FASTEST: lambda one: one.cycles_per_byte,
    SMALLEST: lambda one: one.rom_bytes,
}
"""How the variant is chosen on each chip: the least of this, or the catalogue's default for its class."""


@dataclass(frozen=True)
class Setting:
    """Chips of different word sizes at one of the compiler's flags."""

    choice: str
    flags: str
    targets: Mapping[int, str]
    weighed: Mapping[tuple[str, str], Weighed]

    def cost(self, word_bits: int, cipher: str) -> float:
        """Cycles per byte; MissingFigure where it was not measured."""
        place = self.target(word_bits), cipher
        if place not in self.weighed:
            raise MissingFigure(f"no verified figures of {cipher} on {place[0]}")
        return self.weighed[place].cycles_per_byte

    def target(self, word_bits: int) -> str:
        """The chip of a word size; MissingFigure where there is none."""
        if word_bits not in self.targets:
            raise MissingFigure(f"no verified figures on a processor of {word_bits} bits")
        return self.targets[word_bits]


@dataclass(frozen=True)
class Reproduction(Outcome):
    """The variants by choice; `absent` are chips without a figure."""

    weighed: Mapping[str, tuple[Weighed, ...]]
    absent: tuple[str, ...]

    @property
    def worth_showing(self) -> bool:
        return len({one.word_bits for listed in self.weighed.values() for one in listed}) > 1

    def figure_rows(self) -> Iterator[Row]:
        for choice, listed in self.weighed.items():
            for one in listed:
                yield {"table": "figure", "choice": choice, **asdict(one)}

    def tables(self) -> Mapping[str, Table]:
        targets = [name for name in _WORD_BITS if name not in self.absent]
        found: dict[tuple[str, str, str], dict[str, str]] = {}
        for choice, listed in self.weighed.items():
            for one in sorted(listed, key=lambda weighed: CIPHERS.index(weighed.cipher)):
                line = found.setdefault((choice, one.flags, one.cipher), {})
                line[one.target] = f"{one.cycles_per_byte:,.1f} ({one.variant.partition('/')[2]})"
        rows = tuple(
            (*labels, *(line.get(target, "") for target in targets)) for labels, line in found.items()
        )
        return {"costs": Table("Cycles of a byte", ("Variants", "Flags", "Cipher", *targets), rows, 3)}

    def charts(self) -> Iterator[Chart]:
        rows = [
            {"variants": choice, **asdict(one), "where": f"{one.word_bits} bits, {one.target}"}
            for choice, listed in self.weighed.items()
            for one in listed
        ]
        x = {
            "field": "where",
            "type": "ordinal",
            "sort": [f"{bits} bits, {name}" for name, bits in _WORD_BITS.items()],
            "title": None,
            "axis": {"labelAngle": 0},
        }
        told = tooltip(("cipher", "variant", "target"), cycles_per_byte=("cycles per byte", ",.1f"))
        yield Chart(
            id="word-sizes-cost",
            title="Cycles of a byte by size of words",
            caption="Encryption without the set-up; AES is of bytes, the others mostly of 32-bit words.",
            spec=lines(x, "cycles_per_byte", "cycles per byte", "cipher", CIPHERS, told),
            rows=pl.DataFrame(rows, infer_schema_length=None),
            open=(),
            single=("variants", "flags"),
            series=("cipher",),
        )

    def warnings(self) -> Iterator[str]:
        for target in self.absent:
            yield f"nothing was measured on {target}."


def steps(catalog: Catalog, toolchain: str) -> Steps:
    """What is measured, chip by chip; one whose compiler is missing is left out."""

    def step(target: str) -> Callable[[Sequence[Record]], Step]:
        common = {
            "target": (target,),
            "toolchain": (toolchain,),
            "flags": ("-Os", "-O2"),
            "operation": ("encrypt",),
            "footprint": ("encrypt",),
        }
        blocks = Selection.model_validate({**common, "primitive": (*PRIMITIVES.values(),), "variant": ("*",)})
        return lambda _: Step((blocks,), optional=True)

    return tuple(
        step(name)
        for names in TARGETS.values()
        for name in names
        if toolchain in catalog.target(name).file.toolchain
    )


def reproduce(records: Sequence[Record], defaults: Defaults) -> Reproduction:
    """The comparison that these records of one compiler allow; `defaults` are the default variants."""
    usual = [record for record in records if _is_usual(record)]
    every = list(_weighed(usual))
    chosen = {choice: tuple(_chosen(every, choice, defaults)) for choice in CHOICES}
    settings = {
        choice: {f"{one.flags} {' '.join(one.targets.values())}": one for one in _settings(choice, listed)}
        for choice, listed in chosen.items()
    }
    measured = {one.target for one in every}
    absent = tuple(name for names in TARGETS.values() for name in names if name not in measured)
    without = [bits for bits, names in TARGETS.items() if not measured & set(names)]
    caveat = f"asked without a processor of {' or '.join(map(str, without))} bits" if without else None
    claims = claims_of(Path(__file__).parent, lambda claim: judge(CLAIMS[claim], settings, caveat))
    return Reproduction(claims, chosen, absent)


def _is_usual(record: Record) -> bool:
    return (
        record["target"] in _WORD_BITS
        and record["status"] == "ok"
        and record["verified"] is True
        and record["settings"] is None
        and record["cache_state"] != "cold"
        and (record["operation"], record["footprint"]) == ("encrypt", "encrypt")
        and not str(record["variant"]).endswith("-asm")
    )


def _weighed(records: Iterable[Record]) -> Iterable[Weighed]:
    ciphers = {primitive: cipher for cipher, primitive in PRIMITIVES.items()}
    for record in records:
        if record["mode"] is None and record["primitive"] in ciphers:
            target = str(record["target"])
            yield Weighed(
                ciphers[str(record["primitive"])],
                target,
                _WORD_BITS[target],
                str(record["variant"]),
                str(record["toolchain"]),
                str(record["flags"]),
                integer(record, "rom_bytes"),
                cycles(record) / integer(record, "message_bytes"),
            )


def _chosen(every: Sequence[Weighed], choice: str, defaults: Defaults) -> Iterable[Weighed]:
    by_place: dict[tuple[str, str, str], list[Weighed]] = {}
    for one in every:
        by_place.setdefault((one.target, one.flags, one.cipher), []).append(one)
    figure = CHOICES[choice]
    for listed in by_place.values():
        if figure is not None:
            yield min(listed, key=figure)
        else:
            yield from (one for one in listed if (one.variant, one.target) in defaults)


def _settings(choice: str, chosen: Sequence[Weighed]) -> Iterable[Setting]:
    """Every pairing of a chip of each word size; sizes without one are left out."""
    for flags in dict.fromkeys(one.flags for one in chosen):
        here = {(one.target, one.cipher): one for one in chosen if one.flags == flags}
        measured = {target for target, _ in here}
        by_size = {
            bits: found for bits, names in TARGETS.items() if (found := [n for n in names if n in measured])
        }
        for targets in product(*by_size.values()):
            yield Setting(choice, flags, dict(zip(by_size, targets, strict=True)), here)


# The claims


def _slower(word_bits: int, slower: str, faster: str) -> Callable[[Setting], bool]:
    return lambda setting: setting.cost(word_bits, slower) > setting.cost(word_bits, faster)


def _ranks_differ(setting: Setting) -> bool:
    if len(setting.targets) < 2:
        raise MissingFigure("no verified figures on processors of two sizes of words")
    ranks = {
        tuple(sorted(CIPHERS, key=lambda cipher: setting.cost(word_bits, cipher)))
        for word_bits in setting.targets
        if word_bits in (8, 32) or _complete(setting, word_bits)
    }
    return len(ranks) > 1


def _complete(setting: Setting, word_bits: int) -> bool:
    """Whether every cipher fits the chip."""
    return all((setting.targets[word_bits], cipher) in setting.weighed for cipher in CIPHERS)


SERPENT_OVER_AES_32 = 2.3
SERPENT_OVER_AES_8 = (30.0, 40.0)
"""Ratios of Serpent to AES that the publications print."""


def _serpent_over_aes(setting: Setting, word_bits: int) -> float:
    return setting.cost(word_bits, SERPENT) / setting.cost(word_bits, AES)


def _worse_on_narrow(setting: Setting) -> bool:
    narrow, wide = (_serpent_over_aes(setting, word_bits) for word_bits in (8, 32))
    return narrow > wide and not is_close(narrow, wide)


def _falls(cipher: str) -> Callable[[Setting], bool]:
    def test(setting: Setting) -> bool:
        if len(setting.targets) < 2:
            raise MissingFigure("no verified figures on processors of two sizes of words")
        costs = [setting.cost(word_bits, cipher) for word_bits in sorted(setting.targets)]
        return all(wide < narrow for narrow, wide in pairwise(costs))

    return test


CLAIMS: Mapping[str, Mapping[str, Callable[[Setting], bool]]] = {
    "cross-01": {
        "32 bits: AES slower than RC6": _slower(32, AES, RC6),
        "8 bits: AES the fastest of the five": lambda setting: (
            min(OF_8_BITS, key=lambda cipher: setting.cost(8, cipher)) == AES
        ),
        "the order of the ciphers depends on the size of words": _ranks_differ,
    },
    "cross-02": {
        f"32 bits: Serpent over AES within {CLOSE:.0%} of {SERPENT_OVER_AES_32:g}": lambda setting: is_close(
            _serpent_over_aes(setting, 32), SERPENT_OVER_AES_32
        ),
        f"8 bits: {SERPENT_OVER_AES_8[0]:g} to {SERPENT_OVER_AES_8[1]:g}": lambda setting: (
            SERPENT_OVER_AES_8[0] <= _serpent_over_aes(setting, 8) <= SERPENT_OVER_AES_8[1]
        ),
        f"more than {CLOSE:.0%} higher on 8 bits than on 32": _worse_on_narrow,
    },
    "cross-04": {f"{cipher} on every pair of sizes": _falls(cipher) for cipher in OF_32_BITS},
}
"""What each claim says, as tests of chips of different sizes of words."""

STUDY = Study(
    title="The same ciphers on words of 8, 16 and 32 bits",
    note="What publications say about each other: encryption on chips of different sizes of words, in images"
    " that hold nothing else. Each claim is asked of every pairing of the chips that were measured.",
    targets=tuple(_WORD_BITS),
    primitives=tuple(PRIMITIVES.values()),
    judge=reproduce,
    measure=in_steps(steps, next(iter(_WORD_BITS))),
)
