"""Questions asked of code with an interface of its own: its functions are called as its variant describes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from steelyard.machine import Call, Emulator, Permit
from steelyard.measure.asymmetric import decapsulated
from steelyard.measure.execute import (
    INT_BYTES,
    PLAIN,
    Arguments,
    Bench,
    CallFault,
    Fence,
    Left,
    Manner,
    Observe,
    WrongOutput,
    compare,
    output_bytes,
)
from steelyard.measure.inputs import Question, answered_by
from steelyard.measure.lab import Lab
from steelyard.measure.plan import Cell
from steelyard.measure.steps import CHAINS, CONTEXT, PREPARED, Step, block_steps
from steelyard.toolchain.build import RANDOM_SYMBOLS

ALIGNMENT_BYTES = 8
"""Buffers lie at multiples of this: code of others may count on it."""

_HEAP_BYTES, _HEAP_LACKING = "harness_heap_bytes", "harness_heap_lacking"
"""What firmware/support/heap.c counts."""

HEAP_FAULT = "heap"
"""The kind of fault of a call that finds no room on the heap."""

LAB_FAULT = "lab"
"""The kind of fault of a call whose buffers have no room in lab memory."""

COUNT_BYTES = 8
"""Room for a length that a function writes, of whichever type."""

_MSP430_REGISTERS = 4
"""Registers of arguments, r12 to r15."""

_FIELDS = {"key": "key", "IV": "iv", "ad": "ad", "input": "data", "message": "data", "tag": "tag"}
"""Fields of a question, by the buffer that they go to."""


@dataclass
class Links:
    """What calls of an image's chains have left, by function and a hash of what it was given, with memory by
    address; and the functions whose stack does not fit.
    """

    left: dict[tuple[str, bytes], tuple[Left, Sequence[tuple[int, bytes]]]] = field(default_factory=dict)
    deep: set[str] = field(default_factory=set)


class ForeignBench(Bench):
    """A bench for one cell of code with an interface of its own.

    Nothing is asked in place or at odd addresses, which such code need not take. In a chain of calls each
    finds what those before it wrote.
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
        of_block: bool = False,
        links: Links | None = None,
    ) -> None:
        """Take an image; with `of_block` the cell's mode is left out, and its block operation is called.

        `links` are those of the image, whose other operations have the same calls before theirs.
        """
        super().__init__(emulator, cell, max_cycles, secret, stack_in_lab=stack_in_lab, observe=observe)
        build, asked = cell.build, answered_by(cell)
        mode_id = build.mode.id if build.mode is not None else None
        self._prepared_bytes = 0
        if build.variant.is_prepared(asked, mode_id):
            _, self._context, self._prepared_bytes = emulator.place("harness_context")
            self._context_bytes = 0
        if of_block:
            self._steps = block_steps(cell)
            self._measured_steps = range(len(self._steps) - 1, len(self._steps))
        self._success = {step.function: step.call.success for step in self._steps if step.call is not None}
        self._chain = cell.build.algorithm.file.kind in CHAINS
        self._links = links or Links()
        self._altered: str | None = None
        self._message = b""
        self._heap_reached = 0
        self._lengths: dict[str, int] = {}
        self._secret_sent = self._left = self._altered_content = b""
        self.forgeable = tuple(self._may_be_altered())

    def _measured(
        self, function: str, arguments: Arguments, question: Question, observe: Observe, fence: Fence
    ) -> Call:
        measured = super()._measured(function, arguments, question, observe, fence)
        if observe != "none":
            self._note_heap(question.name)
        return measured

    def _uncounted(
        self, function: str, arguments: Arguments, question: Question, observe: Observe, fence: Fence = None
    ) -> tuple[Call, Observe]:
        """Run a call that only prepares or checks the measured one.

        One of a chain is called as a measured one where that can be, for the cell that measures it.
        """
        if not self._is_measured_elsewhere(function, observe, fence):
            return super()._uncounted(function, arguments, question, observe, fence)
        memory = self._memory()
        self._emulator.stack_pointer = self._chip_stack
        try:
            return self._call(function, arguments, question, observe), observe
        except CallFault as fault:
            if fault.kind != "stack-overflow":
                raise
        self._links.deep.add(function)
        self._put_back(memory)
        return super()._uncounted(function, arguments, question, observe, fence)

    def _is_measured_elsewhere(self, function: str, observe: Observe, fence: Fence) -> bool:
        """Whether a call that is not measured can be that of another cell, beside neither heap nor caches."""
        # A signed message of the length at hand, where the cell has one.
        has_cell = self._cell.build.algorithm.file.kind == "kem" or self._cell.message_bytes is not None
        plain = fence is None and self._altered is None and self._cell.cache_state is None
        fits = not self._stack_in_lab and function not in self._links.deep
        has_heap = _HEAP_BYTES in self._emulator.symbols()
        return self._chain and has_cell and plain and fits and observe == self._observe and not has_heap

    def _note_heap(self, name: str) -> None:
        """Keep what a measured call had from the heap, and refuse a stack that grew into it."""
        self.heap_bytes = max(self.heap_bytes, self._heap(_HEAP_BYTES))
        room = self._chip_stack - self._statics.stop
        stack_bytes = self.deepest_stack_bytes + self.argument_bytes
        if self.heap_bytes and not self._stack_in_lab and stack_bytes + self.heap_bytes > room:
            ram = self._cell.build.target.file.title
            clause = f"a stack of {stack_bytes} bytes runs into a heap of {self.heap_bytes} bytes"
            raise CallFault(HEAP_FAULT, f"{name}: {clause}, in {room} bytes of the RAM of {ram}.")

    def _fence(self, step: Step, lab: Lab, manner: Manner, *, measured: bool) -> Fence:
        fence = super()._fence(step, lab, manner, measured=measured)
        if fence is not None and self._heap_reached:
            fence.append(Permit(self._statics.stop, self._heap_reached, True))
        return fence

    def ask(self, question: Question, observe: Observe = "profile", manner: Manner = PLAIN) -> Call:
        """Set up, call, compare; a call that finds no room on the heap does not fit."""
        try:
            measured = super().ask(question, observe, manner)
            # Calls that are not measured may need more of it than the one that is.
            self._heap_reached = max(self._heap_reached, self._heap(_HEAP_BYTES))
            return measured
        except WrongOutput:
            lacking = self._heap(_HEAP_LACKING)
            if not lacking:
                raise
            ram = self._cell.build.target.file.title
            clause = f"{lacking} bytes of heap find no room between the statics and the stack of {ram}"
            raise CallFault(HEAP_FAULT, f"{question.name}: {clause}.") from None

    def _heap(self, symbol: str) -> int:
        """Return what the heap says of itself; 0 in an image without one."""
        if symbol not in self._emulator.symbols():
            return 0
        content = self._emulator.read("data", self._emulator.address(symbol), self._pointer_bytes)
        return int.from_bytes(content, "big" if self._cell.build.target.file.big_endian else "little")

    @property
    def other_manner(self) -> Manner:
        """How every cell is asked besides its samples."""
        return Manner(again=True, fenced=True)

    def _may_be_altered(self) -> Iterator[str]:
        last = self._steps[-1]
        if last.call is None:
            return
        match last.call.operation:
            case "open" if last.call.success is not None:
                yield from ("tag", "data", "ad")
            case "verify" if last.call.success is not None:
                yield from (name for name in ("signature", "signed", "input") if name in last.given)
            case "decapsulate":
                yield "ciphertext"

    def _lab(self, base: int, sizes: Mapping[str, int], *, odd: bool = False) -> Lab:
        """Return the places of buffers, aligned as the code may expect; CallFault without room for them."""
        self._lengths = dict(sizes)
        lab, target = Lab(base, sizes, align=ALIGNMENT_BYTES), self._cell.build.target
        if lab.size > target.lab.size:
            raise CallFault(
                LAB_FAULT,
                f"keys, message and result of a call need {lab.size} bytes beside the chip's memories; the"
                f" address space of {target.file.title} has room for {target.lab.size}.",
            )
        return lab

    def _sizes(self, question: Question) -> dict[str, int]:
        """Return the bytes of the buffers that the calls of a question name."""
        primitive, data_bytes = self._cell.build.primitive, len(question.data)
        output = output_bytes(self._cell, data_bytes)
        if any("sealed" in step.given and "output" in step.written for step in self._steps):
            # Who opens what holds its tag has room for all of it, as SUPERCOP's own tests give and check.
            output += primitive.tag_bytes
        known = {
            "key": primitive.key_bytes,
            "IV": primitive.block_bytes if self._cell.build.mode is not None else len(question.iv),
            "ad": len(question.ad),
            "input": data_bytes,
            "message": data_bytes,
            "output": output or data_bytes + primitive.signature_bytes,
            "tag": primitive.tag_bytes,
            "sealed": data_bytes + primitive.tag_bytes,
            "count": COUNT_BYTES,
            "empty": 1,
            "block": primitive.block_bytes,
            "public-key": primitive.public_key_bytes,
            "secret-key": primitive.key_bytes,
            "ciphertext": primitive.ciphertext_bytes,
            "shared-secret": primitive.shared_secret_bytes,
            "signature": primitive.signature_bytes,
            "signed": primitive.signature_bytes + data_bytes,
            "coins": max((len(coins) for coins in question.coins.values()), default=0),
            PREPARED: self._prepared_bytes,
        }
        used = chain.from_iterable(_buffers(step) for step in self._steps)
        named = dict.fromkeys(name for name in used if name != CONTEXT)
        if self._cell.build.variant.file.random is not None:
            named["coins"] = None
        return {name: known[name] for name in named}

    def _inputs(self, step: Step, question: Question, manner: Manner) -> dict[str, bytes]:
        """Return what a call is to find in its buffers; of what it only writes, nothing."""
        call = step.call
        assert call is not None
        self._message = question.data
        given = {name: getattr(question, _FIELDS[name]) for name in step.given & _FIELDS.keys()}
        if "tag" in step.written:
            del given["tag"]
        if "sealed" in step.given and "sealed" not in step.written:
            given["sealed"] = question.data + question.tag
        if "count" in step.given:
            given["count"] = bytes(COUNT_BYTES)
        if "empty" in step.given:
            given["empty"] = bytes(1)
        coins = question.coins.get(call.operation, b"")
        if coins and (self._cell.build.variant.file.random is not None or "coins" in step.given):
            given["coins"] = coins
        if self._chain and self._altered == "input" and step is self._steps[-1] and "input" in given:
            given["input"] = _altered(given["input"], question.name)
        return {name: content for name, content in given.items() if content}

    def _carried(self, step: Step, seen: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return what a step of a chain finds of the buffers that those before it wrote."""
        if not self._chain:
            return {PREPARED: seen[PREPARED]} if PREPARED in step.given & seen.keys() else {}
        names = (step.given - step.written) & seen.keys()
        carried = {name: seen[name] for name in names}
        if self._altered in carried and step is self._steps[-1]:
            content = carried[self._altered][: self._written(seen) or None]
            changed = self._altered_part(content, step.function)
            carried[self._altered] = self._altered_content = changed
        return carried

    def _left_before(
        self, step: Step, given: Mapping[str, bytes], manner: Manner, observe: Observe | None
    ) -> Left | None:
        if not self._chain or (observe is not None and manner != PLAIN):
            return None
        left, memory = self._links.left.get(_link(step, given), (None, ()))
        if left is None:
            return None
        is_seen = observe not in (None, "none")
        if is_seen and (observe != left.observed or self._cell.cache_state is not None):
            return None
        self._put_back(memory)
        if is_seen:
            self._note_heap(step.function)
        return left

    def _remember(self, step: Step, given: Mapping[str, bytes], manner: Manner, left: Left) -> None:
        if not self._chain:
            return
        link = _link(step, given)
        if manner != PLAIN and link in self._links.left:
            return
        memory = (self._statics.start, len(self._statics)), (self._statics.stop, self._heap(_HEAP_BYTES))
        parts = [(base, self._emulator.read("data", base, size)) for base, size in memory if size]
        self._links.left[link] = left, parts

    def _altered_part(self, content: bytes, label: str) -> bytes:
        """Return the content with one bit changed, of a signed message in its message.

        Some signatures have bits that count for nothing, but none may be of another message.
        """
        begin = content.find(self._message) if self._altered == "signed" and self._message else -1
        if begin < 0:
            return _altered(content, label)
        end = begin + len(self._message)
        return content[:begin] + _altered(content[begin:end], label) + content[end:]

    def _written(self, seen: Mapping[str, bytes]) -> int | None:
        """Return the length that the calls so far have written, None if they wrote none."""
        content = seen.get("count")
        if content is None:
            return None
        if self._cell.build.target.file.big_endian:
            first = int.from_bytes(content[: self._pointer_bytes], "big")
            return first or int.from_bytes(content, "big")
        return int.from_bytes(content, "little")

    def _prepare(self, step: Step, lab: Lab) -> None:
        """Clear a context that is to be cleared; point the source of random bytes at the question's."""
        context = self._cell.build.variant.file.context
        if context is not None and context.zeroed and step is self._steps[0] and self._context_bytes:
            self._emulator.write("data", self._context, bytes(self._context_bytes))
        if self._cell.build.variant.file.random is None:
            return
        begin = lab.address("coins")
        big_endian = self._cell.build.target.file.big_endian
        values = (begin, begin, begin + lab.size_of("coins"), 0)
        for symbol, number in zip(RANDOM_SYMBOLS, values, strict=True):
            content = number.to_bytes(self._pointer_bytes, "big" if big_endian else "little")
            self._emulator.write("data", self._emulator.address(symbol), content)

    def _reached(self, step: Step) -> frozenset[str]:
        """Return the buffers in lab memory that a call may reach."""
        random = {"coins"} if self._cell.build.variant.file.random is not None else set()
        return (frozenset(_buffers(step)) - {CONTEXT}) | random

    def _arguments(self, step: Step, lab: Lab, question: Question, manner: Manner) -> list[tuple[int, int]]:
        placed = [self._argument(name, lab) for name in step.parameters]
        build = self._cell.build
        if build.target.file.family == "msp430" and step.function in build.variant.file.mspgcc:
            # The EABI begins at r12, MSPGCC at r15 and goes down.
            return [*([(0, 2)] * (_MSP430_REGISTERS - len(placed))), *reversed(placed)]
        return placed

    def _argument(self, text: str, lab: Lab) -> tuple[int, int]:
        name, _, width = text.partition(":")
        size_bytes = int(width) if width else self._pointer_bytes
        buffer, _, unit = name.partition(".")
        if name == CONTEXT:
            return self._context, size_bytes
        if name == "null":
            return 0, size_bytes
        if unit:
            buffer = "IV" if buffer == "iv" else buffer
            return self._lengths[buffer] * (8 if unit == "bits" else 1), size_bytes
        if name in lab.addresses:
            return lab.address(name), size_bytes
        return int(name) % (1 << 8 * size_bytes), size_bytes

    def _order(self, manner: Manner) -> list[int]:
        """Return the steps of a question by number; asked again, all is done anew.

        Of chains that take long only the first pair of keys is used.
        """
        once = list(range(len(self._steps)))
        if self._chain and self._is_long and self._measured_steps.start == 0:
            return once[: self._measured_steps.stop]
        return once + once if manner.again and not self._chain else once

    def _check(self, number: int, question: Question, manner: Manner, seen: Mapping[str, bytes]) -> None:
        """Compare what a step has left with its answers, or what the calls of a chain have left together."""
        step, name = self._steps[number], f"{question.name}{manner}"
        call = step.call
        assert call is not None
        if PREPARED in step.written:
            space, address, _ = self._emulator.place("harness_context")
            self._emulator.write(space, address, seen[PREPARED])
        if self._chain:
            self._check_chain(step, name, question, seen)
        elif number == len(self._steps) - 1:
            names = [one for one in ("sealed", "output", "message", "tag") if one in seen]
            self._left = b"".join(seen[one] for one in names)
            if question.answer is not None and self._altered is None:
                self._check_answer(name, question, question.answer, step, seen)

    def _check_answer(
        self, name: str, question: Question, answer: bytes, step: Step, seen: Mapping[str, bytes]
    ) -> None:
        assert step.call is not None
        if "sealed" in step.written:
            compare(name, "output", answer + question.tag, seen["sealed"])
            self._check_count(name, step, len(answer) + len(question.tag), seen)
            return
        if step.call.operation == "mac":
            compare(name, "tag", answer, seen["tag"])
            return
        output = seen.get("output", seen.get("message", b""))
        compare(name, "output", answer, output[: len(answer)])
        self._check_count(name, step, len(answer), seen)
        if "tag" in seen:
            compare(name, "tag", question.tag, seen["tag"])

    def _check_count(self, name: str, step: Step, right: int, seen: Mapping[str, bytes]) -> None:
        """Raise WrongOutput if a function says another length of what it wrote."""
        written = self._written(seen) if "count" in step.written else None
        if written is not None and written != right:
            raise WrongOutput(f"{name}: {step.function} says that it wrote {written} bytes, not {right}.")

    def _check_chain(self, step: Step, name: str, question: Question, seen: Mapping[str, bytes]) -> None:
        assert step.call is not None
        operation, last = step.call.operation, step is self._steps[-1]
        if last and self._altered is not None:
            if operation == "decapsulate":
                self._check_rejection(name, seen)
            return
        for buffer, right in question.answers.get(operation, {}).items():
            if buffer in step.written and seen[buffer] not in right:
                compare(name, f"{buffer} of {operation}", right[0], seen[buffer])
        written = self._written(seen)
        if operation == "sign" and written is not None:
            signed = next((one for one in ("signed", "signature") if one in step.written), "signature")
            if written > self._lengths[signed]:
                raise WrongOutput(f"{name}: {step.function} says that its {signed} has {written} bytes.")
            self._lengths[signed] = written
        if operation == "encapsulate":
            self._secret_sent = seen["shared-secret"]
        if operation == "decapsulate" and seen["shared-secret"] != self._secret_sent:
            compare(name, "shared-secret", self._secret_sent, seen["shared-secret"])
        if operation == "verify" and "output" in step.written:
            compare(name, "opened message", question.data, seen["output"][: len(question.data)])

    def _check_rejection(self, name: str, seen: Mapping[str, bytes]) -> None:
        """Compare the secret of an altered ciphertext with the right one, or with the one that was sent."""
        primitive, secret = self._cell.build.primitive, seen.get("secret-key", b"")
        right = decapsulated(primitive, secret, self._altered_content)
        if right is not None:
            compare(name, "shared-secret", right, seen["shared-secret"])
        elif seen["shared-secret"] == self._secret_sent:
            raise WrongOutput(f"{name}: an altered ciphertext gives the same shared secret.")

    def _check_result(self, function: str, question: Question, returned: int) -> None:
        """Raise WrongOutput for a result that does not tell success, or that tells it of altered input."""
        success = self._success.get(function)
        if success is None:
            return
        altered = self._altered is not None and function == self._steps[-1].function
        if altered and self._cell.build.algorithm.file.kind == "kem":
            return
        right = returned == success % (1 << 8 * INT_BYTES)
        if question.answer is None and not self._chain:
            return
        if right == altered:
            said = "does not refuse altered input" if altered else f"returns {returned}, not {success}"
            raise WrongOutput(f"{question.name}: {function} {said}.")

    def refuses_forgery(self, question: Question, name: str) -> None:
        """Change one bit of an input of the last call; WrongOutput if it is accepted."""
        if self._chain:
            self._altered = name
            asked = replace(question, name=f"{question.name} with a bit of its {name} changed")
        else:
            original: bytes = getattr(question, name)
            if question.answer is None or not original or not question.tag:
                return
            self._altered = name
            asked = question.with_input(name, _altered(original, question.name))
        try:
            self.ask(asked, "none")
        finally:
            self._altered = None

    def outputs(self, questions: Sequence[Question]) -> tuple[list[bytes], int]:
        """Ask questions one after another; return what each leaves, and the cycles of all measured calls."""
        found, cycles = [], 0
        for question in questions:
            cycles += self.ask(question, "none", PLAIN).cycles
            found.append(self._left)
        return found, cycles


def _link(step: Step, given: Mapping[str, bytes]) -> tuple[str, bytes]:
    """Return under which key a call of a chain is kept."""
    digest = hashlib.sha256()
    for name, content in sorted(given.items()):
        digest.update(f"{name} {len(content)} ".encode() + content)
    return step.function, digest.digest()


def _buffers(step: Step) -> tuple[str, ...]:
    """Return the buffers that a call names, also by their lengths, in its order: so they lie in memory."""
    names = (name.partition(":")[0].partition(".")[0] for name in step.parameters)
    renamed = ("IV" if name == "iv" else name for name in names)
    return tuple(dict.fromkeys(name for name in renamed if name[0].isalpha() and name != "null"))


def _altered(content: bytes, label: str) -> bytes:
    """Return the content with one bit changed."""
    bit = int.from_bytes(hashlib.shake_256(label.encode()).digest(4), "big") % (8 * len(content))
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
