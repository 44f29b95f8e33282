"""Make the record of a cell from what was measured of it."""

from __future__ import annotations

import json

from steelyard.measure.energy import energy
from steelyard.measure.execute import function_called
from steelyard.measure.image import Rules, hint
from steelyard.measure.inputs import is_chain, iv_bytes
from steelyard.measure.plan import Cell
from steelyard.record.schema import METRICS, Record, complete
from steelyard.toolchain import Toolchain


def whole_record(cell: Cell, toolchain: Toolchain, rules: Rules, outcome: Record) -> Record:
    """Return the record of a cell with what follows from its outcome; a failed cell has no figures."""
    record = complete({**_cell_fields(cell, toolchain, rules), **outcome})
    record["verified"] = record["verified"] is True
    if record["status"] == "wrong-output":
        record["error"] = f"{record['error']}{hint(cell)}"
    _derive(record, cell)
    return record


def _cell_fields(cell: Cell, toolchain: Toolchain, rules: Rules) -> Record:
    build = cell.build
    return {
        "kind": build.algorithm.file.kind,
        "primitive": build.primitive.id,
        "variant": build.variant.id,
        "parts": " ".join(variant.id for variant in build.parts) or None,
        "parameters": build.variant.parameters,
        "target": build.target.id,
        "toolchain": toolchain.id,
        "toolchain_version": toolchain.version,
        "flags": build.flags,
        "footprint": build.footprint,
        "operation": cell.operation,
        "mode": build.mode.id if build.mode is not None else None,
        "padding": cell.padding,
        "message_bytes": cell.message_bytes,
        "ad_bytes": cell.ad_bytes,
        "cache_state": cell.cache_state,
        "settings": build.target.file.settings or None,
        "clock_hz": build.target.file.clock_hz,
        "symbol": function_called(cell),
        "security": build.primitive.security,
        "input_seed": rules.seed,
        "tier": build.target.file.tier,
        "ram_io_bytes": _io_bytes(cell),
        "target_hash": build.target.file.file_hash or None,
        "timing_version": build.target.timing_version,
    }


def _io_bytes(cell: Cell) -> int:
    """Return the bytes of the buffers that the caller provides.

    For a set-up key and IV, otherwise IV, associated data, message (ciphers work in place) and digest or tag.
    """
    primitive = cell.build.primitive
    if is_chain(cell.build):
        message = cell.message_bytes or 0
        return {
            "keypair": primitive.public_key_bytes + primitive.key_bytes,
            "encapsulate": primitive.public_key_bytes
            + primitive.ciphertext_bytes
            + primitive.shared_secret_bytes,
            "decapsulate": primitive.key_bytes + primitive.ciphertext_bytes + primitive.shared_secret_bytes,
            "sign": primitive.key_bytes + message + primitive.signature_bytes,
            "verify": primitive.public_key_bytes + message + primitive.signature_bytes,
        }[cell.operation]
    if cell.build.algorithm.file.kind == "signature":
        ciphertext_bytes = cell.call_bytes + primitive.overhead_bytes
        signing = primitive.digest_bytes + primitive.iv_bytes + primitive.signature_bytes
        return {
            "init": primitive.key_bytes + primitive.public_key_bytes,
            "sign": signing,
            "verify": primitive.public_key_bytes + primitive.digest_bytes + primitive.signature_bytes,
            "encrypt": primitive.public_key_bytes + primitive.iv_bytes + ciphertext_bytes,
            "decrypt": primitive.key_bytes + ciphertext_bytes,
        }[cell.operation]
    if cell.operation.startswith("init"):
        stream = cell.build.algorithm.file.kind == "stream"
        return primitive.key_bytes + (primitive.iv_bytes if stream else 0)
    iv = iv_bytes(cell.build) if cell.build.mode is not None or cell.operation in ("seal", "open") else 0
    return cell.call_bytes + iv + (cell.ad_bytes or 0) + primitive.digest_bytes + primitive.tag_bytes


def _derive(record: Record, cell: Cell) -> None:
    """Fill in the figures that follow from others; a failed cell has none."""
    if record["status"] not in ("ok", "does-not-fit") or (
        record["status"] == "ok" and not record["verified"]
    ):
        record.update(dict.fromkeys(METRICS))
        return
    stack_bytes, cycles = record["ram_stack_bytes"], record["cycles"]
    if isinstance(stack_bytes, int):
        static, context = record["ram_static_bytes"], record["ram_context_bytes"]
        heap = record["ram_heap_bytes"] or 0
        assert isinstance(static, int) and isinstance(context, int) and isinstance(heap, int)
        record["ram_bytes"] = static + context + stack_bytes + heap
    if not isinstance(cycles, float):
        return
    target = cell.build.target.file
    time_s = cycles / target.clock_hz
    record["time_us"] = time_s * 1e6
    if cell.message_bytes:
        record["cycles_per_byte"] = cycles / cell.message_bytes
        record["throughput_bytes_per_s"] = cell.message_bytes / time_s
    used = energy(target, record)
    if used is not None:
        record["energy_nj"], record["energy_low_nj"], record["energy_high_nj"] = (
            used.nj,
            used.low_nj,
            used.high_nj,
        )
        record["energy_error_percent"] = used.error_percent
        record["power_mw"] = used.nj / (time_s * 1e6)
        record["energy_simulated_nj"] = used.simulated_nj
        record["energy_shares"] = None if used.shares is None else json.dumps(used.shares)
