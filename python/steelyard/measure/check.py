"""Is a compiled operation constant-time? Secrets are followed through the machine, and runs that differ in
nothing but secrets are compared.

The first witness runs it on a machine that carries, beside each register, flag and byte of memory, which
bits depend on secrets, and notes each instruction whose flow, address or time does. The second runs it on
the plain machine with the same public inputs and other secrets, and compares what the runs executed, where
they loaded and stored, and when. What the second finds and the first does not is a fault of Steelyard.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, get_args

from steelyard.cache.content import Cache, content_key
from steelyard.catalog.models import LeakKind, Target, Variant
from steelyard.errors import UsageError
from steelyard.machine import EMULATOR_VERSION, Aspect, Call, Emulator, Leak, Passed, Trace, first_differences
from steelyard.measure.choice import rounded_up
from steelyard.measure.execute import (
    Arguments,
    Bench,
    CallFault,
    Fence,
    Left,
    Manner,
    Observe,
    WrongOutput,
)
from steelyard.measure.foreign import ForeignBench
from steelyard.measure.image import Rules, started
from steelyard.measure.inputs import Question, RandomQuestions, is_chain
from steelyard.measure.lab import Lab
from steelyard.measure.plan import Build, Cell
from steelyard.measure.steps import PREPARED, Step
from steelyard.measure.varying import address_matters
from steelyard.nearest import unknown
from steelyard.record.origin import measuring_code
from steelyard.record.schema import Record
from steelyard.toolchain import BuildResult

SECRETS = ("key", "plaintext", "nonce")
"""What may be secret: keys with all that is made at random, the message before encryption, nonce or IV."""

CHECKED_BYTES = 64
"""Message of a checked operation, rounded up to whole blocks where its mode takes no others."""

CHECKED_AD_BYTES = 16
"""Associated data of a checked AEAD."""

RUNS = 8
"""Secrets of the second witness: zeros, ones, single bits, random bytes."""

LONG_CHECK_CYCLES = 2_000_000
"""Cycles above which the second witness takes FEWEST_RUNS secrets."""

FEWEST_RUNS = 3

LONGEST_CYCLES = 300_000_000
"""Cycles of a call above which a record has no verdict, which would take as long as dozens of samples."""

CONSTANT, ON_THIS_CHIP, VARIES = "yes", "on-this-chip", "no"
"""Verdicts: nothing depends on a secret; what does takes one time here whatever the secret; time may
follow a secret."""

CONSTANT_ENOUGH = (CONSTANT, ON_THIS_CHIP)
"""Verdicts with which time follows no secret on the chip."""

_SECRET_BUFFERS = {
    "key": frozenset({"key", "secret-key", "coins"}),
    "plaintext": frozenset({"input", "message"}),
    "nonce": frozenset({"IV"}),
}
_TAKES_PLAINTEXT = frozenset({"encrypt", "seal", "mac", "digest"})


@dataclass(frozen=True)
class Finding:
    """An instruction that depends on a secret.

    `address` is its byte address, `times` how often it did so in the checked call; `lowest` and `highest`
    are addresses that it accessed, of a load or store. `matters` says whether that can change time on the
    chip, `reason` why, or why not. `declassified` is the reason for which its variant accepts it.
    """

    kind: LeakKind
    address: int
    function: str
    times: int
    lowest: int | None
    highest: int | None
    matters: bool
    reason: str
    declassified: str | None = None


@dataclass(frozen=True)
class Difference:
    """The first difference of two runs with the same public inputs and other secrets.

    `what` is `flow`, `address` or `cycles`; `address` is the byte address of the last instruction that both
    executed, `function` where it lies. `secrets` describes both secrets.
    """

    what: str
    address: int
    function: str
    secrets: tuple[str, str]
    cycles: tuple[int, int]


@dataclass(frozen=True)
class Checked:
    """What both witnesses say of an operation with these secrets.

    `runs` is the number of runs of the second witness, 0 where it cannot be asked, for the reason `unasked`.
    """

    secrets: tuple[str, ...]
    findings: tuple[Finding, ...]
    runs: int
    unasked: str | None
    difference: Difference | None

    @property
    def counted(self) -> tuple[Finding, ...]:
        """The findings that are not declassified."""
        return tuple(finding for finding in self.findings if finding.declassified is None)

    @property
    def verdict(self) -> str:
        """One of the three verdicts."""
        if any(finding.matters for finding in self.counted) or self._unforeseen("cycles", "flow"):
            return VARIES
        return ON_THIS_CHIP if self.counted or self._unforeseen("address") else CONSTANT

    @property
    def contradicts(self) -> bool:
        """Whether the second witness found what the first did not: a fault of Steelyard."""
        return self.difference is not None and not self.findings

    def _unforeseen(self, *what: str) -> bool:
        return self.difference is not None and self.difference.what in what and not self._accepted

    @property
    def _accepted(self) -> bool:
        """Whether the flow may differ because of what is declassified."""
        return any(finding.declassified is not None for finding in self.findings)

    def as_json(self) -> str:
        """Return everything as JSON, for `from_json`."""
        # `asdict` copies every value, which takes as long as a short check.
        findings = [vars(finding) for finding in self.findings]
        difference = None if self.difference is None else vars(self.difference)
        return json.dumps({**vars(self), "findings": findings, "difference": difference})

    @classmethod
    def from_json(cls, text: str | bytes) -> Checked:
        """Return what `as_json` has written."""
        found: dict[str, Any] = json.loads(text)
        difference = found["difference"]
        if difference is not None:
            pairs = {name: tuple(difference[name]) for name in ("secrets", "cycles")}
            difference = Difference(**{**difference, **pairs})
        return cls(
            secrets=tuple(found["secrets"]),
            findings=tuple(Finding(**finding) for finding in found["findings"]),
            runs=found["runs"],
            unasked=found["unasked"],
            difference=difference,
        )


def chosen_secrets(names: Iterable[str]) -> frozenset[str]:
    """Return secrets by their names; UsageError for a name that is none."""
    chosen = frozenset(names)
    for name in sorted(chosen):
        if name not in SECRETS:
            raise UsageError(f"--secret: {unknown('secret', name, SECRETS)}")
    return chosen


def usual_secrets(cell: Cell) -> frozenset[str]:
    """Return what is secret unless somebody says otherwise: the key, or the message of a hash."""
    return frozenset({"plaintext" if cell.build.algorithm.file.kind == "hash" else "key"})


def checked_cell(cell: Cell) -> Cell:
    """Return the cell that is checked for one: the same operation, of one length for all lengths."""
    message_bytes, ad_bytes = cell.message_bytes, cell.ad_bytes
    build = cell.build
    if message_bytes is not None and (build.mode is not None or build.algorithm.file.kind != "block"):
        mode_id = build.mode.id if build.mode is not None else None
        only = build.variant.only_bytes(cell.operation, mode_id)
        wanted = rounded_up(CHECKED_BYTES, build.primitive, build.mode)
        message_bytes = only if only is not None else wanted
    if ad_bytes is not None:
        ad_bytes = CHECKED_AD_BYTES
    padding = "none" if cell.padding is not None else None
    return replace(cell, message_bytes=message_bytes, ad_bytes=ad_bytes, padding=padding, cache_state=None)


def secret_buffers(cell: Cell, step: Step, secrets: frozenset[str]) -> frozenset[str]:
    """Return the buffers of a call that hold secrets.

    Where a public key is a key in name only, what is random is secret in its place.
    """
    build = cell.build
    if build.algorithm.file.kind == "signature" and not build.variant.is_foreign:
        if step.function == "signature_verify" or "key" not in secrets:
            return frozenset()
        return frozenset({"IV"} if step.function == "pke_encrypt" else {"key", "IV"}) & step.given
    operation = step.call.operation if step.call is not None else cell.operation
    named = {name for secret in secrets for name in _SECRET_BUFFERS[secret]}
    if operation not in _TAKES_PLAINTEXT:
        named -= _SECRET_BUFFERS["plaintext"]
    given = step.given | ({"coins"} if build.variant.file.random is not None else set())
    return frozenset(named) & given


def annotated(build: Build) -> Build:
    """Return the build that is checked for one: sources that mark secrets themselves are told to.

    The same object if there are none.
    """
    if not any(variant.file.annotated_by for variant in (build.variant, *build.parts)):
        return build
    return replace(build, variant=_told(build.variant), parts=tuple(map(_told, build.parts)))


def _told(variant: Variant) -> Variant:
    defines = {**variant.file.defines, **variant.file.annotated_by}
    return variant.model_copy(update={"file": variant.file.model_copy(update={"defines": defines})})


class Checks:
    """Checks of one image, each made once and kept."""

    def __init__(
        self,
        cache: Cache,
        built: BuildResult,
        questions: RandomQuestions,
        rules: Rules,
        described: str,
        plain: Callable[[], Emulator] | None = None,
    ) -> None:
        """Take an image; `described` is its chip in the emulator's format, `plain` as `Checker` has it."""
        self._cache = cache
        self._rules = rules
        self._image = hashlib.sha256(built.elf).hexdigest()
        self._described = described
        self.checker = Checker(built, questions, rules.max_cycles, plain)

    def of(
        self, cell: Cell, secrets: frozenset[str] | None = None, longest_cycles: int | None = None
    ) -> Checked:
        """Return what both witnesses say of a cell's operation; CallFault and WrongOutput as `Checker`.

        Without `secrets`, what is usually secret is. A call of more than `longest_cycles` is a CallFault.
        """
        one = checked_cell(cell)
        secrets = usual_secrets(cell) if secrets is None else secrets
        build = cell.build
        key = content_key(
            "check",
            self._image,
            EMULATOR_VERSION,
            measuring_code(),
            self._described,
            build.primitive.model_dump_json(),
            *(variant.file.model_dump_json() for variant in (build.variant, *build.parts)),
            repr((build.mode and build.mode.id, build.footprint, *one.call, sorted(secrets))),
            repr((self._rules.seed, self._rules.max_cycles)),
        )
        kept = self._cache.get("check", key)
        if kept is not None:
            return Checked.from_json(kept)
        checked = self.checker.check(one, secrets, longest_cycles)
        self._cache.put("check", key, checked.as_json().encode())
        return checked

    def record(self, cell: Cell, cycles: float) -> Record:
        """Return the verdict on a cell's operation, a call of so many cycles, as fields of its record.

        None if it cannot be had, or would take too long.
        """
        if cycles > LONGEST_CYCLES:
            return {}
        try:
            checked = self.of(cell, longest_cycles=LONGEST_CYCLES)
        except (CallFault, WrongOutput, UsageError):
            return {}
        return {"constant_time": checked.verdict, "leaks": len(checked.counted)}


