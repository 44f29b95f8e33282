"""The architectures of Linux devices: those that always run, and the rest, for the soak.

What a C library of an architecture costs, the first time, is a minute of a processor.
"""

from __future__ import annotations

import shutil

import pytest

from steelyard.linux.hosts import load_hosts

SAMPLE = ("linux-mips", "linux-x86-64")
"""Most significant byte first in words of 32 bits, least significant byte first in words of 64."""

EACH_HOST = pytest.mark.parametrize(
    "host",
    [
        pytest.param(
            host,
            id=host.id,
            marks=[
                pytest.mark.skipif(shutil.which(host.qemu) is None, reason=f"needs {host.qemu} (qemu-user)"),
                *([] if host.id in SAMPLE else [pytest.mark.soak]),
            ],
        )
        for host in load_hosts()
    ],
)
