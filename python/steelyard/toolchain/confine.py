"""What a confined program may reach; Landlock, which Linux has since version 5.19, holds it to that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from steelyard import _native

# Programs and their shared libraries; folders of data, of users and of settings are not among them.
_SYSTEM = (
    *("/bin", "/lib", "/lib32", "/lib64", "/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec"),
    *("/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/alternatives", "/nix/store", "/gnu/store"),
)
_DEVICES = ("/dev/null",)


@dataclass(frozen=True)
class Places:
    """Files and folders that a program may read and those that it may change; each with all that is below."""

    readable: tuple[str, ...]
    writable: tuple[str, ...]

    @property
    def with_system(self) -> tuple[list[str], list[str]]:
        """These places and those of the system that every program needs: to read, and to change."""
        return [*_SYSTEM, *self.readable], [*_DEVICES, *self.writable]


@cache
def can_confine() -> bool:
    """Return whether this machine confines programs."""
    return _native.can_confine()
