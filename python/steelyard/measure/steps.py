"""The calls that answer a question: which function is given which buffers, and what it may do with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from steelyard.catalog.models import ForeignCall, Variant
from steelyard.measure.inputs import answered_by
from steelyard.measure.plan import Build, Cell

CONTEXT = "context"
PREPARED = "prepared"
"""Where a set-up leaves its result that then lies in read-only memory."""
_LENGTH = " length"
_WRITTEN = "*"

SIGNATURES: dict[str, tuple[str, ...]] = {
    "block_init": ("*context", "key"),
    "block_init_decrypt": ("*context", "key"),
    "block_encrypt": ("context", "*output", "input"),
    "block_decrypt": ("context", "*output", "input"),
    "mode_encrypt": ("context", "*IV", "*output", "input", "input length"),
    "mode_decrypt": ("context", "*IV", "*output", "input", "input length"),
    "stream_init": ("*context", "key", "IV"),
    "stream_crypt": ("*context", "*output", "input", "input length"),
    "hash_digest": ("*context", "*output", "input", "input length"),
    "mac_init": ("*context", "key"),
    "mac_compute": ("*context", "*output", "input", "input length"),
    "aead_init": ("*context", "key"),
    "aead_seal": ("context", "*output", "*tag", "IV", "ad", "ad length", "input", "input length"),
    "aead_open": ("context", "*output", "tag", "IV", "ad", "ad length", "input", "input length"),
    "signature_init": ("*context", "*tag", "key"),
    "signature_sign": ("context", "*output", "input", "IV"),
    "signature_verify": ("key", "tag", "input"),
    "pke_encrypt": ("key", "*output", "IV", "input", "input length"),
    "pke_decrypt": ("key", "*output", "input", "input length"),
}
"""Parameters of the functions of `primitives/include`: buffers (with a star those that are written) and
lengths. The length of a public-key ciphertext is that of its message."""

CHAINS = {
    "kem": ("keypair", "encapsulate", "decapsulate"),
    "signature": ("keypair", "sign", "verify"),
}
"""Operations of public keys in code with an interface of its own: each finds what those before it wrote."""

WRITTEN = {
    "init": frozenset({"context", PREPARED}),
    "init-decrypt": frozenset({"context", PREPARED}),
    "encrypt": frozenset({"context", "IV", "output", "message", "count", "block"}),
    "decrypt": frozenset({"context", "IV", "output", "message", "count", "block"}),
    "digest": frozenset({"context", "output", "count"}),
    "mac": frozenset({"context", "tag", "count"}),
    "seal": frozenset({"context", "output", "message", "tag", "sealed", "count"}),
    "open": frozenset({"context", "output", "message", "count"}),
    "keypair": frozenset({"context", "public-key", "secret-key"}),
    "encapsulate": frozenset({"context", "ciphertext", "shared-secret"}),
    "decapsulate": frozenset({"context", "shared-secret"}),
    "sign": frozenset({"context", "signature", "signed", "count"}),
    "verify": frozenset({"context", "output", "count"}),
}
"""Buffers that an operation of an interface of its own may write."""

IN_PLACE = frozenset({"block", "stream", "aead"})
"""Kinds whose contract lets the output be the input."""


@dataclass(frozen=True)
class Step:
    """One call: its function and, by name, the buffers that it may read and those that it may also write."""

    function: str
    works_in_context: bool = False
    """Whether the context is also what the function works in, which its contract leaves alone."""
    call: ForeignCall | None = None
    """The call as it is described, of code with an interface of its own."""

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of buffers and lengths, in the order of the C function."""
        if self.call is not None:
            return tuple("IV" if name == "iv" else name for name in self.call.arguments)
        return tuple(name.removeprefix(_WRITTEN) for name in SIGNATURES[self.function])

    @cached_property
    def given(self) -> frozenset[str]:
        """Buffers that the function is given, the context included."""
        if self.call is not None:
            return frozenset(name for name in self.parameters if name[0].isalpha() and "." not in name)
        return frozenset(name for name in self.parameters if not name.endswith(_LENGTH))

    @cached_property
    def written(self) -> frozenset[str]:
        """Buffers that the function may write, the context included."""
        if self.call is not None:
            return WRITTEN[self.call.operation] & self.given
        marked = (name for name in SIGNATURES[self.function] if name.startswith(_WRITTEN))
        written = frozenset(name.removeprefix(_WRITTEN) for name in marked)
        return written | {CONTEXT} if self.works_in_context and CONTEXT in self.given else written


