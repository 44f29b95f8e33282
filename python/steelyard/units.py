"""Parse quantities with units: 4K, 5ms, 50uJ, 10/s, 2600mAh, 1y."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from steelyard.errors import UsageError
from steelyard.nearest import printable

_QUANTITY = re.compile(r"([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)\s*([A-Za-z/%]*)")

_SIZES = {"": 1, "B": 1, "K": 1024, "KB": 1024, "KiB": 1024, "M": 1 << 20, "MB": 1 << 20, "MiB": 1 << 20}
_TIMES = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "y": 365.25 * 86400}
_RATES = {"/s": 1.0, "/min": 1 / 60, "/h": 1 / 3600, "/d": 1 / 86400, "Hz": 1.0}
_ENERGIES = {"nJ": 1e-9, "uJ": 1e-6, "mJ": 1e-3, "J": 1.0}
_CURRENTS = {"nA": 1e-9, "uA": 1e-6, "mA": 1e-3, "A": 1.0}
_CHARGES = {"mAh": 3.6, "Ah": 3600.0}
_VOLTAGES = {"mV": 1e-3, "V": 1.0}
_SHARES = {"%": 0.01}
_BIT_RATES = {"bit/s": 1.0, "kbit/s": 1e3, "Mbit/s": 1e6, "Gbit/s": 1e9}
_FREQUENCIES = {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9}
_CYCLES = {"cycles": 1.0, "kcycles": 1e3, "Mcycles": 1e6}

_KINDS: Mapping[str, Mapping[str, float]] = {
    "a size": _SIZES,
    "a time": _TIMES,
    "a rate": _RATES,
    "an energy": _ENERGIES,
    "a current": _CURRENTS,
    "a charge": _CHARGES,
    "a voltage": _VOLTAGES,
    "a share": _SHARES,
    "a bit rate": _BIT_RATES,
    "a frequency": _FREQUENCIES,
    "a number of cycles": _CYCLES,
}


def parse_bytes(option: str, text: str) -> int:
    """Parse bytes from `512`, `4K` (1024 each) or `1M`; UsageError otherwise."""
    value = _parse(option, text, _SIZES, "512, 4K or 1M")
    if value != int(value):
        raise UsageError(f"{option} {printable(text)}: not a whole number of bytes.")
    return int(value)


def parse_time(option: str, text: str) -> float:
    """Parse seconds from `250us`, `5ms`, `2s`, `30min`, `12h`, `90d` or `1y`; UsageError otherwise."""
    return _positive(option, text, _parse(option, text, _TIMES, "250us, 5ms, 2s, 90d or 1y"))


def parse_rate(option: str, text: str) -> float:
    """Parse messages per second from `10/s`, `2/min`, `1/h` or `4/d`; UsageError otherwise."""
    return _positive(option, text, _parse(option, text, _RATES, "10/s, 2/min, 1/h or 4/d"))


def parse_energy(option: str, text: str) -> float:
    """Parse joules from `800nJ`, `50uJ`, `1.5mJ` or `1J`; UsageError otherwise."""
    return _positive(option, text, _parse(option, text, _ENERGIES, "800nJ, 50uJ or 1.5mJ"))


def parse_current(option: str, text: str) -> float:
    """Parse amperes from `800nA`, `5.1uA`, `8mA`; UsageError otherwise. Zero, 0uA, is allowed."""
    return _parse(option, text, _CURRENTS, "800nA, 5.1uA or 8mA")


def parse_charge(option: str, text: str) -> float:
    """Parse coulombs from `220mAh` or `2.6Ah`; UsageError otherwise."""
    return _positive(option, text, _parse(option, text, _CHARGES, "220mAh or 2.6Ah"))


def parse_voltage(option: str, text: str) -> float:
    """Parse volts from `3V` or `900mV`; UsageError otherwise."""
    return _positive(option, text, _parse(option, text, _VOLTAGES, "3V or 900mV"))


def parse_share(option: str, text: str) -> float:
    """Parse a share from `3%`; UsageError otherwise, and beyond 100 %."""
    value = _parse(option, text, _SHARES, "3%")
    if value >= 1:
        raise UsageError(f"{option} {printable(text)}: less than 100 % is needed.")
    return value


def parse_span(option: str, text: str) -> float:
    """Parse seconds like `parse_time`, but allow zero, 0s."""
    return _parse(option, text, _TIMES, "0s, 250us or 5ms")


def parse_bit_rate(option: str, text: str) -> float:
    """Parse bits per second from `19200bit/s`, `500kbit/s`, `100Mbit/s`; UsageError otherwise."""
    return _positive(option, text, _parse(option, text, _BIT_RATES, "19200bit/s, 500kbit/s or 100Mbit/s"))


def parse_frequency(option: str, text: str) -> float:
    """Parse hertz from `32kHz`, `16MHz`; UsageError otherwise."""
    return _positive(option, text, _parse(option, text, _FREQUENCIES, "32kHz or 16MHz"))


def parse_work(option: str, text: str) -> tuple[float | None, float | None]:
    """Parse `20000 cycles` as clock cycles, or `2ms` as seconds; the other is None. UsageError otherwise."""
    found = _QUANTITY.fullmatch(text.strip())
    if found is not None and found[2] in _CYCLES:
        return _parse(option, text, _CYCLES, ""), None
    return None, _parse(option, text, _TIMES, "20000 cycles or 2ms")


def _parse(option: str, text: str, units: Mapping[str, float], examples: str) -> float:
    found = _QUANTITY.fullmatch(text.strip())
    if found is not None and found[2] and found[2] not in units:
        for kind, others in _KINDS.items():
            if found[2] in others:
                wanted = next(name for name, known in _KINDS.items() if known is units)
                raise UsageError(
                    f'{option}: "{printable(text)}" is {kind}, and {wanted} is asked for, such as {examples}.'
                )
    if found is None or found[2] not in units:
        raise UsageError(f'{option}: "{printable(text)}" is not understood; write it as {examples}.')
    value = float(found[1]) * units[found[2]]
    if not math.isfinite(value):
        raise UsageError(f"{option} {printable(text)}: too large.")
    return value


def _positive(option: str, text: str, value: float) -> float:
    if value <= 0:
        raise UsageError(f"{option} {printable(text)}: more than zero is needed.")
    return value


def duration(seconds: float) -> str:
    """Format a time for a table, in a suitable unit."""
    for unit, size in (("years", _TIMES["y"]), ("days", _TIMES["d"]), ("h", 3600.0), ("min", 60.0)):
        if seconds >= size:
            return f"{seconds / size:,.1f} {unit}" if seconds < 1e4 * size else f"{seconds / size:.1e} {unit}"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"
