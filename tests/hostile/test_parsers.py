"""Every parser of a user's files and options: damaged input is accepted, or refused in one sentence, soon."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hostile.mutations import accepted, damaged, fuzzed, nasty
from hypothesis import given
from hypothesis import strategies as st

from steelyard.advise.battery import Node
from steelyard.advise.limits import LimitsFile
from steelyard.advise.protocols import ProtocolFile
from steelyard.catalog.load import CatalogError, load_catalog, read_file
from steelyard.catalog.models import AlgorithmFile, ModeFile, Strict, VariantFile, VectorFile
from steelyard.catalog.trees.readers import read_tree
from steelyard.cli import _run
from steelyard.errors import UsageError
from steelyard.fidelity.boards import BoardFile
from steelyard.files import read_limited
from steelyard.linux.hosts import Host
from steelyard.measure.call import parse_argument
from steelyard.measure.selection import SelectionFile
from steelyard.measure.settings import changed, parse_settings
from steelyard.scenario.scene import read_scene, scenes
from steelyard.store.read import read_records
from steelyard.study.published import Publication
from steelyard.toolchain.flags import check_flags, split_flags

ROOT = Path(__file__).parents[2]
IMAGE = str(ROOT / "tests" / "golden" / "sum.elf")
MODELS: tuple[tuple[type[Strict], str], ...] = (
    (VariantFile, "primitives/block/*/*/variant.toml"),
    (AlgorithmFile, "primitives/*/*/algorithm.toml"),
    (VectorFile, "vectors/*.toml"),
    (ModeFile, "modes/*/mode.toml"),
    (Node, "advice/nodes/*.toml"),
    (ProtocolFile, "advice/protocols/*.toml"),
    (LimitsFile, "advice/limits.toml"),
    (BoardFile, "reference/boards/*.toml"),
    (Host, "targets/hosts/*.toml"),
    (SelectionFile, "bench.toml"),
    (Publication, "studies/*/publication.toml"),
)


# No argument of a test: a failing example would show all of it.
catalogue = cache(load_catalog)


@cache
def shipped(pattern: str) -> tuple[str, ...]:
    found = tuple(path.read_text("utf-8") for path in sorted(ROOT.glob(pattern))[:8])
    assert found, pattern
    return found


@pytest.mark.parametrize(("model", "pattern"), MODELS, ids=[model.__name__ for model, _ in MODELS])
def test_files(tmp_path: Path, model: type[Strict], pattern: str) -> None:
    @fuzzed(12)
    @given(damaged(shipped(pattern)))
    def check(content: bytes) -> None:
        path = tmp_path / "file.toml"
        path.write_bytes(content)
        accepted(lambda: read_file(path, model))

    check()


def test_adapters(tmp_path: Path) -> None:
    (tmp_path / "aes.c").touch()
    (tmp_path / "aes.h").touch()

    @fuzzed(12)
    @given(damaged(((ROOT / "adapters" / "tiny-aes-c.toml").read_text("utf-8"),)))
    def check(content: bytes) -> None:
        path = tmp_path / "named.toml"
        path.write_bytes(content)
        accepted(lambda: list(read_tree(tmp_path, path)))

    check()


def test_a_users_folder(tmp_path: Path) -> None:
    texts = {
        "algorithm.toml": 'kind = "block"\ntitle = "Toy"\nspecification = "a test"\n\n[[primitive]]\n'
        'id = "toy-64"\nkey_bytes = 8\nblock_bytes = 8\nrounds = 1\nsecurity = "broken"\n'
        'authority = "a test"\n',
        "vectors.toml": '[[vector]]\nprimitive = "toy-64"\noperation = "encrypt"\nkey = "0000000000000000"\n'
        'input = "0000000000000000"\noutput = "0000000000000000"\nsource = "a test"\n',
        "plain/variant.toml": 'summary = "plain"\nsources = ["toy.c"]\ndefault = true\n',
    }

    def write(name: str, content: bytes) -> None:
        path = tmp_path / "own" / "toy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    write("plain/toy.c", b"")
    write("plain/context.h", b"")
    for name, text in texts.items():

        @fuzzed(6)
        @given(damaged((text,)))
        def check(content: bytes) -> None:
            write(name, content)  # noqa: B023
            accepted(lambda: load_catalog([tmp_path / "own"]))

        for other in texts:
            write(other, texts[other].encode())
        check()
        write(name, text.encode())
    assert accepted(lambda: load_catalog([tmp_path / "own"]))


def test_scenes(tmp_path: Path) -> None:
    texts = tuple(path.read_text("utf-8") for path in scenes().values())

    @fuzzed(40)
    @given(damaged(texts))
    def check(content: bytes) -> None:
        path = tmp_path / "scene.toml"
        path.write_bytes(content)
        accepted(lambda: read_scene(path))

    check()


FIELDS = (
    *(
        "task.control.period",
        "task.sample.work",
        "task.sample.offset",
        "device.drive.target",
        "bus.can.bit_rate",
    ),
    *("message.speed.payload", "simulation.duration", "plant.motor.inertia_kg_m2", "loop.speed.duration"),
    *(
        "loop.speed.controller",
        "try.protection",
        "try.most",
        "",
        ".",
        "a" * 3000,
        "a.b.c.d.e",
        "task",
        "x" + ".y" * 900,
    ),
)


@fuzzed(60)
@given(st.sampled_from(FIELDS) | nasty, nasty)
def test_changes_of_a_scene(field: str, value: str) -> None:
    accepted(lambda: read_scene(scenes()["motor-speed"], [f"{field}={value}"]))


@fuzzed(40)
@given(
    st.sampled_from(("icache.size", "dcache.ways", "clock_hz", "code", "flash.access_ns", "")) | nasty, nasty
)
def test_changes_of_a_chip(field: str, value: str) -> None:
    accepted(lambda: changed(catalogue(), parse_settings([f"{field}={value}"]), ["sa1100", "stm32f407"]))


@fuzzed(60)
@given(st.lists(st.sampled_from(("-O2", "-Os", "-fno-inline", "-DX=1", "'", '"', "\\")) | nasty, max_size=4))
def test_flags(words: list[str]) -> None:
    accepted(lambda: check_flags(split_flags(" ".join(words))))


@fuzzed(40)
@given(st.sampled_from(("in:", "out:", "inout:", "u16:", "i64:", "")), nasty)
def test_arguments(kind: str, text: str) -> None:
    accepted(lambda: parse_argument(kind + text))


def test_calibration_tables(tmp_path: Path) -> None:
    from steelyard.models.predict import read_measured
    from steelyard.models.training import read_records as model_records
    from steelyard.models.training import training

    learned = training(model_records())
    rows = [row for row in learned.rows if row.primitive in ("aes-128", "xtea", "sha-256")]
    lines = [f"{row.primitive},{row.operation},{max(row.message_bytes, 0) or ''},1234.5,600" for row in rows]
    text = "\n".join(["primitive,operation,message_bytes,cycles,rom_bytes", *lines])
    (tmp_path / "measured.csv").write_text(text)
    assert accepted(lambda: read_measured(tmp_path / "measured.csv", learned))

    @fuzzed(40)
    @given(damaged((text,)))
    def check(content: bytes) -> None:
        path = tmp_path / "measured.csv"
        path.write_bytes(content)
        accepted(lambda: read_measured(path, learned))

    check()


def test_records(tmp_path: Path) -> None:
    from steelyard.record.schema import complete
    from steelyard.store.segments import SegmentWriter

    figures: Any = {
        "primitive": "xtea",
        "target": "atmega128",
        "status": "ok",
        "verified": True,
        "cycles": 5680.0,
    }
    with SegmentWriter(tmp_path) as writer:
        writer.append([complete(figures)] * 3)
    (segment,) = tmp_path.glob("*.ndjson")
    text = segment.read_text("utf-8").replace(",", ",\n")

    @fuzzed(25)
    @given(damaged((text,)))
    def check(content: bytes) -> None:
        segment.write_bytes(content.replace(b",\n", b","))
        told: list[str] = []
        accepted(lambda: read_records(tmp_path, told.append))
        assert all(said.isprintable() for said in told)

    check()


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("list", "variants", "--primitive", "aes-128", "--columns", "variant", "--sort", "variant"),
    ("list", "targets", "--json"),
    ("show", "--primitive", "xtea", "--target", "atmega128", "--length", "64", "--rule", "small-memory"),
    ("claims", "--json"),
    (
        "battery",
        "--node",
        "mica2",
        "--primitive",
        "xtea",
        "--message",
        "32",
        "--rate",
        "1/min",
        "--no-measure",
    ),
    ("protocol", "--help"),
    ("scenario", "motor-speed", "--no-measure", "--set", "task.sample.period=2ms"),
    ("scenario", "water-tank", "--no-measure", "--set", "simulation.duration=1s", "--without-protection"),
    (
        "measure",
        "--primitive",
        "none-such",
        "--target",
        "atmega128",
        "--flags",
        "-O2",
        "--max-cycles",
        "1000",
    ),
    (
        "measure",
        "--elf",
        IMAGE,
        "--call",
        "sum",
        "--target",
        "atmega128",
        "--arg",
        "5",
    ),
    (
        "run",
        IMAGE,
        "--target",
        "atmega128",
        "--to",
        "0x10",
        "--max-cycles",
        "1000",
    ),
    ("predict", "--primitive", "aes-128", "--calibrate", "no-such.csv"),
    ("store", "export", "--format", "csv"),
    ("fidelity", "--board", "stm32f4", "--source", "."),
)


@st.composite
def commands(draw: st.DrawFn) -> list[str]:
    words = list(draw(st.sampled_from(COMMANDS)))
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(1, len(words) - 1))
        change = draw(st.sampled_from(("replace", "replace", "insert", "drop")))
        if change == "replace":
            words[at] = draw(nasty)
        elif change == "insert":
            words.insert(at, draw(nasty))
        elif len(words) > 2:
            del words[at]
    # The kernel passes no zero bytes, and a half of a surrogate pair is nothing that it could pass.
    return [word.replace("\x00", "") for word in words if _passes(word)]


def _passes(word: str) -> bool:
    try:
        word.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


@contextlib.contextmanager
def command_line(words: Sequence[str], folder: Path) -> Iterator[io.StringIO]:
    """The process as if it were started with these arguments, in a folder and with a store of its own."""
    before, here, store = sys.argv, Path.cwd(), os.environ.get("STEELYARD_STORE")
    sys.argv = ["steelyard", *words]
    os.environ["STEELYARD_STORE"] = str(folder / "store")
    os.environ["XDG_STATE_HOME"] = str(folder)
    os.chdir(folder)
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            yield err
    finally:
        sys.argv = before
        os.chdir(here)
        del os.environ["XDG_STATE_HOME"]
        if store is None:
            del os.environ["STEELYARD_STORE"]
        else:
            os.environ["STEELYARD_STORE"] = store


def test_command_lines(tmp_path: Path) -> None:
    @fuzzed(25)
    @given(commands())
    def check(words: list[str]) -> None:
        with command_line(words, tmp_path) as err:
            status = _run()
        said = err.getvalue()
        assert status in (0, 1, 2, 3), (words, said)
        assert "Traceback" not in said

    check()


@pytest.mark.parametrize("kind", ["a pipe", "a device", "a folder", "missing"])
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "variant.toml"
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a folder":
        path.mkdir()
    elif kind == "a device":
        path = Path("/dev/zero")
    with pytest.raises(UsageError, match="No such file" if kind == "missing" else kind):
        read_limited(path, 1000)
    with pytest.raises(CatalogError):
        read_file(path, VariantFile)


def test_a_file_has_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"x" * (3 << 20))
    assert len(read_limited(path, 3 << 20)) == 3 << 20
    with pytest.raises(UsageError, match="larger than the 2 MiB that an image may have"):
        read_limited(path, 2 << 20, "an image")
    with pytest.raises(UsageError, match="not the name of a file"):
        read_limited(Path("a\0b"), 10)
