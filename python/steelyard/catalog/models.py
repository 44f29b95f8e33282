"""Contents of the catalogue's data files; every field is checked on load, unknown ones are refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

Kind = Literal["block", "stream", "hash", "mac", "aead", "signature", "kem"]
Security = Literal["recommended", "acceptable", "legacy", "broken"]
Footprint = Literal["encrypt", "decrypt", "sign", "verify", "both"]
Tier = Literal["rtl", "exact", "close", "model"]
CpuClass = Literal["8-bit", "16-bit", "few-registers", "32-bit", "cached", "linux"]
"""Processors alike enough for one choice of variants: chips by words, registers and caches; Linux devices."""

CPU_CLASSES: tuple[CpuClass, ...] = get_args(CpuClass)
LINUX: CpuClass = "linux"

Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.+-]*$")]
HexBytes = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2})*$")]


class Strict(BaseModel):
    """Base of every data file model: frozen, unknown fields refused."""

    # Most runs read the catalogue as it was kept and validate little: validators are built when needed.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Primitive(Strict):
    """An algorithm with fixed parameters; sizes in bytes, 0 if the kind has none.

    `overhead_bytes` is the excess of a public-key ciphertext over its message, 0 for none.
    """

    id: Identifier
    key_bytes: Annotated[int, Field(ge=0, le=1 << 19)] = 0
    block_bytes: Annotated[int, Field(ge=0, le=256)] = 0
    iv_bytes: Annotated[int, Field(ge=0, le=64)] = 0
    digest_bytes: Annotated[int, Field(ge=0, le=128)] = 0
    tag_bytes: Annotated[int, Field(ge=0, le=64)] = 0
    public_key_bytes: Annotated[int, Field(ge=0, le=1 << 20)] = 0
    signature_bytes: Annotated[int, Field(ge=0, le=65536)] = 0
    ciphertext_bytes: Annotated[int, Field(ge=0, le=65536)] = 0
    shared_secret_bytes: Annotated[int, Field(ge=0, le=128)] = 0
    overhead_bytes: Annotated[int, Field(ge=0, le=4096)] = 0
    rounds: Annotated[int, Field(ge=0)] = 0
    security: Security
    authority: str
    defines: dict[str, int] = {}
    over: tuple[Identifier, ...] = ()
    parts: tuple[Part, ...] = ()
    counted: bool = True

    @property
    def part_algorithms(self) -> tuple[str, ...]:
        """Return the algorithms that a construction is made of, each once; none for other primitives."""
        return tuple(dict.fromkeys(part.algorithm_id for part in self.parts))

    @property
    def macros(self) -> dict[str, int]:
        """Return the macros of its compilation; for a construction, its parts' parameters with its own."""
        own = {
            "PRIMITIVE_KEY_BYTES": self.key_bytes,
            "PRIMITIVE_BLOCK_BYTES": self.block_bytes,
            "PRIMITIVE_IV_BYTES": self.iv_bytes,
            "PRIMITIVE_DIGEST_BYTES": self.digest_bytes,
            "PRIMITIVE_ROUNDS": self.rounds,
        }
        if self.authenticates:
            own["PRIMITIVE_TAG_BYTES"] = self.tag_bytes
        if self.signature_bytes:
            own["PRIMITIVE_PUBLIC_KEY_BYTES"] = self.public_key_bytes
            own["PRIMITIVE_SIGNATURE_BYTES"] = self.signature_bytes
        if self.overhead_bytes:
            own["PRIMITIVE_OVERHEAD_BYTES"] = self.overhead_bytes
        inherited: dict[str, int] = {}
        for part in self.parts:
            inherited |= {name: value for name, value in part.primitive.macros.items() if value}
        return {**own, **inherited, **{name: value for name, value in own.items() if value}, **self.defines}

    @property
    def authenticates(self) -> bool:
        """Whether the primitive is a MAC or an AEAD (the encryption-only level of CCM* has no tag)."""
        return self.tag_bytes > 0 or (bool(self.parts) and not self.signature_bytes)


class Part(Strict):
    """A primitive that a construction uses."""

    algorithm_id: Identifier
    kind: Kind
    primitive: Primitive


class Standing(Strict):
    """Standing of a primitive, and the authority for it."""

    security: Security
    authority: str