class Checker:
    """Both witnesses for the operations of one image."""

    def __init__(
        self,
        built: BuildResult,
        questions: RandomQuestions,
        max_cycles: int,
        plain: Callable[[], Emulator] | None = None,
    ) -> None:
        """Take an image; `plain` returns a machine that it has started on, which follows no secrets."""
        self._plain = plain
        self._built = built
        self._questions = questions
        self._max_cycles = max_cycles
        self._noise = hashlib.sha256(built.elf).digest()
        self._machines: dict[bool, Emulator] = {}

    def question(self, cell: Cell) -> Question:
        """Return the question with which a cell's operation is checked."""
        return self._questions.of(checked_cell(cell), 0)

    def function_at(self, address: int) -> str:
        """Return the function that an instruction belongs to."""
        return next(iter(self._machines.values())).function_at(address) or "?"

    def check(self, cell: Cell, secrets: frozenset[str], longest_cycles: int | None = None) -> Checked:
        """Ask both witnesses of an operation. CallFault and WrongOutput as in a measurement.

        CallFault also for a call of more than `longest_cycles`.
        """
        named = tuple(name for name in SECRETS if name in secrets)
        follower = self.follower(cell, secrets, longest_cycles)
        if not any(secret_buffers(cell, step, secrets) for step in follower.steps):
            return Checked((), (), 0, "no input of this operation is secret", None)
        question = self.question(cell)
        called = follower.ask(question, "secrets")
        findings = tuple(self._finding(cell, leak) for leak in called.leaks or ())
        unasked = _unasked(cell)
        if unasked is not None:
            return Checked(named, findings, 0, unasked, None)
        few = called.cycles > LONG_CHECK_CYCLES
        runs = list(_other_secrets(cell, question, secrets))[: FEWEST_RUNS if few else RUNS]
        difference = self._difference(cell, runs)
        return Checked(named, findings, len(runs), None, difference)

    def follower(self, cell: Cell, secrets: frozenset[str], longest_cycles: int | None = None) -> Follower:
        """Return a bench for a cell whose machine follows secrets."""
        cell = checked_cell(cell)
        emulator = self._machine(cell.build.target, shadow=True)
        kind: type[Follower] = _ForeignFollower if cell.build.variant.is_foreign else Follower
        bench = kind(emulator, cell, min(self._max_cycles, longest_cycles or self._max_cycles), self._noise)
        bench.secrets = secrets
        return bench

    def _machine(self, target: Target, *, shadow: bool) -> Emulator:
        if not shadow and self._plain is not None:
            return self._plain()
        if shadow not in self._machines:
            self._machines[shadow] = started(self._built, target, self._noise, shadow=shadow)
        return self._machines[shadow]

    def _finding(self, cell: Cell, leak: Leak) -> Finding:
        matters, reason = _matters(cell.build.target, leak)
        function = self.function_at(leak.address)
        accepted = (
            one.reason
            for variant in (cell.build.variant, *cell.build.parts)
            for one in variant.file.declassified
            if one.function == function and one.kind in (None, leak.kind)
        )
        return Finding(
            leak.kind, leak.address, function, leak.times, leak.lowest, leak.highest, matters, reason,
            next(accepted, None),
        )  # fmt: skip

    def _difference(self, cell: Cell, runs: Sequence[tuple[str, Question]]) -> Difference | None:
        """Return the first difference of any run from the first one."""
        emulator = self._machine(cell.build.target, shadow=False)
        kind: type[Comparer] = _ForeignComparer if cell.build.variant.is_foreign else Comparer
        bench = kind(emulator, cell, self._max_cycles, self._noise)
        (first_name, first), *others = runs
        traces = bench.traced(first)
        for name, question in others:
            found = bench.compare(first, traces, question)
            if found is not None:
                function = self.function_at(found.address)
                return Difference(found.what, found.address, function, (first_name, name), found.cycles)
        return None


