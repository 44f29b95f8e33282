"""A profile as tables of a page, and as the flat objects of `--json`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from steelyard.present.table import Table
from steelyard.profile import tables
from steelyard.profile.difference import Changed
from steelyard.profile.model import CALLER, Profile
from steelyard.profile.tables import By, Cost

_LEAST_OF_TREE = 0.005
"""Share of the cycles below which the tree leaves a path out."""


def heading(profile: Profile) -> str:
    """Return what was profiled and what it costs, in two lines or three."""
    cost, samples = _whole(profile), profile.samples
    mean = f", mean of {samples} inputs" if samples > 1 else ""
    energy = "" if profile.energy_nj is None else f", {_figure(profile.energy_nj / 1e3)} uJ"
    lines = [
        profile.title,
        f"{_figure(cost.cycles / samples)} cycles{mean}, {_figure(cost.instructions / samples)} instructions,"
        f" {profile.stack_bytes:,} bytes of stack{energy}",
    ]
    waits = tables.shares(cost, profile.causes)
    if waits:
        order = sorted(waits, key=lambda name: -waits[name])
        told = (f"{name} {_share(waits[name], cost.cycles)}" for name in order)
        lines.append(f"waits: {', '.join(told)}")
    return "\n".join(lines)


def page(profile: Profile, by: By | None, top: int, *, tree: bool, heat: bool) -> Iterator[Table | str]:
    """Yield what a terminal shows: the heading, then tables with the most expensive rows."""
    yield heading(profile)
    if profile.no_lines is not None:
        yield f"No source lines: {profile.no_lines}."
    if by == "function" or (by is None and not tree and not heat):
        yield function_table(profile, top)
    if by == "line" or (by is None and not tree and not heat and profile.no_lines is None):
        yield line_table(profile, top)
    if by == "instruction":
        yield instruction_table(profile, top)
    if tree:
        yield tree_table(profile, top)
    if heat:
        yield heat_table(profile, top)


def function_table(profile: Profile, top: int) -> Table:
    """Return the functions with the most cycles of their own."""
    rows = tables.by_function(profile)
    extra = _Extra(profile, (row.own for row in rows))
    whole, samples = profile.cycles, profile.samples
    return _table(
        ("function", "cycles", "share", "with callees", "instructions", "calls", "stack", *extra.headings),
        [
            (
                row.function
                if row.calls is not None or row.function == CALLER
                else f"{row.function} (inlined)",
                _figure(row.own.cycles / samples),
                _share(row.own.cycles, whole),
                _share(row.total_cycles, whole),
                _figure(row.own.instructions / samples),
                "" if row.calls is None else _figure(row.calls / samples),
                "" if row.stack_bytes is None else f"{row.stack_bytes:,}",
                *extra.cells(row.own),
            )
            for row in rows[:top]
        ],
        left=1,
        least=("instructions", *extra.headings, "stack"),
        left_out=rows[top:],
        profile=profile,
    )


def line_table(profile: Profile, top: int) -> Table:
    """Return the source lines with the most cycles."""
    rows = tables.by_line(profile)
    extra = _Extra(profile, (row.own for row in rows))
    return _table(
        ("line", "cycles", "share", "instructions", *extra.headings, "function", "source"),
        [
            (
                f"{row.file}:{row.line}" if row.line is not None else "",
                *_cells(profile, row.own),
                *extra.cells(row.own),
                row.function,
                row.text,
            )
            for row in rows[:top]
        ],
        left=1,
        least=("instructions", *extra.headings),
        left_out=rows[top:],
        profile=profile,
        right=2,
    )


def instruction_table(profile: Profile, top: int) -> Table:
    """Return the instructions with the most cycles."""
    rows = tables.by_instruction(profile)
    extra = _Extra(profile, (row.own for row in rows))
    return _table(
        ("address", "cycles", "share", "executions", *extra.headings, "instruction", "function", "line"),
        [
            (
                "" if row.address is None else f"{row.address:#x}",
                *_cells(profile, row.own),
                *extra.cells(row.own),
                "" if row.address is None else row.text,
                row.function,
                f"{row.file}:{row.line}" if row.line is not None else "",
            )
            for row in rows[:top]
        ],
        left=1,
        least=("executions", *extra.headings),
        left_out=rows[top:],
        profile=profile,
        right=3,
    )


def tree_table(profile: Profile, top: int) -> Table:
    """Return the paths of calls whose cycles count, indented by depth."""
    whole, samples = profile.cycles, profile.samples
    listed = [one for one in tables.tree(profile).walk() if one.total_cycles >= _LEAST_OF_TREE * whole]
    return Table(
        "",
        ("path of calls", "with callees", "share", "own cycles", "share of own"),
        tuple(
            (
                "  " * (one.depth - 1) + one.function,
                _figure(one.total_cycles / samples),
                _share(one.total_cycles, whole),
                _figure(one.own_cycles / samples),
                _share(one.own_cycles, whole),
            )
            for one in listed[: max(top, 2 * top)]
        ),
        left=1,
    )


def heat_table(profile: Profile, top: int) -> Table:
    """Return the places in memory with the most loads and stores."""
    samples = profile.samples
    return Table(
        "",
        ("memory", "address", "bytes", "loads", "stores"),
        tuple(
            (
                one.place,
                f"{one.address:#x}",
                f"{one.size_bytes:,}",
                _figure(one.loads / samples),
                _figure(one.stores / samples),
            )
            for one in tables.heat(profile)[:top]
        ),
        left=1,
    )


def objects(
    profile: Profile, by: By | None, top: int | None, *, tree: bool, heat: bool
) -> list[Mapping[str, object]]:
    """Return the rows of the chosen table as flat objects, means per call, with what was profiled in each."""
    if tree:
        return [_object(profile, "path", one) for one in _paths(profile)[:top]]
    if heat:
        return [_object(profile, "memory", one) for one in _memory(profile)[:top]]
    rows: dict[By, Sequence[Mapping[str, object]]] = {
        "function": [
            {
                "function": row.function,
                "file": row.file,
                **_costs(profile, row.own),
                "total_cycles": row.total_cycles / profile.samples,
                "calls": None if row.calls is None else row.calls / profile.samples,
                "stack_bytes": row.stack_bytes,
            }
            for row in tables.by_function(profile)
        ],
        "line": [
            {
                "file": row.file,
                "line": row.line,
                "function": row.function,
                "text": row.text,
                **_costs(profile, row.own),
            }
            for row in tables.by_line(profile)
        ],
        "instruction": [
            {
                "address": row.address,
                "text": row.text,
                "function": row.function,
                "file": row.file,
                "line": row.line,
                **_costs(profile, row.own),
            }
            for row in tables.by_instruction(profile)
        ],
    }
    return [_object(profile, by or "function", one) for one in rows[by or "function"][:top]]


def _object(profile: Profile, by: str, row: Mapping[str, object]) -> dict[str, object]:
    """Return a row with what was profiled; the cycles of all are called `call_cycles` there."""
    cell = {("call_" + name if name in row else name): value for name, value in profile.cell.items()}
    return {"by": by, **row, **cell}


def _paths(profile: Profile) -> list[Mapping[str, object]]:
    found: list[Mapping[str, object]] = []
    path: list[str] = []
    for one in tables.tree(profile).walk():
        path[one.depth - 1 :] = [one.function]
        samples = profile.samples
        found.append(
            {
                "path": ";".join(path),
                "cycles": one.own_cycles / samples,
                "total_cycles": one.total_cycles / samples,
            }
        )
    return found


def _memory(profile: Profile) -> list[Mapping[str, object]]:
    return [
        {
            "memory": one.place,
            "address": one.address,
            "bytes": one.size_bytes,
            "loads": one.loads / profile.samples,
            "stores": one.stores / profile.samples,
        }
        for one in tables.heat(profile)
    ]


def _costs(profile: Profile, cost: Cost) -> dict[str, object]:
    samples = profile.samples
    waits = {f"wait_{name.replace('-', '_')}_cycles": 0.0 for name in profile.causes}
    for name, cycles in tables.shares(cost, profile.causes).items():
        waits[f"wait_{name.replace('-', '_')}_cycles"] = cycles / samples
    return {
        "cycles": cost.cycles / samples,
        "share": cost.cycles / profile.cycles if profile.cycles else 0.0,
        "instructions": cost.instructions / samples,
        "energy_nj": None if cost.energy_nj is None else cost.energy_nj / samples,
        **waits,
    }


class _Extra:
    """Columns of waits by cause, where there are any, and of energy, where there is a model."""

    def __init__(self, profile: Profile, costs: Iterable[Cost]) -> None:
        self._samples = profile.samples
        listed = list(costs)
        self._causes = [
            place
            for place in range(len(profile.causes))
            if any(cost.causes[place] for cost in listed if cost.causes)
        ]
        self._energy = profile.energy_nj is not None
        self.headings = (
            *(profile.causes[place] for place in self._causes),
            *(("nJ",) if self._energy else ()),
        )

    def cells(self, cost: Cost) -> tuple[str, ...]:
        """Return the cells of a row."""
        causes = cost.causes or (0,) * (max(self._causes, default=-1) + 1)
        waits = (_figure(causes[place] / self._samples) if causes[place] else "" for place in self._causes)
        energy = ("" if cost.energy_nj is None else _figure(cost.energy_nj / self._samples),)
        return (*waits, *(energy if self._energy else ()))


def _table(
    headings: tuple[str, ...],
    rows: list[tuple[str, ...]],
    *,
    left: int,
    least: tuple[str, ...],
    left_out: Sequence[tables.FunctionRow | tables.LineRow | tables.InstructionRow],
    profile: Profile,
    right: int = 0,
) -> Table:
    """Return a table, with a last row for what was left out; `right` columns at its end are texts."""
    if left_out:
        cycles = sum(row.own.cycles for row in left_out)
        name = f"{len(left_out):,} more"
        cells = {"cycles": _figure(cycles / profile.samples), "share": _share(cycles, profile.cycles)}
        rows = [*rows, (name, *(cells.get(heading, "") for heading in headings[1:]))]
    numeric = tuple(left <= place < len(headings) - right for place in range(len(headings)))
    return Table("", headings, tuple(rows), left=left, least_needed=least, numeric=numeric)


def _cells(profile: Profile, cost: Cost) -> tuple[str, str, str]:
    return (
        _figure(cost.cycles / profile.samples),
        _share(cost.cycles, profile.cycles),
        _figure(cost.instructions / profile.samples),
    )


def _whole(profile: Profile) -> Cost:
    cost = Cost()
    for one in profile.spent:
        cost.add(one)
    return cost


def _figure(value: float) -> str:
    """Return a mean with a decimal where it is no whole number."""
    return f"{value:,.0f}" if value == round(value) else f"{value:,.1f}"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""


def difference_page(
    one: Profile, other: Profile, chosen: Mapping[str, Sequence[Changed]], top: int
) -> Iterator[Table | str]:
    """Yield what a terminal shows of two profiles: what they are, then functions and lines that differ."""
    before, after = one.cycles / one.samples, other.cycles / other.samples
    ratio = f", {100 * (after / before - 1):+.1f} %" if before else ""
    yield f"A: {one.title}\nB: {other.title}"
    yield f"{_figure(before)} cycles, then {_figure(after)}: {_signed(after - before)}{ratio}"
    for profile in (one, other):
        if profile.no_lines is not None:
            yield f"No source lines: {profile.no_lines}."
    if "function" in chosen:
        yield _difference_table(("function",), [((row.name,), row) for row in chosen["function"]], top)
    if "line" in chosen:
        rows = [((row.name, row.function, row.text), row) for row in chosen["line"]]
        yield _difference_table(("line", "function", "source"), rows, top)


def _difference_table(
    names: tuple[str, ...], rows: Sequence[tuple[tuple[str, ...], Changed]], top: int
) -> Table:
    """Return a table whose last row, if any were left out, is their sum; texts stand behind the figures."""
    listed = [((name[0], *_compared(row.before, row.after)), name[1:]) for name, row in rows[:top]]
    rest = [row for _, row in rows[top:]]
    if rest:
        sums = (sum(row.before for row in rest), sum(row.after for row in rest))
        listed.append(((f"{len(rest):,} more", *_compared(*sums)), ("",) * (len(names) - 1)))
    headings = (names[0], "A", "B", "difference", *names[1:])
    numeric = tuple(1 <= place <= 3 for place in range(len(headings)))
    return Table("", headings, tuple((*cells, *texts) for cells, texts in listed), left=1, numeric=numeric)


def difference_objects(chosen: Mapping[str, Sequence[Changed]]) -> list[Mapping[str, object]]:
    """Return the rows as flat objects, means per call."""
    return [
        {
            "by": by,
            "name": row.name,
            "function": row.function,
            "text": row.text,
            "before_cycles": row.before,
            "after_cycles": row.after,
            "difference": row.difference,
        }
        for by, rows in chosen.items()
        for row in rows
    ]


def _compared(before: float, after: float) -> tuple[str, str, str]:
    return _figure(before), _figure(after), _signed(after - before)


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else ''}{_figure(value)}"
