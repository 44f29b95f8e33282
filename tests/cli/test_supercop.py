"""An AEAD in a tree as NIST publishes them is measured as it is, and every way to be wrong is seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command import options

API = """\
#define CRYPTO_KEYBYTES 4
#define CRYPTO_NSECBYTES 0
#define CRYPTO_NPUBBYTES 4
#define CRYPTO_ABYTES (CRYPTO_NPUBBYTES)
"""
AEAD = """\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api.h"
#include "crypto_aead.h"

typedef unsigned char u8;
typedef unsigned long long u64;

static int debug;

static void add(u8 *tag, const u8 *bytes, u64 count)
{
    if (debug) printf("%d bytes\\n", (int)count);
    for (; count > 0; count--, bytes++) {
        for (int i = 0; i < CRYPTO_ABYTES; i++) tag[i] = (u8)(tag[i] * 5 + *bytes + i);
    }
}

int crypto_aead_encrypt(u8 *c, u64 *clen, const u8 *m, u64 mlen, const u8 *ad, u64 adlen,
                        const u8 *nsec, const u8 *npub, const u8 *k)
{
    u8 tag[CRYPTO_ABYTES] = {0};
    for (u64 i = 0; i < mlen; i++) c[i] = m[i] ^ k[i % 4] ^ npub[i % 4];
    add(tag, k, 4); add(tag, npub, 4); add(tag, ad, adlen); add(tag, c, mlen);
    memcpy(c + mlen, tag, sizeof tag);
    *clen = mlen + CRYPTO_ABYTES;
    return 0;
}

int crypto_aead_decrypt(u8 *m, u64 *mlen, u8 *nsec, const u8 *c, u64 clen, const u8 *ad, u64 adlen,
                        const u8 *npub, const u8 *k)
{
    u8 tag[CRYPTO_ABYTES] = {0};
    u8 *plain = malloc(clen);
    assert(clen >= CRYPTO_ABYTES);
    if (plain == NULL) return -2;
    *mlen = clen - CRYPTO_ABYTES;
    add(tag, k, 4); add(tag, npub, 4); add(tag, ad, adlen); add(tag, c, *mlen);
    for (u64 i = 0; i < *mlen; i++) plain[i] = c[i] ^ k[i % 4] ^ npub[i % 4];
    int wrong = memcmp(tag, c + *mlen, sizeof tag);
    if (!wrong) memcpy(m, plain, clen);
    free(plain);
    return wrong ? -1 : 0;
}
"""
GLUE = """\
#include "lwc_crypto_aead.h"
#include "api.h"

aead_ctx lwc_aead_cipher = {
    "toy", "ref", CRYPTO_KEYBYTES, CRYPTO_NPUBBYTES, CRYPTO_ABYTES, crypto_aead_encrypt, crypto_aead_decrypt
};
"""
CHIPS = ["atmega328p", "stm32f051", "gd32vf103", "msp430f5529"]


def _answers() -> str:
    """Known answers, computed here from what the toy's text says."""
    found = []
    key, nonce = bytes(range(4)), bytes(range(4))
    for count, (message_bytes, ad_bytes) in enumerate([(0, 0), (0, 5), (1, 2), (20, 3)], start=1):
        message, ad = bytes(range(message_bytes)), bytes(range(ad_bytes))
        ciphertext = bytes(byte ^ key[i % 4] ^ nonce[i % 4] for i, byte in enumerate(message))
        tag = [0, 0, 0, 0]
        for byte in key + nonce + ad + ciphertext:
            tag = [(had * 5 + byte + i) % 256 for i, had in enumerate(tag)]
        fields = {"Key": key, "Nonce": nonce, "PT": message, "AD": ad, "CT": ciphertext + bytes(tag)}
        lines = "\n".join(f"{name} = {content.hex().upper()}" for name, content in fields.items())
        found.append(f"Count = {count}\n{lines}\n")
    return "\n".join(found)


