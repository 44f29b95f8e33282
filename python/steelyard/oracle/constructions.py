"""MACs and AEADs over any block cipher or hash, from their specifications, where no library has them.

They work on big integers and whole messages, unlike the C code. If a library has the same construction
(mostly over AES), the tests compare the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

Block = Callable[[bytes], bytes]
Digest = Callable[[bytes], bytes]

# RFC 4493, section 2.3, has the one for 128 bits.
_CMAC_CONSTANTS = {8: 0x1B, 16: 0x87}


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def _pieces(data: bytes, size: int) -> Iterator[bytes]:
    for at in range(0, len(data), size):
        yield data[at : at + size]


def _double(value: bytes) -> bytes:
    """Multiply by x in the field of 2^64 or 2^128; the first byte is the highest."""
    size = len(value)
    number = int.from_bytes(value, "big") << 1
    if number >> (8 * size):
        number = number ^ 1 << (8 * size) ^ _CMAC_CONSTANTS[size]
    return number.to_bytes(size, "big")


def hmac(digest: Digest, block_bytes: int, key: bytes, data: bytes) -> bytes:
    """Return the HMAC (RFC 2104, section 2)."""
    key = (digest(key) if len(key) > block_bytes else key).ljust(block_bytes, b"\0")
    inner = digest(bytes(byte ^ 0x36 for byte in key) + data)
    return digest(bytes(byte ^ 0x5C for byte in key) + inner)


def cmac(block: Block, size: int, data: bytes) -> bytes:
    """Return the CMAC (NIST SP 800-38B, section 6.2) with a tag of a whole block."""
    subkey = _double(block(bytes(size)))
    last = len(data) - (len(data) % size or size) if data else 0
    final = data[last:]
    if len(final) < size:
        subkey = _double(subkey)
        final = (final + b"\x80").ljust(size, b"\0")
    state = bytes(size)
    for piece in _pieces(data[:last], size):
        state = block(_xor(state, piece))
    return block(_xor(_xor(state, final), subkey))


def _stream(block: Block, counters: Iterator[bytes], data: bytes) -> bytes:
    return b"".join(
        _xor(piece, block(counter)[: len(piece)])
        for piece, counter in zip(_pieces(data, 16), counters, strict=False)
    )


def ccm(block: Block, tag_bytes: int, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Return CCM's ciphertext and tag (RFC 3610, section 2); without a tag CCM* (IEEE 802.15.4, annex B)."""
    width = 15 - len(nonce)

    def counters() -> Iterator[bytes]:
        index = 1
        while True:
            yield bytes([width - 1]) + nonce + index.to_bytes(width, "big")
            index += 1

    ciphertext = _stream(block, counters(), data)
    if tag_bytes == 0:
        return ciphertext
    flags = (64 if ad else 0) + (tag_bytes - 2) // 2 * 8 + width - 1
    text = bytes([flags]) + nonce + len(data).to_bytes(width, "big")
    if ad:
        prefix = len(ad).to_bytes(2, "big") if len(ad) < 0xFF00 else b"\xff\xfe" + len(ad).to_bytes(4, "big")
        text += prefix + ad
        text += bytes(-len(text) % 16)
    text += data + bytes(-len(data) % 16)
    state = bytes(16)
    for piece in _pieces(text, 16):
        state = block(_xor(state, piece))
    return ciphertext + _xor(state, block(bytes([width - 1]) + nonce + bytes(width)))[:tag_bytes]


def _gcm_product(a: int, b: int) -> int:
    """Multiply in GCM's field (NIST SP 800-38D, section 6.3): bit 0 is the leftmost."""
    product = 0
    for place in range(127, -1, -1):
        if a >> place & 1:
            product ^= b
        b = b >> 1 ^ (0xE1 << 120 if b & 1 else 0)
    return product


def gcm(block: Block, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Return GCM's ciphertext and tag (NIST SP 800-38D, section 7.1); nonce of 12 bytes, tag of 16."""

    def counters() -> Iterator[bytes]:
        index = 2
        while True:
            yield nonce + index.to_bytes(4, "big")
            index += 1

    key = int.from_bytes(block(bytes(16)), "big")
    ciphertext = _stream(block, counters(), data)
    text = ad + bytes(-len(ad) % 16) + ciphertext + bytes(-len(ciphertext) % 16)
    text += (8 * len(ad)).to_bytes(8, "big") + (8 * len(data)).to_bytes(8, "big")
    state = 0
    for piece in _pieces(text, 16):
        state = _gcm_product(state ^ int.from_bytes(piece, "big"), key)
    return ciphertext + _xor(state.to_bytes(16, "big"), block(nonce + (1).to_bytes(4, "big")))


def eax(block: Block, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Return EAX's ciphertext and tag (Bellare, Rogaway, Wagner, figure 1), with a tag of a whole block."""

    def omac(which: int, text: bytes) -> bytes:
        return cmac(block, 16, which.to_bytes(16, "big") + text)

    start = omac(0, nonce)

    def counters() -> Iterator[bytes]:
        index = int.from_bytes(start, "big")
        while True:
            yield index.to_bytes(16, "big")
            index = (index + 1) % (1 << 128)

    ciphertext = _stream(block, counters(), data)
    return ciphertext + _xor(_xor(start, omac(1, ad)), omac(2, ciphertext))


def ocb3(block: Block, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Return OCB3's ciphertext and tag (RFC 7253, sections 4.1 and 4.2); nonce of 12 bytes, tag of 16."""
    star = block(bytes(16))
    dollar = _double(star)
    doubled = [_double(dollar)]

    def offset_mask(index: int) -> bytes:
        zeros = (index & -index).bit_length() - 1
        while len(doubled) <= zeros:
            doubled.append(_double(doubled[-1]))
        return doubled[zeros]

    def hashed() -> bytes:
        total, offset = bytes(16), bytes(16)
        for index, piece in enumerate(_pieces(ad, 16), start=1):
            if len(piece) == 16:
                offset = _xor(offset, offset_mask(index))
                total = _xor(total, block(_xor(piece, offset)))
            else:
                offset = _xor(offset, star)
                total = _xor(total, block(_xor((piece + b"\x80").ljust(16, b"\0"), offset)))
        return total

    padded = bytes(3) + b"\x01" + nonce
    bottom = padded[15] & 0x3F
    top = block(padded[:15] + bytes([padded[15] & 0xC0]))
    stretch = int.from_bytes(top + _xor(top[:8], top[1:9]), "big")
    offset = (stretch >> (64 - bottom) & ((1 << 128) - 1)).to_bytes(16, "big")
    checksum, out = bytes(16), b""
    for index, piece in enumerate(_pieces(data, 16), start=1):
        if len(piece) == 16:
            offset = _xor(offset, offset_mask(index))
            out += _xor(offset, block(_xor(piece, offset)))
            checksum = _xor(checksum, piece)
        else:
            offset = _xor(offset, star)
            out += _xor(piece, block(offset)[: len(piece)])
            checksum = _xor(checksum, (piece + b"\x80").ljust(16, b"\0"))
    return out + _xor(block(_xor(_xor(checksum, offset), dollar)), hashed())
