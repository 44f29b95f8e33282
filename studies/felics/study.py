"""FELICS: block ciphers in its three scenarios on its three chips, ranked by its figure of merit.

With a tree of FELICS (`--primitives DIR`) its implementations are ranked among each other, otherwise the
catalogue's own. Scenario 0 is one block in both directions, scenario 1 a message of 128 bytes in CBC in both
directions, each with its key schedules; scenario 2 the encryption of 16 bytes in CTR with round keys that
exist already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Variant
from steelyard.measure.selection import Selection
from steelyard.present.table import Table
from steelyard.record.schema import Record
from steelyard.studies.felics.figures import (
    CATALOGUE,
    CBC_BYTES,
    CTR_BYTES,
    SCENARIOS,
    TARGETS,
    TREE,
    Entry,
    Ranked,
    Scored,
    entries,
    ranked,
    scored,
)
from steelyard.study.measure import in_steps
from steelyard.study.model import Defaults, Outcome, Row, Setup, Step, Steps, Study, Taken, option
from steelyard.study.published import claims_of, read_table
from steelyard.study.verdict import MissingFigure, judge

FLAGS = ("-O3",)
"""The options that FELICS has where none are named."""
KEY_BYTES = (10, 12, 16)
BLOCK_BYTES = (8, 16)
"""Sizes of FELICS' ciphers, by which those of the catalogue are chosen."""
SAMPLES = 4

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Options:
    """What a user may choose."""

    scenario: tuple[str, ...] = option((), help="Scenario 0, 1 or 2; repeatable.", metavar="N")
    flags: tuple[str, ...] = option(
        FLAGS,
        help="Options of the compiler, of which each cipher's best count; repeatable."
        " FELICS takes -O3, -O2, -O1 and -Os.",
        metavar="FLAGS",
    )


@dataclass(frozen=True)
class Setting:
    """Figures of merit of one scenario, by cipher as the claims name it."""

    merits: Mapping[str, float]

    def merit(self, cipher: str) -> float:
        """The figure of merit; MissingFigure without one."""
        if cipher not in self.merits:
            raise MissingFigure(f"no figure of merit of {cipher}")
        return self.merits[cipher]


CIPHERS: Mapping[str, tuple[str, ...]] = {
    "AES": ("aes 128/128", "aes-128"),
    "Chaskey": ("chaskey 128/128", "chaskey-em-8"),
    "Chaskey-LTS": ("chaskey-lts 128/128", "chaskey-em-16"),
    "HIGHT": ("hight 64/128", "hight"),
    "LEA": ("lea 128/128", "lea-128"),
    "LED": ("led 64/80",),
    "PRESENT": ("present 64/80", "present-80"),
    "PRINCE": ("prince 64/128", "prince"),
    "RECTANGLE 80": ("rectangle 64/80", "rectangle-80"),
    "RECTANGLE 128": ("rectangle 64/128", "rectangle-128"),
    "Simon 96": ("simon 64/96", "simon-64-96"),
    "Simon 128": ("simon 64/128", "simon-64-128"),
    "SPARX": ("sparx 64/128", "sparx-64-128"),
    "Speck 96": ("speck 64/96", "speck-64-96"),
    "Speck 128": ("speck 64/128", "speck-64-128"),
}
"""Ciphers of the claims: FELICS' name with sizes, and the catalogue's primitive."""
_NAMES = {name: cipher for cipher, names in CIPHERS.items() for name in names}


def steps(options: Options, toolchain: str | None, catalog: Catalog, _: str) -> Steps:
    """What is measured, chip by chip; one whose compiler is missing is left out."""
    from steelyard.measure.session import default_toolchain

    unknown = sorted(set(options.scenario) - {str(one) for one in SCENARIOS})
    if unknown:
        raise _no_scenario(unknown[0])
    scenarios = [one for one in SCENARIOS if not options.scenario or str(one) in options.scenario]
    variants = [one for one in catalog.variants if catalog.is_users(one) and _is_block(catalog, one)]
    chosen = _of_variants(catalog, variants or [one for one in catalog.variants if not one.is_foreign])
    asked: dict[int, dict[str, object]] = {
        0: {"footprint": ("both",)},
        1: {"mode": ("cbc",), "length": (CBC_BYTES,), "footprint": ("both",)},
        2: {"mode": ("ctr",), "length": (CTR_BYTES,), "footprint": ("encrypt",)},
    }
    # What a set-up costs, and the size of a block, are those of scenario 0.
    wanted = dict.fromkeys((0, *scenarios))

    def step(target: str) -> Callable[[Sequence[Record]], Step]:
        usual = toolchain or default_toolchain(catalog, target)
        common = {**chosen, "target": (target,), "toolchain": (usual,), "flags": options.flags}
        selections = tuple(Selection.model_validate({**common, **asked[one]}) for one in wanted)
        return lambda _: Step(selections, samples=SAMPLES, optional=True)

    return tuple(step(name) for name in TARGETS)


