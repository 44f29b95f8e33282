"""Typed face of the native emulator (crates/steelyard-py)."""

from typing import Literal, TypedDict

class FunctionProfile(TypedDict):
    name: str            # "?" outside every symbol
    cycles: int          # exclusive (self) cycles
    instructions: int

class Fault(TypedDict):
    kind: str            # illegal-opcode | unmapped-address | stack-overflow | cycle-budget | bad-return | sleep | write-to-flash | misaligned ...
    message: str         # one clear sentence with pc, address, nearest symbol
    pc: int              # byte address
    address: int | None

class CallResult(TypedDict):
    fault: Fault | None          # None: the function returned
    cycles: int
    instructions: int            # 0 with observe="none", as is all below but return_value
    stack_bytes: int             # peak below SP at the call, return address included
    mix: dict[str, int]          # executed instructions by class: alu, shift, multiply, load, store, load-program, branch, jump, call, return, stack, io, bit, other
    loads: int                   # data-space reads incl. pops; program-memory reads are counted too (lpm)
    stores: int
    branches: int                # conditional branches and skips
    branches_taken: int
    functions: list[FunctionProfile]
    return_value: int            # the ABI's widest return value (AVR: r18 to r25), little endian; narrower ones end in its top

class ElfError(ValueError): ...
class MachineError(ValueError): ...

EMULATOR_VERSION: str

class Machine:
    """One chip. Not thread-safe; calls release the GIL."""
    def __init__(self, description_json: str) -> None: ...
    def load_elf(self, image: bytes) -> None: ...
    def symbols(self) -> dict[str, tuple[int, int]]: ...     # name -> (address, size); data addresses without 0x800000
    def run_until(self, symbol: str, max_cycles: int) -> None: ...  # start-up code from reset; raises MachineError on a fault
    def read(self, space: Literal["program", "data", "eeprom"], address: int, length: int) -> bytes: ...
    def write(self, space: Literal["program", "data", "eeprom"], address: int, data: bytes) -> None: ...
    def snapshot(self) -> None: ...     # remember memories and registers
    def restore(self) -> None: ...      # back to the snapshot
    def call(
        self,
        function: int | str,
        arguments: list[tuple[int, int]],   # (value, size in bytes), placed by the CPU's C ABI
        *,
        max_cycles: int,
        observe: Literal["none", "stack", "profile"] = "profile",
    ) -> CallResult: ...
