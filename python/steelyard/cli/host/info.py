"""`steelyard host info`: description of a device, and the figures it can provide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from steelyard.cli import options
from steelyard.cli.host import options as host_options
from steelyard.cli.output import warn
from steelyard.cli.view import View, view
from steelyard.present.table import Table

if TYPE_CHECKING:
    from steelyard.linux.device.connect import Way


@options.taking(way=host_options.way, wanted=view)
def info(
    *,
    way: Way,
    wanted: View,
) -> None:
    """Describe a device: kernel, processor, cores, clock, and the figures it cannot provide, with reasons.

    \b
    Examples:
      steelyard host info
      steelyard host info root@192.168.1.20
      steelyard host info board --ssh-option "-p 2222" --json
      steelyard host info --qemu linux-mips
    """
    from steelyard.linux.device.connect import reach

    with reach(way, warn) as reached:
        machine = reached.machine
        row = {
            "device": reached.device.name,
            "transport": reached.device.transport,
            "target": reached.host.id,
            **{name: value for name, value in machine.items() if name not in ("program", "process_id")},
        }
    absent = machine["absent"]
    cells = tuple(
        (name, "none" if value in (None, "") else str(value))
        for name, value in row.items()
        if name != "absent"
    )
    page = [Table("", ("what", "value"), cells, left=2)]
    if absent:
        page.append(Table("", ("not to be had", "why"), tuple(absent.items()), left=2))
    wanted.show([row], page)
