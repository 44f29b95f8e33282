"""Every public-key encryption on this machine, limbs of 8, 16 and 32 bits: answers, lengths, refusals."""

from __future__ import annotations

import ctypes
import random
from functools import cache
from pathlib import Path

import der
import pytest
from host_build import ROOT, Buffer, Case, build_library, cases
from test_signatures import LIMBS, MANY, OPENSSL, WIDTHS, number, openssl, private_key, random_answers

from steelyard.oracle import sm2

CASES = [case for case in cases(ROOT, ("signature",)) if case.primitive.overhead_bytes]
EACH = pytest.mark.parametrize("case", CASES, ids=str)
C1_BYTES, OVERHEAD_BYTES = 65, 97


class Cipher:
    """The contract's functions on bytes; None for a refusal, after which the output must be zeros."""

    def __init__(self, case: Case, limbs: str) -> None:
        self._library = ctypes.CDLL(str(build_library(case, (limbs,))))

    def encrypt(
        self, public_key: bytes, nonce: bytes, message: bytes, *, in_place: bool = False
    ) -> bytes | None:
        size = OVERHEAD_BYTES + len(message)
        out = Buffer(size, bytes(OVERHEAD_BYTES) + message if in_place else b"", 3)
        source = Buffer(len(message), message, 1)
        given = out.address + OVERHEAD_BYTES if in_place else source.address
        key, drawn = Buffer(64, public_key, 1), Buffer(32, nonce, 1)
        refused = self._call("pke_encrypt", key.address, out.address, drawn.address, given, len(message))
        assert (key.read(), drawn.read(), source.read()) == (public_key, nonce, message)
        return self._checked(refused, out)

    def decrypt(self, key: bytes, ciphertext: bytes, *, in_place: bool = False) -> bytes | None:
        size = len(ciphertext) - OVERHEAD_BYTES
        source, own = Buffer(len(ciphertext), ciphertext, 1), Buffer(32, key, 1)
        out = Buffer(size, misalignment=3)
        taken = source.address + OVERHEAD_BYTES if in_place else out.address
        refused = self._call("pke_decrypt", own.address, taken, source.address, size)
        assert own.read() == key
        if not in_place:
            assert source.read() == ciphertext
            return self._checked(refused, out)
        assert source.read()[:OVERHEAD_BYTES] == ciphertext[:OVERHEAD_BYTES]
        return None if refused else source.read()[OVERHEAD_BYTES:]

    def _call(self, name: str, *arguments: int) -> bool:
        result: int = self._library[name](*map(ctypes.c_size_t, arguments))
        return result != 0

    @staticmethod
    def _checked(refused: bool, out: Buffer) -> bytes | None:
        assert not refused or out.read() == bytes(out.size)
        return None if refused else out.read()


@cache
def random_encryptions(count: int) -> list[tuple[bytes, bytes, bytes, bytes, bytes]]:
    """Key, public key, nonce, message and ciphertext, by the second implementation."""
    source = random.Random("encryptions")
    answers = []
    for key, nonce, _, public_key, _ in random_answers(count):
        message = source.randbytes(source.randrange(4, 101))
        answers.append((key, public_key, nonce, message, sm2.encrypt(public_key, nonce, message)))
    return answers


@WIDTHS
@EACH
def test_known_answers(case: Case, limbs: str) -> None:
    cipher = Cipher(case, limbs)
    vectors = [vector for vector in case.vectors() if vector.operation == "encrypt"]
    assert vectors
    for vector in vectors:
        key, nonce, message, public_key, ciphertext = map(
            bytes.fromhex, (vector.key, vector.iv, vector.input, vector.public_key, vector.output)
        )
        assert sm2.public_key(key) == public_key
        assert sm2.encrypt(public_key, nonce, message) == ciphertext
        assert sm2.decrypt(key, ciphertext) == message
        assert cipher.encrypt(public_key, nonce, message) == ciphertext
        assert cipher.decrypt(key, ciphertext) == message


@MANY
@EACH
def test_random_inputs(case: Case, limbs: str, count: int) -> None:
    cipher = Cipher(case, limbs)
    for key, public_key, nonce, message, ciphertext in random_encryptions(count):
        assert cipher.encrypt(public_key, nonce, message) == ciphertext
        assert cipher.decrypt(key, ciphertext) == message


@EACH
def test_every_length(case: Case) -> None:
    cipher = Cipher(case, LIMBS[-1])
    key, public_key, nonce, _, _ = random_encryptions(1)[0]
    data = random.Random("lengths").randbytes(300)
    for length in range(1, 301):
        ciphertext = cipher.encrypt(public_key, nonce, data[:length])
        assert ciphertext is not None
        assert cipher.decrypt(key, ciphertext) == data[:length]
        if length % 32 in (0, 1, 31):
            assert ciphertext == sm2.encrypt(public_key, nonce, data[:length])
    assert cipher.encrypt(public_key, nonce, b"") is None
    assert cipher.decrypt(key, ciphertext[:OVERHEAD_BYTES]) is None


@EACH
def test_in_place(case: Case) -> None:
    cipher = Cipher(case, LIMBS[-1])
    for key, public_key, nonce, message, ciphertext in random_encryptions(10):
        assert cipher.encrypt(public_key, nonce, message, in_place=True) == ciphertext
        assert cipher.decrypt(key, ciphertext, in_place=True) == message


