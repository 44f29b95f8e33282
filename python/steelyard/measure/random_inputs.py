"""Random inputs beyond the samples, for rare errors: outputs are compared, cycles are not counted.

Sixteen samples meet an error of one input in 256 in one case of sixteen only; 1,765 inputs meet it in 99.9 %
of cases (1 - (255/256)^1765). They are asked in one batch, and once for builds alike: the same sources, the
same width of int, the same order of bytes. The right outputs are those of the independent implementation.
Most of these are too slow to be asked in every run, so `vectors/random_inputs.csv` keeps digests of what they
said; `tools/random_inputs.py` writes that file.
"""

from __future__ import annotations

import csv
import hashlib
import struct
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from threading import Event

from steelyard.cache.content import content_key
from steelyard.catalog.models import Algorithm, Primitive
from steelyard.data import data_root
from steelyard.measure.execute import Bench, WrongOutput, compare, pointer_bytes
from steelyard.measure.inputs import Question, answered_by
from steelyard.measure.plan import Build, Cell
from steelyard.oracle import expected

COUNTS = (64, 512, 1765)
"""Numbers of inputs, from the first, of whose outputs a digest is kept."""

FEW_KINDS = 30
LONGEST_CYCLES = {True: 100_000_000, False: 12_000_000}
"""Cycles that the inputs of one image may take, by whether a run has at most FEW_KINDS of builds alike.

Where they take more, fewer are asked: a run of hundreds of primitives is not to take a tenth longer for them.
"""

MESSAGE_BYTES = 16
"""Bytes of a message, and of associated data, where the primitive does not fix them."""

OPERATIONS = {
    "block": ("encrypt", "decrypt"),
    "stream": ("encrypt",),
    "hash": ("digest",),
    "mac": ("mac",),
    "aead": ("seal",),
}
"""Operations, by kind, of which digests are kept; a stream cipher decrypts as it encrypts."""

_PILOT = 4
"""Inputs whose cycles tell how many can be asked."""

_LOOK_S = 0.1
"""How often one that waits looks whether the run has stopped."""


@dataclass(frozen=True)
class RandomInputs:
    """The random inputs of one operation of a primitive, which depend on nothing else."""

    algorithm: Algorithm
    primitive: Primitive
    operation: str

    def questions(self, count: int) -> list[Question]:
        """Return the first `count` inputs, up to the last of COUNTS, without their answers."""
        primitive = self.primitive
        ad_bytes = MESSAGE_BYTES if self.operation == "seal" else 0
        data_bytes = primitive.block_bytes if self.algorithm.file.kind == "block" else MESSAGE_BYTES
        lengths = (primitive.key_bytes, primitive.iv_bytes, data_bytes, ad_bytes)
        label = f"random inputs|{primitive.id}|{self.operation}".encode()
        drawn = hashlib.shake_256(label).digest(sum(lengths) * count)
        parts = struct.iter_unpack("".join(f"{length}s" for length in lengths), drawn)
        tag = bytes(primitive.tag_bytes)
        return [
            Question(f"random input {number}", key, iv, data, None, ad, tag)
            for number, (key, iv, data, ad) in enumerate(parts, start=1)
        ]

    def answer(self, question: Question) -> bytes:
        """Return the right output, with an AEAD's tag behind it; NoIndependentImplementationError."""
        key, iv, data, ad = question.key, question.iv, question.data, question.ad
        return expected(self.primitive, self.algorithm.id, self.operation, key=key, iv=iv, data=data, ad=ad)

    def digests(self) -> tuple[str, ...]:
        """Return what is kept of the first outputs, by COUNTS; empty if nothing is."""
        return kept().get((self.primitive.id, self.operation), ())


def digest(outputs: Sequence[bytes]) -> str:
    """Return the digest of outputs, as it is kept: the first half of their SHA-256 in hexadecimal."""
    return hashlib.sha256(b"".join(outputs)).hexdigest()[:32]