class Derived(Strict):
    """A construction's parameters for each primitive it is over; `{}` in `id` is that primitive's name.

    `tag_bytes` is by default a whole digest or block. `counted` names the primitives with which it is listed
    and measured by default; `standing` overrides the rule that the worse of construction and primitive
    decides.
    """

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9.+-]*\{\}[a-z0-9.+-]*$")]
    iv_bytes: Annotated[int, Field(ge=0, le=64)] = 0
    tag_bytes: Annotated[int, Field(ge=0, le=64)] | None = None
    counted: tuple[Identifier, ...]
    security: Security
    authority: str
    standing: dict[Identifier, Standing] = {}


class Over(Strict):
    """The `over` table of `algorithm.toml`: a construction over every primitive of a kind.

    `block_bytes` are the block sizes it accepts, none for all.
    """

    kind: Literal["block", "hash"]
    block_bytes: tuple[int, ...] = ()
    primitive: tuple[Derived, ...] = Field(min_length=1)


class AlgorithmFile(Strict):
    """Contents of `algorithm.toml`: what all variants of an algorithm share, and its primitives.

    `no_on_the_fly` says why a block cipher has no variant that makes round keys beside the data. An algorithm
    `by_import` may have no variant: code for it comes from a tree of others.
    """

    kind: Kind
    title: str
    specification: str
    no_on_the_fly: str | None = None
    by_import: bool = False
    primitive: tuple[Primitive, ...] = ()
    over: Over | None = None

    @property
    def context_header(self) -> str:
        """The header that defines the context; those of constructions stand beside their parts'."""
        return f"{self.kind}_context.h" if self.kind in ("mac", "aead", "signature") else "context.h"


def _classes(value: object) -> object:
    """Every class for true and none for false; anything else is for the field's type to judge."""
    return (CPU_CLASSES if value else ()) if isinstance(value, bool) else value


Operation = Literal[
    "init", "init-decrypt", "encrypt", "decrypt", "digest", "mac", "seal", "open",
    "keypair", "sign", "verify", "encapsulate", "decapsulate",
]  # fmt: skip
"""Operations that code with an interface of its own may have."""

LeakKind = Literal["branch", "target", "condition", "load", "store", "multiply", "divide", "shift", "stack"]
"""How an instruction may depend on a secret, by the names that the emulator gives."""

FunctionName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


class ForeignCall(Strict):
    """The function of an operation in code with an interface of its own, and its arguments in their order.

    An argument is a buffer (`context`, `key`, `iv`, `ad`, `input`, `output`, `tag`; `message`, the input that
    the output takes the place of; `sealed`, ciphertext and tag in one; `public-key`, `secret-key`,
    `ciphertext`, `shared-secret`, `signature`, `signed`, signature and message in one; `coins`, random bytes;
    `count`, eight zero bytes for a length that the function writes; `block`, room for a block; `empty`, a
    text without characters), the length of one in bytes or bits (`input.bytes`, `key.bits`), `null`, or a
    whole number. A length or number is a size_t unless its bytes follow (`input.bytes:8`, `1:4`). A function
    that may fail returns `success` where it did not. One that takes messages of one length only says it in
    `message_bytes`. A `prepared` one finds the context in read-only memory: its set-up is no part of the
    program.
    """

    operation: Operation
    mode: Identifier | None = None
    function: FunctionName
    arguments: tuple[str, ...]
    success: int | None = None
    message_bytes: Annotated[int, Field(ge=1)] | None = None
    prepared: bool = False


class InMode(Strict):
    """What belongs to a mode of code with an interface of its own: further sources, and macros."""

    sources: tuple[str, ...] = ()
    defines: dict[str, int | str] = {}


class ForeignContext(Strict):
    """What the calls of an interface of its own keep between them: a C type, or bytes in a C expression.

    `headers` define what the type or the expression names. With `zeroed`, who calls them clears it first.
    """

    type: str | None = None
    bytes: str | None = None
    headers: tuple[str, ...] = ()
    zeroed: bool = False

    @model_validator(mode="after")
    def _one(self) -> ForeignContext:
        if (self.type is None) == (self.bytes is None):
            raise ValueError("it needs either type or bytes")
        return self


class Declassified(Strict):
    """A function that may depend on a secret although time follows it, and why that tells nothing.

    `kind` is one of the kinds of findings; without it, all of them in the function are meant.
    """

    function: FunctionName
    kind: LeakKind | None = None
    reason: Annotated[str, Field(min_length=1)]


