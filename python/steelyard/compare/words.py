"""Sentences of a comparison: the same in a terminal, in Markdown and in findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from steelyard.compare.measures import unit
from steelyard.compare.model import Cause, Comparison, Pair, Row

_SAID: Mapping[Cause, str] = {
    "source": "the source",
    "compiler": "the compiler",
    "flags": "the flags",
    "chip": "the file of the chip",
    "inputs": "the inputs (samples or seed)",
    "steelyard": "Steelyard",
    "unknown": "nothing that a record states",
}
_DETAILS: Mapping[Cause, tuple[str, ...]] = {
    "compiler": ("toolchain", "toolchain_version"),
    "flags": ("flags", "object_flags"),
    "inputs": ("samples", "input_seed"),
    "steelyard": ("timing_version", "emulator_version", "steelyard_version", "steelyard_commit"),
}
"""Fields whose values say what a cause is."""
_MOST_DETAILS = 3
Mark = Callable[[str], str]

_PLURALS = {"cycle": "cycles", "byte": "bytes", "": "instructions"}


def figure(value: float) -> str:
    """Return a number with separators, and with decimals only where it has some."""
    text = f"{value:,.2f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def signed(value: float) -> str:
    """Return a difference with its sign."""
    if not value:
        return "0"
    # What is too small for two decimals still is a change.
    size = figure(abs(value)) if abs(value) >= 0.005 else "0.01"
    return f"{'+' if value > 0 else '-'}{size}"


def percent(row: Row) -> str:
    """Return the difference in percent; empty where there is none."""
    return "" if row.percent is None else f"{row.percent:+.2f} %" if row.percent else "0 %"


def unit_of(measure: str) -> str:
    """Return the unit of a measure as one reads it: cycles, bytes, us, nJ or instructions."""
    return _PLURALS.get(unit(measure), unit(measure))


def count(number: int, one: str, many: str | None = None) -> str:
    """Return a number of things."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def verdict(pair: Pair, row: Row) -> str:
    """Return a row's verdict in a word or two."""
    if row.verdict == "same" and row.base is None:
        return "new"
    return row.verdict.replace("-", " ")


def outcome(comparison: Comparison) -> str:
    """Return what came out, in a few words."""
    cells = count(len(comparison.pairs), "cell")
    told = [
        (len(comparison.of("failed")), "failed"),
        (len(comparison.of("missing")), "missing"),
        (len(comparison.regressions), "worse than allowed"),
        (len(_better(comparison)), "better"),
        (len([one for one in comparison.of("new") if not one.regressed]), "new"),
        (len(_within(comparison)), "worse within limits"),
        (len([one for one in comparison.of("compared") if not one.changed]), "unchanged"),
        (len(comparison.of("unfit")), "too large for the chip on both sides"),
    ]
    return ", ".join([cells, *(f"{number:,} {what}" for number, what in told if number)])


def _better(comparison: Comparison) -> list[Pair]:
    """Return cells of which something is better and nothing worse."""
    return [one for one in comparison.pairs if {row.verdict for row in one.rows} - {"same"} == {"better"}]


def _within(comparison: Comparison) -> list[Pair]:
    return [
        one
        for one in comparison.pairs
        if not one.regressed and any(row.verdict == "within-limit" for row in one.rows)
    ]


def troubles(comparison: Comparison) -> Iterator[str]:
    """Yield a sentence for each cell without a figure on the head."""
    for pair in comparison.of("failed", "missing", "outgrown"):
        yield f"{pair.name}: {pair.error}"


def explanations(comparison: Comparison) -> Iterator[str]:
    """Yield sentences on what changed between the sides, where figures differ: only then code is blamed."""
    found: dict[tuple[Cause, ...], list[Pair]] = {}
    for pair in comparison.pairs:
        if any(row.delta for row in pair.rows):
            found.setdefault(pair.causes, []).append(pair)
    for causes, pairs in found.items():
        where = f"In {count(len(pairs), 'cell')} "
        changed = f"{where}{_listed([_SAID[one] for one in causes])} changed"
        if causes == ("source",):
            yield f"{changed} and nothing else: the difference is the code's."
        elif causes == ("unknown",):
            yield f"{where}the figures differ, and {_SAID['unknown']} does."
        elif "source" in causes:
            yield f"{changed}: the code's part of the difference cannot be told.{_told(pairs)}"
        else:
            yield f"{changed} and the source did not: the difference is not the code's.{_told(pairs)}"


def _told(pairs: Sequence[Pair]) -> str:
    """Return what the causes beside the source were, before and after; the most frequent ones."""
    found: Counter[str] = Counter()
    for pair in pairs:
        assert pair.base is not None and pair.head is not None
        for cause in pair.causes:
            for name in _DETAILS.get(cause, ()):
                if pair.base[name] != pair.head[name]:
                    before, after = (_value(side[name]) for side in (pair.base, pair.head))
                    found[f"{name.replace('_', ' ')} {before} became {after}"] += 1
    said = [text for text, _ in found.most_common(_MOST_DETAILS)]
    return f" ({'; '.join(said)}.)" if said else ""


def _value(value: object) -> str:
    return "none" if value is None else str(value)


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def places(comparison: Comparison, most: int, mark: Mark = str) -> Iterator[str]:
    """Yield a sentence for each of the greatest changes, with the function or part that changed most.

    Cells that changed alike share a sentence. `mark` dresses names and lines of code.
    """
    found: dict[tuple[object, ...], list[tuple[Pair, Row]]] = {}
    for pair in comparison.pairs:
        for row in pair.rows:
            if row.delta and row.blame is not None:
                alike = (row.measure, row.delta, row.bad, row.blame.what, row.blame.delta)
                found.setdefault(alike, []).append((pair, row))
    groups = sorted(found.values(), key=_weight)
    for group in groups[:most]:
        # One of them may have been looked at in detail.
        pair, row = max(group, key=lambda one: one[1].blame is not None and one[1].blame.place is not None)
        others = f" (and {count(len(group) - 1, 'cell')} more)" if len(group) > 1 else ""
        yield f"{pair.name}{others}: {place(row, mark)}."
    if len(groups) > most:
        yield f"{count(len(groups) - most, 'more change')}: --json has all."


def _weight(group: Sequence[tuple[Pair, Row]]) -> tuple[bool, float, str]:
    pair, row = group[0]
    return not row.bad, -abs(row.percent or 0), pair.name


def place(row: Row, mark: Mark = str) -> str:
    """Return a measure's difference, and the part that changed most with its own."""
    blame = row.blame
    assert blame is not None and row.delta is not None
    unit = unit_of(row.measure)
    said = f"{row.measure} {signed(row.delta)}" + ("" if unit == row.measure else f" {unit}")
    line = f", at {blame.place} {mark(str(blame.source))}" if blame.place is not None else ""
    return f"{said}, most in {mark(blame.what)} ({signed(blame.delta)}){line}"


def budget_sentence(comparison: Comparison) -> str | None:
    """Return how many budgets there are and how many cells exceed one; None without any."""
    if not comparison.budgets:
        return None
    over = sum(any(row.verdict == "over-budget" for row in pair.rows) for pair in comparison.pairs)
    return f"{count(comparison.budgets, 'budget')}; {count(over, 'cell exceeds one', 'cells exceed one')}."
