"""What start-up code does holds before a call: on every family, for each style of linker script."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.errors import UsageError
from steelyard.measure.call import call_function, parse_argument

CODE = """
unsigned char initialised[6] = {1, 2, 3, 4, 5, 6};
unsigned char cleared[64];
const unsigned char constants[4] = {7, 8, 9, 10};
%s
unsigned probe(unsigned n) {
    unsigned sum = 0, i;
    for (i = 0; i < 6; i++) { sum = sum + sum + initialised[i] + n; }
    for (i = 0; i < 4; i++) { sum = sum + sum + constants[i] + n; }
    for (i = 0; i < 64; i++) { sum += cleared[i]; }
    initialised[0] += 100;
    cleared[0] += 100;
    return sum;
}
__attribute__((noinline)) int main(void) { for (;;) { } }
"""
FRAME_DUMMY = "__attribute__((constructor)) void frame_dummy(void) { }"
CONSTRUCTOR = "__attribute__((constructor)) void construct(void) { initialised[5] = 60; }"
# LLVM has no attribute for it on an MSP430.
LISTED = """
void construct(void) { initialised[5] = 60; }
__attribute__((section(".init_array"), used)) static void (*const listed)(void) = construct;
"""


def answer(n: int, last: int = 6) -> int:
    """What probe() computes in its first call."""
    total = 0
    for byte in (1, 2, 3, 4, 5, last, 7, 8, 9, 10):
        total = 2 * total + byte + n
    return total


# The stack pointer is where reset leaves it; an array of constructors is empty unless the script has one.
RESET = """
extern unsigned data_start[], data_end[], data_stored[], bss_start[], bss_end[];
extern void (*const array_start[])(void), (*const array_end[])(void);
extern int main(void);
void reset(void) {
    volatile unsigned *to = data_start;
    const volatile unsigned *from = data_stored;
    void (*const volatile *construct)(void) = array_start;
    while (to != data_end) { *to++ = *from++; }
    for (to = bss_start; to != bss_end; to++) { *to = 0; }
    while (construct != array_end) { (*construct++)(); }
    main();
}
"""
AVR_RESET = """
    .section .vectors, "ax", @progbits
    jmp reset
    .section .init0, "ax", @progbits
reset:
    .section .init2, "ax", @progbits
    clr r1
    .section .init9, "ax", @progbits
    jmp main
    .global __do_copy_data, __do_clear_bss, __do_global_ctors
