"""Run a cell's calls on the machine and compare every output with its known answer."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from steelyard.catalog.models import Target
from steelyard.errors import SteelyardError
from steelyard.machine import Call, Emulator
from steelyard.measure.inputs import Question, answered_by, iv_bytes
from steelyard.measure.lab import Lab
from steelyard.measure.plan import Build, Cell
from steelyard.record.schema import MIX_CLASSES, Record, mix_field
from steelyard.toolchain.sizes import chip_memory

Observe = Literal["none", "stack", "profile"]

_Arguments = list[tuple[int, int]]
_Function = tuple[str, _Arguments]

FEWEST_SAMPLES = 2
INT_BYTES = 2
"""Bytes examined of the result of a function that may refuse: the low ones of an int, on every target."""

LONG_CALL_CYCLES = 20_000_000
"""Cycles above which a call is sampled at most FEWEST_SAMPLES times."""


_REFUSING = {
    "aead_open": "tag",
    "pke_encrypt": "public key",
    "pke_decrypt": "ciphertext",
    "signature_init": "key",
    "signature_sign": "nonce",
    "signature_verify": "signature",
}
"""Inputs that functions with a success result must refuse if changed."""


class CallFault(SteelyardError):
    """A call ended in a fault; `kind` is the emulator's name for it."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class WrongOutput(SteelyardError):
    """A call returned with another output, or wrote where it must not write."""


@dataclass
class Observed:
    """Observations over the samples of a cell."""

    calls: list[Call] = field(default_factory=list)
    answered: int = 0

    def add(self, call: Call, answered: bool) -> None:
        """Count one sample; `answered` says whether its output was compared with a known answer."""
        self.calls.append(call)
        self.answered += answered

    def metrics(self) -> Record:
        """Return the record's fields that follow from the calls: cycles, mix, stack and the profile."""
        cycles = [call.cycles for call in self.calls]
        mean = _mean(cycles)
        record: Record = {
            "samples": len(cycles),
            "cycles": mean,
            "cycles_min": min(cycles),
            "cycles_max": max(cycles),
            "cycles_sd": math.sqrt(_mean((count - mean) ** 2 for count in cycles)),
            "ram_stack_bytes": max(call.stack_bytes for call in self.calls),
            "instructions": _mean(call.instructions for call in self.calls),
            "loads": _mean(call.loads for call in self.calls),
            "stores": _mean(call.stores for call in self.calls),
            "branches": _mean(call.branches for call in self.calls),
            "branches_taken": _mean(call.branches_taken for call in self.calls),
            "functions": _profile(self.calls),
            **_caches(self.calls),
        }
        for name in MIX_CLASSES:
            record[mix_field(name)] = _mean(call.mix.get(name, 0) for call in self.calls)
        return record


