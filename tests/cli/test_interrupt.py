"""Ctrl-C ends any command at once, within native code and compilers too, and keeps what is done.

SOAK_INTERRUPTS says how often each command is interrupted in the long test (20 by default):

    SOAK_INTERRUPTS=20 python -m pytest -m soak -s tests/cli/test_interrupt.py
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cli import test_fidelity
from cli.test_models import CHIP
from command import Steelyard, options
from store.samples import record, written

from steelyard.record.schema import Record, identity
from steelyard.store.read import read_records

# A second on an idle machine; this one may be busy.
ENDS_WITHIN_S = 5
STARTS_WITHIN_S = 120

ENDLESS_AVR = b"\xff\xcf"
_BODY = "const uint16_t *k = ctx->subkeys;"
ENDLESS_C = ("encrypt.c", _BODY, f'{_BODY} for (;;) __asm__ volatile("");')
# Half a billion headers, in hardly any memory.
AGAIN = '#if __INCLUDE_LEVEL__ < 30\n#include "again.h"\n#include "again.h"\n#endif\n'
folder = test_fidelity.folder
Make = Callable[..., Path]


def children(process: int) -> dict[int, str]:
    """The programs that a process started, and what they started: their command lines by number."""
    found = {}
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            for child in path.read_text().split():
                found[int(child)] = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
                found |= children(int(child))
        except OSError:
            continue
    return found


def alive(process: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


@dataclass
class Running:
    """A command in a process group of its own, as a terminal starts it, with its own temporary folder."""

    process: subprocess.Popen[str]
    temporary: Path

    def wait_for(self, happens: Callable[[], object]) -> None:
        end = time.monotonic() + STARTS_WITHIN_S
        while not happens():
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < end
            time.sleep(0.02)

    def wait_for_processor_time(self, seconds: float) -> None:
        """Wait until the process itself, without its children, has computed for so long."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        ticks = seconds * os.sysconf("SC_CLK_TCK")

        def computed() -> bool:
            fields = stat.read_text().rpartition(")")[2].split()
            return int(fields[11]) + int(fields[12]) >= ticks

        self.wait_for(computed)

    def interrupt(self) -> tuple[str, str]:
        """Interrupt it: it ends soon and leaves no child and no folder. What it said on both channels."""
        began = children(self.process.pid)
        start = time.monotonic()
        os.killpg(self.process.pid, signal.SIGINT)
        out, err = self.process.communicate(timeout=STARTS_WITHIN_S)
        assert time.monotonic() - start < ENDS_WITHIN_S
        assert "Traceback" not in err
        assert {number: line for number, line in began.items() if alive(number)} == {}
        assert list(self.temporary.iterdir()) == []
        return out, err


Start = Callable[..., Running]


@pytest.fixture
def start(steelyard: Steelyard, tmp_path: Path) -> Iterator[Start]:
    started = []
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    steelyard.environment["TMPDIR"] = str(temporary)

    def begin(*arguments: object) -> Running:
        process = steelyard.start(*arguments, process_group=0)
        started.append(process)
        return Running(process, temporary)

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def records(steelyard: Steelyard) -> list[Record]:
    """What is on file; nothing of it may be damaged."""
    return read_records(steelyard.store, pytest.fail).to_dicts()


def cells(steelyard: Steelyard) -> set[tuple[object, ...]]:
    return set(map(identity, records(steelyard)))


def endless_run(start: Start, folder: Path) -> Running:
    image = folder / "endless.bin"
    image.write_bytes(ENDLESS_AVR)
    where = ("--raw", "0", "--target", "atmega128", "--to", "2", "--max-cycles", 10**12)
    running = start("run", image, *where)
    running.wait_for_processor_time(3)
    return running


def test_an_endless_run(start: Start, tmp_path: Path) -> None:
    running = endless_run(start, tmp_path)
    _, said = running.interrupt()
    assert running.process.returncode == 130
    assert said == "steelyard: interrupted; what was finished before is kept.\n"


def test_measure_in_an_endless_call(start: Start, steelyard: Steelyard, own_idea: Make) -> None:
    own = own_idea("endless", ENDLESS_C)
    chosen = options(target="atmega128", toolchain="gcc", operation="encrypt", max_cycles=10**12, jobs=2)
    chosen += options(primitive=["idea", "rc5-32-12-16"], variant=["idea/endless", "rc5/*"])
    running = start("measure", "--primitives", own, *chosen)
    running.wait_for(lambda: records(steelyard))
    running.wait_for_processor_time(3)
    _, said = running.interrupt()
    assert running.process.returncode == 130
    kept = records(steelyard)
    assert {(row["primitive"], row["status"]) for row in kept} == {("rc5-32-12-16", "ok")}
    assert f"steelyard: interrupted; {len(kept)} of {len(kept) + 1} cells are done and kept:" in said


