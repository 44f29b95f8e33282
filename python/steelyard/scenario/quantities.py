"""Quantities with units as fields of a scene: "5ms" in the file, a number in SI units in Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from steelyard import units
from steelyard.errors import UsageError
from steelyard.nearest import printable

_Value = TypeVar("_Value")

_LEAST_TIME_S = 1e-9
_LEAST_PERIOD_S = 1e-6
_MOST_TIME_S = 1e9
_MOST_CYCLES = 1e15


@dataclass(frozen=True)
class Work:
    """Processor work of a job: clock cycles, or seconds; the other one is None."""

    cycles: float | None = None
    seconds: float | None = None

    def at(self, clock_hz: float | None) -> float:
        """Return seconds at a clock. UsageError for cycles on a device whose clock is unknown."""
        if self.seconds is not None:
            return self.seconds
        if clock_hz is None:
            raise UsageError(
                "it is in cycles, and the clock of the device, a Linux host, is not fixed; give a time."
            )
        return (self.cycles or 0.0) / clock_hz


def _quantity(parse: Callable[[str, str], _Value]) -> BeforeValidator:
    """Return a validator that parses text; its errors name no option."""

    def read(value: Any) -> _Value:
        if not isinstance(value, str):
            raise PydanticCustomError("unit", "{said}", {"said": f"{value!r} has no unit; write it as text"})
        try:
            return parse("", value)
        except UsageError as error:
            raise PydanticCustomError(
                "unit", "{said}", {"said": str(error).lstrip(": ").rstrip(".")}
            ) from None

    return BeforeValidator(read)


def _within(parse: Callable[[str, str], float], least_s: float = 0.0) -> Callable[[str, str], float]:
    """Return a parser that refuses times beyond those that a scene can be computed with."""

    def read(option: str, text: str) -> float:
        seconds = parse(option, text)
        if seconds > _MOST_TIME_S:
            raise UsageError(
                f'{option}: "{printable(text)}" is more than the {_MOST_TIME_S:,.0f} s of a scene.'
            )
        if seconds < least_s:
            raise UsageError(f'{option}: "{printable(text)}" is less than {least_s * 1e6:g} us.')
        return seconds

    return read


def _work(option: str, text: str) -> Work:
    cycles, seconds = units.parse_work(option, text)
    if seconds is not None:
        _within(units.parse_span)(option, text)
    elif cycles is not None and cycles > _MOST_CYCLES:
        raise UsageError(f'{option}: "{printable(text)}" is more than {_MOST_CYCLES:g} cycles.')
    return Work(cycles, seconds)


Time = Annotated[float, _quantity(_within(units.parse_time, _LEAST_TIME_S))]
"""A time in seconds, at least a nanosecond."""
Period = Annotated[float, _quantity(_within(units.parse_time, _LEAST_PERIOD_S))]
"""A time in seconds after which something comes again, at least a microsecond."""
Span = Annotated[float, _quantity(_within(units.parse_span))]
"""A time in seconds, zero or more."""
BitRate = Annotated[float, _quantity(units.parse_bit_rate)]
"""A rate in bits per second."""
Frequency = Annotated[float, _quantity(units.parse_frequency)]
"""A frequency in hertz."""
Size = Annotated[int, _quantity(units.parse_bytes)]
"""A size in bytes."""
Share = Annotated[float, _quantity(units.parse_share)]
"""A share of one, less than one: 5% is 0.05."""
Effort = Annotated[Work, _quantity(_work)]
"""Processor work in cycles or seconds."""
