"""The corpus of leaks beside the check: what it finds and misses in code of two compilers at five levels.

    python -m docs.generate --measure constant-time

checks every leak and every repaired twin of tests/constant_time/corpus, keeps a row for each in
docs/records/constant-time.csv, and rewrites the tables of docs/constant-time.md.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.check import Result, run_checks
from steelyard.measure.selection import Selection, match
from steelyard.measure.session import prepare
from steelyard.present.markdown import markdown_table
from steelyard.present.table import Table
from steelyard.toolchain import discover

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "constant_time" / "corpus"
KEPT = ROOT / "docs" / "records" / "constant-time.csv"
VARIANTS = KEPT.with_name("constant-time-variants.csv")

LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
CHIPS = (
    *("atmega128", "attiny85", "msp430f1611", "rl78-g13", "m30102"),
    *("stm32f051", "stm32f103", "stm32f407", "nrf5340", "sa1110", "pxa250-400"),
    *("ch32v003", "fe310-g000", "gd32vf103", "leon3", "erc32"),
)
"""A chip of every core for which a leak is known, and of others that differ in what their time depends on."""
VARIANT_CHIPS = (
    "atmega128",
    "msp430f1611",
    "rl78-g13",
    "stm32f051",
    "stm32f407",
    "sa1110",
    "gd32vf103",
    "leon3",
)
"""A chip of each family on which all variants are checked."""
BYTES = 32
"""Secret, public and resulting bytes of a case."""


@dataclass(frozen=True)
class Case:
    """A leak of the corpus and its twin."""

    name: str
    file: Mapping[str, Any]
    leak: str

    @classmethod
    def read(cls, folder: Path) -> Case:
        """Read a case by its folder."""
        leak = next(path.name for path in sorted(folder.glob("leak.*")))
        return cls(folder.name, tomllib.loads((folder / "case.toml").read_text(encoding="utf-8")), leak)

    def is_expected(self, family: str, core: str, compiler: str, level: str) -> bool:
        """Whether the leak is known to be in the code of this compiler for this core at this level."""
        if family in self.file["families"]:
            return True
        return any(
            (row["family"], row["compiler"]) == (family, compiler)
            and level in row["levels"]
            and core in row.get("cores", (core,))
            for row in self.file.get("made_by", ())
        )


@cache
def cases() -> tuple[Case, ...]:
    """Return the cases of the corpus."""
    return tuple(Case.read(path.parent) for path in sorted(CORPUS.glob("*/case.toml")))


def adapter(chosen: Iterable[Case]) -> str:
    """Return an adapter by which the corpus is read like any library: each case is a MAC of its own."""
    tables = []
    for case in chosen:
        for kind, source in (("leak", case.leak), ("twin", "twin.c")):
            of = f"families = {list(case.file['families'])!r}\n" if source.endswith(".S") else ""
            tables.append(
                f'[[variant]]\nname = "{kind}"\nsources = ["{case.name}/{source}"]\n{of}'
                f'[variant.primitive]\nalgorithm = "{case.name}"\nkind = "mac"\nid = "{case.name}"\n'
                f'title = "{case.name}"\nkey_bytes = {BYTES}\ntag_bytes = {BYTES}\n'
                '[variant.call]\nmac = "probe(tag, key, input)"\n'
            )
    first = next(iter(chosen))
    return f'title = "leaks and twins"\nneeds = ["{first.name}/twin.c"]\n' + "\n".join(tables)


def catalog(chosen: Sequence[Case]) -> Catalog:
    """Return a catalogue that holds the cases beside what it holds otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "corpus.toml")
        path.write_text(adapter(chosen), encoding="utf-8")
        return load_catalog((CORPUS,), path)


