"""Libraries with an adapter are measured as they are: in C, C++ and assembly, with calls in a row."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from command import options

IMITATION = Path(__file__).parent / "imitation"

ADAPTER = """\
title = "Toy library"
needs = ["xtea.h"]

[[variant]]
primitive = "xtea"
name = "toy"
sources = ["xtea.c"]
context = { type = "struct xtea", headers = ["xtea.h"] }

[variant.call]
init = ["xtea_clear(context)", "xtea_key(context, key, key.bits) == 1"]
encrypt = "xtea_encrypt(context, output, input)"
decrypt = "xtea_decrypt(context, message)"
ctr.init = ["xtea_clear(context)", "xtea_key(context, key, key.bits) == 1", "xtea_start(context, iv)"]
ctr.encrypt = "xtea_stream(context, output, input, input.bytes)"
ctr.decrypt = "xtea_stream(context, output, input, input.bytes)"
cbc.encrypt = ["xtea_start(context, iv)", "xtea_chain(context, output, input, input.bytes)"]
"""
HEADER = """\
#ifndef XTEA_H
#define XTEA_H
#include <stddef.h>
#include <stdint.h>
struct xtea { uint32_t key[4]; uint8_t chain[8]; };
#ifdef __cplusplus
extern "C" {
#endif
void xtea_clear(struct xtea *ctx);
int xtea_key(struct xtea *ctx, const uint8_t *key, size_t bits);
void xtea_start(struct xtea *ctx, const uint8_t *iv);
void xtea_encrypt(const struct xtea *ctx, uint8_t *out, const uint8_t *in);
void xtea_decrypt(const struct xtea *ctx, uint8_t *message);
void xtea_stream(struct xtea *ctx, uint8_t *out, const uint8_t *in, size_t bytes);
void xtea_chain(struct xtea *ctx, uint8_t *out, const uint8_t *in, size_t bytes);
uint32_t xtea_mixed(uint32_t half);
#ifdef __cplusplus
}
#endif
#endif
"""
SOURCE = """\
#include "xtea.h"
#include <assert.h>
#include <string.h>

static uint32_t get(const uint8_t *in)
{
    return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
}

static void put(uint8_t *out, uint32_t word)
{
    for (int i = 3; i >= 0; i--, word >>= 8) out[i] = (uint8_t)word;
}

void xtea_clear(struct xtea *ctx) { memset(ctx, 0, sizeof *ctx); }

int xtea_key(struct xtea *ctx, const uint8_t *key, size_t bits)
{
    assert(bits == 128);
    for (int i = 0; i < 4; i++) ctx->key[i] ^= get(key + 4 * i);
    return bits == 128;
}

void xtea_start(struct xtea *ctx, const uint8_t *iv) { memcpy(ctx->chain, iv, 8); }

static uint32_t mixed(uint32_t half) { return ((half << 4) ^ (half >> 5)) + half; }

void xtea_encrypt(const struct xtea *ctx, uint8_t *out, const uint8_t *in)
{
    uint32_t left = get(in), right = get(in + 4), sum = 0;
    for (int round = 0; round < 32; round++) {
        left += mixed(right) ^ (sum + ctx->key[sum & 3]);
        sum += 0x9e3779b9;
        right += mixed(left) ^ (sum + ctx->key[sum >> 11 & 3]);
    }
    put(out, left);
    put(out + 4, right);
}

void xtea_decrypt(const struct xtea *ctx, uint8_t *message)
{
    uint32_t left = get(message), right = get(message + 4), sum = 0xc6ef3720;
    for (int round = 0; round < 32; round++) {
        right -= mixed(left) ^ (sum + ctx->key[sum >> 11 & 3]);
        sum -= 0x9e3779b9;
        left -= mixed(right) ^ (sum + ctx->key[sum & 3]);
    }
    put(message, left);
    put(message + 4, right);
}

void xtea_stream(struct xtea *ctx, uint8_t *out, const uint8_t *in, size_t bytes)
{
    uint8_t stream[8];
    for (size_t i = 0; i < bytes; i++) {
        if (i % 8 == 0) {
            xtea_encrypt(ctx, stream, ctx->chain);
            for (int j = 7; j >= 0 && ++ctx->chain[j] == 0; j--) {}
        }
        out[i] = in[i] ^ stream[i % 8];
    }
}

void xtea_chain(struct xtea *ctx, uint8_t *out, const uint8_t *in, size_t bytes)
{
    for (; bytes > 0; bytes -= 8, in += 8, out += 8) {
        for (int i = 0; i < 8; i++) ctx->chain[i] ^= in[i];
        xtea_encrypt(ctx, ctx->chain, ctx->chain);
        memcpy(out, ctx->chain, 8);
    }
}
"""
OF_C = "static uint32_t mixed(uint32_t half) { return ((half << 4) ^ (half >> 5)) + half; }"
OF_CPLUSPLUS = """\
namespace {
template <int Up, int Down> struct Mixer {
    std::uint32_t operator()(std::uint32_t half) const { return ((half << Up) ^ (half >> Down)) + half; }
};
constexpr Mixer<4, 5> mixed{};
}
"""
OF_ASSEMBLY = "#define mixed xtea_mixed"
ASSEMBLY = """\
        .syntax unified
        .file   "as_it_was_called_before.s"
        .text
        .global xtea_mixed
        .thumb_func
        .type   xtea_mixed, %function
