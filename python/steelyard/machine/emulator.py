"""One emulated chip: load an image, call its functions with integers and buffers."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from types import TracebackType
from typing import Literal

from steelyard import _native
from steelyard.catalog.models import Memory, Target
from steelyard.errors import UsageError
from steelyard.machine.result import (
    Aspect,
    Batch,
    BatchCall,
    BatchFault,
    Call,
    Difference,
    Leak,
    Passed,
    Permit,
    Series,
)
from steelyard.nearest import unknown

Trace = _native.Trace
"""A traced call, see `Emulator.trace`."""

EMULATOR_VERSION = _native.EMULATOR_VERSION

Space = Literal["program", "data", "eeprom"]
"""One of a chip's address spaces; on a CPU with a single one, program and data are the same."""

Observe = Literal["none", "stack", "profile", "detail", "secrets"]
"""What a call observes: cycles; instructions and the stack too; the mix and functions too; or, instead of
these two and by a machine that follows secrets, what depends on secrets."""

START_UP_CYCLES = 10_000_000
"""Cycle limit of an image's start-up code, far above clearing 64 KB byte by byte."""

_LAB = "lab"
_BUFFER_ALIGNMENT_BYTES = 8


def describe(target: Target) -> str:
    """Return the description of a chip in the native emulator's format."""
    description = {
        "core": target.core,
        "memory": [memory.model_dump(exclude_none=True) for memory in target.file.memory],
        "core_options": target.file.core_options,
        "clock_hz": target.file.clock_hz,
    }
    if target.file.cache is not None:
        description["cache"] = target.file.cache.model_dump(exclude_none=True)
    if target.file.flash is not None:
        description["flash"] = target.file.flash.model_dump(exclude_none=True)
    return json.dumps(description)


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction of a core, as its family's rows have it.

    `pattern` has its fixed bits from the highest down, or from the first byte on, and a dot for each free
    one. `section` is that of the family's manual, `kind` the class in the mix.
    """

    mnemonic: str
    pattern: str
    operands: tuple[str, ...]
    section: str
    kind: str


def instructions(target: Target) -> tuple[Instruction, ...]:
    """Return the instructions of a chip's core."""
    rows = _native.instructions(describe(target))
    return tuple(
        Instruction(mnemonic, pattern, tuple(operands), section, kind)
        for mnemonic, pattern, operands, section, kind in rows
    )


class _Refusals:
    """Turns the emulator's refusals into UsageError, because the input causes them."""

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, _native.ElfError | _native.MachineError):
            raise UsageError(f"{self._prefix}{error}.") from None


_refusals = _Refusals()


