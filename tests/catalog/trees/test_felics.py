"""The reader of FELICS: what it takes, how that is called, and what it leaves out, with reasons."""

from __future__ import annotations

from pathlib import Path

import felics_tree
import pytest
from felics_tree import BLOCK, KEY, add, array, encrypted, vectors

from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import Primitive
from steelyard.catalog.trees import felics
from steelyard.catalog.trees.found import Implementation, LeftOut

OTHERS = ("arm", "riscv", "rl78", "m16c", "sparc")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return felics_tree.write(tmp_path / "tree")


def found(root: Path) -> dict[str, Implementation]:
    """Implementations by their folders' names."""
    return {one.where.rpartition("/")[2]: one for one in felics.read(root) if isinstance(one, Implementation)}


def reasons(root: Path) -> dict[str, str]:
    return {one.where.rpartition("/")[2]: one.reason for one in felics.read(root) if isinstance(one, LeftOut)}


def test_only_the_root_of_a_tree_is_recognised(root: Path, tmp_path: Path) -> None:
    assert felics.recognises(root)
    assert not felics.recognises(tmp_path)
    assert not felics.recognises(root / "block_ciphers")


def test_a_block_cipher_with_its_sizes_answers_and_calls(root: Path) -> None:
    one = found(root)["Toy_64_80_v01"]
    assert (one.algorithm, one.name, one.kind) == ("felics-toy", "64-80-v01", "block")
    assert isinstance(one.primitive, Primitive)
    assert (one.primitive.id, one.primitive.block_bytes, one.primitive.key_bytes) == (
        "felics-toy-64-80",
        8,
        10,
    )
    (vector,) = one.vectors
    assert (vector.primitive, vector.key, vector.input) == (one.primitive.id, KEY.hex(), BLOCK.hex())
    assert vector.output == encrypted(KEY, BLOCK).hex()
    assert vector.source.endswith("Toy_64_80_v01/source/test_vectors.c")
    file = one.file
    assert "test_vectors.c" not in "".join(file.sources)
    assert file.context is not None
    assert file.context.bytes == "16"
    assert file.families == ("avr", "msp430", "cortex-m", *OTHERS)
    assert [file.defines_for[name] for name in ("avr", "msp430", "cortex-m")] == [
        {"AVR": 1},
        {"MSP": 1},
        {"ARM": 1},
    ]
    assert file.defines_for["riscv"]["PC"] == 1
    calls = {(one.operation, one.mode): (one.function, one.arguments) for one in file.call}
    assert calls == {
        ("init", None): ("RunEncryptionKeySchedule", ("key", "context")),
        ("encrypt", None): ("Encrypt", ("message", "context")),
        ("decrypt", None): ("Decrypt", ("message", "context")),
        ("encrypt", "cbc"): ("EncryptScenario1", ("message", "context", "iv")),
        ("decrypt", "cbc"): ("DecryptScenario1", ("message", "context", "iv")),
        ("init", "ctr"): ("RunEncryptionKeySchedule", ("key", "context")),
        ("encrypt", "ctr"): ("EncryptScenario2", ("message", "context", "iv")),
    }
    assert {name: mode.defines for name, mode in file.in_mode.items()} == {
        "cbc": {"SCENARIO": 1},
        "ctr": {"SCENARIO": 2},
    }


def test_a_schedule_for_decryption_goes_on_from_the_other(root: Path) -> None:
    body = "void RunDecryptionKeySchedule(uint8_t *key, uint8_t *roundKeys) { roundKeys[0] ^= 0; }\n"
    add(root, "Toy_64_80_v02", decryption_key_schedule__c='#include "cipher.h"\n' + body)
    calls = found(root)["Toy_64_80_v02"].file.call
    inverse = [one.function for one in calls if one.operation == "init-decrypt"]
    assert inverse == ["RunEncryptionKeySchedule", "RunDecryptionKeySchedule"]


def test_a_cipher_without_a_key_schedule_is_given_its_key(root: Path) -> None:
    add(root, "Toy_64_80_v02", implementation__info="UseEncryptionKeySchedule: no\n")
    calls = {(one.operation, one.mode): one.arguments for one in found(root)["Toy_64_80_v02"].file.call}
    assert ("init", None) not in calls
    assert calls["encrypt", None] == ("message", "key")
    assert calls["encrypt", "ctr"] == ("message", "context", "iv")


