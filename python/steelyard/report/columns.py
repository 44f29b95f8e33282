"""Columns of the report's tables: fields of the record, their headings and decimals."""

from __future__ import annotations

from dataclasses import dataclass

from steelyard.record import schema as record


@dataclass(frozen=True)
class Column:
    """A field of the record as a table column; `digits` decimals are shown, sorting uses the full value.

    An `extra` column is hidden until the reader requests all columns.
    """

    name: str
    label: str
    digits: int = 0
    extra: bool = False


_CELL = (
    Column("primitive", "Primitive"),
    Column("variant", "Variant"),
    Column("target", "Target"),
    Column("operation", "Operation"),
    Column("mode", "Mode"),
    Column("message_bytes", "Message"),
)
_BUILD = (
    Column("toolchain", "Toolchain"),
    Column("flags", "Flags"),
)

RESULTS = (
    *_CELL,
    Column("cycles", "Cycles"),
    Column("cycles_per_byte", "Per byte", 1),
    Column("rom_bytes", "ROM"),
    Column("ram_bytes", "RAM"),
    *_BUILD,
    Column("time_us", "Time", 1),
    Column("throughput_bytes_per_s", "Throughput"),
    Column("ram_stack_bytes", "Stack"),
    Column("energy_nj", "Energy"),
    Column("constant_time", "Constant time"),
    Column("footprint", "Footprint", extra=True),
    Column("cycles_min", "Least", extra=True),
    Column("cycles_max", "Most", extra=True),
    Column("cycles_sd", "Deviation", 1, extra=True),
    Column("mode_overhead_cycles_per_block", "Mode per block", extra=True),
    Column("power_mw", "Power", extra=True),
    Column("cache_misses", "Cache misses", 1, extra=True),
    Column("cache_hits", "Cache hits", extra=True),
    Column("instructions", "Instructions", extra=True),
    Column("loads", "Loads", extra=True),
    Column("stores", "Stores", extra=True),
    Column("branches", "Branches", extra=True),
    Column("rom_code_bytes", "ROM: code", extra=True),
    Column("rom_const_bytes", "ROM: constants", extra=True),
    Column("rom_support_bytes", "ROM: support", extra=True),
    Column("rom_mode_bytes", "ROM: mode", extra=True),
    Column("ram_static_bytes", "RAM: static", extra=True),
    Column("ram_context_bytes", "RAM: context", extra=True),
    Column("ram_io_bytes", "RAM: buffers", extra=True),
    Column("tier", "Accuracy", extra=True),
)

FAILURES = (
    Column("status", "What happened"),
    *_CELL,
    *_BUILD,
    Column("error", "Reason"),
)


@dataclass(frozen=True)
class Group:
    """A heading in the details of a row and the fields of the record under it."""

    title: str
    names: tuple[str, ...]


_PROVENANCE = Group(
    "Where it comes from",
    (
        "source_hash",
        "image_hash",
        "toolchain",
        "toolchain_version",
        "flags",
        "parameters",
        "footprint",
        "padding",
        "symbol",
        "clock_hz",
        "cache_state",
        "settings",
        "timing_version",
        "tier",
        "emulator_version",
        "steelyard_version",
        "steelyard_commit",
        "input_seed",
        "samples",
        "verified_by",
        "date",
    ),
)

RESULT_GROUPS = (
    Group(
        "Cost",
        tuple(
            name
            for name in record.METRICS
            if name.startswith(("cycles", "mode_", "time", "throughput", "energy", "power"))
        ),
    ),
    Group("Memory", tuple(name for name in record.METRICS if name.startswith(("rom_", "ram_")))),
    Group(
        "Executed",
        (
            *("instructions", "loads", "stores", "branches", "branches_taken"),
            *("cache_hits", "cache_misses", "icache_misses", "dcache_misses", "cache_write_backs"),
            "memory_stall_cycles",
            *(record.mix_field(name) for name in record.MIX_CLASSES),
        ),
    ),
    _PROVENANCE,
)

FAILURE_GROUPS = (Group("What went wrong", ("status", "fault_kind", "error")), _PROVENANCE)

UNITS = {
    "cycle": "cycles",
    "cycle/byte": "cycles/byte",
    "byte": "bytes",
    "byte/s": "bytes/s",
    "us": "µs",
    "nJ": "nJ",
    "mW": "mW",
    "Hz": "Hz",
    "%": "%",
}
"""Notation of the units of record.FIELDS in column headings."""

FIELDS = {field.name: field for field in record.FIELDS}
