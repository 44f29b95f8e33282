"""The input of a cell on a Linux device, and the check of its reply.

Short outputs are transferred, long ones as a digest; both are compared with the output of an independent
implementation for the same message. If that is slow, parts of a block cipher's long output in a mode are
compared instead.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from steelyard.cache.content import Cache, content_key
from steelyard.catalog.models import Kind, Primitive
from steelyard.errors import UsageError
from steelyard.linux.measure.message import message, seed_of, shown
from steelyard.measure.inputs import INIT_CHECK_BYTES
from steelyard.measure.padding import pad
from steelyard.oracle import MODES, available, expected, provenance
from steelyard.oracle.signature import signatures
from steelyard.record.origin import measuring_code

LONG_BYTES = 1 << 16
"""Maximum length of a message that is compared as a whole."""

_PATIENCE_S = 20.0
_PROBE_BYTES = 2048
_PARTS = 16
_PART_BLOCKS = 16


@dataclass(frozen=True)
class Asked:
    """Operation of a cell; `mode` is None for the raw block operation and for other kinds."""

    kind: Kind
    primitive: Primitive
    algorithm_id: str
    mode: str | None
    uses_iv: bool
    operation: str
    message_bytes: int | None
    padding: str | None = None
    ad_bytes: int | None = None

    @property
    def made_by(self) -> str:
        """The operation whose output an independent implementation can make."""
        match self.kind, self.operation:
            case "hash", _:
                return "digest"
            case "mac", _:
                return "mac"
            case "aead", _:
                return "seal"
            case _:
                return "encrypt"

    @property
    def plain_bytes(self) -> int:
        """Length of the message before padding; for a set-up, of the message that verifies it."""
        if self.message_bytes is not None:
            return self.message_bytes
        if self.kind == "signature":
            return self.primitive.digest_bytes
        return self.primitive.block_bytes if self.kind == "block" else INIT_CHECK_BYTES


@dataclass(frozen=True)
class Part:
    """A part of a ciphertext and its expected value, given the block before it (from `at` - one block)."""

    at: int
    count: int


@dataclass(frozen=True)
class Question:
    """Words of the request, expected answers by the reply's members, and the source of the answers."""

    words: Mapping[str, str | int]
    answers: Mapping[str, str]
    by: str
    plain: bytes = field(repr=False, default=b"")
    parts: tuple[Part, ...] = ()
    asked: Asked | None = field(repr=False, default=None)

    def wrong(self, reply: Mapping[str, Any]) -> str | None:
        """Return what is wrong with a reply in a sentence; None if it is right."""
        for name, answer in self.answers.items():
            given = reply.get(name)
            if given != answer:
                return f"{name} is {_short(given)}, not {_short(answer)} ({self.by})."
        if self.parts:
            return self._wrong_part(reply.get("windows"))
        return None

    def _wrong_part(self, windows: object) -> str | None:
        assert self.asked is not None and self.asked.mode is not None
        if not isinstance(windows, list) or len(windows) != len(self.parts):
            return "the parts of the output that were asked for are missing."
        size, key = self.asked.primitive.block_bytes, bytes.fromhex(str(self.words["key"]))
        first_iv = bytes.fromhex(str(self.words["iv"]))
        for part, given in zip(self.parts, windows, strict=True):
            ciphertext = bytes.fromhex(given or "")
            plain = self.plain[part.at : part.at + part.count]
            before = (self.plain[:0], ciphertext[:0])
            if part.at:
                before = (self.plain[part.at - size : part.at], ciphertext[:size])
                ciphertext = ciphertext[size:]
            iv = _iv_at(self.asked.mode, first_iv, part.at // size, *before)
            right = expected(
                self.asked.primitive,
                self.asked.algorithm_id,
                "encrypt",
                mode=self.asked.mode,
                key=key,
                iv=iv,
                data=plain,
            )
            if ciphertext != right:
                return f"the output from byte {part.at} on is wrong ({self.by})."
        return None


def question(asked: Asked, seed: str, cache: Cache | None = None) -> Question:
    """Return the question of a cell, the same for every device, variant and library.

    UsageError, in a sentence, if no independent implementation has the answer, or none in a reasonable time.
    """
    primitive, mode = asked.primitive, asked.mode
    if not available(primitive, asked.algorithm_id, mode):
        raise UsageError(f"nothing independent of it computes {primitive.id}{f' in {mode}' if mode else ''}")
    label = f"{seed}|host|{primitive.id}|{mode}|{asked.plain_bytes}"
    text_seed = seed_of(label)
    plain = message(asked.plain_bytes, text_seed)
    words: dict[str, str | int] = {
        "operation": asked.operation,
        "seed": text_seed,
        "bytes": asked.plain_bytes,
    }
    if asked.padding is not None:
        words["padding"] = asked.padding
        plain = pad(plain, primitive.block_bytes, asked.padding)

    def draw(what: str, count: int) -> bytes:
        return hashlib.shake_256(f"{label}|{what}".encode()).digest(count)

    if asked.kind == "signature":
        return _signature(asked, words, plain, draw("key", primitive.key_bytes + 8), draw("nonce", 64))
    iv_bytes = primitive.iv_bytes if asked.kind != "block" else primitive.block_bytes * asked.uses_iv
    ad_bytes = (INIT_CHECK_BYTES if asked.ad_bytes is None else asked.ad_bytes) if asked.kind == "aead" else 0
    key, iv = draw("key", primitive.key_bytes), draw("iv", iv_bytes)
    ad = draw("ad", ad_bytes)
    words |= {"key": key.hex(), "iv": iv.hex(), "ad": ad.hex()}
    return _Answer(asked, words, plain, key, iv, ad, cache or Cache()).question()


@dataclass(frozen=True)
class _Answer:
    asked: Asked
    words: dict[str, str | int]
    plain: bytes
    key: bytes
    iv: bytes
    ad: bytes
    cache: Cache

    def question(self) -> Question:
        """Return the question with the whole answer, or with parts of it."""
        asked = self.asked
        source = provenance(asked.primitive, asked.algorithm_id, asked.mode)
        backwards = asked.operation in ("decrypt", "open")
        answers = {"output": shown(self.plain)} if backwards else {}
        made_in = "input" if backwards else "output"
        key = content_key("host answer", measuring_code(), source, repr(sorted(self.words.items())))
        long = len(self.plain) > LONG_BYTES
        stored = self.cache.get("host-answer", key) if long else None
        if stored is not None:
            return Question(self.words, answers | {made_in: stored.decode()}, source)
        if long and self._seconds() > _PATIENCE_S:
            return self._in_parts(answers, source)
        made = shown(self._expected(self.plain))
        if long:
            self.cache.put("host-answer", key, made.encode())
        return Question(self.words, answers | {made_in: made}, source)

    def _in_parts(self, answers: dict[str, str], source: str) -> Question:
        asked = self.asked
        if asked.mode not in MODES:
            raise UsageError(
                f"the only independent implementation of {asked.primitive.id} is too slow for a message of"
                f" {asked.message_bytes} bytes; take a shorter one"
            )
        size = asked.primitive.block_bytes
        blocks = len(self.plain) // size
        starts = {0, max(0, blocks - _PART_BLOCKS)}
        for number in range(_PARTS - len(starts)):
            starts.add(seed_of(f"{self.words['seed']}|{number}") % blocks)
        parts = tuple(
            Part(start * size, min(_PART_BLOCKS * size, len(self.plain) - start * size))
            for start in sorted(starts)
        )
        first = ((max(0, part.at - size), part) for part in parts)
        windows = ",".join(f"{at}:{part.at + part.count - at}" for at, part in first)
        by = f"{source}; {len(parts)} parts of up to {_PART_BLOCKS * size} bytes, with first and last"
        return Question({**self.words, "windows": windows}, answers, by, self.plain, parts, asked)

    def _expected(self, data: bytes) -> bytes:
        asked = self.asked
        return expected(
            asked.primitive,
            asked.algorithm_id,
            asked.made_by,
            mode=asked.mode,
            key=self.key,
            iv=self.iv,
            data=data,
            ad=self.ad,
        )

    def _seconds(self) -> float:
        """Estimate the seconds for the whole answer from a short one."""
        size = self.asked.primitive.block_bytes or 1
        probe = self.plain[: _PROBE_BYTES // size * size]
        begun = time.perf_counter()
        self._expected(probe)
        return (time.perf_counter() - begun) * len(self.plain) / len(probe)


def _signature(
    asked: Asked, words: dict[str, str | int], plain: bytes, drawn_key: bytes, drawn_nonce: bytes
) -> Question:
    source = signatures(asked.primitive)
    assert source is not None
    key = source.secret(drawn_key)
    nonce = source.secret(drawn_nonce[: asked.primitive.iv_bytes + 8])
    public_key = source.public_key(key)
    words = words | {"key": key.hex(), "iv": nonce.hex(), "public_key": public_key.hex()}
    answers = {"public_key": shown(public_key)}
    match asked.operation:
        case "sign":
            answers["output"] = shown(source.sign(key, nonce, plain))
        case "verify":
            answers["input"] = shown(plain + source.sign(key, nonce, plain))
        case "encrypt" | "decrypt":
            assert source.encrypt is not None
            made = shown(source.encrypt(public_key, nonce, plain))
            encrypts = asked.operation == "encrypt"
            answers |= {"output": made} if encrypts else {"input": made, "output": shown(plain)}
    return Question(words, answers, source.provenance)


def _iv_at(mode: str, iv: bytes, block: int, plain: bytes, ciphertext: bytes) -> bytes:
    """Return the IV at a block, given the block before it in plaintext and ciphertext."""
    if block == 0:
        return iv
    match mode:
        case "ctr":
            counter = (int.from_bytes(iv, "big") + block) % (1 << 8 * len(iv))
            return counter.to_bytes(len(iv), "big")
        case "pcbc" | "ofb":
            return bytes(a ^ b for a, b in zip(plain, ciphertext, strict=True))
        case "ecb":
            return b""
        case _:
            return ciphertext


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
