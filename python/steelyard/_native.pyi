"""Types of the native emulator (crates/steelyard-py)."""

from typing import Literal, Self, TypedDict, final

class FunctionProfile(TypedDict):
    """Cost of a function without its callees; `name` is "?" outside every symbol."""

    name: str
    cycles: int
    instructions: int

class Fault(TypedDict):
    """Reason why a call did not return.

    `kind` is the type (illegal-opcode, unmapped-address, unaligned-address, stack-overflow, cycle-budget,
    bad-return, sleep, write-to-flash, stray-read, stray-write), `message` one sentence, `pc` a byte address.
    """

    kind: str
    message: str
    pc: int
    address: int | None

class MemoryCounters(TypedDict):
    """Counters of caches and write buffer during a call.

    `icache_accesses` are fetches passed to the cache; instructions that follow in the same part of a line are
    hits that are not counted here. `dcache_*` belong to the caches for data, or to a unified one.
    `writes_past` are stores that bypassed the caches.
    """

    icache_accesses: int
    icache_misses: int
    dcache_accesses: int
    dcache_misses: int
    dcache_writebacks: int
    uncached_accesses: int
    writes_past: int
    stall_cycles: int

class Leak(TypedDict):
    """An instruction that depended on secrets in one way; `address` is its byte address.

    `kind` is branch (whether it is taken), target (where a jump, call or return goes), condition (whether an
    instruction is executed that takes another time if it is not), load or store (the address), multiply,
    divide or shift (the time), or stack (the stack pointer). `times` counts the executions that depended on
    secrets so. `lowest` and `highest` are the first and the last byte reached by loads or stores, else None.
    """

    kind: Literal["branch", "target", "condition", "load", "store", "multiply", "divide", "shift", "stack"]
    address: int
    times: int
    lowest: int | None
    highest: int | None

class Difference(TypedDict):
    """An instruction at which two runs begin to differ in an aspect; pairs are of both runs, in their order.

    `number` counts instructions from 0, `before` is the address of the one before it. The `pc` differ in the
    flow only; None where that run has ended. `address` are the first addresses of data in which they differ,
    or None where there is no such access; `cycles` are those of the instruction.
    """

    aspect: Literal["flow", "address", "cycles"]
    number: int
    before: int | None
    pc: tuple[int | None, int | None]
    address: tuple[int | None, int | None]
    cycles: tuple[int | None, int | None]

class Events(TypedDict):
    """Events of a call or of a part of it.

    `mix` counts instructions by class. `loads` and `stores` are transfers from and to memory (AVR: bytes,
    including program memory; ARM: registers). `register_reads` and `register_writes` are registers read and
    written by their instructions, 0 on a family that does not count them.
    """

    cycles: int
    instructions: int
    mix: dict[str, int]
    loads: int
    stores: int
    register_reads: int
    register_writes: int

class Detail(TypedDict):
    """Cost of a call by call path and instruction, and its accesses to memory.

    `nodes` are functions reached by one path of calls: number of the calling node (-1 of the first, which is
    the called function), address of the function, times it was entered, and its deepest stack in bytes below
    the stack pointer at the call. `spent` holds node, address of an instruction, executions, cycles, and
    cycles by cause in the order of `causes`; the call instruction itself comes first and has the address
    0xffffffff. Their sums are the call's `cycles` and `instructions`. `heat` holds the address of a block of
    16 bytes, and loads and stores that began in it.
    """

    causes: list[str]
    nodes: list[tuple[int, int, int, int]]
    spent: list[tuple[int, int, int, int, tuple[int, ...]]]
    heat: list[tuple[int, int, int]]

class CallResult(Events):
    """Cost of a call; `fault` is None if the function returned.

    All but `cycles`, `argument_bytes`, `memory` and `return_value` is 0 with observe="none". `stack_bytes` is
    the peak below the stack pointer at the call, return address included; `argument_bytes` is the size of
    the arguments above it, `branches` are conditional branches and skips. `return_value` is the ABI's widest
    (AVR: r18 to r25, ARM: r0 and r1, SPARC: %o0 above %o1), little endian; a result takes its last bytes, as
    many as the next power of two but at least `least_result_bytes`, and begins with the first of them.
    `memory` is None on a chip without caches, `detail` without observe="detail". `leaks` are in the order of
    their first executions; None without observe="secrets".
    """

    fault: Fault | None
    stack_bytes: int
    argument_bytes: int
    branches: int
    branches_taken: int
    functions: list[FunctionProfile]
    return_value: int
    least_result_bytes: int
    memory: MemoryCounters | None
    leaks: list[Leak] | None
    detail: Detail | None