class _Wayfound(Exception):
    """The way of a secret was found: the rest of the question need not be asked."""


class Follower(Bench):
    """A bench whose machine follows secrets: marks those of each call before it begins."""

    secrets: frozenset[str] = frozenset()
    _wanted: Finding | None = None
    _found: tuple[Passed, ...] = ()

    @property
    def steps(self) -> Sequence[Step]:
        """The calls of a question."""
        return self._steps

    @property
    def emulator(self) -> Emulator:
        """The machine."""
        return self._emulator

    def way(self, question: Question, finding: Finding) -> tuple[Passed, ...]:
        """Return the instructions through which a secret came to a finding: the load that brought it from
        marked memory first, the finding last; empty if the run did not come to it.
        """
        self._wanted, self._found = finding, ()
        with suppress(_Wayfound, CallFault, WrongOutput):
            self.ask(question, "secrets")
        self._wanted = None
        return self._found

    def named(self, address: int) -> str:
        """Return the name of the buffer in lab memory at an address, else that of the variable, or the
        address itself.
        """
        for name, begin in self._laid.addresses.items():
            if begin <= address < begin + self._laid.size_of(name):
                return f"byte {address - begin} of the {name.lower() if name != 'IV' else name}"
        if self._context <= address < self._context + self._context_bytes:
            return f"byte {address - self._context} of the context"
        return f"0x{address:x}"

    def _placed(self, step: Step, lab: Lab) -> None:
        super()._placed(step, lab)
        self._laid = lab
        for name in sorted(secret_buffers(self._cell, step, self.secrets) & lab.addresses.keys()):
            if lab.size_of(name):
                self._emulator.mark(lab.address(name), lab.size_of(name))

    def _rehearse(self, function: str, arguments: Arguments, question: Question) -> None:
        """Nothing: caches change no secret."""

    def _call(
        self, function: str, arguments: Arguments, question: Question, observe: Observe, fence: Fence = None
    ) -> Call:
        if observe == "secrets" and self._wanted is not None:
            wanted = self._wanted
            leak = Leak(wanted.kind, wanted.address, wanted.times, wanted.lowest, wanted.highest)
            with suppress(UsageError):
                self._found = self._emulator.path(function, arguments, max_cycles=self._max_cycles, leak=leak)
                raise _Wayfound
            # The finding is in a later call of the operation, which needs this one to have been made.
        return super()._call(function, arguments, question, observe, fence)


