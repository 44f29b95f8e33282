"""Run a cell's calls on the machine and compare every output with its known answer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from steelyard.catalog.models import Target
from steelyard.errors import SteelyardError
from steelyard.machine import BatchCall, Call, Emulator, Events, Permit
from steelyard.measure.energy import LEAST_WINDOW_CYCLES, WINDOWS, power_series
from steelyard.measure.inputs import Question, answered_by
from steelyard.measure.lab import Lab
from steelyard.measure.metrics import Observed
from steelyard.measure.plan import Build, Cell
from steelyard.measure.pointer import HASH_BLOCK, PointerRoutine, pointer_routine
from steelyard.measure.steps import CHAINS, CONTEXT, IN_PLACE, Step, measured_steps, steps
from steelyard.toolchain.build import foreign_calls
from steelyard.toolchain.sizes import chip_memory

Observe = Literal["none", "stack", "profile", "detail", "series", "secrets", "trace"]

Arguments = list[tuple[int, int]]
Fence = list[Permit] | None
"""What a call may reach."""

FEWEST_SAMPLES, FEW_SAMPLES = 2, 4
"""Samples that every cell has; those that it has unless its calls are very long."""
INT_BYTES = 2
"""Bytes examined of the result of a function that may refuse: the low ones of an int, on every target."""

LONG_SAMPLES_CYCLES = 1_000_000
"""Cycles of a cell's samples, with all calls made for them, after which a quarter of them is enough."""

LONG_SAMPLE_CYCLES = 10_000_000
"""Cycles of a cell's first sample, with all calls made for it, above which an eighth is enough."""

_FIELDS = {"key": "key", "IV": "iv", "ad": "ad", "input": "data", "tag": "tag"}
"""Fields of a question, by the buffer that they go to."""

LARGEST_STACK_BYTES = 0x1_0000
STACK_SLACK_BYTES = 16
"""By how much the stack of a call may be deeper than that of the samples."""


_REFUSING = {
    "aead_open": "tag",
    "pke_encrypt": "public key",
    "pke_decrypt": "ciphertext",
    "signature_init": "key",
    "signature_sign": "nonce",
    "signature_verify": "signature",
}
"""Inputs that functions with a success result must refuse if changed."""


@dataclass(frozen=True)
class Manner:
    """How a question is asked: output over input, buffers at odd addresses, again without a reset between, or
    with a fence around all that a call is given.
    """

    in_place: bool = False
    odd: bool = False
    again: bool = False
    fenced: bool = False

    def __str__(self) -> str:
        said = {"in place": self.in_place, "at odd addresses": self.odd, "asked again": self.again}
        named = [text for text, true in said.items() if true]
        return f" ({', '.join(named)})" if named else ""


PLAIN = Manner()


@dataclass(frozen=True)
class Left:
    """What a call has left in the buffers that it writes, its cost, and what was observed of it."""

    written: Mapping[str, bytes]
    call: Call
    observed: Observe


