"""`steelyard compare` and `steelyard watch` through the real entry point."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from command import Steelyard
from compare.conftest import SLOW, Repository
from compare.records import record, slower
from typer.testing import CliRunner

from steelyard.cli.app import app
from steelyard.errors import UsageError
from steelyard.record.schema import Record
from steelyard.store.segments import SegmentWriter

CHOSEN = (
    *("--variant", "rc4/simple", "--primitive", "rc4-128", "--target", "atmega128"),
    *("--toolchain", "clang", "--operation", "encrypt", "--length", "16"),
)
SAVED_WITHIN_S = 60.0


def store(folder: Path, *records: Record) -> Path:
    with SegmentWriter(folder) as writer:
        writer.append(records)
    return folder


def test_revisions(steelyard: Steelyard, repository: Repository) -> None:
    repository.change(*SLOW)
    repository.commit("slower")
    asked = ("compare", "--git", "HEAD~1", "main", "--primitives", repository.code, *CHOSEN)
    (repository.root / "steelyard.toml").write_text(
        '[limit]\nrom = "+1K"\n\n[[budget]]\nvariant = "rc4/simple"\nstack = 2\n'
        '[[budget]]\ntarget = "attiny45"\ncycles = 1\n',
        "utf-8",
    )
    steelyard.folder = repository.root
    done = steelyard.run(*asked, "--limit", "cycles=none", "--limit", "stack=none",
                         "--write", "markdown=pull.md", "--write", "sarif=found.sarif", status=4)  # fmt: skip
    assert "Module" in done.stdout
    assert "over budget" in done.stdout
    assert "2 budgets; 1 cell exceeds one." in done.stdout
    assert "budget 2 is of no cell that was compared" in done.stderr
    assert (repository.root / "pull.md").read_text("utf-8").startswith("<!-- steelyard compare -->")
    results = json.loads((repository.root / "found.sarif").read_text("utf-8"))["runs"][0]["results"]
    (result,) = (one for one in results if one["ruleId"] == "budget")
    assert result["level"] == "error"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my-ciphers/rc4/simple/variant.toml"
    # The command line counts more than the file.
    (repository.root / "steelyard.toml").unlink()
    rows = {row["measure"]: row for row in steelyard.json(*asked, status=4)}
    assert rows["cycles"]["function"] == "stream_crypt"
    assert (rows["cycles"]["changed"], rows["cycles"]["is_of_code"]) == (["source"], True)
    assert rows["cycles"]["delta"] == rows["cycles"]["head"] - rows["cycles"]["base"] > 0
    assert not steelyard.store.exists()


def test_stores(steelyard: Steelyard, tmp_path: Path) -> None:
    base = store(tmp_path / "base", record(), record(target="attiny45"))
    head = store(tmp_path / "head", slower(50, source_hash="a", toolchain_version="13.1.0"))
    done = steelyard.run("compare", base, head, "--target", "atmega128", status=4)
    assert "the compiler changed and the source did not: the difference is not the code's" in done.stdout
    done = steelyard.run("compare", base, head, "--limit", "cycles=+5%", "--format", "gha", status=1)
    assert [row["value"] for row in json.loads(done.stdout)][:2] == [1050, 500]
    damaged = next(head.glob("records-*"))
    damaged.write_text(damaged.read_text("utf-8").replace("1050", "1000"), "utf-8")
    done = steelyard.run("compare", base, head, "--target", "atmega128", status=1)
    assert "is not what was written (checksum)" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("compare",), "name the two sides in one way"),
        (("compare", "base"), "HEAD is missing"),
        (("compare", "base", "haed"), 'did you mean "head"?'),
        (("compare", "main", "HEAD"), "--git BASE HEAD"),
        (("compare", "base", "head", "--git", "a", "b"), "in one way"),
        (("compare", "base", "head", "--limit", "cycle=0"), 'did you mean "cycles"?'),
        (("compare", "base", "head", "--jobs", "2"), "leave"),
        (("compare", "base", "head", "--write", "sarif"), "give a format and a file"),
        (("compare", "base", "head", "--format", "bfm"), 'did you mean "bmf"?'),
        (("compare", "base", "head", "--format", "gha", "--json"), "leave one of them out"),
        (("compare", "base", "head", "--budgets", "none.toml"), "none.toml"),
        (("compare", "--between", "flag", "-Os", "-O2"), 'did you mean "flags"?'),
        (("compare", "--between", "flags", "-Os", "-O2", "--flags=-O3"), "leave --flags out"),
        (("watch",), "--primitives DIR"),
    ],
)
def test_a_mistake_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("base", "head"):
        store(tmp_path / name, record())
    done = CliRunner().invoke(app, list(words))
    assert isinstance(done.exception, UsageError), done.output
    assert said in str(done.exception)
    assert "\n" not in str(done.exception)
    assert done.output == ""


def test_without_git(steelyard: Steelyard, repository: Repository) -> None:
    steelyard.environment = {"PATH": "/nonexistent"}
    said = steelyard.sentence("compare", "--git", "main", ".", "--primitives", repository.code, status=3)
    assert "git is not installed" in said


def wait_for(path: Path, said: str) -> str:
    """The text of a growing file as soon as it has these words."""
    until = time.monotonic() + SAVED_WITHIN_S
    while said not in (text := path.read_text("utf-8")):
        assert time.monotonic() < until, text
        time.sleep(0.05)
    return text


def test_watch(steelyard: Steelyard, repository: Repository, tmp_path: Path) -> None:
    out, messages = tmp_path / "out", tmp_path / "messages"
    with out.open("w") as output, messages.open("w") as errors:
        command = steelyard.command("watch", "--primitives", repository.code, *CHOSEN)
        process = subprocess.Popen(command, env=steelyard.env(), cwd=tmp_path, stdout=output, stderr=errors)
        try:
            wait_for(messages, "watching; save a file")
            assert "rc4/simple" in out.read_text("utf-8")
            repository.change(*SLOW)
            assert "+" in wait_for(out, "stream_crypt").partition("Delta")[2]
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=10) == 130
        finally:
            process.kill()
            process.wait()


def test_watch_tells_what_fails_and_goes_on(repository: Repository, monkeypatch: Any, tmp_path: Path) -> None:
    import steelyard
    from steelyard.compare import watching

    monkeypatch.setattr(watching, "INTERVAL_S", 0.02)
    monkeypatch.chdir(tmp_path)
    chosen = {"variant": "rc4/simple", "primitive": "rc4-128", "target": "atmega128"}
    seen = steelyard.watch([repository.code], toolchain="clang", operation="encrypt", length=16, **chosen)
    first = next(seen).comparison
    assert first is not None
    assert (first.exit_status, [pair.changed for pair in first.pairs]) == (0, [False])
    repository.change("si + sj", "si + undeclared")
    broken = next(seen).comparison
    assert broken is not None
    assert (broken.exit_status, broken.pairs[0].standing) == (1, "failed")
    facts = repository.code / "rc4" / "simple" / "variant.toml"
    text = facts.read_text("utf-8")
    facts.write_text(text.replace("sources", "source"), "utf-8")
    refused = next(seen)
    assert refused.comparison is None
    assert "unknown field source" in str(refused.error)
    facts.write_text(text, "utf-8")
    assert next(seen).comparison is not None
    repository.change("si + undeclared", "si + sj")
    repository.change(*SLOW)
    # The last good figures are those of the beginning.
    worse = next(seen).comparison
    assert worse is not None
    assert worse.exit_status == 4
    (cycles,) = (row for row in worse.pairs[0].rows if row.measure == "cycles")
    assert cycles.blame is not None
    assert cycles.blame.place == "simple/crypt.c:7"


def test_watch_ends_after_its_runs(steelyard: Steelyard, repository: Repository) -> None:
    started = time.monotonic()
    rows = steelyard.json("watch", "--primitives", repository.code, *CHOSEN, "--runs", 1)
    assert {row["verdict"] for row in rows} == {"same"}
    assert time.monotonic() - started < SAVED_WITHIN_S