class _ForeignFollower(Follower, ForeignBench):
    """The same for code with an interface of its own."""

    def _remember(self, step: Step, given: Mapping[str, bytes], manner: Manner, left: Left) -> None:
        """Keep nothing: bytes that are put back have lost what of them is secret."""

    def _order(self, manner: Manner) -> list[int]:
        """Return the steps of a question: of a chain those up to the followed ones.

        What these leave was compared when they were measured.
        """
        return super()._order(manner)[: self._measured_steps.stop if self._chain else None]

    def _check(self, number: int, question: Question, manner: Manner, seen: Mapping[str, bytes]) -> None:
        super()._check(number, question, manner, seen)
        if PREPARED in self._steps[number].written and "key" in self.secrets:
            _, address, size_bytes = self._emulator.place("harness_context")
            self._emulator.mark(address, size_bytes)


@dataclass(frozen=True)
class _Compared:
    """The first difference of two runs: of what, behind which instruction, and the cycles of both."""

    what: str
    address: int
    cycles: tuple[int, int]


class Comparer(Bench):
    """A bench that compares what two questions make an image execute, where it loads and stores, and when."""

    _stretch: int | None = None
    _traces: list[Trace]

    def compare(self, one: Question, first: Sequence[Trace], other: Question) -> _Compared | None:
        """Return the first difference of the measured calls, of the flow before addresses before cycles.

        `first` are the traces of `one`.
        """
        second = self.traced(other)
        for number, traces in enumerate(zip(first, second, strict=True)):
            runs = (
                lambda stretch, made=made, asked=asked, number=number: (
                    made if stretch is None else self.traced(asked, stretch)[number]
                )
                for made, asked in zip(traces, (one, other), strict=True)
            )
            found = first_differences(*runs)
            for what in get_args(Aspect):
                if what in found:
                    mine, theirs = traces
                    return _Compared(what, found[what].before or 0, (mine.cycles, theirs.cycles))
        return None

    def traced(self, question: Question, stretch: int | None = None) -> list[Trace]:
        """Return the traces of the measured calls, with the events of a stretch by its number."""
        self._traces, self._stretch = [], stretch
        self.ask(question, "trace")
        return self._traces

    def _call(
        self, function: str, arguments: Arguments, question: Question, observe: Observe, fence: Fence = None
    ) -> Call:
        if observe != "trace":
            return super()._call(function, arguments, question, observe, fence)
        called, trace = self._emulator.trace(
            function, arguments, max_cycles=self._max_cycles, stretch=self._stretch
        )
        if called.fault is not None:
            raise CallFault(called.fault.kind, f"{question.name}, {function}: {called.fault.message}.")
        self._traces.append(trace)
        return called