@cache
def kept() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return all digests that are kept, by primitive and operation."""
    path = data_root() / "vectors" / "random_inputs.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines)
        return {(row[0], row[1]): tuple(row[2:]) for row in islice(rows, 1, None)}


@cache
def kept_key() -> str:
    """Return a digest of all that is kept; every build of a run asks for it."""
    return content_key(repr(sorted(kept().items())))


def random_inputs(cell: Cell) -> RandomInputs | None:
    """Return the inputs that a cell's operation is asked; None if the answers to none are known.

    A mode of operation is asked none: its block cipher is, in the image that has no mode.
    """
    build = cell.build
    kind, operation = build.algorithm.file.kind, answered_by(cell)
    if build.mode is not None or kind not in OPERATIONS or build.variant.only_bytes(operation) is not None:
        return None
    known = "encrypt" if kind == "stream" else operation
    inputs = RandomInputs(build.algorithm, build.primitive, known)
    return inputs if inputs.digests() else None


def longest_cycles(builds: Iterable[Build]) -> int:
    """Return the cycles that the inputs of one image may take in a run of these builds."""
    return LONGEST_CYCLES[len({_kind(build) for build in builds}) <= FEW_KINDS]


def answer_all(bench: Bench, inputs: RandomInputs, longest_cycles: int) -> int:
    """Ask as many inputs as these cycles allow; return how many had the right output, all of those asked.

    CallFault or WrongOutput for the first that has not.
    """
    _, cycles = bench.outputs(inputs.questions(_PILOT))
    place = max(
        (i for i, count in enumerate(COUNTS) if count * cycles / _PILOT <= longest_cycles), default=None
    )
    if place is None:
        return 0
    count = COUNTS[place]
    questions = inputs.questions(count)
    outputs, _ = bench.outputs(questions)
    if digest(outputs) != inputs.digests()[place]:
        for question, output in zip(questions, outputs, strict=True):
            compare(question.name, "output", inputs.answer(question), output)
        raise WrongOutput(
            f"{count} random inputs: the outputs have another digest than the one that is kept."
        )
    return count


class Alike:
    """Which build of a run is asked the random inputs for all that are alike: the first that answers them.

    Builds are asked in their order here, so that the same one answers whatever thread is quicker. A build
    waits for those before it only; these must have been begun.
    """

    def __init__(self, builds: Sequence[Build]) -> None:
        self._done = {build.key: Event() for build in builds}
        self._earlier: dict[tuple[str, ...], list[Event]] = {}
        alike: defaultdict[tuple[object, ...], list[Event]] = defaultdict(list)
        for build in builds:
            self._earlier[build.key] = list(alike[_kind(build)])
            alike[_kind(build)].append(self._done[build.key])

    def finished(self, build: Build) -> None:
        """Tell those that wait for a build that it is done."""
        self._done[build.key].set()

    def awaits(self, build: Build) -> bool:
        """Whether some build before this one is not done."""
        return not all(done.is_set() for done in self._earlier[build.key])

    def evidence(
        self, build: Build, look: Callable[[], bytes | None], stopped: Callable[[], bool]
    ) -> bytes | None:
        """Return what `look` finds as soon as a build before this one has left it.

        None when all of them are done and none has, or the run has stopped.
        """
        for done in self._earlier[build.key]:
            found = look()
            if found is not None:
                return found
            while not (done.wait(_LOOK_S) or stopped()):
                pass
        return look()


def first_alike(builds: Sequence[Build]) -> set[tuple[str, ...]]:
    """Return the keys of the builds to begin with: of builds alike the one that answers in the fewest cycles.

    That is one with wide words; of these one by clang, which is the same on every machine.
    """
    first: dict[tuple[object, ...], tuple[str, ...]] = {}
    for build in sorted(builds, key=lambda one: (-one.target.file.word_bits, one.toolchain != "clang")):
        first.setdefault(_kind(build), build.key)
    return set(first.values())


def _kind(build: Build) -> tuple[object, ...]:
    """What builds alike have in common."""
    chip = build.target.file
    mode = build.mode.id if build.mode is not None else None
    parts = tuple(part.id for part in build.parts)
    variant = (build.variant.id, build.variant.chosen, build.variant.file.call)
    names = (build.primitive.id, *variant, parts, build.footprint, mode)
    return (*names, pointer_bytes(build.target), chip.big_endian)


def evidence_key(build: Build, inputs: RandomInputs, source_hash: str, *versions: str) -> str:
    """Return the key under which the answers of builds alike are kept."""
    return content_key(
        "random inputs", repr(_kind(build)), inputs.operation, *inputs.digests(), source_hash, *versions
    )
