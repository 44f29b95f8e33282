"""`steelyard run`: run an image from one address to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import warn
from steelyard.cli.view import View, view
from steelyard.present.table import Table

_FIGURES = {
    "cycles": "clock cycles",
    "time_us": "us",
    "instructions": "instructions",
    "loads": "loads",
    "stores": "stores",
    "branches": "branches",
    "branches_taken": "taken",
    "ram_stack_bytes": "bytes of stack",
}


@options.taking(wanted=view)
def run(
    *,
    image: Annotated[
        Path, typer.Argument(metavar="IMAGE", help="ELF file, or with --raw the bytes of flash.")
    ],
    target: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Chip for which the image was built, or the path of a chip of your own (docs/own-chip.md).",
        ),
    ],
    stop: Annotated[
        str,
        typer.Option(
            "--to", metavar="PLACE", help="Symbol or address of the instruction before which the run stops."
        ),
    ],
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="PLACE",
            help="Symbol or address at which the run starts (default: an ELF file's entry point; for a"
            " raw image the vector table on Cortex-M, address 0 on AVR, otherwise its first byte).",
        ),
    ] = None,
    raw: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Address of a raw image, which is not an ELF file."),
    ] = None,
    read: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLACE[:BYTES]",
            help="Memory to read after the run, by symbol or address; repeatable (default length: the"
            " symbol's size, or a word).",
        ),
    ] = None,
    write: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLACE=VALUE",
            help="Word to write before the run, by symbol or address, registers included; repeatable.",
        ),
    ] = None,
    max_cycles: Annotated[
        int,
        typer.Option(
            metavar="CYCLES",
            min=1,
            max=1_000_000_000_000,
            help="Abort the run after this many cycles.",
        ),
    ] = 2_000_000_000,
    wanted: View,
) -> None:
    """Run an image on a chip from reset, from one address to another, and read memory afterwards.

    Firmware that measures itself runs unchanged: its cycle counter and timers count. Nothing is verified or
    recorded.

    \b
    Examples:
      steelyard run firmware.elf --target stm32f407 --to done --read result
      steelyard run flash.bin --raw 0x8000000 --target stm32f100 --to 0x8000124 --read 0x20000000:16
      steelyard run firmware.elf --target stm32f407 --to done --write 0xe000edfc=0x1000000
      steelyard run firmware.elf --target atmega128 --from main --to main_end --read 0x800100:4 --json
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.catalog.own import named_target
    from steelyard.errors import UsageError
    from steelyard.measure.call import read_image
    from steelyard.measure.firmware import Firmware, parse_address, row
    from steelyard.measure.firmware import run as run_firmware
    from steelyard.nearest import printable

    chip = named_target(load_catalog(), target)
    raw_address = None if raw is None else parse_address(raw, "--raw")
    firmware = Firmware(
        read_image(image, "IMAGE"), stop, start, raw_address, tuple(read or ()), tuple(write or ())
    )
    try:
        result = run_firmware(firmware, chip, max_cycles=max_cycles)
    except UsageError as error:
        said = printable(str(error), 400)
        raise UsageError(f"{image}: {said}" + ("" if said.endswith((".", "?")) else ".")) from None
    outcome = row(firmware, chip, result)
    figures = tuple(f"{outcome[name]:,.10g}" for name in _FIGURES)
    table = Table("", tuple(_FIGURES.values()), (figures,), left=0, objects=(outcome,))
    wanted.show([outcome], [table, *(f"{name}: {read.hex()}" for name, read in result.memory.items())])
    if outcome["error"] is not None:
        warn(str(outcome["error"]))
        raise typer.Exit(1)
