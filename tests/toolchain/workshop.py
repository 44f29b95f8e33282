"""Builds of a small primitive by real compilers, and whatever the tests change in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from steelyard.cache.content import Cache
from steelyard.catalog.load import Catalog, load_catalog
from steelyard.catalog.models import Primitive, Target, Variant, VariantFile
from steelyard.toolchain import Build, BuildResult, Toolchain, build, discover

TARGETS = ("atmega103", "atmega128", "atmega328p", "atmega4809", "attiny45")
TOOLCHAINS = ("gcc", "clang")

INIT = """
#include "block.h"
#include <string.h>
void block_init(block_context *ctx, const uint8_t *key) { memcpy(ctx->key, key, PRIMITIVE_KEY_BYTES); }
"""
# A table in flash, a plain constant, an initialised and a zeroed variable, and a call of the runtime.
ENCRYPT = """
#include "block.h"
#include "rom.h"
static const ROM uint8_t table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
static const uint8_t plain[3] = {7, 11, 13};
volatile uint16_t divisor = 10;
volatile uint8_t blocks;
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        uint16_t product = (uint16_t)(in[i] * plain[i % 3]);
        out[i] = (uint8_t)(table[in[i] & 15] ^ ctx->key[i] ^ (uint8_t)(product / divisor));
    }
    blocks++;
}
"""
DECRYPT = """
#include "block.h"
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) { out[i] = in[i] ^ ctx->key[i]; }
}
"""
TOY_FILES = {
    "context.h": "#include <stdint.h>\ntypedef struct { uint8_t key[PRIMITIVE_KEY_BYTES]; } block_context;\n",
    "init.c": INIT,
    "encrypt.c": ENCRYPT,
    "decrypt.c": DECRYPT,
}
TOY = Primitive(id="toy-64", key_bytes=8, block_bytes=8, rounds=1, security="broken", authority="a test")


def toy_encrypt(key: bytes, block: bytes) -> bytes:
    """What ENCRYPT computes."""
    table = (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3)
    plain = (7, 11, 13)
    return bytes(
        table[byte & 15] ^ key[i] ^ (byte * plain[i % 3] // 10 & 0xFF) for i, byte in enumerate(block)
    )


@cache
def catalogue() -> Catalog:
    return load_catalog()


def target(name: str) -> Target:
    return catalogue().target(name)


@cache
def all_toolchains() -> dict[tuple[str, str], Toolchain]:
    return {(toolchain.family, toolchain.id): toolchain for toolchain in discover()}


def toolchain_or_skip(name: str, family: str = "avr") -> Toolchain:
    toolchain = all_toolchains()[family, name]
    if not toolchain.available:
        pytest.skip(f"{toolchain.title} is not installed; run: {toolchain.install}")
    return toolchain


@dataclass(frozen=True)
class Workshop:
    """Builds of the toy primitive in a folder of the test's own."""

    folder: Path
    cache: Cache

    def request(self, files: Mapping[str, str] = TOY_FILES, **changes: object) -> Build:
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (self.folder / name).write_text(text)
        sources = tuple(name for name in files if name.endswith((".c", ".S")))
        file = VariantFile(summary="a toy", sources=sources, default=True)
        usual = Build(
            kind="block",
            variant=Variant(id="toy/plain", algorithm_id="toy", folder=self.folder, file=file),
            primitive=TOY,
            mode=None,
            target=target("atmega128"),
            toolchain=toolchain_or_skip("gcc"),
            flags=("-Os",),
            footprint="both",
        )
        return replace(usual, **changes)  # type: ignore[arg-type]

    def build(self, files: Mapping[str, str] = TOY_FILES, **changes: object) -> BuildResult:
        return build(self.request(files, **changes), self.cache)