def check(
    chosen: Sequence[Case],
    chips: Sequence[str] = CHIPS,
    levels: Sequence[str] = LEVELS,
    jobs: int | None = None,
    on_result: Callable[[Result], None] = lambda result: None,
) -> Iterator[dict[str, object]]:
    """Yield a row for each case, chip, compiler and level: what was expected and what was found."""
    known = catalog(chosen)
    available = {(one.family, one.id) for one in discover() if one.available}
    named = {case.name: case for case in chosen}
    for chip in chips:
        target = known.target(chip)
        compilers = tuple(one for one in ("gcc", "clang") if (target.file.family, one) in available)
        compilers = tuple(one for one in compilers if one in target.file.toolchain)
        if not compilers:
            continue
        selection = Selection(
            primitive=tuple(named),
            variant=tuple(f"{name}/*" for name in named),
            target=(chip,),
            toolchain=match("toolchain", compilers, compilers),
            flags=tuple(levels),
            length=(BYTES,),
        )
        session = prepare(known, [selection])
        for result in run_checks(session, explained=0, jobs=jobs, on_result=on_result).results:
            yield _row(named[result.cell.build.primitive.id], result)


def _row(case: Case, result: Result) -> dict[str, object]:
    build, checked = result.cell.build, result.checked
    kinds = sorted({finding.kind for finding in checked.counted}) if checked is not None else []
    leak = build.variant.id.endswith("/leak")
    expected = case.is_expected(
        build.target.file.family, build.target.file.core, build.toolchain, build.flags
    )
    return {
        "case": case.name,
        "twin": not leak,
        "target": build.target.id,
        "family": build.target.file.family,
        "compiler": build.toolchain,
        "level": build.flags,
        "status": result.status,
        "expected": leak and expected,
        "kinds": " ".join(kinds),
        "found": bool(set(kinds) & set(case.file["kind"])) if leak else bool(kinds),
        "difference": checked.difference.what if checked is not None and checked.difference else "",
        "contradicts": checked is not None and checked.contradicts,
    }


def measure() -> None:
    """Check the whole corpus, and all variants, and keep the rows."""
    pl.DataFrame(list(check(cases()))).write_csv(KEPT)
    pl.DataFrame(list(check_variants())).write_csv(VARIANTS)


def check_variants() -> Iterator[dict[str, object]]:
    """Yield the verdict on each operation of every variant, by one primitive of its algorithm."""
    known = load_catalog()
    first: dict[str, str] = {}
    for one in known.primitives:
        if one.counted:
            first.setdefault(known.algorithm_of(one.id).id, one.id)
    variants = {
        name: tuple(one.id for one in known.variants if one.algorithm_id == algorithm and one.does(name))
        for algorithm, name in first.items()
    }
    for chip in VARIANT_CHIPS:
        lengths = (
            (name, () if known.algorithm_of(name).file.kind == "block" else (64,)) for name in variants
        )
        selections = [
            Selection(
                primitive=(name,), variant=variants[name], target=(chip,), flags=("-Os",), length=length
            )
            for name, length in lengths
            if variants[name]
        ]
        for result in run_checks(prepare(known, selections), explained=0).results:
            build, checked = result.cell.build, result.checked
            if result.status == "ok" and checked is not None:
                yield {
                    "kind": build.algorithm.file.kind,
                    "primitive": build.primitive.id,
                    "variant": build.variant.id,
                    "target": chip,
                    "compiler": build.toolchain,
                    "operation": result.cell.operation,
                    "verdict": checked.verdict,
                    "contradicts": checked.contradicts,
                }


def variants() -> Table:
    """Return the worst verdict on each variant by chip; two where the compilers differ, GCC's first."""
    rows = pl.read_csv(VARIANTS)
    worst: dict[tuple[str, str, str], int] = {}
    for row in rows.iter_rows(named=True):
        key = (row["variant"], row["target"], row["compiler"])
        worst[key] = max(worst.get(key, 0), _WORSE.index(row["verdict"]))
    lines = []
    for _, primitive, variant in (
        rows.select("kind", "primitive", "variant").unique().sort(pl.all()).iter_rows()
    ):
        cells = []
        for chip in VARIANT_CHIPS:
            by = [worst.get((variant, chip, compiler)) for compiler in ("gcc", "clang")]
            said = list(dict.fromkeys(_SHOWN[_WORSE[one]] for one in by if one is not None))
            cells.append(" / ".join(said))
        if any(cells):
            lines.append((variant, primitive, *cells))
    return Table("", ("variant", "checked as", *VARIANT_CHIPS), tuple(lines), left=2 + len(VARIANT_CHIPS))


