"""Temporary folders of builds: below one root, and gone after the process, however it ends."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from steelyard._native import remove_folder, write_files
from steelyard.toolchain import scratch

WAITS = """
import time
from steelyard.toolchain.scratch import scratch_folder
with scratch_folder() as folder:
    open(f"{folder}/file", "w").close()
    print(folder, flush=True)
    time.sleep(60)
"""
ENDS = "from steelyard.toolchain.scratch import scratch_root\nprint(scratch_root())"


def started(program: str, folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "TMPDIR": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=environment
    )


def said(process: subprocess.Popen[str]) -> Path:
    assert process.stdout is not None
    return Path(process.stdout.readline().strip())


def test_root_of_a_killed_process_goes_at_the_next_start(tmp_path: Path) -> None:
    with started(WAITS, tmp_path) as killed, started(WAITS, tmp_path) as living:
        try:
            left, held = said(killed), said(living)
            killed.send_signal(signal.SIGKILL)
            killed.wait()
            assert (left / "file").exists()
            with started(ENDS, tmp_path) as third:
                own = said(third)
            assert not left.parent.exists()
            assert (held / "file").exists()
            assert not own.exists()
        finally:
            living.kill()
    assert [path.name for path in tmp_path.iterdir()] == [held.parent.name]


def test_what_is_not_steelyards_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "lock").touch()
    (tmp_path / "steelyard-run-link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "steelyard-run-file").touch()
    (tmp_path / "steelyard-run-young").mkdir()
    (tmp_path / "steelyard-run-dead").mkdir()
    (tmp_path / "steelyard-run-dead" / "lock").touch()
    scratch.remove_abandoned()
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"elsewhere", "steelyard-run-link", "steelyard-run-file"}
    assert (tmp_path / "elsewhere" / "lock").exists()


def test_root_that_is_taken_away_while_it_is_made_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    real, taken = tempfile.mkdtemp, []

    def swept(*arguments: str, **options: str) -> str:
        made = real(*arguments, **options)
        if not taken:
            taken.append(made)
            scratch.remove_abandoned()
        return made

    monkeypatch.setattr(tempfile, "mkdtemp", swept)
    monkeypatch.setattr(scratch, "_root", None)
    root = scratch.scratch_root()
    assert taken
    assert root != taken[0]
    assert Path(root, "lock").exists()


def test_files_are_written_with_their_folders_and_removed(tmp_path: Path) -> None:
    files = [("own/aes/aes.c", b"int x;"), ("own/aes/aes.h", b""), ("link.ld", b"\xff")]
    write_files(str(tmp_path / "build"), files)
    for name, content in files:
        assert (tmp_path / "build" / name).read_bytes() == content
    remove_folder(str(tmp_path / "build"))
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_an_error_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "aes").write_bytes(b"")
    with pytest.raises(FileExistsError) as error:
        write_files(str(tmp_path), [("aes/aes.c", b"")])
    assert (error.value.errno, error.value.strerror) == (errno.EEXIST, os.strerror(errno.EEXIST))
    with pytest.raises(FileNotFoundError):
        remove_folder(str(tmp_path / "absent"))
