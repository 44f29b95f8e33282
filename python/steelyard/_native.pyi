"""Typed face of the native emulator (crates/steelyard-py)."""

from typing import Literal, Self, TypedDict, final

class FunctionProfile(TypedDict):
    """Self cost of a function; `name` is "?" outside every symbol."""

    name: str
    cycles: int
    instructions: int

class Fault(TypedDict):
    """Why a call did not return.

    `kind` is the type (illegal-opcode, unmapped-address, unaligned-address, stack-overflow, cycle-budget,
    bad-return, sleep, write-to-flash), `message` one sentence, `pc` a byte address.
    """

    kind: str
    message: str
    pc: int
    address: int | None

class MemoryCounters(TypedDict):
    """What caches and write buffer saw during a call.

    `icache_accesses` are the fetches asked for; instructions that follow in the same part of a line are hits
    not counted here. `dcache_*` are of the caches for data, or of a unified one. `writes_past` are stores
    that went past the caches.
    """

    icache_accesses: int
    icache_misses: int
    dcache_accesses: int
    dcache_misses: int
    dcache_writebacks: int
    uncached_accesses: int
    writes_past: int
    stall_cycles: int

class CallResult(TypedDict):
    """What a call cost; `fault` is None where the function returned.

    `instructions` and all below but `argument_bytes` and `return_value` are 0 with observe="none".
    `stack_bytes` is the peak below the stack pointer at the call, return address included, `argument_bytes`
    what the arguments take above it. `mix` counts instructions by class. `loads` and `stores` are transfers
    from and to memory (AVR: bytes, program memory too; ARM: registers), `branches` conditional branches and
    skips. `return_value` is the ABI's widest (AVR: r18 to r25, ARM: r0 and r1, SPARC: %o0 above %o1), little
    endian; a result takes its last bytes, the next power of two but at least `least_result_bytes`, and begins
    with the first of them. `memory` is None on a chip without caches.
    """

    fault: Fault | None
    cycles: int
    instructions: int
    stack_bytes: int
    argument_bytes: int
    mix: dict[str, int]
    loads: int
    stores: int
    branches: int
    branches_taken: int
    functions: list[FunctionProfile]
    return_value: int
    least_result_bytes: int
    memory: MemoryCounters | None

class ElfError(ValueError): ...
class MachineError(ValueError): ...

EMULATOR_VERSION: str

@final
class Machine:
    """One chip, with an image; not thread-safe, calls release the GIL."""

    def __new__(cls, description_json: str) -> Self: ...
    def load_elf(self, image: bytes) -> None:
        """Place an image and forget the one before; ElfError where it is not usable."""

    def load_raw(self, address: int, image: bytes) -> None:
        """Place bytes at a linker's address, forget the image before; ElfError where they do not fit."""

    def place(self, place: int | str) -> tuple[Literal["program", "data", "eeprom"], int, int]:
        """Space, address as `read` takes it, and bytes of a symbol, or of a linker's address (0 bytes)."""

    def run(
        self,
        start: int | None,
        stop: int,
        *,
        max_cycles: int,
        observe: Literal["none", "stack", "profile"] = "profile",
    ) -> CallResult:
        """Reset and run from an address, or from where the image begins, up to the instruction at another."""

    def symbols(self) -> dict[str, tuple[int, int]]:
        """Address and size in bytes by name, the address as `read` and `call` take it."""

    def run_until(self, symbol: str, max_cycles: int) -> None:
        """Reset and run the image's own start-up code; MachineError on a fault."""

    def read(self, space: Literal["program", "data", "eeprom"], address: int, length: int) -> bytes: ...
    def write(self, space: Literal["program", "data", "eeprom"], address: int, data: bytes) -> None: ...
    def snapshot(self) -> None:
        """Remember memories and registers."""

    def restore(self) -> None:
        """Go back to the snapshot; caches and branch prediction stay as they are."""

    stack_pointer: int

    def empty_stack(self, end: int) -> int:
        """The stack pointer of an empty stack in memory that ends before an address."""

    def empty_caches(self) -> None:
        """Make caches and branch prediction as after reset; nothing on a chip without them."""

    def call(
        self,
        function: int | str,
        arguments: list[tuple[int, int]],
        *,
        max_cycles: int,
        observe: Literal["none", "stack", "profile"] = "profile",
    ) -> CallResult:
        """Call a function with arguments (value, size in bytes), placed by the CPU's C ABI."""