class ElfError(ValueError): ...
class MachineError(ValueError): ...
class ConfinementError(OSError): ...

EMULATOR_VERSION: str

@final
class Lines:
    """Functions and source lines of an image's addresses, by its DWARF."""

    def __new__(cls, image: bytes) -> Self:
        """Read an ELF image, which may have no DWARF; ElfError if it cannot be read."""

    def frames(self, address: int) -> list[tuple[str | None, str | None, int | None, int | None]]:
        """Return function, file, line and column of an address, that of the innermost inlined function first.

        Nothing is returned for an address of which nothing is known; ElfError if the DWARF is damaged.
        """

@final
class Trace:
    """Digests of a call after every 4096 instructions, a stretch, and the events of one stretch if wanted."""

    @property
    def instructions(self) -> int:
        """Executed instructions, without the call instruction."""

    @property
    def cycles(self) -> int:
        """Cycles of these instructions."""

    def first_stretches(self, other: Trace) -> dict[Literal["flow", "address", "cycles"], int]:
        """Return the number of the first stretch in which two runs differ in an aspect, by aspect.

        Aspects in which they do not differ are left out. Runs whose flow has parted differ in everything from
        there on.
        """

    def difference(self, other: Trace, aspect: Literal["flow", "address", "cycles"]) -> Difference | None:
        """Return the first instruction at which they differ within the stretch that both traces keep.

        None if they keep no stretch or not the same one, or do not differ in it.
        """

@final
class Machine:
    """One chip, with an image; not thread-safe, calls release the GIL.

    With `shadow` it follows secrets through registers, flags and memory, and its memories answer at once;
    then it observes "secrets", but makes no "profile" and no `series`.
    """

    def __new__(cls, description_json: str, *, shadow: bool = False) -> Self: ...
    def mark(self, address: int, length: int, secret: bool) -> None:
        """Make bytes of the data space secret or public; `write` makes them public too.

        MachineError where nothing is mapped, and from a machine built without `shadow`.
        """

    def marks(self, address: int, length: int) -> bytes:
        """Return the secret bits of bytes of the data space, zeros from a machine built without `shadow`."""

    def load_elf(self, image: bytes) -> None:
        """Load an image and forget the previous one; ElfError if it is not usable."""

    def load_raw(self, address: int, image: bytes) -> None:
        """Load bytes at a linker's address and forget the previous image; ElfError if they do not fit."""

    def place(self, place: int | str) -> tuple[Literal["program", "data", "eeprom"], int, int]:
        """Return space, address for `read`, and bytes of a symbol, or of a linker's address (0 bytes)."""

    def run(
        self,
        start: int | None,
        stop: int,
        *,
        max_cycles: int,
        observe: Literal["none", "stack", "profile", "detail", "secrets"] = "profile",
        writes: list[tuple[int, bytes]] = ...,
        registers: list[tuple[int, int]] = ...,
    ) -> CallResult:
        """Reset, write (address in the data space, content) and set registers (place among `registers`,
        value), and run up to the instruction at an address.

        It begins at `start`, or at the image's start.
        """

    def registers(self) -> list[tuple[str, int]]:
        """Return name and bits of each register that can be set before a run."""

    def ignore(self, places: list[tuple[int, int]] | None) -> None:
        """Let loads read zeros and stores change nothing where no memory lies at the places (address, bytes).

        None ends that. MachineError on a chip whose registers are plain memory.
        """

    def ignored(self) -> int:
        """Return the number of such accesses since `ignore`."""

    def symbols(self) -> dict[str, tuple[int, int]]:
        """Return address and size in bytes by name; the address has the form for `read` and `call`."""

    def functions(self) -> list[tuple[str, int, int]]:
        """Return name, address and bytes of each function or label in code, ordered by address."""

    def run_until(self, symbol: str, max_cycles: int) -> None:
        """Reset and run the image's own start-up code; MachineError on a fault."""

    def disassembled(self, address: int) -> tuple[str, int] | None:
        """Return the text of the instruction at an address and its length in bytes; None where none lies."""

    def read(self, space: Literal["program", "data", "eeprom"], address: int, length: int) -> bytes: ...
    def write(self, space: Literal["program", "data", "eeprom"], address: int, data: bytes) -> None: ...
    def snapshot(self) -> None:
        """Save memories and registers."""

    def restore(self) -> None:
        """Restore the snapshot; caches and branch prediction stay as they are."""

    def fence(self, permits: list[tuple[int, int, bool]] | None) -> None:
        """Make loads and stores of RAM outside the permits (address, bytes, write) faults; None ends that."""

    stack_pointer: int

    def empty_stack(self, end: int) -> int:
        """Return the stack pointer of an empty stack in memory that ends before an address."""

    def empty_caches(self) -> None:
        """Reset caches and branch prediction; no effect on a chip without them."""

    def call(
        self,
        function: int | str,
        arguments: list[tuple[int, int]],
        *,
        max_cycles: int,
        observe: Literal["none", "stack", "profile", "detail", "secrets"] = "profile",
    ) -> CallResult:
        """Call a function with arguments (value, size in bytes), placed by the CPU's C ABI."""

    def trace(
        self,
        function: int | str,
        arguments: list[tuple[int, int]],
        *,
        max_cycles: int,
        stretch: int | None = None,
    ) -> tuple[CallResult, Trace]:
        """Call a function as with observe="none", with empty caches, and trace it.

        The events of a stretch are kept if its number is given. Two calls whose secrets alone differ begin
        with the same state: `restore` goes back to it. MachineError from a machine built with `shadow`.
        """

    def path(
        self,
        function: int | str,
        arguments: list[tuple[int, int]],
        max_cycles: int,
        leak_pc: int,
        kind: str,
    ) -> list[tuple[int, str, int | None]]:
        """Call a function up to the first leak of a kind at an address; return how the secret came there.

        Entries are the address of an instruction, its text, and the address that it accessed: first the load
        from marked memory, then instructions through which the secret went, at most twelve in all, and last
        the leak. Where secrets meet in one instruction the way follows one of them. The call is left
        unfinished: `restore` goes back. MachineError if there is no such leak, and from a machine built
        without `shadow`.
        """

    def series(
        self, function: int | str, arguments: list[tuple[int, int]], *, max_cycles: int, window_cycles: int
    ) -> tuple[CallResult, list[Events]]:
        """Call a function as with observe="none", and count events apart for every `window_cycles`.

        An instruction belongs to the window in which it begins; the first window begins with the call
        instruction, and windows in which none begins are left out. MachineError on a family that cannot tell.
        """

    def batch(
        self,
        places: list[tuple[int, int]],
        contents: bytes,
        calls: list[tuple[int, list[tuple[int, int]], int]],
        outputs: list[tuple[int, int]],
        max_cycles: int,
    ) -> tuple[bytes, int, tuple[str, str, int] | None]:
        """Make the same calls for item after item, without restoring anything between them.

        `places` and `outputs` are (address in the data space, length in bytes); `contents` holds the bytes of
        all places of the first item, then those of the second, and so on. A call is (function, arguments
        (value, size in bytes), number of places, the next ones in order, that are written right before it);
        all calls together write every place. `max_cycles` limits each call. Return the outputs of every
        complete item, each followed by 2 bytes of each call's result; the cycles of all calls; and the fault
        that ended the batch (kind, message, number of the item from 0). MachineError if places, contents and
        calls do not fit together, or where nothing is mapped.
        """

