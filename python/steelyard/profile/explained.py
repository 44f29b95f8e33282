"""An explanation in sentences, as a table, and as objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from steelyard.present.table import Table
from steelyard.profile.explain import STACK, Explanation, Figure, Part, Side, apportioned

_WORDS = {
    "alu": "arithmetic and logic",
    "shift": "shifts",
    "multiply": "multiplications",
    "load": "loads",
    "store": "stores",
    "load-program": "loads from program memory",
    "branch": "conditional branches",
    "jump": "jumps",
    "call": "calls",
    "return": "returns",
    "stack": "pushes, pops and moves of the stack pointer",
    "io": "accesses to peripherals",
    "bit": "bit operations",
    "other": "others",
}
_CAUSES = {
    "fetch": "for code",
    "fetch-miss": "for code that a cache did not hold",
    "data": "for data",
    "data-miss": "for data that a cache did not hold",
    "result": "for results",
    "branch": "after jumps",
    "multiply": "for the multiplier",
}
_NAMED = 4
"""Classes and causes that a sentence names; the others are told together."""
_COARSE = 100
"""Difference from which cycles are told without decimals."""


def page(made: Explanation) -> Iterator[Table | str]:
    """Yield the sentences, whose figures add up to the difference, and the tables."""
    yield from sentences(made)
    yield table(made)
    if made.figures:
        yield figures(made)


def sentences(made: Explanation) -> Iterator[str]:
    """Yield why one side takes fewer cycles; figures that are parts add up to the whole as they are told."""
    first, second = made.sides
    unit = "cycles per byte" if made.per_byte else "cycles"
    digits = _digits(made)
    sides = [apportioned([cycles], digits)[0] for cycles in made.cycles]
    whole = sides[1] - sides[0]
    yield f"A: {_titled(first)}."
    yield f"B: {_titled(second)}."
    if not made.difference:
        yield f"A and B take the same {_text(sides[0], digits)} {unit}."
    else:
        share = abs(made.difference) / made.cycles[0] if made.cycles[0] else Fraction(0)
        yield (
            f"B takes {_text(sides[1], digits)} {unit} and A {_text(sides[0], digits)}:"
            f" {_change(whole, digits)}, {float(share):.1%} {'less' if whole < 0 else 'more'}."
        )
    parts = [*made.of("instructions"), *made.of("waits")]
    named = _chosen(parts)
    rest = sum((part.difference for part in parts if part not in named), Fraction(0))
    told = apportioned([*(part.difference for part in named), rest], digits, whole)
    for part, cycles in zip(named, told, strict=False):
        yield _sentence(part, cycles, digits)
    if told[-1]:
        yield f"All other instructions and waits: {_signed(told[-1], digits)}."
    yield f"Together: {_signed(sum(told, Fraction(0)), digits)} {unit}."
    yield _as_a_whole(made, whole, digits)
    yield from _beside(made, digits)


def _titled(side: Side) -> str:
    more = [str(side.field(name)) for name in ("parameters", "settings") if side.field(name)]
    return ", ".join([side.profile.title, *more])


def _as_a_whole(made: Explanation, whole: Fraction, digits: int) -> str:
    count, pace = apportioned(list(made.by_count_and_pace), digits, whole)
    numbers = [_count(value, digits) for value in made.instructions]
    paces = [f"{float(pace or 0):.3f}" for pace in made.paces]
    return (
        f"Seen as a whole, B executes {numbers[1]} instructions and A {numbers[0]}: {_signed(count, digits)}"
        f" at A's {paces[0]} cycles each; B's take {paces[1]}: {_signed(pace, digits)}."
    )


def _chosen(parts: Sequence[Part]) -> list[Part]:
    """Return the parts with the greatest differences, those that explain most of it."""
    moved = [part for part in parts if part.difference]
    moved.sort(key=lambda part: -abs(part.difference))
    return moved[: 2 * _NAMED]


def _sentence(part: Part, told: Fraction, digits: int) -> str:
    if part.counts is None:
        return f"Waits {_CAUSES.get(part.name, part.name)}: {_signed(told, digits)}."
    words = _WORDS.get(part.name, part.name)
    counts = [_count(value, digits) for value in part.counts]
    if part.counts[0] == part.counts[1]:
        return f"{counts[0]} {words} in both, but not of the same cost: {_signed(told, digits)}."
    return f"{counts[1]} {words} instead of {counts[0]}: {_signed(told, digits)}."


def _beside(made: Explanation, digits: int) -> Iterator[str]:
    """Yield what the parts do not tell: spills, calls, the function that changed most, code size."""
    zero = Fraction(0)
    known = {figure.name: figure for figure in made.figures}
    traffic = [known.get(f"loads from the {STACK}"), known.get(f"stores to the {STACK}")]
    told = [
        f"{_count(one.values[1] or zero, digits)} {one.name} instead of"
        f" {_count(one.values[0] or zero, digits)}"
        for one in traffic
        if one is not None and one.difference
    ]
    if told:
        yield f"Of these, spilled registers and local variables: {', '.join(told)}."
    calls = known.get("calls of functions")
    if calls is not None and calls.difference:
        values = [_count(value or zero, digits) for value in calls.values]
        yield f"Functions are called {values[1]} times instead of {values[0]}."
    if made.function is not None:
        name, change = made.function
        yield f"Of the functions that both have, {name} changed most: {_signed(change, digits)} cycles."
    code = [known[name] for name in ("rom_code_bytes", "rom_const_bytes") if name in known]
    if code and any(figure.difference for figure in code):
        changes = ", ".join(
            f"{_signed(figure.difference or Fraction(0), 0)} bytes of {title}"
            for figure, title in zip(code, ("code", "constants"), strict=False)
            if figure.difference
        )
        yield f"In ROM this is {changes}."


def table(made: Explanation) -> Table:
    """Return the parts as rows, and the whole as the last; each column of cycles adds up to it."""
    digits = _digits(made)
    parts = [*made.of("instructions"), *made.of("waits")]
    columns = [apportioned([part.cycles[side] for part in parts], digits) for side in (0, 1)]
    changes = [second - first for first, second in zip(*columns, strict=True)]

    def count(value: Fraction | None) -> str:
        return "" if value is None else _count(value, digits)

    rows = [
        (
            part.name if part.group == "instructions" else f"wait: {part.name}",
            *(count(None if part.counts is None else part.counts[side]) for side in (0, 1)),
            *(_text(columns[side][number], digits) for side in (0, 1)),
            _signed(changes[number], digits),
        )
        for number, part in enumerate(parts)
    ]
    rows.append(
        (
            "all",
            *(_count(value, digits) for value in made.instructions),
            *(_text(sum(columns[side], Fraction(0)), digits) for side in (0, 1)),
            _signed(sum(changes, Fraction(0)), digits),
        )
    )
    headings = ("class", "A executes", "B executes", "A cycles", "B cycles", "difference")
    title = (
        "Cycles per byte by class of instruction and cause of waiting"
        if made.per_byte
        else ("Cycles by class of instruction and cause of waiting")
    )
    return Table(title, headings, tuple(rows), left=1)


def figures(made: Explanation) -> Table:
    """Return the figures beside the cycles."""
    digits = _digits(made)

    def shown(figure: Figure, value: Fraction | None) -> str:
        return "" if value is None else _text(value, 0 if value.denominator == 1 else max(digits, 1))

    rows = tuple(
        (
            figure.name,
            *(shown(figure, value) for value in figure.values),
            ""
            if figure.difference is None
            else _signed(figure.difference, 0 if figure.difference.denominator == 1 else max(digits, 1)),
        )
        for figure in made.figures
    )
    return Table("Beside the cycles", ("figure", "A", "B", "difference"), rows, left=1)


def objects(made: Explanation) -> Iterator[dict[str, Any]]:
    """Yield the whole, parts, figures and sentences; the `difference` of parts adds up to the whole."""
    per = "byte" if made.per_byte else "call"
    empty: dict[str, Any] = {
        "kind": None, "name": None, "unit": None, "per": per, "a": None, "b": None, "difference": None,
        "a_executes": None, "b_executes": None, "text": None,
    }  # fmt: skip
    yield {
        **empty,
        "kind": "whole",
        "name": "cycles",
        "unit": "cycle",
        "a": float(made.cycles[0]),
        "b": float(made.cycles[1]),
        "difference": float(made.difference),
        "a_executes": float(made.instructions[0]),
        "b_executes": float(made.instructions[1]),
        "text": f"{made.sides[0].profile.title} | {made.sides[1].profile.title}",
    }
    for part in (*made.of("instructions"), *made.of("waits")):
        counts = (None, None) if part.counts is None else tuple(float(value) for value in part.counts)
        yield {
            **empty,
            "kind": part.group,
            "name": part.name,
            "unit": "cycle",
            "a": float(part.cycles[0]),
            "b": float(part.cycles[1]),
            "difference": float(part.difference),
            "a_executes": counts[0],
            "b_executes": counts[1],
        }
    count, pace = made.by_count_and_pace
    yield {
        **empty,
        "kind": "view",
        "name": "number of instructions",
        "unit": "cycle",
        "difference": float(count),
    }
    yield {
        **empty,
        "kind": "view",
        "name": "cycles per instruction",
        "unit": "cycle",
        **{side: None if one is None else float(one) for side, one in zip("ab", made.paces, strict=True)},
        "difference": float(pace),
    }
    for figure in made.figures:
        a, b = (None if value is None else float(value) for value in figure.values)
        change = None if figure.difference is None else float(figure.difference)
        yield {
            **empty,
            "kind": "figure",
            "name": figure.name,
            "unit": figure.unit,
            "a": a,
            "b": b,
            "difference": change,
        }
    for text in sentences(made):
        yield {**empty, "kind": "sentence", "text": text}


def _digits(made: Explanation) -> int:
    whole = all(cycles.denominator == 1 for cycles in made.cycles)
    return 0 if whole or abs(made.difference) >= _COARSE else 2


def _text(value: Fraction, digits: int) -> str:
    return f"{float(value):,.{digits}f}"


def _count(value: Fraction, digits: int) -> str:
    return _text(value, 0 if value.denominator == 1 else digits)


def _signed(value: Fraction, digits: int) -> str:
    text = f"{float(value):+,.{digits}f}"
    return text.replace("-", "\N{MINUS SIGN}", 1) if text.strip("+-0.,") else text.lstrip("+-")


def _change(value: Fraction, digits: int) -> str:
    return f"{_text(abs(value), digits)} {'fewer' if value < 0 else 'more'}"