ParameterValue = int | str

_PARAMETER_VALUE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")


class Parameter(Strict):
    """A choice that a variant's sources leave open: one of `values`; `default` is taken where none is named.

    The value is that of the macro `define`, or stands for the compiler flags that `flags` gives for it.
    """

    summary: str
    values: Annotated[tuple[ParameterValue, ...], Field(min_length=2)]
    default: ParameterValue
    define: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None
    flags: dict[str, str] = {}

    @model_validator(mode="after")
    def _consistent(self) -> Parameter:
        names = [str(value) for value in self.values]
        if len(set(names)) < len(names) or any(not _PARAMETER_VALUE.fullmatch(name) for name in names):
            raise ValueError("values are different numbers or words of letters, digits, - and .")
        if self.default not in self.values:
            raise ValueError(f"default {self.default} is none of the values")
        if (self.define is None) == (not self.flags):
            raise ValueError("give either define or flags")
        if self.flags and set(self.flags) != set(names):
            raise ValueError("flags has the values as its keys, all of them")
        return self


class VariantFile(Strict):
    """Contents of `variant.toml`: one implementation.

    With `call`, the sources have an interface of their own: a call for each operation, in place of the
    functions of `primitives/include`. `init` comes before every other operation, `context` is what it leaves
    to them. `random` names the function that the sources ask for random bytes, `randombytes(out, bytes)`.
    `headers` are globs of all that may be included by a name that a macro makes, relative to the variant's
    folder. `flags` are further options of its compilation, `defines_for` macros by CPU family, `in_mode` what
    a mode needs besides. `mspgcc` names functions in assembly for that compiler, which on the MSP430 take
    their arguments in r15 and the registers below it.

    `sources` are linked in this order; `../` before a name is the algorithm's folder. A block cipher without
    `decrypts` only encrypts, which is all that many modes need. `on_the_fly` marks a
    block cipher that makes round keys beside the data. `default` names the classes of processors on which the
    variant is its algorithm's default: `true` says all.

    Sources may lie in folders below these two, and be named by globs, which loading resolves. `include_dirs`
    are further folders of headers, relative to the variant's own; `defines` are macros of its compilation.
    `parameters` are choices that the sources leave open, such as how often a loop is unrolled.

    `declassified` lists what a check of constant time is to accept. `annotated_by` are macros by which the
    sources mark secrets and public values themselves (valgrind/memcheck.h); only a check defines them.

    With `interface`, the sources define routines that take one pointer, in a register, to a record of
    `record_bytes` (an even number, or one by primitive); `call_sources` are what the contract of a hash needs
    besides.
    """

    summary: str
    sources: tuple[str, ...] = Field(min_length=1)
    interface: Literal["pointer"] | None = None
    record_bytes: Annotated[int, Field(ge=2, multiple_of=2)] | dict[Identifier, int] | None = None
    call_sources: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    defines: dict[str, int | str] = {}
    parameters: dict[Identifier, Parameter] = {}
    defines_for: dict[Identifier, dict[str, int | str]] = {}
    in_mode: dict[Identifier, InMode] = {}
    mspgcc: tuple[FunctionName, ...] = ()
    call: tuple[ForeignCall, ...] = ()
    context: ForeignContext | None = None
    random: FunctionName | None = None
    headers: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    init_decrypt: bool = False
    decrypts: bool = True
    on_the_fly: bool = False
    default: Annotated[tuple[CpuClass, ...], BeforeValidator(_classes)] = ()
    families: tuple[Identifier, ...] | None = None
    primitives: tuple[Identifier, ...] | None = None
    declassified: tuple[Declassified, ...] = ()
    annotated_by: dict[str, int | str] = {}


class Vector(Strict):
    """One known answer. `repeat` repeats `input`; `output` is the result of `operation`.

    An AEAD's are of `seal`: `iv` is the nonce, `output` the ciphertext, `tag` beside it. A signature's
    are of `sign`: `iv` is the nonce, `input` the digest, `public_key` that of `key`; or of `encrypt`, with a
    message as input.
    """

    primitive: Identifier
    operation: Literal["encrypt", "decrypt", "digest", "mac", "seal", "sign"]
    mode: Identifier | None = None
    key: HexBytes = ""
    iv: HexBytes = ""
    ad: HexBytes = ""
    input: HexBytes = ""
    repeat: Annotated[int, Field(ge=1)] = 1
    output: HexBytes
    tag: HexBytes = ""
    public_key: HexBytes = ""
    source: str