def _no_scenario(name: str) -> Exception:
    from steelyard.errors import UsageError

    return UsageError(f'--scenario: FELICS has the scenarios 0, 1 and 2, not "{name}".')


def _is_block(catalog: Catalog, variant: Variant) -> bool:
    return any(one.id == variant.algorithm_id and one.file.kind == "block" for one in catalog.algorithms)


def _of_variants(catalog: Catalog, variants: Sequence[Variant]) -> dict[str, object]:
    """Return the selection of block ciphers of FELICS' sizes that these variants implement."""
    names = {one.id for one in variants}
    primitives: dict[str, None] = {}
    kept: dict[str, None] = {}
    for algorithm in catalog.algorithms:
        if algorithm.file.kind != "block":
            continue
        for primitive in algorithm.file.primitive:
            users = [one for one in algorithm.variants if one.id in names and one.does(primitive.id)]
            foreign = any(one.is_foreign for one in users)
            fits = primitive.key_bytes in KEY_BYTES and primitive.block_bytes in BLOCK_BYTES
            if users and (foreign or (fits and primitive.counted)):
                primitives[primitive.id] = None
                kept.update(dict.fromkeys(one.id for one in users))
    return {"primitive": tuple(primitives), "variant": tuple(kept)}


def measure(options: Options, setup: Setup) -> Taken:
    """Measure with each chip's usual compiler, or the one that is named."""
    return in_steps(partial(steps, options, setup.toolchain), next(iter(TARGETS)))(setup)


@dataclass(frozen=True)
class Published:
    """What FELICS states of a cipher in a scenario: the best score by chip, and their mean."""

    scores: Mapping[str, float]
    merit: float


@dataclass(frozen=True)
class Reproduction(Outcome):
    """The entries of all scenarios, beside what FELICS states by scenario and cipher."""

    entries: tuple[Entry, ...]
    published: Mapping[tuple[int, str], Published] = field(default_factory=dict)

    @cached_property
    def scored(self) -> Mapping[tuple[str, int], list[Scored]]:
        """The entries with their scores, by whose they are and by scenario."""
        found = {}
        for source in (TREE, CATALOGUE):
            for scenario in SCENARIOS:
                here = [one for one in self.entries if (one.source, one.scenario) == (source, scenario)]
                if here:
                    found[source, scenario] = scored(here)
        return found

    @cached_property
    def rankings(self) -> Mapping[tuple[str, int], list[Ranked]]:
        """The ciphers by whose they are and by scenario."""
        return {key: ranked(listed) for key, listed in self.scored.items()}

    @property
    def worth_showing(self) -> bool:
        return any(one.merit is not None for listed in self.rankings.values() for one in listed)

    def figure_rows(self) -> Iterator[Row]:
        for key, listed in self.rankings.items():
            best = {id(one) for each in listed for one in each.best.values()}
            for each in listed:
                named: Row = {"scenario": each.scenario, "source": each.source, "cipher": each.cipher}
                stated = self.stated(each)
                published = None if stated is None else stated.merit
                yield {"table": "merit", **named, "merit": each.merit, "published": published}
            for one in self.scored[key]:
                yield {
                    "table": "implementation",
                    **asdict(one.entry),
                    "score": one.score,
                    "best": id(one) in best,
                }

    def stated(self, one: Ranked) -> Published | None:
        """What FELICS states of a cipher; nothing of the catalogue's implementations."""
        return self.published.get((one.scenario, one.cipher)) if one.source == TREE else None

    def tables(self) -> Mapping[str, Table]:
        return {
            f"{source.lower()}-{scenario}": self._table(source, scenario, listed)
            for (source, scenario), listed in self.rankings.items()
        }

    def _table(self, source: str, scenario: int, listed: Sequence[Ranked]) -> Table:
        whose = "implementations of FELICS" if source == TREE else "implementations of the catalogue"
        own = ("published",) if source == TREE else ()
        headings = ["cipher", "merit", *own]
        for kind in TARGETS.values():
            headings += [f"{kind} best", "code", "RAM", "cycles", "p"]
        rows = []
        for one in listed:
            row = [one.cipher, "" if one.merit is None else f"{one.merit:.1f}"]
            if own:
                stated = self.stated(one)
                row.append("" if stated is None else f"{stated.merit:.1f}")
            for target in TARGETS:
                row += _cells(one, target)
            rows.append(tuple(row))
        variants = tuple(f"{kind} best" for kind in TARGETS.values())
        title = f"Scenario {scenario}, {whose}"
        return Table(title, tuple(headings), tuple(rows), 1, least_needed=variants)

    def warnings(self) -> Iterator[str]:
        measured = {one.target for one in self.entries}
        for target in TARGETS:
            if target not in measured:
                yield f"nothing was measured on {target}, so there is no figure of merit."
        if self.entries and all(one.source == CATALOGUE for one in self.entries):
            yield (
                "these are the catalogue's implementations; with --primitives DIR, a clone of FELICS, those"
                " of FELICS are ranked, beside its published figures."
            )


