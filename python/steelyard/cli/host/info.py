"""`steelyard host info`: description of a device, and the figures it can provide."""

from __future__ import annotations

from steelyard.cli import options
from steelyard.cli.host import options as host_options
from steelyard.cli.output import warn
from steelyard.cli.view import view
from steelyard.present.table import Table


def info(
    device: host_options.Device = "local",
    ssh_option: host_options.SshOption = None,
    architecture: host_options.Architecture = None,
    folder: host_options.Folder = None,
    qemu: host_options.Qemu = None,
    columns: options.Columns = None,
    sort: options.Sort = None,
    json: options.Json = False,
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

    wanted = view(json, columns, sort)
    with reach(host_options.way(device, ssh_option, architecture, folder, qemu), warn) as reached:
        machine = reached.machine
        row = {
            "device": reached.device.name,
            "transport": reached.device.transport,
            "target": reached.host.id,
            **{name: value for name, value in machine.items() if name not in ("program", "process_id")},
        }
    absent = row["absent"]
    cells = tuple(
        (name, "none" if value in (None, "") else str(value))
        for name, value in row.items()
        if name != "absent"
    )
    page = [Table("", ("what", "value"), cells, left=2)]
    if absent:
        page.append(Table("", ("not to be had", "why"), tuple(absent.items()), left=2))
    wanted.show([row], page)
