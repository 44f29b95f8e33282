"""A profile as data: what every instruction cost on every path of calls, and what each of them is."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, ValidationError, model_validator

from steelyard.catalog.load import first_problem
from steelyard.catalog.models import Strict
from steelyard.errors import UsageError
from steelyard.machine import Frame
from steelyard.machine.result import CALL_ADDRESS

_Count = Annotated[int, Field(ge=0)]

CALLER = "(the call itself)"
"""Name of the call instruction, which belongs to the caller: its cycles are those of the record too."""


class Node(NamedTuple):
    """A function reached by one path of calls.

    `parent` is the number of the calling node, -1 of a function called from outside; `stack_bytes` is the
    deepest stack in it below the stack pointer at the outermost call.
    """

    parent: int
    function: str
    calls: _Count
    stack_bytes: _Count


class Code(NamedTuple):
    """An instruction: address, text, function by the symbols, and functions by the debug information.

    Of the frames the innermost comes first; there are none without debug information.
    """

    address: int
    text: str
    function: str
    frames: tuple[Frame, ...]


class Spent(NamedTuple):
    """Cost of an instruction in a node: executions and cycles of all samples, cycles by cause, nanojoules."""

    node: _Count
    address: int
    executions: _Count
    cycles: _Count
    causes: tuple[_Count, ...]
    energy_nj: float | None


class Heat(NamedTuple):
    """Loads and stores of a symbol, a buffer or the stack, of all samples."""

    place: str
    address: int
    size_bytes: _Count
    loads: _Count
    stores: _Count


class Profile(Strict):
    """Profile of one cell, or of one call of an image.

    `cell` says what was profiled, in fields of a record. All counts are sums over the samples; the cycles of
    `spent` are the record's cycles times its samples, exactly. `texts` holds the source lines that occur, by
    file and number. `no_lines` says why there are none.
    """

    format: Literal["steelyard-profile 1"] = "steelyard-profile 1"
    title: str
    cell: dict[str, str | int | float | bool | None]
    samples: Annotated[int, Field(ge=1)]
    stack_bytes: int
    energy_nj: float | None
    causes: tuple[str, ...]
    nodes: tuple[Node, ...]
    code: tuple[Code, ...]
    spent: tuple[Spent, ...]
    heat: tuple[Heat, ...]
    texts: dict[str, dict[int, str]]
    no_lines: str | None

    @model_validator(mode="after")
    def _whole(self) -> Profile:
        """Refuse what no run leaves behind: paths without a beginning, or sums that are not the record's."""
        if any(not -1 <= node.parent < number for number, node in enumerate(self.nodes)):
            raise ValueError("a node is called by none before it")
        known = self.by_address.keys() | {CALL_ADDRESS}
        for one in self.spent:
            if one.node >= len(self.nodes) or one.address not in known or len(one.causes) != len(self.causes):
                raise ValueError(f"what was spent at {one.address:#x} belongs to nothing")
        cycles = self.cell.get("cycles")
        if not isinstance(cycles, int | float) or abs(cycles * self.samples - self.cycles) > 0.5:
            raise ValueError("its cycles are not those of its record")
        return self

    @cached_property
    def cycles(self) -> int:
        """Clock cycles of all samples."""
        return sum(one.cycles for one in self.spent)

    @cached_property
    def instructions(self) -> int:
        """Executed instructions of all samples."""
        return sum(one.executions for one in self.spent)

    @cached_property
    def by_address(self) -> dict[int, Code]:
        """Instructions by address."""
        return {one.address: one for one in self.code}

    @cached_property
    def paths(self) -> tuple[tuple[str, ...], ...]:
        """Functions on the way to each node, the outermost first."""
        found: list[tuple[str, ...]] = []
        for node in self.nodes:
            found.append((*(found[node.parent] if node.parent >= 0 else ()), node.function))
        return tuple(found)

    def stack(self, one: Spent) -> tuple[str, ...]:
        """Return the functions of what was spent, the outermost first, inlined ones included."""
        if one.address == CALL_ADDRESS:
            return (CALLER,)
        inlined = self.by_address[one.address].frames[:-1]
        return (*self.paths[one.node], *(frame.function or "?" for frame in reversed(inlined)))

    def text(self) -> str:
        """Return the profile as JSON, as `read` takes it."""
        return json.dumps(self.model_dump(mode="json"), separators=(",", ":"))


def read(content: dict[str, Any] | bytes, name: str) -> Profile:
    """Return a profile from JSON; UsageError, which begins with the name, for anything else."""
    try:
        # In JSON's own mode a list may stand for a tuple.
        text = content if isinstance(content, bytes) else json.dumps(content)
        return Profile.model_validate_json(text)
    except ValidationError as error:
        raise UsageError(
            f"{name}: no profile that this Steelyard reads: {first_problem(error, Profile)}"
        ) from None
