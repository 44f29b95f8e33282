"""Components from records: what one build of one primitive contributes to a message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Kind, Primitive, Variant
from steelyard.measure.check import CONSTANT, ON_THIS_CHIP, VARIES
from steelyard.measure.padding import padded_bytes
from steelyard.measure.selection import Selection
from steelyard.record.schema import Record

Role = Literal["send", "receive", "both"]

NOT_MEASURED = "not measured"
"""Reason for a build without a component because a record is missing."""

_FOOTPRINT = {"send": "encrypt", "receive": "decrypt", "both": "both"}
_SIGNING_FOOTPRINT = {"send": "sign", "receive": "verify", "both": "both"}
_OPERATIONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "block": {"send": ("encrypt",), "receive": ("decrypt",), "both": ("encrypt", "decrypt")},
    "stream": {"send": ("encrypt",), "receive": ("decrypt",), "both": ("encrypt", "decrypt")},
    "aead": {"send": ("seal",), "receive": ("open",), "both": ("seal", "open")},
    "mac": dict.fromkeys(("send", "receive", "both"), ("mac",)),
    "hash": dict.fromkeys(("send", "receive", "both"), ("digest",)),
    "signature": {"send": ("encrypt",), "receive": ("decrypt",), "both": ("encrypt", "decrypt")},
}
_SIGNING = {"send": ("sign",), "receive": ("verify",), "both": ("sign", "verify")}


@dataclass(frozen=True, order=True)
class BuildId:
    """Toolchain and flags of a build."""

    toolchain: str
    toolchain_version: str
    flags: str

    def __str__(self) -> str:
        return f"{self.toolchain} {self.toolchain_version.split()[0]} {self.flags}"


@dataclass(frozen=True)
class Use:
    """A primitive (a block cipher with its mode) on messages of one size; lengths in bytes.

    Public-key cryptography `signs` digests, or encrypts messages.
    """

    primitive: Primitive
    kind: Kind
    mode: str | None
    message_bytes: int
    ad_bytes: int
    padding: str | None
    signs: bool = False

    def __hash__(self) -> int:
        # A primitive holds a dictionary; its name says as much.
        return hash((self.name, self.message_bytes, self.ad_bytes, self.padding))

    @property
    def name(self) -> str:
        """Display name: `aes-128 ctr`, `hmac-sha-256`, `sm2 signature`."""
        if self.signs:
            return f"{self.primitive.id} signature"
        return f"{self.primitive.id} {self.mode}" if self.mode else self.primitive.id

    @property
    def ciphertext_bytes(self) -> int:
        """Length of the payload after padding."""
        return padded_bytes(self.message_bytes, self.primitive.block_bytes, self.padding)

    @property
    def iv_bytes(self) -> int:
        """Length of the IV or nonce that each message carries."""
        if self.mode is not None:
            return self.primitive.block_bytes
        return self.primitive.iv_bytes if self.kind in ("stream", "aead") else 0


@dataclass(frozen=True)
class Component:
    """Cost of a use in one build: means over the operations of a role, of two operations the more expensive.

    `constant_time` is the worst verdict among its operations, None if one of them was not checked. `*_min`
    and `*_max` bound the measured values. `setup_*` is spent once per key, or with each message if
    `setup_each`. RAM is defined as in a record. `contains` names the primitives and variants whose code is
    part of this code; `multiplies` counts executed multiplications.
    """

    use: Use
    variant: str
    build: BuildId
    contains: tuple[tuple[str, str], ...]
    only_encryption: bool
    setup_cycles: float
    setup_each: bool
    cycles: float
    setup_cycles_min: float
    setup_cycles_max: float
    cycles_min: float
    cycles_max: float
    setup_energy_nj: float | None
    energy_nj: float | None
    rom_own_bytes: int
    rom_mode_bytes: int
    ram_static_bytes: int
    ram_context_bytes: int
    ram_stack_bytes: int
    multiplies: float
    tier: str
    constant_time: str | None


@dataclass(frozen=True)
class Lacking:
    """A build that yields no component, and the reason."""

    use: Use
    variant: str
    build: BuildId
    reason: str

    @property
    def incomplete(self) -> bool:
        """Whether the reason is a missing record rather than a failed one."""
        return self.reason == NOT_MEASURED


class Records:
    """The records of one chip, indexed by the cells of a use."""

    def __init__(self, rows: Iterable[Record]) -> None:
        """Index `rows`, the newest records of one target at its own settings; warm ones if caches give a
        choice.
        """
        self._cells: dict[tuple[object, ...], Record] = {}
        self._builds: dict[str, dict[tuple[str, str, BuildId], None]] = {}
        for row in rows:
            variant = str(row["variant"])
            build = BuildId(str(row["toolchain"]), str(row["toolchain_version"]), str(row["flags"]))
            primitive, parts = str(row["primitive"]), str(row["parts"] or "")
            self._builds.setdefault(primitive, {})[variant, parts, build] = None
            names = ("operation", "footprint", "mode", "message_bytes", "ad_bytes", "padding")
            self._cells[(primitive, variant, parts, build, *(row[name] for name in names))] = row

    def builds(self, primitive: str) -> list[tuple[str, str, BuildId]]:
        """Return the variants, the variants of their parts and the builds that have any record, in order."""
        return sorted(self._builds.get(primitive, {}))

    def cell(
        self, use: Use, made: tuple[str, str, BuildId], operation: str, footprints: Sequence[str]
    ) -> Record | None:
        """Return the record of an operation in the first of these footprints that has one."""
        setup = operation.startswith("init")
        payload = (
            (None, None, None, None)
            if setup or use.signs
            else (use.mode, use.message_bytes, use.ad_bytes if use.kind == "aead" else None, use.padding)
        )
        for footprint in footprints:
            found = self._cells.get((use.primitive.id, *made, operation, footprint, *payload))
            if found is not None:
                return found
        return None


def operations_of(use: Use, role: Role) -> tuple[str, ...]:
    """Return the operations of a use for a role, without set-ups."""
    return (_SIGNING if use.signs else _OPERATIONS[use.kind])[role]


def _footprint(use: Use, role: Role) -> str:
    """Return the footprint of the image whose memory a role needs."""
    if use.kind in ("mac", "hash"):
        return "both"
    return (_SIGNING_FOOTPRINT if use.signs else _FOOTPRINT)[role]


def cells(use: Use, role: Role, build: Mapping[str, object]) -> Iterator[Selection]:
    """Yield the selections that `measure` needs for a use's component; `build` states compiler and flags."""
    base = {**build, "primitive": (use.primitive.id,)}
    operations = operations_of(use, role)
    kept = () if use.kind in ("mac", "hash") else (_footprint(use, role),)
    payload = {
        "operation": operations,
        "length": () if use.signs else (use.message_bytes,),
        "footprint": kept,
        "ad_length": (use.ad_bytes,) if use.kind == "aead" else (),
    }
    if use.kind == "block":
        # A set-up does not depend on the mode: it is measured with the raw block operation.
        yield Selection.model_validate({**base, "mode": ("none",), "operation": ("init", "init-decrypt")})
        payload |= {"mode": (use.mode or "none",), "padding": (use.padding,) if use.padding else ()}
    elif _has_setup(use, role):
        payload["operation"] = ("init", *operations)
    yield Selection.model_validate({**base, **payload})


