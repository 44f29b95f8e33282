"""Seeded random inputs of a cell with their known answers.

Inputs depend on the primitive, operation, mode, length and seed, not on variant, target or compiler, so that
compared figures come from the same data.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock

from steelyard.catalog.models import Primitive, Vector
from steelyard.measure.asymmetric import expected_chain
from steelyard.measure.padding import pad
from steelyard.measure.plan import Build, Cell
from steelyard.oracle import MODES, NoIndependentImplementationError, available, expected
from steelyard.oracle.signature import signatures

INIT_CHECK_BYTES = 64
"""Length of the message that verifies a set-up."""

CHAIN_MESSAGE_BYTES = 32
"""Length of the message of a chain of calls that is asked for its keys."""


@dataclass(frozen=True)
class Question:
    """Input of one call and, if an independent implementation has it, the right output.

    `name` is for messages. `tag` belongs to the ciphertext of an AEAD: an input of `open`, part of the answer
    of `seal`. To sign, `iv` is the nonce, `data` the digest and `tag` the public key, part of the answer of
    the set-up; to verify, `key` is the public key and `tag` the signature. To encrypt with a public key, that
    is `key`. To a chain of calls with public keys belong, by operation, its random bytes (`coins`) and right
    contents of the buffers that it writes (`answers`), each one of some.
    """

    name: str
    key: bytes
    iv: bytes
    data: bytes
    answer: bytes | None
    ad: bytes = b""
    tag: bytes = b""
    coins: Mapping[str, bytes] = field(default_factory=dict)
    answers: Mapping[str, Mapping[str, tuple[bytes, ...]]] = field(default_factory=dict)

    def with_input(self, name: str, content: bytes) -> Question:
        """Return the question with another content of one input, whose bit was changed."""
        said = f"{self.name} with a bit of its {name} changed"
        match name:
            case "tag":
                return replace(self, name=said, tag=content)
            case "data":
                return replace(self, name=said, data=content)
            case "ad":
                return replace(self, name=said, ad=content)
            case "key":
                return replace(self, name=said, key=content)
            case _:
                raise ValueError(f"{name} is no input of a question")

    def shortened(self, count: int) -> Question:
        """Return the question for the first `count` bytes of a message in a mode of operation."""
        answer = self.answer[:count] if self.answer is not None else None
        return replace(self, name=f"{self.name}, {count} bytes of it", data=self.data[:count], answer=answer)


def answered_by(cell: Cell) -> str:
    """Return the operation whose output is compared: for a set-up, the one that follows it."""
    match cell.operation:
        case "init" if cell.build.algorithm.file.kind == "mac":
            return "mac"
        case "init" if cell.build.algorithm.file.kind == "aead":
            return "open" if cell.build.footprint == "decrypt" else "seal"
        case "init" if cell.build.algorithm.file.kind == "signature":
            return "sign"
        case "init" if cell.build.footprint == "decrypt":
            return "decrypt"
        case "init":
            return "encrypt"
        case "init-decrypt":
            return "decrypt"
        case operation:
            return operation


class RandomQuestions:
    """The samples of a run; cells that differ only in variant, target or compiler share them."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._made: dict[tuple[object, ...], Question] = {}
        self._locks: defaultdict[object, Lock] = defaultdict(Lock)

    def of(self, cell: Cell, index: int) -> Question:
        """Return the cell's sample number `index` (from 0)."""
        mode = cell.build.mode.id if cell.build.mode is not None else None
        plain_bytes, ad_bytes = _plain_bytes(cell), _ad_bytes(cell)
        asked = answered_by(cell)
        if is_chain(cell.build):
            # All operations of a chain are asked the same.
            plain_bytes = cell.message_bytes or CHAIN_MESSAGE_BYTES
            of_chain = (cell.build.primitive.id, "chain", plain_bytes, index)
            return self._once(of_chain, lambda: self._make_chain(cell.build.primitive, plain_bytes, index))
        lengths = (plain_bytes, ad_bytes, cell.padding)
        key = (cell.build.primitive.id, mode, asked, lengths, _counts_in_a_byte(cell), index)
        return self._once(key, lambda: self._make(cell, mode, index))

    def _once(self, key: tuple[object, ...], make: Callable[[], Question]) -> Question:
        """Return what `make` returned the first time for that key.

        Threads that want the same question wait for the first of them: most answers are computed in Python,
        where two threads that compute the same take twice as long.
        """
        if key not in self._made:
            with self._locks[key]:
                if key not in self._made:
                    self._made[key] = make()
        return self._made[key]

    def of_edges(self, cell: Cell) -> Question | None:
        """Return, for a mode of any length, a question with an IV of all ones, which wraps, and a partial
        block.

        None otherwise, and if no independent implementation has the answer.
        """
        build, operation = cell.build, cell.operation
        primitive, algorithm_id, mode = build.primitive, build.algorithm.id, build.mode
        if mode is None or mode.file.whole_blocks or not available(primitive, algorithm_id, mode.id):
            return None
        if build.variant.only_bytes(operation, mode.id) is not None:
            return None
        key = (primitive.id, mode.id, operation, "edges")

        def make() -> Question:
            label = f"{self._seed}|{primitive.id}|{operation}|{mode.id}|edges|"
            data = hashlib.shake_256(f"{label}message".encode()).digest(3 * primitive.block_bytes - 1)
            secret = hashlib.shake_256(f"{label}key".encode()).digest(primitive.key_bytes)
            iv = b"\xff" * primitive.block_bytes
            answer = expected(primitive, algorithm_id, operation, mode=mode.id, key=secret, iv=iv, data=data)
            return Question("a wrapping counter and a partial block", secret, iv, data, answer)

        return self._once(key, make)

    def last_block(self, cell: Cell, index: int) -> Question | None:
        """Return the mode's block cipher call for the last whole block of a sample, with the right answer.

        None without an independent implementation, or if that block is the first.
        """
        build, question = cell.build, self.of(cell, index)
        mode, size = build.mode, build.primitive.block_bytes
        if mode is None or mode.id not in MODES or question.answer is None or len(question.data) < 2 * size:
            return None
        key = (build.primitive.id, mode.id, cell.operation, len(question.data), cell.padding, index, "block")

        def make() -> Question:
            encrypt = cell.operation == "encrypt"
            asked = cell.operation if encrypt else mode.file.decrypts_with
            pairs: list[tuple[bytes, bytes]] = []

            def block(piece: bytes) -> bytes:
                answer = expected(build.primitive, build.algorithm.id, asked, key=question.key, data=piece)
                pairs.append((piece, answer))
                return answer

            data = question.data[: len(question.data) // size * size]
            MODES[mode.id](block, question.iv, data, encrypt=encrypt, size=size)
            return Question(f"{question.name}, last block", question.key, b"", *pairs[-1])

        return self._once(key, make)

    def _make(self, cell: Cell, mode: str | None, index: int) -> Question:
        algorithm, primitive = cell.build.algorithm, cell.build.primitive
        if algorithm.file.kind == "signature":
            if cell.message_bytes is None:
                return self._make_signature(primitive, answered_by(cell), index)
            return self._make_public(primitive, cell.operation, cell.message_bytes, index)
        operation = answered_by(cell)
        plain_bytes = _plain_bytes(cell)

        def draw(what: str, count: int) -> bytes:
            label = f"{self._seed}|{primitive.id}|{operation}|{mode}|{plain_bytes}|{index}|{what}"
            return hashlib.shake_256(label.encode()).digest(count)

        def answer(asked: str, data: bytes) -> bytes:
            return expected(primitive, algorithm.id, asked, mode=mode, key=key, iv=iv, data=data, ad=ad)

        key = draw("key", primitive.key_bytes)
        iv = draw("iv", iv_bytes(cell.build))
        if _counts_in_a_byte(cell):
            iv = iv[:-1] + bytes([iv[-1] % 128])
        ad = draw(f"ad {_ad_bytes(cell)}", _ad_bytes(cell))
        plain = pad(draw("message", plain_bytes), primitive.block_bytes, cell.padding)
        name = f"sample {index + 1}"
        if not available(primitive, algorithm.id, mode):
            return Question(name, key, iv, plain, None, ad, bytes(primitive.tag_bytes))
        if operation in ("seal", "open"):
            sealed = answer("seal", plain)
            ciphertext, tag = sealed[: len(plain)], sealed[len(plain) :]
            if operation == "open":
                return Question(name, key, iv, ciphertext, plain, ad, tag)
            return Question(name, key, iv, plain, ciphertext, ad, tag)
        if operation == "decrypt":
            return Question(name, key, iv, answer("encrypt", plain), plain)
        return Question(name, key, iv, plain, answer(operation, plain))

    def _make_chain(self, primitive: Primitive, message_bytes: int, index: int) -> Question:
        chain = expected_chain(self._seed, primitive, index, message_bytes)
        coins = {operation: given["coins"] for operation, given in chain.inputs.items() if "coins" in given}
        message = chain.inputs.get("sign", {}).get("input", b"")
        return Question(f"sample {index + 1}", b"", b"", message, None, coins=coins, answers=chain.answers)

    def _make_signature(self, primitive: Primitive, operation: str, index: int) -> Question:
        name = f"sample {index + 1}"

        def draw(what: str, count: int) -> bytes:
            label = f"{self._seed}|{primitive.id}|{operation}|{index}|{what}"
            return hashlib.shake_256(label.encode()).digest(count)

        source = signatures(primitive)
        digest = draw("digest", primitive.digest_bytes)
        key, nonce = draw("key", primitive.key_bytes + 8), draw("nonce", primitive.iv_bytes + 8)
        if source is None:
            raise NoIndependentImplementationError(f"no independent implementation of {primitive.id}")
        key, nonce = source.secret(key), source.secret(nonce)
        signed = source.sign(key, nonce, digest)
        return _signature_question(name, operation, key, nonce, digest, source.public_key(key), signed)

    def _make_public(self, primitive: Primitive, operation: str, message_bytes: int, index: int) -> Question:
        def draw(what: str, count: int) -> bytes:
            label = f"{self._seed}|{primitive.id}|{operation}|{message_bytes}|{index}|{what}"
            return hashlib.shake_256(label.encode()).digest(count)

        source = signatures(primitive)
        if source is None or source.encrypt is None:
            raise NoIndependentImplementationError(f"nothing encrypts independently with {primitive.id}")
        key = source.secret(draw("key", primitive.key_bytes + 8))
        nonce = source.secret(draw("nonce", primitive.iv_bytes + 8))
        message, public_key = draw("message", message_bytes), source.public_key(key)
        ciphertext = source.encrypt(public_key, nonce, message)
        return _public_question(f"sample {index + 1}", operation, key, nonce, message, public_key, ciphertext)


def _public_question(
    name: str, operation: str, key: bytes, nonce: bytes, message: bytes, public_key: bytes, ciphertext: bytes
) -> Question:
    if operation == "decrypt":
        return Question(name, key, b"", ciphertext, message)
    return Question(name, public_key, nonce, message, ciphertext)


def _signature_question(
    name: str, operation: str, key: bytes, nonce: bytes, digest: bytes, public_key: bytes, signed: bytes
) -> Question:
    if operation == "verify":
        return Question(name, public_key, b"", digest, b"", tag=signed)
    return Question(name, key, nonce, digest, signed, tag=public_key)


def is_chain(build: Build) -> bool:
    """Whether each operation finds what those before it wrote, as with public keys of code of others."""
    return build.variant.is_foreign and build.algorithm.file.kind in ("kem", "signature")


def _counts_in_a_byte(cell: Cell) -> bool:
    """Whether a mode counts, in code of others for messages of one length: it need not carry."""
    mode = cell.build.mode
    if mode is None or mode.file.pieces.get("encrypt") != "counter":
        return False
    return cell.build.variant.only_bytes(answered_by(cell), mode.id) is not None


def iv_bytes(build: Build) -> int:
    """Return the bytes of IV that the primitive or the mode reads."""
    if build.algorithm.file.kind != "block":
        return build.primitive.iv_bytes
    return build.primitive.block_bytes if build.mode is not None and build.mode.file.uses_iv else 0


def vector_questions(cell: Cell) -> list[Question]:
    """Return the published answers for the cell's primitive, mode and operation.

    Those of ciphers serve both directions.
    """
    operation = answered_by(cell)
    mode = cell.build.mode.id if cell.build.mode is not None else None
    if is_chain(cell.build):
        return []
    questions = []
    for number, vector in enumerate(cell.build.algorithm.vectors, start=1):
        signing = (vector.operation == "sign") == (operation in ("sign", "verify"))
        if vector.primitive == cell.build.primitive.id and vector.mode == mode and signing:
            questions.append(_vector_question(number, vector, operation))
    return questions


def _plain_bytes(cell: Cell) -> int:
    if cell.message_bytes is not None:
        return cell.message_bytes
    return cell.build.primitive.block_bytes or INIT_CHECK_BYTES


def _ad_bytes(cell: Cell) -> int:
    """Return the length of associated data; for a set-up, enough to verify it."""
    if cell.build.algorithm.file.kind != "aead":
        return 0
    return INIT_CHECK_BYTES if cell.ad_bytes is None else cell.ad_bytes


def _vector_question(number: int, vector: Vector, operation: str) -> Question:
    data = bytes.fromhex(vector.input) * vector.repeat
    answer = bytes.fromhex(vector.output)
    if vector.operation != operation:
        data, answer = answer, data
    name = f"vector {number} ({vector.source})"
    if vector.public_key:
        parts = (vector.key, vector.iv, vector.input, vector.public_key, vector.output)
        make = _signature_question if vector.operation == "sign" else _public_question
        return make(name, operation, *map(bytes.fromhex, parts))
    key, iv, ad, tag = map(bytes.fromhex, (vector.key, vector.iv, vector.ad, vector.tag))
    return Question(name, key, iv, data, answer, ad, tag)
