"""`steelyard scenario` as users run it: costs as elsewhere, the shipped scenes, limits, statuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import Steelyard
from scenario.scenes import CATALOG

from steelyard.scenario.scene import read_scene, scenes

SMALL = """
title = "two devices"
[device.sensor]
target = "atmega128"
toolchain = "gcc"
[device.plc]
target = "stm32f407"
toolchain = "gcc"
[bus.can]
kind = "can-fd"
bit_rate = "500kbit/s"
data_rate = "2Mbit/s"
[task.sample]
device = "sensor"
period = "20ms"
work = "8000 cycles"
[task.control]
device = "plc"
after = "value"
work = "500us"
[message.value]
from = "sample"
to = "control"
bus = "can"
id = 1
payload = "16B"
protection = "secoc-can-fd/profile-1"
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


def test_costs_are_those_of_the_other_commands(steelyard: Steelyard, scene: Path) -> None:
    none, suite = steelyard.json("scenario", scene)
    assert (none["name"], suite["name"]) == ("none", "secoc-can-fd/profile-1")
    for side, target, options in (
        ("send", "atmega128", ()),
        ("receive", "stm32f407", ("--receive",)),
    ):
        (cost,) = steelyard.json(
            "protocol", "secoc-can-fd", "--suite", "profile-1", "--target", target, "--message", 16,
            "--toolchain", "gcc", *options,
        )  # fmt: skip
        found = suite["costs"][f"value {side}"]
        assert found["delay_s"] * 1e6 == pytest.approx(cost["message_time_us"])
        assert found["least_s"] <= found["delay_s"] <= found["longest_s"]
        assert found["throughput_bytes_per_s"] == pytest.approx(16 / found["delay_s"])
        assert found["cpu_share"] == 1
    assert suite["costs"]["value send"]["energy_j"] == pytest.approx(
        steelyard.json(
            "protocol", "secoc-can-fd", "--suite", "profile-1", "--target", "atmega128", "--message", 16,
            "--toolchain", "gcc",
        )[0]["message_energy_nj"]
        / 1e9
    )  # fmt: skip
    work = 8000 / 16e6 + suite["costs"]["value send"]["longest_s"]
    assert suite["utilisation"]["sensor"] == pytest.approx(work / 20e-3, rel=1e-6)
    assert none["utilisation"]["sensor"] == pytest.approx(8000 / 16e6 / 20e-3)
    assert suite["responses"]["sample"]["bound_s"] == pytest.approx(work, abs=2e-9)
    assert suite["responses"]["sample"]["simulated_s"] == suite["responses"]["sample"]["bound_s"]
    longer = suite["responses"]["value"]["bound_s"] - none["responses"]["value"]["bound_s"]
    both = suite["costs"]["value send"]["delay_s"] + suite["costs"]["value receive"]["delay_s"]
    assert suite["added_delay_s"] == pytest.approx(both + longer, rel=1e-6)


def test_a_message_can_be_signed(steelyard: Steelyard, scene: Path) -> None:
    """What a suite of SM2 costs is what `protocol` says, and the signature is sent too."""
    before, rest = SMALL.split("[bus.can]")
    text = (
        before + '[bus.can]\nkind = "ethernet"\nbit_rate = "10Mbit/s"\n' + rest[rest.index("[task.sample]") :]
    )
    for old, new in (
        ("id = 1\n", ""), ("20ms", "60s"), ("16B", "32B"), ("secoc-can-fd/profile-1", "sm2/signature")
    ):  # fmt: skip
        text = text.replace(old, new)
    scene.write_text(text)
    none, signed = steelyard.json("scenario", scene)
    for side, device, target, operation in (
        ("send", "sensor", "atmega128", "sign"),
        ("receive", "plc", "stm32f407", "verify"),
    ):
        steps = steelyard.json(
            "protocol", "sm2", "--suite", "signature", "--steps", "--target", target, "--message", 32,
            "--toolchain", "gcc", *(("--receive",) if side == "receive" else ()),
        )  # fmt: skip
        of_message = [step for step in steps if step["part"] == "message"]
        assert [step["operation"] for step in of_message] == ["digest", operation]
        cycles = signed["costs"][f"value {side}"]["delay_s"] * CATALOG.target(target).file.clock_hz
        assert cycles == pytest.approx(sum(step["cycles"] for step in of_message))
        assert signed["rom_bytes"][device] > 4000
    # A frame goes to the switch, and from there.
    longer = signed["responses"]["value"]["bound_s"] - none["responses"]["value"]["bound_s"]
    assert longer == pytest.approx(2 * 8 * 64 / 10e6, rel=1e-3)


def test_memory_is_that_of_recommend(steelyard: Steelyard, scene: Path) -> None:
    changes = ("--set", "message.value.protection=aes-128-ccm", "--set", "device.sensor.ram_used=1K")
    (_, found) = steelyard.json("scenario", scene, *changes)
    asked = ("recommend", "--target", "atmega128", "--need", "confidentiality,integrity", "--message", 16)
    chosen = ("--primitive", "aes-128-ccm", "--toolchain", "gcc", "--flags=-Os")
    ccm = CATALOG.default_variant("ccm", "8-bit").id
    (row,) = [one for one in steelyard.json(*asked, *chosen) if one["fits"] and one["variants"] == ccm]
    assert found["rom_bytes"]["sensor"] == row["rom_bytes"]
    assert found["ram_bytes"]["sensor"] == row["ram_bytes"] + 1024
    assert found["costs"]["value send"]["delay_s"] * 1e6 == pytest.approx(row["time_us"])


