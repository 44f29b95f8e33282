"""Build the golden images with the compilers of this machine and write what their calls cost."""

from __future__ import annotations

from pathlib import Path

from steelyard.catalog.load import load_catalog
from steelyard.machine import Emulator
from steelyard.measure.lab import Lab
from steelyard.toolchain import Build, build, find_toolchain

FOLDER = Path(__file__).parent
# primitive, target, toolchain, function, its arguments, what is called before, its arguments, output bytes
CALLS = (
    ("aes-128", "atmega128", "gcc", "block_encrypt", "context out data", "block_init", "context key", 16),
    ("idea", "atmega103", "gcc", "block_encrypt", "context out data", "block_init", "context key", 8),
    ("idea", "atmega328p", "clang", "block_encrypt", "context out data", "block_init", "context key", 8),
    ("rc5-32-12-8", "attiny45", "clang", "block_encrypt", "context out data", "block_init", "context key", 8),
    (
        "rc4-128",
        "atmega4809",
        "clang",
        "stream_crypt",
        "context out data length",
        "stream_init",
        "context key",
        64,
    ),
    ("md5", "atmega4809", "gcc", "hash_digest", "context out data length", "", "", 16),
)


def main() -> None:
    catalog = load_catalog()
    lines = ["# Written by record.py: key bytes 00 01 ..., data bytes 00 01 ... 3f.\n"]
    for name, target_id, toolchain_id, function, arguments, before, before_arguments, output_bytes in CALLS:
        algorithm, target = catalog.algorithm_of(name), catalog.target(target_id)
        variant = catalog.default_variant(algorithm.id, target.cpu_class)
        toolchain = find_toolchain(target.file.family, toolchain_id)
        footprint = "both" if algorithm.file.kind == "hash" else "encrypt"
        primitive = algorithm.primitive(name)
        built = build(
            Build(algorithm.file.kind, variant, primitive, None, target, toolchain, ("-Os",), footprint)
        )
        image = f"{name}-{target_id}-{toolchain_id}.elf"
        (FOLDER / image).write_bytes(built.elf)
        emulator = Emulator(target)
        emulator.load(built.elf, start_until="harness_ready")
        lab = Lab(target.lab.base, {"key": 32, "data": 64, "out": 64})
        emulator.buffer(
            "lab", lab.filled({"key": bytes(range(32)), "data": bytes(range(64)), "out": bytes(64)})
        )
        places = {n: (lab.address(n), 2) for n in ("key", "data", "out")}
        places |= {"context": (emulator.address("harness_context"), 2), "length": (64, 2)}
        for called, names in ((before, before_arguments), (function, arguments)):
            if called:
                call = emulator.call(called, [places[n] for n in names.split()], max_cycles=10_000_000)
        output = lab.content(emulator.content("lab"), "out")[:output_bytes]
        fields = {
            "image": image,
            "target": target_id,
            "compiler": f"{toolchain.title} {toolchain.version} -Os",
            "before": before,
            "before_arguments": before_arguments,
            "function": function,
            "arguments": arguments,
            "output_bytes": output_bytes,
            "output": output.hex(),
            "cycles": call.cycles,
            "instructions": call.instructions,
            "stack_bytes": call.stack_bytes,
        }
        lines.append("\n[[call]]\n")
        lines += [f'{n} = "{v}"\n' if isinstance(v, str) else f"{n} = {v}\n" for n, v in fields.items()]
    (FOLDER / "expected.toml").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main()