def instructions(description_json: str) -> list[tuple[str, str, list[str], str, str]]:
    """Return the instructions of a description's core, in the order of its family's rows.

    Each is its mnemonic, its pattern (fixed bits from the highest down, a dot for each free one), the names
    of its operands, the section of the family's manual, and its class in the mix. MachineError for a
    description that is not usable.
    """

def write_files(folder: str, files: list[tuple[str, bytes]]) -> None:
    """Write files, by their names in a folder, and the folders that they lie in. OSError for the first that
    cannot be written. Other Python threads run meanwhile.
    """

def remove_folder(folder: str) -> None:
    """Remove a folder and all that is in it; OSError for the first that cannot be removed."""

def run_program(
    command: list[str],
    folder: str,
    environment: list[tuple[str, str]],
    places: tuple[list[str], list[str]] | None,
    *,
    memory_bytes: int,
    file_bytes: int,
    cpu_s: int,
    wall_s: float,
) -> tuple[int, bytes, bytes, bool]:
    """Run a program to its end while other Python threads run; all that it starts ends with it.

    With `places` it reaches only those that it may read and those that it may change. Return its exit status,
    negative for a signal, what it printed and what it said on standard error, up to `file_bytes` each, and
    whether it ended within `wall_s`. OSError if it cannot be started, ConfinementError if the kernel does not
    confine it, KeyboardInterrupt if `end_programs` or Ctrl-C ended it.
    """

def end_programs() -> None:
    """End what `run_program` runs, on all threads: after Ctrl-C, which reaches none of these programs."""

def can_confine() -> bool:
    """Return whether this machine confines programs; OSError if that cannot be tried."""