def components(
    catalog: Catalog, records: Records, use: Use, role: Role
) -> tuple[list[Component], list[Lacking]]:
    """Return every build of a use: those with a cost, and those without one with the reason."""
    found: list[Component] = []
    lacking: list[Lacking] = []
    known = {variant.id: variant for variant in catalog.variants}
    for name, parts, build in records.builds(use.primitive.id):
        if name not in known:
            continue
        made = _component(catalog, records, use, role, known[name], parts, build)
        if isinstance(made, Component):
            found.append(made)
        else:
            lacking.append(Lacking(use, name, build, made))
    return found, lacking


def _component(
    catalog: Catalog, records: Records, use: Use, role: Role, variant: Variant, parts: str, build: BuildId
) -> Component | str:
    operations = operations_of(use, role)
    footprint = _footprint(use, role)
    decrypts_with = catalog.mode(use.mode).file.decrypts_with if use.mode is not None else "decrypt"
    setups = _setups(use, role, variant, decrypts_with)
    cells: dict[str, Record] = {}
    for operation in (*setups, *operations):
        # A set-up does not depend on what else the image keeps, so any image will do that has it.
        footprints = (footprint, "encrypt", "decrypt", "both") if operation in setups else (footprint,)
        record = records.cell(use, (variant.id, parts, build), operation, footprints)
        if record is None:
            return NOT_MEASURED
        if record["status"] != "ok" or not record["verified"]:
            return f"{record['status']}: {str(record['error']).splitlines()[0]}"
        cells[operation] = record
    used = [cells[operation] for operation in operations]
    return Component(
        use=use,
        variant=variant.id,
        build=build,
        contains=tuple(zip(_over(use), parts.split(), strict=False)),
        only_encryption=role == "send" or decrypts_with == "encrypt",
        setup_cycles=sum(_number(cells[setup], "cycles") for setup in setups),
        # A stream cipher's set-up takes the nonce; a MAC's context is used up by its message.
        setup_each=use.kind in ("stream", "mac"),
        cycles=max(_number(record, "cycles") for record in used),
        setup_cycles_min=sum(_number(cells[setup], "cycles_min") for setup in setups),
        setup_cycles_max=sum(_number(cells[setup], "cycles_max") for setup in setups),
        cycles_min=min(_number(record, "cycles_min") for record in used),
        cycles_max=max(_number(record, "cycles_max") for record in used),
        setup_energy_nj=_energy([cells[setup] for setup in setups], sum),
        energy_nj=_energy(used, max),
        rom_own_bytes=max(int(_number(record, "rom_bytes")) for record in used),
        rom_mode_bytes=max(int(_number(record, "rom_mode_bytes")) for record in used),
        ram_static_bytes=max(int(_number(record, "ram_static_bytes")) for record in used),
        ram_context_bytes=max(int(_number(record, "ram_context_bytes")) for record in used),
        ram_stack_bytes=max(int(_number(record, "ram_stack_bytes")) for record in cells.values()),
        multiplies=max(_number(record, "mix_multiply") for record in used),
        tier=str(used[0]["tier"]),
        constant_time=_worst([record["constant_time"] for record in cells.values()]),
    )