class Emulator:
    """A chip of the catalogue. Not thread-safe, but other Python threads run during calls."""

    def __init__(self, target: Target, *, shadow: bool = False) -> None:
        """Build the machine of a target. UsageError if the target's data do not make one.

        With `shadow` it follows secrets through registers, flags and memory: bytes that `mark` made secret,
        and what is computed from them. Then "secrets" can be observed, but neither "profile" nor `series`,
        and its memories answer at once, so that its cycles are no figures of the chip.
        """
        with _Refusals(f"target {target.id}: "):
            self._machine = _native.Machine(describe(target), shadow=shadow)
        self._pointer_bytes = 2 if target.file.word_bits <= 16 else target.file.word_bits // 8
        self._lab = next((memory for memory in target.file.memory if memory.name == _LAB), None)
        self._buffers: dict[str, tuple[int, int]] = {}
        self._next_free = self._lab.base if self._lab else 0
        self._symbols: dict[str, tuple[int, int]] = {}
        self._functions: list[tuple[str, int, int]] | None = None

    def load(self, image: bytes, start_until: str | None = None, *, raw_address: int | None = None) -> None:
        """Load an ELF image, or raw bytes at an address; with `start_until` run up to that symbol.

        `reset` returns to the state reached. UsageError if the image is refused.
        """
        self._symbols, self._functions = {}, None
        with _refusals:
            if raw_address is None:
                self._machine.load_elf(image)
            else:
                self._machine.load_raw(raw_address, image)
            self._symbols = self._machine.symbols()
            if start_until is not None:
                self.address(start_until)
                self._machine.run_until(start_until, START_UP_CYCLES)
        self._machine.snapshot()
        self._forget_buffers()

    def keep(self) -> None:
        """Let `reset` return to the present state."""
        self._machine.snapshot()

    def reset(self) -> None:
        """Return to the state after `load` or `keep`; buffers are forgotten."""
        self._machine.restore()
        self._forget_buffers()

    def symbols(self) -> dict[str, tuple[int, int]]:
        """Return address and size in bytes by name."""
        return dict(self._symbols)

    def functions(self) -> list[tuple[str, int, int]]:
        """Return name, address and bytes of each function or label in code, by address; no two overlap."""
        return self._machine.functions()

    def function_at(self, address: int) -> str | None:
        """Return the name of the function that the instruction at a byte address belongs to."""
        if self._functions is None:
            self._functions = self.functions()
        place = bisect_right(self._functions, address, key=itemgetter(1)) - 1
        if place < 0:
            return None
        name, start, size = self._functions[place]
        return name if address < start + size else None

    def address(self, symbol: str) -> int:
        """Return the address of a symbol; UsageError names the nearest one if it is unknown."""
        found = self._symbols.get(symbol)
        if found is None:
            raise UsageError(unknown("symbol", symbol, self._symbols))
        return found[0]

    def place(self, what: int | str) -> tuple[Space, int, int]:
        """Return space, address in it, and bytes of a symbol, or of an address as linkers number it (0
        bytes).
        """
        if isinstance(what, str):
            self.address(what)
        return self._machine.place(what)

    def run(
        self,
        start: int | None,
        stop: int,
        *,
        max_cycles: int,
        observe: Observe = "profile",
        writes: Sequence[tuple[int, bytes]] = (),
        registers: Mapping[str, int] | None = None,
    ) -> Call:
        """Reset the CPU, run from an address or from the image's start, and stop before another address.

        `writes` are (address in the data space, content) to be written behind the reset, registers that lie
        there included; `registers` are values of the CPU's own by their names. A fault is part of the result.
        UsageError if no instruction can lie at either address, a place cannot be written, or a register
        cannot have its value.
        """
        placed = self.registers(registers or {})
        with _refusals:
            result = self._machine.run(
                start, stop, max_cycles=max_cycles, observe=observe, writes=list(writes), registers=placed
            )
        return Call.from_native(result)

    def registers(self, values: Mapping[str, int]) -> list[tuple[int, int]]:
        """Return each register's place among those of the machine, and its value; UsageError like `run`."""
        known = {name: (place, bits) for place, (name, bits) in enumerate(self._machine.registers())}
        placed = []
        for name, value in values.items():
            if name not in known:
                raise UsageError(unknown("register", name, known))
            place, bits = known[name]
            if not 0 <= value < 1 << bits:
                raise UsageError(f"register {name} has {bits} bits, too few for 0x{value:x}.")
            placed.append((place, value))
        return placed

    def ignore(self, places: Sequence[tuple[int, int]] | None) -> None:
        """Let loads read zeros and stores change nothing where no memory lies at the places (address, bytes).

        None ends that. UsageError on a chip whose peripherals' registers are plain memory.
        """
        with _refusals:
            self._machine.ignore(None if places is None else list(places))

    @property
    def ignored(self) -> int:
        """The number of such accesses since `ignore`."""
        return self._machine.ignored()

    def buffer(self, name: str, content: bytes) -> int:
        """Place a named buffer in lab memory and return its address.

        A name given again keeps its place if the content has the same length.
        """
        placed = self._buffers.get(name)
        if placed is None:
            placed = (self._allocate(name, len(content)), len(content))
            self._buffers[name] = placed
        elif placed[1] != len(content):
            raise UsageError(f'buffer "{name}" has {placed[1]} bytes, not {len(content)}.')
        self._machine.write("data", placed[0], content)
        return placed[0]

    def content(self, name: str) -> bytes:
        """Return the present content of a named buffer."""
        if name not in self._buffers:
            raise UsageError(unknown("buffer", name, self._buffers))
        return self._machine.read("data", *self._buffers[name])

    def disassembled(self, address: int) -> tuple[str, int] | None:
        """Return the text of the instruction at an address and its length in bytes.

        None where no instruction lies.
        """
        return self._machine.disassembled(address)

    def read(self, space: Space, address: int, length: int) -> bytes:
        """Return bytes of an address space; UsageError where nothing is mapped."""
        with _refusals:
            return self._machine.read(space, address, length)

    def write(self, space: Space, address: int, data: bytes) -> None:
        """Change bytes of an address space; UsageError where that is not possible."""
        with _refusals:
            self._machine.write(space, address, data)

    def mark(self, address: int, length: int, *, secret: bool = True) -> None:
        """Make bytes of the data space secret, or public again.

        Bytes that `buffer` and `write` put into memory are public. UsageError where nothing is mapped, or if
        the machine does not follow secrets.
        """
        with _refusals:
            self._machine.mark(address, length, secret)

    def marks(self, address: int, length: int) -> bytes:
        """Return the secret bits of bytes of the data space; zeros if the machine does not follow secrets."""
        return self._machine.marks(address, length)

    def fence(self, permits: Iterable[Permit] | None) -> None:
        """Make it a fault if the program loads or stores data in RAM outside these permits; None ends that.

        The stack needs a permit too. Flash, EEPROM, I/O and registers in the data space stay open. Cycles
        stay the same. Loading an image ends it as well. UsageError if a permit is no part of the address
        space.
        """
        with _refusals:
            self._machine.fence(None if permits is None else list(permits))

    @property
    def stack_pointer(self) -> int:
        """The stack pointer; calls leave it unchanged."""
        return self._machine.stack_pointer

    @stack_pointer.setter
    def stack_pointer(self, pointer: int) -> None:
        with _refusals:
            self._machine.stack_pointer = pointer

    def empty_stack(self, end: int) -> int:
        """Return the stack pointer of an empty stack in memory that ends before an address."""
        return self._machine.empty_stack(end)

    def empty_caches(self) -> None:
        """Reset caches and branch prediction; no effect on a chip without them."""
        self._machine.empty_caches()

    def call(
        self,
        function: int | str,
        arguments: Iterable[tuple[int, int] | str] = (),
        *,
        max_cycles: int,
        observe: Observe = "profile",
    ) -> Call:
        """Call a function; an argument is (value, size in bytes) or the name of a buffer, whose address is
        passed.

        A fault is part of the result. UsageError for unknown names and impossible arguments.
        """
        where = self.address(function) if isinstance(function, str) else function
        placed = [self._argument(argument) for argument in arguments]
        with _refusals:
            result = self._machine.call(where, placed, max_cycles=max_cycles, observe=observe)
        return Call.from_native(result)

    def trace(
        self,
        function: int | str,
        arguments: Iterable[tuple[int, int] | str] = (),
        *,
        max_cycles: int,
        stretch: int | None = None,
    ) -> tuple[Call, Trace]:
        """Call a function as with observe="none", with empty caches, and trace it: see `first_differences`.

        The events of a stretch of instructions are kept if its number is given. UsageError also if the
        machine follows secrets.
        """
        where = self.address(function) if isinstance(function, str) else function
        placed = [self._argument(argument) for argument in arguments]
        with _refusals:
            result, trace = self._machine.trace(where, placed, max_cycles=max_cycles, stretch=stretch)
        return Call.from_native(result), trace

    def path(
        self,
        function: int | str,
        arguments: Iterable[tuple[int, int] | str] = (),
        *,
        max_cycles: int,
        leak: Leak,
    ) -> tuple[Passed, ...]:
        """Call a function up to the first execution of a leak; return how the secret came there.

        The first entry is the load from marked memory, the last one the leak; between them are instructions
        through which the secret went, at most ten. Where secrets meet in one instruction the way follows one
        of them. The call is left unfinished: `reset` afterwards. It takes about a second for a million
        instructions. UsageError if the call meets no such leak, or if the machine does not follow secrets.
        """
        where = self.address(function) if isinstance(function, str) else function
        placed = [self._argument(argument) for argument in arguments]
        with _refusals:
            way = self._machine.path(where, placed, max_cycles, leak.address, leak.kind)
        return tuple(Passed(*passed) for passed in way)

    def series(
        self,
        function: int | str,
        arguments: Iterable[tuple[int, int] | str] = (),
        *,
        max_cycles: int,
        window_cycles: int,
    ) -> Series:
        """Call a function like `call` and count its events apart for every so many cycles.

        An instruction belongs to the window in which it begins; windows in which none begins are left out.
        UsageError also on a family that cannot tell.
        """
        where = self.address(function) if isinstance(function, str) else function
        placed = [self._argument(argument) for argument in arguments]
        with _refusals:
            result, windows = self._machine.series(
                where, placed, max_cycles=max_cycles, window_cycles=window_cycles
            )
        return Series(Call.from_native(result), tuple(windows))

    def batch(
        self,
        places: Sequence[tuple[int, int]],
        contents: bytes,
        calls: Sequence[BatchCall],
        outputs: Sequence[tuple[int, int]],
        *,
        max_cycles: int,
    ) -> Batch:
        """Make the same calls for item after item and collect what they leave behind.

        `places` and `outputs` are (address in the data space, length in bytes). `contents` holds the bytes of
        all places of the first item, then those of the second, and so on. Every item begins with the memory
        and the registers that the one before it left. `max_cycles` limits each call. A fault ends the batch
        and is part of the result. UsageError if places, contents and calls do not fit together, or where
        nothing is mapped.
        """
        steps = [(call.function, call.arguments, call.places) for call in calls]
        with _refusals:
            content, cycles, fault = self._machine.batch(
                list(places), contents, steps, list(outputs), max_cycles
            )
        return Batch(content, cycles, None if fault is None else BatchFault(*fault))

    def _argument(self, argument: tuple[int, int] | str) -> tuple[int, int]:
        if not isinstance(argument, str):
            return argument
        if argument not in self._buffers:
            raise UsageError(unknown("buffer", argument, self._buffers))
        return self._buffers[argument][0], self._pointer_bytes

    def _allocate(self, name: str, length: int) -> int:
        lab: Memory | None = self._lab
        if lab is None:
            raise UsageError("the target has no lab memory for buffers.")
        address = self._next_free
        if address + length > lab.base + lab.size:
            left = lab.base + lab.size - address
            raise UsageError(
                f'buffer "{name}" of {length} bytes does not fit; {left} bytes of lab memory are left.'
            )
        padded = -(-length // _BUFFER_ALIGNMENT_BYTES) * _BUFFER_ALIGNMENT_BYTES
        self._next_free = address + padded
        return address

    def _forget_buffers(self) -> None:
        self._buffers.clear()
        self._next_free = self._lab.base if self._lab else 0


def first_differences(
    one: Callable[[int | None], Trace], other: Callable[[int | None], Trace]
) -> dict[Aspect, Difference]:
    """Return the first instruction at which two runs differ, by aspect; where they agree nothing is returned.

    `one` and `other` each make the same run every time that they are called: they go back to one state, write
    their secrets and return the trace of `Emulator.trace`, whose `stretch` is the number they are given. Each
    is called once, and once more for every stretch in which an aspect begins to differ.
    """
    stretches = one(None).first_stretches(other(None))
    differences: dict[Aspect, Difference] = {}
    for stretch in sorted(set(stretches.values())):
        first, second = one(stretch), other(stretch)
        for aspect, begins in stretches.items():
            found = first.difference(second, aspect) if begins == stretch else None
            if found is not None:
                differences[aspect] = Difference(**found)
    return differences
