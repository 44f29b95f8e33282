"""Every signature on this machine, with limbs of 8 to 32 bits: known answers, random inputs, refusals."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from functools import cache
from pathlib import Path

import der
import primitive_checks
import pytest
from host_build import ROOT, Buffer, Case, build_library, cases
from host_program import Answer, Request

from steelyard.oracle import sm2

CASES = cases(ROOT, ("signature",))
LIMBS = ("-DLIMB_BITS=8", "-DLIMB_BITS=16", "-DLIMB_BITS=32")
EACH = pytest.mark.parametrize("case", CASES, ids=str)
WIDTHS = pytest.mark.parametrize("limbs", LIMBS)
MANY = pytest.mark.parametrize(
    ("limbs", "count"),
    [
        *((limbs, 50) for limbs in LIMBS),
        *(
            pytest.param(limbs, 1000 if limbs == LIMBS[-1] else 100, marks=pytest.mark.soak)
            for limbs in LIMBS
        ),
    ],
)
"""Random inputs: fifty, in the soak a thousand with the limbs of this machine and a hundred with others."""
OPENSSL = shutil.which("openssl")


def number(value: int) -> bytes:
    return value.to_bytes(32)


class Signer:
    """The contract's functions on bytes; None for a refusal."""

    def __init__(self, case: Case, limbs: str) -> None:
        self._library = ctypes.CDLL(str(build_library(case, (limbs,))))
        self._context = Buffer(ctypes.c_size_t.in_dll(self._library, "context_bytes").value)

    def init(self, key: bytes) -> bytes | None:
        public_key = Buffer(64, misalignment=1)
        refused = self._call("signature_init", self._context, public_key, Buffer(32, key, 1))
        assert not refused or public_key.read() == bytes(64)
        return None if refused else public_key.read()

    def sign(self, nonce: bytes, digest: bytes) -> bytes | None:
        out = Buffer(64, misalignment=3)
        refused = self._call(
            "signature_sign", self._context, out, Buffer(32, digest, 1), Buffer(32, nonce, 1)
        )
        assert not refused or out.read() == bytes(64)
        return None if refused else out.read()

    def verifies(self, public_key: bytes, signature: bytes, digest: bytes) -> bool:
        arguments = (Buffer(64, public_key, 1), Buffer(64, signature, 1), Buffer(32, digest, 1))
        return not self._call("signature_verify", *arguments)

    def _call(self, name: str, *buffers: Buffer) -> bool:
        result: int = self._library[name](*(ctypes.c_void_p(buffer.address) for buffer in buffers))
        for buffer in buffers:
            buffer.read()
        return result != 0


@cache
def random_answers(count: int) -> list[tuple[bytes, bytes, bytes, bytes, bytes]]:
    """Key, nonce, digest, public key and signature, by the second implementation."""
    source = random.Random("signatures")
    answers = []
    for _ in range(count):
        key, nonce = (sm2.secret(source.randbytes(40)) for _ in range(2))
        digest = source.randbytes(32)
        answers.append((key, nonce, digest, sm2.public_key(key), sm2.sign(key, nonce, digest)))
    return answers


@WIDTHS
@EACH
def test_known_answers(case: Case, limbs: str) -> None:
    signer = Signer(case, limbs)
    vectors = [vector for vector in case.vectors() if vector.operation == "sign"]
    assert vectors
    for vector in vectors:
        key, nonce, digest, public_key, signature = map(
            bytes.fromhex, (vector.key, vector.iv, vector.input, vector.public_key, vector.output)
        )
        assert sm2.public_key(key) == signer.init(key) == public_key
        assert sm2.sign(key, nonce, digest) == signer.sign(nonce, digest) == signature
        assert signer.verifies(public_key, signature, digest) and sm2.verify(public_key, signature, digest)


@MANY
@EACH
def test_random_inputs(case: Case, limbs: str, count: int) -> None:
    signer = Signer(case, limbs)
    source = random.Random("flips")
    for key, nonce, digest, public_key, signature in random_answers(count):
        assert signer.init(key) == public_key
        assert signer.sign(nonce, digest) == signature
        assert signer.verifies(public_key, signature, digest)
        changed = [bytearray(one) for one in (public_key, signature, digest)]
        one = source.choice(changed)
        one[source.randrange(len(one))] ^= 1 << source.randrange(8)
        assert not signer.verifies(*map(bytes, changed))


