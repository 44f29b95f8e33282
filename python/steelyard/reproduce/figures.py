"""Figures of ciphers out of records, with the variants that a comparison of ciphers can choose among."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from steelyard.measure.record import Record
from steelyard.reproduce.verdict import MissingFigure


@dataclass(frozen=True)
class Cipher:
    """A cipher of a publication as a primitive of the catalogue.

    `round_keys_bytes` is what an expanded key takes. Compared are variants whose context holds at least that:
    the others expand the key while they encrypt. `assembly` takes the variants written in it, whose names end
    in `-asm`, and not those in C.
    """

    name: str
    primitive: str
    round_keys_bytes: int
    assembly: bool = False


@dataclass(frozen=True)
class Figures:
    """One variant of one cipher, built to encrypt and to decrypt; times in clock cycles of one block.

    `init_cycles` is the longer of the two set-ups where decryption has one of its own, `data_bytes` the most
    that an operation needs.
    """

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


CHOICES: dict[str, Callable[[Figures], float] | None] = {
    "default": None,
    "fastest": lambda figures: figures.encrypt_cycles + figures.decrypt_cycles,
    "smallest": lambda figures: figures.code_bytes,
    "least data": lambda figures: figures.data_bytes,
    "shortest set-up": lambda figures: figures.init_cycles,
}
"""How the variant of each cipher is chosen, alike for all: the least of this, or the catalogue's default."""

_LANGUAGE = {False: "C", True: "assembly"}


def tables(
    records: Sequence[Record], ciphers: Iterable[Cipher], defaults: Collection[str]
) -> dict[str, dict[str, Table]]:
    """By choice of variants and flags, the variants chosen among those of verified records of one compiler.

    `defaults` are the catalogue's default variants; none is in assembly, whose fastest stands for it.
    """
    listed = list(ciphers)
    found: dict[str, dict[str, Table]] = {choice: {} for choice in CHOICES}
    for flags in dict.fromkeys(str(record["flags"]) for record in records):
        here = [record for record in records if record["flags"] == flags]
        candidates = {cipher: list(_candidates(here, cipher)) for cipher in listed}
        for choice in CHOICES:
            chosen = {c: _chosen(choice, c, figures, defaults) for c, figures in candidates.items()}
            found[choice][flags] = Table(
                {c.name: figures for c, figures in chosen.items() if figures is not None},
                {c.name: _why_missing(c, candidates[c]) for c, figures in chosen.items() if not figures},
            )
    return found


def _chosen(
    choice: str, cipher: Cipher, candidates: Sequence[Figures], defaults: Collection[str]
) -> Figures | None:
    size = CHOICES["fastest" if choice == "default" and cipher.assembly else choice]
    if size is None:
        return next((figures for figures in candidates if figures.variant in defaults), None)
    return min(candidates, key=size, default=None)


def _why_missing(cipher: Cipher, candidates: Sequence[Figures]) -> str:
    what = f"the default variant of {cipher.primitive}" if candidates else cipher.primitive
    return (
        f"no verified figures of {what} in {_LANGUAGE[cipher.assembly]}"
        f" whose set-up makes round keys of {cipher.round_keys_bytes} bytes"
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
            max(_cycles(record) for name, record in done.items() if name.startswith("init")),
            _cycles(encrypt),
            _cycles(done["decrypt"]),
        )


def _counts(record: Record, cipher: Cipher) -> bool:
    return (
        record["primitive"] == cipher.primitive
        and record["status"] == "ok"
        and record["verified"] is True
        and record["footprint"] == "both"
        and record["mode"] is None
        and str(record["variant"]).endswith("-asm") is cipher.assembly
        and _integer(record, "ram_context_bytes") >= cipher.round_keys_bytes
    )


def _integer(record: Record, name: str) -> int:
    value = record[name]
    assert isinstance(value, int)
    return value


def _cycles(record: Record) -> float:
    value = record["cycles"]
    assert isinstance(value, float)
    return value
