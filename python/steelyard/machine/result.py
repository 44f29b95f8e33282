"""Results of a call, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from steelyard import _native
from steelyard._native import CallResult, Events, MemoryCounters
from steelyard.catalog.models import LeakKind

_RETURN_BYTES = 8


class Permit(NamedTuple):
    """Bytes of the data space, from an address, that a program may read, and write if `write` says so."""

    address: int
    size_bytes: int
    write: bool


class Fault(NamedTuple):
    """Reason why a program was stopped; `pc` is a byte address, `message` one sentence."""

    kind: str
    message: str
    pc: int
    address: int | None


class FunctionCost(NamedTuple):
    """Cost of a function without its callees; `?` is code outside every symbol, and the call instruction."""

    name: str
    cycles: int
    instructions: int


class Leak(NamedTuple):
    """An instruction that depended on secrets in one way, in `times` executions; `address` is a byte address.

    `kind` is one of those of the native emulator. `lowest` and `highest` are the first and the last byte that
    a load or store reached, None of other kinds.
    """

    kind: LeakKind
    address: int
    times: int
    lowest: int | None
    highest: int | None

    def followed_by(self, later: Leak) -> Leak:
        """Return both as one; they are of the same instruction and kind."""
        lows = [low for low in (self.lowest, later.lowest) if low is not None]
        highs = [high for high in (self.highest, later.highest) if high is not None]
        return Leak(
            self.kind,
            self.address,
            self.times + later.times,
            min(lows, default=None),
            max(highs, default=None),
        )


class Passed(NamedTuple):
    """An instruction through which a secret went; `pc` is a byte address, `text` empty if there is none.

    `address` is what it accessed if it moved the secret from or to memory, or what the secret made it access.
    """

    pc: int
    text: str
    address: int | None


Aspect = Literal["flow", "address", "cycles"]
"""What may differ between two runs: the instructions executed, the addresses of data, the time they take."""


class Difference(NamedTuple):
    """An instruction at which two runs begin to differ in an aspect; pairs are of both runs, in their order.

    `number` counts instructions from 0, `before` is the byte address of the last one before it, which is
    common to both. The `pc` differ in the flow only; None where that run has ended. `address` are the first
    addresses of data in which they differ, None where there is no such access. `cycles` are those of the
    instruction.
    """

    aspect: Aspect
    number: int
    before: int | None
    pc: tuple[int | None, int | None]
    address: tuple[int | None, int | None]
    cycles: tuple[int | None, int | None]


class Node(NamedTuple):
    """A function reached by one path of calls.

    `parent` is the number of the node that called it, -1 of the function that was called from outside;
    `address` is the start of the function, or of code without a symbol where it was entered first.
    `stack_bytes` is the deepest stack while the flow was in it, below the stack pointer at the call from
    outside.
    """

    parent: int
    address: int
    calls: int
    stack_bytes: int


class Line(NamedTuple):
    """Cost of an instruction in a node, given by its number; `causes` are cycles by `Detail.causes`."""

    node: int
    address: int
    executions: int
    cycles: int
    causes: tuple[int, ...]


class Block(NamedTuple):
    """Loads and stores that began in a block of 16 bytes."""

    address: int
    loads: int
    stores: int


CALL_ADDRESS = 0xFFFF_FFFF
"""Address of the call instruction itself in a `Line`: it belongs to no code of the image."""


@dataclass(frozen=True)
class Detail:
    """Cost of a call by call path and instruction.

    The cycles of `spent` are those of the call, its executions the call's instructions. Node 0 is the called
    function. `causes` names reasons for cycles beyond those that an instruction takes to execute.
    """

    causes: tuple[str, ...]
    nodes: tuple[Node, ...]
    spent: tuple[Line, ...]
    heat: tuple[Block, ...]

    @classmethod
    def from_native(cls, detail: _native.Detail) -> Detail:
        """Convert the emulator's dictionary."""
        return cls(
            causes=tuple(detail["causes"]),
            nodes=tuple(Node(*node) for node in detail["nodes"]),
            spent=tuple(Line(*line) for line in detail["spent"]),
            heat=tuple(Block(*block) for block in detail["heat"]),
        )

    def followed_by(self, later: Detail) -> Detail:
        """Return both as one with two trees; the later one's nodes follow, its first with the parent -1."""
        first = len(self.nodes)
        heat = {block.address: block for block in self.heat}
        for block in later.heat:
            had = heat.get(block.address, Block(block.address, 0, 0))
            heat[block.address] = Block(block.address, had.loads + block.loads, had.stores + block.stores)
        parents = (first + node.parent if node.parent >= 0 else -1 for node in later.nodes)
        moved = (node._replace(parent=parent) for node, parent in zip(later.nodes, parents, strict=True))
        return Detail(
            causes=self.causes,
            nodes=(*self.nodes, *moved),
            spent=(*self.spent, *(line._replace(node=first + line.node) for line in later.spent)),
            heat=tuple(heat[address] for address in sorted(heat)),
        )