@WIDTHS
@EACH
def test_small_large_and_sparse_scalars(case: Case, limbs: str) -> None:
    signer = Signer(case, limbs)
    digest = bytes(range(224, 256))
    sparse = [1 << 64, (1 << 64) - 1, (1 << 192) + (1 << 128) + (1 << 64) + 1, 1 << 255, sm2.N // 2]
    for scalar in (1, 2, 3, 4, *sparse, sm2.N - 3, sm2.N - 2):
        value = number(scalar)
        assert signer.init(value) == sm2.public_key(value)
        assert signer.sign(value, digest) == sm2.sign(value, value, digest)
    assert signer.sign(number(sm2.N - 1), digest) == sm2.sign(value, number(sm2.N - 1), digest)


@WIDTHS
@EACH
def test_numbers_out_of_range_are_refused(case: Case, limbs: str) -> None:
    signer = Signer(case, limbs)
    key, nonce, digest, public_key, signature = random_answers(1)[0]
    for value in (0, sm2.N - 1, sm2.N, 2**256 - 1):
        assert signer.init(number(value)) is None
        assert signer.sign(nonce, digest) is None
    signer.init(key)
    for value in (0, sm2.N, 2**256 - 1):
        assert signer.sign(number(value), digest) is None
        for place in (0, 32):
            wrong = signature[:place] + number(value) + signature[place + 32 :]
            assert not signer.verifies(public_key, wrong, digest)
    # r + s = n
    opposite = signature[:32] + number(sm2.N - int.from_bytes(signature[:32]))
    assert not signer.verifies(public_key, opposite, digest)
    x = int.from_bytes(public_key[:32])
    assert not signer.verifies(number(2**256 - 1) + public_key[32:], signature, digest)
    assert not signer.verifies(public_key[:32] + number(2**256 - 1), signature, digest)
    assert not signer.verifies(number(x ^ 1) + public_key[32:], signature, digest)


@WIDTHS
@EACH
def test_nonces_that_do_for_no_signature_are_refused(case: Case, limbs: str) -> None:
    signer = Signer(case, limbs)
    d, k = 7, 5
    signer.init(number(d))
    point = sm2.multiply(k, sm2.G)
    assert point is not None
    # r = 0, r + k = n, and k = r d, so that s = 0
    for r in (0, sm2.N - k, k * pow(d, -1, sm2.N)):
        assert signer.sign(number(k), number((r - point[0]) % sm2.N)) is None


@WIDTHS
@EACH
def test_verification_where_points_meet(case: Case, limbs: str) -> None:
    """s G + t P with P a small multiple of G, so that equal and opposite points are added on the way."""
    signer = Signer(case, limbs)
    for m in (1, 2, 3, sm2.N - 1, sm2.N - 2):
        point = sm2.multiply(m, sm2.G)
        assert point is not None
        public_key = number(point[0]) + number(point[1])
        for s in (1, 2, 3, 7, 1 << 64):
            ratio = s * pow(m, -1, sm2.N) % sm2.N
            for t in (1, 2, 3, 4, 8, 9, 2 * s, ratio, sm2.N - ratio, 1 << 63, (1 << 64) + 1):
                r = (t - s) % sm2.N
                total = sm2.add(sm2.multiply(s, sm2.G), sm2.multiply(t, point))
                signature = number(r) + number(s)
                right = r != 0 and total is not None
                digest = number((r - total[0]) % sm2.N) if total is not None else number(r)
                assert signer.verifies(public_key, signature, digest) == right, (m, s, t)


@WIDTHS
@EACH
def test_verification_of_an_abscissa_above_the_order(case: Case, limbs: str) -> None:
    signer = Signer(case, limbs)
    x = sm2.N
    while (y := _ordinate(x)) is None:
        x += 1
    s, t = 12345, 67890
    minus_s_g = sm2.multiply(sm2.N - s, sm2.G)
    point = sm2.multiply(pow(t, -1, sm2.N), sm2.add((x, y), minus_s_g))
    assert point is not None
    public_key, signature = number(point[0]) + number(point[1]), number(t - s) + number(s)
    digest = (t - s - x) % sm2.N
    assert sm2.verify(public_key, signature, number(digest))
    assert signer.verifies(public_key, signature, number(digest))
    assert not signer.verifies(public_key, signature, number(digest + 1))


def _ordinate(x: int) -> int | None:
    square = (x**3 + sm2.A * x + sm2.B) % sm2.P
    y = pow(square, (sm2.P + 1) // 4, sm2.P)
    return y if y * y % sm2.P == square else None


@pytest.mark.skipif(OPENSSL is None, reason="openssl is not installed")
@EACH
def test_against_openssl(case: Case, tmp_path: Path) -> None:
    """OpenSSL verifies what the variant signs, and the variant what OpenSSL signs."""
    signer = Signer(case, LIMBS[-1])
    for key, nonce, digest, public_key, _ in random_answers(20):
        signer.init(key)
        signature = signer.sign(nonce, digest)
        assert signature is not None
        (tmp_path / "key.der").write_bytes(private_key(key, public_key))
        (tmp_path / "digest").write_bytes(digest)
        (tmp_path / "signature").write_bytes(_der_signature(signature))
        verified = openssl(tmp_path, "-in", "digest", "-verify", "-sigfile", "signature")
        assert b"Verified Successfully" in verified
        openssl(tmp_path, "-in", "digest", "-sign", "-out", "theirs")
        assert signer.verifies(public_key, _plain_signature((tmp_path / "theirs").read_bytes()), digest)


def openssl(folder: Path, *arguments: str) -> bytes:
    """What OpenSSL writes, asked with the private key of the folder."""
    assert OPENSSL is not None
    command = [OPENSSL, "pkeyutl", "-inkey", "key.der", "-keyform", "DER", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def private_key(key: bytes, public_key: bytes) -> bytes:
    """ECPrivateKey of RFC 5915 with the curve's object identifier 1.2.156.10197.1.301."""
    curve = bytes.fromhex("a00a06082a811ccf5501822d")
    point = b"\xa1\x44\x03\x42\x00\x04" + public_key
    return der.field(0x30, b"\x02\x01\x01" + der.field(4, key) + curve + point)


def _der_signature(signature: bytes) -> bytes:
    return der.field(0x30, der.integer(signature[:32]) + der.integer(signature[32:]))


def _plain_signature(encoded: bytes) -> bytes:
    r, s = der.fields(der.content(encoded)[0])
    return number(int.from_bytes(r)) + number(int.from_bytes(s))


def requests(count: int) -> list[tuple[Request, Answer]]:
    """Signatures, ciphertexts, messages and refusals for a driver; what it writes of them."""
    asked = []
    for index, (key, nonce, digest, public_key, signature) in enumerate(random_answers(count)):
        skew = index % 3
        ciphertext = sm2.encrypt(public_key, nonce, digest)
        forged = bytes([*ciphertext[:-1], ciphertext[-1] ^ 1])
        asked += [
            (Request("s", key=key, iv=nonce, data=digest, skew=skew), Answer(public_key, signature, 0)),
            (Request("e", key=public_key, iv=nonce, data=digest, skew=skew), Answer(ciphertext, b"", 0)),
            (Request("d", key=key, data=ciphertext, skew=skew), Answer(digest, b"", 0)),
            (Request("d", key=key, data=forged, skew=skew), Answer(bytes(len(digest)), b"", 1)),
        ]
    return asked


@WIDTHS
@EACH
def test_under_sanitizers(case: Case, limbs: str) -> None:
    with primitive_checks.on_host(case, (limbs,)) as program:
        primitive_checks.compare(program, requests(10), limbs)


@primitive_checks.NEEDS_BIG_ENDIAN
@WIDTHS
@EACH
def test_on_a_big_endian_machine(case: Case, limbs: str) -> None:
    with primitive_checks.on_big_endian(case, (limbs,)) as program:
        primitive_checks.compare(program, requests(10), limbs)


@primitive_checks.NEEDS_GCC
@pytest.mark.parametrize("level", ["-Os", "-O2", "-O3"])
@EACH
def test_avr_gcc_is_silent_and_constants_stay_in_flash(case: Case, level: str) -> None:
    primitive_checks.avr_clean(case, primitive_checks.GCC, "-mmcu=atmega128", level, False)


@primitive_checks.NEEDS_CLANG
@pytest.mark.parametrize("level", ["-Os", "-O2", "-O3"])
@EACH
def test_clang_is_silent_and_constants_stay_in_flash(case: Case, level: str) -> None:
    primitive_checks.avr_clean(case, primitive_checks.CLANG, "-mcpu=atmega128", level, False)