xtea_mixed:
        @ #include "nothing.h" means nothing here.
        mov     r1, r0
        lsls    r2, r0, #4
        lsrs    r3, r0, #5
        eors    r2, r3
        adds    r0, r2, r1
        bx      lr
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    root = tmp_path / "library"
    root.mkdir()
    (root / "adapter.toml").write_text(ADAPTER, "utf-8")
    (root / "xtea.h").write_text(HEADER, "utf-8")
    (root / "xtea.c").write_text(SOURCE, "utf-8")
    return root


def imported(steelyard: Any, root: Path, *more: str, status: int = 0, **named: object) -> Any:
    rows = steelyard.json(
        "import", root, *more, *options(**{"samples": 2, "length": 24, **named}), status=status
    )
    return {(row["target"], row["mode"], row["operation"]): row for row in rows}


def test_a_library_is_measured_where_it_lies(steelyard: Any, library: Path) -> None:
    before = {path: path.read_bytes() for path in library.iterdir()}
    chips = ["atmega328p", "stm32f051", "msp430f5529", "leon3"]
    rows = imported(steelyard, library, target=chips)
    assert all(row["status"] == "ok" and row["verified"] for row in rows.values())
    assert all(row["evidence"].startswith("independent") for row in rows.values())
    assert {row["ram_context_bytes"] for row in rows.values()} == {24}
    operations = {
        *((None, one) for one in ("init", "encrypt", "decrypt")),
        *(("ctr", "encrypt"), ("ctr", "decrypt"), ("cbc", "encrypt")),
    }
    assert set(rows) == {(chip, *one) for chip in chips for one in operations}
    assert {path: path.read_bytes() for path in library.iterdir()} == before


def test_an_operation_of_several_calls_costs_their_sum(steelyard: Any, library: Path) -> None:
    """The set-up of the key is moved from one operation to another: what both cost together stays."""
    clear, key = '"xtea_clear(context)"', '"xtea_key(context, key, key.bits) == 1"'
    block, both = '"xtea_encrypt(context, output, input)"', f"init = [{clear}, {key}]\nencrypt = "
    named = {"target": "stm32f051", "toolchain": "gcc", "operation": ["init", "encrypt"]}
    rows = imported(steelyard, library, **named)
    moved = ADAPTER.replace(f"{both}{block}", f"init = {clear}\nencrypt = [{key}, {block}]")
    assert moved != ADAPTER
    moved = moved[: moved.index("cbc.encrypt")]
    (library / "adapter.toml").write_text(moved, "utf-8")
    other = imported(steelyard, library, **named)

    def cost(rows: Any, field: str) -> list[float]:
        return [rows["stm32f051", None, one][field] for one in ("init", "encrypt")]

    for field in ("cycles", "instructions", "loads", "stores"):
        first, second = cost(rows, field), cost(other, field)
        assert sum(first) == sum(second)
        assert first[0] > second[0] > 0
    functions = {one["name"] for one in rows["stm32f051", None, "init"]["functions"]}
    assert {"xtea_clear", "xtea_key"} <= functions


@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
@pytest.mark.parametrize("target", ["atmega328p", "stm32f407"])
def test_cplusplus(steelyard: Any, library: Path, toolchain: str, target: str) -> None:
    (library / "xtea.c").rename(library / "xtea.cpp")
    text = SOURCE.replace(
        "#include <string.h>",
        "#include <climits>\n#include <cstddef>\n#include <cstdint>\n#include <cstring>",
    )
    text = text.replace(OF_C, OF_CPLUSPLUS).replace("memset(ctx", "std::memset(ctx")
    (library / "xtea.cpp").write_text(text, "utf-8")
    (library / "adapter.toml").write_text(ADAPTER.replace('"xtea.c"', '"xtea.cpp"'), "utf-8")
    rows = imported(steelyard, library, target=target, toolchain=toolchain)
    assert all(row["status"] == "ok" and row["verified"] for row in rows.values())


