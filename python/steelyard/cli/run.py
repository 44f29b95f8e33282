"""`steelyard run`: run images from one address to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import warn
from steelyard.cli.view import View, view
from steelyard.errors import UsageError
from steelyard.present.table import Table

if TYPE_CHECKING:
    from steelyard.measure.firmware import Run

_HEADINGS = {"cycles": "clock cycles", "time_us": "us", "branches_taken": "taken"}
_HEADINGS |= {"ram_stack_bytes": "bytes of stack"}


@options.taking(wanted=view)
def run(
    *,
    images: Annotated[
        list[Path],
        typer.Argument(
            metavar="IMAGE...",
            help="ELF file, or with --raw the bytes of flash; several run one after the other, a row each.",
        ),
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
    register: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Register of the CPU to set before the run, as its disassembly names it; repeatable.",
        ),
    ] = None,
    ignore_peripherals: Annotated[
        bool,
        typer.Option(
            "--ignore-peripherals",
            help="Let loads read zeros and stores change nothing where the chip has peripherals.",
        ),
    ] = False,
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
    """Run images on a chip from reset, from one address to another, and read memory afterwards.

    Firmware that measures itself runs unchanged: its cycle counter and timers count. Nothing is verified or
    recorded.

    \b
    Examples:
      steelyard run firmware.elf --target stm32f407 --to done --read result
      steelyard run flash.bin --raw 0x8000000 --target stm32f100 --to 0x8000124 --read 0x20000000:16
      steelyard run firmware.elf --target stm32f407 --to done --write 0xe000edfc=0x1000000
      steelyard run firmware.elf --target stm32f407 --from main --to done --register r0=0x20000100
      steelyard run *.elf --target ./my-chip.toml --to done --ignore-peripherals --json
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.catalog.own import named_target
    from steelyard.machine import Emulator
    from steelyard.measure.call import naming, read_image
    from steelyard.measure.firmware import Firmware, parse_address, preset_registers, row
    from steelyard.measure.firmware import run as run_firmware

    chip = named_target(load_catalog(), target)
    asked = Firmware(
        image=b"",
        stop=stop,
        start=start,
        raw_address=None if raw is None else parse_address(raw, "--raw"),
        reads=tuple(read or ()),
        writes=tuple(write or ()),
        registers=tuple(register or ()),
        ignore_peripherals=ignore_peripherals,
    )
    emulator = Emulator(chip)
    preset_registers(asked, emulator)
    rows = []
    for image in images:
        firmware = asked
        result: Run | UsageError
        try:
            firmware = replace(asked, image=read_image(image, "IMAGE"))
            with naming(image):
                result = run_firmware(firmware, chip, max_cycles=max_cycles, emulator=emulator)
        except UsageError as error:
            if len(images) == 1:
                raise
            result = error
        rows.append({"image": str(image), **row(firmware, chip, result)})
    wanted.show(rows, _page(rows))
    failed = [one for one in rows if one["error"] is not None]
    for one in failed:
        named = len(rows) > 1 and one["status"] == "fault"
        warn(f"{one['image']}: {one['error']}" if named else str(one["error"]))
    raise typer.Exit(1 if failed else 0)


def _page(rows: Sequence[Mapping[str, object]]) -> Iterator[Table | str]:
    """A table with the images' names where there are several; below it what was read and ignored."""
    from steelyard.measure.firmware import FIGURES

    several = len(rows) > 1
    names = ("image", "status", *FIGURES) if several else FIGURES
    table_rows = tuple(tuple(_text(one[name]) for name in names) for one in rows)
    headings = tuple(_HEADINGS.get(name, name) for name in names)
    yield Table("", headings, table_rows, left=2 if several else 0, objects=tuple(rows))
    for one in rows:
        before = f"{one['image']}: " if several else ""
        memory = one["memory"]
        for name, content in memory.items() if isinstance(memory, dict) else ():
            yield f"{before}{name}: {content}"
        if one["ignored"] is not None:
            yield f"{before}{one['ignored']}"


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else f"{value:,.10g}"
