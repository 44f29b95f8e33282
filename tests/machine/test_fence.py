"""Fences around calls of compiled images, of every CPU family."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.errors import UsageError
from steelyard.machine import Call, Emulator, Permit
from steelyard.toolchain import Build, build, find_toolchain
from steelyard.toolchain.prebuilt import prebuilt_images

COMPILED = (
    "atmega128",
    "atmega4809",
    "stm32f407",
    "sa1110",
    "pxa250-400",
    "fe310-g002",
    "esp32-c3",
    "leon3",
    "ultrasparc2",
    "msp430f1611",
)
PREBUILT = ("rl78-g13", "m30102")
MAX_CYCLES = 1_000_000
EVERYTHING = Permit(0, 2**32 - 1, True)

Fence = Callable[[dict[str, Permit]], list[Permit] | None]


def _image(target: str) -> bytes:
    """AES-128 for a chip, from the images that come with Steelyard where the compiler takes long to build."""
    if target in PREBUILT:
        images = prebuilt_images(target, "gcc")
        assert images is not None
        entry = images.entry("aes-128 aes/sbox none encrypt -Os")
        assert entry is not None
        return images.elf(entry)
    catalog = load_catalog()
    chip, algorithm = catalog.target(target), catalog.algorithm_of("aes-128")
    primitive, variant = algorithm.primitive("aes-128"), catalog.variant("aes/sbox")
    compiler = find_toolchain(chip.file.family, "clang")
    return build(Build("block", variant, primitive, None, chip, compiler, ("-O2",), "both")).elf


class _Aes:
    """AES-128 on a chip, with its buffers in lab memory and all else in the chip's own RAM."""

    def __init__(self, target: str) -> None:
        chip = load_catalog().target(target)
        self.emulator = Emulator(chip)
        self.emulator.load(_image(target), start_until="harness_ready")
        own = next(memory for memory in chip.file.memory if memory.kind == "ram" and memory.name != "lab")
        self.ram = Permit(own.base, own.size, True)
        self.pointer_bytes = 2 if chip.file.word_bits <= 16 else 4

    def calls(self, fence: Fence) -> tuple[list[Call], bytes]:
        """What setting the key and encrypting cost, and what they left in RAM.

        `fence` returns the permits of a call that is given these buffers.
        """
        emulator = self.emulator
        emulator.reset()
        emulator.empty_caches()
        contents = {"key": bytes(range(16)), "data": bytes(range(16, 32)), "out": bytes(16)}
        at = {name: emulator.buffer(name, content) for name, content in contents.items()}
        at["context"] = emulator.address("harness_context")
        results = []
        for function, names in (("block_init", ["key"]), ("block_encrypt", ["out", "data"])):
            emulator.fence(fence({name: Permit(at[name], 16, name == "out") for name in names}))
            arguments = [(at[name], self.pointer_bytes) for name in ("context", *names)]
            results.append(emulator.call(function, arguments, max_cycles=MAX_CYCLES))
            if results[-1].fault is not None:
                break
        left = emulator.read("data", self.ram.address, self.ram.size_bytes) + emulator.content("out")
        return results, left


@pytest.fixture(scope="module", params=[*COMPILED, *PREBUILT])
def aes(request: pytest.FixtureRequest) -> _Aes:
    return _Aes(request.param)


def test_a_fence_changes_neither_results_nor_cycles(aes: _Aes) -> None:
    free = aes.calls(lambda given: None)
    assert [call.fault for call in free[0]] == [None, None]
    assert aes.calls(lambda given: [EVERYTHING]) == free
    assert aes.calls(lambda given: [aes.ram, *given.values()]) == free
    assert aes.calls(lambda given: None) == free


@pytest.mark.parametrize(
    ("hidden", "kind"), [("key", "stray-read"), ("data", "stray-read"), ("out", "stray-write")]
)
def test_a_buffer_that_is_not_given_is_found(aes: _Aes, hidden: str, kind: str) -> None:
    results, _ = aes.calls(lambda given: [aes.ram, *(given[name] for name in given if name != hidden)])
    fault = results[-1].fault
    assert fault is not None
    assert fault.kind == kind
    assert "which the call was not given" in fault.message


def test_a_permit_beyond_the_address_space_is_refused(aes: _Aes) -> None:
    with pytest.raises(UsageError, match="reaches beyond the address space"):
        aes.emulator.fence([Permit(2**32 - 8, 9, False)])
