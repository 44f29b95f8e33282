"""A batch of calls beside the same calls one by one, on compiled images."""

from __future__ import annotations

import random
import struct

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.errors import UsageError
from steelyard.machine import BatchCall, Emulator
from steelyard.toolchain import Build, build, find_toolchain

MAX_CYCLES = 1_000_000
ITEMS = 5
KEY_BYTES = BLOCK_BYTES = 16


class _Aes:
    """AES-128 on a chip, and the places of its buffers."""

    def __init__(self, target: str) -> None:
        catalog = load_catalog()
        chip, algorithm = catalog.target(target), catalog.algorithm_of("aes-128")
        primitive, variant = algorithm.primitive("aes-128"), catalog.variant("aes/sbox")
        compiler = find_toolchain(chip.file.family, "clang")
        built = build(Build("block", variant, primitive, None, chip, compiler, ("-Os",), "both"))
        self.emulator = Emulator(chip)
        self.emulator.load(built.elf, start_until="harness_ready")
        buffers = [self.emulator.buffer(name, bytes(16)) for name in ("key", "data", "out")]
        self.key, self.data, self.out = buffers
        size = 4 if chip.file.word_bits == 32 else 2
        context = self.emulator.address("harness_context")
        self.arguments = {
            "block_init": [(context, size), (self.key, size)],
            "block_encrypt": [(context, size), (self.out, size), (self.data, size)],
        }
        self.places = [(self.key, KEY_BYTES), (self.data, BLOCK_BYTES)]
        self.outputs = [(self.out, BLOCK_BYTES)]
        self.calls = [
            BatchCall(self.emulator.address(name), arguments, 1) for name, arguments in self.arguments.items()
        ]


@pytest.fixture(scope="module", params=["atmega128", "stm32f407"])
def aes(request: pytest.FixtureRequest) -> _Aes:
    return _Aes(request.param)


def test_a_batch_is_its_calls_one_by_one(aes: _Aes) -> None:
    contents = random.Random(5).randbytes(ITEMS * (KEY_BYTES + BLOCK_BYTES))
    aes.emulator.empty_caches()
    batch = aes.emulator.batch(aes.places, contents, aes.calls, aes.outputs, max_cycles=MAX_CYCLES)
    assert batch.fault is None
    aes.emulator.empty_caches()
    expected, cycles = b"", 0
    for item in range(ITEMS):
        key_and_data = contents[item * 32 :][:32]
        results = b""
        for name, (address, length) in zip(aes.arguments, aes.places, strict=True):
            offset = 0 if address == aes.key else KEY_BYTES
            aes.emulator.write("data", address, key_and_data[offset:][:length])
            call = aes.emulator.call(name, aes.arguments[name], max_cycles=MAX_CYCLES, observe="none")
            assert call.fault is None
            cycles += call.cycles
            results += call.returned(2).to_bytes(2, "little")
        expected += aes.emulator.read("data", aes.out, BLOCK_BYTES) + results
    assert batch.content == expected
    assert batch.cycles == cycles


def test_known_answer(aes: _Aes) -> None:
    contents = bytes(range(16)) + bytes.fromhex("00112233445566778899aabbccddeeff")
    batch = aes.emulator.batch(aes.places, contents, aes.calls, aes.outputs, max_cycles=MAX_CYCLES)
    assert batch.content[:BLOCK_BYTES].hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"


def test_a_fault_names_its_item_and_keeps_those_before_it() -> None:
    emulator = Emulator(load_catalog().target("atmega128"))
    # lds r24,0x0200; again: dec r24; brne again; ldi r25,7; ret
    code = struct.pack("<6H", 0x9180, 0x0200, 0x958A, 0xF7F1, 0xE097, 0x9508)
    emulator.load(code, raw_address=0)
    calls = [BatchCall(0, [], 1)]
    batch = emulator.batch([(0x0200, 1)], bytes([2, 3, 200, 4]), calls, [(0x0200, 1)], max_cycles=100)
    assert batch.content == bytes([2, 0, 7, 3, 0, 7])
    assert batch.fault is not None
    assert (batch.fault.kind, batch.fault.item) == ("cycle-budget", 2)
    assert "cycle budget" in batch.fault.message
    rounds = [emulator.batch([(0x0200, 1)], bytes([n]), calls, [], max_cycles=100).cycles for n in (2, 3)]
    assert batch.cycles >= sum(rounds) + 100


def test_what_does_not_fit_together_is_said_in_a_sentence(aes: _Aes) -> None:
    def batch(contents: bytes, calls: list[BatchCall], places: list[tuple[int, int]]) -> None:
        aes.emulator.batch(places, contents, calls, aes.outputs, max_cycles=MAX_CYCLES)

    with pytest.raises(UsageError, match="no whole number of items of 32 bytes"):
        batch(bytes(33), aes.calls, aes.places)
    with pytest.raises(UsageError, match="write 1 places, but it has 2"):
        batch(bytes(32), aes.calls[:1], aes.places)
    with pytest.raises(UsageError, match="an item of a batch has no bytes"):
        batch(b"", [], [])
    with pytest.raises(UsageError, match="is no address of a function"):
        batch(bytes(32), [BatchCall(0xFFFF_FFFF, [], 2)], aes.places)