class AnswerFile(Strict):
    """A published file of known answers beside `vectors.toml`: of NIST LWC, CAVP or Wycheproof.

    At most `most` of its answers are taken, evenly spread; `mode` is that of a block cipher's answers.
    """

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$")]
    primitive: Identifier
    mode: Identifier | None = None
    most: Annotated[int, Field(ge=2)] = 32


class VectorFile(Strict):
    """Contents of `vectors/<algorithm>.toml`, or of a user's `vectors.toml`; at least one answer."""

    vector: tuple[Vector, ...] = ()
    file: tuple[AnswerFile, ...] = ()

    @model_validator(mode="after")
    def _not_empty(self) -> VectorFile:
        if not self.vector and not self.file:
            raise ValueError("it names no known answer: [[vector]] or [[file]]")
        return self


Pieces = Literal["independent", "counter", "ciphertext"]


class ModeFile(Strict):
    """Contents of `modes/<mode>/mode.toml`: a mode of operation for any block cipher.

    `pieces` states, for each direction in which pieces of a message can be processed in parallel, how a piece
    begins: like any other, at its own count, or with the ciphertext before it as IV.
    """

    title: str
    specification: str
    sources: tuple[str, ...] = Field(min_length=1)
    whole_blocks: bool
    uses_iv: bool
    decrypts_with: Literal["encrypt", "decrypt"]
    pieces: dict[Literal["encrypt", "decrypt"], Pieces] = {}


class Source(Strict):
    """Source of a fact: the fact, the opened document, its section."""

    fact: str
    document: str
    section: str


class Latency(Strict):
    """Time of a memory, independent of the clock: of the first access of a burst, and of each further one.

    One access moves `bus_bytes`. `cached`: in the usual caches, in the minicache (data only), or not at all.
    """

    read_first_ns: Annotated[float, Field(ge=0, le=1e6)]
    read_next_ns: Annotated[float, Field(ge=0, le=1e6)]
    write_first_ns: Annotated[float, Field(ge=0, le=1e6)]
    write_next_ns: Annotated[float, Field(ge=0, le=1e6)]
    bus_bytes: Annotated[int, Field(ge=1, le=64)]
    cached: Literal["yes", "mini", "no"] = "yes"


class Memory(Strict):
    """One memory region as the CPU addresses it; sizes in bytes, waits in extra cycles per access.

    The region also begins at each address of `also_at`. A region with a `latency` lies behind the chip's
    caches and has no waits.
    """

    name: Identifier
    space: Literal["program", "data", "eeprom"]
    kind: Literal["flash", "ram", "io", "eeprom", "flash-window"]
    base: Annotated[int, Field(ge=0)]
    size: Annotated[int, Field(gt=0)]
    wait_read_cycles: Annotated[int, Field(ge=0)] = 0
    wait_write_cycles: Annotated[int, Field(ge=0)] = 0
    external: bool = False
    also_at: tuple[Annotated[int, Field(ge=0)], ...] = ()
    latency: Latency | None = None


class Place(Strict):
    """Addresses from `base` on."""

    base: Annotated[int, Field(ge=0)]
    size: Annotated[int, Field(gt=0)]


class LockedLines(Place):
    """Addresses whose lines are in a cache from the start and stay."""


class CacheGeometry(Strict):
    """One cache; `write_allocate`: a store that misses inserts the line; `seed` belongs to `random`."""

    size: Annotated[int, Field(ge=16, le=1 << 24)]
    line: Annotated[int, Field(ge=16, le=256)]
    ways: Annotated[int, Field(ge=1, le=1024)]
    replacement: Literal["round-robin", "lru", "random"]
    write: Literal["back", "through"] = "back"
    write_allocate: bool = False
    locked: tuple[LockedLines, ...] = ()
    seed: Annotated[int, Field(ge=0, le=0xFFFFFFFF)] = 0

    @model_validator(mode="after")
    def _whole_sets(self) -> CacheGeometry:
        sets, rest = divmod(self.size, self.line * self.ways)
        if rest or sets & (sets - 1) or self.line & (self.line - 1):
            raise ValueError(
                f"{self.size} bytes are no power of two of sets of {self.ways} lines of {self.line} bytes"
            )
        return self


