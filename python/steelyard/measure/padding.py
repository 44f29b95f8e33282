"""Padding of payloads for the modes that take whole blocks."""

from __future__ import annotations


def padded_bytes(message_bytes: int, block_bytes: int, padding: str | None) -> int:
    """Return the length after padding: `zero` fills the last block, `pkcs7` adds 1 to block_bytes bytes."""
    if padding == "pkcs7":
        return message_bytes - message_bytes % block_bytes + block_bytes
    if padding == "zero":
        return message_bytes + -message_bytes % block_bytes
    return message_bytes


def pad(message: bytes, block_bytes: int, padding: str | None) -> bytes:
    """Pad the message (RFC 5652, section 6.3, for `pkcs7`, where block_bytes is at most 255)."""
    count = padded_bytes(len(message), block_bytes, padding) - len(message)
    return message + bytes([count if padding == "pkcs7" else 0]) * count
