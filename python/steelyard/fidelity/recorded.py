"""Images recorded on chips: run in the emulator, and every word compared that was read back from the chip.

The format is that of CMEmu's tests (github.com/mimuw-distributed-systems-group/cmemu, folder cmemu-tests): an
archive `NAME.tzst` (tar in Zstandard) holds `N.flash`, the content of the flash, and `N.dump`, a map in
MessagePack with the addresses of the run and the words of each symbol behind it.
"""

from __future__ import annotations

import fnmatch
import io
import tarfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steelyard.catalog.models import Target
from steelyard.errors import UsageError
from steelyard.machine.emulator import Emulator
from steelyard.measure.firmware import parse_write
from steelyard.measure.workers import workers

MAX_CYCLES = 50_000_000
_MAX_BYTES = 1 << 28
_WORD_BYTES = 4

CYCLES = frozenset({"times", "counter", "cyccnt", "push_times", "pop_times"})
"""Symbols whose words are differences of the cycle counter; others hold results, flags and other counters."""

# A debugger started the recording and had enabled the debug unit: TRCENA in DEMCR (ARM DDI 0403, C1.6.5).
_DEBUGGER = ((0xE000_EDFC, (1 << 24).to_bytes(4, "little")),)


@dataclass(frozen=True)
class Recording:
    """An image with what a chip answered: `words` by symbol, each its address and bytes."""

    name: str
    configuration: str
    image: bytes
    start: int
    stop: int
    words: Mapping[str, tuple[int, bytes]]


@dataclass(frozen=True)
class Compared:
    """Words of one symbol of a recording. `within_one` counts those that differ by at most 1.

    `reason` tells why the run did not reach its end; no word is exact then.
    """

    recording: str
    configuration: str
    symbol: str
    words: int
    exact: int
    within_one: int
    least: int | None = None
    greatest: int | None = None
    reason: str | None = None

    @property
    def counts_cycles(self) -> bool:
        """Whether the words are cycles."""
        return self.symbol in CYCLES


@dataclass(frozen=True)
class Share:
    """Words of a kind, and how many of them the emulator gives, in percent of all."""

    group: str
    kind: str
    words: int
    exact_percent: float
    within_one_percent: float
    not_run: int


def archives(folder: Path, match: Sequence[str]) -> list[Path]:
    """Return the archives below a folder in the order of their names; UsageError if there is none."""
    if not folder.is_dir():
        raise UsageError(f"--source {folder}: no such folder.")
    found = sorted(folder.rglob("*.tzst"))
    chosen = [path for path in found if _matches(str(path.relative_to(folder)), match)]
    if not chosen:
        raise UsageError(
            f"--source {folder}: no archive NAME.tzst there" + (" that matches." if found else ".")
        )
    return chosen


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def recordings(path: Path, folder: Path) -> Iterator[Recording]:
    """Yield the recordings of an archive; UsageError if it is none."""
    import msgpack
    import zstandard

    name = str(path.relative_to(folder))
    try:
        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as packed:
            content = packed.read(_MAX_BYTES)
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            files = {one.name: one for one in archive.getmembers() if one.isfile()}
            for stem in sorted(Path(one).with_suffix("") for one in files if one.endswith(".dump")):
                dump = msgpack.unpackb(_content(archive, files, f"{stem}.dump"), strict_map_key=False)
                yield _recording(f"{name}:{stem.name}", dump, _content(archive, files, f"{stem}.flash"))
    except (OSError, ValueError, KeyError, TypeError, tarfile.TarError, zstandard.ZstdError) as error:
        raise UsageError(f"{path}: no archive of recordings: {type(error).__name__} {error}.") from None


def _content(archive: tarfile.TarFile, files: Mapping[str, tarfile.TarInfo], name: str) -> bytes:
    file = archive.extractfile(files[name])
    return b"" if file is None else file.read()


