"""The runtime routines of images, run with random operands, and their start-up code, in every family.

What a family has of its own is in a file of its own.
"""

from __future__ import annotations

import pytest
from toolchain.runtime import (
    ARITHMETIC,
    BIG_ENDIAN_ARITHMETIC,
    BITS,
    MEMORY,
    WIDTHS,
    assert_bits_are_pythons,
    assert_image_computes_what_its_source_says,
    assert_memory_routines_are_those_of_c,
    assert_start_up_equals_a_loader,
    built,
    loaded,
    only_one,
    order_of,
    wrong_answers,
)
from toolchain.workshop import TARGETS, TOY_FILES, Workshop, toolchain_or_skip

# The image with all routines is too large for the ATtiny45, whose core is the ATmega103's plus movw, for
# the smallest RL78 and for the M16C.
AVR = ("atmega103", "atmega128", "atmega4809")
ARM = ("sa1110", "pxa250-400", "stm32f051", "stm32f407")
MSP430 = ("msp430f1611", "msp430f5529")
RISCV = ("gd32vf103", "esp32-c3-ram", "ch32v003")
RL78 = ("rl78-g13", "rl78-g14")
SPARC = ("erc32", "leon3", "ultrasparc2")
"""Without multiplication and division in hardware, with both, and of the 64-bit instruction set."""

BOTH = ("gcc", "clang")
LEVELS = ("-O0", "-Os", "-O2")
INLINING = ("-O0", "-Os", "-O3")
Group = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def on(*groups: Group) -> pytest.MarkDecorator:
    """A test on chips, by compilers, with flags."""
    cases = [
        (chip, toolchain, flag)
        for chips, toolchains, flags in groups
        for chip in chips
        for toolchain in toolchains
        for flag in flags
    ]
    return pytest.mark.parametrize(("chip", "toolchain", "flag"), cases)


def arithmetic(chip: str) -> dict[str, str]:
    return ARITHMETIC if order_of(chip) == "little" else BIG_ENDIAN_ARITHMETIC


@on(
    (AVR, BOTH, ("-Os", "-O2")),
    ((*ARM, *RISCV, *SPARC), BOTH, LEVELS),
    (MSP430, ("clang",), LEVELS),
    (RL78, ("gcc",), LEVELS),
)
def test_arithmetic_is_pythons(workshop: Workshop, chip: str, toolchain: str, flag: str) -> None:
    assert wrong_answers(loaded(workshop, chip, toolchain, arithmetic(chip), flag), order=order_of(chip)) == 0


@pytest.mark.parametrize(
    ("chip", "toolchain", "width", "flag"),
    [
        *(("attiny45", "clang", width, "-Os") for width in ("uint8_t", "uint16_t", "int16_t", "int32_t")),
        *(
            ("m30102", "gcc", f"{sign}int{8 * size}_t", flag)
            for size in WIDTHS
            for sign in ("u", "")
            for flag in LEVELS
        ),
    ],
)
def test_arithmetic_of_one_width_is_pythons(
    workshop: Workshop, chip: str, toolchain: str, width: str, flag: str
) -> None:
    assert wrong_answers(loaded(workshop, chip, toolchain, only_one(width), flag), width) == 0


LONG_LONG = "unsigned long long {}(unsigned long long a, unsigned long long b) {{ return a + b; }}\n"


@pytest.mark.parametrize(
    ("chip", "toolchain", "wrong", "width"),
    [
        (
            "atmega128",
            "clang",
            "#include <stdint.h>\nuint32_t __mulsi3(uint32_t a, uint32_t b) { return a + b; }\n",
            None,
        ),
        (
            "sa1110",
            "gcc",
            "unsigned long long __aeabi_uidiv(unsigned a, unsigned b) { return a + b; }\n"
            "unsigned long long __aeabi_uidivmod(unsigned a, unsigned b) { return a + b; }\n",
            None,
        ),
        (
            "msp430f1611",
            "clang",
            "unsigned __mspabi_mpyi_hw(unsigned a, unsigned b) { return a + b; }\n",
            None,
        ),
        ("gd32vf103", "clang", LONG_LONG.format("__udivdi3"), None),
        ("rl78-g13", "gcc", LONG_LONG.format("__udivdi3"), None),
        ("leon3", "clang", LONG_LONG.format("__udivdi3"), None),
        (
            "m30102",
            "gcc",
            "unsigned long __mulsi3(unsigned long a, unsigned long b) { return a + b; }\n",
            "uint32_t",
        ),
    ],
)
def test_checker_catches_a_wrong_routine(
    workshop: Workshop, chip: str, toolchain: str, wrong: str, width: str | None
) -> None:
    """Planted fault: routines of the variant's own, which the linker prefers to the archive's."""
    files = arithmetic(chip) if width is None else only_one(width)
    emulator = loaded(workshop, chip, toolchain, {**files, "wrong.c": wrong})
    assert wrong_answers(emulator, width, order_of(chip)) > 0


@on(((*ARM, *RISCV, *SPARC), BOTH, INLINING), (MSP430[:1], ("clang",), ("-O0", "-Os")))
def test_bits_and_shifts_are_pythons(workshop: Workshop, chip: str, toolchain: str, flag: str) -> None:
    source = BITS
    if chip in MSP430:
        # An int has 16 bits here.
        for short, long in (
            ("popcount(", "popcountl("),
            ("clz(", "clzl("),
            ("ctz(", "ctzl("),
            ("1u <<", "1ul <<"),
        ):
            source = source.replace(short, long)
    emulator = loaded(workshop, chip, toolchain, {**TOY_FILES, "encrypt.c": source}, flag)
    assert_bits_are_pythons(emulator, order_of(chip))


@on(
    ((*TARGETS, *ARM, *RISCV, *SPARC), BOTH, ("-Os",)),
    (MSP430[:1], ("clang",), ("-Os",)),
    ((*RL78, "m30102"), ("gcc",), ("-Os",)),
)
def test_memory_routines_are_those_of_c(workshop: Workshop, chip: str, toolchain: str, flag: str) -> None:
    emulator = loaded(workshop, chip, toolchain, {**TOY_FILES, "encrypt.c": MEMORY}, flag)
    assert_memory_routines_are_those_of_c(emulator)


STARTED = on(((*TARGETS, *ARM), BOTH, ("-Os",)), (("rl78-g10", *RL78, "m30102"), ("gcc",), ("-Os",)))


def needs_own_libgcc(chip: str) -> None:
    if chip == "rl78-g10" and toolchain_or_skip("gcc", "rl78").require().place != "built from source":
        pytest.skip("whether the libgcc of a compiler on PATH is for one register bank is not known")


@STARTED
def test_start_up_equals_a_loader(workshop: Workshop, chip: str, toolchain: str, flag: str) -> None:
    needs_own_libgcc(chip)
    assert_start_up_equals_a_loader(built(workshop, chip, toolchain, flag=flag).elf, chip)


@STARTED
def test_image_computes_what_its_source_says(
    workshop: Workshop, chip: str, toolchain: str, flag: str
) -> None:
    needs_own_libgcc(chip)
    assert_image_computes_what_its_source_says(loaded(workshop, chip, toolchain, flag=flag), chip)