class _ForeignComparer(Comparer, ForeignBench):
    """The same for code with an interface of its own."""


def _matters(target: Target, leak: Leak) -> tuple[bool, str]:
    """Return whether a leak can change time on a chip, and why."""
    match leak.kind:
        case "load" | "store":
            assert leak.lowest is not None and leak.highest is not None
            return address_matters(target, leak.lowest, leak.highest, store=leak.kind == "store")
        case "branch":
            return True, "both ways take their own time"
        case "target":
            return True, "each target takes its own time"
        case "condition":
            return True, "the instruction takes another time if it is left out"
        case "stack":
            return True, "the stack moves by a secret"
        case _:
            return True, f"the core's {_UNITS[leak.kind]} takes a time that depends on its operands"


_UNITS = {"multiply": "multiplier", "divide": "divider", "shift": "shifter, or a repeated instruction,"}


def _unasked(cell: Cell) -> str | None:
    """Return why the second witness cannot be asked, None where it can."""
    if is_chain(cell.build):
        return "the public inputs of a chain of calls follow from its secrets"
    if cell.build.algorithm.file.kind == "signature":
        return "the public key follows from the private one"
    return None


def _other_secrets(cell: Cell, question: Question, secrets: frozenset[str]) -> Iterator[tuple[str, Question]]:
    """Yield questions with the same public inputs and other secrets, each with a description of them.

    None has a known answer. What is to be opened keeps its tag, so that each of them is refused.
    """
    for number in range(RUNS):
        name = _PATTERNS[number] if number < len(_PATTERNS) else f"random bytes {number - len(_PATTERNS) + 1}"
        key, iv, data = question.key, question.iv, question.data
        if "key" in secrets:
            key = _pattern(number, len(key), f"{question.name}|key")
        if "nonce" in secrets:
            iv = _pattern(number, len(iv), f"{question.name}|nonce")
        if "plaintext" in secrets and cell.operation not in ("decrypt", "open"):
            data = _pattern(number, len(data), f"{question.name}|plaintext")
        yield name, replace(question, key=key, iv=iv, data=data, answer=None)


_PATTERNS = ("zeros", "ones", "the first bit", "the last bit")


def _pattern(number: int, size_bytes: int, label: str) -> bytes:
    """Return a secret of these bytes: a pattern by its number, or random bytes by number and label."""
    match number:
        case 0:
            return bytes(size_bytes)
        case 1:
            return b"\xff" * size_bytes
        case 2:
            return (b"\x80" + bytes(size_bytes))[:size_bytes]
        case 3:
            return (bytes(size_bytes) + b"\x01")[1:]
        case _:
            return hashlib.shake_256(f"{label}|{number}".encode()).digest(size_bytes)
