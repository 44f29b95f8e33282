"""`steelyard import` of a bench of mupq, made for this test; its records in the CSV of pqm4."""

from __future__ import annotations

import csv
import io
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from command import options

API = """\
#include <stddef.h>
#include <stdint.h>
#include "params.h"
#define CRYPTO_PUBLICKEYBYTES TOY_BYTES
#define CRYPTO_SECRETKEYBYTES sizeof(secret_key)
#define CRYPTO_BYTES (TOY_BYTES + 1)
int crypto_sign_keypair(uint8_t *pk, uint8_t *sk);
int crypto_sign_ctx(uint8_t *sm, size_t *smlen, const uint8_t *m, size_t mlen, const uint8_t *ctx,
                    size_t ctxlen, const uint8_t *sk);
int crypto_sign_open_ctx(uint8_t *m, size_t *mlen, const uint8_t *sm, size_t smlen, const uint8_t *ctx,
                         size_t ctxlen, const uint8_t *pk);
#define crypto_sign(sm, smlen, m, mlen, sk) crypto_sign_ctx(sm, smlen, m, mlen, NULL, 0, sk)
#define crypto_sign_open(m, mlen, sm, smlen, pk) crypto_sign_open_ctx(m, mlen, sm, smlen, NULL, 0, pk)
"""
PARAMS = """\
#define TOY_BYTES (1 << 3)
typedef struct { uint8_t raw[TOY_BYTES]; } secret_key;
"""
# A signature is a sum over key and message, behind it a byte that is never looked at. The keys come of
# more random bytes than the bench has; were these to begin anew, no second key would be found. Signing asks
# whether memory still has what the key's making left there, also where that call is not made again.
SIGN = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api.h"
#include "fips202.h"
#include "randombytes.h"

extern uint32_t toy_twice(uint32_t word);

static uint8_t *made_by_keypair, copy[TOY_BYTES];

static void summed(uint8_t *sum, const uint8_t *key, const uint8_t *m, size_t mlen)
{
    shake_sum(sum, key, TOY_BYTES, m, mlen);
    for (int i = 0; i < TOY_BYTES; i++) sum[i] = (uint8_t)(sum[i] + toy_twice(key[i]));
}

int crypto_sign_keypair(uint8_t *pk, uint8_t *sk)
{
    uint8_t *first = malloc(TOY_BYTES);
    randombytes(first, TOY_BYTES);
    for (int drawn = 1; drawn <= 128; drawn++) randombytes(sk, TOY_BYTES);
    while (memcmp(first, sk, TOY_BYTES) == 0) { }
    free(first);
    for (int i = 0; i < TOY_BYTES; i++) pk[i] = (uint8_t)~sk[i];
    made_by_keypair = malloc(TOY_BYTES);
    memcpy(made_by_keypair, sk, TOY_BYTES);
    memcpy(copy, sk, TOY_BYTES);
    return 0;
}

int crypto_sign_ctx(uint8_t *sm, size_t *smlen, const uint8_t *m, size_t mlen, const uint8_t *ctx,
                    size_t ctxlen, const uint8_t *sk)
{
    if (ctx != NULL || ctxlen != 0) { printf("a context\\n"); return -1; }
    if (memcmp(made_by_keypair, sk, TOY_BYTES) != 0 || memcmp(copy, sk, TOY_BYTES) != 0) return -1;
    memmove(sm + CRYPTO_BYTES, m, mlen);
    summed(sm, sk, m, mlen);
    sm[TOY_BYTES] = 0;
    *smlen = mlen + CRYPTO_BYTES;
    return 0;
}

int crypto_sign_open_ctx(uint8_t *m, size_t *mlen, const uint8_t *sm, size_t smlen, const uint8_t *ctx,
                         size_t ctxlen, const uint8_t *pk)
{
    uint8_t key[TOY_BYTES], *sum = malloc(64);
    for (int i = 0; i < TOY_BYTES; i++) key[i] = (uint8_t)~pk[i];
    *mlen = smlen - CRYPTO_BYTES;
    summed(sum, key, sm + CRYPTO_BYTES, *mlen);
    if (memcmp(sum, sm, TOY_BYTES) != 0) { fprintf(stderr, "no signature\\n"); return -1; }
    free(sum);
    memmove(m, sm + CRYPTO_BYTES, *mlen);
    return 0;
}
"""
# Words pass through the floating-point unit, and the file says that it is another.
TWICE = """\
.syntax unified
.thumb
.file "twice.c"
.text
.global toy_twice
.type toy_twice, %function
toy_twice:
    vmov s0, r0
    vmov r1, s0
    add r0, r0, r1
    bx lr
"""
FIPS202 = """\
#include "fips202.h"
#include "keccakf1600.h"

void shake_sum(uint8_t *sum, const uint8_t *key, size_t bytes, const uint8_t *m, size_t mlen)
{
    for (size_t i = 0; i < bytes; i++) sum[i] = key[i];
    for (size_t i = 0; i < mlen; i++) sum[i % bytes] = (uint8_t)(keccak_step(sum[i % bytes]) ^ m[i]);
}
"""
KECCAK = """\
.syntax unified
.thumb
.text
.global keccak_step
.type keccak_step, %function
keccak_step:
    add r0, r0, r0, lsl #2
    adds r0, #3
    bx lr