class WriteBuffer(Strict):
    """Stores on their way to memory; `merge`: which of them join one that waits."""

    entries: Annotated[int, Field(ge=1, le=64)]
    entry_bytes: Annotated[int, Field(ge=4, le=128)]
    merge: Literal["multiple", "all"] = "multiple"


class LineFill(Strict):
    """Effect of a line fill on the core; `outstanding` data lines may be in flight before a load blocks."""

    critical_word_first: bool = False
    resume_at_word: bool = False
    outstanding: Annotated[int, Field(ge=0, le=64)] = 0


class Caches(Strict):
    """The caches of a chip: split, with a second small one for data, or unified."""

    icache: CacheGeometry | None = None
    dcache: CacheGeometry | None = None
    minicache: CacheGeometry | None = None
    unified: CacheGeometry | None = None
    write_buffer: WriteBuffer | None = None
    fill: LineFill = LineFill()

    @property
    def present(self) -> bool:
        """Whether the chip has anything that can be cold."""
        return any((self.icache, self.dcache, self.minicache, self.unified))


class RowCache(Strict):
    """A cache of flash rows in front of a microcontroller's core, with least recently used replacement.

    `keeps_prefetched`: lines that were read ahead are kept, too. `hit_wait_cycles`: cycles of a hit beyond
    those of memory that answers at once; with `looks_ahead` the line behind the one last used is looked up
    ahead, and any other line takes them, found or not.
    """

    size_bytes: Annotated[int, Field(ge=4, le=1 << 20)]
    line_bytes: Annotated[int, Field(ge=4, le=256)]
    ways: Annotated[int, Field(ge=1, le=1024)]
    keeps_prefetched: bool = False
    hit_wait_cycles: Annotated[int, Field(ge=0, le=16)] = 0
    looks_ahead: bool = False


class FlashSwitches(Strict):
    """The register by which a program turns the buffer of rows and the caches of the flash off and on.

    `control` and `status` are addresses, `reset` what the register holds after a reset. The bits
    `buffer_off`, where all are set, turn the buffer off; the caches are on where the bits `mode` have the
    value `mode_cached`.
    """

    control: int
    status: int
    reset: int
    buffer_off: int
    mode: int
    mode_cached: int


class FlashPath(Strict):
    """Read path of a microcontroller's flash: a row of `row_bytes` in `access_ns`, independent of the clock.

    With `prefetch` the row after the last one read for instructions is read ahead. `region` names the memory
    that is read this way; without it every memory of the kind flash is. With `one_port` instructions and data
    come over one port, with one buffer of the row last read.
    """

    region: str | None = None
    access_ns: Annotated[float, Field(ge=0, le=1e6)]
    row_bytes: Annotated[int, Field(ge=4, le=64)]
    prefetch: bool = False
    instruction_cache: RowCache | None = None
    data_cache: RowCache | None = None
    unified_cache: RowCache | None = None
    one_port: bool = False
    switches: FlashSwitches | None = None

    @property
    def present(self) -> bool:
        """Whether the chip has anything that can be cold."""
        return any((self.instruction_cache, self.data_cache, self.unified_cache))


class ToolchainFlags(Strict):
    """Options with which one toolchain compiles for a chip."""

    compile: tuple[str, ...]
    link: tuple[str, ...] = ()


EnergyEvent = Literal["cycles", "fetches", "loads", "stores", "registers", "alu", "multiply"]


class EnergyPart(Strict):
    """A part of a processor in a form of its energy: `capacitance_pf` is charged at each of its events."""

    name: str
    events: Annotated[tuple[EnergyEvent, ...], Field(min_length=1)]
    capacitance_pf: Annotated[float, Field(gt=0)]


class EnergyReference(Strict):
    """A program that was measured: its capacitance in each cycle, and its events in each cycle."""

    capacitance_pf: Annotated[float, Field(gt=0)]
    events: dict[EnergyEvent, Annotated[float, Field(ge=0)]]
    document: str
    section: str


class EnergyForm(Strict):
    """Energy = scale x supply^2 x the sum of capacitance x events over the parts.

    The scale is 1, or such that a reference program takes what was measured of it.
    """

    part: Annotated[tuple[EnergyPart, ...], Field(min_length=1)]
    reference: EnergyReference | None = None
    document: str
    section: str


