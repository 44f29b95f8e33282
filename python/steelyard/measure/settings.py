"""Chips changed for a run by `--set`: fields of the caches, the clock, the wait states of the flash, the
memory that holds code or state, or the chip for which the compiler builds."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ValidationError

from steelyard.catalog.load import Catalog, timing_version
from steelyard.catalog.models import Caches, Chip, Memory, Target, ToolchainFlags
from steelyard.catalog.own import with_own
from steelyard.errors import UsageError
from steelyard.nearest import nearest, printable

_MOST_DIGITS = 16
_SIZE = re.compile(r"(0[xX][0-9a-fA-F]{1,12}|[0-9]{1,12})([kKmM]?)")
_UNITS = {"": 0, "k": 1, "m": 2}
_CLOCK = "clock_hz"
_CODE = "code"
_RAM, _ZERO_WAIT = "ram", "zero-wait"
_EXTERNAL = "external"
_BUILT_FOR = "built_for"
_WAIT_STATES = "wait_states"
_MOST_WAIT_STATES = 255


@dataclass(frozen=True)
class Setting:
    """One field and its new value; `text` is how a record names it."""

    field: str
    value: int | bool | str

    @property
    def text(self) -> str:
        """The setting as written on the command line."""
        return f"{self.field}={str(self.value).lower()}"


def parse_settings(texts: Sequence[str]) -> tuple[Setting, ...]:
    """Parse `icache.size=1K` and the like, in the order of their fields; UsageError for anything else.

    Numbers may be decimal or hexadecimal, with K and M for 1,024 and 1,048,576, or for a thousand and a
    million in a clock.
    """
    found: dict[str, Setting] = {}
    known = sorted(field_names())
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not value:
            raise UsageError(f'--set {printable(text)}: give a field and a value, such as "icache.size=1K".')
        if name not in known:
            hint = nearest(name, known)
            end = f'; did you mean "{hint}"?' if hint is not None else f"; there are: {', '.join(known)}."
            raise UsageError(f'--set: unknown field "{printable(name)}"{end}')
        if name in found:
            raise UsageError(f"--set {name} is given twice; one run measures one value.")
        found[name] = Setting(name, _value(value, 1000 if name == _CLOCK else 1024))
    return tuple(found[name] for name in sorted(found))


def changed(catalog: Catalog, settings: Sequence[Setting], chosen: Collection[str]) -> Catalog:
    """Return the catalogue with the selected targets changed; targets without such a field stay unchanged.

    UsageError if a value is impossible, or no selected target has the fields.
    """
    if not settings:
        return catalog
    made = {t.id: _changed(catalog, t, settings) for t in catalog.targets if t.id in chosen}
    if not any(made.values()):
        names = ", ".join(setting.field for setting in settings)
        raise UsageError(f"--set: no chosen target has {names}.")
    return replace(catalog, targets=tuple(made.get(target.id) or target for target in catalog.targets))


def has_field(catalog: Catalog, target: Target, setting: Setting) -> bool:
    """Whether a target has the field of a setting; a value that is impossible by itself may fit others."""
    try:
        return _changed(catalog, target, [setting]) is not None
    except UsageError:
        return True


def changed_target(catalog: Catalog, name: str, settings: Sequence[Setting]) -> Target:
    """Return the known chip of this name, or the one of this file, changed by settings; CatalogError."""
    catalog, (own,) = with_own(catalog, [name])
    return changed(catalog, settings, [own]).target(own)


def _changed(catalog: Catalog, target: Target, settings: Sequence[Setting]) -> Target | None:
    """Return the changed target, or None if it has no such field."""
    file = target.file
    caches: dict[str, Any] = {} if file.cache is None else file.cache.model_dump()
    clock_hz = file.clock_hz
    waits: int | None = None
    other: dict[str, Any] = {}
    for setting in settings:
        part, _, field = setting.field.partition(".")
        if setting.field == _CLOCK:
            if not isinstance(setting.value, int) or setting.value <= 0:
                raise UsageError(f"--set {printable(setting.text)}: the clock is a number above 0.")
            clock_hz = setting.value
        elif setting.field == _CODE:
            if setting.value not in (_RAM, _ZERO_WAIT):
                raise UsageError(
                    f"--set {printable(setting.text)}: code lies in {_RAM} or in flash that is {_ZERO_WAIT}."
                )
            if not file.code_in_ram or file.cache is not None:
                return None
            other |= _code_in_ram(file) if setting.value == _RAM else {"flash": None}
        elif setting.field == _RAM:
            if setting.value != _EXTERNAL:
                raise UsageError(f"--set {printable(setting.text)}: state lies in RAM that is {_EXTERNAL}.")
            if not any(memory.external for memory in _rams(file)):
                return None
            other |= {"memory": _state_outside(file)}
        elif setting.field == _WAIT_STATES:
            if type(setting.value) is not int or setting.value > _MOST_WAIT_STATES:
                raise UsageError(
                    f"--set {printable(setting.text)}: wait states are from 0 to {_MOST_WAIT_STATES}."
                )
            if file.flash is None or any(one.field == _CODE for one in settings):
                return None
            waits = setting.value
        elif setting.field == _BUILT_FOR:
            other |= {"toolchain": _toolchain_of(catalog, target, setting)}
        elif caches.get(part) is None:
            return None
        else:
            caches[part] = {**caches[part], field: setting.value}
    try:
        cache = Caches.model_validate(caches) if caches else None
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in problem["loc"])
        said = printable(problem["msg"].removeprefix("Value error, "))
        raise UsageError(f"--set on {target.id}: {where}: {said[0].lower()}{said[1:]}.") from None
    if waits is not None and file.flash is not None:
        # The longest time, in picoseconds, that these waits and the cycle of the access cover at this clock.
        access_ns = (waits + 1) * 10**12 // clock_hz / 1000
        other |= {"flash": file.flash.model_copy(update={"access_ns": access_ns})}
    by_events = file.event_energy
    if by_events is not None and cache != file.cache:
        # The capacitances of the parts are those of the chip's own caches.
        by_events = by_events.model_copy(update={"simulated": None})
    changed_file = file.model_copy(
        update={
            "cache": cache,
            "event_energy": by_events,
            "clock_hz": clock_hz,
            "settings": " ".join(setting.text for setting in settings),
            **other,
        }
    )
    return target.model_copy(
        update={"file": changed_file, "timing_version": timing_version(changed_file, target.core)}
    )


def _rams(file: Chip) -> tuple[Memory, ...]:
    """The chip's and the board's RAM, without lab memory."""
    return tuple(memory for memory in file.memory if memory.kind == "ram" and memory.name != "lab")


def _toolchain_of(catalog: Catalog, target: Target, setting: Setting) -> dict[str, ToolchainFlags]:
    """Options of the compilers for another chip, whose instructions the chip must have."""
    named = next((one for one in catalog.targets if one.id == setting.value), None)
    if named is None or named.file.family != target.file.family:
        raise UsageError(
            f"--set {printable(setting.text)}: name a chip of the family {target.file.family},"
            f" to which {target.id} belongs."
        )
    return named.file.toolchain


def _state_outside(file: Chip) -> tuple[Memory, ...]:
    """The memories, with the board's RAM in the place of the chip's for context, statics and stack."""
    own = [memory for memory in _rams(file) if not memory.external]
    return tuple(
        memory.model_copy(update={"external": False}) if memory in _rams(file) else memory
        for memory in file.memory
        if memory not in own
    )


def _code_in_ram(file: Chip) -> dict[str, Any]:
    """Code and constants in the lower half of the RAM, at the core's pace; no current is known of that."""
    ram = _rams(file)[0]
    half = ram.size // 2
    lower = Memory(name=_CODE, space="program", kind="flash", base=ram.base, size=half)
    upper = ram.model_copy(update={"base": ram.base + half, "size": ram.size - half})
    others = (memory for memory in file.memory if memory is not ram and memory.kind != "flash")
    return {"memory": (lower, upper, *others), "flash": None, "energy": None, "event_energy": None}


def field_names() -> Mapping[str, None]:
    """Return the names of the fields that settings may change."""
    names = dict.fromkeys((_CLOCK, _CODE, _RAM, _BUILT_FOR, _WAIT_STATES))
    for part, field in Caches.model_fields.items():
        model = next(
            one
            for one in (field.annotation, *getattr(field.annotation, "__args__", ()))
            if isinstance(one, type) and issubclass(one, BaseModel)
        )
        names |= {f"{part}.{name}": None for name in model.model_fields if name != "locked"}
    return names


def _value(text: str, kilo: int) -> int | bool | str:
    number = _SIZE.fullmatch(text)
    if number is not None:
        if len(text) > _MOST_DIGITS:
            raise UsageError(f"--set {printable(text, 40)}: a number has at most {_MOST_DIGITS} digits.")
        return int(number[1], 16 if "x" in number[1].lower() else 10) * int(kilo ** _UNITS[number[2].lower()])
    return {"true": True, "false": False}.get(text.lower(), text)