"""
FILES = {
    "pqm4/mk/crypto.mk": "SYMCRYPTO_SRC = \\\n\tmupq/common/fips202.c \\\n\tcommon/keccakf1600.S\n",
    "pqm4/mk/config.mk": "CPPFLAGS += \\\n\t-DPQM4\n",
    "pqm4/skiplist.py": "skip_list = [{'scheme': 'toy-8', 'implementation': 'm4f', 'estmemory': 1024}]\n",
    "pqm4/common/keccakf1600.S": KECCAK,
    "pqm4/crypto_sign/toy-8/m4f/api.h": API,
    "pqm4/crypto_sign/toy-8/m4f/params.h": PARAMS,
    "pqm4/crypto_sign/toy-8/m4f/sign.c": SIGN,
    "pqm4/crypto_sign/toy-8/m4f/twice.S": TWICE,
    "pqm4/crypto_kem/absent/m4/api.h": "",
    "mupq/mupq.py": "raise SystemExit\n",
    "mupq/common/fips202.c": FIPS202,
    "mupq/common/fips202.h": "#include <stddef.h>\n#include <stdint.h>\nvoid shake_sum(uint8_t *sum,"
    " const uint8_t *key, size_t bytes, const uint8_t *m, size_t mlen);\n",
    "mupq/common/keccakf1600.h": "#include <stdint.h>\nuint32_t keccak_step(uint32_t word);\n",
    "mupq/common/randombytes.h": "#include <stddef.h>\n#include <stdint.h>\n"
    "#define randombytes TOY_randombytes\nint randombytes(uint8_t *out, size_t bytes);\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The bench and mupq side by side, a link where the submodule belongs, one in the scheme's folder."""
    root = tmp_path / "trees"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "pqm4" / "mupq").symlink_to("../mupq")
    shared = root / "pqm4" / "crypto_sign" / "toy-8" / "m4f" / "params.h"
    shared.rename(root / "pqm4" / "common" / "toy_params.h")
    shared.symlink_to("../../../common/toy_params.h")
    return root


@pytest.mark.parametrize("toolchain", ["clang", "gcc"])
def test_a_bench_is_measured_and_published(
    steelyard: Any, tree: Path, tmp_path: Path, toolchain: str
) -> None:
    if toolchain == "gcc" and shutil.which("arm-none-eabi-gcc") is None:
        pytest.skip("arm-none-eabi-gcc is not installed")
    store = tmp_path / "store"
    asked = options(target=["stm32f407", "stm32f051"], toolchain=toolchain, length=24, samples=2, store=store)
    rows = steelyard.json("import", tree, *asked)
    good = [row for row in rows if row["target"] == "stm32f407"]
    assert {row["operation"] for row in good} == {"keypair", "sign", "verify"}
    assert all(row["status"] == "ok" and row["evidence"] == "consistency" for row in good)
    assert {row["variant"] for row in rows} == {"toy-8/pqm4-m4f"}
    # A core without the floating-point unit says so by itself.
    assert {row["status"] for row in rows if row["target"] == "stm32f051"} == {"build-failed"}

    text = steelyard.run("store", "export", "--format", "pqm4", "--store", store).stdout
    lines = [[field for field in line if field] for line in csv.reader(io.StringIO(text))]
    (speed, memory, hashing, size) = (line for line in lines if line[0].startswith("toy-8"))
    by_operation = {row["operation"]: row for row in good}
    stacks = [str(by_operation[one]["ram_stack_bytes"]) for one in ("keypair", "sign", "verify")]
    assert 0 < by_operation["keypair"]["ram_heap_bytes"] < by_operation["verify"]["ram_heap_bytes"]
    assert speed[:2] == ["toy-8 (2 executions)", "pqm4-m4f"]
    assert speed[6:8] == [str(by_operation["sign"][name]) for name in ("cycles_min", "cycles_max")]
    assert memory == ["toy-8", "pqm4-m4f", *stacks]
    assert float(hashing[2]) == 0 and 20 < float(hashing[3]) < 100
    assert int(size[2]) == good[0]["rom_code_bytes"] + good[0]["rom_const_bytes"]

    # What was exported agrees with its own records, and an altered figure does not.
    exported = tmp_path / "benchmarks.csv"
    exported.write_text(text)
    beside = ("fidelity", "pqm4", "--published", exported, "--source", tree, "--store", store)
    rows = steelyard.json(*beside, "--target", "stm32f407")
    speeds = [row for row in rows if row["table"] == "speed"]
    assert {row["what"]: row["error"] for row in speeds} == dict.fromkeys(("keypair", "sign", "verify"), 0)
    assert {row["code"] for row in speeds} == {"c"} and speeds[1]["assembly_percent"] > 10
    assert all(row["error"] == 0 for row in rows if row["table"] == "memory")
    exported.write_text(text.replace(f",{speed[5]},", f",{2 * int(speed[5])},"))
    altered = steelyard.run(*beside, "--sort", "error").stdout
    assert re.search(r"speed +toy-8 +pqm4-m4f +sign .* -50\.00 ", altered)
    alone = steelyard.sentence("fidelity", "pqm4", "--published", tree / "pqm4" / "skiplist.py", status=2)
    assert "no table in pqm4's format" in alone


def test_what_is_left_out_has_its_reason(steelyard: Any, tree: Path) -> None:
    listed = steelyard.run("import", tree, "--list").stdout
    assert "toy-8/pqm4-m4f" in listed
    assert "it has no C or assembly source" in listed
    alone = steelyard.sentence("import", tree / "pqm4" / "mk", "--list", status=2)
    assert "no tree of a known format" in alone
