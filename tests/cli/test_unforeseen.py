"""What nobody foresaw ends in one sentence: exceptions, and outputs that cannot be written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PLANTED = """
import steelyard.cli.list_ as planted
def fail(*arguments, **options):
    raise {error}
planted.list_ = fail
import sys
sys.argv = ["steelyard", "list", "targets"]
from steelyard.cli import main
import typer
import steelyard.cli.app as app
class _Fails(typer.Typer):
    def __call__(self):
        fail()
app.app = _Fails()
main()
"""


def planted(error: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PLANTED.format(error=error)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_unforeseen_exception_leaves_its_report(tmp_path: Path) -> None:
    done = planted("KeyError('planted')", {"XDG_STATE_HOME": str(tmp_path)})
    assert done.returncode == 70
    (said,) = done.stderr.splitlines()
    (report,) = (tmp_path / "steelyard" / "faults").iterdir()
    assert said.startswith("steelyard: This is a fault of Steelyard: KeyError ('planted')")
    assert str(report) in said
    text = report.read_text("utf-8")
    assert "Traceback" in text
    assert "'list', 'targets'" in text
    assert "Python 3" in text


def test_a_report_without_a_folder_goes_to_standard_error(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "file" / "below")
    (tmp_path / "file").write_text("")
    done = planted("KeyError('planted')", {"XDG_STATE_HOME": nowhere, "XDG_CACHE_HOME": nowhere})
    assert done.returncode == 70
    assert "Traceback" in done.stderr
    assert done.stderr.splitlines()[-1].endswith("its report is above.")


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        ("MemoryError()", 3, "There is not enough memory for this."),
        ("RecursionError('deep')", 70, "RecursionError (deep)"),
        ("KeyboardInterrupt()", 130, ""),
        ("OSError(28, 'No space left on device')", 3, "Standard output cannot be written: No space left"),
    ],
)
def test_others(tmp_path: Path, error: str, status: int, said: str) -> None:
    done = planted(error, {"XDG_STATE_HOME": str(tmp_path)})
    assert done.returncode == status
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == (1 if said else 0)


@pytest.mark.parametrize("command", [("list", "variants"), ("list", "targets", "--json"), ("--help",)])
@pytest.mark.parametrize("output", ["full", "closed", "nobody reads"])
def test_an_output_that_cannot_be_written(steelyard: Any, output: str, command: tuple[str, ...]) -> None:
    line = " ".join(steelyard.command(*command))
    redirected = {
        "full": f"exec {line} >/dev/full",
        "closed": f"exec {line} >&-",
        # The reader has gone before anything is written.
        "nobody reads": f"{{ sleep 0.1; {line}; echo $? >status; }} | true",
    }[output]
    done = subprocess.run(
        ["sh", "-c", redirected],
        env=steelyard.env(),
        cwd=steelyard.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    status = done.returncode
    if output == "nobody reads":
        status = int((steelyard.folder / "status").read_text())
    assert status == 3, done.stderr
    (said,) = done.stderr.splitlines()
    assert said.startswith("steelyard: Standard output ")


@pytest.mark.parametrize("encoding", ["ascii", "ascii:strict"])
def test_a_terminal_of_few_characters(steelyard: Any, encoding: str) -> None:
    steelyard.environment["PYTHONIOENCODING"] = encoding
    assert "atmega128" in steelyard.run("list", "targets").stdout
    assert "unknown target" in steelyard.sentence("show", "--target", "ä€", status=2)


def test_no_figure_at_all_is_a_failure(steelyard: Any, tmp_path: Path) -> None:
    """A primitive that nothing is compared with has no figure, and the command says so in its status."""
    variant = tmp_path / "own" / "toy" / "plain"
    variant.mkdir(parents=True)
    (variant.parent / "algorithm.toml").write_text(
        'kind = "block"\ntitle = "Toy"\nspecification = "a test"\n\n[[primitive]]\nid = "toy-64"\n'
        'key_bytes = 8\nblock_bytes = 8\nrounds = 1\nsecurity = "broken"\nauthority = "a test"\n'
    )
    (variant / "variant.toml").write_text('summary = "plain"\nsources = ["toy.c"]\ndefault = true\n')
    (variant / "context.h").write_text("typedef struct { unsigned char k[8]; } block_context;\n")
    (variant / "toy.c").write_text(
        '#include "block.h"\n'
        "void block_init(block_context *c, const uint8_t *k)"
        " { for (int i = 0; i < 8; i++) c->k[i] = k[i]; }\n"
        "void block_encrypt(const block_context *c, uint8_t *o, const uint8_t *p)"
        " { for (int i = 0; i < 8; i++) o[i] = p[i] ^ c->k[i]; }\n"
        "void block_decrypt(const block_context *c, uint8_t *o, const uint8_t *p)"
        " { for (int i = 0; i < 8; i++) o[i] = p[i] ^ c->k[i]; }\n"
    )
    done = steelyard.run(
        *("measure", "--primitives", tmp_path / "own", "--target", "atmega128", "--toolchain", "clang"),
        status=1,
    )
    assert "3 of 3 cells gave no figure" in done.stderr
