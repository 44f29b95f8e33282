"""Trees of SUPERCOP and of NIST LWC, made for these tests in the forms that they have."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from steelyard.catalog.models import Primitive
from steelyard.catalog.trees import supercop
from steelyard.catalog.trees.found import Implementation, LeftOut

AEAD_API = """\
#define CRYPTO_KEYBYTES 16
#define CRYPTO_NSECBYTES 0
#define CRYPTO_NPUBBYTES 12
#define CRYPTO_ABYTES 8
#define CRYPTO_NOOVERLAP 1
"""
HASH_API = "#define CRYPTO_BYTES 32\n"
AEAD = """\
#include "api.h"
int crypto_aead_encrypt(
    unsigned char *c, unsigned long long *clen, /* ciphertext, (with tag) */
    const unsigned char *m, unsigned long long mlen,
    const unsigned char *ad, unsigned long long adlen,
    const unsigned char *nsec, const unsigned char *npub, const unsigned char *k)
{
    return 0;
}
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
    const unsigned char *c, unsigned long long clen, const unsigned char *ad, unsigned long long adlen,
    const unsigned char *npub, const unsigned char *k)
{
    return 0;
}
"""
HASH = """\
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen) { return 0; }
"""
SEAL = ("sealed", "count", "input", "input.bytes:8", "ad", "ad.bytes:8", "null", "iv", "key")
OPEN = ("output", "count", "null", "sealed", "sealed.bytes:8", "ad", "ad.bytes:8", "iv", "key")

Files = dict[str, str]


def _write(root: Path, files: Files) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def _read(root: Path) -> tuple[list[Implementation], list[LeftOut]]:
    found = list(supercop.read(root))
    taken = [one for one in found if isinstance(one, Implementation)]
    return taken, [one for one in found if isinstance(one, LeftOut)]


def _only(root: Path, files: Files, folder: str = "crypto_aead/toy/ref") -> Implementation:
    _write(root, {f"{folder}/{name}": text for name, text in files.items()})
    taken, left_out = _read(root)
    assert not left_out
    (one,) = taken
    return one


def _left_out(root: Path, files: Files, folder: str = "crypto_aead/toy/ref") -> str:
    _write(root, {f"{folder}/{name}": text for name, text in files.items()})
    taken, (one,) = _read(root)
    assert not taken
    assert one.where == folder
    return one.reason


@pytest.mark.parametrize("above", ["", "a", "a/b", "implementations/team"])
def test_an_implementation_is_found_at_any_depth(tmp_path: Path, above: str) -> None:
    folder = f"{above}/crypto_aead/toy/ref".lstrip("/")
    assert not supercop.recognises(tmp_path)
    one = _only(tmp_path, {"api.h": AEAD_API, "encrypt.c": AEAD}, folder)
    assert supercop.recognises(tmp_path)
    assert (one.algorithm, one.kind, one.name, one.where) == ("toy", "aead", "ref", folder)
    assert one.file.sources == (f"{folder}/encrypt.c",)
    assert one.file.include_dirs == (folder,)
    assert [call.arguments for call in one.file.call] == [SEAL, OPEN]
    assert [call.success for call in one.file.call] == [None, 0]
    assert one.file.families is None


def test_a_folder_further_below_is_not_looked_for(tmp_path: Path) -> None:
    _write(tmp_path, {"a/b/c/crypto_aead/toy/ref/api.h": AEAD_API})
    assert not supercop.recognises(tmp_path)


@pytest.mark.parametrize("root", ["crypto_aead", "crypto_aead/toy", "crypto_aead/toy/ref"])
def test_a_root_may_lie_within_the_tree(tmp_path: Path, root: str) -> None:
    _write(tmp_path, {f"crypto_aead/toy/ref/{n}": t for n, t in (("api.h", AEAD_API), ("a.c", AEAD))})
    assert supercop.recognises(tmp_path / root)
    taken, _ = _read(tmp_path / root)
    assert [(one.algorithm, one.name) for one in taken] == [("toy", "ref")]
    assert (tmp_path / root / taken[0].file.sources[0]).is_file()


@pytest.mark.parametrize(
    "files",
    [
        {"crypto_aead/toy/ref/encrypt.c": AEAD},
        {"crypto_aead/api.h": AEAD_API},
        {"crypto_box/toy/ref/api.h": AEAD_API},
        {"src/aead/ref/api.h": AEAD_API},
    ],
)
def test_other_folders_are_not_recognised(tmp_path: Path, files: Files) -> None:
    assert not supercop.recognises(_write(tmp_path, files))


def test_sizes_are_expressions_of_macros(tmp_path: Path) -> None:
    api = '#include "sizes.h"\n#define CRYPTO_KEYBYTES (2 * WORD - 16)\n' + AEAD_API.partition("\n")[2]
    one = _only(tmp_path, {"api.h": api, "sizes.h": "#define WORD 0x10u /* bytes */\n", "a.c": AEAD})
    assert isinstance(one.primitive, Primitive)
    sizes = (one.primitive.key_bytes, one.primitive.iv_bytes, one.primitive.tag_bytes)
    assert sizes == (16, 12, 8)


def test_prototypes_decide_lengths_and_the_secret_nonce(tmp_path: Path) -> None:
    source = """\
        #include <stddef.h>
        typedef unsigned  long long int count_t;
        #define API __attribute__((visibility("default")))
        // crypto_aead_encrypt(is called below)
        API int crypto_aead_encrypt(unsigned char *, size_t *, const unsigned char *m, size_t mlen,
            unsigned char const ad[], \\
            count_t adlen, const unsigned char *n, const unsigned char *k) __attribute__((noinline));
        void crypto_aead_decrypt(unsigned char *, size_t *, const unsigned char *, uint32_t clen,
            const unsigned char *ad, size_t, const unsigned char *n, const unsigned char *k) {}
        int test(void) { return crypto_aead_encrypt(0, 0, 0, 0, 0, 0, 0, 0, 0); }
        """
    one = _only(tmp_path, {"api.h": AEAD_API, "a.c": source})
    seal, opening = one.file.call
    assert seal.arguments == ("sealed", "count", "input", "input.bytes", "ad", "ad.bytes:8", "iv", "key")
    assert opening.arguments == ("output", "count", "sealed", "sealed.bytes:4", "ad", "ad.bytes", "iv", "key")
    assert opening.success is None


def test_glue_names_the_functions_and_is_no_source(tmp_path: Path) -> None:
    glue = 'aead_ctx lwc_aead_cipher = { "toy", "ref", CRYPTO_KEYBYTES, toy_seal, toy_open };\n'
    source = AEAD.replace("crypto_aead_encrypt", "toy_seal").replace("crypto_aead_decrypt", "toy_open")
    one = _only(tmp_path, {"api.h": AEAD_API, "toy.c": source, "lwc_crypto_aead.c": glue})
    assert [call.function for call in one.file.call] == ["toy_seal", "toy_open"]
    assert one.file.sources == ("crypto_aead/toy/ref/toy.c",)


def test_glue_that_has_the_functions_is_a_source(tmp_path: Path) -> None:
    glue = AEAD + '\naead_ctx c = { "toy", crypto_aead_encrypt, crypto_aead_decrypt };\n'
    one = _only(tmp_path, {"api.h": AEAD_API, "part.cpp": "int x;\n", "lwc_crypto_aead.cpp": glue})
    assert one.file.sources == ("crypto_aead/toy/ref/part.cpp", "crypto_aead/toy/ref/lwc_crypto_aead.cpp")


def test_headers_of_the_whole_tree_come_last(tmp_path: Path) -> None:
    _write(tmp_path, {"src/bench/include/crypto_aead.h": "", "src/bench/other.h": "", "include/README": ""})
    one = _only(tmp_path, {"api.h": AEAD_API, "a.c": AEAD}, "implementations/team/crypto_aead/toy/ref")
    assert one.file.include_dirs == ("implementations/team/crypto_aead/toy/ref", "src/bench/include")


def test_both_are_two_implementations_with_their_answers(tmp_path: Path) -> None:
    both = "team/crypto_aead_hash/toy"
    _write(
        tmp_path,
        {
            f"{both}/ref/api.h": AEAD_API + HASH_API,
            f"{both}/ref/toy.c": AEAD + HASH,
            f"{both}/LWC_AEAD_KAT_128_96.txt": "",
            f"{both}/LWC_HASH_KAT_256.txt": "",
        },
    )
    (aead, digest), left_out = _read(tmp_path)
    assert not left_out
    assert (aead.algorithm, aead.kind) == ("toy", "aead")
    assert (digest.algorithm, digest.kind) == ("toy-hash", "hash")
    assert [path.name for path in aead.answers] == ["LWC_AEAD_KAT_128_96.txt"]
    assert [path.name for path in digest.answers] == ["LWC_HASH_KAT_256.txt"]
    assert digest.file.call[0].arguments == ("output", "input", "input.bytes:8")


def test_no_two_have_one_name(tmp_path: Path) -> None:
    aead, digest = {"api.h": AEAD_API, "a.c": AEAD}, {"api.h": HASH_API, "h.c": HASH}
    folders = {
        "one/crypto_aead/toy/Ref_1": aead,
        "two/crypto_aead/toy/ref-1": aead,
        "two/crypto_aead/aes-128-gcm/ref": aead,
        "two/crypto_aead/sparx/ref": aead,
        "two/crypto_hash/toy/ref": digest,
        "three/crypto_hash/toy/ref": {"api.h": "#define CRYPTO_BYTES 48\n", "h.c": HASH},
    }
    _write(tmp_path, {f"{at}/{name}": text for at, files in folders.items() for name, text in files.items()})
    taken, left_out = _read(tmp_path)
    assert not left_out
    assert sorted((one.kind, one.algorithm, one.name) for one in taken) == [
        ("aead", "aes-128-gcm-supercop", "ref"),
        ("aead", "sparx-supercop", "ref"),
        ("aead", "toy", "ref-1"),
        ("aead", "toy", "two-ref-1"),
        ("hash", "three-toy", "ref"),
        ("hash", "toy-hash", "ref"),
    ]


def test_what_the_catalogue_has_is_compared_with_it(tmp_path: Path) -> None:
    files = {
        "crypto_hash/sha256/ref/api.h": HASH_API,
        "crypto_hash/sha256/ref/h.c": HASH,
        "crypto_hash/sha512/ref/api.h": HASH_API,
        "crypto_hash/sha512/ref/h.c": HASH,
    }
    taken, _ = _read(_write(tmp_path, files))
    assert (taken[0].algorithm, taken[0].primitive) == ("sha-256", "sha-256")
    # Another size is another primitive, whatever its name.
    assert taken[1].algorithm == "sha512"
    assert isinstance(taken[1].primitive, Primitive)


ARM = '__asm__ volatile("eor %0, %1, %2\\n\\tbic %0, %0, %3" : "=r"(a) : "r"(b), "r"(c), "r"(d));\n'
AVR = "\t.section .text\n\t.global mix\nmix:\n\tldi r18, 4\n\tmovw r26, r24\n\tld r20, X+\n\tret\n"
THUMB = ".syntax unified\n.thumb\n.global mix\n.type mix,%function\nmix:\n    push {r4, lr}\n    bx lr\n"
CALLS = "void mix(void);\nvoid use(void) { mix(); }\n"
OWN = "#ifndef __AVR__\nvoid mix(void) {}\n#else\nvoid mix(void);\n#endif\nvoid use(void) { mix(); }\n"


@pytest.mark.parametrize(
    ("files", "families"),
    [
        ({"round.h": f"static void f(int a, int b, int c, int d) {{ {ARM} }}\n"}, ("arm", "cortex-m")),
        ({"round.h": f"#ifdef __arm__\nvoid f() {{ {ARM} }}\n#else\nvoid f() {{}}\n#endif\n"}, None),
        ({"round.h": f"#if FAST && 1\n#define FAST 1\nvoid f() {{ {ARM} }}\n#endif\n"}, ("arm", "cortex-m")),
        ({"round.h": f"#if 0\nvoid f() {{ {ARM} }}\n#endif\n"}, None),
        ({"round.h": 'void f() { __asm__ volatile("" ::: "memory"); }\n'}, None),
        ({"round.h": 'int f() __asm__("other_name");\n'}, None),
        ({"mix.S": AVR, "use.c": CALLS}, ("avr",)),
        ({"mix.S": AVR.upper().replace("GLOBAL MIX", "global mix"), "use.c": CALLS}, ("avr",)),
        ({"mix.S": f"#if defined(__AVR__)\n{AVR}#endif\n", "use.c": CALLS}, ("avr",)),
        ({"mix.S": f"#if defined(__AVR__)\n{AVR}#endif\n", "use.c": OWN}, None),
        ({"mix.s": THUMB, "use.c": CALLS}, ("cortex-m",)),
        ({"x.h": "#ifdef __AVX2__\n#include <immintrin.h>\n#endif\n"}, None),
        ({"x.h": "#if defined(__x86_64__) || defined(__i386__)\n#include <cpuid.h>\n#endif\n"}, None),
    ],
)
def test_assembly_decides_the_families(
    tmp_path: Path, files: Files, families: tuple[str, ...] | None
) -> None:
    one = _only(tmp_path, {"api.h": AEAD_API, "a.c": AEAD, **files})
    assert one.file.families == families


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"x.h": "#include <emmintrin.h>\n"}, "it is written for x86"),
        ({"x.h": "#include <arm_neon.h>\n"}, "it is written for Arm NEON"),
        ({"x.S": "mix:\n  movdqa %xmm0, %xmm1\n  ret\n"}, "it is written for x86"),
        ({"x.s": "mix:\n  ldp x0, x1, [x2]\n  eor v0.16b, v1.16b, v2.16b\n"}, "it is written for AArch64"),
        ({"x.c": 'void f() { asm("l32i a2, a3, 0\\n ssai 8"); }\n'}, "it is written for Xtensa"),
        ({"api.h": "#define CRYPTO_KEYBYTES 16\n"}, "its api.h does not define CRYPTO_NPUBBYTES"),
        ({"api.h": AEAD_API.replace("16", "sizeof(key)")}, "CRYPTO_KEYBYTES in a way that is not followed"),
        ({"api.h": AEAD_API.replace("NSECBYTES 0", "NSECBYTES 4")}, "it has a secret nonce of 4 bytes"),
        ({"api.h": AEAD_API.replace("ABYTES 8", "ABYTES 0")}, "its CRYPTO_ABYTES is 0"),
        ({"api.h": AEAD_API.replace("ABYTES 8", "ABYTES 800")}, "its sizes are beyond those of the bench"),
        ({"a.c": HASH}, "none of its sources has the function crypto_aead_encrypt"),
        (
            {"a.c": AEAD.replace("*npub, const unsigned char *k)", "*k)").replace("*nsec,", "*n) {} int x(")},
            "its crypto_aead_encrypt has 7 parameters, not 9",
        ),
        ({"a.c": AEAD.replace("unsigned long long adlen", "double adlen")}, "parameter 6 of its crypto_aead"),
        (
            {"v.c": '#include "crypto_core_salsa20.h"\n'},
            "includes crypto_core_salsa20.h, which SUPERCOP makes",
        ),
    ],
)
def test_what_is_left_out_says_why(tmp_path: Path, files: Files, reason: str) -> None:
    assert reason in _left_out(tmp_path, {"api.h": AEAD_API, "a.c": AEAD, **files})


LONG = "unsigned long long"
OPERATIONS = {
    "stream": (
        "#define CRYPTO_KEYBYTES 20\n#define CRYPTO_NONCEBYTES 10\n",
        f"int crypto_stream_xor(char *c, const char *m, {LONG} mlen, const char *n, const char *k) {{}}\n",
        {
            "encrypt": ("output", "input", "input.bytes:8", "iv", "key"),
            "decrypt": ("output", "input", "input.bytes:8", "iv", "key"),
        },
        {"key_bytes": 20, "iv_bytes": 10},
    ),
    "auth": (
        "#define CRYPTO_BYTES 16\n#define CRYPTO_KEYBYTES 24\n",
        f"int crypto_auth(char *h, const char *in, {LONG} inlen, const char *k) {{}}\n",
        {"mac": ("tag", "input", "input.bytes:8", "key")},
        {"key_bytes": 24, "tag_bytes": 16},
    ),
    "onetimeauth": (
        "#define CRYPTO_BYTES 12\n#define CRYPTO_KEYBYTES 24\n",
        "int crypto_onetimeauth(char *h, const char *in, size_t inlen, const char *k) {}\n",
        {"mac": ("tag", "input", "input.bytes", "key")},
        {"key_bytes": 24, "tag_bytes": 12},
    ),
    "kem": (
        "#define CRYPTO_SECRETKEYBYTES 40\n#define CRYPTO_PUBLICKEYBYTES 30\n"
        "#define CRYPTO_CIPHERTEXTBYTES 50\n#define CRYPTO_BYTES 32\n",
        "int crypto_kem_keypair(char *pk, char *sk) {}\n"
        "int crypto_kem_enc(char *c, char *k, const char *pk) {}\n"
        "int crypto_kem_dec(char *k, const char *c, const char *sk) {}\n",
        {
            "keypair": ("public-key", "secret-key"),
            "encapsulate": ("ciphertext", "shared-secret", "public-key"),
            "decapsulate": ("shared-secret", "ciphertext", "secret-key"),
        },
        {"key_bytes": 40, "public_key_bytes": 30, "ciphertext_bytes": 50, "shared_secret_bytes": 32},
    ),
    "sign": (
        "#define CRYPTO_SECRETKEYBYTES 40\n#define CRYPTO_PUBLICKEYBYTES 30\n#define CRYPTO_BYTES 70\n",
        "int crypto_sign_keypair(char *pk, char *sk) {}\n"
        f"int crypto_sign(char *sm, {LONG} *smlen, const char *m, {LONG} mlen, const char *sk) {{}}\n"
        f"int crypto_sign_open(char *m, {LONG} *mlen, const char *sm, {LONG} smlen, const char *pk) {{}}\n",
        {
            "keypair": ("public-key", "secret-key"),
            "sign": ("signed", "count", "input", "input.bytes:8", "secret-key"),
            "verify": ("output", "count", "signed", "signed.bytes:8", "public-key"),
        },
        {"key_bytes": 40, "public_key_bytes": 30, "signature_bytes": 70},
    ),
    "core": (
        "#define CRYPTO_OUTPUTBYTES 10\n#define CRYPTO_INPUTBYTES 10\n#define CRYPTO_KEYBYTES 20\n"
        "#define CRYPTO_CONSTBYTES 0\n",
        "int crypto_core(char *out, const char *in, const char *k, const char *c) {}\n",
        {"encrypt": ("output", "input", "key", "null")},
        {"key_bytes": 20, "block_bytes": 10},
    ),
    "hashblocks": (
        "#define CRYPTO_STATEBYTES 20\n#define CRYPTO_BLOCKBYTES 64\n",
        f"int crypto_hashblocks(char *state, const char *in, {LONG} inlen) {{}}\n",
        {"encrypt": ("message", "key", "key.bytes:8")},
        {"key_bytes": 64, "block_bytes": 20},
    ),
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_each_operation_has_its_calls_and_sizes(tmp_path: Path, operation: str) -> None:
    api, source, calls, sizes = OPERATIONS[operation]
    one = _only(tmp_path, {"api.h": api, "a.c": source}, f"crypto_{operation}/toy/e/ref")
    assert (one.algorithm, one.name) == ("toy", "e-ref")
    assert {call.operation: call.arguments for call in one.file.call} == calls
    assert isinstance(one.primitive, Primitive)
    assert {name: getattr(one.primitive, name) for name in sizes} == sizes
    assert one.file.random == ("randombytes" if operation in ("kem", "sign") else None)


def test_random_bytes_may_have_a_wide_length(tmp_path: Path) -> None:
    api, source, _, _ = OPERATIONS["kem"]
    declared = "void randombytes(unsigned char *, unsigned long long);\n"
    one = _only(tmp_path, {"api.h": api, "a.c": declared + source}, "crypto_kem/toy/ref")
    assert one.file.defines == {"HARNESS_RANDOM_LENGTH": "uint64_t"}


def test_macros_of_generated_headers_are_defined(tmp_path: Path) -> None:
    source = AEAD.replace("return 0;", "return crypto_aead_ABYTES;", 1)
    one = _only(tmp_path, {"api.h": AEAD_API, "a.c": source})
    assert one.file.defines == {"crypto_aead_ABYTES": 8}


def test_a_core_that_decrypts_and_one_that_is_no_cipher(tmp_path: Path) -> None:
    api, source, _, _ = OPERATIONS["core"]
    aes = api.replace("10", "16").replace("KEYBYTES 20", "KEYBYTES 16")
    files = {
        "crypto_core/aes128encrypt/ref/api.h": aes,
        "crypto_core/aes128decrypt/ref/api.h": aes,
        "crypto_core/mixing/ref/api.h": api.replace("CONSTBYTES 0", "CONSTBYTES 16"),
    }
    files |= {str(Path(name).with_name("a.c")): source for name in files}
    taken, (left_out,) = _read(_write(tmp_path, files))
    assert [(one.primitive, one.file.call[0].operation) for one in taken] == [
        ("aes-128", "decrypt"),
        ("aes-128", "encrypt"),
    ]
    assert "a constant of 16" in left_out.reason


@pytest.mark.parametrize(("name", "word"), [("sha256", 4), ("sha512", 8)])
def test_compression_functions_of_sha2_have_answers(tmp_path: Path, name: str, word: int) -> None:
    _, source, _, _ = OPERATIONS["hashblocks"]
    api = f"#define CRYPTO_STATEBYTES {8 * word}\n#define CRYPTO_BLOCKBYTES {16 * word}\n"
    one = _only(tmp_path, {"api.h": api, "a.c": source}, f"crypto_hashblocks/{name}/ref")
    assert len(one.vectors) == 3
    for vector in one.vectors:
        # The first words of the initial value, as FIPS 180-4 prints them.
        assert vector.input.startswith({4: "6a09e667bb67ae85", 8: "6a09e667f3bcc908"}[word])
        block = bytes.fromhex(vector.key)
        message = block[: int.from_bytes(block[-8:], "big") // 8]
        assert vector.output == hashlib.new(name, message).hexdigest()


def test_a_folder_without_sources_is_left_out(tmp_path: Path) -> None:
    assert "it has no source" in _left_out(tmp_path, {"api.h": AEAD_API})
