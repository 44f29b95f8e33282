"""MACs and AEADs: the independent implementation of each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from steelyard.catalog.models import Part, Primitive
from steelyard.oracle import constructions
from steelyard.oracle.block import block_oracle
from steelyard.oracle.plain import digest_source
from steelyard.oracle.versions import of_cryptography, of_pycryptodome

Authenticate = Callable[[bytes, bytes, bytes, bytes], bytes]
"""Maps key, nonce, associated data and message to the tag of a MAC, or an AEAD's ciphertext with the tag."""

_CONSTRUCTIONS = ("hmac", "cmac", "ccm", "gcm", "eax", "ocb3")


def authenticated_source(primitive: Primitive, algorithm_id: str) -> tuple[Authenticate, str] | None:
    """Return the function and its provenance; None if there is no independent implementation."""
    if algorithm_id in _CONSTRUCTIONS and len(primitive.parts) == 1:
        return _construction(primitive, algorithm_id, primitive.parts[0])
    return _direct(primitive, algorithm_id)


def _construction(primitive: Primitive, algorithm_id: str, part: Part) -> tuple[Authenticate, str] | None:
    if part.kind == "hash":
        return _hmac(part)
    oracle = block_oracle(part.algorithm_id, part.primitive)
    if oracle is None:
        return None
    if part.algorithm_id == "aes" and primitive.tag_bytes > 0:
        return _over_aes(algorithm_id, primitive.tag_bytes)
    size = part.primitive.block_bytes

    def compute(key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
        def block(one: bytes) -> bytes:
            return oracle.crypt("ecb", key, b"", one, encrypt=True)

        match algorithm_id:
            case "cmac":
                return constructions.cmac(block, size, data)
            case "ccm":
                return constructions.ccm(block, primitive.tag_bytes, nonce, ad, data)
            case "gcm":
                return constructions.gcm(block, nonce, ad, data)
            case "eax":
                return constructions.eax(block, nonce, ad, data)
            case _:
                return constructions.ocb3(block, nonce, ad, data)

    return compute, f"{oracle.provenance(None)}, {algorithm_id} in Python over its block"


def _hmac(part: Part) -> tuple[Authenticate, str] | None:
    source = digest_source(part.primitive.id, part.primitive.digest_bytes)
    if source is None:
        return None
    digest, name = source
    block_bytes = part.primitive.block_bytes

    def compute(key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
        return constructions.hmac(digest, block_bytes, key, data)

    return compute, f"{name}, hmac in Python over its digest"


def _over_aes(algorithm_id: str, tag_bytes: int) -> tuple[Authenticate, str]:
    from steelyard.oracle import library, pycryptodome

    if algorithm_id == "eax":
        return pycryptodome.eax, of_pycryptodome()
    of_library: dict[str, Authenticate] = {
        "cmac": library.aes_cmac,
        "ccm": partial(library.aes_ccm, tag_bytes),
        "gcm": library.aes_gcm,
        "ocb3": library.aes_ocb3,
    }
    return of_library[algorithm_id], of_cryptography()


def _direct(primitive: Primitive, algorithm_id: str) -> tuple[Authenticate, str] | None:
    sizes = (primitive.key_bytes, primitive.iv_bytes, primitive.tag_bytes)
    if (algorithm_id, sizes) == ("poly1305", (32, 0, 16)):
        from steelyard.oracle import library

        return library.poly1305, of_cryptography()
    if (algorithm_id, sizes) == ("chacha20-poly1305", (32, 12, 16)):
        from steelyard.oracle import library

        return library.chacha20_poly1305, of_cryptography()
    if (algorithm_id, sizes) == ("siphash-2-4", (16, 0, 8)):
        from steelyard.oracle import siphash

        return siphash.tag, siphash.PROVENANCE
    if (algorithm_id, sizes) == ("chaskey-12", (16, 0, 16)):
        from steelyard.oracle import chaskey12

        return chaskey12.tag, chaskey12.PROVENANCE
    if (algorithm_id, sizes) == ("ascon-aead128", (16, 16, 16)):
        from steelyard.oracle import ascon_aead

        return ascon_aead.seal, ascon_aead.PROVENANCE
    return None