_WORSE = ("yes", "on-this-chip", "no")
_SHOWN = {"yes": "yes", "on-this-chip": "here", "no": "**no**"}


def summary(rows: pl.DataFrame) -> Table:
    """Return what was found, missed and found wrongly by family, compiler and level."""
    done = rows.filter(pl.col("status") == "ok")
    groups: defaultdict[tuple[str, str], dict[str, list[int]]] = defaultdict(dict)
    for family, compiler, level in sorted(done.select("family", "compiler", "level").unique().iter_rows()):
        part = done.filter(
            (pl.col("family") == family) & (pl.col("compiler") == compiler) & (pl.col("level") == level)
        )
        wanted = part.filter(pl.col("expected"))
        twins = part.filter(pl.col("twin"))
        groups[family, compiler][level] = [
            wanted.filter(pl.col("found")).height,
            wanted.filter(~pl.col("found")).height,
            twins.filter(pl.col("found")).height,
            twins.height,
        ]
    lines: list[tuple[str, ...]] = []
    for (family, compiler), by_level in groups.items():
        cells = [" / ".join(map(str, by_level[level][:3])) if level in by_level else "" for level in LEVELS]
        count = sum(counts[3] for counts in by_level.values())
        lines.append((family, compiler, *cells, str(count)))
    headings = ("family", "compiler", *LEVELS, "twins")
    return Table("", headings, tuple(lines), left=2)


def by_case(rows: pl.DataFrame) -> Table:
    """Return in how many images each leak was found where it is known, and where else it was found."""
    done = rows.filter((pl.col("status") == "ok") & ~pl.col("twin"))
    lines = []
    for case in cases():
        part = done.filter(pl.col("case") == case.name)
        wanted = part.filter(pl.col("expected"))
        beyond = part.filter(~pl.col("expected") & pl.col("found"))
        found = f"{wanted.filter(pl.col('found')).height} of {wanted.height}"
        kinds = ", ".join(sorted({kind for text in part["kinds"] for kind in (text or "").split()}))
        source = " ".join(str(case.file["source"]).split())
        lines.append((case.name, str(case.file["title"]), found, str(beyond.height), kinds, source))
    headings = ("case", "what leaks", "found where known", "found elsewhere", "as", "published in")
    return Table("", headings, tuple(lines), left=6)


def _markdown(table: Table) -> str:
    return markdown_table(table.headings, table.rows, left=table.left)


def _kept() -> pl.DataFrame:
    return pl.read_csv(KEPT)


def _totals() -> str:
    rows = _kept()
    done = rows.filter(pl.col("status") == "ok")
    wanted = done.filter(pl.col("expected"))
    twins = done.filter(pl.col("twin"))
    contradicting = done.filter(pl.col("contradicts")).height
    other = rows.height - done.height
    return (
        f"{len(cases())} cases, {done.height:,} images on {rows['target'].n_unique()} chips"
        f" ({other:,} more do not fit their chip or do not compile): of {wanted.height:,} known leaks"
        f" **{wanted.filter(pl.col('found')).height:,} are found and"
        f" {wanted.filter(~pl.col('found')).height:,} missed**; **{twins.filter(pl.col('found')).height:,} of"
        f" {twins.height:,} twins have a finding**. In {contradicting:,} images runs"
        " with other secrets differ where the shadow sees nothing."
    )


def blocks() -> dict[str, Callable[[], str]]:
    """Return the blocks of docs/constant-time.md."""
    return {
        "constant-time totals": lambda: f"{_totals()}\n",
        "constant-time summary": lambda: _markdown(summary(_kept())),
        "constant-time cases": lambda: _markdown(by_case(_kept())),
        "constant-time variants": lambda: _markdown(variants()),
    }
