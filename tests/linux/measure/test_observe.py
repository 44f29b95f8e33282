"""What a device tells of itself, read from a tree of files as kernels have them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.data import data_root

_PROGRAM = r"""
#include <stdio.h>
#include "observe.h"

int main(void) {
    char line[8];

    observe_open();
    do {
        long long energy = observe_usage().energy_uj, hz = observe_frequency_hz();
        long long hottest = observe_temperature_millicelsius();
        printf("%lld|%lld|%s|%lld|%s|%s\n", energy == OBSERVE_ABSENT ? -1 : energy, hz,
               observe_governor(), hottest == OBSERVE_ABSENT ? -1 : hottest,
               observe_absent(OBSERVED_ENERGY), observe_absent(OBSERVED_TEMPERATURE));
        fflush(stdout);
    } while (fgets(line, sizeof line, stdin) != NULL);
    return 0;
}
"""

Write = Callable[[str, object], None]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler for this machine (cc)")
    source = tmp_path / "main.c"
    source.write_text(_PROGRAM)
    linux = data_root() / "firmware" / "linux"
    built = tmp_path / "observing"
    units = [str(linux / name) for name in ("observe.c", "wire.c", "checksum.c")]
    options = ("-std=c99", "-Wno-format-truncation", f'-DOBSERVE_ROOT="{tmp_path}/root"', f"-I{linux}")
    subprocess.run(
        [compiler, *options, str(source), *units, "-o", str(built)],
        check=True,
        timeout=60,
    )
    return built


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(path: str, value: object) -> None:
        file = tmp_path / "root" / "sys" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{value}\n")

    return written


def _observed(program: Path, *between: Callable[[], None]) -> list[list[str]]:
    """The values at the start and after each change."""
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdin is not None and running.stdout is not None
        lines = [running.stdout.readline()]
        for change in between:
            change()
            running.stdin.write("\n")
            running.stdin.flush()
            lines.append(running.stdout.readline())
        running.stdin.close()
    return [line.rstrip("\n").split("|") for line in lines]


def test_packages_are_summed_and_a_counter_may_wrap(program: Path, write: Write) -> None:
    for package, value in ((0, 990), (1, 100)):
        write(f"class/powercap/intel-rapl:{package}/energy_uj", value)
        write(f"class/powercap/intel-rapl:{package}/max_energy_range_uj", 1000)
    write("class/powercap/intel-rapl:0:0/energy_uj", 5)

    def later() -> None:
        write("class/powercap/intel-rapl:0/energy_uj", 10)
        write("class/powercap/intel-rapl:1/energy_uj", 130)
        write("class/powercap/intel-rapl:0:0/energy_uj", 500)

    first, second = _observed(program, later)
    assert int(second[0]) - int(first[0]) == 20 + 30


def test_a_board_s_energy_sensor_counts_where_there_is_no_rapl(program: Path, write: Write) -> None:
    write("class/hwmon/hwmon0/energy1_input", 7000)
    first, second = _observed(program, lambda: write("class/hwmon/hwmon0/energy1_input", 7500))
    assert int(second[0]) - int(first[0]) == 500


def test_frequency_governor_and_the_hottest_sensor(program: Path, write: Write) -> None:
    for core in range(256):
        write(f"devices/system/cpu/cpu{core}/cpufreq/scaling_cur_freq", 1_200_000)
        write(f"devices/system/cpu/cpu{core}/cpufreq/scaling_governor", "ondemand")
    write("class/thermal/thermal_zone0/temp", 45000)
    write("class/hwmon/hwmon3/temp2_input", 61500)
    write("class/hwmon/hwmon3/temp1_input", -5000)
    ((_, hz, governor, hottest, _, _),) = _observed(program)
    assert (hz, governor, hottest) == ("1200000000", "ondemand", "61500")


def test_what_is_not_there_has_a_reason(program: Path) -> None:
    ((energy, _, governor, hottest, energy_reason, temperature_reason),) = _observed(program)
    assert (energy, governor, hottest) == ("-1", "", "-1")
    assert "no counter of energy" in energy_reason
    assert "no sensor" in temperature_reason