def test_order_and_limits(steelyard: Steelyard, scene: Path) -> None:
    """What is slow breaks a deadline that is short; what is left is ranked by the delay it adds."""
    text = SMALL.replace('work = "500us"', 'work = "500us"\ndeadline = "520us"')
    scene.write_text(text + '[try]\nprotection = ["aes-128-gcm", "chaskey-12", "none"]\n')
    rows = steelyard.json("scenario", scene)
    by_name = {row["name"]: row for row in rows}
    assert [row["name"] for row in rows] == ["none", "chaskey-12", "secoc-can-fd/profile-1", "aes-128-gcm"]
    assert by_name["chaskey-12"]["rank"] == 1
    assert by_name["none"]["rank"] is None and by_name["none"]["within_limits"]
    gcm = by_name["aes-128-gcm"]
    assert gcm["rank"] is None and not gcm["within_limits"]
    (problem,) = gcm["problems"]
    assert problem.startswith("control: it may take") and "deadline is 520 us" in problem


def test_statuses(steelyard: Steelyard, scene: Path) -> None:
    overload = ("--set", "task.sample.period=1ms")
    done = steelyard.run("scenario", scene, *overload, status=1)
    assert "device sensor: " in done.stdout and "% of its time is asked for" in done.stdout
    # The rest goes on: the other device has its figures.
    assert "control" in done.stdout
    assert steelyard.json("scenario", scene, *overload, "--without-protection")[0]["within_limits"]
    large = steelyard.json("scenario", scene, "--set", "message.value.payload=64B", status=1)
    assert "carries at most" in large[1]["problems"][0] and large[1]["utilisation"] == {}
    small = steelyard.json("scenario", scene, "--set", "device.sensor.rom_used=127K", status=1)
    assert "bytes of ROM are needed, it has 131072" in small[1]["problems"][0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("none.toml",), "none.toml"),
        (("moter-speed",), "moter-speed"),
        (("{scene}", "--set", "message.value.protection=aes-128-cccm"), "did you mean"),
        (("{scene}", "--set", "message.value.protection=aes-128"), "needs a mode"),
        (("{scene}", "--set", "message.value.protection=secoc-can-fd/profile-9"), "profile-"),
        (("{scene}", "--set", "device.sensor.target=atmega12"), "did you mean"),
        (("{scene}", "--set", "device.plc.clock=8MHz"), "depend on its clock"),
        (("{scene}", "--set", "task.sample.least=9000 cycles"), "the shortest job has more work"),
    ],
)
def test_bad_input(steelyard: Steelyard, scene: Path, arguments: tuple[str, ...], said: str) -> None:
    given = [one.replace("{scene}", str(scene)) for one in arguments]
    assert said in steelyard.sentence("scenario", *given, status=2)


def test_loop_that_cannot_be_closed(steelyard: Steelyard, scene: Path) -> None:
    plant = '[plant.tank]\nkind = "state-space"\na = [[-1.0]]\nb = [[1.0]]\nz = [[1.0, 2.0]]\n'
    loop = (
        '[loop.level]\nplant = "tank"\nchain = ["sample", "value", "control"]\nsetpoint_step = 1\n'
        'duration = "1s"\ncontroller = { kind = "pid", gain = 1.0 }\n'
    )
    scene.write_text(SMALL + plant + loop)
    done = steelyard.run("scenario", scene, status=1)
    assert "loop.level: " in done.stderr
    assert "loop level: it cannot be closed" in done.stdout


def test_all_that_serve_a_need(steelyard: Steelyard, scene: Path) -> None:
    scene.write_text(SMALL + '[try]\nneed = ["integrity"]\nmost = 3\n')
    done = steelyard.run("scenario", scene, "--json")
    rows = json.loads(done.stdout)
    assert len(rows) == 2 + 3
    assert "more protections serve the need" in done.stderr
    added = [row["added_delay_s"] for row in rows[2:]]
    assert added == sorted(added)


def check(name: str, rows: list[dict[str, Any]]) -> None:
    """What must hold of every scene."""
    assert rows[0]["name"] == "none" and len(rows) >= 5
    best = [row["rank"] for row in rows if row["rank"] is not None]
    assert sorted(best) == list(range(1, len(best) + 1)) and best
    for row in rows:
        if not row["utilisation"]:
            assert row["problems"]
            continue
        for one in row["responses"].values():
            assert one["bound_s"] is None or one["simulated_s"] <= one["bound_s"] + 1e-12
        for device, share in row["utilisation"].items():
            assert share >= rows[0]["utilisation"][device] - 1e-12
        for loop, (least, mean, most) in row["latency_s"].items():
            assert least - 1e-12 <= mean <= most + 1e-12 and most <= row["latency_bound_s"][loop] + 1e-12
            assert mean >= rows[0]["latency_s"][loop][1] - 1e-9
            assert row["loops"][loop]["metrics"]["iae"] is not None or not row["within_limits"]
        assert row["within_limits"] == (not row["problems"])


@pytest.mark.parametrize("name", ["motor-speed", "water-tank", "thermal-plate", "sensor-network"])
def test_shipped_scene(steelyard: Steelyard, name: str) -> None:
    shown = steelyard.run("scenario", name, "--details").stdout
    (kept,) = [path for path in steelyard.store.iterdir() if path.name.startswith("result-v1-scenario")]
    content = json.loads(kept.read_text())["content"]
    rows = content["protections"]
    check(name, rows)
    assert rows[1]["within_limits"]
    assert all(row["name"] in shown for row in rows)
    assert content["timelines"]["none"]
    for loop in read_scene(scenes()[name]).loop:
        assert rows[0]["loops"][loop]["response"]["time_s"]


def test_list(steelyard: Steelyard) -> None:
    listed = steelyard.json("scenario")
    assert {row["scene"] for row in listed} >= {"motor-speed", "water-tank"}