class EventEnergy(Strict):
    """Energy from the events of a run, in two forms: as a chip was measured, and as a simulator computes it.

    A core says both, a chip its `energy_supply_v`. `low_factor` and `high_factor` bound the measured form.
    """

    low_factor: Annotated[float, Field(gt=0, le=1)]
    high_factor: Annotated[float, Field(ge=1)]
    error_reason: str
    measured: EnergyForm
    simulated: EnergyForm | None


class EnergyModel(Strict):
    """Supply current in active mode at one operating point: energy = cycles / clock x volt x ampere.

    `stall_ma` is the current in cycles in which the core waits for memory, if published. `error_percent` is
    the error of the figure: the energy lies between figure / (1 + error) and figure x (1 + error).
    `error_reason` is its origin.
    """

    supply_v: Annotated[float, Field(gt=0)]
    active_ma: Annotated[float, Field(gt=0)]
    stall_ma: Annotated[float, Field(gt=0)] | None = None
    clock_hz: Annotated[int, Field(gt=0)]
    error_percent: Annotated[float, Field(ge=0)]
    error_reason: str = ""
    document: str
    section: str


class ChipFacts(Strict):
    """Facts of a chip that its own file, the `chip` table of its core's file or its family's file may hold.

    `code_in_ram` tells whether `--set code` may move the code of a chip without caches. `peripherals` are the
    addresses of registers that no memory holds; without any they may lie wherever none lies. `assumed` lists
    what no opened source says.
    """

    word_bits: Literal[8, 16, 32, 64] | None = None
    few_registers: bool = False
    big_endian: bool = False
    code_in_ram: bool = False
    evidence: tuple[str, ...] = ()
    known_gaps: tuple[str, ...] = ()
    memory: tuple[Memory, ...] = ()
    peripherals: tuple[Place, ...] = ()
    toolchain: dict[Identifier, ToolchainFlags] = {}
    core_options: dict[str, int] = {}
    cache: Caches | None = None
    event_energy: EventEnergy | None = None
    assumed: tuple[str, ...] = ()
    source: tuple[Source, ...] = ()


class CoreFile(Strict):
    """`targets/cores/<core>.toml`: a core's data, checked by the emulator, and what its chips share."""

    model_config = ConfigDict(extra="allow")

    id: Identifier
    family: Identifier
    chip: ChipFacts = ChipFacts()


class TargetFile(ChipFacts):
    """Contents of `targets/<target>.toml`: a chip. `core` names `targets/cores/<core>.toml`."""

    id: Identifier
    title: str
    core: Identifier
    clock_hz: Annotated[int, Field(gt=0)]
    tier: Tier
    energy: EnergyModel | None = None
    energy_supply_v: Annotated[float, Field(gt=0)] | None = None
    flash: FlashPath | None = None

    @property
    def has_energy(self) -> bool:
        """Whether the energy of a run is known, by the supply current or by events."""
        return self.energy is not None or self.has_event_energy

    @property
    def has_event_energy(self) -> bool:
        """Whether the energy of a run is known by its events."""
        return self.event_energy is not None and self.energy_supply_v is not None


class Chip(TargetFile):
    """A chip as its file and its core's say it together.

    `settings` is not empty where the chip was changed for a run, nor `file_hash` for a chip of one's own.
    """

    family: Identifier
    word_bits: Literal[8, 16, 32, 64]
    evidence: tuple[str, ...]
    memory: tuple[Memory, ...] = Field(min_length=1)
    toolchain: dict[Identifier, ToolchainFlags]
    settings: str = ""
    file_hash: str = ""


class Target(Strict):
    """A chip with its core's data file, in the form for the emulator."""

    file: Chip
    core: dict[str, object]
    timing_version: str

    @property
    def id(self) -> str:
        """The chip's identifier."""
        return self.file.id

    def size_bytes(self, kind: Literal["flash", "ram"], *, external: bool = False) -> int:
        """Return the bytes of the chip's own memory of a kind (with `external`, of the board's too).

        A chip without that kind has the board's. Lab memory does not count.
        """
        all_of_kind = [m for m in self.file.memory if m.kind == kind and m.name != "lab"]
        own = [m for m in all_of_kind if not m.external]
        return sum(m.size for m in (all_of_kind if external or not own else own))

    @property
    def cpu_class(self) -> CpuClass:
        """The class of its processor, which decides the default variants."""
        cache = self.file.cache
        if cache is not None and (cache.dcache or cache.unified):
            return "cached"
        if self.file.few_registers:
            return "few-registers"
        by_words: dict[int, CpuClass] = {8: "8-bit", 16: "16-bit"}
        return by_words.get(self.file.word_bits, "32-bit")

    @property
    def lab(self) -> Memory:
        """Region of the caller's buffers, outside the chip's memories; StopIteration without one."""
        return next(m for m in self.file.memory if m.name == "lab")


