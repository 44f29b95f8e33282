"""What the page on FELICS shows: what is kept of a whole tree, counts, and the figures of merit."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import polars as pl

from steelyard.catalog.trees import felics
from steelyard.catalog.trees.found import Implementation
from steelyard.present.table import Table
from steelyard.studies.felics.figures import SCENARIOS, TARGETS, TREE, Ranked, Scored
from steelyard.studies.felics.page import compared
from steelyard.studies.felics.study import Reproduction, reproduce, short
from steelyard.study.findings import listed, verdicts
from steelyard.study.model import Defaults, Outcome
from steelyard.study.published import read_table

CLONE = Path("FELICS")
"""Where a clone of FELICS is expected while everything is measured: in the current folder."""
COMMANDS = (
    f"reproduce felics --primitives {CLONE}",
    f"import {CLONE} --flags=-O3 --target {' --target '.join(TARGETS)}",
)
MAY_FAIL = True
"""Some implementations of the tree are wrong, which the page lists."""

_FAMILIES = dict(zip(TARGETS, ("avr", "msp430", "cortex-m"), strict=True))
_MEASURED = "measured"
_KINDS = {"block": "block ciphers", "stream": "stream ciphers", "hash": "hash functions", "aead": "AEADs"}


def keep(records: pl.DataFrame, _: Defaults) -> pl.DataFrame:
    """Return the records of the entries that decide: a cipher's best on each chip, and those with the least
    code, RAM or time.
    """
    made = reproduce(records.to_dicts())
    deciding = {_build(one) for listed in made.scored.values() for one in _deciding(listed)}
    builds = pl.DataFrame(sorted(deciding), schema=_BUILD, orient="row")
    return records.filter(pl.col("kind") == "block").join(builds, on=_BUILD, how="semi")


_BUILD = ("variant", "target", "flags")


def _build(one: Scored) -> tuple[str, str, str]:
    return one.entry.variant, one.entry.target, one.entry.flags


def _deciding(every: list[Scored]) -> Iterator[Scored]:
    ciphers: defaultdict[tuple[str, str], list[Scored]] = defaultdict(list)
    chips: defaultdict[str, list[Scored]] = defaultdict(list)
    for one in every:
        ciphers[one.entry.cipher, one.entry.target].append(one)
        chips[one.entry.target].append(one)
    for those in ciphers.values():
        yield min(those, key=lambda one: one.score)
    for those in chips.values():
        yield min(those, key=lambda one: one.entry.code_bytes)
        yield min(those, key=lambda one: one.entry.ram_bytes)
        yield min(those, key=lambda one: one.entry.cycles)


# Every implementation of the tree


def implementations(records: pl.DataFrame) -> pl.DataFrame:
    """Return every implementation of the clone with its language and standing on each chip.

    The standing is `measured`, or a clause that says why there is no verified figure.
    """
    builds = _builds(records.to_dicts())
    rows = []
    for found in felics.read(CLONE):
        name = Path(found.where).name
        if not isinstance(found, Implementation):
            if not re.match(r"(?:Identity|CipherName|HashName)", name):
                rows.append({"kind": _kind_of(found.where), "implementation": name, "left_out": found.reason})
            continue
        own = felics.in_assembly(CLONE, found.where)
        operations = {call.operation for call in found.file.call if call.mode is None}
        variant = f"{found.algorithm}/{found.name}"
        row = {"kind": found.kind, "implementation": name}
        for target, family in _FAMILIES.items():
            if family in (found.file.families or ()):
                row[f"{target}_language"] = "assembly" if family in own else "C"
                row[target] = _standing(builds.get((variant, target), {}), operations)
        rows.append(row)
    columns = ["kind", "implementation", "left_out"]
    columns += [name for target in TARGETS for name in (f"{target}_language", target)]
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String)).sort("kind", "implementation")


BESIDE: Mapping[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "implementations.csv": implementations,
    "compared.csv": lambda records: compared.compared(records, CLONE),
}
"""Files that are kept beside the records, made from all of them."""


def _kind_of(where: str) -> str:
    kinds = {
        "authenticated_ciphers": "aead",
        "block_ciphers": "block",
        "hash_functions": "hash",
        "stream_ciphers": "stream",
    }
    return kinds[where.partition("/")[0]]


_Builds = Mapping[tuple[str, str], Mapping[str, Mapping[str, object]]]
"""Records of operations without a mode by compiler and flags, then by operation."""


def _builds(records: Iterable[Mapping[str, object]]) -> Mapping[tuple[str, str], _Builds]:
    """Return builds by variant and chip; of an operation in several images one that failed stands for all."""
    found: defaultdict[tuple[str, str], defaultdict[tuple[str, str], dict[str, Mapping[str, object]]]]
    found = defaultdict(lambda: defaultdict(dict))
    for one in records:
        if one["mode"] is None and one["settings"] is None:
            build = found[str(one["variant"]), str(one["target"])][str(one["toolchain"]), str(one["flags"])]
            had = build.get(str(one["operation"]))
            if had is None or _is_ok(had):
                build[str(one["operation"])] = one
    return found


def _is_ok(record: Mapping[str, object]) -> bool:
    return record["status"] == "ok" and record["verified"] is True


def _standing(builds: _Builds, operations: Collection[str]) -> str:
    """Return `measured` if a build has all these operations verified, otherwise why none has."""
    reasons = []
    for build in builds.values():
        failed = [one for one in build.values() if not _is_ok(one)]
        absent = sorted(set(operations) - build.keys())
        if not failed and not absent:
            return _MEASURED
        reasons.append(_reason(failed[0]) if failed else f"not measured: {', '.join(absent)}")
    return reasons[0] if reasons else "not measured"


def _reason(record: Mapping[str, object]) -> str:
    text = " ".join(str(record["error"]).split())
    match str(record["status"]):
        case "build-failed":
            said = re.split(r"\b(?:fatal )?error: |Error: ", text, maxsplit=1)[-1]
            said = re.split(r" zig clang | \S*gcc ", said, maxsplit=1)[0]
            if ".include" in said:
                said = "its inline assembly includes a file (.include), which no record would cover"
            # What Clang adds on types is long.
            return f"does not compile: {re.split(' with type | [(]aka |; ', said)[0][:120]}"
        case "fault":
            return re.sub(r"^sample \d+, |, at 0x[0-9a-f]+ .*$", "", text)
        case "wrong-output":
            return "wrong output: " + re.sub(r"^(vector \d+) \((?:[^()]|\([^()]*\))*\)", r"\1", text).rstrip(
                "."
            )
        case status:
            return f"{status}: {text[:120]}"


# The blocks


def _kept() -> list[dict[str, str]]:
    return _beside("implementations.csv")


def _beside(name: str) -> list[dict[str, str]]:
    return read_table(Path(__file__).with_name(name))


def counts() -> Table:
    """How many implementations have verified figures, by language and processor."""
    every = _kept()
    told = {
        "C, on at least one chip": [
            any(_is_measured(one, target, "C") for target in TARGETS)
            for one in every
            if one["left_out"] or any(one[f"{target}_language"] == "C" for target in TARGETS)
        ]
    }
    for language in ("C", "assembly"):
        for target, kind in TARGETS.items():
            of = [one for one in every if one[f"{target}_language"] == language]
            told[f"{language} for {kind}, on {target}"] = [_is_measured(one, target) for one in of]
    told["any, on at least one chip"] = [_is_anywhere(one) for one in every]
    rows = tuple((title, *_share(of)) for title, of in told.items())
    return Table("Counts", ("Implementations", "In the tree", "Measured and verified", "Share"), rows, 1)


def kinds() -> Table:
    """How many implementations of each kind have verified figures on at least one chip."""
    rows = tuple(
        (title, *_share([_is_anywhere(one) for one in _kept() if one["kind"] == kind]))
        for kind, title in _KINDS.items()
    )
    return Table("Kinds", ("Kind", "In the tree", "Measured and verified", "Share"), rows, 1)


def _is_measured(one: Mapping[str, str], target: str, language: str | None = None) -> bool:
    return one[target] == _MEASURED and language in (None, one[f"{target}_language"])


def _is_anywhere(one: Mapping[str, str]) -> bool:
    return any(_is_measured(one, target) for target in TARGETS)


def _share(of: Sequence[bool]) -> tuple[str, str, str]:
    share = f"{100 * sum(of) / len(of):.1f} %" if of else "-"
    return str(len(of)), str(sum(of)), share


def missing() -> Table:
    """Every implementation without a verified figure on one of the chips for which it has code, and why."""
    rows: list[tuple[str, str, str, str]] = []
    for one in _kept():
        if one["left_out"]:
            rows.append((one["implementation"], "", "all", one["left_out"]))
        by_reason: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for target, kind in TARGETS.items():
            if one[target] not in ("", _MEASURED):
                by_reason[one[f"{target}_language"], one[target]].append(kind)
        rows += [
            (one["implementation"], language, ", ".join(on), why) for (language, why), on in by_reason.items()
        ]
    return Table("Missing", ("Implementation", "Language", "Not on", "Why"), tuple(rows), 4)


def merits(made: Reproduction, scenario: int) -> Table:
    """The figures of merit of a scenario beside those of FELICS, with each chip's best score."""
    chips = [f"{kind} best, p, FELICS' p" for kind in TARGETS.values()]
    headings = ("Cipher", "Ours", "FELICS", "Place", "FELICS' place", *chips)
    ranks = made.rankings[TREE, scenario]
    stated = sorted(
        (one for one in ranks if made.stated(one) is not None), key=lambda one: _stated_merit(made, one)
    )
    places = {one.cipher: str(place) for place, one in enumerate(stated, start=1)}
    rows = []
    for place, one in enumerate(ranks, start=1):
        published = made.stated(one)
        cells = []
        for target in TARGETS:
            best = one.best.get(target)
            ours = "-" if best is None else f"{short(best.entry)} {best.entry.flags}, {best.score:.1f}"
            cells.append(f"{ours}, {'-' if published is None else format(published.scores[target], '.1f')}")
        rows.append(
            (
                one.cipher,
                "-" if one.merit is None else f"{one.merit:.1f}",
                "-" if published is None else f"{published.merit:.1f}",
                str(place) if one.merit is not None else "-",
                places.get(one.cipher, "-"),
                *cells,
            )
        )
    return Table(f"Scenario {scenario}", headings, tuple(rows), 1)


