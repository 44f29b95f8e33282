"""Published assembly on the emulator beside its published cycles.

`python tests/riscv/boards.py --source FOLDER`: FOLDER holds checkouts of the repositories that
`reference/boards/hifive1.toml` names, each in a folder of its source's id. Nothing of them is kept.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from steelyard import _native
from steelyard.catalog.load import load_catalog
from steelyard.machine.emulator import describe

ROOT = Path(__file__).parents[2]
BOARD = ROOT / "reference/boards/hifive1.toml"
DRIVER = Path(__file__).with_name("boards.c")
COUNTER = "utils/getcycles.S"
MAX_CYCLES = 100_000_000

CALLS = {
    ("aes128tables/aes_asm.S", "AES_128_keyschedule"): "ROUTINE(key, state)",
    ("aes128tables/aes_asm.S", "AES_128_encrypt"): "ROUTINE(state, input, output)",
    ("aes128ctrbs/aes_asm.S", "AES_128_keyschedule"): "ROUTINE(key, state)",
    ("aes128ctrbs/aes_asm.S", "AES_128_encrypt_ctr"): "ROUTINE(state, input, output, 2048)",
    ("keccakf1600/keccakf1600_asm.S", "keccakf1600"): "ROUTINE(state)",
    ("Gimli/Permutation/asm.S", "gimli_asm"): "ROUTINE(state)",
    ("Gimli/crypto_hash/crypto_hash_asm.S", "crypto_hash_asm"): "ROUTINE(output, input, 128ull)",
    (
        "Gimli/crypto_aead/crypto_aead_encrypt_asm.S",
        "crypto_aead_encrypt_asm",
    ): "ROUTINE(output, &length, input, 128ull, input, 128ull, NULL, nonce, key)",
    # The first of the constants of six rounds.
    ("Ascon-128/Permutation/asm.S", "ascon_asm"): "ROUTINE(state, 0x96)",
}

SCRIPT = """
SECTIONS {
  . = 0x20400000; .text : { *(.text .text.*) *(.rodata .rodata.* .srodata .srodata.*) }
  . = 0x80000000; .data : { *(.data .data.* .sdata .sdata.*) } .bss : { *(.bss .bss.* .sbss .sbss.*) }
}
"""


def image(routine: dict[str, Any], folder: Path, work: Path) -> bytes:
    """The routine with the driver, linked for the board."""
    script, elf = work / "link.ld", work / "image.elf"
    script.write_text(SCRIPT)
    call = CALLS[routine["files"][0], routine["symbol"]]
    source = folder / routine["source"]
    subprocess.run(
        [
            *("riscv64-unknown-elf-gcc", "-march=rv32imac_zicsr", "-mabi=ilp32", "-O3", "-nostdlib"),
            *(
                "-ffreestanding",
                "-msmall-data-limit=0",
                "-Wl,--no-relax",
                "-Wl,-e,measure",
                f"-Wl,-T,{script}",
            ),
            *(f"-DROUTINE={routine['symbol']}", f"-DCALL={call}", "-o", str(elf), str(DRIVER)),
            *(str(source / file) for file in routine["files"]),
            str(folder / "campos" / COUNTER),
        ],
        check=True,
        cwd=source,
    )
    return elf.read_bytes()


def cycles(description: str, elf: bytes) -> int:
    """What the routine's own reading of the counter gives."""
    machine = _native.Machine(description)
    machine.load_elf(elf)
    result = machine.call("measure", [], max_cycles=MAX_CYCLES, observe="none")
    if result["fault"] is not None:
        raise RuntimeError(result["fault"]["message"])
    return int(result["return_value"]) & 0xFFFFFFFF


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--target", default="fe310-g000")
    options = parser.parse_args()
    description = describe(load_catalog().target(options.target))
    errors = []
    print(f"{'routine':<60}{'published':>10}{'emulated':>10}{'error %':>9}")
    for routine in tomllib.loads(BOARD.read_text())["routine"]:
        with tempfile.TemporaryDirectory() as work:
            found = cycles(description, image(routine, options.source.absolute(), Path(work)))
        published = routine["published_cycles"]
        error = 100 * (found / published - 1)
        errors.append(abs(error))
        print(f"{routine['name']:<60}{published:>10}{found:>10}{error:>+9.2f}", flush=True)
    print(f"median error {statistics.median(errors):.2f} %, worst {max(errors):.2f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
