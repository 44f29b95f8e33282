"""A user's own variants and images, the good and the faulty."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steelyard.record.schema import METRICS

Make = Callable[..., Path]

HERE = ("--target", "atmega128", "--toolchain", "gcc", "--operation", "encrypt")
BODY = "const uint16_t *k = ctx->subkeys;"


def test_own_variant_is_measured_and_verified(steelyard: Any, own_idea: Make) -> None:
    rows = steelyard.json("measure", "--primitives", own_idea("mine"), *HERE)
    assert [(row["variant"], row["status"], row["verified"]) for row in rows] == [("idea/mine", "ok", True)]


def test_own_algorithm_without_known_answers_gets_no_figure(steelyard: Any, own_idea: Make) -> None:
    folder = own_idea("mine")
    (folder / "idea").rename(folder / "odd")
    (folder / "odd" / "algorithm.toml").write_text(
        'kind = "block"\ntitle = "Odd"\nspecification = "none"\n'
        '[[primitive]]\nid = "odd-128"\nkey_bytes = 16\nblock_bytes = 8\nrounds = 8\n'
        'security = "broken"\nauthority = "a test"\n'
    )
    variant = folder / "odd" / "mine" / "variant.toml"
    variant.write_text(variant.read_text() + "default = true\n")
    (row,) = steelyard.json("measure", "--primitives", folder, *HERE, status=1)
    assert (row["status"], row["verified"], row["cycles"]) == ("ok", False, None)
    assert "vectors.toml" in row["error"]
    assert steelyard.json("show", status=1) == []
    # The published answer of IDEA serves as its own.
    (folder / "odd" / "vectors.toml").write_text(
        '[[vector]]\nprimitive = "odd-128"\noperation = "encrypt"\nkey = "00010002000300040005000600070008"\n'
        'input = "0000000100020003"\noutput = "11fbed2b01986de5"\nsource = "Lai, Massey and Murphy, 1991"\n'
    )
    (row,) = steelyard.json("measure", "--primitives", folder, *HERE)
    assert (row["status"], row["verified"]) == ("ok", True)
    assert row["verified_by"] == "1 published known answers"


@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        # Random keys would hardly ever show this one; a published key does.
        (
            ("encrypt.c", "k += 6;", "k += 6; x1 ^= (uint16_t)(rounds == 3 && k[0] == 0);"),
            "wrong-output",
            "vector",
        ),
        (
            ("encrypt.c", "x4 ^= t;", "x4 ^= t; x4 ^= (uint16_t)(rounds == 1);"),
            "wrong-output",
            "it should be",
        ),
        (("encrypt.c", BODY, BODY + " out[8] = 1;"), "wrong-output", "past the end of the output buffer"),
        (("encrypt.c", BODY, BODY + " out[-1] = 1;"), "wrong-output", "before the output buffer"),
        (("encrypt.c", BODY, BODY + " ((uint8_t *)in)[7] ^= 1;"), "wrong-output", "of the input was changed"),
        (("encrypt.c", BODY, BODY + ' __asm__ volatile(".word 0xffff");'), "fault", "no instruction"),
        (("encrypt.c", BODY, BODY + ' for (;;) __asm__ volatile("");'), "fault", "cycle budget"),
        (
            ("encrypt.c", BODY, BODY + " volatile uint8_t big[4000]; big[0] = big[3999] = in[0];"),
            "does-not-fit",
            "RAM",
        ),
        (
            ("encrypt.c", BODY, BODY + " volatile uint8_t big[5000]; big[0] = big[4999] = in[0];"),
            "does-not-fit",
            "RAM",
        ),
        (("encrypt.c", "x1 ^= u;", "x1 ^= undeclared;"), "build-failed", "undeclared"),
        (("encrypt.c", "void block_encrypt(", "void block_encrypted("), "build-failed", "block_encrypt"),
    ],
    ids=[
        "rare",
        "wrong",
        "past",
        "before",
        "input",
        "illegal",
        "endless",
        "stack",
        "wrap",
        "compile",
        "missing",
    ],
)
def test_planted_fault_is_found(
    steelyard: Any, own_idea: Make, change: tuple[str, str, str], status: str, said: str
) -> None:
    folder = own_idea("mine", change)
    failed = status in ("wrong-output", "fault", "build-failed")
    rows = steelyard.json("measure", "--primitives", folder, "--primitive", "idea", *HERE,
                          "--max-cycles", 1_000_000, status=int(failed))  # fmt: skip
    by_variant = {row["variant"]: row for row in rows}
    mine = by_variant.pop("idea/mine")
    assert mine["status"] == status
    assert said in mine["error"]
    if failed:
        assert not any(mine[name] is not None for name in METRICS)
    # The rest of the plan went on.
    assert [row["status"] for row in by_variant.values()] == ["ok"]


def test_endless_recursion_is_a_fault(steelyard: Any, own_idea: Make) -> None:
    recursion = (
        "encrypt.c",
        "void block_encrypt(",
        "__attribute__((noinline)) static uint8_t deep(volatile uint8_t *p) {\n"
        "    volatile uint8_t here[9]; here[0] = *p; return (uint8_t)(deep(here) + here[0]);\n}\n"
        "void block_encrypt(",
    )
    folder = own_idea(
        "mine", recursion, ("encrypt.c", BODY, BODY + " volatile uint8_t seed = in[0]; out[0] = deep(&seed);")
    )
    (row,) = steelyard.json("measure", "--primitives", folder, *HERE, status=1)
    assert (row["status"], row["fault_kind"]) == ("fault", "stack-overflow")


SUM = Path(__file__).parent.parent / "golden" / "sum.elf"


def test_any_function_of_any_image(steelyard: Any) -> None:
    (row,) = steelyard.json("measure", "--elf", SUM, "--call", "sum", "--target", "atmega128",
                            "--arg", "in:0102030405", "--arg", "5")  # fmt: skip
    assert (row["status"], row["verified"], row["return_value"]) == ("ok", False, "15")
    assert row["cycles"] > 20
    assert row["ram_stack_bytes"] >= 2
    (row,) = steelyard.json("measure", "--elf", SUM, "--call", "reverse", "--target", "atmega128",
                            "--arg", "inout:00112233", "--arg", "u16:4")  # fmt: skip
    assert row["outputs"] == ["33221100"]
    # Unverified: in the store, but no result.
    assert steelyard.json("show", status=1) == []
    assert [row["symbol"] for row in steelyard.json("show", "--unverified")] == ["sum", "reverse"]


def test_call_that_goes_out_of_bounds(steelyard: Any) -> None:
    (row,) = steelyard.json("measure", "--elf", SUM, "--call", "reverse", "--target", "atmega128",
                            "--arg", "inout:0011", "--arg", "5", status=1)  # fmt: skip
    # The last of five bytes is read first.
    assert (row["status"], row["fault_kind"]) == ("fault", "stray-read")
    assert "it lies 3 bytes past the end of the argument 1 buffer of 2 bytes" in row["error"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('__asm__(".incbin \\"/etc/passwd\\"");', "incbin read files behind the compiler's back"),
        ('#include "/etc/passwd"', '"/etc/passwd" leads out of the folder'),
        ('#if __has_include("x.h")\n#endif', "__has_include and __has_embed ask for files"),
    ],
)
def test_a_refused_source_costs_its_own_cells_alone(
    steelyard: Any, own_idea: Make, text: str, said: str
) -> None:
    own = own_idea("mine")
    source = own / "idea" / "encrypt.c"
    source.write_text(f"{text}\n{source.read_text()}")
    done = steelyard.run(
        *("measure", "--primitives", own, *HERE, "--primitive", "idea", "--variant", "*", "--json"), status=1
    )
    rows = {row["variant"]: row for row in json.loads(done.stdout)}
    refused = rows.pop("idea/mine")
    assert (refused["status"], refused["verified"], refused["cycles"]) == ("build-failed", False, None)
    assert said in refused["error"]
    assert said in done.stderr
    assert rows
    assert {row["status"] for row in rows.values()} == {"ok"}


def spread_out(folder: Path) -> Path:
    """Puts the variant's sources into deeper folders, and what they need into a third and into a macro."""
    variant = folder / "idea" / "mine"
    for name, place in (("encrypt.c", variant / "ref"), ("init.c", variant.parent / "common")):
        place.mkdir()
        (variant.parent / name).rename(place / name)
    (variant / "headers").mkdir()
    (variant / "multiply.h").rename(variant / "headers" / "multiply.h")
    encrypt = variant / "ref" / "encrypt.c"
    encrypt.write_text(encrypt.read_text("utf-8").replace("PRIMITIVE_ROUNDS", "MY_ROUNDS", 1), "utf-8")
    facts = variant / "variant.toml"
    lines = facts.read_text("utf-8").splitlines()
    kept = [line for line in lines if not line.startswith(("sources", "    ", "]"))]
    kept += [
        'sources = ["../common/*.c", "init_decrypt.c", "ref/encrypt.c"]',
        'include_dirs = ["headers"]',
        "defines = { MY_ROUNDS = 8 }",
    ]
    facts.write_text("\n".join(kept) + "\n", "utf-8")
    return folder


