"""Compare two stores, two revisions of code, or two choices of an option."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.compare.blame import blamed, refined
from steelyard.compare.budgets import read_budgets
from steelyard.compare.chosen import chosen
from steelyard.compare.measures import USUAL, Limit
from steelyard.compare.model import Comparison, Pair, Row
from steelyard.compare.pairing import key, paired
from steelyard.compare.revisions import WORK_TREE, checked_out, repository_of
from steelyard.compare.sides import Asked, Measuring, Side, Warn, measured
from steelyard.errors import SteelyardError, UsageError
from steelyard.nearest import nearest, printable, unknown
from steelyard.record.schema import Record
from steelyard.store.exported import read_exported
from steelyard.store.read import read_records
from steelyard.store.segments import segments

if TYPE_CHECKING:
    import polars as pl

OPTIONS = ("variant", "flags", "toolchain")
"""Options in which two sides may differ."""

_MOST_PROFILED = 3
"""Cells whose change is looked at in detail: those that changed most."""


def compare_stores(base: Path | pl.DataFrame, head: Path | pl.DataFrame, asked: Asked) -> Comparison:
    """Compare the newest records of two stores: folders, files of records, or frames.

    Cells of Linux devices have no part in it: their times are not repeatable. UsageError for what is neither;
    SteelyardError for a side without any record of what is selected.
    """
    import polars as pl

    catalog, sides = load_catalog(), []
    for name, given in (("base", base), ("head", head)):
        frame = given if isinstance(given, pl.DataFrame) else _read(given, asked.warn)
        label = str(given) if isinstance(given, Path) else f"the {name}"
        frame = chosen(frame.filter(pl.col("device").is_null()), asked.selection, catalog)
        if frame.is_empty():
            raise SteelyardError(f"{label}: it has no record of what is selected.")
        sides.append(Side(label, frame.to_dicts()))
    return compared(sides[0], sides[1], asked, catalog)


def _read(path: Path, warn: Warn) -> pl.DataFrame:
    if path.is_dir():
        if not segments(path):
            raise UsageError(f"{path}: this folder is no store, since it has no records-v*.ndjson.")
        return read_records(path, warn)
    if path.exists():
        return read_exported(path, warn)
    shown = printable(str(path))
    if path.name in OPTIONS or path.name in ("gcc", "clang") or str(path).startswith("-"):
        raise UsageError(
            f"{shown}: no such store; two choices are compared by --between toolchain gcc clang."
        )
    try:
        listed = [one.name for one in path.parent.iterdir()]
    except OSError:
        listed = []
    near = nearest(path.name, listed)
    hint = "--git BASE HEAD compares revisions of code."
    if near is not None:
        hint = f'did you mean "{path.with_name(near)}"?'
    raise UsageError(f"{shown}: there is no such store or file of records; {hint}")


def compare_revisions(base: str, head: str, measuring: Measuring, asked: Asked) -> Comparison:
    """Compare two revisions of folders of one's own code; `.` is the work tree as it is.

    Both sides are measured here. UsageError for an unknown revision or folder, and for a selection that the
    head does not know; what only the base does not know is a cell that it has not.
    """
    if not measuring.primitives:
        raise UsageError("--git compares your own code: name its folder with --primitives DIR.")
    repository = repository_of(measuring.primitives)
    labels = [repository.named(revision) for revision in (base, head)]
    with TemporaryDirectory(prefix="steelyard-compare-") as temporary:
        roots, folders = [], []
        for number, revision in enumerate((base, head)):
            into = repository.root if revision == WORK_TREE else Path(temporary, str(number)).resolve()
            found, notes = checked_out(repository, revision, into)
            for note in notes:
                asked.warn(f"{labels[number]}: {note}")
            roots.append(into)
            folders.append(found)
        if not any(folders):
            named = ", ".join(map(str, measuring.primitives))
            raise UsageError(f"--primitives {printable(named)}: neither {labels[0]} nor {labels[1]} has it.")
        catalogs = [
            load_catalog(found, temporary=revision != WORK_TREE) if found else None
            for found, revision in zip(folders, (base, head), strict=True)
        ]
        before, after = Side(labels[0], []), Side(labels[1], [])
        if catalogs[1] is not None:
            after = measured(labels[1], catalogs[1], asked.selection, measuring, asked)
        else:
            asked.warn(f"{labels[1]} has no folder of --primitives: all cells are missing.")
        if catalogs[0] is not None:
            try:
                before = measured(labels[0], catalogs[0], asked.selection, measuring, asked)
            except UsageError as error:
                asked.warn(f"{labels[0]} has no cell to compare with: {error}")
        else:
            asked.warn(f"{labels[0]} has no folder of --primitives: all cells are new.")
        before.root, after.root = roots
        return compared(before, after, asked, catalogs[1] or load_catalog())


def compare_options(option: str, base: str, head: str, measuring: Measuring, asked: Asked) -> Comparison:
    """Compare two variants, sets of flags or compilers, both measured here.

    UsageError for another option, for one that the selection names too, and for a side in which one cell has
    several choices.
    """
    if option not in OPTIONS:
        clause = unknown("option", option, OPTIONS)
        raise UsageError(f"--between: {clause}" + ("" if clause.endswith("?") else "."))
    if getattr(asked.selection, option):
        raise UsageError(f"--between {option} names both sides: leave --{option} out.")
    if base == head:
        raise UsageError(f"--between {option}: both sides are {printable(base)}.")
    catalog, sides = load_catalog(measuring.primitives), []
    for name in (base, head):
        selection = asked.selection.model_copy(update={option: (name,)})
        sides.append(measured(name, catalog, selection, measuring, asked))
    return compared(sides[0], sides[1], asked, catalog, varying=(option,))


def compared(
    base: Side, head: Side, asked: Asked, catalog: Catalog, *, varying: Sequence[str] = ()
) -> Comparison:
    """Return two sides beside each other; UsageError for budgets that are wrong or ambiguous sides."""
    here = bool(base.origins or head.origins)
    book = read_budgets(asked.budgets, catalog, head.records)
    limits = {**book.limits, **asked.limits}
    measures = tuple(dict.fromkeys((*(asked.measures or USUAL), *(name for name in limits if limits[name]))))
    whole: dict[str, Limit | None] = {name: limits.get(name, Limit(0)) for name in measures}
    for side in (base, head):
        if here:
            _check_single(side, varying)
    pairs = paired(
        base.records,
        head.records,
        measures=measures,
        limits=whole,
        budgets=book.budgets,
        varying=varying,
        measured_here=here,
    )
    symbols = (base.symbols, head.symbols) if here else None
    pairs = [replace(blamed(pair, symbols), place=head.place(pair.record)) for pair in pairs]
    if here:
        pairs = _in_detail(pairs, base, head)
    records = [pair.head for pair in pairs if pair.head is not None]
    unmatched = tuple(one.place for one in book.budgets if not any(one.matches(record) for record in records))
    return Comparison(
        base.label,
        head.label,
        tuple(pairs),
        measures,
        whole,
        asked.allow_missing,
        len(book.budgets),
        unmatched,
    )


def _check_single(side: Side, varying: Sequence[str]) -> None:
    """UsageError if a name of a side stands for several choices in one cell."""
    seen: dict[tuple[object, ...], Record] = {}
    for record in side.records:
        other = seen.setdefault(key(record, varying), record)
        if other is not record:
            names = " and ".join(str(one[varying[0] if varying else "variant"]) for one in (other, record))
            raise UsageError(f"{side.label} stands for {names} in one cell: name one of them.")


def _in_detail(pairs: Sequence[Pair], base: Side, head: Side) -> list[Pair]:
    """Return the pairs; those whose cycles changed most name inlined functions and source lines.

    Of cells that changed alike one is looked at.
    """
    alike: dict[object, int] = {}
    for number, pair in enumerate(pairs):
        row = _cycles(pair)
        if row is not None and row.delta:
            alike.setdefault((row.delta, row.blame), number)
    found = list(pairs)
    for number in sorted(alike.values(), key=lambda one: _rank(pairs[one]))[:_MOST_PROFILED]:
        pair = pairs[number]
        assert pair.base is not None and pair.head is not None
        before, after = base.profile(pair.base), head.profile(pair.head)
        if before is not None and after is not None:
            rows = (refined(row, before, after) if row.measure == "cycles" else row for row in pair.rows)
            found[number] = replace(pair, rows=tuple(rows))
    return found


def _cycles(pair: Pair) -> Row | None:
    return next((row for row in pair.rows if row.measure == "cycles"), None)


def _rank(pair: Pair) -> tuple[bool, float]:
    """Return a sort key that puts regressions first, and great changes before small ones."""
    row = _cycles(pair)
    assert row is not None
    return not row.bad, -abs(row.percent or 0)
