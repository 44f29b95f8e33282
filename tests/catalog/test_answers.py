"""Published files of known answers: each format as it is published, and what is no answer of a primitive."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from steelyard.catalog.answers import parsed, spread, vectors
from steelyard.catalog.load import CatalogError, load_catalog
from steelyard.catalog.models import Kind, Primitive, Vector

CATALOG = load_catalog()

LWC_AEAD = """\
Count = 1
Key = 000102030405060708090A0B0C0D0E0F
Nonce = 101112131415161718191A1B1C1D1E1F
PT =\x20
AD =\x20
CT = 4F9C278211BEC9316BF68F46EE8B2EC6

Count = 34
Key = 000102030405060708090A0B0C0D0E0F
Nonce = 101112131415161718191A1B1C1D1E1F
PT = 20
AD =\x20
CT = E8DD576ABA1CD3E6FC704DE02AEDB79588
"""
LWC_HASH = "Count = 1\nMsg =\nMD = 0B3BE5850F2F6B98CAF29F8FDEA89B64A1FA70AA249B8F839BD53BAA304D92B2\n\n"
CAVP_HASH = """\
#  CAVS 11.0
[L = 32]

Len = 0
Msg = 00
MD = e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855

Len = 8
Msg = d3
MD = 28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1

Len = 5
Msg = 68
MD = d6d3e02a31a84a8caa9718ed6c2057be09db45e7823eb5079ce7a573a3760f95
"""
CAVP_GCM = """\
[Keylen = 128]
[IVlen = 96]
[PTlen = 0]
[AADlen = 0]
[Taglen = 128]

Count = 0
Key = cf063a34d4a9a76c2c86787d3f96db71
IV = 113b9785971864c83b01c787
CT =\x20
AAD =\x20
Tag = 72ac8493e3a5228b5d130a69d2510e42
PT =\x20

Count = 1
Key = a49a5e26a2f8cb63d05546c2a62f5343
IV = 907763b19b9b4ab6bd4f0281
CT =\x20
AAD =\x20
Tag = a2be08210d8c470a8df6e8fbd79ec5cf
FAIL
"""
CAVP_CMAC = """\
Count = 0
Klen = 16
Mlen = 0
Tlen = 16
Key = 2b7e151628aed2a6abf7158809cf4f3c
Msg = 00
Mac = bb1d6929e95937287fa37d129b756746
Result = P

Count = 1
Klen = 16
Mlen = 0
Tlen = 16
Key = 2b7e151628aed2a6abf7158809cf4f3c
Msg = 00
Mac = 00000000e95937287fa37d129b756746
Result = F (1 - MAC changed)
"""
CAVP_AES = """\
[ENCRYPT]

