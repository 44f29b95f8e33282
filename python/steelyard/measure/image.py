"""Measure and verify the cells of one image on its machine, without cache and without origin fields."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from steelyard.catalog.models import Target
from steelyard.errors import UsageError
from steelyard.machine import Call, Emulator
from steelyard.measure.execute import (
    FEWEST_SAMPLES,
    LARGEST_STACK_BYTES,
    Bench,
    CallFault,
    Observe,
    WrongOutput,
)
from steelyard.measure.foreign import HEAP_FAULT, LAB_FAULT, ForeignBench, Links
from steelyard.measure.inputs import Question, RandomQuestions, answered_by, is_chain, vector_questions
from steelyard.measure.metrics import Observed
from steelyard.measure.plan import LAB_RESERVE_BYTES, Cell, bare_cell
from steelyard.measure.random_inputs import RandomInputs, answer_all
from steelyard.oracle import MODES, available, provenance
from steelyard.record.schema import Record
from steelyard.toolchain import BuildFailed, BuildResult, Sizes
from steelyard.toolchain.sizes import chip_memory

# The harness is no part of what must fit the chip: where it is what makes an image too large, the flash is
# longer.
HARNESS_ROOM_BYTES = 1024

ENOUGH_KNOWN_CYCLES = 1_000_000
"""Cycles of published answers that are enough where random inputs are answered independently."""


_INVERSE_SETUP = re.compile(rb"\bblock_init_decrypt\s*\(")


@dataclass(frozen=True)
class Rules:
    """How cells are measured: random inputs per cell, their seed, cycles after which a call is aborted."""

    samples: int = 16
    seed: str = "steelyard"
    max_cycles: int = 2_000_000_000

    def __post_init__(self) -> None:
        """Refuse fewer samples than any record may have."""
        if self.samples < FEWEST_SAMPLES:
            raise UsageError(
                f"samples is {self.samples}; a cell is measured at least {FEWEST_SAMPLES} times."
            )


@dataclass(frozen=True)
class Sampled:
    """The samples of a cell: their calls, address and bytes of their buffers by name, and their machine."""

    calls: list[Call]
    buffers: Mapping[str, tuple[int, int]]
    emulator: Emulator


class Image:
    """A built image; the machine is started when the first cell needs it."""

    def __init__(
        self,
        build: BuildResult,
        rules: Rules,
        questions: RandomQuestions,
        stopped: Callable[[], bool],
        sealing: Callable[[], Image] | None = None,
        observe: Observe = "profile",
    ) -> None:
        """Take an image; `sealing` returns one of the same sources that seals, for what is to be opened.

        `observe` is what is observed of the samples; `sampled` keeps those of the last cell, in detail.
        """
        self.sampled: Sampled | None = None
        self._observe = observe
        self._build = build
        self._sealing = sealing
        self._sealer: Image | None = None
        self._links = Links()
        self._secret = hashlib.sha256(build.elf).digest()
        self._rules = rules
        self._questions = questions
        self._stopped = stopped
        self._started: Emulator | None = None
        self._known: dict[str, list[str]] = {}

    def outcome(self, cell: Cell) -> Record | None:
        """Return status, verification and metrics of a cell; None if stopped before the end."""
        sizes = _size_fields(self._build.sizes)
        if self._build.does_not_fit is not None:
            return {**sizes, "status": "does-not-fit", "error": f"{self._build.does_not_fit.rstrip('.')}."}
        try:
            measured = self._measure(cell)
        except WrongOutput as error:
            return _failure(error)
        except CallFault as fault:
            return self._faulted(cell, fault, sizes)
        except BuildFailed as error:
            # The image that seals what this one is to open.
            return {"status": "build-failed", "error": error.whole, "verified": False}
        except UsageError as error:
            return {"status": "fault", "fault_kind": "start-up", "error": str(error), "verified": False}
        if measured is None:
            return None
        record_bytes = cell.build.variant.record_bytes(cell.build.primitive.id)
        return {**sizes, "record_bytes": record_bytes or None, **measured}

    def _measure(self, cell: Cell) -> Record | None:
        bench = self._bench(cell)
        # A set-up is checked by the operation after it: both have the same known answers.
        answered = answered_by(cell)
        by_block = self._block(cell)
        if answered not in self._known:
            self._known[answered] = self._ask_known(bench, cell, by_block)
        known = self._known[answered]
        sealed = cell.operation == "open" and bool(known) and not _independent(cell)
        asked = partial(self._sealed if sealed else self._questions.of, cell)
        if by_block is not None and known:
            asked = partial(self._by_block, by_block, cell)
        observed = bench.sample(asked, self._rules.samples, self._stopped)
        if observed is None:
            return None
        if self._observe == "detail":
            self.sampled = Sampled(observed.calls, bench.buffers(asked(0)), self.emulator(cell.build.target))
        if bench.heap_bytes and self._needed_bytes(cell, bench) > cell.build.target.size_bytes("ram"):
            return {"status": "does-not-fit", "error": self._excess(cell, bench)}
        # Without the right tags, what was measured of `open` is how fast it refuses.
        refused = cell.operation == "open" and not observed.answered
        if is_chain(cell.build):
            consistent = _consistent(cell)
            known, sealed = [consistent], True
        if refused or (not known and observed.answered < len(observed.calls)):
            return {
                "status": "ok",
                "verified": False,
                "error": "not verified: there is neither an independent implementation nor a known answer"
                " (vectors.toml), so no figure is given."
                if not refused
                else "not verified: no independent implementation makes tags to open, so no figure is given.",
            }
        return {
            "status": "ok",
            "verified": True,
            "verified_by": _verified_by(cell, observed, known, sealed=sealed, by_block=by_block is not None),
            "evidence": _evidence(cell, known, sealed=sealed or by_block is not None),
            **observed.metrics(),
            "ram_heap_bytes": bench.heap_bytes or None,
            "mode_overhead_cycles_per_block": self._mode_overhead(bench, cell, observed),
        }

    def _block(self, cell: Cell) -> ForeignBench | None:
        """Return a bench for the block operation under the mode of code of others, where nothing else tells
        what is right.
        """
        build = cell.build
        if not build.variant.is_foreign or build.mode is None or _independent(cell):
            return None
        secret, limit = self._secret, self._rules.max_cycles
        return ForeignBench(self.emulator(build.target), cell, limit, secret, of_block=True)

    def _by_block(self, block: ForeignBench, cell: Cell, index: int) -> Question:
        """Return a sample in a mode, answered over the image's own block operation."""
        asked, mode = self._questions.of(cell, index), cell.build.mode
        assert mode is not None

        def operation(piece: bytes) -> bytes:
            (left,), _ = block.outputs([replace(asked, data=piece)])
            return left

        answer = MODES[mode.id](
            operation,
            asked.iv,
            asked.data,
            encrypt=cell.operation == "encrypt",
            size=cell.build.primitive.block_bytes,
        )
        return replace(asked, answer=answer)

    def _sealed(self, cell: Cell, index: int) -> Question:
        """Return a sample to be opened, sealed by the image's own sources, since nothing else seals it."""
        asked = self._questions.of(cell, index)
        if self._sealing is None:
            return asked
        self._sealer = self._sealer or self._sealing()
        seal = replace(cell, operation="seal", build=replace(cell.build, footprint="encrypt"))
        (made,), _ = self._sealer._bench(seal).outputs([asked])
        ciphertext, tag = made[: len(asked.data)], made[len(asked.data) :]
        return replace(asked, data=ciphertext, answer=asked.data, tag=tag)

    def answer_random_inputs(self, cell: Cell, inputs: RandomInputs, longest_cycles: int) -> int | Record:
        """Return how many random inputs the image answered; the outcome of a cell if one was wrong."""
        try:
            return answer_all(self._bench(cell), inputs, longest_cycles)
        except (CallFault, WrongOutput) as error:
            return _failure(error)

    def _mode_overhead(self, bench: Bench, cell: Cell, observed: Observed) -> float | None:
        """Return the cycles of the last whole block in the mode, minus the block operation on the same block.

        The value is also exact if the cipher's time depends on its data, because all is measured with the
        same blocks; then, and with caches, it is the mean of two messages. The bare operation is that of the
        same image.
        """
        overheads: list[float] = []
        if cell.build.variant.is_foreign:
            return None
        alike = observed.takes_one_time and cell.cache_state is None
        for index in range(1 if alike else FEWEST_SAMPLES):
            last = self._questions.last_block(cell, index)
            if last is None:
                return None
            message = self._questions.of(cell, index)
            size = len(last.data)
            whole = len(message.data) // size * size
            if cell.cache_state is None and whole == len(message.data):
                # Without caches the same call takes the same cycles again.
                longer = observed.calls[index].cycles
            else:
                longer = bench.ask(message.shortened(whole), observe="none").cycles
            shorter = bench.ask(message.shortened(whole - size), observe="none").cycles
            bare = self._bench(bare_cell(cell))
            overheads.append(longer - shorter - bare.ask(last, observe="none").cycles)
        return sum(overheads) / len(overheads)

    def _bench(self, cell: Cell, *, stack_in_lab: bool = False) -> Bench:
        emulator = self.emulator(cell.build.target)
        given = (emulator, cell, self._rules.max_cycles, self._secret)
        if cell.build.variant.is_foreign:
            return ForeignBench(*given, stack_in_lab=stack_in_lab, observe=self._observe, links=self._links)
        return Bench(*given, stack_in_lab=stack_in_lab, observe=self._observe)

    def emulator(self, target: Target) -> Emulator:
        """Return the machine that the image has started on."""
        if self._started is None:
            self._started = started(self._build, target, self._secret)
        return self._started

    def _ask_known(self, bench: Bench, cell: Cell, by_block: Bench | None = None) -> list[str]:
        """Return what was right besides random inputs: published answers, and the edges of a mode.

        With `by_block`, published answers are those of the block operation under the mode.
        """
        if by_block is not None:
            bare = bare_cell(cell)
            vectors = self._ask_vectors(by_block, bare)
            return [f"{vectors} published known answers of its block operation"] if vectors else []
        edges = self._questions.of_edges(cell)
        if edges is not None:
            bench.ask(edges, observe="none")
        vectors = self._ask_vectors(bench, cell)
        published = [f"{vectors} published known answers"] if vectors else []
        return published + ([edges.name] if edges is not None else [])

    def _ask_vectors(self, bench: Bench, cell: Cell) -> int:
        """Return the number of correct published answers.

        Answers whose message exceeds the lab memory are left out. Where samples are answered independently,
        those of the longest messages are also left out if the others have taken ENOUGH_KNOWN_CYCLES.
        """
        room = cell.build.target.lab.size - LAB_RESERVE_BYTES
        mode_id = cell.build.mode.id if cell.build.mode is not None else None
        only = cell.build.variant.only_bytes(answered_by(cell), mode_id)
        asked = [
            question
            for question in vector_questions(cell)
            if 2 * len(question.data) <= room and only in (None, len(question.data))
        ]
        limit = None
        if _independent(cell):
            asked.sort(key=lambda question: len(question.data))
            limit = bench.spent_cycles + ENOUGH_KNOWN_CYCLES
        for number, question in enumerate(asked):
            if limit is not None and bench.spent_cycles > limit:
                return number
            bench.ask(question, observe="none")
            if bench.forgeable:
                bench.refuses_forgery(question, bench.forgeable[number % len(bench.forgeable)])
        return len(asked)

    def _faulted(self, cell: Cell, fault: CallFault, sizes: Record) -> Record:
        """Return the outcome of a fault.

        A stack fault becomes `does-not-fit` if the same call succeeds with a larger stack.
        """
        if fault.kind in (HEAP_FAULT, LAB_FAULT):
            return {**sizes, "status": "does-not-fit", "error": str(fault)}
        if fault.kind == "stack-overflow":
            bench = self._bench(cell, stack_in_lab=True)
            try:
                # The call that overflowed may have been one of these.
                self._ask_known(bench, cell)
                bench.sample(
                    lambda index: self._questions.of(cell, index), self._rules.samples, lambda: False
                )
            except (CallFault, WrongOutput):
                pass
            else:
                return {
                    **sizes,
                    "ram_stack_bytes": bench.deepest_stack_bytes,
                    "status": "does-not-fit",
                    "error": self._excess(cell, bench),
                }
        return _failure(fault)

    def _excess(self, cell: Cell, bench: Bench) -> str:
        sizes = self._build.sizes
        target = cell.build.target
        # Statics as they lie there, with what aligns them.
        kept = self.emulator(target).address("_end") - chip_memory(target, "ram").base
        static = kept - sizes.ram_context_bytes
        ram_bytes = target.size_bytes("ram")
        arguments = f", arguments {bench.argument_bytes}" if bench.argument_bytes else ""
        heap = f", heap {bench.heap_bytes}" if bench.heap_bytes else ""
        return (
            f"{self._needed_bytes(cell, bench) - ram_bytes} bytes too large for the RAM of"
            f" {target.file.title}: statics {static}, context {sizes.ram_context_bytes}{arguments}{heap}"
            f" and stack {bench.deepest_stack_bytes} of {ram_bytes} bytes."
        )

    def _needed_bytes(self, cell: Cell, bench: Bench) -> int:
        """Return the RAM that the observed calls needed, harness included."""
        target = cell.build.target
        kept = self.emulator(target).address("_end") - chip_memory(target, "ram").base
        return kept + bench.heap_bytes + bench.argument_bytes + bench.deepest_stack_bytes


