"""Block ciphers in assembly, which this machine cannot run: on every emulated chip, by every compiler.

Those that take a pointer are not among them: `test_pointer_heads` measures them.
"""

from __future__ import annotations

import importlib.util
import random
import shutil
from pathlib import Path

import pytest

from steelyard import oracle
from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import Primitive, Target, Variant
from steelyard.machine import Emulator
from steelyard.measure.lab import Lab
from steelyard.toolchain import Build, build, find_toolchain

CATALOG = load_catalog()
MAX_CYCLES = 10_000_000
REGISTERS = 32
KEPT = (1, *range(2, 18), 28, 29)
"""By the AVR C ABI r1 is zero and r2 to r17, r28 and r29 are the caller's."""

CASES = [
    (variant, primitive, target)
    for algorithm in CATALOG.algorithms
    for variant in algorithm.variants
    for primitive in algorithm.file.primitive
    for target in CATALOG.targets
    if target.file.family in (variant.file.families or ())
    and variant.file.interface is None
    and variant.does(primitive.id)
]


class Chip:
    """The image of a block cipher on a chip."""

    def __init__(self, variant: Variant, primitive: Primitive, target: Target, toolchain: str) -> None:
        tool = find_toolchain(target.file.family, toolchain)
        built = build(Build("block", variant, primitive, None, target, tool, ("-Os",), "both"))
        self.does_not_fit = built.does_not_fit
        self._block = primitive.block_bytes
        self._emulator = Emulator(target)
        self._emulator.load(built.elf, start_until="harness_ready")
        sizes = {"key": primitive.key_bytes, "data": self._block, "out": self._block}
        self._lab = Lab(target.lab.base, {name: size + 3 for name, size in sizes.items()})
        self._sizes = sizes
        io = next(memory for memory in target.file.memory if memory.kind == "io")
        self._registers_in_data_space = io.base >= REGISTERS

    def crypt(self, operation: str, key: bytes, data: bytes, shift: int = 0, in_place: bool = False) -> bytes:
        """One block in buffers `shift` bytes off alignment; asserts that nothing else was written."""
        emulator, lab = self._emulator, self._lab
        emulator.reset()
        contents = {"key": key, "data": data, "out": bytes(self._block)}
        before = lab.filled({name: (bytes(shift) + c).ljust(len(c) + 3) for name, c in contents.items()})
        emulator.buffer("lab", before)
        at = {name: (lab.address(name) + shift, 2) for name in contents}
        context = (emulator.address("harness_context"), 2)
        out = "data" if in_place else "out"
        self._call("block_init", context, at["key"])
        self._call(f"block_{operation}", context, at[out], at["data"])
        after = emulator.content("lab")
        assert lab.trespass(before, after, {out}) is None
        written, unwritten = lab.content(after, out), lab.content(before, out)
        end = shift + self._block
        assert (written[:shift], written[end:]) == (unwritten[:shift], unwritten[end:])
        return written[shift:end]

    def _call(self, function: str, *arguments: tuple[int, int]) -> None:
        if self._registers_in_data_space:
            marked = bytes(0 if number == 1 else 0xA0 + number for number in range(REGISTERS))
            self._emulator.write("data", 0, marked)
        call = self._emulator.call(function, arguments, max_cycles=MAX_CYCLES, observe="none")
        assert call.fault is None, call.fault
        if self._registers_in_data_space:
            registers = self._emulator.read("data", 0, REGISTERS)
            assert [n for n in KEPT if registers[n] != marked[n]] == []


def against_everything(chip: Chip, primitive: Primitive, inputs: int) -> None:
    """Known answers of single blocks; random ones there and back beside the independent implementation."""
    algorithm = CATALOG.algorithm_of(primitive.id)
    vectors = [v for v in algorithm.vectors if v.primitive == primitive.id and v.mode is None]
    assert vectors
    for vector in vectors:
        key, data = bytes.fromhex(vector.key), bytes.fromhex(vector.input)
        assert chip.crypt(vector.operation, key, data).hex() == vector.output, vector.source
    rng = random.Random(primitive.id)
    for number in range(inputs):
        key, data = rng.randbytes(primitive.key_bytes), rng.randbytes(primitive.block_bytes)
        want = oracle.expected(primitive, algorithm.id, "encrypt", mode=None, key=key, iv=b"", data=data)
        shift, in_place = number % 4, number % 8 >= 4
        assert chip.crypt("encrypt", key, data, shift, in_place) == want
        assert chip.crypt("decrypt", key, want, shift, in_place) == data


def installed(toolchain: str) -> bool:
    found = {"gcc": shutil.which("avr-gcc"), "clang": importlib.util.find_spec("ziglang")}
    return found[toolchain] is not None


def test_there_is_assembly() -> None:
    assert {variant.id for variant, _, _ in CASES} >= {"aes/avr-asm"}


@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
@pytest.mark.parametrize(
    ("variant", "primitive", "target"), CASES, ids=[f"{v.id}-{p.id}-{t.id}" for v, p, t in CASES]
)
def test_on_every_chip(variant: Variant, primitive: Primitive, target: Target, toolchain: str) -> None:
    if not installed(toolchain):
        pytest.skip(f"{toolchain} is not installed")
    chip = Chip(variant, primitive, target, toolchain)
    if chip.does_not_fit is not None:
        assert target.id == "attiny45", chip.does_not_fit
        return
    against_everything(chip, primitive, 1000 if target.id == "atmega128" else 100)


@pytest.mark.skipif(not installed("clang"), reason="the ziglang wheel is not installed")
@pytest.mark.parametrize(
    ("path", "right", "wrong"),
    [
        ("../inverse_sbox.inc", "0x52, 0x09, 0x6a", "0x52, 0x09, 0x6b"),
        ("decrypt.S", "turn_row 3, 1", "turn_row 3, 3"),
        ("encrypt.S", "    pop r29\n    pop r28\n", "    pop r28\n    pop r29\n"),
        ("mix.S", "st Y+, r21", "std Y+4, r21\n    adiw r28, 1"),
    ],
    ids=["a byte of a table", "a row turned wrongly", "registers exchanged", "a byte beyond the state"],
)
def test_a_planted_fault_is_seen(path: str, right: str, wrong: str, tmp_path: Path) -> None:
    variant, primitive, target = next(
        case for case in CASES if case[0].id == "aes/avr-asm" and case[2].id == "atmega128"
    )
    folder = shutil.copytree(variant.folder.parent, tmp_path / "aes") / variant.folder.name
    text = (folder / path).read_text("utf-8")
    assert text.count(right) == 1
    (folder / path).write_text(text.replace(right, wrong), "utf-8")
    faulty = variant.model_copy(update={"folder": folder})
    with pytest.raises(AssertionError):
        against_everything(Chip(faulty, primitive, target, "clang"), primitive, 10)
