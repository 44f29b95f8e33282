"""A profile by function, by source line, by instruction, as a tree of calls, and by place in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from steelyard.machine.result import CALL_ADDRESS
from steelyard.profile.model import CALLER, Heat, Profile, Spent

By = Literal["function", "line", "instruction"]


@dataclass
class Cost:
    """What something cost, of all samples: cycles, instructions, cycles by cause, nanojoules."""

    cycles: int = 0
    instructions: int = 0
    causes: tuple[int, ...] = ()
    energy_nj: float | None = None

    def add(self, one: Spent) -> None:
        """Add what was spent."""
        self.cycles += one.cycles
        self.instructions += one.executions
        self.causes = tuple(
            had + more for had, more in zip(self.causes or (0,) * len(one.causes), one.causes, strict=True)
        )
        if one.energy_nj is not None:
            self.energy_nj = (self.energy_nj or 0.0) + one.energy_nj


@dataclass
class FunctionRow:
    """A function: its own cost, and cycles with what it called.

    `calls` and `stack_bytes` are None of a function that was only inlined.
    """

    function: str
    file: str | None = None
    own: Cost = field(default_factory=Cost)
    total_cycles: int = 0
    calls: int | None = None
    stack_bytes: int | None = None


@dataclass
class LineRow:
    """A source line; `line` is None of code without one, which is told apart by its function."""

    file: str | None
    line: int | None
    function: str
    text: str = ""
    own: Cost = field(default_factory=Cost)


@dataclass
class InstructionRow:
    """An instruction, with its function and its source line where that is known."""

    address: int | None
    text: str
    function: str
    file: str | None = None
    line: int | None = None
    own: Cost = field(default_factory=Cost)


@dataclass
class Branch:
    """A function on a path of calls: its own cycles, and cycles with what it called."""

    function: str
    depth: int
    own_cycles: int = 0
    total_cycles: int = 0
    below: dict[str, Branch] = field(default_factory=dict)

    def walk(self) -> Iterator[Branch]:
        """Yield what is below, the most expensive first, each before what it called."""
        for branch in sorted(self.below.values(), key=lambda one: (-one.total_cycles, one.function)):
            yield branch
            yield from branch.walk()


def by_function(profile: Profile) -> list[FunctionRow]:
    """Return the functions, inlined ones too, by their own cycles; the sum of these is the profile's."""
    rows: dict[str, FunctionRow] = {}
    files = _files(profile)

    def row(name: str) -> FunctionRow:
        return rows.setdefault(name, FunctionRow(name, files.get(name)))

    for one in profile.spent:
        stack = profile.stack(one)
        row(stack[-1]).own.add(one)
        for name in dict.fromkeys(stack):
            row(name).total_cycles += one.cycles
    for node in profile.nodes:
        known = rows.get(node.function)
        if known is not None:
            known.calls = (known.calls or 0) + node.calls
            known.stack_bytes = max(known.stack_bytes or 0, node.stack_bytes)
    return sorted(rows.values(), key=lambda one: (-one.own.cycles, -one.total_cycles, one.function))


def by_line(profile: Profile) -> list[LineRow]:
    """Return the source lines by their cycles; the sum of these is the profile's."""
    rows: dict[tuple[object, ...], LineRow] = {}
    for one in profile.spent:
        function = profile.stack(one)[-1]
        file, line = place_of(profile, one)
        key = (file, line) if line is not None else (None, None, function)
        if key not in rows:
            text = profile.texts.get(file or "", {}).get(line or 0, "")
            rows[key] = LineRow(file if line is not None else None, line, function, text)
        rows[key].own.add(one)
    return sorted(rows.values(), key=lambda one: (-one.own.cycles, one.file or "", one.line or 0))


def by_instruction(profile: Profile) -> list[InstructionRow]:
    """Return the instructions by their cycles; the sum of these is the profile's."""
    rows: dict[int, InstructionRow] = {}
    for one in profile.spent:
        if one.address not in rows:
            if one.address == CALL_ADDRESS:
                rows[one.address] = InstructionRow(None, CALLER, CALLER)
            else:
                code = profile.by_address[one.address]
                file, line = place_of(profile, one)
                function = profile.stack(one)[-1]
                rows[one.address] = InstructionRow(one.address, code.text, function, file, line)
        rows[one.address].own.add(one)
    return sorted(rows.values(), key=lambda one: (-one.own.cycles, one.address or 0))


def tree(profile: Profile) -> Branch:
    """Return the paths of calls, inlined functions included, below a root that stands for all."""
    root = Branch(profile.title, 0, total_cycles=profile.cycles)
    for one in profile.spent:
        here = root
        for function in profile.stack(one):
            here = here.below.setdefault(function, Branch(function, here.depth + 1))
            here.total_cycles += one.cycles
        here.own_cycles += one.cycles
    return root


def heat(profile: Profile) -> list[Heat]:
    """Return the places in memory by their loads and stores."""
    return sorted(profile.heat, key=lambda one: (-one.loads - one.stores, one.address))


def place_of(profile: Profile, one: Spent) -> tuple[str | None, int | None]:
    """Return file and line of what was spent, those of the innermost function."""
    if one.address == CALL_ADDRESS:
        return None, None
    frames = profile.by_address[one.address].frames
    return (frames[0].file, frames[0].line) if frames else (None, None)


def folded(profile: Profile) -> dict[tuple[str, ...], int]:
    """Return the cycles of every path of functions, of all samples, in the order of the paths."""
    found: dict[tuple[str, ...], int] = {}
    for one in profile.spent:
        stack = profile.stack(one)
        found[stack] = found.get(stack, 0) + one.cycles
    return dict(sorted(item for item in found.items() if item[1]))


def _files(profile: Profile) -> dict[str, str]:
    """Return the file of each function where the debug information names one."""
    found: dict[str, str] = {}
    for code in profile.code:
        for place, frame in enumerate(code.frames):
            name = code.function if place == len(code.frames) - 1 else frame.function
            if name is not None and frame.file is not None:
                found.setdefault(name, frame.file)
    return found


def shares(cost: Cost, causes: Iterable[str]) -> dict[str, int]:
    """Return the cycles by cause that are not 0."""
    return {name: cycles for name, cycles in zip(causes, cost.causes, strict=False) if cycles}