def test_measure_in_a_long_compilation(
    start: Start, steelyard: Steelyard, own_idea: Make, tmp_path: Path
) -> None:
    steelyard.cache = tmp_path / "cold"
    own = own_idea("long")
    source = own / "idea" / "encrypt.c"
    source.write_text(f'#include "again.h"\n{source.read_text()}')
    source.with_name("again.h").write_text(AGAIN)
    chosen = options(target="atmega128", toolchain="gcc", primitive="idea", variant="idea/long")
    running = start("measure", "--primitives", own, *chosen)
    # Others try what the compiler can do.
    own_file = ("cc1", "encrypt.c")
    running.wait_for(
        lambda: any(all(word in line for word in own_file) for line in children(running.process.pid).values())
    )
    _, said = running.interrupt()
    assert running.process.returncode == 130
    assert "steelyard: interrupted; 0 of " in said
    # No program that was ended has failed.
    assert records(steelyard) == []


def test_folders_of_a_killed_run_go_at_the_next_start(
    start: Start, steelyard: Steelyard, own_idea: Make, tmp_path: Path
) -> None:
    steelyard.cache = tmp_path / "cold"
    chosen = options(target="atmega128", toolchain="gcc", primitive="idea", variant="idea/mine")
    command = ("measure", "--primitives", own_idea("mine"), *chosen)
    killed = start(*command)
    killed.wait_for(lambda: list(killed.temporary.glob("*/*")))
    killed.process.kill()
    killed.process.wait()
    assert list(killed.temporary.iterdir())
    steelyard.run(*command)
    assert list(killed.temporary.iterdir()) == []


def test_twice_does_not_wait(start: Start, tmp_path: Path) -> None:
    running = endless_run(start, tmp_path)
    running.process.send_signal(signal.SIGINT)
    running.interrupt()
    assert running.process.returncode == 130


SHORT = ("--target", "atmega128", "--toolchain", "gcc")
COMMANDS: dict[str, tuple[object, ...]] = {
    "measure": ("measure", "--primitive", "rc5*", *SHORT, "--mode", "*"),
    "reproduce": ("reproduce", "atmega128", "--toolchain", "gcc"),
    "report": ("report", "--output", "report.html"),
    "show": ("show",),
    "fit affine": ("fit", "affine"),
    "fit evaluate": ("fit", "evaluate"),
    "scenario": ("scenario", "motor-speed"),
    "recommend": ("recommend", "--target", "atmega128", "--need", "integrity", "--message", "24"),
    "predict": ("predict", "--primitive", "aes-128", "--target", "chip.toml"),
    "protocol": ("protocol", "lorawan-1.0", "--target", "atmega328p", "--message", "24"),
    "battery": (
        *("battery", "micaz", "--protocol", "ieee802154", "--suite", "enc-mic-64"),
        *("--message", "24", "--rate", "1/min"),
    ),
    "host measure": ("host", "measure", "--primitive", "speck-64-128", "--length", "65536"),
    "host interfere": ("host", "interfere", "--primitive", "speck-64-128", "--priority", "0"),
    "store gc": ("store", "gc"),
    "store merge": ("store", "merge", "other"),
    "store verify": ("store", "verify"),
    "claims": ("claims",),
}


@pytest.fixture(scope="module")
def many_records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with so many records that reading them takes a second."""
    folder = tmp_path_factory.mktemp("many")
    written(folder, *map(record, range(20_000)))
    return folder


@pytest.fixture
def prepared(steelyard: Steelyard, many_records: Path, tmp_path: Path) -> Steelyard:
    """Two such stores, an own chip, a cache without anything."""
    for folder in (tmp_path / "other", steelyard.store):
        shutil.copytree(many_records, folder)
    (tmp_path / "chip.toml").write_text(CHIP)
    steelyard.cache = tmp_path / "cold"
    return steelyard


@pytest.mark.parametrize(
    "times", [1, pytest.param(int(os.environ.get("SOAK_INTERRUPTS", "20")), marks=pytest.mark.soak)]
)
@pytest.mark.parametrize("name", COMMANDS)
def test_any_command_at_any_moment(start: Start, prepared: Steelyard, name: str, times: int) -> None:
    chosen = random.Random(name)
    for _ in range(times):
        before = cells(prepared)
        running = start(*COMMANDS[name])
        # Python's own start, of a tenth of a second, is not Steelyard's to end.
        running.wait_for_processor_time(chosen.uniform(0.15, 0.4) if times > 1 else 0.25)
        _, said = running.interrupt()
        assert running.process.returncode == 130
        assert "fault of Steelyard" not in said
        assert before <= cells(prepared)


def test_fidelity_in_an_endless_routine(start: Start, folder: test_fidelity.Folder) -> None:
    made = folder([test_fidelity.figure("endless", 1)], ".global turns\nturns: rjmp turns\n")
    running = start("fidelity", "--source", made, *test_fidelity.HERE)
    running.wait_for_processor_time(1.2)
    running.interrupt()
    assert running.process.returncode == 130