def _cells(one: Ranked, target: str) -> list[str]:
    """Return variant, code, RAM, cycles and score of a cipher's best entry on a chip."""
    if target not in one.best:
        return [""] * 5
    entry, score = one.best[target].entry, one.best[target].score
    return [
        f"{short(entry)} {entry.flags}",
        f"{entry.code_bytes:,}",
        f"{entry.ram_bytes:,}",
        f"{entry.cycles:,.0f}",
        f"{score:.1f}",
    ]


def short(entry: Entry) -> str:
    """The variant's name without what its cipher says: of FELICS the version."""
    if entry.source == CATALOGUE:
        return entry.variant.partition("/")[2]
    return entry.variant.rpartition("-")[2]


def reproduce(records: Sequence[Record], _: Defaults = ()) -> Reproduction:
    """The figures of merit that these records allow, and the claims on them."""
    found = Reproduction((), tuple(entries(records)), _published())
    settings: dict[str, dict[str, Setting]] = {}
    for (source, scenario), listed in found.rankings.items():
        merits = {_NAMES[one.cipher]: one.merit for one in listed if one.cipher in _NAMES and one.merit}
        settings.setdefault(source, {})[f"scenario {scenario}"] = Setting(merits)
    return replace(found, claims=claims_of(FOLDER, lambda claim: judge(CLAIMS[claim], settings)))


def _published() -> dict[tuple[int, str], Published]:
    found = {}
    for row in read_table(FOLDER / "published.csv"):
        scores = {target: float(row[kind.lower()]) for target, kind in TARGETS.items()}
        found[int(row["scenario"]), row["cipher"]] = Published(scores, float(row["merit"]))
    return found


# The claims


def _first(setting: Setting) -> bool:
    chaskey = setting.merit("Chaskey")
    return all(chaskey <= merit for merit in setting.merits.values())


def _before_all_but_chaskey(*names: str) -> Callable[[Setting], bool]:
    def test(setting: Setting) -> bool:
        worst = max(setting.merit(name) for name in names)
        beside = {*names, "Chaskey", "Chaskey-LTS"}
        return all(worst <= merit for name, merit in setting.merits.items() if name not in beside)

    return test


def _before(names: Sequence[str], later: str) -> Callable[[Setting], bool]:
    return lambda setting: all(setting.merit(name) < setting.merit(later) for name in names)


def _last(setting: Setting) -> bool:
    led = setting.merit("LED")
    return all(merit <= led for merit in setting.merits.values())


CLAIMS: Mapping[str, Mapping[str, Callable[[Setting], bool]]] = {
    "felics-01": {"Chaskey is first": _first},
    "felics-02": {"Speck is before all but Chaskey": _before_all_but_chaskey("Speck 96", "Speck 128")},
    "felics-03": {
        f"{name} is before AES": _before([name], "AES")
        for name in ("Chaskey-LTS", "LEA", "SPARX", "Speck 128")
    },
    "felics-04": {f"AES is before {name}": _before(["AES"], name) for name in ("PRESENT", "PRINCE", "LED")},
    "felics-05": {"LED is last": _last},
}
"""What each claim says, as tests of the figures of merit of one scenario."""

STUDY: Study = Study(
    title="FELICS: block ciphers by their figure of merit",
    note="Code, RAM and time of FELICS' scenarios on its chips, each over the least of all implementations on"
    " the chip; a cipher's best implementation counts, and the mean over the chips is its figure of merit.",
    targets=tuple(TARGETS),
    judge=reproduce,
    measure=partial(measure, Options()),
    any_compiler=True,
    options=Options,
    with_options=lambda options: replace(STUDY, measure=partial(measure, options)),
)