def test_a_known_cipher_is_the_catalogues_where_its_answer_is(root: Path) -> None:
    known, plain = (
        bytes.fromhex("000102030405060708090a0b0c0d0e0f"),
        bytes.fromhex("00112233445566778899aabbccddeeff"),
    )
    right = bytes.fromhex("69c4e0d86a7b0430d8cdb78070b4c55a")
    sizes = "#define BLOCK_SIZE 16\n#define KEY_SIZE 16\n#define ROUND_KEYS_SIZE 176\n"
    add(root, "AES_128_128_v03", constants__h=sizes, test_vectors__c=vectors(known, plain, right))
    add(root, "AES_128_128_v04", constants__h=sizes, test_vectors__c=vectors(known, plain, right[::-1]))
    same, reversed_ = found(root)["AES_128_128_v03"], found(root)["AES_128_128_v04"]
    assert (same.algorithm, same.primitive, same.name) == ("aes", "aes-128", "felics-128-128-v03")
    assert same.vectors == ()
    assert (reversed_.algorithm, reversed_.name) == ("felics-aes", "128-128-v04")
    assert len(reversed_.vectors) == 1


def test_answers_that_contradict_each_other_are_of_two_primitives(root: Path) -> None:
    other = encrypted(KEY, BLOCK)[::-1]
    add(root, "Toy_64_80_v02", test_vectors__c=vectors(KEY, BLOCK, other))
    add(root, "Toy_64_80_v03", test_vectors__c=vectors(KEY, bytes(8), encrypted(KEY, bytes(8))))
    add(root, "Toy_64_80_v04", test_vectors__c=vectors(KEY, BLOCK, other))
    names = [one.primitive.id for one in found(root).values() if isinstance(one.primitive, Primitive)]
    assert names == ["felics-toy-64-80", "felics-toy-64-80-v02", "felics-toy-64-80", "felics-toy-64-80-v02"]


def test_sizes_that_the_name_does_not_state_are_in_the_primitives_name(root: Path) -> None:
    sizes = "#define BLOCK_SIZE 16\n#define KEY_SIZE 20\n#define ROUND_KEYS_SIZE 16\n"
    add(root, "Toy_64_80_v02", constants__h=sizes, test_vectors__c=vectors(bytes(20), bytes(16), b"\1" * 16))
    primitive = found(root)["Toy_64_80_v02"].primitive
    assert isinstance(primitive, Primitive)
    assert (primitive.id, primitive.block_bytes) == ("felics-toy-64-80-in-16-20", 16)


@pytest.mark.parametrize(
    ("text", "families"),
    [
        ("#ifdef AVR\nvoid Encrypt(uint8_t *block, uint8_t *roundKeys) { }\n#endif\n", ("avr",)),
        (
            "#if defined(MSP) || defined(ARM)\nvoid Encrypt(uint8_t *b, uint8_t *k) { }\n#elif defined(PC)\n"
            'void Encrypt(uint8_t *b, uint8_t *k) { asm("movdqu %xmm0, %xmm1"); }\n#endif\n',
            ("msp430", "cortex-m"),
        ),
        (
            "#define PLAIN\n#ifndef PLAIN\nnothing\n#elif 1 == 1\n"
            "void Encrypt(uint8_t *b, uint8_t *k) { }\n#endif\n",
            ("avr", "msp430", "cortex-m", *OTHERS),
        ),
        ("#ifdef PC\nvoid Encrypt(uint8_t *b, uint8_t *k) { }\n#endif\n", OTHERS),
    ],
)
def test_conditions_say_what_code_is_for(root: Path, text: str, families: tuple[str, ...]) -> None:
    add(root, "Toy_64_80_v02", encrypt__c=text)
    assert found(root)["Toy_64_80_v02"].file.families == families


