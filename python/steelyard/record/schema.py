"""The record: one flat row per measured cell. Every field is defined here, once."""

from __future__ import annotations

from typing import Literal

from steelyard.record.field import Field
from steelyard.record.linux import HOST_FIELDS

__all__ = [
    "FIELDS",
    "FIELD_NAMES",
    "IDENTITY",
    "METRICS",
    "MIX_CLASSES",
    "Field",
    "Record",
    "Status",
    "blank",
    "complete",
    "identity",
    "mix_field",
]

Record = dict[str, str | int | float | bool | None]

Status = Literal["ok", "build-failed", "wrong-output", "fault", "does-not-fit", "unsupported"]

MIX_CLASSES = (
    "alu",
    "shift",
    "multiply",
    "load",
    "store",
    "load-program",
    "branch",
    "jump",
    "call",
    "return",
    "stack",
    "io",
    "bit",
    "other",
)
"""Classes of executed instructions, as the emulator counts them."""


def mix_field(mix_class: str) -> str:
    """Return the name of the column that counts a class of instructions."""
    return "mix_" + mix_class.replace("-", "_")


# fmt: off
FIELDS: tuple[Field, ...] = (
    Field("kind", str, "", "kind of the primitive: block, stream, hash, mac, aead, signature or kem; function"
          " for a symbol of any image", True),
    Field("primitive", str, "", "algorithm with fixed parameters; null for a symbol of any image", True),
    Field("variant", str, "", "implementation as algorithm/name; null for a symbol of any image and for a"
          " library", True),
    Field("parts", str, "", "variants of a construction's parts, joined by spaces; their bytes count for the"
          " construction; null for other primitives", True),
    Field("parameters", str, "", "values of its parameters, such as unroll=4, joined by spaces; null"
          " for a variant without any", True),
    Field("target", str, "", "chip, or architecture of a Linux device", True),
    Field("toolchain", str, "", "compiler: gcc or clang; null for a call by --elf", True),
    Field("toolchain_version", str, "", "version that the compiler states", True),
    Field("flags", str, "", "exact optimisation flags, joined by spaces; see object_flags", True),
    Field("footprint", str, "", "operations that the image contains: encrypt (seal), decrypt (open), sign,"
          " verify, or both (all of them)", True),
    Field("operation", str, "", "measured operation: init, init-decrypt, encrypt, decrypt, digest, mac, seal,"
          " open, sign or verify; call for a symbol of any image", True),
    Field("mode", str, "", "mode of operation; null for the raw block operation and for other kinds", True),
    Field("padding", str, "", "padding applied to the payload before the call: none, zero or pkcs7", True),
    Field("message_bytes", int, "byte", "payload of one call before padding; null for operations without a"
          " message", True),
    Field("ad_bytes", int, "byte", "associated data of one call; null for operations without any", True),
    Field("clock_hz", int, "Hz", "CPU clock; null for a Linux device", True),
    Field("cache_state", str, "", "warm (the call ran once before, uncounted) or cold; null on chips without"
          " caches and branch prediction", True),
    Field("settings", str, "", "changes of the chip by --set, joined by spaces; null without any", True),
    Field("image", str, "", "path of the image of a call by --elf; null otherwise", True),
    Field("symbol", str, "", "function that was called", True),
    Field("arguments", str, "", "arguments of a call by --elf; null otherwise", True),
    Field("security", str, "", "standing of the primitive: recommended, acceptable, legacy or broken"),
    Field("samples", int, "", "number of seeded random inputs measured;"
          " fewer than asked for where all calls take the same time, or long"),
    Field("input_seed", str, "", "seed from which all inputs are derived"),
    Field("tier", str, "", "accuracy of timing: rtl, exact, close or model; host for a Linux device"),
    Field("status", str, "", "result of the cell: ok, build-failed, wrong-output, fault or does-not-fit;"
          " unsupported if a device cannot run it, or an image of --elf cannot be used"),
    Field("error", str, "", "what went wrong; null if status is ok"),
    Field("fault_kind", str, "", "type of the fault; null unless status is fault"),
    Field("verified", bool, "", "whether the outputs of this run equalled the known answers"),
    Field("verified_by", str, "", "known answers or implementation with which the outputs were compared"),
    Field("evidence", str, "", "kinds of these, joined by spaces: independent (another implementation),"
          " vectors (published answers), consistency (an AEAD opens what it sealed itself and refuses altered"
          " ones); null if not verified on a chip"),
    Field("constant_time", str, "", "whether time may follow a secret (the key; the message of a hash): yes"
          " (nothing depends on one), on-this-chip (addresses do, in memory that answers in one time) or no;"
          " null if not checked, as calls of more than 300 million cycles are not: steelyard check does"),
    Field("leaks", int, "", "instructions that depend on a secret and are not declassified; null if not"
          " checked"),
    Field("cycles", float, "cycle", "CPU clock cycles from the start of the call instruction to the first"
          " instruction after the return, mean over the samples; on a Linux device cycles of"
          " the process in user space, mean over its runs", False, True),
    Field("cycles_min", int, "cycle", "minimum of cycles over the samples", False, True),
    Field("cycles_max", int, "cycle", "maximum of cycles over the samples", False, True),
    Field("cycles_sd", float, "cycle",
          "standard deviation of cycles over the samples (population)", False, True),
    Field("cycles_per_byte", float, "cycle/byte",
          "cycles / message_bytes; null without a message", False, True),
    Field("mode_overhead_cycles_per_block", float, "cycle", "cycles of a block in the mode beyond those of"
          " the bare block operation; null without a mode and for messages of less than two"
          " whole blocks", False, True, True),
    Field("time_us", float, "us",
          "time of a call: cycles / clock_hz; on a Linux device the mean of its runs", False, True),
    Field("throughput_bytes_per_s", float, "byte/s", "message_bytes / time_us, in bytes per second; null"
          " without a message", False, True),
    Field("rom_code_bytes", int, "byte", "code of the variant in the linked image; null for a Linux device"
          " and a call by --elf, as are all sizes in ROM", False, True),
    Field("rom_const_bytes", int, "byte", "read-only data and initialisers of the variant", False, True),
    Field("rom_mode_bytes", int, "byte",
          "code and constants of the mode; not part of rom_bytes", False, True),
    Field("rom_support_bytes", int, "byte", "compiler-runtime and libc routines in the image, and what leads"
          " from C to routines with the pointer interface", False, True),
    Field("rom_bytes", int, "byte", "ROM of the primitive: rom_code_bytes + rom_const_bytes +"
          " rom_support_bytes", False, True),
    Field("ram_static_bytes", int, "byte", "the variant's .data and .bss", False, True),
    Field("ram_context_bytes", int, "byte", "context with expanded keys", False, True),
    Field("ram_io_bytes", int, "byte", "buffers that the caller must provide: message, key, IV or nonce,"
          " associated data, digest or tag", False, True),
    Field("ram_stack_bytes", int, "byte", "exact stack peak below the stack pointer at the call, return"
          " address included, maximum of the samples; null for a Linux device", False, True),
    Field("ram_heap_bytes", int, "byte", "most bytes that the calls had from malloc at once, with what the"
          " heap keeps beside them; null if they had none", False, True),
    Field("ram_bytes", int, "byte", "RAM of the primitive without the caller's buffers: ram_static_bytes +"
          " ram_context_bytes + ram_stack_bytes + ram_heap_bytes", False, True),
    Field("record_bytes", int, "byte", "record of the pointer interface, at the begin of the context; null"
          " for variants without it, as are the two fields that follow", False, True),
    Field("pointer_cycles", float, "cycle", "cycles of the routine behind the measured function, called with"
          " a pointer to its record, mean over the samples; of a hash one block", False, True),
    Field("pointer_stack_bytes", int, "byte", "stack of that call, return address included, maximum of the"
          " samples", False, True),
    Field("energy_nj", float, "nJ", "energy of a call by the target's model; on a Linux device that of the"
          " whole machine by its counters; null without model or counters", False, True),
    Field("energy_low_nj", float, "nJ", "least energy that the model's stated error allows", False, True),
    Field("energy_high_nj", float, "nJ", "most energy that the model's stated error allows", False, True),
    Field("energy_error_percent", float, "%",
          "stated error of the energy model, the larger side; null without a model", False, True),
    Field("energy_simulated_nj", float, "nJ", "energy of a call as a simulator by components computes it;"
          " null where no such form is known", False, True),
    Field("energy_shares", str, "JSON", "shares of energy_simulated_nj by component, of 1; null without it",
          False, True),
    Field("power_mw", float, "mW", "mean power: energy / time", False, True),
    Field("power_series", str, "JSON", "power of the first sample over time: cycles of each window, and its"
          " mean power in mW by the measured and the simulated form; null without an energy model by events",
          False, True),
    Field("instructions", float, "", "executed instructions, mean over the samples; on a Linux device null"
          " without performance counters", False, True),
    Field("loads", float, "", "executed loads in the CPU's unit of a transfer (bytes, registers or words),"
          " mean over the samples", False, True),
    Field("stores", float, "", "executed stores in the CPU's unit of a transfer (bytes, registers or words),"
          " mean over the samples", False, True),
    Field("register_reads", float, "", "registers read by instructions, mean over the samples; null on a"
          " family that does not count them", False, True),
    Field("register_writes", float, "", "registers written by instructions, mean over the samples; null on a"
          " family that does not count them", False, True),
    Field("branches", float, "",
          "executed conditional branches and skips, mean over the samples", False, True),
    Field("branches_taken", float, "",
          "conditional branches and skips that were taken, mean over the samples", False, True),
    Field("cache_hits", float, "", "cache hits of instructions, loads and stores, mean over the samples; null"
          " on chips without caches", False, True),
    Field("cache_misses", float, "", "cache misses of instructions, loads and stores, mean over the samples;"
          " null on chips without caches", False, True),
    Field("icache_misses", float, "", "cache misses of instruction fetches, mean over the samples; null on"
          " chips without caches", False, True),
    Field("dcache_misses", float, "", "cache misses of loads and stores, mean over the samples; null on chips"
          " without caches", False, True),
    Field("cache_write_backs", float, "", "dirty cache lines written back, mean over the samples; null on"
          " chips without caches", False, True),
    Field("memory_stall_cycles", float, "cycle", "cycles in which the core waited for memory, mean over the"
          " samples; null on chips without caches", False, True),
    *(
        Field(mix_field(name), float, "",
              f"executed instructions of class {name}, mean over the samples", False, True)
        for name in MIX_CLASSES
    ),
    Field("functions", str, "JSON", "cycles and instructions by function, mean over the samples: a list of"
          " {name, cycles, instructions}, most cycles first", False, True),
    Field("ignored", str, "", "accesses to peripherals that --ignore-peripherals let pass in a call by --elf:"
          " how many, and the first; null without any"),
    Field("return_value", str, "", "result of a call by --elf as an unsigned number; null otherwise"),
    Field("outputs", str, "JSON", "out and inout buffers after a call by --elf, a list of hexadecimal"
          " strings; null otherwise"),
    *HOST_FIELDS,
    Field("source_hash", str, "", "SHA-256 of the sources, headers and metadata that the build read"),
    Field("object_flags", str, "JSON", "objects that do not compile with the flags alone, each with the"
          " options appended to its flags; null if there are none"),
    Field("image_hash", str, "", "SHA-256 of the linked image"),
    Field("prebuilt", bool, "", "whether the image came with Steelyard, built elsewhere from these sources;"
          " null for a call by --elf"),
    Field("target_hash", str, "", "SHA-256 of a chip of one's own, as its file and what it inherits say it;"
          " null for a known chip"),
    Field("timing_version", str, "", "core of the target, and hash of its timing data, memories and options"),
    Field("emulator_version", str, "", "version of the emulator and hash of its source; null for a Linux"
          " device"),
    Field("steelyard_version", str, "", "version of Steelyard"),
    Field("steelyard_commit", str, "", "commit of the working tree, with + if changed; null in an installed"
          " wheel"),
    Field("date", str, "", "time of the measurement, UTC, ISO 8601"),
)
# fmt: on

FIELD_NAMES: tuple[str, ...] = tuple(field.name for field in FIELDS)
IDENTITY: tuple[str, ...] = tuple(field.name for field in FIELDS if field.identity)
METRICS: tuple[str, ...] = tuple(field.name for field in FIELDS if field.metric)


def blank() -> Record:
    """Return a record with every key present and null."""
    return dict.fromkeys(FIELD_NAMES)


def complete(partial: Record) -> Record:
    """Return the record with every key present, in the order of FIELDS; KeyError for an unknown key."""
    record = blank()
    for name, value in partial.items():
        if name not in record:
            raise KeyError(name)
        record[name] = value
    return record


def identity(record: Record) -> tuple[str | int | float | bool | None, ...]:
    """Return the values that identify a cell; of records with the same values, the newest counts."""
    return tuple(record[name] for name in IDENTITY)
