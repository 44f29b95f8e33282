"""Each kind of side, measured: revisions, the work tree, flags, compilers, variants, stores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from compare.conftest import SLOW, Repository

import steelyard
from steelyard.compare import Comparison
from steelyard.errors import SteelyardError, UsageError
from steelyard.store.export import encode

ONE: dict[str, Any] = {
    "primitive": "rc4-128",
    "target": "atmega128",
    "toolchain": "clang",
    "operation": "encrypt",
    "length": 16,
}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def revisions(repository: Repository, base: str, head: str, **more: Any) -> Comparison:
    chosen = {**ONE, "variant": "rc4/simple", "primitives": [repository.code], **more}
    return steelyard.compare(base, head, between="git", **chosen)


def test_a_planted_regression(repository: Repository) -> None:
    repository.change(*SLOW)
    repository.commit("slower")
    found = revisions(repository, "HEAD~1", "main")
    assert found.exit_status == 4
    (pair,) = found.pairs
    assert (pair.causes, pair.is_of_code, pair.place) == (("source",), True, "my-ciphers/rc4/simple")
    rows = {row.measure: row for row in pair.rows}
    assert {name for name, row in rows.items() if row.verdict == "regression"} >= {"cycles", "rom"}
    cycles, rom = rows["cycles"].blame, rows["rom"].blame
    assert cycles is not None and rom is not None
    assert (cycles.what, rom.what) == ("stream_crypt", "stream_crypt")
    assert rom.delta == rows["rom"].delta
    # The planted loop stands in the seventh line of the head.
    assert cycles.place == "simple/crypt.c:7"
    assert "volatile" in str(cycles.source)
    assert revisions(repository, "main", "HEAD~1").exit_status == 0
    assert revisions(repository, "main", "main").pairs[0].changed is False


def test_the_dirty_work_tree(repository: Repository) -> None:
    repository.change(*SLOW)
    found = revisions(repository, "main", ".")
    assert (found.exit_status, found.head) == (4, "the work tree")
    assert repository.git("status", "--porcelain").split() == ["M", "my-ciphers/rc4/simple/crypt.c"]


def test_a_cell_that_fails_or_is_gone(repository: Repository) -> None:
    repository.change("si + sj", "si - sj")
    wrong = revisions(repository, "main", ".")
    assert (wrong.exit_status, wrong.pairs[0].standing) == (1, "failed")
    assert "wrong-output" in str(wrong.pairs[0].error)
    repository.git("checkout", "--quiet", ".")
    repository.git("mv", "my-ciphers/rc4/simple", "my-ciphers/rc4/other")
    # The head no longer knows the variant that is asked for.
    with pytest.raises(UsageError, match="rc4/simple"):
        revisions(repository, "main", ".")
    gone = revisions(repository, "main", ".", variant=())
    assert [
        (pair.standing, pair.record["variant"]) for pair in gone.pairs if pair.standing != "compared"
    ] == [
        ("new", "rc4/other"),
        ("missing", "rc4/simple"),
    ]
    assert gone.exit_status == 1
    assert revisions(repository, "main", ".", variant=(), allow_missing=True).exit_status == 0


def test_a_base_without_the_folder(repository: Repository) -> None:
    repository.git("mv", "my-ciphers", "later")
    repository.commit("moved")
    with pytest.warns(UserWarning, match="all cells are new"):
        folder = repository.root / "later"
        found = revisions(repository, "HEAD~1", "HEAD", primitives=[folder])
    assert (found.exit_status, found.pairs[0].standing) == (0, "new")
    with pytest.raises(UsageError, match="neither"):
        revisions(repository, "HEAD~1", "HEAD", primitives=[repository.root / "none"])


def test_flags() -> None:
    found = steelyard.compare("-Os", "-O3", between="flags", limit="rom=none", **ONE)
    (pair,) = found.pairs
    assert pair.causes == ("flags",)
    rows = {row.measure: row for row in pair.rows}
    assert rows["rom"].verdict in ("better", "within-limit", "same")
    assert "-O" not in pair.name


def test_compilers() -> None:
    chosen = {name: value for name, value in ONE.items() if name != "toolchain"}
    found = steelyard.compare("gcc", "clang", between="toolchain", **chosen)
    (pair,) = found.pairs
    assert pair.causes == ("compiler",)
    assert not pair.is_of_code


def test_variants() -> None:
    found = steelyard.compare("rc4/fast", "rc4/compact", between="variant", **ONE)
    (pair,) = found.pairs
    assert pair.causes == ("source",)
    assert pair.name == "rc4-128 encrypt 16 B, atmega128, clang -Os"
    with pytest.raises(UsageError, match="stands for"):
        steelyard.compare("rc4/*", "rc4/compact", between="variant", **ONE)


def test_stores(tmp_path: Path) -> None:
    frame = steelyard.measure(variant="rc4/fast", store=tmp_path / "base", **ONE)
    assert steelyard.compare(str(tmp_path / "base"), frame).exit_status == 0
    assert steelyard.compare(tmp_path / "base", frame, target="atmega*").exit_status == 0
    with pytest.raises(SteelyardError, match="no record of what is selected"):
        steelyard.compare(tmp_path / "base", frame, target="attiny45")
    with pytest.raises(UsageError, match='did you mean "atmega128"'):
        steelyard.compare(tmp_path / "base", frame, target="atmega12")
    with pytest.raises(UsageError, match="unknown argument"):
        steelyard.compare(tmp_path / "base", frame, targt="atmega12")


@pytest.mark.parametrize("form", ["json", "csv", "parquet"])
def test_files_of_records(tmp_path: Path, form: str) -> None:
    frame = steelyard.measure(variant="rc4/fast", store=tmp_path / "base", **ONE)
    path = tmp_path / f"records.{form}"
    path.write_bytes(encode(frame, form))  # type: ignore[arg-type]
    found = steelyard.compare(path, tmp_path / "base")
    assert (found.exit_status, len(found.pairs)) == (0, 1)
    assert found.pairs[0].causes == ()
    written = path.read_bytes()
    path.write_bytes(written.replace(b",ok,", b",odd,") if form == "csv" else written[:-40])
    with pytest.raises(UsageError, match=str(path)):
        steelyard.compare(path, tmp_path / "base")