def started(build: BuildResult, target: Target, secret: bytes, *, shadow: bool = False) -> Emulator:
    """Return a machine on which an image has run up to `harness_ready`; with `shadow` it follows secrets.

    What lies below the stack is noise, of which `secret` is the key: code may not count on zeros there.
    """
    sizes = build.sizes
    without_harness = sizes.rom_bytes + sizes.rom_mode_bytes
    lacking = without_harness + HARNESS_ROOM_BYTES - target.size_bytes("flash")
    if lacking > 0:
        # An image that only seals what another is to open may exceed the chip.
        target = _with_more_flash(target, max(lacking, HARNESS_ROOM_BYTES))
    emulator = Emulator(target, shadow=shadow)
    emulator.load(build.elf, start_until="harness_ready")
    top = emulator.stack_pointer
    lowest = max(emulator.address("_end"), top - LARGEST_STACK_BYTES)
    emulator.write("data", lowest, hashlib.shake_128(secret + b"stack").digest(max(0, top - lowest)))
    emulator.keep()
    return emulator


def _with_more_flash(target: Target, more_bytes: int) -> Target:
    memories = tuple(
        memory.model_copy(update={"size": memory.size + more_bytes}) if memory.kind == "flash" else memory
        for memory in target.file.memory
    )
    return target.model_copy(update={"file": target.file.model_copy(update={"memory": memories})})