@pytest.mark.parametrize(
    ("body", "by_register"),
    [
        ('asm volatile("mov @r15+, r4\\n\\t" "inv r4");', True),
        ('asm volatile("mov @r15+, r4 {" : : [b] "m" (block), [t] "" (table)); /* block */', True),
        ('asm volatile("mov @%[b]+, r4" : [b] "+r" (block));', False),
        ('asm volatile("inv @%0" : : "r" (block));', False),
        ('block[0] ^= 1; asm volatile("nop");', False),
        ("block[0] ^= 1;", False),
    ],
)
def test_assembly_for_mspgcc_names_no_argument(root: Path, body: str, by_register: bool) -> None:
    function = "void Encrypt(uint8_t *block, uint8_t *roundKeys)"
    text = f"#ifdef MSP\n{function} {{ {body} }}\n#else\n{function} {{ }}\n#endif\n"
    add(root, "Toy_64_80_v02", encrypt__c=text)
    assert found(root)["Toy_64_80_v02"].file.mspgcc == (("Encrypt",) if by_register else ())


def test_what_is_left_out_has_a_reason(root: Path) -> None:
    add(root, "CipherName_BlockSizeInBits_KeySizeInBits_v01")
    add(root, "IdentityCipher_64_80_v01")
    add(root, "Toy_64_v01")
    add(root, "Toy_64_80_v02", constants__h="#define BLOCK_SIZE 8\n")
    add(root, "Toy_64_80_v03", test_vectors__c=None)
    add(root, "Toy_64_80_v04", test_vectors__c=array("expectedKey", "10", KEY))
    add(root, "Toy_64_80_v09", test_vectors__c=array("expectedKey", "KEY", KEY))
    add(root, "Toy_64_80_v05", test_vectors__c=vectors(KEY, BLOCK, BLOCK))
    add(root, "Toy_64_80_v06", encrypt__c="\n")
    add(root, "Toy_64_80_v07", test_vectors__c=vectors(bytes(11), BLOCK, BLOCK))
    add(root, "Toy_64_80_v08", constants__h="#define BLOCK_SIZE 8\n#if 1\n#define KEY_SIZE x\n#endif\n")
    said = reasons(root)
    assert said["CipherName_BlockSizeInBits_KeySizeInBits_v01"] == "it is the template for an implementation"
    assert "copies its input" in said["IdentityCipher_64_80_v01"]
    assert said["Toy_64_v01"] == "its name is no name, sizes in bits and version of a block cipher"
    assert said["Toy_64_80_v02"] == "its constants.h does not define KEY_SIZE"
    assert said["Toy_64_80_v03"] == "it has no test_vectors.c"
    assert said["Toy_64_80_v04"] == "its test_vectors.c has no expectedPlaintext"
    assert "nothing is implemented yet" in said["Toy_64_80_v05"]
    assert said["Toy_64_80_v06"] == "it defines Encrypt for none of the processors of FELICS"
    assert "gives expectedKey 11 of 10 bytes" in said["Toy_64_80_v07"]
    assert said["Toy_64_80_v08"] == 'its constants.h: KEY_SIZE: "x" is not known'
    assert said["Toy_64_80_v09"] == 'its test_vectors.c: the size of expectedKey: "KEY" is not known'
    assert list(found(root)) == ["Toy_64_80_v01"]


