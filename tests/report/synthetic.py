"""Records for the tests of the report: shaped like measured ones, with made-up figures."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import polars as pl
import vl_convert

from steelyard.present.chart import Chart
from steelyard.record import schema as record
from steelyard.record.schema import Record
from steelyard.studies.atmega128 import study as atmega128
from steelyard.studies.energy_sa1100 import study as sa1100

POLARS_TYPES = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean}

PRIMITIVES = {
    # name: (kind, variant, security, block bytes, cycles per block, set-up cycles)
    "aes-128": ("block", "aes/sbox", "recommended", 16, 3200, 1700),
    "aes-256": ("block", "aes/sbox", "recommended", 16, 4500, 2500),
    "idea": ("block", "idea/plain", "legacy", 8, 5100, 2100),
    "rc5-32-12-8": ("block", "rc5/plain", "legacy", 8, 3300, 38000),
    "rc4-128": ("stream", "rc4/plain", "broken", 1, 86, 7500),
    "md5": ("hash", "md5/plain", "broken", 64, 21000, 0),
    "sha-1": ("hash", "sha1/plain", "broken", 64, 58000, 0),
}
CLOCKS_HZ = {"atmega103": 4_000_000, "atmega128": 16_000_000, "atmega4809": 16_000_000, "attiny45": 8_000_000}
LENGTHS_BYTES = (16, 64, 256, 1024)


def frame(rows: Iterable[Record]) -> pl.DataFrame:
    """The rows as the frame the store hands out."""
    return pl.DataFrame(list(rows), schema={field.name: POLARS_TYPES[field.type] for field in record.FIELDS})


def picture(chart: Chart, rows: list[dict[str, Any]]) -> str:
    """A plot of these rows as SVG."""
    return vl_convert.vegalite_to_svg({**chart.spec, "data": {"name": "rows", "values": rows}, "width": 600})


def measured(**changes: str | int | float | bool | None) -> Record:
    """One verified record of AES-128 on the ATmega128, with `changes`; dependent figures are derived."""
    row: Record = {
        "kind": "block",
        "primitive": "aes-128",
        "variant": "aes/sbox",
        "target": "atmega128",
        "toolchain": "gcc",
        "toolchain_version": "5.4.0",
        "flags": "-Os",
        "footprint": "both",
        "operation": "encrypt",
        "mode": None,
        "message_bytes": 16,
        "clock_hz": 16_000_000,
        "symbol": "block_encrypt",
        "security": "recommended",
        "samples": 16,
        "input_seed": "1",
        "tier": "exact",
        "status": "ok",
        "verified": True,
        "verified_by": "FIPS 197, Appendix C.1",
        "cycles": 3200.0,
        "rom_code_bytes": 900,
        "rom_const_bytes": 512,
        "rom_support_bytes": 0,
        "ram_static_bytes": 0,
        "ram_context_bytes": 176,
        "ram_io_bytes": 48,
        "ram_stack_bytes": 30,
        "energy_nj": 4000.0,
        "energy_error_percent": 20.0,
        "instructions": 2100.0,
        "loads": 500.0,
        "stores": 200.0,
        "branches": 40.0,
        "source_hash": "5d" * 32,
        "image_hash": "1a" * 32,
        "timing_version": "avr51-0123456789ab",
        "emulator_version": "0.1.0",
        "steelyard_version": "0.1.0",
        "steelyard_commit": "f00dfeedf00dfeedf00dfeedf00dfeedf00dfeed",
        "date": "2026-03-04T05:06:07Z",
        "functions": json.dumps([{"name": "block_encrypt", "cycles": 3200.0, "instructions": 2100.0}]),
        **changes,
    }
    cycles, length, clock_hz = row["cycles"], row["message_bytes"], row["clock_hz"]
    if isinstance(cycles, float) and isinstance(clock_hz, int):
        row |= {"cycles_min": round(cycles) - 3, "cycles_max": round(cycles) + 3, "cycles_sd": 1.5}
        row["time_us"] = cycles / clock_hz * 1e6
        if isinstance(length, int) and length:
            row |= {"cycles_per_byte": cycles / length, "throughput_bytes_per_s": length * clock_hz / cycles}
        row["rom_bytes"] = sum(_integer(row[f"rom_{part}_bytes"]) for part in ("code", "const", "support"))
        row["ram_bytes"] = sum(_integer(row[f"ram_{part}_bytes"]) for part in ("static", "context", "stack"))
    return record.complete(row)


def failed(status: str, error: str, **changes: str | int | float | bool | None) -> Record:
    """A record of a cell that gave no number."""
    row = measured(status=status, error=error, verified=False, verified_by=None, functions=None, **changes)
    return row | dict.fromkeys(record.METRICS)


def _integer(value: str | int | float | bool | None) -> int:
    assert isinstance(value, int)
    return value


def campaign() -> list[Record]:
    """Some hundred records: all primitives, targets and compilers, two block modes, several lengths."""
    rows = []
    for primitive, (kind, variant, security, block, per_block, setup) in PRIMITIVES.items():
        for target, clock_hz in CLOCKS_HZ.items():
            for toolchain, version, factor in (("gcc", "5.4.0", 1.0), ("clang", "22.1.8", 0.92)):
                slower = factor * (
                    1.45 if target in ("atmega103", "attiny45") and primitive == "idea" else 1.0
                )
                common: Record = {
                    "kind": kind,
                    "primitive": primitive,
                    "variant": variant,
                    "security": security,
                    "target": target,
                    "clock_hz": clock_hz,
                    "toolchain": toolchain,
                    "toolchain_version": version,
                    "timing_version": f"{target}-0123456789ab",
                    "rom_code_bytes": 300 + per_block // 8,
                    "ram_context_bytes": 16 + 8 * block,
                }
                if target == "attiny45" and primitive == "rc4-128":
                    rows.append(
                        failed("does-not-fit", "needs 290 bytes of RAM, 34 more than the chip has", **common)
                    )
                    continue
                if kind != "hash":
                    rows.append(
                        measured(
                            **common,
                            operation="init",
                            message_bytes=None,
                            cycles=setup * slower,
                            symbol="init",
                        )
                    )
                for operation, mode, length in _operations(kind, block):
                    blocks = (length + 8) // block + 1 if kind == "hash" else length // block
                    cycles = 60 + blocks * (per_block + (150 if mode else 0)) * slower
                    rows.append(
                        measured(
                            **common,
                            operation=operation,
                            mode=mode,
                            message_bytes=length,
                            cycles=float(round(cycles)),
                        )
                    )
    return rows


def _operations(kind: str, block: int) -> list[tuple[str, str | None, int]]:
    if kind == "hash":
        return [("digest", None, length) for length in (0, *LENGTHS_BYTES)]
    if kind == "stream":
        return [("encrypt", None, length) for length in LENGTHS_BYTES]
    return [
        *[(operation, None, block) for operation in ("encrypt", "decrypt")],
        *[("encrypt", mode, length) for mode in ("cbc", "ctr") for length in LENGTHS_BYTES],
    ]


def five_ciphers(flags: str = "-Os", **changes: str) -> list[Record]:
    """Records as a publication's plots need them: five ciphers, built to encrypt and to decrypt."""
    rows: list[Record] = []
    for number, cipher in enumerate(atmega128.CIPHERS[:5], start=1):
        for operation in ("init", "encrypt", "decrypt"):
            row: Record = {
                "primitive": cipher.primitive,
                "variant": f"{cipher.primitive}/only",
                "operation": operation,
                "message_bytes": None if operation == "init" else 16,
                "flags": flags,
                "cycles": 1000.0 * number,
                "ram_context_bytes": cipher.round_keys_bytes,
            }
            rows.append(measured(**{**row, **changes}))
    return rows


def memory_constraints() -> list[Record]:
    """Records as the publication on the SA-1100 needs them: a block, a key, and every mode of a message."""
    rows: list[Record] = []
    for number, cipher in enumerate(sa1100.CIPHERS, start=1):
        variant = sa1100.DESCRIBED.get(cipher.name, cipher.variants[0])
        if any(row["variant"] == variant for row in rows):
            continue
        for operation, mode, size in (
            ("init", None, None),
            ("encrypt", None, 16),
            ("decrypt", None, 16),
            *(("encrypt", mode, 16_000) for mode in sa1100.MODES),
        ):
            rows.append(
                measured(
                    primitive=cipher.primitive,
                    variant=variant,
                    target="sa1100",
                    clock_hz=200_000_000,
                    flags="-O2",
                    operation=operation,
                    mode=mode,
                    message_bytes=size,
                    cycles=1000.0 * number * (1 if mode is None else 1000),
                    energy_nj=4500.0 * number * (1 if mode is None else 1000),
                    ram_context_bytes=cipher.round_keys_bytes,
                )
            )
    return rows