def _failure(error: CallFault | WrongOutput) -> Record:
    """Return the outcome of a cell whose call ended in a fault or was answered wrongly."""
    if isinstance(error, CallFault):
        return {"status": "fault", "fault_kind": error.kind, "error": str(error), "verified": False}
    return {"status": "wrong-output", "error": str(error), "verified": False}


def hint(cell: Cell) -> str:
    """Return a sentence on what a variant may have forgotten to say, if its sources show it."""
    variant = cell.build.variant
    if answered_by(cell) != "decrypt" or variant.file.init_decrypt or variant.is_foreign:
        return ""
    for name in variant.file.sources:
        if _INVERSE_SETUP.search((variant.folder / name).read_bytes()):
            return (
                f" {name} defines block_init_decrypt: say init_decrypt = true in {variant.id}'s variant.toml."
            )
    return ""


def _independent(cell: Cell) -> bool:
    """Whether an independent implementation knows the answers."""
    mode = cell.build.mode.id if cell.build.mode is not None else None
    return available(cell.build.primitive, cell.build.algorithm.id, mode)


def _verified_by(
    cell: Cell, observed: Observed, known: list[str], *, sealed: bool, by_block: bool = False
) -> str:
    primitive, algorithm = cell.build.primitive, cell.build.algorithm.id
    mode = cell.build.mode.id if cell.build.mode is not None else None
    parts = []
    if _independent(cell):
        parts.append(f"{observed.answered} random inputs with {provenance(primitive, algorithm, mode)}")
    if by_block:
        parts.append(f"{observed.answered} random inputs over its own block operation")
    if sealed and not is_chain(cell.build):
        parts.append(f"{observed.answered} random inputs that its own seal made, and altered ones refused")
    return "; ".join(parts + known)


def _consistent(cell: Cell) -> str:
    """Return what the calls of a chain with public keys have shown together."""
    if cell.build.algorithm.file.kind == "kem":
        return "chains of calls whose both ends have one secret, and another one for an altered ciphertext"
    return "chains of calls whose signatures verify, and altered ones do not"


def _evidence(cell: Cell, known: list[str], *, sealed: bool) -> str:
    vectors = bool(known) and not is_chain(cell.build)
    parts = {"independent": _independent(cell), "vectors": vectors, "consistency": sealed}
    return " ".join(name for name, true in parts.items() if true)


def _size_fields(sizes: Sizes) -> Record:
    return {
        "rom_code_bytes": sizes.rom_code_bytes,
        "rom_const_bytes": sizes.rom_const_bytes,
        "rom_mode_bytes": sizes.rom_mode_bytes,
        "rom_support_bytes": sizes.rom_support_bytes,
        "rom_bytes": sizes.rom_bytes,
        "ram_static_bytes": sizes.ram_static_bytes,
        "ram_context_bytes": sizes.ram_context_bytes,
    }
