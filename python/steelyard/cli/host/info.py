"""`steelyard host info`: description of a device, and the figures it can provide."""

from __future__ import annotations

from steelyard.cli import options
from steelyard.cli.host import options as host_options
from steelyard.cli.output import print_json, warn
from steelyard.present.terminal import print_table


def info(
    device: host_options.Device = "local",
    ssh_option: host_options.SshOption = None,
    architecture: host_options.Architecture = None,
    folder: host_options.Folder = None,
    qemu: host_options.Qemu = None,
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

    with reach(host_options.way(device, ssh_option, architecture, folder, qemu), warn) as reached:
        machine = reached.machine
        row = {
            "device": reached.device.name,
            "transport": reached.device.transport,
            "target": reached.host.id,
            **{name: value for name, value in machine.items() if name not in ("program", "process_id")},
        }
    if json:
        print_json([row])
        return
    absent = row.pop("absent")
    cells = [(name, "none" if value in (None, "") else str(value)) for name, value in row.items()]
    print_table(("what", "value"), cells, left=2)
    if absent:
        print_table(("not to be had", "why"), list(absent.items()), left=2)