_VERDICTS = (VARIES, None, ON_THIS_CHIP, CONSTANT)
"""Verdicts on constant time, the worst first; None is unknown."""


def _worst(verdicts: Iterable[object]) -> str | None:
    return min((one for one in _VERDICTS if one in set(verdicts)), key=_VERDICTS.index, default=None)


def _has_setup(use: Use, role: Role) -> bool:
    """Whether a use has a set-up: a hash has no key, and in public-key cryptography only a signer has one."""
    return use.kind != "hash" and (use.kind != "signature" or (use.signs and role != "receive"))


def _over(use: Use) -> tuple[str, ...]:
    """Return the primitives that the code contains; a signer receives a digest and contains no hash."""
    return () if use.signs else use.primitive.over


def _setups(use: Use, role: Role, variant: Variant, decrypts_with: str) -> tuple[str, ...]:
    if not _has_setup(use, role):
        return ()
    if use.kind != "block" or not variant.file.init_decrypt or decrypts_with == "encrypt":
        return ("init",)
    return {"send": ("init",), "receive": ("init-decrypt",), "both": ("init", "init-decrypt")}[role]


def _number(record: Record, name: str) -> float:
    value = record[name]
    return float(value) if isinstance(value, int | float) else 0.0


def _energy(records: Sequence[Record], together: Callable[[list[float]], float]) -> float | None:
    """Return the energy in nanojoules; null if the chip has no energy model."""
    if not all(isinstance(record["energy_nj"], int | float) for record in records):
        return None
    return together([_number(record, "energy_nj") for record in records])
