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
    """Name of the column that counts a class of instructions."""
    return "mix_" + mix_class.replace("-", "_")


FIELDS: tuple[Field, ...] = (
    Field(
        "kind",
        str,
        "",
        "block, stream, hash, mac, aead or signature; function for a symbol of any image",
        True,
    ),
    Field("primitive", str, "", "algorithm with fixed parameters", True),
    Field("variant", str, "", "implementation, algorithm/name", True),
    Field(
        "parts",
        str,
        "",
        "variants of what a construction is over, joined by spaces; their bytes are its own; null otherwise",
        True,
    ),
    Field("target", str, "", "chip", True),
    Field("toolchain", str, "", "compiler family", True),
    Field("toolchain_version", str, "", "version the compiler states", True),
    Field("flags", str, "", "exact optimisation flags, joined by spaces; see object_flags", True),
    Field(
        "footprint",
        str,
        "",
        "what the image keeps: encrypt (seal), decrypt (open), sign, verify, or both (all of them)",
        True,
    ),
    Field(
        "operation",
        str,
        "",
        "init, init-decrypt, encrypt, decrypt, digest, mac, seal, open, sign, verify;"
        " call for a symbol of any image",
        True,
    ),
    Field("mode", str, "", "mode of operation; null for the raw block operation and for other kinds", True),
    Field("padding", str, "", "padding applied to the payload before the call: none, zero or pkcs7", True),
    Field(
        "message_bytes", int, "byte", "payload of one call, before padding; null where there is none", True
    ),
    Field("ad_bytes", int, "byte", "associated data of one call; null where there is none", True),
    Field("clock_hz", int, "Hz", "CPU clock", True),
    Field("cache_state", str, "", "warm or cold; null on chips without caches and branch prediction", True),
    Field(
        "settings",
        str,
        "",
        "what --set changed of the chip, joined by spaces; null otherwise",
        True,
    ),
    Field("image", str, "", "path of the image of a call by --elf, null otherwise", True),
    Field("symbol", str, "", "function called", True),
    Field("arguments", str, "", "arguments of a call by --elf, null otherwise", True),
    Field("security", str, "", "standing of the primitive: recommended, acceptable, legacy or broken"),
    Field("samples", int, "", "seeded random inputs measured"),
    Field("input_seed", str, "", "seed from which all inputs are derived"),
    Field("tier", str, "", "accuracy of the target's timing: exact, close or model; host for a Linux device"),
    Field(
        "status",
        str,
        "",
        "ok, build-failed, wrong-output, fault or does-not-fit; unsupported where a device cannot",
    ),
    Field("error", str, "", "what went wrong, where status is not ok"),
    Field("fault_kind", str, "", "type of the fault, where status is fault"),
    Field("verified", bool, "", "the outputs of this very run equalled the known answers"),
    Field("verified_by", str, "", "what the outputs were compared with"),
    Field(
        "cycles",
        float,
        "cycle",
        "CPU clock cycles of the call through its return, mean over the samples; of a Linux device"
        " those of the process in user space, mean over its runs",
        False,
        True,
    ),
    Field("cycles_min", int, "cycle", "fewest cycles of a sample", False, True),
    Field("cycles_max", int, "cycle", "most cycles of a sample", False, True),
    Field("cycles_sd", float, "cycle", "standard deviation over the samples (population)", False, True),
    Field("cycles_per_byte", float, "cycle/byte", "cycles / message_bytes", False, True),
    Field(
        "mode_overhead_cycles_per_block",
        float,
        "cycle",
        "what a block costs in the mode beyond the bare block operation; null without a mode and for messages"
        " of less than two whole blocks",
        False,
        True,
    ),
    Field("time_us", float, "us", "cycles / clock_hz; of a Linux device the mean of its runs", False, True),
    Field("throughput_bytes_per_s", float, "byte/s", "message_bytes / time", False, True),
    Field("rom_code_bytes", int, "byte", "the variant's own code in the linked image", False, True),
    Field("rom_const_bytes", int, "byte", "the variant's read-only data and initialisers", False, True),
    Field("rom_mode_bytes", int, "byte", "code and constants of the mode, apart", False, True),
    Field(
        "rom_support_bytes", int, "byte", "compiler-runtime and libc routines pulled in, apart", False, True
    ),
    Field("rom_bytes", int, "byte", "code + const + support", False, True),
    Field("ram_static_bytes", int, "byte", "the variant's .data and .bss", False, True),
    Field("ram_context_bytes", int, "byte", "context with expanded keys", False, True),
    Field(
        "ram_io_bytes",
        int,
        "byte",
        "buffers the caller must provide: message, key, IV or nonce, associated data, digest or tag",
        False,
        True,
    ),
    Field(
        "ram_stack_bytes",
        int,
        "byte",
        "exact peak below the stack pointer at the call, return address included, largest of the samples",
        False,
        True,
    ),
    Field("ram_bytes", int, "byte", "static + context + stack", False, True),
    Field(
        "energy_nj",
        float,
        "nJ",
        "energy by the target's model; of a Linux device what its counters say for the whole machine;"
        " null where there is neither",
        False,
        True,
    ),
    Field("energy_error_percent", float, "%", "stated error of the energy model", False, True),
    Field("power_mw", float, "mW", "energy / time", False, True),
    Field("instructions", float, "", "executed instructions, mean over the samples", False, True),
    Field("loads", float, "", "loads, mean over the samples", False, True),
    Field("stores", float, "", "stores, mean over the samples", False, True),
    Field("branches", float, "", "conditional branches and skips, mean over the samples", False, True),
    Field("branches_taken", float, "", "those taken, mean over the samples", False, True),
    Field(
        "cache_hits",
        float,
        "",
        "cache hits of instructions, loads and stores, mean over the samples; null on chips without caches",
        False,
        True,
    ),
    Field("cache_misses", float, "", "cache misses, mean over the samples; null likewise", False, True),
    Field("icache_misses", float, "", "those of instructions; null likewise", False, True),
    Field("dcache_misses", float, "", "those of loads and stores; null likewise", False, True),
    Field(
        "cache_write_backs",
        float,
        "",
        "dirty lines that went, mean over the samples; null likewise",
        False,
        True,
    ),
    Field(
        "memory_stall_cycles",
        float,
        "cycle",
        "cycles in which the core waited for memory, mean over the samples; null likewise",
        False,
        True,
    ),
    *(
        Field(
            mix_field(name),
            float,
            "",
            f"executed instructions of class {name}, mean over the samples",
            False,
            True,
        )
        for name in MIX_CLASSES
    ),
    Field(
        "functions",
        str,
        "JSON",
        "cycles and instructions by function, mean over the samples:"
        " a list of {name, cycles, instructions}, most cycles first",
        False,
        True,
    ),
    Field("return_value", str, "", "result of a call by --elf, as an unsigned number"),
    Field(
        "outputs", str, "JSON", "out and inout buffers after a call by --elf: a list of hexadecimal strings"
    ),
    *HOST_FIELDS,
    Field("source_hash", str, "", "SHA-256 of sources, headers and metadata the build read"),
    Field(
        "object_flags",
        str,
        "JSON",
        "objects that do not compile with the flags alone, each with what was put behind them; null if there"
        " are none",
    ),
    Field("image_hash", str, "", "SHA-256 of the linked image"),
    Field(
        "prebuilt",
        bool,
        "",
        "the image came with Steelyard, made of these sources elsewhere; null for a call by --elf",
    ),
    Field("timing_version", str, "", "core and hash of the timing data, memories and options of the target"),
    Field("emulator_version", str, "", "version of the emulator"),
    Field("steelyard_version", str, "", "version of Steelyard"),
    Field(
        "steelyard_commit", str, "", "commit of the working tree, + if changed; null in an installed wheel"
    ),
    Field("date", str, "", "when it was measured, UTC, ISO 8601"),
)

FIELD_NAMES: tuple[str, ...] = tuple(field.name for field in FIELDS)
IDENTITY: tuple[str, ...] = tuple(field.name for field in FIELDS if field.identity)
METRICS: tuple[str, ...] = tuple(field.name for field in FIELDS if field.metric)


def blank() -> Record:
    """A record with every key present and null."""
    return dict.fromkeys(FIELD_NAMES)


def complete(partial: Record) -> Record:
    """The record with every key present, in the order of FIELDS; KeyError for a key that is no field."""
    record = blank()
    for name, value in partial.items():
        if name not in record:
            raise KeyError(name)
        record[name] = value
    return record


def identity(record: Record) -> tuple[str | int | float | bool | None, ...]:
    """What tells one cell from another; of records that agree in it, the newest counts."""
    return tuple(record[name] for name in IDENTITY)