class Call(NamedTuple):
    """One call of a function: from the start of the call instruction to the first one after the return."""

    fault: Fault | None
    cycles: int
    instructions: int
    stack_bytes: int
    argument_bytes: int
    mix: Mapping[str, int]
    loads: int
    stores: int
    register_reads: int
    register_writes: int
    branches: int
    branches_taken: int
    functions: tuple[FunctionCost, ...]
    return_registers: bytes
    least_result_bytes: int
    memory: MemoryCounters | None
    leaks: tuple[Leak, ...] | None = None
    """In the order of their first executions; None unless secrets were observed."""
    detail: Detail | None = None

    def returned(self, size_bytes: int) -> int:
        """Return the unsigned result of a function whose C type has `size_bytes` bytes (1 to 8)."""
        if not 1 <= size_bytes <= _RETURN_BYTES:
            raise ValueError(f"a result takes 1 to {_RETURN_BYTES} bytes, not {size_bytes}")
        # AVR-GCC: results end in r25; 1 byte takes the room of 2, 3 bytes that of 4, 5 to 7 that of 8.
        least_bytes = max(size_bytes, self.least_result_bytes)
        room = 2 if least_bytes <= 2 else 4 if least_bytes <= 4 else 8
        start = _RETURN_BYTES - room
        return int.from_bytes(self.return_registers[start : start + size_bytes], "little")

    def followed_by(self, later: Call) -> Call:
        """Return both calls as one, whose result is the later one's and whose stack the deeper one's."""
        deeper = max(self, later, key=lambda call: call.stack_bytes)
        functions: dict[str, FunctionCost] = {}
        for name, cycles, instructions in (*self.functions, *later.functions):
            had = functions.get(name, FunctionCost(name, 0, 0))
            functions[name] = FunctionCost(name, had.cycles + cycles, had.instructions + instructions)
        sums = {name: getattr(self, name) + getattr(later, name) for name in _COUNTED}
        return later._replace(
            stack_bytes=deeper.stack_bytes,
            argument_bytes=deeper.argument_bytes,
            mix=_summed(self.mix, later.mix),
            functions=tuple(functions.values()),
            memory=None if self.memory is None else _summed(self.memory, later.memory or {}),
            leaks=_all_leaks(self.leaks, later.leaks),
            detail=self.detail.followed_by(later.detail) if self.detail and later.detail else None,
            **sums,
        )

    @classmethod
    def from_native(cls, result: CallResult) -> Call:
        """Convert the emulator's dictionary."""
        fault = result["fault"]
        return cls(
            fault=None if fault is None else Fault(**fault),
            cycles=result["cycles"],
            instructions=result["instructions"],
            stack_bytes=result["stack_bytes"],
            argument_bytes=result["argument_bytes"],
            mix=result["mix"],
            loads=result["loads"],
            stores=result["stores"],
            register_reads=result["register_reads"],
            register_writes=result["register_writes"],
            branches=result["branches"],
            branches_taken=result["branches_taken"],
            functions=tuple(FunctionCost(**function) for function in result["functions"]),
            return_registers=result["return_value"].to_bytes(_RETURN_BYTES, "little"),
            least_result_bytes=result["least_result_bytes"],
            memory=result["memory"],
            leaks=None if result["leaks"] is None else tuple(Leak(**leak) for leak in result["leaks"]),
            detail=None if result["detail"] is None else Detail.from_native(result["detail"]),
        )


_COUNTED = (
    *("cycles", "instructions", "loads", "stores", "register_reads", "register_writes"),
    *("branches", "branches_taken"),
)


def _summed(one: Mapping[str, Any], other: Mapping[str, Any]) -> Any:
    return {name: one.get(name, 0) + other.get(name, 0) for name in dict.fromkeys((*one, *other))}


def _all_leaks(one: tuple[Leak, ...] | None, other: tuple[Leak, ...] | None) -> tuple[Leak, ...] | None:
    if one is None or other is None:
        return one if other is None else other
    found = {(leak.kind, leak.address): leak for leak in one}
    for leak in other:
        had = found.get((leak.kind, leak.address))
        found[leak.kind, leak.address] = leak if had is None else had.followed_by(leak)
    return tuple(found.values())


class Series(NamedTuple):
    """A call, observed as by "none", and its events by windows of cycles, in their order."""

    call: Call
    windows: tuple[Events, ...]


class BatchCall(NamedTuple):
    """A call that every item of a batch makes.

    Arguments are (value, size in bytes). `places` is the number of the batch's places, the next ones in their
    order, that are written right before it.
    """

    function: int
    arguments: list[tuple[int, int]]
    places: int


class BatchFault(NamedTuple):
    """Reason why a batch ended early; `item` is the number of the item, from 0."""

    kind: str
    message: str
    item: int


class Batch(NamedTuple):
    """What a batch did.

    `content` holds, for every complete item, the bytes of its outputs and then 2 bytes of each call's result,
    as `Call.returned(2)` has it, little endian. `cycles` are those of all calls, also of an item that
    faulted.
    """

    content: bytes
    cycles: int
    fault: BatchFault | None