"""
SECTIONS = """
ENTRY(reset)
SECTIONS {{
  . = {flash};
  .text : {{ *(.text .text.* .rodata .rodata.*) . = ALIGN(4); }}
  .init_array : {{ array_start = .; KEEP(*(.init_array .init_array.* .ctors .ctors.*)) array_end = .; }}
  . = ALIGN(4);
  stored = .;
{data}
  _end = .;
  /DISCARD/ : {{ *(.ARM.*) *(.riscv.*) *(.comment) *(.eh_frame) *(.note*) *(.llvm_addrsig) *(.gnu.*) }}
}}
"""
BSS = "  .bss (NOLOAD) : { bss_start = .; *(.bss .bss.* .sbss .sbss.* COMMON) . = ALIGN(4); bss_end = .; }"
STORED = "data_stored = LOADADDR(.data);"
AT = ".data : AT(stored) { data_start = .; *(.data .data.* .sdata .sdata.*) . = ALIGN(4); data_end = .; }"
STYLES = {
    # Initial values behind the code in flash, their place in RAM.
    "flash": f"  . = {{ram}};\n  {AT}\n{BSS}\n  {STORED}",
    # Initial values where the script's cleared memory begins, as in programs that a debugger loads into RAM.
    "overlap": f"{BSS}\n  . = . + 64;\n  {AT}\n  {STORED}",
    # Everything where it runs; nothing to be copied.
    "in-place": f"  {AT.replace('AT(stored) ', '')}\n{BSS}\n  {STORED}",
}


@dataclass(frozen=True)
class Family:
    """A chip, how an object is made for it, what links, and where code and data may lie."""

    target: str
    compiler: tuple[str, ...]
    linker: tuple[str, ...]
    flash: int
    ram: int
    argument: str = "u32:"
    int_bytes: int = 4


ZIG = (sys.executable, "-m", "ziglang")
FAMILIES = {
    "cortex-m": Family(
        "stm32f407",
        ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"),
        ("arm-none-eabi-ld",),
        0x0800_0000,
        0x2000_0000,
    ),
    "arm": Family(
        "sa1100",
        ("arm-none-eabi-gcc", "-mcpu=strongarm", "-marm"),
        ("arm-none-eabi-ld", "--fix-v4bx"),
        0xC000_0000,
        0xC010_0000,
    ),
    "riscv": Family(
        "fe310-g002-itim",
        ("riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32", "-mcmodel=medany"),
        ("riscv64-unknown-elf-ld", "-melf32lriscv"),
        0x0800_0000,
        0x8000_0000,
    ),
    "msp430": Family(
        "msp430f1611",
        (*ZIG, "clang", "--target=msp430", "-nostdlibinc"),
        (*ZIG, "ld.lld"),
        0x4000,
        0x1100,
        "u16:",
        2,
    ),
    "sparc": Family(
        "leon3",
        ("sparc64-linux-gnu-gcc", "-m32", "-mcpu=leon3", "-msoft-float", "-fno-pie"),
        ("sparc64-linux-gnu-ld", "-melf32_sparc"),
        0x4000_0000,
        0x4010_0000,
    ),
}


def run(*command: object) -> None:
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run([str(part) for part in command], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def linked(family: Family, style: str, folder: Path, more: str = "") -> Path:
    """An image of the program with its own reset code."""
    (folder / "program.c").write_text(CODE % more + RESET)
    base = family.flash if style == "flash" else family.ram
    script = SECTIONS.format(flash=f"{base:#x}", data=STYLES[style].replace("{ram}", f"{family.ram:#x}"))
    (folder / "link.ld").write_text(script)
    part, image = folder / "program.o", folder / "program.elf"
    options = (
        "-O1",
        "-ffreestanding",
        "-fno-asynchronous-unwind-tables",
        "-fno-tree-loop-distribute-patterns",
    )
    if "ziglang" in family.compiler:
        options = options[:3]
    run(*family.compiler, *options, "-c", folder / "program.c", "-o", part)
    run(*family.linker, "-T", folder / "link.ld", part, "-o", image)
    return image


def called(family: Family, image: Path, start_up_to: str | None = None, n: int = 3) -> int:
    """What probe() returns."""
    target = load_catalog().target(family.target)
    arguments = [parse_argument(f"{family.argument}{n}")]
    record = call_function(image, "probe", target, arguments, 100_000, family.int_bytes, start_up_to)
    assert record["status"] == "ok", record["error"]
    return int(str(record["return_value"]))


@pytest.mark.parametrize(
    ("name", "style"),
    # LLVM's linker refuses what overlaps.
    [(name, style) for name in FAMILIES for style in STYLES if (name, style) != ("msp430", "overlap")],
)
def test_a_call_finds_memory_as_start_up_code_leaves_it(name: str, style: str, tmp_path: Path) -> None:
    family = FAMILIES[name]
    image = linked(family, style, tmp_path)
    assert called(family, image) == answer(3)
    if style != "in-place":
        assert called(family, image, "main") == answer(3)


@pytest.mark.parametrize("name", FAMILIES)
def test_constructors_are_refused_or_run(name: str, tmp_path: Path) -> None:
    family = FAMILIES[name]
    image = linked(family, "flash", tmp_path, LISTED if name == "msp430" else CONSTRUCTOR)
    with pytest.raises(UsageError, match=r"constructors in \.init_array.*--start-up"):
        called(family, image)
    assert called(family, image, "main") == answer(3, 60)
    # The run ends before the constructor's first instruction.
    assert called(family, image, "construct") == answer(3)


def test_what_gcc_itself_adds_to_the_constructors_is_none(tmp_path: Path) -> None:
    family = FAMILIES["cortex-m"]
    image = linked(family, "flash", tmp_path, FRAME_DUMMY)
    assert called(family, image) == answer(3)


def avr_linked(folder: Path, more: str = "", *options: str) -> Path:
    """An image by GCC's own linker script and the start-up code of its libgcc."""
    (folder / "program.c").write_text(CODE % more)
    (folder / "reset.S").write_text(AVR_RESET)
    image = folder / "program.elf"
    sources = (folder / "program.c", folder / "reset.S")
    run(
        "avr-gcc",
        "-mmcu=atmega128",
        "-O1",
        "-nostartfiles",
        "-nodefaultlibs",
        *options,
        *sources,
        "-lgcc",
        "-o",
        image,
    )
    return image


AVR = Family("atmega128", (), (), 0, 0, "u16:", 2)


@pytest.mark.parametrize("padding", [0, 0x10000])
def test_avr_by_the_compilers_own_script(padding: int, tmp_path: Path) -> None:
    space = f'__asm__(".section .text.space\\n.skip {padding}\\n.text");'
    image = avr_linked(tmp_path, space)
    assert called(AVR, image) == answer(3)
    assert called(AVR, image, "main") == answer(3)


def test_constructors_of_avr_lie_within_the_code(tmp_path: Path) -> None:
    image = avr_linked(tmp_path, CONSTRUCTOR)
    with pytest.raises(UsageError, match=r"constructors in \.ctors.*--start-up"):
        called(AVR, image)
    assert called(AVR, image, "main") == answer(3, 60)


def test_static_data_beyond_the_ram_are_refused(tmp_path: Path) -> None:
    image = avr_linked(tmp_path, "unsigned char many[5000]; unsigned char *all(void) { return many; }")
    with pytest.raises(UsageError, match="longer than the RAM"):
        called(AVR, image)


def test_a_buffer_that_is_too_short_is_no_answer() -> None:
    sum_elf = Path(__file__).parent.parent / "golden" / "sum.elf"
    arguments = [parse_argument("in:0102"), parse_argument("3")]
    record = call_function(sum_elf, "sum", load_catalog().target("atmega128"), arguments, 10_000)
    assert (record["status"], record["fault_kind"], record["cycles"]) == ("fault", "stray-read", None)
    assert "1 bytes past the end of the argument 1 buffer of 2 bytes" in str(record["error"])


def test_a_broken_section_table_is_refused(tmp_path: Path) -> None:
    image = avr_linked(tmp_path)
    content = bytearray(image.read_bytes())
    content[32:36] = (len(content) - 8).to_bytes(4, "little")
    image.write_bytes(content)
    with pytest.raises(UsageError, match="ELF file"):
        called(AVR, image)
