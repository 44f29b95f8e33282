"""What must hold of every variant, as functions of a source tree, so that each can be shown a faulty tree."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from host_build import (
    HOST_COMPILER,
    ROOT,
    SANITIZE,
    WIDE,
    Case,
    Host,
    build,
    cases,
    decrypts_apart,
    macros,
    modes,
    sources,
)

from steelyard import oracle

HERE = Path(__file__).parent


def known_answers(case: Case, options: Sequence[str] = WIDE) -> int:
    """All vectors, by every call that can give them; returns how many there were."""
    hosts: dict[str | None, Host] = {}
    for vector in case.vectors():
        host = hosts.setdefault(vector.mode, Host(case, vector.mode, options))
        data = bytes.fromhex(vector.input) * vector.repeat
        if vector.operation == "digest":
            got = host.digest(data)
        else:
            key, iv = bytes.fromhex(vector.key), bytes.fromhex(vector.iv)
            got = host.crypt(vector.operation, key, iv, data)
        assert got.hex() == vector.output, f"{case}: {vector.source}"
    return len(case.vectors())


def against_oracle(case: Case, mode: str | None, inputs: int, options: Sequence[str] = WIDE) -> None:
    """Random keys and messages of 0 to 300 bytes, there and back, against the independent implementation."""
    host = Host(case, mode, options)
    rng = random.Random(f"{case}-{mode}")
    assert oracle.available(case.primitive, case.algorithm_id, mode)
    for _ in range(inputs):
        key, iv, data = random_input(case, mode, rng)
        if case.kind == "hash":
            want = oracle.expected(case.primitive, case.algorithm_id, "digest", data=data)
            assert host.digest(data) == want, f"{case}: {data.hex()}"
            continue
        want = oracle.expected(
            case.primitive, case.algorithm_id, "encrypt", mode=mode, key=key, iv=iv, data=data
        )
        assert host.crypt("encrypt", key, iv, data) == want, f"{case} {mode}: key {key.hex()} {data.hex()}"
        assert host.crypt("decrypt", key, iv, want) == data, f"{case} {mode}: key {key.hex()} {want.hex()}"


def random_input(case: Case, mode: str | None, rng: random.Random) -> tuple[bytes, bytes, bytes]:
    """Key, IV and a message of a length the mode takes."""
    block = case.primitive.block_bytes
    length = rng.randrange(301)
    if case.kind == "block" and mode is None:
        length = block
    elif mode is not None and modes(case.root)[mode].whole_blocks:
        length -= length % block
    iv_bytes = block if mode is not None else case.primitive.iv_bytes
    return rng.randbytes(case.primitive.key_bytes), rng.randbytes(iv_bytes), rng.randbytes(length)


def all_lengths(case: Case, mode: str | None, options: Sequence[str] = WIDE) -> None:
    """Every length from 0 to 300 that the mode takes: right, in place and unaligned alike."""
    host = Host(case, mode, options)
    rng = random.Random(0)
    step = case.primitive.block_bytes if mode is not None and modes(case.root)[mode].whole_blocks else 1
    for length in range(0, 301, step):
        key, iv, _ = random_input(case, mode, rng)
        data = rng.randbytes(length)
        skew = 1 + length % 7
        if case.kind == "hash":
            want = oracle.expected(case.primitive, case.algorithm_id, "digest", data=data)
            assert host.digest(data, misalignment=skew) == want, f"{case}: length {length}"
            continue
        want = oracle.expected(
            case.primitive, case.algorithm_id, "encrypt", mode=mode, key=key, iv=iv, data=data
        )
        for in_place in (False, True):
            there = host.crypt("encrypt", key, iv, data, in_place=in_place, misalignment=skew)
            assert there == want, f"{case} {mode}: length {length}, in place {in_place}"
            back = host.crypt("decrypt", key, iv, want, in_place=in_place, misalignment=skew)
            assert back == data, f"{case} {mode}: length {length}, in place {in_place}"


def split_is_whole(case: Case, mode: str | None, data: bytes, pieces: Sequence[int]) -> None:
    """A message cut anywhere (at block borders for a mode) gives what it gives whole."""
    host = Host(case, mode)
    if case.kind == "hash":
        assert host.digest(data, pieces=pieces) == host.digest(data), f"{case}: cut at {pieces}"
        return
    key, iv, _ = random_input(case, mode, random.Random(1))
    for operation in ("encrypt", "decrypt"):
        whole = host.crypt(operation, key, iv, data)
        assert host.crypt(operation, key, iv, data, pieces=pieces) == whole, f"{case} {mode}: cut at {pieces}"


def counter_wraps(case: Case) -> None:
    """CTR carries through every byte and from all ones to zero."""
    host = Host(case, "ctr")
    size = case.primitive.block_bytes
    key = bytes(range(case.primitive.key_bytes))
    data = bytes(4 * size + 1)
    for ones in range(size + 1):
        iv = b"\x5a" * (size - ones) + b"\xff" * ones
        want = oracle.expected(
            case.primitive, case.algorithm_id, "encrypt", mode="ctr", key=key, iv=iv, data=data
        )
        assert host.crypt("encrypt", key, iv, data) == want, f"{case}: counter {iv.hex()}"


def under_sanitizers(case: Case, mode: str | None, inputs: int) -> None:
    """Vectors and random inputs in a program built with the address and undefined behaviour sanitizers."""
    program_agrees(case, mode, inputs, SANITIZE, HOST_COMPILER, ())


BIG_ENDIAN_TARGET = "mips-linux-musleabi"
BIG_ENDIAN_COMPILER = (sys.executable, "-m", "ziglang", "cc", "-target", BIG_ENDIAN_TARGET, "-static")
BIG_ENDIAN_EMULATOR = "qemu-mips"


def on_big_endian(case: Case, mode: str | None, inputs: int) -> None:
    """Vectors and random inputs in a program for a big-endian machine, run by an emulator of it."""
    program_agrees(
        case,
        mode,
        inputs,
        ("-fno-sanitize=all", "-Wno-sign-conversion"),
        BIG_ENDIAN_COMPILER,
        (BIG_ENDIAN_EMULATOR,),
    )


def program_agrees(
    case: Case,
    mode: str | None,
    inputs: int,
    build_options: Sequence[str],
    compiler: tuple[str, ...],
    runner: Sequence[str],
) -> None:
    """Vectors and random inputs through a program that `runner`, where one is given, has to run."""
    options = [*build_options]
    if mode is not None:
        options.append("-DWITH_MODE")
    if decrypts_apart(case, mode):
        options.append("-DWITH_INIT_DECRYPT")
    program = build(case, mode, options, HERE / f"{case.kind}_driver.c", compiler)
    lines: list[tuple[str, str, str, str]] = []
    answers: list[str] = []
    for vector in case.vectors():
        if vector.mode == mode and len(vector.input) * vector.repeat < 1 << 16:
            lines.append((vector.operation, vector.key, vector.iv, vector.input * vector.repeat))
            answers.append(vector.output)
    rng = random.Random(f"program {case}-{mode}")
    for _ in range(inputs):
        key, iv, data = random_input(case, mode, rng)
        for operation in ("digest",) if case.kind == "hash" else ("encrypt", "decrypt"):
            want = oracle.expected(
                case.primitive,
                case.algorithm_id,
                operation,
                mode=mode,
                key=b"" if case.kind == "hash" else key,
                iv=iv,
                data=data,
            )
            lines.append((operation, key.hex(), iv.hex(), data.hex()))
            answers.append(want.hex())
    text = "".join(f"{op[0]} {key or '-'} {iv or '-'} {data or '-'}\n" for op, key, iv, data in lines)
    result = subprocess.run([*runner, str(program)], input=text, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{case} {mode}: {result.stderr}"
    assert result.stdout.split() == [answer or "-" for answer in answers], f"{case} {mode}"


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


def have_gcc() -> bool:
    """Whether the cross compiler of the distribution is on the path."""
    return shutil.which("avr-gcc") is not None and shutil.which("avr-objdump") is not None


def have_clang() -> bool:
    """Whether the wheel with clang is installed."""
    return find_spec("ziglang") is not None


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
    """One default variant each, no stray source file, known answers for every primitive and every mode."""
    everything = cases(root, ("block", "stream", "hash", "mac", "aead", "signature"))
    algorithms = {case.algorithm_id for case in everything}
    assert algorithms == {path.stem for path in root.glob("vectors/*.toml")}
    for algorithm in algorithms:
        of_it = [case for case in everything if case.algorithm_id == algorithm]
        defaults = {case.folder for case in of_it if case.variant.default}
        assert len(defaults) == 1, f"{algorithm} has {len(defaults)} default variants"
        for case in of_it:
            assert {path.name for path in case.folder.glob("*.c")} == set(case.variant.sources), str(case)
            # A construction is shown by its answers over one primitive, what it is over by its own.
            answered = case.parts or case.vectors()
            assert answered, f"{case.primitive.id} has no known answer"
            assert case.primitive.authority
    answered = {vector.mode for case in cases(root) for vector in case.vectors()}
    assert set(modes(root)) <= answered
