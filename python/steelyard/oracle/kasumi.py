"""KASUMI, a second implementation of 3GPP TS 35.202, with S7 and S9 as CLAASP has them."""

from __future__ import annotations

_S7 = bytes.fromhex(
    "36323e3816225e6026063f5d02127b21377127721543410c2f492e1b196f7c51"
    "3509794f343c3a30657f28786846472b147a483d176d0d644d011007520a6962"
    "75744c0b596a007d766356451e397e57703311055f0e5a545b08236720611c42"
    "661f1a2d4b04555c254a5031441d732c406b6c186e53244e2a130f2958773b03"
)
_S9_DIGITS = (
    "0a70ef0a117b18714e0091520260e20301661c418105a18d0b70fd09314b19f15403316a1321f41060520d809f1640b1"
    "0af0f11e90250ce01100014d02c0fe17a03a08f0dc05119005f00313b0f50360eb0da1951d81080ac1ee17312218f04c"
    "0a50c518b0791011e01a70d40f001c1ce0b01961fb1200df1f51970f91090590ba0dd1ac0a404a1b80c41ca1a515e0a3"
    "0e809e08616200d0fa1eb08e0bf0450c11a90980e316e08715812c1140f21b514007111600b0f305713d02405d1f001b"
    "1e71be1e202904409c1c90831461931530140270731ba07c1db1801fc0350700aa1df09707e0a904910c1171410a816c"
    "16b12402e1f31891471440181c810b09d1cc1e81aa1350e51b71fa0d010f15d1911b20ec0100d11670340380780c7115"
    "1d11a00fc11f0f60060531311a41590991f604103d0f411a0ad0de1a20431821701050651dc1230c31ae03104f0a614a"
    "11817f17508017e19809b1ef16f18411206b1cb1a103e1c60840e10cb13c0ea00e12d05b1f711e1a80d315b13308c176"
    "02306707d1ab0130d61c50921f213a1bc0e61001490c611d03207404e19a00a0cd1fe0ab0e702d08b1d301d0561f9020"
    "04801a1560961391ea1af0ee19b1450951d90280770ae1630b90e91850471c011117403706e0b214200c1d51881710be"
    "00106d1770890b505804b1341041e406211017211319c06f15013e0041f81ec10313004d1511b301516512f14c1e3012"
    "02f0550191f11da12106410d1281de10e06a01f0681b105419e1e618a06006309a1ff09419d1691990ff0a20d712e0c9"
    "10a15f1570901b916d06c12a0fb0220b61fd08a0d214f08513716014808d18c15a07b13f1c21191ad0e41bb1e105c194"
    "1e51a60f81290170d50821d20160d911b0461261681a307f1381790071d40c20020751271cf1020e01bf0f70bb05018e"
    "11c16106918612b1d71d60b80390c815c03f0cc0bc0211c306101e1360db05e0a00811ed0400b31070660bd0cf072192"
    "1b61dd18307a0c002a17d0050910760b41c112514308817c02b04203c1c71551bd0ca1b00080ed00f1781b41d003b1cd"
)
_S9 = tuple(int(_S9_DIGITS[i : i + 3], 16) for i in range(0, 3 * 512, 3))
_CONSTANTS = (0x0123, 0x4567, 0x89AB, 0xCDEF, 0xFEDC, 0xBA98, 0x7654, 0x3210)


def _left(x: int, n: int) -> int:
    return (x << n | x >> 16 - n) & 0xFFFF


def _fi(x: int, key: int) -> int:
    nine, seven = x >> 7, x & 0x7F
    nine = _S9[nine] ^ seven
    seven = _S7[seven] ^ nine & 0x7F
    nine, seven = nine ^ key & 0x1FF, seven ^ key >> 9
    nine = _S9[nine] ^ seven
    seven = _S7[seven] ^ nine & 0x7F
    return seven << 9 | nine


class _Keyed:
    """The round functions under the key schedule; `i` counts rounds from 0."""

    def __init__(self, key: bytes) -> None:
        self.k = [int.from_bytes(key[i : i + 2], "big") for i in range(0, 16, 2)]
        self.p = [k ^ c for k, c in zip(self.k, _CONSTANTS, strict=True)]

    def fl(self, x: int, i: int) -> int:
        left, right = x >> 16, x & 0xFFFF
        right ^= _left(left & _left(self.k[i % 8], 1), 1)
        left ^= _left(right | self.p[(i + 2) % 8], 1)
        return left << 16 | right

    def fo(self, x: int, i: int) -> int:
        left, right = x >> 16, x & 0xFFFF
        for word, rotation, prime in ((1, 5, 4), (5, 8, 3), (6, 13, 7)):
            added = _left(self.k[(i + word) % 8], rotation)
            left, right = right, _fi(left ^ added, self.p[(i + prime) % 8]) ^ right
        return left << 16 | right

    def f(self, x: int, i: int) -> int:
        return self.fl(self.fo(x, i), i) if i % 2 else self.fo(self.fl(x, i), i)


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 bytes with a key of 16 bytes."""
    keyed = _Keyed(key)
    left, right = int.from_bytes(block[:4], "big"), int.from_bytes(block[4:], "big")
    for i in range(rounds):
        left, right = right ^ keyed.f(left, i), left
    return left.to_bytes(4, "big") + right.to_bytes(4, "big")


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    keyed = _Keyed(key)
    left, right = int.from_bytes(block[:4], "big"), int.from_bytes(block[4:], "big")
    for i in reversed(range(rounds)):
        left, right = right, left ^ keyed.f(right, i)
    return left.to_bytes(4, "big") + right.to_bytes(4, "big")
