"""What a chain of calls with public keys is given, and what it must leave.

Each operation finds what those before it wrote, so only random bytes and the message are given. Code takes
its random bytes in the order of the standards, from the first of those of its operation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from steelyard.catalog.models import Primitive
from steelyard.oracle.key_pairs import KeyEncapsulation, MessageSignatures, key_pairs

COINS_BYTES = 1024
"""Random bytes of one operation; code that asks for more finds them again, changed by how often it did."""

_RANDOM = ("keypair", "encapsulate", "sign")
"""Operations that may take random bytes."""


@dataclass(frozen=True)
class Expected:
    """Contents of buffers by operation: those that are given, and those that are right afterwards.

    A buffer has one of the contents in `answers`. Without an independent implementation there are none.
    """

    inputs: Mapping[str, Mapping[str, bytes]]
    answers: Mapping[str, Mapping[str, tuple[bytes, ...]]]

    @property
    def is_independent(self) -> bool:
        """Whether an independent implementation has the answers."""
        return bool(self.answers)


def expected_chain(label: str, primitive: Primitive, index: int, message_bytes: int = 0) -> Expected:
    """Return what sample `index` of a primitive gives to a chain of calls, and the right outputs.

    `label` begins the seeds. A signature is of `message_bytes` bytes.
    """

    def draw(what: str, count: int) -> bytes:
        seed = f"{label}|{primitive.id}|chain|{message_bytes}|{index}|{what}"
        return hashlib.shake_256(seed.encode()).digest(count)

    encapsulates = primitive.shared_secret_bytes > 0
    chain = ("keypair", "encapsulate", "decapsulate") if encapsulates else ("keypair", "sign", "verify")
    message = {} if encapsulates else {"input": draw("message", message_bytes)}
    inputs: dict[str, dict[str, bytes]] = {operation: {} for operation in chain}
    for operation in chain:
        if operation in _RANDOM:
            inputs[operation]["coins"] = draw(operation, COINS_BYTES)
        if operation in ("sign", "verify"):
            inputs[operation] |= message
    match key_pairs(primitive):
        case KeyEncapsulation() as known:
            return Expected(inputs, _encapsulated(known, inputs))
        case MessageSignatures() as known:
            return Expected(inputs, _signed(known, inputs))
    return Expected(inputs, {})


def decapsulated(primitive: Primitive, secret: bytes, ciphertext: bytes) -> bytes | None:
    """Return the right shared secret of any ciphertext, None without key or independent implementation."""
    known = key_pairs(primitive)
    return known.decapsulate(secret, ciphertext) if isinstance(known, KeyEncapsulation) and secret else None


def _encapsulated(
    known: KeyEncapsulation, inputs: Mapping[str, Mapping[str, bytes]]
) -> dict[str, dict[str, tuple[bytes, ...]]]:
    public, secret = known.keypair(inputs["keypair"]["coins"][: known.keypair_bytes])
    coins = inputs["encapsulate"]["coins"][: known.encapsulate_bytes]
    ciphertext, shared = known.encapsulate(public, coins)
    return {
        "keypair": {"public-key": (public,), "secret-key": (secret,)},
        "encapsulate": {"ciphertext": (ciphertext,), "shared-secret": (shared,)},
        "decapsulate": {"shared-secret": (shared,)},
    }


def _signed(
    known: MessageSignatures, inputs: Mapping[str, Mapping[str, bytes]]
) -> dict[str, dict[str, tuple[bytes, ...]]]:
    public, secret = known.keypair(inputs["keypair"]["coins"][: known.keypair_bytes])
    message, coins = inputs["sign"]["input"], inputs["sign"]["coins"][: known.sign_bytes]
    # Code may be built to sign without random bytes: zeros take their place.
    signatures = tuple(known.sign(secret, message, rnd) for rnd in (coins, bytes(len(coins))))
    return {
        "keypair": {"public-key": (public,), "secret-key": (secret,)},
        "sign": {"signature": signatures, "signed": tuple(one + message for one in signatures)},
    }