@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
def test_assembly_that_is_not_preprocessed(steelyard: Any, library: Path, toolchain: str) -> None:
    (library / "xtea.c").write_text(SOURCE.replace(OF_C, OF_ASSEMBLY), "utf-8")
    (library / "mixed.s").write_text(ASSEMBLY, "utf-8")
    adapter = ADAPTER.replace('sources = ["xtea.c"]', 'sources = ["xtea.c", "*.s"]\nfamilies = ["cortex-m"]')
    (library / "adapter.toml").write_text(adapter, "utf-8")
    rows = imported(steelyard, library, target="stm32f051", toolchain=toolchain)
    assert all(row["status"] == "ok" and row["verified"] for row in rows.values())
    functions = rows["stm32f051", None, "encrypt"]["functions"]
    assert "xtea_mixed" in [one["name"] for one in functions]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("left += mixed(right)", "left -= mixed(right)", "of the output is"),
        ("return bits == 128;", "return bits == 127;", "xtea_key returns 0, not 1"),
        ("for (size_t i = 0; i < bytes; i++)", "for (size_t i = 0; i <= bytes; i++)", "past the end of the"),
        ("memcpy(ctx->chain, iv, 8)", "memcpy(ctx->chain, iv, 7)", "of the output is"),
    ],
)  # fmt: skip
def test_a_planted_fault_is_seen(steelyard: Any, library: Path, old: str, new: str, said: str) -> None:
    assert old in SOURCE
    (library / "xtea.c").write_text(SOURCE.replace(old, new), "utf-8")
    done = steelyard.json(
        "import", library, *options(target="stm32f051", toolchain="gcc", samples=2, length=24), status=None
    )
    failed = [row for row in done if row["status"] != "ok"]
    assert failed
    assert any(said in row["error"] for row in failed)


@pytest.mark.parametrize("flag", ["-fplugin=x.so", "-I/etc", "-include/etc/passwd", "@file", "-flto"])
def test_options_choose_code_alone(steelyard: Any, library: Path, flag: str) -> None:
    adapter = ADAPTER.replace('name = "toy"', f'name = "toy"\nflags = ["{flag}"]')
    (library / "adapter.toml").write_text(adapter, "utf-8")
    rows = imported(steelyard, library, target="stm32f051", toolchain="gcc", status=1)
    assert {row["status"] for row in rows.values()} == {"build-failed"}
    assert all(row["error"].startswith(f"xtea/toy: field flags: {flag}: ") for row in rows.values())


def test_a_standard_counts_in_its_language(steelyard: Any, library: Path) -> None:
    flags = 'flags = ["-std=gnu++14", "-std=c99", "-O3"]'
    (library / "xtea.c").write_text(SOURCE.replace(OF_C, OF_ASSEMBLY), "utf-8")
    of_c = '#include "xtea.h"\n#if __cplusplus != 201402L\n#error not C++14\n#endif\n'
    of_c += "uint32_t xtea_mixed(uint32_t half) { return ((half << 4) ^ (half >> 5)) + half; }\n"
    (library / "mixed.cc").write_text(of_c, "utf-8")
    (library / "plain.c").write_text("#if __STDC_VERSION__ != 199901L\n#error not C99\n#endif\n", "utf-8")
    adapter = ADAPTER.replace('sources = ["xtea.c"]', f'sources = ["*.c", "mixed.cc"]\n{flags}')
    (library / "adapter.toml").write_text(adapter, "utf-8")
    rows = imported(steelyard, library, target="stm32f051", toolchain=["gcc", "clang"])
    assert all(row["status"] == "ok" and row["verified"] for row in rows.values())


def test_code_that_needs_a_heap_does_not_link(steelyard: Any, library: Path) -> None:
    text = SOURCE.replace(
        "#include <string.h>", "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>"
    )
    text = text.replace("    uint8_t stream[8];", "    uint8_t *stream = malloc(8);")
    (library / "xtea.c").write_text(text, "utf-8")
    rows = imported(steelyard, library, target="stm32f051", toolchain="gcc")
    assert "malloc" in rows["stm32f051", "ctr", "encrypt"]["error"]
    assert rows["stm32f051", None, "encrypt"]["status"] == "ok"


def test_an_adapter_may_be_named(steelyard: Any, library: Path, tmp_path: Path) -> None:
    shutil.move(library / "adapter.toml", tmp_path / "toys.toml")
    said = steelyard.sentence("import", library, status=2)
    assert "no tree of a known format" in said
    listed = steelyard.json("import", library, "--adapter", "toys.toml", "--list")
    assert [(one["variant"], one["primitive"]) for one in listed] == [("xtea/toy", "xtea")]
    said = steelyard.sentence("import", tmp_path, "--adapter", "toys.toml", status=2)
    assert said.endswith(f"toys.toml: field needs: there is no xtea.h in {tmp_path}.")


def test_wolfssl_s_names_and_orders(steelyard: Any) -> None:
    """On code of our own that has them: the library itself is not part of the tests."""
    rows = steelyard.json(
        "import",
        IMITATION,
        *options(target=["stm32f051", "atmega2560"], toolchain="gcc", samples=2, length=32),
    )
    assert all(row["status"] == "ok" and row["verified"] for row in rows)
    assert {row["variant"] for row in rows} == {
        f"{name}/wolfssl"
        for name in ("aes", "ccm", "chacha20", "chacha20-poly1305", "gcm", "poly1305", "sha-256")
    }
    assert all(row["evidence"].startswith("independent") for row in rows)