def steps(cell: Cell) -> tuple[Step, ...]:
    """Return the set-up, if there is one, and the operation that answers the cell's question."""
    if cell.build.variant.is_foreign:
        return tuple(Step(call.function, call=call) for call in _foreign_calls(cell))
    by_pointer = cell.build.variant.file.interface is not None and cell.build.algorithm.file.kind == "block"
    return tuple(_step(function, by_pointer) for function in _functions(cell))


def measured_steps(cell: Cell) -> range:
    """Return the positions of the measured calls in `steps`; only foreign code may have more than one."""
    if cell.build.variant.is_foreign:
        found = [
            place
            for place, step in enumerate(steps(cell))
            if step.call is not None and step.call.operation == cell.operation
        ]
        return range(found[0], found[-1] + 1)
    place = 0 if cell.operation.startswith("init") else len(steps(cell)) - 1
    return range(place, place + 1)


@cache
def _step(function: str, works_in_context: bool) -> Step:
    """Return the one step of a function: what it is given is asked for with every question."""
    return Step(function, works_in_context)


def _foreign_calls(cell: Cell) -> Iterator[ForeignCall]:
    """Yield the set-up and the operation of code with an interface of its own; of public keys, the chain."""
    variant, kind = cell.build.variant, cell.build.algorithm.file.kind
    mode = cell.build.mode.id if cell.build.mode is not None else None
    if kind in CHAINS:
        for operation in CHAINS[kind]:
            yield from variant.calls(operation)
        return
    operation = answered_by(cell)
    yield from _setup(variant, operation, mode)
    yield from variant.calls(operation, mode)


def _setup(variant: Variant, operation: str, mode: str | None) -> Iterator[ForeignCall]:
    """Yield the calls before an operation; one of what is prepared leaves its result beside the image."""
    for call in variant.setup(operation, mode):
        if variant.is_prepared(operation, mode):
            arguments = tuple(PREPARED if one == CONTEXT else one for one in call.arguments)
            yield call.model_copy(update={"arguments": arguments})
        else:
            yield call


def block_steps(cell: Cell) -> tuple[Step, ...]:
    """Return the set-up of a cell's mode and the block operation under it, of code of others.

    What is prepared takes the place of a key that needs no set-up.
    """
    build, mode = cell.build, cell.build.mode
    assert mode is not None
    operation = mode.file.decrypts_with if cell.operation == "decrypt" else cell.operation
    calls = list(_setup(build.variant, cell.operation, mode.id))
    prepared = build.variant.is_prepared(cell.operation, mode.id)
    for call in build.variant.calls(operation):
        arguments = call.arguments
        if prepared and CONTEXT not in arguments:
            arguments = tuple(CONTEXT if one == "key" else one for one in arguments)
        calls.append(call.model_copy(update={"arguments": arguments}))
    return tuple(Step(call.function, call=call) for call in calls)


def _functions(cell: Cell) -> Iterator[str]:
    build, operation = cell.build, answered_by(cell)
    match build.algorithm.file.kind:
        case "mac":
            yield from ("mac_init", "mac_compute")
        case "aead":
            yield from ("aead_init", f"aead_{operation}")
        case "hash":
            yield "hash_digest"
        case "stream":
            yield from ("stream_init", "stream_crypt")
        case "signature" if operation in ("encrypt", "decrypt"):
            yield f"pke_{operation}"
        case "signature" if operation == "verify":
            yield "signature_verify"
        case "signature":
            yield from ("signature_init", "signature_sign")
        case _:
            yield _block_setup(build, operation)
            yield f"block_{operation}" if build.mode is None else f"mode_{operation}"


def _block_setup(build: Build, operation: str) -> str:
    reads_decrypt = build.mode is None or build.mode.file.decrypts_with == "decrypt"
    if operation == "decrypt" and build.variant.file.init_decrypt and reads_decrypt:
        return "block_init_decrypt"
    return "block_init"