@WIDTHS
@EACH
def test_small_large_and_sparse_scalars(case: Case, limbs: str) -> None:
    """With public keys that are small multiples of G, so that equal and opposite points could meet."""
    cipher = Cipher(case, limbs)
    message = b"sparse"
    sparse = [1 << 64, (1 << 64) - 1, (1 << 192) + (1 << 128) + (1 << 64) + 1, 1 << 255, sm2.N // 2]
    for d in (1, 2, sm2.N - 2):
        public_key = sm2.public_key(number(d))
        for k in (*range(1, 17), *sparse, *range(sm2.N - 9, sm2.N)):
            ciphertext = sm2.encrypt(public_key, number(k), message)
            assert cipher.encrypt(public_key, number(k), message) == ciphertext, (d, k)
            assert cipher.decrypt(number(d), ciphertext) == message, (d, k)


@WIDTHS
@EACH
def test_a_changed_ciphertext_is_refused(case: Case, limbs: str) -> None:
    """A bit of every byte: of the point's form, its coordinates, the digest and the message."""
    cipher = Cipher(case, limbs)
    source = random.Random("flips")
    key, _, _, _, ciphertext = random_encryptions(1)[0]
    for place in range(len(ciphertext)):
        changed = bytearray(ciphertext)
        changed[place] ^= 1 << source.randrange(8)
        assert cipher.decrypt(key, bytes(changed)) is None, place
    assert cipher.decrypt(key, ciphertext[:-1]) is None
    assert cipher.decrypt(key, ciphertext + b"\0") is None
    assert cipher.decrypt(random_encryptions(2)[1][0], ciphertext) is None


@WIDTHS
@EACH
def test_keys_and_nonces_out_of_range_are_refused(case: Case, limbs: str) -> None:
    cipher = Cipher(case, limbs)
    key, public_key, nonce, message, ciphertext = random_encryptions(1)[0]
    for value in (0, sm2.N, sm2.N + 1, 2**256 - 1):
        assert cipher.encrypt(public_key, number(value), message) is None
        assert cipher.decrypt(number(value), ciphertext) is None
    # What n - 1 would decrypt, were it a private key.
    opposite = sm2.G[0].to_bytes(32) + (sm2.P - sm2.G[1]).to_bytes(32)
    assert cipher.decrypt(number(sm2.N - 1), sm2.encrypt(opposite, nonce, message)) is None
    x, y = int.from_bytes(public_key[:32]), int.from_bytes(public_key[32:])
    for point in (
        number(x) + number(y ^ 1),
        number(x ^ 1) + number(y),
        number(sm2.P) + number(y),
        number(x) + number(2**256 - 1),
        bytes(64),
    ):
        assert cipher.encrypt(point, nonce, message) is None
        assert cipher.decrypt(key, b"\4" + point + ciphertext[C1_BYTES:]) is None


@EACH
def test_a_key_stream_of_zeros_is_refused(case: Case) -> None:
    """Of one byte, as every 256th nonce gives; the ciphertext that shows the message is refused, too."""
    cipher = Cipher(case, LIMBS[-1])
    key, public_key, _, _, _ = random_encryptions(1)[0]
    point = int.from_bytes(public_key[:32]), int.from_bytes(public_key[32:])
    k, shared = 1, point
    while sm2._sm3(number(shared[0]) + number(shared[1]) + (1).to_bytes(4))[0]:
        total = sm2.add(shared, point)
        assert total is not None
        k, shared = k + 1, total
    with pytest.raises(ValueError, match="all zeros"):
        sm2.encrypt(public_key, number(k), b"m")
    assert cipher.encrypt(public_key, number(k), b"m") is None
    longer = sm2.encrypt(public_key, number(k), b"message")
    assert cipher.encrypt(public_key, number(k), b"message") == longer
    shown = longer[:C1_BYTES] + sm2._sm3(number(shared[0]) + b"m" + number(shared[1])) + b"m"
    assert cipher.decrypt(key, shown) is None


def test_the_second_implementation_refuses() -> None:
    key, public_key, nonce, message, ciphertext = random_encryptions(1)[0]
    with pytest.raises(ValueError, match="no point of the curve"):
        sm2.encrypt(bytes(64), nonce, message)
    with pytest.raises(ValueError, match="nonce"):
        sm2.encrypt(public_key, bytes(32), message)
    with pytest.raises(ValueError, match="digest"):
        sm2.decrypt(key, ciphertext[:-1] + bytes([ciphertext[-1] ^ 1]))
    with pytest.raises(ValueError, match="no point of the curve"):
        sm2.decrypt(key, b"\3" + ciphertext[1:])


@pytest.mark.skipif(OPENSSL is None, reason="openssl is not installed")
@EACH
def test_against_openssl(case: Case, tmp_path: Path) -> None:
    """OpenSSL decrypts what the variant encrypts, and the variant what OpenSSL encrypts."""
    cipher = Cipher(case, LIMBS[-1])
    for key, public_key, nonce, message, _ in random_encryptions(20):
        (tmp_path / "key.der").write_bytes(private_key(key, public_key))
        (tmp_path / "message").write_bytes(message)
        ours = cipher.encrypt(public_key, nonce, message)
        assert ours is not None
        (tmp_path / "ours").write_bytes(_to_der(ours))
        assert openssl(tmp_path, "-decrypt", "-in", "ours") == message
        theirs = _from_der(openssl(tmp_path, "-encrypt", "-in", "message"))
        assert cipher.decrypt(key, theirs) == message


def _to_der(ciphertext: bytes) -> bytes:
    """The sequence of GM/T 0009-2012: x and y as integers, digest and message as octet strings."""
    x, y, digest = ciphertext[1:33], ciphertext[33:65], ciphertext[65:OVERHEAD_BYTES]
    octets = der.field(4, digest) + der.field(4, ciphertext[OVERHEAD_BYTES:])
    return der.field(0x30, der.integer(x) + der.integer(y) + octets)


def _from_der(encoded: bytes) -> bytes:
    x, y, digest, message = der.fields(der.content(encoded)[0])
    return b"\4" + number(int.from_bytes(x)) + number(int.from_bytes(y)) + digest + message
