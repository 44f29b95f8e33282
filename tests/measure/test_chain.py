"""Calls of a chain with public keys: each is made once for every cell that needs it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from builds import built

from steelyard.catalog.load import load_catalog
from steelyard.machine import Emulator
from steelyard.measure import execute
from steelyard.measure.check import Checker, usual_secrets
from steelyard.measure.execute import CallFault
from steelyard.measure.image import Image, Rules
from steelyard.measure.inputs import RandomQuestions
from steelyard.measure.plan import Build, Cell
from steelyard.record.schema import Record

OPERATIONS = ("keypair", "sign", "verify")
SAMPLES = 2
VARIANT = """\
summary = "A toy signature"
sources = ["toy.c"]
default = true
random = "fresh"

[call]
keypair = "toy_keypair(public-key, secret-key)"
sign = "toy_sign(signature, input, input.bytes, secret-key) == 1"
verify = "toy_verify(signature, input, input.bytes, public-key) == 1"
"""
ALGORITHM = """\
kind = "signature"
title = "Toy"
specification = "none"
[[primitive]]
id = "toy"
key_bytes = 4
public_key_bytes = 4
signature_bytes = 36
security = "broken"
authority = "a toy"
"""
SOURCE = """\
#include <stddef.h>
#include <stdint.h>
int fresh(uint8_t *out, size_t count);

static uint8_t sum(const uint8_t *bytes, size_t count, uint8_t start)
{
    while (count-- > 0) start = (uint8_t)(start * 7 + *bytes++);
    return start;
}

int toy_keypair(uint8_t *pk, uint8_t *sk)
{
    volatile uint8_t used[64];
    for (int i = 0; i < 64; i++) used[i] = 1;
    fresh(sk, 4);
    for (int i = 0; i < 4; i++) pk[i] = sk[i];
    return 1;
}

int toy_sign(uint8_t *sig, const uint8_t *m, size_t bytes, const uint8_t *sk)
{
    volatile uint8_t room[ROOM];
    for (size_t i = 0; i < bytes; i++) room[i * (ROOM - 1) / bytes] = 0;
    for (uint8_t i = 0; i < 35; i++) sig[i] = sum(m, bytes, sk[i % 4]);
    sig[35] = LAST;
    return 1;
}

int toy_verify(const uint8_t *sig, const uint8_t *m, size_t bytes, const uint8_t *pk)
{
    for (uint8_t i = 0; i < 35; i++) {
        if (sig[i] != sum(m, bytes, pk[i % 4])) return 0;
    }
    return CHECKED;
}
"""


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts calls by function."""
    counts: Counter[str] = Counter()
    call = Emulator.call

    def counted(self: Emulator, function: str, *arguments: object, **options: object) -> object:
        counts[function] += 1
        return call(self, function, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Emulator, "call", counted)
    return counts


def toy(folder: Path, *, room: str = "64", last: str = "7", checked: str = "sig[35] == 7") -> Build:
    """The toy's build for a chip of 8 KB of RAM."""
    code = folder / "code" / "toy" / "mine"
    code.mkdir(parents=True, exist_ok=True)
    (code.parent / "algorithm.toml").write_text(ALGORITHM, "utf-8")
    (code / "variant.toml").write_text(VARIANT, "utf-8")
    source = SOURCE.replace("ROOM", room).replace("LAST", last).replace("CHECKED", checked)
    (code / "toy.c").write_text(source, "utf-8")
    catalog = load_catalog((folder / "code",))
    algorithm, chip = catalog.algorithm_of("toy"), catalog.target("stm32f051")
    (variant,) = algorithm.variants
    return Build(algorithm, algorithm.primitive("toy"), variant, None, chip, "clang", "-Os", "both", ())


def cell_of(build: Build, operation: str) -> Cell:
    return Cell(build, operation, None if operation == "keypair" else 20, None)


