"""Jobs for `steelyard-diff bench`: AES and SHA-1 over a message, by GCC, on the ATmega128."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

from elftools.elf.elffile import ELFFile

from steelyard.catalog.load import load_catalog
from steelyard.toolchain import Build, build, find_toolchain

TARGET = "atmega128"
MESSAGE_BYTES = 1024
CALLS = 50


def main(folder: Path) -> None:
    """Write the images and `jobs.json` into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    catalog = load_catalog()
    target = catalog.target(TARGET)
    lab = next(memory for memory in target.file.memory if memory.name == "lab").base
    message, output = lab, lab + MESSAGE_BYTES
    jobs = []
    for primitive_id, mode_id in (("aes-128", "cbc"), ("sha-1", None)):
        algorithm = catalog.algorithm_of(primitive_id)
        variant = next(one for one in algorithm.variants if one.file.default)
        mode = catalog.mode(mode_id) if mode_id else None
        toolchain = find_toolchain(target.file.family, "gcc")
        primitive = algorithm.primitive(primitive_id)
        request = Build(algorithm.file.kind, variant, primitive, mode, target, toolchain, ("-Os",), "encrypt")
        result = build(request)
        elf = folder / f"{primitive_id}.elf"
        elf.write_bytes(result.elf)
        context = context_address(result.elf)
        if mode is None:
            calls = [("hash_digest", [context, output, message, MESSAGE_BYTES])]
        else:
            calls = [
                ("block_init", [context, message]),
                ("mode_encrypt", [context, output, output, message, MESSAGE_BYTES]),
            ]
        jobs.append(
            {
                "name": primitive_id,
                "target": TARGET,
                "elf": str(elf),
                "memory": [{"address": message, "hex": bytes(i & 255 for i in range(MESSAGE_BYTES)).hex()}],
                "calls": [
                    {"function": name, "arguments": [(value, 2) for value in values]}
                    for _ in range(CALLS)
                    for name, values in calls
                ],
            }
        )
    (folder / "jobs.json").write_text(json.dumps(jobs))


def context_address(elf: bytes) -> int:
    """Data address of the context in an image."""
    symbols = ELFFile(io.BytesIO(elf)).get_section_by_name(".symtab")
    return int(symbols.get_symbol_by_name("harness_context")[0]["st_value"]) & 0xFFFF


if __name__ == "__main__":
    main(Path(sys.argv[1]))