COUNT = 0
KEY = 00000000000000000000000000000000
PLAINTEXT = f34481ec3cc627bacd5dc3fb08f273e6
CIPHERTEXT = 0336763e966d92595a567cc9ce537f5e
"""
WYCHEPROOF = json.dumps(
    {
        "algorithm": "CHACHA20-POLY1305",
        "testGroups": [
            {
                "ivSize": 96,
                "tests": [
                    {
                        "tcId": 3, "result": result, "flags": [], "comment": "",
                        "key": "80ba3192c803ce965ea371d5ff073cf0f43b6a2ab576b208426e11409c09b9b0",
                        "iv": "4da5bf8dfd5852c1ea12379d", "aad": "", "msg": "", "ct": "",
                        "tag": "76acb342cf3166a5b63c0c0ea1383c8d",
                    }
                    for result in ("valid", "invalid")
                ],
            }
        ],
    }
)  # fmt: skip


def of(text: str, primitive: str, mode: str | None = None) -> list[Vector]:
    algorithm = CATALOG.algorithm_of(primitive)
    found: Primitive = algorithm.primitive(primitive)
    kind: Kind = algorithm.file.kind
    return list(vectors(parsed(text), kind, found, mode, "file"))


@pytest.mark.parametrize(
    ("text", "primitive", "sizes"),
    [
        (LWC_AEAD, "ascon-aead128", [(0, 0), (1, 1)]),
        (LWC_HASH, "ascon-hash256", [(0, 32)]),
        (CAVP_HASH, "sha-256", [(0, 32), (1, 32)]),
        (CAVP_GCM, "aes-128-gcm", [(0, 0)]),
        (CAVP_CMAC, "aes-128-cmac", [(0, 16)]),
        (CAVP_AES, "aes-128", [(16, 16)]),
        (WYCHEPROOF, "chacha20-poly1305", [(0, 0)]),
    ],
)
def test_a_format_is_read(text: str, primitive: str, sizes: list[tuple[int, int]]) -> None:
    read = of(text, primitive)
    assert [(len(one.input) // 2, len(one.output) // 2) for one in read] == sizes
    algorithm = CATALOG.algorithm_of(primitive)
    if algorithm.file.kind == "aead":
        size = algorithm.primitive(primitive).tag_bytes
        assert {len(one.tag) // 2 for one in read} == {size}


def test_answers_of_other_lengths_are_left_out() -> None:
    assert of(CAVP_GCM, "aes-256-gcm") == []
    assert of(CAVP_HASH, "sha-512") == []
    assert of(LWC_AEAD, "aes-128-gcm") == []
    assert of(CAVP_AES, "aes-192") == []


@pytest.mark.parametrize("text", ["", "nothing = here", "{}", '{"testGroups": [1]}', "{" * 100_000])
def test_what_is_no_file_of_answers_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no answers of NIST LWC|no file of Wycheproof"):
        parsed(text)


def test_answers_are_spread_with_the_first_and_the_last() -> None:
    listed = of(LWC_HASH * 100, "ascon-hash256")
    chosen = spread(listed, 32)
    assert len(chosen) == 32 and chosen[0] is listed[0] and chosen[-1] is listed[-1]
    assert spread(listed[:5], 32) == listed[:5]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder with Ascon's hash under another name, and answers as NIST published them."""
    source = CATALOG.algorithm_of("ascon-hash256").folder
    folder = tmp_path / "mine" / "odd-hash"
    shutil.copytree(source, folder)
    text = (source / "algorithm.toml").read_text("utf-8")
    (folder / "algorithm.toml").write_text(text.replace('"ascon-hash256"', '"odd-hash"'), "utf-8")
    (folder / "LWC_HASH_KAT_256.txt").write_text(LWC_HASH, "utf-8")
    (folder / "vectors.toml").write_text(
        '[[file]]\nname = "LWC_HASH_KAT_256.txt"\nprimitive = "odd-hash"\n', "utf-8"
    )
    return tmp_path / "mine"


def test_a_file_of_answers_stands_beside_the_primitive(own: Path) -> None:
    (answer,) = load_catalog([own]).algorithm_of("odd-hash").vectors
    assert (answer.operation, answer.input, answer.source) == ("digest", "", "LWC_HASH_KAT_256.txt, 1")
    # A file that changes is read again.
    (own / "odd-hash" / "LWC_HASH_KAT_256.txt").write_text(LWC_HASH * 2, "utf-8")
    assert len(load_catalog([own]).algorithm_of("odd-hash").vectors) == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("vectors.toml", '"odd-hash"', '"odd-hush"'), 'did you mean "odd-hash"'),
        (("vectors.toml", "KAT_256", "KAT_257"), "cannot be read"),
        (("LWC_HASH_KAT_256.txt", "MD", "MX"), "none of its 1 answers has the lengths of odd-hash"),
        (("LWC_HASH_KAT_256.txt", "=", ":"), "holds no answers of NIST LWC, CAVP or Wycheproof"),
        (("vectors.toml", '[[file]]\nname = "LWC_HASH_KAT_256.txt"\nprimitive = "odd-hash"\n', ""), "known"),
    ],
)
def test_a_wrong_file_is_named(own: Path, change: tuple[str, str, str], said: str) -> None:
    path = own / "odd-hash" / change[0]
    path.write_text(path.read_text("utf-8").replace(change[1], change[2]), "utf-8")
    with pytest.raises(CatalogError, match=said):
        load_catalog([own])
