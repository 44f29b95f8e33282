"""Block ciphers: which implementation answers for which, with or without a mode."""

from __future__ import annotations

from dataclasses import dataclass

from steelyard.catalog.models import Primitive
from steelyard.oracle.modes import MODES, WHOLE_BLOCKS, Block

__all__ = ["MODES", "BlockOracle", "block_oracle"]

_AES_ROUNDS = {16: 10, 24: 12, 32: 14}


@dataclass(frozen=True)
class BlockOracle:
    """An independent block cipher; sizes in bytes."""

    algorithm_id: str
    block_bytes: int
    rounds: int

    def provenance(self, mode: str | None) -> str:
        """Names the library and version, and the modes done here instead."""
        if self.algorithm_id == "rc5":
            source = "second implementation in Python from RFC 2040"
            return source if mode is None else f"{source}, {mode} over its block"
        from steelyard.oracle import library

        source = library.provenance()
        if mode is None or library.has_mode(self.algorithm_id, mode):
            return source
        return f"{source}, {mode} in Python over its block"

    def crypt(self, mode: str | None, key: bytes, iv: bytes, data: bytes, *, encrypt: bool) -> bytes:
        """A whole message; without a mode a single block. Raises ValueError for lengths that do not fit."""
        if mode is None and len(data) != self.block_bytes:
            raise ValueError(f"a single block has {self.block_bytes} bytes, not {len(data)}")
        if mode in WHOLE_BLOCKS and len(data) % self.block_bytes:
            raise ValueError(f"{mode} takes blocks of {self.block_bytes} bytes, not a message of {len(data)}")
        if mode not in (None, "ecb") and len(iv) != self.block_bytes:
            raise ValueError(f"{mode} takes an IV of {self.block_bytes} bytes, not of {len(iv)}")
        name = mode or "ecb"
        if self.algorithm_id != "rc5":
            from steelyard.oracle import library

            if library.has_mode(self.algorithm_id, name):
                return library.block_crypt(self.algorithm_id, name, key, iv, data, encrypt=encrypt)
        block = self._block(key, encrypt=encrypt or name not in WHOLE_BLOCKS)
        return MODES[name](block, iv, data, encrypt=encrypt, size=self.block_bytes)

    def _block(self, key: bytes, *, encrypt: bool) -> Block:
        if self.algorithm_id == "rc5":
            from steelyard.oracle import rc5

            one = rc5.encrypt_block if encrypt else rc5.decrypt_block
            return lambda block: one(key, self.rounds, block)
        from steelyard.oracle import library

        return library.block_function(self.algorithm_id, key, encrypt=encrypt)


def block_oracle(algorithm_id: str, primitive: Primitive) -> BlockOracle | None:
    """The oracle of a block cipher; None where no independent implementation has those parameters."""
    parameters = (primitive.key_bytes, primitive.block_bytes, primitive.rounds)
    known = (
        (algorithm_id == "aes" and parameters[1:] == (16, _AES_ROUNDS.get(primitive.key_bytes)))
        or (algorithm_id == "idea" and parameters == (16, 8, 8))
        or (algorithm_id == "rc5" and primitive.block_bytes == 8 and primitive.key_bytes <= 255)
    )
    return BlockOracle(algorithm_id, primitive.block_bytes, primitive.rounds) if known else None