def test_sources_lie_where_they_are(steelyard: Any, own_idea: Make) -> None:
    (usual,) = steelyard.json("measure", "--primitive", "idea", "--variant", "idea/fast", *HERE)
    rows = steelyard.json("measure", "--primitives", spread_out(own_idea("mine")), *HERE)
    assert [(row["variant"], row["status"], row["cycles"]) for row in rows] == [
        ("idea/mine", "ok", usual["cycles"])
    ]


def test_a_macro_of_ones_own_is_part_of_the_build(steelyard: Any, own_idea: Make) -> None:
    folder = spread_out(own_idea("mine"))
    facts = folder / "idea" / "mine" / "variant.toml"
    facts.write_text(facts.read_text("utf-8").replace("MY_ROUNDS = 8", "MY_ROUNDS = 7"), "utf-8")
    (row,) = steelyard.json("measure", "--primitives", folder, *HERE, status=1)
    assert row["status"] == "wrong-output"


def test_a_set_up_that_was_not_announced_is_noticed(steelyard: Any, own_idea: Make) -> None:
    folder = own_idea("mine", ("variant.toml", "init_decrypt = true", "init_decrypt = false"))
    here = ("--target", "atmega128", "--toolchain", "gcc", "--operation", "decrypt")
    (row,) = steelyard.json("measure", "--primitives", folder, *here, status=1)
    assert row["status"] == "wrong-output"
    assert row["error"].endswith(
        "init_decrypt.c defines block_init_decrypt: say init_decrypt = true in idea/mine's variant.toml."
    )