class CallFault(SteelyardError):
    """A call ended in a fault; `kind` is the emulator's name for it."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class WrongOutput(SteelyardError):
    """A call returned with another output, or wrote where it must not write."""


class Bench:
    """One image on one machine, with a snapshot taken at `harness_ready`; runs the questions of one cell.

    With `stack_in_lab` the stack of measured calls also lies in lab memory, where it has room, and is always
    observed; `deepest_stack_bytes` is their peak, `argument_bytes` the size of their arguments above it,
    `heap_bytes` what they had from the heap.
    `forgeable` are inputs any change of which must be refused. `secret` is the key of the noise in memory.
    `observe` is what is observed of the samples, `spent_cycles` what all calls so far have taken.
    """

    def __init__(
        self,
        emulator: Emulator,
        cell: Cell,
        max_cycles: int,
        secret: bytes,
        *,
        stack_in_lab: bool = False,
        observe: Observe = "profile",
    ) -> None:
        self._emulator = emulator
        self._observe = observe
        self._cell = cell
        self._secret = secret
        self._steps = steps(cell)
        self._measured_steps = measured_steps(cell)
        self._pointer_bytes = pointer_bytes(cell.build.target)
        self._max_cycles = max_cycles
        self._stack_in_lab = stack_in_lab
        self._context, self._context_bytes = (
            emulator.symbols()["harness_context"] if has_context(cell.build) else (0, 0)
        )
        self.deepest_stack_bytes = 0
        self.heap_bytes = 0
        self.argument_bytes = 0
        self._forged = False
        self.spent_cycles = 0
        self._is_long = False
        self._window_cycles = 1
        self._windows: tuple[Events, ...] = ()
        self.forgeable = _forgeable(cell)
        target = cell.build.target
        ram = chip_memory(target, "ram")
        self._statics = range(ram.base, emulator.address("_end"))
        self._ram_end = ram.base + ram.size
        lab_end = target.lab.base + target.lab.size
        # Without statics a stack just below the chip's RAM would begin where they end, and count as full.
        gap_bytes = STACK_SLACK_BYTES if lab_end == self._statics.stop else 0
        self._lab_stack = emulator.empty_stack(lab_end - gap_bytes)
        emulator.reset()
        self._chip_stack = emulator.stack_pointer
        record = Permit(self._context, cell.build.variant.record_bytes(cell.build.primitive.id), True)
        self._pointer = pointer_routine(emulator, cell, record, max_cycles)

    def sample(
        self, questions: Callable[[int], Question], samples: int, stopped: Callable[[], bool]
    ) -> Observed | None:
        """Ask up to `samples` questions; None when stopped. Raises CallFault or WrongOutput.

        The longer they take, the fewer they are, and only the first of long ones is asked with altered input.
        Half of them are enough if all of these take the same time.
        """
        observed = Observed()
        begun = self.spent_cycles
        for index in range(samples):
            if stopped():
                return None
            question = questions(index)
            observed.add(
                self.ask(question, self._observe), question.answer is not None or bool(question.answers)
            )
            if self._pointer is not None:
                observed.pointer_calls.append(self._by_pointer(self._pointer, question))
            if self.forgeable and not self._is_long:
                self.refuses_forgery(question, self.forgeable[index % len(self.forgeable)])
            asked, spent = index + 1, self.spent_cycles - begun
            if asked == 1:
                self._is_long = spent > LONG_SAMPLE_CYCLES
            if spent > LONG_SAMPLES_CYCLES and asked >= self._enough(samples):
                break
            if asked == max(FEW_SAMPLES, samples // 2) and observed.takes_one_time:
                break
        self.ask(questions(0), "none", self.other_manner)
        chip = self._cell.build.target.file
        if chip.has_event_energy:
            first = observed.calls[0].cycles
            observed.power_series = power_series(chip, self.windows(questions(0), first))
        return observed

    def _enough(self, samples: int) -> int:
        """Return how many samples of those that were asked for are enough if they take long."""
        return max(FEWEST_SAMPLES, samples // 8) if self._is_long else max(FEW_SAMPLES, samples // 4)

    def _by_pointer(self, routine: PointerRoutine, question: Question) -> Call:
        """Call the routine behind the measured function with the record that the question has left.

        A hash is begun anew: the last thing it did may have been no block of a message.
        """
        self._emulator.stack_pointer = self._chip_stack
        if routine.symbol == HASH_BLOCK:
            self._call("hash_init", [(self._context, self._pointer_bytes)], question, "none")
        lowest = max(self._statics.stop, self._ram_end - LARGEST_STACK_BYTES)
        noise = _Noise(self._secret, f"{question.name} by pointer")
        called, lost = routine.call(noise.take, [Permit(lowest, self._ram_end - lowest, True)])
        if called.fault is not None:
            raise CallFault(called.fault.kind, f"{question.name}, {routine.symbol}: {called.fault.message}.")
        if lost is not None:
            raise WrongOutput(f"{question.name}: {lost}.")
        return called

    def windows(self, question: Question, cycles: int) -> tuple[Events, ...]:
        """Ask a question whose call takes so many cycles; return its events by about WINDOWS windows."""
        self._window_cycles = max(LEAST_WINDOW_CYCLES, -(-cycles // WINDOWS))
        self.ask(question, "series")
        return self._windows

    @property
    def other_manner(self) -> Manner:
        """How every cell is asked besides its samples; again where the first time can leave something."""
        in_place = self._cell.build.algorithm.file.kind in IN_PLACE
        again = bool(self._context_bytes or self._statics)
        return Manner(in_place=in_place, odd=True, again=again, fenced=True)

    def ask(self, question: Question, observe: Observe = "profile", manner: Manner = PLAIN) -> Call:
        """Set up, call, compare; return the cost of the measured call, as far as observed.

        What lies where no input is, an output included, is noise that the image cannot know.
        """
        sizes = self._sizes(question)
        base = self._cell.build.target.lab.base
        lab, elsewhere = self._lab(base, sizes, odd=manner.odd), self._lab(base, sizes)
        self._emulator.reset()
        noise = _Noise(self._secret, question.name)
        if self._context_bytes:
            self._emulator.write("data", self._context, noise.take(self._context_bytes))
        memory = noise.take(max(lab.size, elsewhere.size))
        seen: dict[str, bytes] = {}
        measured: Call | None = None
        for place, number in enumerate(self._order(manner)):
            step = self._steps[number]
            if place == len(self._steps):
                # Asked again, it is asked in the plain manner, at other addresses.
                lab, manner = elsewhere, Manner(again=True, fenced=manner.fenced)
            is_measured = number in self._measured_steps and place < len(self._steps)
            given = self._inputs(step, question, manner) | self._carried(step, seen)
            left = self._left_before(step, given, manner, observe if is_measured else None)
            if left is not None:
                self.spent_cycles += left.call.cycles
                if is_measured:
                    if observe != "none":
                        self._note_stack(left.call)
                    measured = left.call if measured is None else measured.followed_by(left.call)
                seen |= left.written
                self._check(number, question, manner, seen)
                continue
            before = lab.placed(memory, given)
            self._prepare(step, lab)
            self._emulator.buffer("lab", before)
            self._placed(step, lab)
            arguments = self._arguments(step, lab, question, manner)
            fence = self._fence(step, lab, manner, measured=is_measured)
            observed = observe
            if is_measured:
                if measured is None:
                    self._begin_measuring()
                called = self._measured(step.function, arguments, question, observe, fence)
                measured = called if measured is None else measured.followed_by(called)
            else:
                called, observed = self._uncounted(step.function, arguments, question, observe, fence)
            after = self._emulator.content("lab")
            trespass = lab.trespass(before, after, step.written)
            if trespass is not None:
                raise WrongOutput(f"{question.name}{manner}: {trespass}.")
            written = {name: lab.content(after, name) for name in step.written if name in sizes}
            seen |= written
            self._check(number, question, manner, seen)
            self._remember(step, given, manner, Left(written, called, observed))
        assert measured is not None
        return measured

    def outputs(self, questions: Sequence[Question]) -> tuple[list[bytes], int]:
        """Ask questions of equal lengths one after another, without a reset and without a look between.

        Return what each leaves in the buffers that its last call writes, one behind the other, and the cycles
        of all calls. CallFault for the first that ends in a fault.
        """
        sizes = self._sizes(questions[0])
        lab = Lab(self._cell.build.target.lab.base, sizes)
        self._emulator.reset()
        self._emulator.stack_pointer = self._lab_stack
        places: list[str] = []
        calls = []
        for step in self._steps:
            given = [name for name in self._inputs(step, questions[0], PLAIN) if sizes[name]]
            places += given
            arguments = self._arguments(step, lab, questions[0], PLAIN)
            calls.append(BatchCall(self._emulator.address(step.function), arguments, len(given)))
        # As `_inputs` has them, whose dictionaries take as long as the calls of a fast chip.
        fields = [_FIELDS[name] for name in places]
        contents = b"".join(getattr(question, name) for question in questions for name in fields)
        written = [name for name in ("output", "tag") if name in self._steps[-1].written and sizes[name]]
        batch = self._emulator.batch(
            [(lab.address(name), sizes[name]) for name in places],
            contents,
            calls,
            [(lab.address(name), sizes[name]) for name in written],
            max_cycles=self._max_cycles,
        )
        if batch.fault is not None:
            raise CallFault(batch.fault.kind, f"{questions[batch.fault.item].name}: {batch.fault.message}.")
        output = sum(sizes[name] for name in written)
        item = output + INT_BYTES * len(calls)
        starts = range(0, len(batch.content), item)
        return [batch.content[start : start + output] for start in starts], batch.cycles

    def _sizes(self, question: Question) -> dict[str, int]:
        """Return the bytes of the buffers that a question needs, by name."""
        cell = self._cell
        # The IV of a mode is a chaining value the mode updates.
        iv_bytes = len(question.iv)
        if cell.build.algorithm.file.kind == "block":
            iv_bytes = cell.build.primitive.block_bytes
        return {
            "key": len(question.key),
            "IV": iv_bytes,
            "ad": len(question.ad),
            "input": len(question.data),
            "tag": len(question.tag),
            "output": output_bytes(cell, len(question.data)),
        }

    def _lab(self, base: int, sizes: Mapping[str, int], *, odd: bool = False) -> Lab:
        """Return the places of buffers."""
        return Lab(base, sizes, odd=odd)

    def buffers(self, question: Question) -> dict[str, tuple[int, int]]:
        """Return address and bytes of the buffers of a question that is asked as a sample, by name."""
        lab = self._lab(self._cell.build.target.lab.base, self._sizes(question))
        return {name: (address, lab.size_of(name)) for name, address in lab.addresses.items()}

    def _carried(self, step: Step, seen: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return what a step is to find of the buffers that those before it wrote."""
        return {}

    def _left_before(
        self, step: Step, given: Mapping[str, bytes], manner: Manner, observe: Observe | None
    ) -> Left | None:
        """Return what a call left when it was given the same, its memory put back; None where it has to be
        called. `observe` is what is to be observed of it, None if it is not measured.
        """
        return None

    def _remember(self, step: Step, given: Mapping[str, bytes], manner: Manner, left: Left) -> None:
        """Keep what a call has left in its buffers and in memory, for `_left_before`."""

    def _prepare(self, step: Step, lab: Lab) -> None:
        """Put what a call needs beside its buffers."""

    def _placed(self, step: Step, lab: Lab) -> None:
        """Do what is to be done between the placing of a call's buffers and the call."""

    def _check(self, number: int, question: Question, manner: Manner, seen: Mapping[str, bytes]) -> None:
        """Compare what step `number` has left; WrongOutput if it is not right."""
        if number == len(self._steps) - 1 and question.answer is not None:
            self._compare(question, manner, seen)

    def _order(self, manner: Manner) -> Sequence[int]:
        """Return the steps of a question by number; asked again, what changes its context is set up anew."""
        once = list(range(len(self._steps)))
        if not manner.again:
            return once
        last = self._steps[-1]
        as_before = CONTEXT not in last.written or last.works_in_context
        return [*once, once[-1]] if as_before else once + once

    def _inputs(self, step: Step, question: Question, manner: Manner) -> dict[str, bytes]:
        """Return what a call is to find in its buffers; of what it only writes, nothing."""
        given = {
            name: getattr(question, field)
            for name, field in _FIELDS.items()
            if name in step.given and not (name == "tag" and name in step.written)
        }
        if not question.iv:
            given.pop("IV", None)
        if manner.in_place and "input" in given:
            given["output"] = given.pop("input")
        return given

    def _arguments(self, step: Step, lab: Lab, question: Question, manner: Manner) -> Arguments:
        data_bytes = len(question.data)
        if step.function == "pke_decrypt":
            data_bytes -= self._cell.build.primitive.overhead_bytes
        values = {
            CONTEXT: self._context,
            "input length": data_bytes,
            "ad length": len(question.ad),
            **lab.addresses,
        }
        if manner.in_place:
            values["input"] = values["output"]
        return [(values[name], self._pointer_bytes) for name in step.parameters]

    def _fence(self, step: Step, lab: Lab, manner: Manner, *, measured: bool) -> Fence:
        """Return what a call may reach: its buffers, the image's statics and its stack."""
        if not manner.fenced:
            return None
        buffers = self._reached(step) & lab.addresses.keys()
        permits = [Permit(lab.address(name), lab.size_of(name), name in step.written) for name in buffers]
        context = range(self._context, self._context + self._context_bytes)
        if CONTEXT in step.given:
            permits.append(Permit(context.start, len(context), CONTEXT in step.written))
        if context:
            permits.append(Permit(self._statics.start, context.start - self._statics.start, True))
            permits.append(Permit(context.stop, self._statics.stop - context.stop, True))
        else:
            permits.append(Permit(self._statics.start, len(self._statics), True))
        memory = self._cell.build.target.lab
        if measured and not self._stack_in_lab:
            reach = self.deepest_stack_bytes + self.argument_bytes + STACK_SLACK_BYTES
            lowest = max(self._statics.stop, self._chip_stack - reach)
            permits.append(Permit(lowest, self._ram_end - lowest, True))
        else:
            permits.append(Permit(lab.base + lab.size, memory.size - lab.size, True))
        return [permit for permit in permits if permit.size_bytes]

    def _reached(self, step: Step) -> frozenset[str]:
        """Return the buffers in lab memory that a call may reach."""
        return step.given - {CONTEXT}

    def _compare(self, question: Question, manner: Manner, seen: Mapping[str, bytes]) -> None:
        assert question.answer is not None
        compare(f"{question.name}{manner}", "output", question.answer, seen.get("output", b""))
        if "tag" in seen:
            what = "tag" if answered_by(self._cell) == "seal" else "public key"
            compare(f"{question.name}{manner}", what, question.tag, seen["tag"])

    def refuses_forgery(self, question: Question, name: str) -> None:
        """Change one bit of an input after `ask`; WrongOutput if it is accepted, or plaintext not wiped."""
        original: bytes = getattr(question, name)
        if question.answer is None or not original or (self._cell.operation == "open" and not question.tag):
            return
        place = hashlib.shake_256(question.name.encode() + name.encode()).digest(4)
        bit = int.from_bytes(place, "big") % (8 * len(original))
        changed = bytearray(original)
        changed[bit // 8] ^= 1 << bit % 8
        forged = replace(question.with_input(name, bytes(changed)), answer=bytes(len(question.answer)))
        self._forged = True
        try:
            self.ask(forged, "none")
        finally:
            self._forged = False

    def _begin_measuring(self) -> None:
        """Begin an operation, which may be several calls, with empty caches."""
        self._windows = ()
        if self._cell.cache_state is not None:
            self._emulator.empty_caches()

    def _measured(
        self, function: str, arguments: Arguments, question: Question, observe: Observe, fence: Fence
    ) -> Call:
        self._emulator.stack_pointer = self._lab_stack if self._stack_in_lab else self._chip_stack
        if self._cell.cache_state == "warm" and observe != "none":
            self._rehearse(function, arguments, question)
        if self._stack_in_lab and observe == "none":
            observe = "stack"
        called = self._call(function, arguments, question, observe, fence)
        if observe != "none":
            self._note_stack(called)
        return called

    def _note_stack(self, called: Call) -> None:
        """Keep the stack of a measured call if none was deeper."""
        # A function that needs no stack may have arguments there.
        if called.stack_bytes >= self.deepest_stack_bytes:
            self.deepest_stack_bytes = called.stack_bytes
            self.argument_bytes = called.argument_bytes

    def _rehearse(self, function: str, arguments: Arguments, question: Question) -> None:
        """Run the call once uncounted; memory is put back, the state of the caches stays."""
        memory = self._memory()
        self._call(function, arguments, question, "none")
        self._put_back(memory)

    def _memory(self) -> list[tuple[int, bytes]]:
        """Return address and content of all that a call may write: statics, stack and the caller's buffers.

        A fence shows that it writes nothing else.
        """
        lowest = max(self._statics.stop, self._ram_end - LARGEST_STACK_BYTES)
        parts = [(self._statics.start, len(self._statics)), (lowest, self._ram_end - lowest)]
        lab = (self._cell.build.target.lab.base, self._emulator.content("lab"))
        return [*((base, self._emulator.read("data", base, size)) for base, size in parts), lab]

    def _put_back(self, memory: Iterable[tuple[int, bytes]]) -> None:
        for base, content in memory:
            self._emulator.write("data", base, content)

    def _uncounted(
        self, function: str, arguments: Arguments, question: Question, observe: Observe, fence: Fence = None
    ) -> tuple[Call, Observe]:
        """Run a call that only prepares or checks the measured one, of which `observe` is observed; its stack
        need not fit. Return its cost and what was observed of it.
        """
        self._emulator.stack_pointer = self._lab_stack
        return self._call(function, arguments, question, "none", fence), "none"

    def _call(
        self,
        function: str,
        arguments: Arguments,
        question: Question,
        observe: Observe,
        fence: Fence = None,
    ) -> Call:
        if fence is not None:
            self._emulator.fence(fence)
        if observe == "series":
            result, windows = self._emulator.series(
                function, arguments, max_cycles=self._max_cycles, window_cycles=self._window_cycles
            )
            self._windows += windows
        else:
            assert observe != "trace", "a Comparer traces"
            result = self._emulator.call(function, arguments, max_cycles=self._max_cycles, observe=observe)
        if fence is not None:
            self._emulator.fence(None)
        self.spent_cycles += result.cycles
        fault = result.fault
        if fault is not None:
            raise CallFault(fault.kind, f"{question.name}, {function}: {fault.message}.")
        self._check_result(function, question, result.returned(INT_BYTES))
        return result

    def _check_result(self, function: str, question: Question, returned: int) -> None:
        """Raise WrongOutput for the wrong result of a function that may refuse."""
        answered = question.answer is not None
        if function in _REFUSING and answered and (returned != 0) != self._forged:
            said = "refuses a right" if not self._forged else "does not refuse a wrong"
            raise WrongOutput(f"{question.name}: {function} {said} {_REFUSING[function]}.")


class _Noise:
    """Bytes that an image cannot know: they depend on its own content, by a one-way function."""

    def __init__(self, secret: bytes, name: str) -> None:
        self._seed = secret + name.encode()
        self._taken = 0

    def take(self, count: int) -> bytes:
        """Return the next bytes."""
        self._taken += 1
        return hashlib.shake_128(self._seed + bytes([self._taken])).digest(count)


def pointer_bytes(target: Target) -> int:
    """Return the size of a data pointer and of size_t."""
    return max(2, target.file.word_bits // 8)


def function_called(cell: Cell) -> str:
    """Return the symbol of the measured function."""
    return steps(cell)[measured_steps(cell)[-1]].function


def has_context(build: Build) -> bool:
    """Whether the image has a context; operations on a public key, or on an unexpanded key, need none."""
    if build.variant.is_foreign:
        calls = foreign_calls(build.variant, build.mode, build.footprint)
        return any(CONTEXT in call.arguments for call in calls)
    return build.algorithm.file.kind != "signature" or build.footprint in ("sign", "both")


def _forgeable(cell: Cell) -> tuple[str, ...]:
    """Return the inputs, by their names in a question, in which a changed bit must be refused."""
    if cell.build.variant.is_foreign:
        return ()
    if cell.operation == "open":
        return ("tag", "data", "ad")
    if cell.build.algorithm.file.kind != "signature":
        return ()
    return {"verify": ("key", "tag", "data"), "encrypt": ("key",), "decrypt": ("key", "data")}.get(
        cell.operation, ()
    )


def output_bytes(cell: Cell, data_bytes: int) -> int:
    """Return the bytes of the output buffer for an input; an AEAD's tag has its own."""
    build = cell.build
    if build.variant.is_foreign and build.algorithm.file.kind in CHAINS:
        return 0
    if build.algorithm.file.kind == "mac":
        return build.primitive.tag_bytes
    if build.algorithm.file.kind == "signature":
        overhead_bytes = build.primitive.overhead_bytes
        return {
            "sign": build.primitive.signature_bytes,
            "verify": 0,
            "encrypt": data_bytes + overhead_bytes,
            "decrypt": data_bytes - overhead_bytes,
        }[answered_by(cell)]
    return build.primitive.digest_bytes or data_bytes


def compare(name: str, what: str, answer: bytes, output: bytes) -> None:
    """Compare what a call wrote with what is right; WrongOutput names the question and the wrong byte."""
    if output == answer:
        return
    first = next(i for i, (got, right) in enumerate(zip(output, answer, strict=True)) if got != right)
    raise WrongOutput(
        f"{name}: byte {first} of the {what} is {output[first]:02x}, it should be {answer[first]:02x}."
    )