class Bench:
    """One image on one machine, with a snapshot taken at `harness_ready`; runs the questions of one cell.

    With `stack_in_lab` the stack of measured calls also lies in lab memory, where it has room, and is always
    observed; `deepest_stack_bytes` is their peak, `argument_bytes` the size of their arguments above it.
    `forgeable` are inputs any change of which must be refused.
    """

    def __init__(
        self, emulator: Emulator, cell: Cell, max_cycles: int, *, stack_in_lab: bool = False
    ) -> None:
        self._emulator = emulator
        self._cell = cell
        self._pointer_bytes = pointer_bytes(cell.build.target)
        self._max_cycles = max_cycles
        self._stack_in_lab = stack_in_lab
        self._context = emulator.address("harness_context") if has_context(cell.build) else 0
        self.deepest_stack_bytes = 0
        self.argument_bytes = 0
        self._forged = False
        self.forgeable = _forgeable(cell)
        target = cell.build.target
        ram = chip_memory(target, "ram")
        self._statics = (ram.base, emulator.address("_end") - ram.base)
        self._lab_stack = emulator.empty_stack(target.lab.base + target.lab.size)
        emulator.reset()
        self._chip_stack = emulator.stack_pointer

    def sample(
        self, questions: Callable[[int], Question], samples: int, stopped: Callable[[], bool]
    ) -> Observed | None:
        """Ask up to `samples` questions; None when stopped. Raises CallFault or WrongOutput."""
        observed = Observed()
        for index in range(samples):
            if stopped():
                return None
            question = questions(index)
            observed.add(self.ask(question), question.answer is not None)
            if self.forgeable:
                self.refuses_forgery(question, self.forgeable[index % len(self.forgeable)])
            if index + 1 >= FEWEST_SAMPLES and observed.calls[0].cycles > LONG_CALL_CYCLES:
                break
        return observed

    def ask(self, question: Question, observe: Observe = "profile") -> Call:
        """Set up, call, compare; return the cost of the measured call, as far as observed."""
        build = self._cell.build
        kind = build.algorithm.file.kind
        operation = answered_by(self._cell)
        # The IV of a mode is a chaining value the mode updates.
        lab = Lab(
            build.target.lab.base,
            {
                "key": len(question.key),
                "IV": build.primitive.block_bytes if kind == "block" else len(question.iv),
                "ad": len(question.ad),
                "input": len(question.data),
                "tag": len(question.tag),
                "output": output_bytes(self._cell, len(question.data)),
            },
        )
        contents = {"key": question.key, "ad": question.ad, "input": question.data}
        if question.iv:
            contents["IV"] = question.iv
        # An output left as it was can then not pass for the right one.
        if question.answer is not None:
            contents["output"] = _inverted(question.answer)
        written_tag = operation in ("seal", "sign")
        contents["tag"] = _inverted(question.tag) if written_tag else question.tag
        before = lab.filled(contents)
        self._emulator.reset()
        self._emulator.buffer("lab", before)
        measured = self._calls(lab, question, observe)
        after = self._emulator.content("lab")
        written = {"output", "IV"} if build.mode is not None and iv_bytes(build) else {"output"}
        if written_tag:
            written.add("tag")
        trespass = lab.trespass(before, after, written)
        if trespass is not None:
            raise WrongOutput(f"{question.name}: {trespass}.")
        if question.answer is not None:
            _compare(question, "output", question.answer, lab.content(after, "output"))
            if written_tag:
                what = "tag" if operation == "seal" else "public key"
                _compare(question, what, question.tag, lab.content(after, "tag"))
        return measured

    def refuses_forgery(self, question: Question, name: str) -> None:
        """Change one bit of an input after `ask`; WrongOutput if it is accepted, or plaintext not wiped."""
        original: bytes = getattr(question, name)
        if question.answer is None or not original or (self._cell.operation == "open" and not question.tag):
            return
        place = hashlib.shake_256(question.name.encode() + name.encode()).digest(4)
        bit = int.from_bytes(place, "big") % (8 * len(original))
        changed = bytearray(original)
        changed[bit // 8] ^= 1 << bit % 8
        forged = replace(
            question,
            name=f"{question.name} with a bit of its {name} changed",
            answer=bytes(len(question.answer)),
            **{name: bytes(changed)},
        )
        self._forged = True
        try:
            self.ask(forged, observe="none")
        finally:
            self._forged = False

    def _calls(self, lab: Lab, question: Question, observe: Observe) -> Call:
        """Run the set-up and the operation; return the result of the measured one."""
        kind = self._cell.build.algorithm.file.kind
        context, key, iv, data, out = (
            (address, self._pointer_bytes)
            for address in (self._context, *(lab.address(name) for name in ("key", "IV", "input", "output")))
        )
        length = (len(question.data), self._pointer_bytes)
        operation = answered_by(self._cell)
        setup: _Function
        call: _Function
        if kind in ("mac", "aead"):
            setup = f"{kind}_init", [context, key]
            if kind == "mac":
                call = "mac_compute", [context, out, data, length]
            else:
                ad, tag = ((lab.address(name), self._pointer_bytes) for name in ("ad", "tag"))
                ad_length = (len(question.ad), self._pointer_bytes)
                call = f"aead_{operation}", [context, out, tag, iv, ad, ad_length, data, length]
            return self._setup_and_call(setup, call, question, observe)
        if kind == "signature":
            if operation == "encrypt":
                return self._measured("pke_encrypt", [key, out, iv, data, length], question, observe)
            if operation == "decrypt":
                overhead_bytes = self._cell.build.primitive.overhead_bytes
                length = (len(question.data) - overhead_bytes, self._pointer_bytes)
                return self._measured("pke_decrypt", [key, out, data, length], question, observe)
            tag = (lab.address("tag"), self._pointer_bytes)
            if operation == "verify":
                return self._measured("signature_verify", [key, tag, data], question, observe)
            setup = "signature_init", [context, tag, key]
            call = "signature_sign", [context, out, data, iv]
            return self._setup_and_call(setup, call, question, observe)
        if kind == "hash":
            return self._measured("hash_digest", [context, out, data, length], question, observe)
        if kind == "stream":
            setup = "stream_init", [context, key, iv]
            call = "stream_crypt", [context, out, data, length]
        else:
            setup = self._block_setup(operation), [context, key]
            if self._cell.build.mode is None:
                call = f"block_{operation}", [context, out, data]
            else:
                call = f"mode_{operation}", [context, iv, out, data, length]
        return self._setup_and_call(setup, call, question, observe)

    def _setup_and_call(
        self, setup: _Function, call: _Function, question: Question, observe: Observe
    ) -> Call:
        if self._cell.operation.startswith("init"):
            result = self._measured(*setup, question, observe)
            self._uncounted(*call, question)
            return result
        self._uncounted(*setup, question)
        return self._measured(*call, question, observe)

    def _block_setup(self, operation: str) -> str:
        build = self._cell.build
        reads_decrypt = build.mode is None or build.mode.file.decrypts_with == "decrypt"
        if operation == "decrypt" and build.variant.file.init_decrypt and reads_decrypt:
            return "block_init_decrypt"
        return "block_init"

    def _measured(self, function: str, arguments: _Arguments, question: Question, observe: Observe) -> Call:
        self._emulator.stack_pointer = self._lab_stack if self._stack_in_lab else self._chip_stack
        if self._cell.cache_state is not None:
            self._emulator.empty_caches()
        if self._cell.cache_state == "warm" and observe != "none":
            self._rehearse(function, arguments, question)
        if self._stack_in_lab and observe == "none":
            observe = "stack"
        return self._call(function, arguments, question, observe)

    def _rehearse(self, function: str, arguments: _Arguments, question: Question) -> None:
        """Run the call once uncounted; memory is restored, the state of the caches stays."""
        statics = self._emulator.read("data", *self._statics)
        lab = self._emulator.content("lab")
        self._call(function, arguments, question, "none")
        self._emulator.write("data", self._statics[0], statics)
        self._emulator.buffer("lab", lab)

    def _uncounted(self, function: str, arguments: _Arguments, question: Question) -> None:
        """Run a call that only prepares or checks the measured one; its stack need not fit."""
        self._emulator.stack_pointer = self._lab_stack
        self._call(function, arguments, question, "none")

    def _call(self, function: str, arguments: _Arguments, question: Question, observe: Observe) -> Call:
        result = self._emulator.call(function, arguments, max_cycles=self._max_cycles, observe=observe)
        if result.stack_bytes > self.deepest_stack_bytes:
            self.deepest_stack_bytes = result.stack_bytes
            self.argument_bytes = result.argument_bytes
        fault = result.fault
        if fault is not None:
            raise CallFault(fault.kind, f"{question.name}, {function}: {fault.message}.")
        answered = question.answer is not None
        if function in _REFUSING and answered and (result.returned(INT_BYTES) != 0) != self._forged:
            said = "refuses a right" if not self._forged else "does not refuse a wrong"
            raise WrongOutput(f"{question.name}: {function} {said} {_REFUSING[function]}.")
        return result


def pointer_bytes(target: Target) -> int:
    """Return the size of a data pointer and of size_t."""
    return max(2, target.file.word_bits // 8)


def function_called(cell: Cell) -> str:
    """Return the symbol of the measured function."""
    build = cell.build
    kind = build.algorithm.file.kind
    operation = cell.operation.replace("-", "_")
    if kind == "hash":
        return "hash_digest"
    if kind == "stream":
        return "stream_init" if operation == "init" else "stream_crypt"
    if kind == "mac":
        return "mac_init" if operation == "init" else "mac_compute"
    if kind == "signature" and operation in ("encrypt", "decrypt"):
        return f"pke_{operation}"
    if kind in ("aead", "signature"):
        return f"{kind}_{operation}"
    return f"block_{operation}" if build.mode is None else f"mode_{operation}"


def has_context(build: Build) -> bool:
    """Whether the image has a context; operations on a public key, or on an unexpanded key, need none."""
    return build.algorithm.file.kind != "signature" or build.footprint in ("sign", "both")


def _forgeable(cell: Cell) -> tuple[str, ...]:
    """Return the inputs, by their names in a question, in which a changed bit must be refused."""
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


_INVERSE = bytes(range(255, -1, -1))


def _inverted(content: bytes) -> bytes:
    return content.translate(_INVERSE)


def _compare(question: Question, what: str, answer: bytes, output: bytes) -> None:
    if output == answer:
        return
    first = next(i for i, (got, right) in enumerate(zip(output, answer, strict=True)) if got != right)
    raise WrongOutput(
        f"{question.name}: byte {first} of the {what} is {output[first]:02x},"
        f" it should be {answer[first]:02x}."
    )


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed)


def _caches(calls: list[Call]) -> Record:
    """Return the memory system's counters, mean over the calls; empty on a chip without caches."""
    seen = [(call.instructions, call.memory) for call in calls if call.memory is not None]
    if not seen:
        return {}
    misses = [memory["icache_misses"] + memory["dcache_misses"] for _, memory in seen]
    # Every instruction is fetched, but only the first of each part of a line is looked up.
    accesses = [
        (count if memory["icache_accesses"] else 0) + memory["dcache_accesses"] for count, memory in seen
    ]
    return {
        "cache_hits": _mean(all_ - missed for all_, missed in zip(accesses, misses, strict=True)),
        "cache_misses": _mean(misses),
        "icache_misses": _mean(memory["icache_misses"] for _, memory in seen),
        "dcache_misses": _mean(memory["dcache_misses"] for _, memory in seen),
        "cache_write_backs": _mean(memory["dcache_writebacks"] for _, memory in seen),
        "memory_stall_cycles": _mean(memory["stall_cycles"] for _, memory in seen),
    }


def _profile(calls: list[Call]) -> str:
    """Return the `functions` field: mean cycles and instructions by function, as JSON, most cycles first."""
    cycles: Counter[str] = Counter()
    instructions: Counter[str] = Counter()
    for call in calls:
        for function in call.functions:
            cycles[function.name] += function.cycles
            instructions[function.name] += function.instructions
    count = len(calls)
    names = sorted(cycles, key=lambda name: (-cycles[name], name))
    return json.dumps(
        [{"name": n, "cycles": cycles[n] / count, "instructions": instructions[n] / count} for n in names]
    )
