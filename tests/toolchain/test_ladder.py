"""Flags that are stepped down for objects that a compiler cannot do, and what the image says of it."""

from __future__ import annotations

import sys

import pytest
from toolchain.workshop import TOY_FILES, Workshop

from steelyard.toolchain import BuildFailed
from steelyard.toolchain.family import Family, families

LADDER: tuple[tuple[str, ...], ...] = ((), ("-DFIRST_STEP", "-O1"), ("-DLAST_STEP", "-O0"))
ENCRYPT = TOY_FILES["encrypt.c"]


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch) -> None:
    """AVR's GCC with three steps."""
    avr = families()["avr"]
    gcc = avr.toolchain["gcc"].model_copy(update={"ladder": LADDER})
    changed: Family = avr.model_copy(update={"toolchain": {**avr.toolchain, "gcc": gcc}})
    module = sys.modules["steelyard.toolchain.build"]
    monkeypatch.setattr(module, "families", lambda: {**families(), "avr": changed})


def needing(macro: str) -> dict[str, str]:
    """The toy with an encryption that does not compile without a macro."""
    return {**TOY_FILES, "encrypt.c": f"#ifndef {macro}\n#error no {macro}\n#endif\n{ENCRYPT}"}


@pytest.mark.usefixtures("ladder")
def test_an_object_steps_down_alone_and_the_image_says_so(workshop: Workshop) -> None:
    result = workshop.build(needing("LAST_STEP"))
    assert result.object_flags == {"own_plain_encrypt_c.o": "-DLAST_STEP -O0"}
    compiled = [command for command in result.commands if " -c " in command]
    assert ["-DLAST_STEP" in command for command in compiled] == [
        "encrypt.c" in command for command in compiled
    ]
    assert result.flags == ("-Os",)
    assert workshop.build(needing("LAST_STEP")) == result


@pytest.mark.usefixtures("ladder")
def test_the_first_step_that_compiles_is_taken(workshop: Workshop) -> None:
    assert workshop.build(needing("FIRST_STEP")).object_flags == {"own_plain_encrypt_c.o": "-DFIRST_STEP -O1"}
    assert workshop.build().object_flags == {}


@pytest.mark.usefixtures("ladder")
def test_what_no_step_compiles_fails_with_the_first_ones_words(workshop: Workshop) -> None:
    with pytest.raises(BuildFailed, match=r"does not compile: .*no ANYTHING") as failure:
        workshop.build(needing("ANYTHING"))
    assert "STEP" not in failure.value.command


def test_without_a_ladder_nothing_is_tried_again(workshop: Workshop) -> None:
    with pytest.raises(BuildFailed):
        workshop.build(needing("LAST_STEP"))
