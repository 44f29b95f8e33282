"""Own code for the floating-point unit of a chip: built, linked, run, and refused where there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Make = Callable[..., Path]

# Through numbers of single precision, exactly: u / 2 + 1/4, twice, without its fraction.
ARITHMETIC = "{ float f = (float)u; f = f * 0.5f + 0.25f; x1 ^= (uint16_t)(uint32_t)(f * 2.0f); }"
# A word waits in a register of the unit while the core's is used otherwise.
PARKED = (
    '{ uint32_t p; __asm__ volatile("vmov s20, %1\\n\\tmov %0, #0\\n\\tvmov %0, s20"'
    ' : "=&r"(p) : "r"((uint32_t)u) : "s20"); x1 ^= (uint16_t)p; }'
)
# Of the compiler's runtime.
DOUBLE = "{ double d = (double)u * 0.5 + 0.25; x1 ^= (uint16_t)(uint32_t)(d * 2.0); }"

FLAGS = "-O2 -mfpu=fpv4-sp-d16 -mfloat-abi="


def row(steelyard: Any, folder: Path, target: str, toolchain: str, flags: str, status: int) -> dict[str, Any]:
    (found,) = steelyard.json(
        "measure", "--primitives", folder, "--variant", "idea/mine", "--target", target,
        "--toolchain", toolchain, "--operation", "encrypt", f"--flags={flags}", status=status,
    )  # fmt: skip
    return dict(found)


@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
@pytest.mark.parametrize("abi", ["softfp", "hard"])
@pytest.mark.parametrize("code", [ARITHMETIC, PARKED], ids=["arithmetic", "parked"])
def test_own_code_runs_on_the_unit(
    steelyard: Any, own_idea: Make, toolchain: str, abi: str, code: str
) -> None:
    folder = own_idea("mine", ("encrypt.c", "x1 ^= u;", code))
    found = row(steelyard, folder, "stm32f407", toolchain, FLAGS + abi, 0)
    assert (found["status"], found["verified"]) == ("ok", True), found["error"]


@pytest.mark.parametrize("abi", ["softfp", "hard"])
def test_the_runtime_is_that_of_the_flags(steelyard: Any, own_idea: Make, abi: str) -> None:
    folder = own_idea("mine", ("encrypt.c", "x1 ^= u;", DOUBLE))
    found = row(steelyard, folder, "stm32l476", "gcc", FLAGS + abi, 0)
    assert (found["status"], found["verified"]) == ("ok", True), found["error"]


def test_the_unit_of_a_cortex_m33_is_the_later_one(steelyard: Any, own_idea: Make) -> None:
    rounded = "{ float f = (float)u - 0.25f; x1 ^= (uint16_t)(uint32_t)__builtin_ceilf(f); }"
    folder = own_idea("mine", ("encrypt.c", "x1 ^= u;", rounded))
    flags = "-O2 -ffast-math -mfpu=fpv5-sp-d16 -mfloat-abi=hard"
    found = row(steelyard, folder, "nrf5340", "gcc", flags, 0)
    assert (found["status"], found["verified"]) == ("ok", True), found["error"]


@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
def test_a_chip_without_the_unit_refuses_it(steelyard: Any, own_idea: Make, toolchain: str) -> None:
    folder = own_idea("mine", ("encrypt.c", "x1 ^= u;", ARITHMETIC))
    found = row(steelyard, folder, "stm32l152", toolchain, FLAGS + "softfp", 1)
    assert (found["status"], found["fault_kind"], found["cycles"]) == ("fault", "illegal-opcode", None)
    assert "no instruction of the cortex-m3 core" in found["error"]


def test_double_precision_is_refused_in_words(steelyard: Any, own_idea: Make) -> None:
    folder = own_idea("mine", ("encrypt.c", "x1 ^= u;", DOUBLE))
    found = row(steelyard, folder, "stm32f407", "gcc", "-O2 -mfpu=fpv5-d16 -mfloat-abi=softfp", 1)
    assert (found["status"], found["fault_kind"]) == ("fault", "illegal-opcode")
    assert "the cortex-m4 core has single precision only" in found["error"]