class Algorithm(Strict):
    """An algorithm of the catalogue: its file, folder, variants and known answers."""

    id: Identifier
    folder: Path
    file: AlgorithmFile
    variants: tuple[Variant, ...]
    vectors: tuple[Vector, ...]

    def primitive(self, primitive_id: str) -> Primitive:
        """Return the primitive of that name; KeyError if the algorithm has none."""
        for primitive in self.file.primitive:
            if primitive.id == primitive_id:
                return primitive
        raise KeyError(primitive_id)


class Variant(Strict):
    """One implementation; `id` is `algorithm/name`.

    `root` is the tree of others that it stands in, to which its paths are relative; None for one whose
    folder has a `variant.toml`. `chosen` are values of its parameters; others have their default.
    """

    id: str
    algorithm_id: Identifier
    folder: Path
    file: VariantFile
    root: Path | None = None
    chosen: tuple[tuple[Identifier, ParameterValue], ...] = ()

    @property
    def values(self) -> dict[str, ParameterValue]:
        """Return the value of each parameter, by its name."""
        return {name: one.default for name, one in self.file.parameters.items()} | dict(self.chosen)

    @property
    def parameters(self) -> str | None:
        """Return the parameters as a record has them, such as `unroll=4`; None without any."""
        return " ".join(f"{name}={value}" for name, value in sorted(self.values.items())) or None

    @property
    def defines(self) -> dict[str, int | str]:
        """Return the macros of its compilation, those of its parameters included."""
        given = {self.file.parameters[name].define: value for name, value in self.values.items()}
        return {**self.file.defines, **{name: value for name, value in given.items() if name is not None}}

    @property
    def parameter_flags(self) -> tuple[str, ...]:
        """Return the compiler flags that its parameters stand for."""
        given = (self.file.parameters[name].flags.get(str(value), "") for name, value in self.values.items())
        return tuple(word for text in given for word in text.split())

    @property
    def is_foreign(self) -> bool:
        """Whether the code has an interface of its own, which its calls describe."""
        return bool(self.file.call)

    def calls(self, operation: str, mode_id: str | None = None) -> tuple[ForeignCall, ...]:
        """Return the calls of an operation, in their order; empty if there is no such operation."""
        return tuple(one for one in self.file.call if (one.operation, one.mode) == (operation, mode_id))

    def setup(self, operation: str, mode_id: str | None = None) -> tuple[ForeignCall, ...]:
        """Return the calls before an operation: those of its mode, of decryption, or the common ones."""
        inverse = ("init-decrypt",) if operation in ("decrypt", "open") else ()
        for name in (*inverse, "init"):
            for mode in dict.fromkeys((mode_id, None)):
                found = self.calls(name, mode)
                if found:
                    return found
        return ()

    def only_bytes(self, operation: str, mode_id: str | None = None) -> int | None:
        """Return the one length of messages that an operation takes, None if it takes others too."""
        lengths = (one.message_bytes for one in self.calls(operation, mode_id))
        return next((length for length in lengths if length is not None), None)

    def is_prepared(self, operation: str, mode_id: str | None = None) -> bool:
        """Whether an operation finds what its set-up makes in read-only memory."""
        return any(one.prepared for one in self.calls(operation, mode_id))

    def does(self, primitive_id: str) -> bool:
        """Whether the variant implements that primitive of its algorithm."""
        return self.file.primitives is None or primitive_id in self.file.primitives

    def record_bytes(self, primitive_id: str) -> int:
        """Return the bytes of the record of the pointer interface, 0 without it."""
        given = self.file.record_bytes
        return given[primitive_id] if isinstance(given, dict) else given or 0


class Mode(Strict):
    """A mode of operation; `id` is its folder's name."""

    id: Identifier
    folder: Path
    file: ModeFile