@pytest.fixture
def tree(tmp_path: Path) -> Any:
    """Write a tree with the toy, with a text of its source replaced."""

    def write(old: str = "", new: str = "") -> Path:
        assert old in AEAD
        primitive = tmp_path / "bench" / "implementations" / "team" / "crypto_aead" / "toy"
        folder = primitive / "ref"
        folder.mkdir(parents=True)
        (primitive / "LWC_AEAD_KAT_32_32.txt").write_text(_answers(), "utf-8")
        (folder / "api.h").write_text(API, "utf-8")
        (folder / "encrypt.c").write_text(AEAD.replace(old, new), "utf-8")
        (folder / "lwc_crypto_aead.c").write_text(GLUE, "utf-8")
        return tmp_path / "bench"

    return write


def test_one_command_verifies_an_aead_on_four_chips(steelyard: Any, tree: Any) -> None:
    rows = steelyard.json("import", tree(), *options(target=CHIPS, toolchain="clang", length=16, samples=2))
    assert {(row["target"], row["operation"]) for row in rows} == {
        (chip, operation) for chip in CHIPS for operation in ("seal", "open")
    }
    for row in rows:
        assert (row["status"], row["verified"]) == ("ok", True), row
        assert row["evidence"] == ("vectors" if row["operation"] == "seal" else "vectors consistency")
        heap = row["ram_heap_bytes"] or 0
        assert row["ram_bytes"] == row["ram_static_bytes"] + row["ram_stack_bytes"] + heap
        # Message and tag, rounded up, and what the heap keeps beside them.
        assert heap == 0 if row["operation"] == "seal" else 20 < heap <= 32


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("return wrong ? -1 : 0;", "return 0;", "crypto_aead_decrypt does not refuse altered input"),
        ("memcpy(m, plain, clen)", "memcpy(m, plain, clen + 1)", "past the end of the output buffer"),
        ("*clen = mlen + CRYPTO_ABYTES;", "*clen = mlen;", "says that it wrote 0 bytes, not 4"),
        ("debug) printf", "debug + 1) return; if (debug) printf", "of the output is"),
    ],
)
def test_a_planted_fault_is_a_failed_cell(steelyard: Any, tree: Any, old: str, new: str, said: str) -> None:
    asked = options(target="stm32f051", toolchain="gcc", length=16, samples=2)
    rows = steelyard.json("import", tree(old, new), *asked, status=None)
    errors = [row["error"] for row in rows if row["status"] == "wrong-output"]
    assert any(said in error for error in errors)


def test_a_heap_that_finds_no_room_does_not_fit(steelyard: Any, tree: Any) -> None:
    folder = tree("malloc(clen)", "malloc(clen + 3000)")
    rows = steelyard.json("import", folder, *options(target="atmega328p", length=16, samples=2))
    (opening,) = (row for row in rows if row["operation"] == "open")
    assert opening["status"] == "does-not-fit"
    assert "3004 bytes of heap find no room between the statics and the stack" in opening["error"]


def test_a_stack_that_runs_into_the_heap_does_not_fit(steelyard: Any, tree: Any) -> None:
    """The block is given while the stack is small; the stack is deep when a later function runs."""
    body = "{ volatile unsigned char a[1800]; a[0] = 1; a[1799] = 2; }"
    deep = f"static __attribute__((noinline)) void deep(void) {body}\n"
    given = "int crypto_aead_decrypt("
    assert AEAD.count(given) == 1
    folder = tree(given, deep + given)
    source = next(folder.rglob("encrypt.c"))
    source.write_text(
        source.read_text("utf-8").replace("malloc(clen);", "malloc(clen + 200); deep();"), "utf-8"
    )
    rows = steelyard.json("import", folder, *options(target="atmega328p", length=16, samples=2))
    (opening,) = (row for row in rows if row["operation"] == "open")
    assert opening["status"] == "does-not-fit"
    assert "bytes runs into a heap of" in opening["error"]