def outcomes(
    folder: Path,
    *,
    samples: int = SAMPLES,
    room: str = "64",
    last: str = "7",
    checked: str = "sig[35] == 7",
    apart: bool = False,
) -> dict[str, Record]:
    """Measure every operation of the toy; `apart` gives each an image of its own."""
    build = toy(folder, room=room, last=last, checked=checked)
    rules = Rules(samples=samples)
    found: dict[str, Record] = {}
    image: Image | None = None
    for operation in OPERATIONS:
        if image is None or apart:
            image = Image(built(build), rules, RandomQuestions(rules.seed), lambda: False)
        outcome = image.outcome(cell_of(build, operation))
        assert outcome is not None
        found[operation] = outcome
    return found


def test_a_call_is_made_once_for_all_cells(tmp_path: Path, called: Counter[str]) -> None:
    together = outcomes(tmp_path)
    assert {one["status"] for one in together.values()} == {"ok"}
    # The samples and, behind a fence, the first of them again; keys are tried on a message of another length.
    assert called["toy_keypair"] == called["toy_sign"] == SAMPLES + 1 + SAMPLES
    # So are altered signatures.
    assert called["toy_verify"] == SAMPLES + 1 + SAMPLES + 2 * SAMPLES
    called.clear()
    assert outcomes(tmp_path, apart=True) == together


def test_a_stack_that_does_not_fit_leaves_the_other_operations(tmp_path: Path) -> None:
    found = outcomes(tmp_path, room="9000")
    assert {name: one["status"] for name, one in found.items()} == {
        "keypair": "ok",
        "sign": "does-not-fit",
        "verify": "ok",
    }
    assert found["sign"]["ram_stack_bytes"] > 9000
    assert found["keypair"]["ram_stack_bytes"] < 200


def test_bytes_that_nobody_looks_at_may_differ(tmp_path: Path, called: Counter[str]) -> None:
    found = outcomes(tmp_path, last="room[1]", checked="1")
    assert {one["status"] for one in found.values()} == {"ok"}
    # The signature made behind the fence is another one, which is verified too.
    assert called["toy_verify"] > SAMPLES + 1 + SAMPLES + 2 * SAMPLES


def test_the_longer_samples_take_the_fewer_they_are(
    tmp_path: Path, called: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    of_sign = int(outcomes(tmp_path)["sign"]["cycles"])
    called.clear()
    monkeypatch.setattr(execute, "LONG_SAMPLES_CYCLES", of_sign)
    together = outcomes(tmp_path, samples=16)
    # A pair of keys takes less, but signing and verifying with it counts too.
    assert {name: one["samples"] for name, one in together.items()} == dict.fromkeys(OPERATIONS, 4)
    assert outcomes(tmp_path, samples=16, apart=True) == together
    called.clear()
    monkeypatch.setattr(execute, "LONG_SAMPLE_CYCLES", of_sign)
    together = outcomes(tmp_path, samples=16)
    assert {name: one["samples"] for name, one in together.items()} == dict.fromkeys(OPERATIONS, 2)
    # The second pair of keys is not tried, and no second signature is altered.
    assert called["toy_sign"] == 1 + 2 + 1
    assert called["toy_verify"] == 2 + 3 + 1
    assert outcomes(tmp_path, samples=16, apart=True) == together


def test_a_wrong_signature_is_found(tmp_path: Path) -> None:
    found = outcomes(tmp_path, last="8")
    assert {one["status"] for one in found.values()} == {"wrong-output"}
    assert "toy_verify returns 0, not 1" in str(found["sign"]["error"])


def test_a_check_ends_with_its_call(tmp_path: Path, called: Counter[str]) -> None:
    build = toy(tmp_path)
    checker = Checker(built(build), RandomQuestions("steelyard"), Rules().max_cycles)
    checks = {one: (cell_of(build, one), usual_secrets(cell_of(build, one))) for one in OPERATIONS}
    checker.check(*checks["keypair"])
    assert called == {"toy_keypair": 1}
    called.clear()
    checker.check(*checks["sign"])
    assert called == {"toy_keypair": 1, "toy_sign": 1}
    of_sign = int(outcomes(tmp_path)["sign"]["cycles"])
    with pytest.raises(CallFault, match="toy_sign"):
        checker.check(*checks["verify"], of_sign // 2)
