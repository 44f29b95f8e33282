"""`steelyard explain` through the real entry point: a planted slower variant, and bad input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Make = Callable[..., Path]

IDEA = ("--primitive", "idea", "--target", "atmega128", "--toolchain", "gcc", "--operation", "encrypt")
BODY = "const uint16_t *k = ctx->subkeys;"
PLANTED = 50
SPILLS = f"{BODY} volatile uint8_t pad; pad = 1; for (uint8_t i = 0; i < {PLANTED}; i++) {{ pad; }}"
CALLED = 7
CALLS = f"{BODY} for (uint8_t i = 0; i < {CALLED}; i++) {{ planted(); }}"


def _explained(steelyard: Any, folder: Path) -> dict[str, Any]:
    rows = steelyard.json("explain", "idea/fast", "idea/slow", "--primitives", folder, *IDEA)
    parts = [row for row in rows if row["kind"] in ("instructions", "waits")]
    (whole,) = (row for row in rows if row["kind"] == "whole")
    assert sum(part["difference"] for part in parts) == whole["difference"] > 0
    return {row["name"]: row for row in rows if row["kind"] != "waits"} | {
        "text": [row["text"] for row in rows if row["kind"] == "sentence"]
    }


def test_planted_loads_from_the_stack_are_the_reason(steelyard: Any, own_idea: Make) -> None:
    folder = own_idea("slow", ("encrypt.c", BODY, SPILLS))
    found = _explained(steelyard, folder)
    loads = found["load"]
    more = loads["b_executes"] - loads["a_executes"]
    fast, slow = steelyard.json(
        "measure", "--primitives", folder, "--variant", "idea/fast", "--variant", "idea/slow", *IDEA
    )
    assert more == slow["mix_load"] - fast["mix_load"] >= PLANTED
    assert found["loads from the stack"]["difference"] >= PLANTED
    assert found["stores to the stack"]["difference"] >= 1
    # A load of an AVR takes two cycles [DS40002198, 6.66].
    assert loads["difference"] == 2 * more
    assert any(text.startswith(f"{loads['b_executes']:,.0f} loads instead of") for text in found["text"])
    assert any("spilled registers" in text for text in found["text"])


def test_planted_calls_are_the_reason(steelyard: Any, own_idea: Make) -> None:
    function = (
        '#include "block.h"\n__attribute__((noinline)) static void planted(void) { __asm__ volatile(""); }\n'
    )
    folder = own_idea("slow", ("encrypt.c", BODY, CALLS), ("encrypt.c", '#include "block.h"\n', function))
    found = _explained(steelyard, folder)
    assert found["calls of functions"]["difference"] == CALLED
    for name in ("call", "return"):
        assert found[name]["b_executes"] - found[name]["a_executes"] == CALLED
    a, b = (found["calls of functions"][side] for side in "ab")
    assert f"Functions are called {b:.0f} times instead of {a:.0f}." in found["text"]


def test_two_values_of_an_option_are_two_sides(steelyard: Any) -> None:
    rc5 = ("--primitive", "rc5-32-12-8", "--target", "atmega128", "--toolchain", "gcc")
    by_option = steelyard.run("explain", *rc5, "--variant", "rc5/fast", "--variant", "rc5/compact").stdout
    assert by_option == steelyard.run("explain", "rc5/fast", "rc5/compact", *rc5).stdout
    assert by_option.splitlines()[0].startswith("A: rc5-32-12-8 encrypt, 8 bytes: rc5/fast")
    steelyard.run("profile", *rc5, "--operation", "encrypt", "--save", "kept")
    again = steelyard.run("explain", "kept", "rc5/compact", *rc5).stdout
    assert again.splitlines()[2] == by_option.splitlines()[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["aes/sbox"], "name two to compare"),
        (["aes/sbox", "aes/ttbale-1k"], 'did you mean "aes/ttable-1k"'),
        (["aes/sbox aes/compact", "aes/sbox"], "cannot both be its variant"),
        (
            ["--variant=aes/sbox", "--variant=aes/compact", "--flags=-Os", "--flags=-O2"],
            "more than one option",
        ),
        (["init", "chacha20"], "only be compared by the byte"),
    ],
)
def test_bad_input_is_one_sentence(steelyard: Any, arguments: list[str], said: str) -> None:
    chosen = ("--primitive", "aes-128", "--target", "atmega128", "--toolchain", "gcc")
    assert said in steelyard.sentence("explain", *arguments, *chosen, status=2)


def test_a_side_without_a_figure_ends_with_1(steelyard: Any, own_idea: Make) -> None:
    folder = own_idea("slow", ("encrypt.c", BODY, BODY + " out[8] = 1;"))
    said = steelyard.sentence("explain", "idea/fast", "idea/slow", "--primitives", folder, *IDEA, status=1)
    assert "wrong-output" in said
