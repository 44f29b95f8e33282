"""Figures of ciphers out of records, with the variants that a comparison of ciphers can choose among."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from steelyard.measure.record import Record
from steelyard.reproduce.verdict import MissingFigure


@dataclass(frozen=True)
class Cipher:
    """A cipher of a publication as a primitive of the catalogue.

    `round_keys_bytes` is what an expanded key takes. Compared are variants whose context holds that and
    little else: a smaller one expands the key while it encrypts, a larger one makes tables besides, and the
    set-up of neither is a key expansion. `assembly` takes the variants written in it, whose names end in
    `-asm`, and not those in C.
    """

    name: str
    primitive: str
    round_keys_bytes: int
    assembly: bool = False


@dataclass(frozen=True)
class Figures:
    """One variant of one cipher, built to encrypt and to decrypt; times in clock cycles of one block."""

    cipher: str
    variant: str
    toolchain: str
    flags: str
    clock_hz: int
    block_bytes: int
    code_bytes: int
    data_bytes: int
    init_cycles: float
    encrypt_cycles: float
    decrypt_cycles: float

    def throughput(self, operation: str) -> float:
        """Bits per second that `encrypt` or `decrypt` handles, key set-up apart."""
        cycles = {"encrypt": self.encrypt_cycles, "decrypt": self.decrypt_cycles}[operation]
        return 8 * self.block_bytes * self.clock_hz / cycles


class Table:
    """One variant of each cipher, by the cipher's name."""

    def __init__(self, figures: Mapping[str, Figures], why_missing: Mapping[str, str]) -> None:
        self._figures = figures
        self._why_missing = why_missing

    def __getitem__(self, cipher: str) -> Figures:
        """The figures of a cipher; MissingFigure where there are none."""
        if cipher not in self._figures:
            raise MissingFigure(self._why_missing.get(cipher, f"no figure of {cipher}"))
        return self._figures[cipher]

    def __iter__(self) -> Iterator[Figures]:
        return iter(self._figures.values())


CONTEXT_ROOM_BYTES = 16
"""What a context may hold beside the expanded key: a counter, the direction."""

LINE_UPS = {
    "fastest": lambda figures: figures.encrypt_cycles + figures.decrypt_cycles,
    "smallest": lambda figures: figures.code_bytes,
}
"""How the variant of each cipher is chosen, the same for all: the least of this."""


def tables(records: Sequence[Record], ciphers: Iterable[Cipher]) -> dict[str, Table]:
    """By setting (`fastest -O2`), the variants chosen among those of verified records."""
    listed = list(ciphers)
    builds = dict.fromkeys((record["toolchain"], record["flags"]) for record in records)
    found: dict[str, Table] = {}
    for toolchain, flags in builds:
        here = [r for r in records if (r["toolchain"], r["flags"]) == (toolchain, flags)]
        candidates = {cipher: list(_candidates(here, cipher)) for cipher in listed}
        missing = {c.name: _why_missing(c) for c, figures in candidates.items() if not figures}
        for line_up, size in LINE_UPS.items():
            chosen = {c.name: min(figures, key=size) for c, figures in candidates.items() if figures}
            found[f"{line_up} {flags}"] = Table(chosen, missing)
    return found


def _why_missing(cipher: Cipher) -> str:
    language = "assembly" if cipher.assembly else "C"
    return (
        f"no verified figures of {cipher.primitive} in {language}"
        f" whose context is the expanded key of {cipher.round_keys_bytes} bytes"
    )


def _candidates(records: Sequence[Record], cipher: Cipher) -> Iterator[Figures]:
    by_variant: dict[str, dict[str, Record]] = {}
    for record in records:
        if _counts(record, cipher):
            by_variant.setdefault(str(record["variant"]), {})[str(record["operation"])] = record
    for variant, done in sorted(by_variant.items()):
        if not {"init", "encrypt", "decrypt"} <= done.keys():
            continue
        encrypt = done["encrypt"]
        yield Figures(
            cipher.name,
            variant,
            str(encrypt["toolchain"]),
            str(encrypt["flags"]),
            _integer(encrypt, "clock_hz"),
            _integer(encrypt, "message_bytes"),
            _integer(encrypt, "rom_bytes"),
            max(_integer(record, "ram_bytes") for record in done.values()),
            *(_cycles(done[name]) for name in ("init", "encrypt", "decrypt")),
        )


def _counts(record: Record, cipher: Cipher) -> bool:
    return (
        record["primitive"] == cipher.primitive
        and record["status"] == "ok"
        and record["verified"] is True
        and record["footprint"] == "both"
        and record["mode"] is None
        and str(record["variant"]).endswith("-asm") is cipher.assembly
        and 0 <= _integer(record, "ram_context_bytes") - cipher.round_keys_bytes <= CONTEXT_ROOM_BYTES
    )


def _integer(record: Record, name: str) -> int:
    value = record[name]
    assert isinstance(value, int)
    return value


def _cycles(record: Record) -> float:
    value = record["cycles"]
    assert isinstance(value, float)
    return value
