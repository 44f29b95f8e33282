"""What must hold of every variant, as functions of a source tree, so that each can be shown a faulty tree."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
from host_build import NARROW, ROOT, SANITIZE, Case, build_program, cases, files_read, macros, modes, sources
from host_program import Answer, Program, Request

from steelyard import oracle
from steelyard.catalog.load import read_toml
from steelyard.catalog.models import AlgorithmFile, VariantFile

LONGEST_BYTES = 300
EVERY_LENGTH = range(LONGEST_BYTES + 20)
THOUSAND = range(1000)
SOME = range(0, 1000, 25)
MODE_INPUTS = 10


def on_host(case: Case, options: Sequence[str] = ()) -> Program:
    """The variant on this machine, modes and all, with the address and undefined behaviour sanitizers."""
    return Program(case, build_program(case, (*SANITIZE, *options), with_modes=case.kind == "block"))


BIG_ENDIAN_TARGET = "mips-linux-musleabihf"
"""The C library of `targets/hosts/linux-mips.toml`: it takes a minute to build.

It is another one for a program with its symbols (no `-s`) than for those of `steelyard.linux`.
"""
BIG_ENDIAN_COMPILER = (sys.executable, "-m", "ziglang", "cc", "-target", BIG_ENDIAN_TARGET, "-static", "-s")
BIG_ENDIAN_EMULATOR = "qemu-mips"


def on_big_endian(case: Case, options: Sequence[str] = NARROW, *, with_modes: bool = False) -> Program:
    """The variant on an emulated big-endian machine; by default with the rotations of 16-bit machines."""
    flags = ("-O2", "-fno-sanitize=all", "-Wno-sign-conversion", *options)
    path = build_program(case, flags, BIG_ENDIAN_COMPILER, with_modes=with_modes)
    return Program(case, path, (BIG_ENDIAN_EMULATOR,))


def of_every(chosen: Iterable[Case], check: Callable[[Case], object]) -> None:
    """The check on each case; AssertionError with what it says of all that fail."""
    failures = []
    for case in chosen:
        try:
            check(case)
        except AssertionError as error:
            said = str(error)
            failures.append(said if said.startswith(str(case)) else f"{case}: {said}")
    assert not failures, "\n".join(failures)


@dataclass(frozen=True)
class Sample:
    """Random input, and what the independent implementation makes of it; of an AEAD the tag comes last."""

    key: bytes
    iv: bytes
    ad: bytes
    data: bytes
    out: bytes


_OPERATIONS = {"block": "encrypt", "stream": "encrypt", "hash": "digest", "mac": "mac", "aead": "seal"}
_samples: dict[tuple[str, str | None, int], Sample] = {}


def sample(case: Case, index: int, mode: str | None = None) -> Sample:
    """Random input number `index` of a primitive, the same for all its variants.

    The first 301 have every length from 0 to 300 (and of associated data from 300 to 0), the others any.
    """
    name = (case.primitive.id, mode, index)
    if name not in _samples:
        _samples[name] = _sample(case, index, mode)
    return _samples[name]


def _sample(case: Case, index: int, mode: str | None) -> Sample:
    primitive = case.primitive
    rng = random.Random(f"{primitive.id} {mode} {index}")
    length = index if index <= LONGEST_BYTES else rng.randrange(LONGEST_BYTES + 1)
    ad_length = LONGEST_BYTES - index if index <= LONGEST_BYTES else rng.randrange(70)
    if case.kind == "block" and mode is None:
        length = primitive.block_bytes
    elif mode is not None and modes(case.root)[mode].whole_blocks:
        length -= length % primitive.block_bytes
    key = rng.randbytes(primitive.key_bytes) if case.kind != "hash" else b""
    iv = rng.randbytes(primitive.iv_bytes if mode is None else primitive.block_bytes)
    ad = rng.randbytes(ad_length) if case.kind == "aead" else b""
    data = rng.randbytes(length)
    assert oracle.available(primitive, case.algorithm_id, mode)
    out = oracle.expected(
        primitive, case.algorithm_id, _OPERATIONS[case.kind], mode=mode, key=key, iv=iv, ad=ad, data=data
    )
    return Sample(key, iv, ad, data, out)


def requests(case: Case, one: Sample, mode: str | None, variety: int) -> list[tuple[Request, Answer]]:
    """What one sample lets ask, and what is to come: whole, in place and unaligned, in pieces, and back."""
    skew = 1 + variety % 7
    rng = random.Random(variety)
    key, iv, ad, data, out = one.key, one.iv, one.ad, one.data, one.out
    match case.kind:
        case "hash" | "mac":
            cuts = [rng.randrange(len(data) + 1) for _ in range(rng.randrange(4))]
            whole = "h" if case.kind == "hash" else "m"
            return [
                (Request(whole, key=key, data=data), Answer(out, b"", 0)),
                (Request("u", key=key, data=data, cuts=cuts, skew=skew), Answer(out, b"", 0)),
            ]
        case "aead":
            ciphertext, tag = out[: len(data)], out[len(data) :]
            return [
                pair
                for way in (((), False, 0), ((), True, skew))
                for pair in (
                    (Request("s", None, key, iv, ad, data, b"", *way), Answer(ciphertext, tag, 0)),
                    (Request("o", None, key, iv, ad, ciphertext, tag, *way), Answer(data, b"", 0)),
                )
            ]
        case _:
            return [
                pair
                for in_place, off in ((False, 0), (True, skew), (False, skew))[: 2 if mode else 3]
                for pair in (
                    (Request("e", mode, key, iv, b"", data, b"", (), in_place, off), Answer(out, b"", 0)),
                    (Request("d", mode, key, iv, b"", out, b"", (), in_place, off), Answer(data, b"", 0)),
                )
            ]


def compare(program: Program, wanted: Sequence[tuple[Request, Answer]], what: str) -> None:
    """Ask, and say in which request the first wrong answer came."""
    for (request, want), got in zip(wanted, program.ask([request for request, _ in wanted]), strict=True):
        assert got == want, f"{program.case}, {what}: {request} gave {got}, not {want}"


def known_answers(program: Program, limit_bytes: int = 1 << 24) -> int:
    """All vectors up to a length, there and back; returns how many there were."""
    case, wanted = program.case, []
    for vector in case.vectors():
        key, iv, ad, data, out, tag = (
            bytes.fromhex(text)
            for text in (vector.key, vector.iv, vector.ad, vector.input, vector.output, vector.tag)
        )
        data *= vector.repeat
        if len(data) > limit_bytes:
            continue
        match vector.operation:
            case "digest":
                wanted.append((Request("h", data=data), Answer(out, b"", 0)))
            case "mac":
                wanted.append((Request("m", key=key, data=data), Answer(out, b"", 0)))
            case "seal":
                wanted.append((Request("s", None, key, iv, ad, data), Answer(out, tag, 0)))
                wanted.append((Request("o", None, key, iv, ad, out, tag), Answer(data, b"", 0)))
            case operation:
                wanted.append((Request(operation[0], vector.mode, key, iv, b"", data), Answer(out, b"", 0)))
    compare(program, wanted, "a published answer")
    return len(wanted)


def random_inputs(program: Program, indices: Iterable[int]) -> None:
    """Samples against the independent implementation; EVERY_LENGTH has all lengths from 0 to 300."""
    wanted = [
        pair for index in indices for pair in requests(program.case, sample(program.case, index), None, index)
    ]
    compare(program, wanted, "a random input")


def random_inputs_in(program: Program, mode: str, inputs: int = MODE_INPUTS) -> None:
    """Samples of a mode against the independent implementation."""
    case = program.case
    indices = [LONGEST_BYTES + 1 + index for index in range(inputs)]
    wanted = [pair for index in indices for pair in requests(case, sample(case, index, mode), mode, index)]
    compare(program, wanted, "a random input in a mode")


def all_lengths_in(program: Program, mode: str) -> None:
    """Every length a mode takes from 0 to 300, as the beginning of the longest; in place every other time."""
    case = program.case
    block = case.primitive.block_bytes
    step = block if modes(case.root)[mode].whole_blocks else 1
    longest = sample(case, LONGEST_BYTES, mode)
    wanted = []
    for length in range(0, len(longest.data) + 1, step):
        part = Sample(longest.key, longest.iv, b"", longest.data[:length], longest.out[:length])
        plain, in_place = requests(case, part, mode, length)[:2], requests(case, part, mode, length)[2:]
        wanted += in_place if length // step % 2 else plain
    compare(program, wanted, "a length")


def counter_wraps(program: Program) -> None:
    """CTR carries through every byte and from all ones to zero."""
    case = program.case
    size = case.primitive.block_bytes
    key, data = bytes(range(case.primitive.key_bytes)), bytes(4 * size + 1)
    wanted = []
    for ones in range(size + 1):
        iv = b"\x5a" * (size - ones) + b"\xff" * ones
        out = oracle.expected(
            case.primitive, case.algorithm_id, "encrypt", mode="ctr", key=key, iv=iv, data=data
        )
        wanted.append((Request("e", "ctr", key, iv, b"", data), Answer(out, b"", 0)))
    compare(program, wanted, "a counter that wraps")


def all_modes(program: Program) -> None:
    """All of the above in every mode."""
    for mode in modes(program.case.root):
        random_inputs_in(program, mode)
        all_lengths_in(program, mode)
    counter_wraps(program)


def ways_agree(program: Program, mode: str | None, one: Sample, cuts: Sequence[int], skew: int) -> None:
    """Without a second opinion (`out` is not read): pieces, in place, unaligned and back are as whole."""
    case, base = program.case, (one.key, one.iv, one.ad)
    match case.kind:
        case "hash" | "mac":
            whole = program.one(Request("h" if case.kind == "hash" else "m", mode, *base, one.data))
            wanted = [(Request("u", mode, *base, one.data, b"", cuts, False, skew), whole)]
        case "aead":
            whole, back = program.one(Request("s", mode, *base, one.data)), Answer(one.data, b"", 0)
            wanted = [(Request("s", mode, *base, one.data, b"", (), True, skew), whole)]
            for in_place in (False, True):
                request = Request("o", mode, *base, whole.out, whole.tag, (), in_place, skew)
                wanted.append((request, back))
        case _:
            whole, back = program.one(Request("e", mode, *base, one.data)), Answer(one.data, b"", 0)
            if case.kind == "block" and mode is None:
                cuts = ()
            wanted = [(Request("d", mode, *base, whole.out), back)]
            for in_place in (False, True):
                way = cuts, in_place, skew
                wanted.append((Request("e", mode, *base, one.data, b"", *way), whole))
                wanted.append((Request("d", mode, *base, whole.out, b"", *way), back))
    compare(program, wanted, "ways that differ")


def flips_refused(program: Program, inputs: int) -> None:
    """A bit changed in ciphertext, tag, associated data or nonce: refused, and the output wiped."""
    case = program.case
    rng = random.Random(f"flips {case}")
    tag_bytes = case.primitive.tag_bytes
    wanted = []
    for index in range(inputs):
        one = sample(case, 200 + index)
        ciphertext, tag = one.out[:-tag_bytes], one.out[-tag_bytes:]
        refused = Answer(bytes(len(ciphertext)), b"", 1)
        for in_place in (False, True):
            for iv, ad, text, its_tag in (
                (one.iv, one.ad, _flipped(ciphertext, rng), tag),
                (one.iv, one.ad, ciphertext, _flipped(tag, rng)),
                (one.iv, _flipped(one.ad, rng), ciphertext, tag),
                (_flipped(one.iv, rng), one.ad, ciphertext, tag),
            ):
                wanted.append((Request("o", None, one.key, iv, ad, text, its_tag, (), in_place), refused))
    # Every bit of the tag counts.
    for bit in range(8 * tag_bytes):
        changed = bytearray(tag)
        changed[bit // 8] ^= 1 << bit % 8
        wanted.append((Request("o", None, one.key, one.iv, one.ad, ciphertext, bytes(changed)), refused))
    compare(program, wanted, "a forgery")


def _flipped(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def c_files(root: Path) -> list[Path]:
    """All C of the primitives and modes."""
    return sorted(
        path
        for top in ("primitives", "modes")
        for path in (root / top).rglob("*")
        if path.suffix in (".c", ".h")
    )


def formatted(root: Path) -> None:
    """clang-format has nothing to change."""
    command = ["clang-format", "--dry-run", "-Werror", f"--style=file:{root / '.clang-format'}"]
    result = subprocess.run([*command, *map(str, c_files(root))], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


AVR_WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Werror", "-ffreestanding", "-ffunction-sections")
GCC = ("avr-gcc",)
LIBC = f"-I{ROOT / 'firmware' / 'include'}"
CLANG = (
    *(sys.executable, "-m", "ziglang", "cc", "-target", "avr-freestanding", "-fno-sanitize=all"),
    "-Wno-avr-rtlib-linking-quirks",
)
GCC_CHIPS = {"avr31": "-mmcu=avr31", "avr51": "-mmcu=avr51", "avr25": "-mmcu=avr25"}
IN_RAM = (".data", ".bss", ".rodata")


NEEDS_GCC = pytest.mark.skipif(
    shutil.which("avr-gcc") is None or shutil.which("avr-objdump") is None,
    reason="avr-gcc or avr-objdump is not installed",
)
NEEDS_CLANG = pytest.mark.skipif(
    find_spec("ziglang") is None or shutil.which("avr-objdump") is None,
    reason="the ziglang wheel or avr-objdump is not installed",
)
NEEDS_BIG_ENDIAN = pytest.mark.skipif(
    find_spec("ziglang") is None or shutil.which(BIG_ENDIAN_EMULATOR) is None,
    reason="qemu-user or the ziglang wheel is not installed",
)


def avr_clean(case: Case, compiler: Sequence[str], chip: str, optimisation: str, bind_modes: bool) -> None:
    """Compiles without a warning for a machine with 16-bit int, and puts nothing into RAM."""
    groups = [sources(case, None)]
    if bind_modes:
        groups += [sources(case, mode)[len(case.variant.sources) :] for mode in modes(case.root)]
    with tempfile.TemporaryDirectory() as folder:
        for group in groups:
            command = [*compiler, chip, optimisation, "-std=gnu99", *AVR_WARNINGS, *macros(case), LIBC, "-c"]
            result = subprocess.run(
                [*command, *map(str, group)], capture_output=True, text=True, check=False, cwd=folder
            )
            assert result.returncode == 0, f"{case} {chip} {optimisation}: {result.stderr}"
            objects = sorted(str(path) for path in Path(folder).glob("*.o"))
            assert objects
            for line in subprocess.run(
                ["avr-objdump", "-h", *objects], capture_output=True, text=True, check=True
            ).stdout.splitlines():
                words = line.split()
                if len(words) > 2 and words[1].startswith(IN_RAM):
                    assert int(words[2], 16) == 0, f"{case} {chip}: {words[1]} would occupy RAM"


def catalogue_is_whole(root: Path) -> None:
    """One default variant each, known answers for every primitive and every mode."""
    everything = cases(root, ("block", "stream", "hash", "mac", "aead", "signature"))
    algorithms = {case.algorithm_id for case in everything}
    assert algorithms == {path.stem for path in root.glob("vectors/*.toml")}
    for algorithm in algorithms:
        of_it = [case for case in everything if case.algorithm_id == algorithm]
        defaults = {case.folder for case in of_it if case.is_default}
        assert len(defaults) == 1, f"{algorithm} has {len(defaults)} default variants"
        for case in of_it:
            # A construction is shown by its answers over one primitive, what it is over by its own.
            answered = case.parts or case.vectors()
            assert answered, f"{case.primitive.id} has no known answer"
            assert case.primitive.authority
    answered = {vector.mode for case in cases(root) for vector in case.vectors()}
    assert set(modes(root)) <= answered


_LONE_INCLUDE = re.compile(rb'#include "[^"\n]+"\n')


def every_file_is_read_and_none_twice(root: Path) -> None:
    """No stray file; in an algorithm's folder what variants share, and nothing that two folders hold."""
    for algorithm in sorted(path.parent for path in root.glob("primitives/*/*/algorithm.toml")):
        header = AlgorithmFile.model_validate(read_toml(algorithm / "algorithm.toml")).context_header
        readers: dict[Path, set[str]] = {
            path: set() for path in algorithm.rglob("*") if path.is_file() and path.suffix != ".toml"
        }
        variants = sorted(path.parent for path in algorithm.glob("*/variant.toml"))
        for variant in variants:
            file = VariantFile.model_validate(read_toml(variant / "variant.toml"))
            context = (header,) if file.interface is None else ()
            for source in (*file.sources, *file.call_sources, *context):
                for name in files_read(root, variant, source):
                    place = next((f for f in (variant, algorithm) if (f / Path(name).name) in readers), None)
                    if name.startswith("own/") and place is not None:
                        readers[place / Path(name).name].add(variant.name)
        unread = [str(path.relative_to(root)) for path, names in readers.items() if not names]
        assert not unread, f"read by no variant: {', '.join(unread)}"
        lonely = [path for path, names in readers.items() if path.parent == algorithm and len(names) == 1]
        assert not lonely, f"not shared, though in the algorithm's folder: {lonely}"
        contents = [path.read_bytes() for path in readers]
        twice = [
            str(path.relative_to(root))
            for path, content in zip(readers, contents, strict=True)
            # A variant's name for what it shares: it holds nothing that could be changed in one place only.
            if contents.count(content) > 1 and not _LONE_INCLUDE.fullmatch(content)
        ]
        assert not twice, f"the same file more than once: {', '.join(twice)}"