def test_the_other_areas(root: Path) -> None:
    sizes = "#define STATE_SIZE 12\n#define KEY_SIZE 10\n#define IV_SIZE 8\n#define TEST_STREAM_SIZE 4\n"
    answers = "".join(
        array(f"expected{name}", size, content)
        for name, size, content in (
            ("Key", "KEY_SIZE", KEY),
            ("IV", "IV_SIZE", bytes(8)),
            ("Plaintext", "TEST_STREAM_SIZE", bytes(4)),
            ("Ciphertext", "TEST_STREAM_SIZE", b"abcd"),
        )
    )
    empty = dict.fromkeys(("encryption_key_schedule__c", "decryption_key_schedule__c", "decrypt__c"))
    body = "void Encrypt(uint8_t *state, uint8_t *stream, uint16_t length) { }\n"
    include = '#include "constants.h"\n'
    common = root / "stream_ciphers" / "source" / "common"
    common.mkdir(parents=True)
    (common / "cipher.h").write_text("\n", "utf-8")
    add(
        root,
        "Flow_96_80_64_v01",
        "stream_ciphers",
        constants__h=sizes,
        test_vectors__c=include + answers,
        encrypt__c=body,
        **empty,
    )
    hash_sizes = (
        "#define BLOCK_SIZE 8\n#define STATE_SIZE 16\n#define DIGEST_SIZE 4\n#define TEST_MESSAGE_SIZE 5\n"
    )
    digest = array("expectedDigest", "DIGEST_SIZE", b"wxyz")
    message = 'ALIGNED const uint8_t expectedMessage[TEST_MESSAGE_SIZE] = "hello";\n'
    body = "void Update(uint8_t *state, uint8_t *message, uint16_t length) { state[0] = MESSAGE_SIZE; }\n"
    add(
        root,
        "Sum_64_128_32_v01",
        "hash_functions",
        constants__h=hash_sizes,
        test_vectors__c=include + digest + message,
        encrypt__c=body,
        **empty,
    )
    aead_sizes = (
        "#define BLOCK_SIZE 8\n#define KEY_SIZE 10\n#define NONCE_SIZE 4\n#define STATE_SIZE 16\n"
        "#define TAG_SIZE 2\n#define MESSAGE BLOCK_SIZE\n#define TEST 1\n"
    )
    answers = "#if TEST == 0\nnothing\n#else\n" + "".join(
        array(f"expected{name}", str(len(content)), content)
        for name, content in (
            ("Key", KEY),
            ("Nonce", b"1234"),
            ("AssociatedData", b"ad"),
            ("Plaintext", BLOCK),
            ("Ciphertext", BLOCK[::-1]),
            ("Tag", b"ta"),
        )
    )
    body = "void ProcessPlaintext(uint8_t *state, uint8_t *message, uint32_t message_length) { }\n"
    add(
        root,
        "Seal_64_80_32_128_16_v01",
        "authenticated_ciphers",
        constants__h=aead_sizes,
        test_vectors__c=include + answers + "#endif\n",
        encrypt__c=body,
        **empty,
    )
    stream = found(root)["Flow_96_80_64_v01"]
    assert isinstance(stream.primitive, Primitive)
    assert (stream.kind, stream.primitive.key_bytes, stream.primitive.iv_bytes) == ("stream", 10, 8)
    assert [one.arguments for one in stream.file.call] == [
        ("context", "key", "iv"),
        ("context", "message", "message.bytes:2"),
        ("context", "message", "message.bytes:2"),
    ]
    digest_of = found(root)["Sum_64_128_32_v01"]
    assert digest_of.file.context is not None
    assert digest_of.file.context.zeroed
    assert bytes.fromhex(digest_of.vectors[0].input) == b"hello"
    assert {one.message_bytes for one in digest_of.file.call} == {5}
    sealed = found(root)["Seal_64_80_32_128_16_v01"]
    assert [one.function for one in sealed.file.call if one.operation == "seal"] == [
        "Initialize",
        "ProcessAssociatedData",
        "ProcessPlaintext",
        "Finalize",
        "TagGeneration",
    ]
    assert sealed.file.call[-1].success == 0
    assert (sealed.vectors[0].tag, sealed.vectors[0].ad) == (b"ta".hex(), b"ad".hex())


def test_a_tree_joins_the_catalogue(root: Path) -> None:
    add(root, "Toy_64_80_v02")
    catalog = load_catalog((root,))
    mine = [one for one in catalog.variants if catalog.is_users(one)]
    assert [one.id for one in mine] == ["felics-toy/64-80-v01", "felics-toy/64-80-v02"]
    assert mine[0].only_bytes("encrypt", "cbc") == 128
    assert mine[0].is_prepared("encrypt", "ctr")
    assert not mine[0].is_prepared("encrypt", "cbc")


def test_names_of_the_catalogue_are_there() -> None:
    primitives = {one.id: one for one in load_catalog().primitives}
    for algorithm, primitive in felics._IN_CATALOGUE.values():
        assert load_catalog().algorithm_of(primitive).id == algorithm
        assert primitive in primitives


def test_assembly_in_files_of_its_own_is_told_by_family(tmp_path: Path) -> None:
    root = felics_tree.write(tmp_path)
    text = (
        'void Nothing(void)\n{\n#if defined(AVR)\n__asm__("nop");\n#elif defined(MSP)\n/* asm */\n#endif\n}\n'
    )
    felics_tree.add(root, "Toy_64_80_v02", nothing__c=text)
    ciphers = "block_ciphers/source/ciphers"
    assert felics.in_assembly(root, f"{ciphers}/Toy_64_80_v02") == ("avr",)
    assert felics.in_assembly(root, f"{ciphers}/Toy_64_80_v01") == ()