def _recording(name: str, dump: Mapping[str, Any], image: bytes) -> Recording:
    return Recording(
        name,
        str(dump["configuration_name"]),
        image,
        int(dump["emulator_main_addr"]) & ~1,
        int(dump["emulator_exit_addr"]) & ~1,
        {str(one["symbol_name"]): (int(one["addr"]), bytes(one["content"])) for one in dump["mem_dump"]},
    )


def compare(
    folder: Path,
    paths: Iterable[Path],
    target: Target,
    jobs: int,
    advance: Callable[[str], None] = lambda name: None,
    writes: Sequence[str] = (),
) -> list[Compared]:
    """Run every recording of these archives on a chip and compare its words. UsageError for a broken one.

    `writes` are words `PLACE=VALUE` that are written before each run.
    """

    def of(path: Path) -> list[Compared]:
        emulator = Emulator(target)
        words = (*_DEBUGGER, *(parse_write(emulator, text, target) for text in writes))
        found = [
            one
            for recording in recordings(path, folder)
            for one in _compared(recording, emulator, target, words)
        ]
        advance(path.stem)
        return found

    with workers(jobs) as pool:
        return [one for done in pool.map(of, paths) for one in done]


def _compared(
    recording: Recording, emulator: Emulator, target: Target, writes: Sequence[tuple[int, bytes]]
) -> Iterator[Compared]:
    flash = next(memory for memory in target.file.memory if memory.kind == "flash")
    reason: str | None
    try:
        emulator.load(recording.image, raw_address=flash.base)
        emulator.empty_caches()
        call = emulator.run(
            recording.start, recording.stop, max_cycles=MAX_CYCLES, observe="none", writes=writes
        )
        reason = call.fault.message if call.fault else None
    except UsageError as error:
        reason = str(error).removesuffix(".")
    for symbol, (address, published) in recording.words.items():
        wanted = _words(published)
        if reason is None:
            try:
                given = _words(emulator.read("data", address, len(published)))
            except UsageError as error:
                reason = str(error).removesuffix(".")
        if reason is not None:
            yield Compared(recording.name, recording.configuration, symbol, len(wanted), 0, 0, reason=reason)
            continue
        off = [got - want for want, got in zip(wanted, given, strict=True)]
        yield Compared(
            recording.name,
            recording.configuration,
            symbol,
            len(off),
            sum(one == 0 for one in off),
            sum(abs(one) <= 1 for one in off),
            min(off, default=0),
            max(off, default=0),
        )


def _words(content: bytes) -> list[int]:
    whole = len(content) // _WORD_BYTES * _WORD_BYTES
    return [int.from_bytes(content[at : at + _WORD_BYTES], "little") for at in range(0, whole, _WORD_BYTES)]


def shares(rows: Iterable[Compared], keys: Sequence[str]) -> list[Share]:
    """Return the shares of cycles and of other words, by keys of the configurations and over all."""
    sums: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        kind = "cycles" if row.counts_cycles else "other"
        for group in (" ".join(_values(row.configuration, keys)), "all"):
            found = sums.setdefault((kind, group), Counter())
            found.update(words=row.words, exact=row.exact, within=row.within_one)
            found.update(missing=row.words if row.reason is not None else 0)
    ordered = sorted(sums.items(), key=lambda item: (item[0][0], item[0][1] == "all", item[0][1]))
    return [
        Share(
            group,
            kind,
            found["words"],
            100.0 * found["exact"] / max(1, found["words"]),
            100.0 * found["within"] / max(1, found["words"]),
            found["missing"],
        )
        for (kind, group), found in ordered
    ]


def _values(configuration: str, keys: Sequence[str]) -> list[str]:
    """Return the values of keys in a configuration such as `{'code': 'flash', 'lbEn': True}`."""
    import ast

    try:
        values = ast.literal_eval(configuration)
    except (ValueError, SyntaxError):
        values = {}
    return [str(values.get(key, "none")) if isinstance(values, dict) else "none" for key in keys]
