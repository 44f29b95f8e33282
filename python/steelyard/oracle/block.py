"""Block ciphers: the independent implementation of each, with or without a mode."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from steelyard.catalog.models import Primitive
from steelyard.oracle.modes import MODES, WHOLE_BLOCKS, Block
from steelyard.oracle.versions import of_cryptography

__all__ = ["MODES", "BlockOracle", "block_oracle"]

_AES_ROUNDS = {16: 10, 24: 12, 32: 14}


@dataclass(frozen=True)
class BlockOracle:
    """An independent block cipher; sizes in bytes."""

    algorithm_id: str
    block_bytes: int
    rounds: int

    def provenance(self, mode: str | None) -> str:
        """Return the library and version, and the modes computed by this package instead."""
        second = second_implementation(self.algorithm_id)
        if second is not None:
            source = f"second implementation in Python ({_first_sentence(second)})"
            return source if mode is None else f"{source}, {mode} over its block"
        from steelyard.oracle import library

        source = of_cryptography()
        if mode is None or library.has_mode(self.algorithm_id, mode):
            return source
        return f"{source}, {mode} in Python over its block"

    def crypt(self, mode: str | None, key: bytes, iv: bytes, data: bytes, *, encrypt: bool) -> bytes:
        """Encrypt or decrypt a whole message, or a single block without a mode. ValueError for a wrong
        length.
        """
        if mode is None and len(data) != self.block_bytes:
            raise ValueError(f"a single block has {self.block_bytes} bytes, not {len(data)}")
        if mode in WHOLE_BLOCKS and len(data) % self.block_bytes:
            raise ValueError(f"{mode} takes blocks of {self.block_bytes} bytes, not a message of {len(data)}")
        if mode not in (None, "ecb") and len(iv) != self.block_bytes:
            raise ValueError(f"{mode} takes an IV of {self.block_bytes} bytes, not of {len(iv)}")
        name = mode or "ecb"
        if second_implementation(self.algorithm_id) is None:
            from steelyard.oracle import library

            if library.has_mode(self.algorithm_id, name):
                return library.block_crypt(self.algorithm_id, name, key, iv, data, encrypt=encrypt)
        block = self._block(key, encrypt=encrypt or name not in WHOLE_BLOCKS)
        return MODES[name](block, iv, data, encrypt=encrypt, size=self.block_bytes)

    def _block(self, key: bytes, *, encrypt: bool) -> Block:
        second = second_implementation(self.algorithm_id)
        if second is not None:
            one = second.encrypt_block if encrypt else second.decrypt_block
            return lambda block: bytes(one(key, self.rounds, block))
        from steelyard.oracle import library

        return library.block_function(self.algorithm_id, key, encrypt=encrypt)


@cache
def second_implementation(algorithm_id: str) -> ModuleType | None:
    """Return the module of this package named after the algorithm, if it encrypts and decrypts blocks."""
    name = f"steelyard.oracle.{algorithm_id.replace('-', '_')}"
    if find_spec(name) is None:
        return None
    module = import_module(name)
    return module if hasattr(module, "encrypt_block") and hasattr(module, "decrypt_block") else None


def _first_sentence(module: ModuleType) -> str:
    return " ".join((module.__doc__ or "").split()).partition(". ")[0].rstrip(".")


def block_oracle(algorithm_id: str, primitive: Primitive) -> BlockOracle | None:
    """Return the oracle of a block cipher; None if no independent implementation has its parameters."""
    parameters = (primitive.key_bytes, primitive.block_bytes, primitive.rounds)
    known = (
        (algorithm_id == "aes" and parameters[1:] == (16, _AES_ROUNDS.get(primitive.key_bytes)))
        or (algorithm_id == "idea" and parameters == (16, 8, 8))
        or (algorithm_id == "rc5" and primitive.block_bytes == 8 and primitive.key_bytes <= 255)
        or (algorithm_id in ("camellia", "seed", "sm4") and primitive.block_bytes == 16)
        or (algorithm_id == "cast-128" and primitive.block_bytes == 8)
        or (algorithm_id != "rc5" and second_implementation(algorithm_id) is not None)
    )
    return BlockOracle(algorithm_id, primitive.block_bytes, primitive.rounds) if known else None
