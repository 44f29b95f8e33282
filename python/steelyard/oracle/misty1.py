"""MISTY1, a second implementation from RFC 2994, with the tables of its section 2.3.

Decryption uses the inverses of FL and the same FO; half blocks are integers of 32 bits.
"""

from __future__ import annotations

_S7 = bytes.fromhex(
    "1b32335a3b1017545b1a72736b2c66491f24136c372e3f4a5d0f405625511c04"
    "0b46200d7b3544422b1e41144b79156f0e550936740c6753280a7e3802076029"
    "1912652f303908685f782a4c6445753d594803577c4f623c1d215e276a704d3a"
    "016d6e6318772305267600312d7a7f61502211064716524e713e6943345c587d"
)
_S9_DIGITS = (
    "1c30cb15319f1e30e90fb0351810b91171eb13300902d0d30c714a03707e0eb1641931d80a311e05502c01d1a2163118"
    "14b1521d200f02b03013a0e511113818e0630e30c81f401b00109d0f81a016d1f301c14607d0d10821ea18312d0f419e"
    "1d30dd1e21281e00ec05909101112f0260dc0b018c10f1f70e716c0b60f90d815110114c1030b815412b1ae01707100c"
    "04705807f1a413412908415d19d1b21a304807c0511ca02313d1a716503b0420da1920ce0c106b09f1f112c1840fa196"
    "1e116917d03118010a0941da18613e11c0601751cf06711906506809915000800717c0b70240190de1270db0e41a9052"
    "10909019c1c10281b313516a1760df1e51880c516e1de1b10c31df0360ee1ee0f009304909a1b606908112500b05e0b4"
    "1491c717403e13b1b708e1c60ae0100951ef04e0f21fd0850fd0f60a016f08308a15609b13c1071670981d01e90031fe"
    "0bd1220890d218f01203306a1420ed17011b0e214f15813114705d1131cd0791611a517909e1b40cc02213201a0e8004"
    "1871ed1970391bf1d702718b0c609c0d014e06c0341f206e0ca0250ba1910fe01310602f1ad1721db0c010b1d60f51ec"
    "10d0761141ab07510c1e415905411f04b0c41be0f70290a400e1f007704d17a08608b0b31710bf10e10409715b160168"
    "0d70bb0661ce0fc0921c506f01604a0a11390af0f119000a1aa14317b05618d1660d41fb14d19419a0871f81230a71b8"
    "14103c1f914002a15511a1a11980d51261af06112e1571dc07218a0aa0961150ef04507b08d14505305f1780b202e020"
    "1d503f1c91e71ac0440380140b116b0ab0b505a1821c81d40181770640cf06d10019913015a0051201bb1bd0e004f0d6"
    "13f1c412a0150060ff19b0a604308805015f1e812107317e0bc0c20c91731891f50741cc1e61a819501f04100d1ba032"
    "03d1d10800a80571b91621480d910506207a0211ff1121081c00a911d1b01a60cd0f305c10205b1d91441f60ad0a503a"
    "1cb13617f0460e101e1dd0e61371fa18508c08f0401b50be0780000ac11015e1240021bc0a20ea0701fc11615c04c1c2"
)
_S9 = tuple(int(_S9_DIGITS[i : i + 3], 16) for i in range(0, 3 * 512, 3))


def _fi(x: int, key: int) -> int:
    nine, seven = x >> 7, x & 0x7F
    nine = _S9[nine] ^ seven
    seven = _S7[seven] ^ nine & 0x7F ^ key >> 9
    nine = _S9[nine ^ key & 0x1FF] ^ seven
    return seven << 9 | nine


class _Keyed:
    """Subkeys EK of section 2.2: eight words of the key, and eight computed from neighbours."""

    def __init__(self, key: bytes) -> None:
        self.k = [int.from_bytes(key[i : i + 2], "big") for i in range(0, 16, 2)]
        self.m = [_fi(self.k[i], self.k[(i + 1) % 8]) for i in range(8)]

    def fo(self, x: int, i: int) -> int:
        left, right = x >> 16, x & 0xFFFF
        for added, into in ((i, i + 5), (i + 2, i + 1), (i + 7, i + 3)):
            left, right = right, _fi(left ^ self.k[added % 8], self.m[into % 8]) ^ right
        return (left ^ self.k[(i + 4) % 8]) << 16 | right

    def _fl_keys(self, i: int) -> tuple[int, int]:
        if i % 2:
            return self.m[(i // 2 + 2) % 8], self.k[(i // 2 + 4) % 8]
        return self.k[i // 2 % 8], self.m[(i // 2 + 6) % 8]

    def fl(self, x: int, i: int) -> int:
        a, b = self._fl_keys(i)
        right = x & 0xFFFF ^ x >> 16 & a
        return (x >> 16 ^ (right | b)) << 16 | right

    def unfl(self, x: int, i: int) -> int:
        a, b = self._fl_keys(i)
        left = x >> 16 ^ (x & 0xFFFF | b)
        return left << 16 | x & 0xFFFF ^ left & a


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 bytes with a key of 16 bytes."""
    keyed = _Keyed(key)
    left, right = int.from_bytes(block[:4], "big"), int.from_bytes(block[4:], "big")
    for i in range(0, rounds, 2):
        left, right = keyed.fl(left, i), keyed.fl(right, i + 1)
        right ^= keyed.fo(left, i)
        left ^= keyed.fo(right, i + 1)
    left, right = keyed.fl(left, rounds), keyed.fl(right, rounds + 1)
    return right.to_bytes(4, "big") + left.to_bytes(4, "big")


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    keyed = _Keyed(key)
    right, left = int.from_bytes(block[:4], "big"), int.from_bytes(block[4:], "big")
    left, right = keyed.unfl(left, rounds), keyed.unfl(right, rounds + 1)
    for i in range(rounds - 2, -1, -2):
        left ^= keyed.fo(right, i + 1)
        right ^= keyed.fo(left, i)
        left, right = keyed.unfl(left, i), keyed.unfl(right, i + 1)
    return left.to_bytes(4, "big") + right.to_bytes(4, "big")