def _stated_merit(made: Reproduction, one: Ranked) -> float:
    stated = made.stated(one)
    assert stated is not None
    return stated.merit


def blocks(
    _: Callable[[str], pl.DataFrame], outcome: Callable[[str], Outcome]
) -> dict[str, Callable[[], str | Table]]:
    """The blocks by name."""

    def made() -> Reproduction:
        found = outcome("felics")
        assert isinstance(found, Reproduction)
        return found

    def ranking(scenario: int) -> Table:
        return merits(made(), scenario)

    return {
        "counts": counts,
        "kinds": kinds,
        "missing": missing,
        "compared": lambda: compared.table(_beside("compared.csv")),
        **{f"merit-{number}": partial(ranking, number) for number in SCENARIOS},
        "findings": lambda: listed(_sentences(made())),
    }


def _sentences(made: Reproduction) -> Iterator[str]:
    for scenario in (1, 2):
        ranks = [one for one in made.rankings[TREE, scenario] if one.merit is not None]
        if not ranks:
            yield f"Scenario {scenario}: no cipher has figures on all three chips."
            continue
        first = ", ".join(f"{one.cipher} {one.merit:.1f}" for one in ranks[:5])
        yield (
            f"Scenario {scenario}: the lowest of {len(ranks)} figures of merit are {first}; the highest is"
            f" {ranks[-1].cipher} with {ranks[-1].merit:.1f}."
        )
    for scenario in (1, 2):
        both = [one for one in made.rankings[TREE, scenario] if one.merit is not None and made.stated(one)]
        theirs = sorted(both, key=lambda one: _stated_merit(made, one))
        # Ours stand in the order of their merits already.
        agree = sum(
            _stated_merit(made, one) < _stated_merit(made, other)
            for place, one in enumerate(both)
            for other in both[place + 1 :]
        )
        pairs = len(both) * (len(both) - 1) // 2
        yield (
            f"Of {pairs} pairs of ciphers in scenario {scenario}, FELICS' results order {agree} as ours do;"
            f" of its first ten {len(_first_ten(theirs) & _first_ten(both))} are among ours."
        )
    yield verdicts(made)


def _first_ten(of: Sequence[Ranked]) -> set[str]:
    return {one.cipher for one in of[:10]}
