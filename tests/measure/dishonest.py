"""Variants that compute nothing, or not what they should: a planted set that measuring must refuse.

`python tests/measure/dishonest.py` measures the set on chips of four families and prints what was said.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steelyard.data import data_root

CHIPS = ("atmega128", "stm32f407", "sa1100", "gd32vf103")
HONEST = "honest"


@dataclass(frozen=True)
class Planted:
    """A change of XTEA: bodies of the contract's functions, over `real_init` and its like."""

    what: str
    init: str = "real_init(ctx, key);"
    encrypt: str = "real_encrypt(ctx, out, in);"
    decrypt: str = "real_decrypt(ctx, out, in);"
    more: str = ""
    context: str = ""


PLANTED: Mapping[str, Planted] = {
    name: Planted(**fields)
    for name, fields in tomllib.loads(Path(__file__).with_suffix(".toml").read_text()).items()
}
"""By name; all but the honest one must be refused."""

_CODE = """#include "block.h"

#define block_init    real_init
#define block_encrypt real_encrypt
#define block_decrypt real_decrypt
#include "init.c"
#include "mix.c"
#include "encrypt.c"
#include "decrypt.c"
#undef block_init
#undef block_encrypt
#undef block_decrypt
{more}
void block_init(block_context *ctx, const uint8_t *key) {{
    {init}
}}

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {{
    {encrypt}
}}

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {{
    {decrypt}
}}
"""


def write(folder: Path) -> None:
    """Write the set as a folder of one's own code."""
    xtea = data_root() / "primitives" / "block" / "xtea"
    for name, planted in PLANTED.items():
        variant = folder / "xtea" / name
        variant.mkdir(parents=True)
        for path in (*xtea.glob("*.[ch]"), *(xtea / "compact").glob("*.[ch]")):
            shutil.copy(path, variant)
        (variant / "variant.toml").write_text(f'summary = "{planted.what}"\nsources = ["own.c"]\n')
        context = variant / "context.h"
        text = context.read_text()
        context.write_text(text.replace("uint32_t key[4];", f"uint32_t key[4];\n    {planted.context}"))
        parts = {name: getattr(planted, name) for name in ("init", "encrypt", "decrypt", "more")}
        (variant / "own.c").write_text(_CODE.format(**parts))


def measured(folder: Path, chips: tuple[str, ...]) -> list[dict[str, Any]]:
    """Measure the set, its store and all in a folder; return the records."""
    write(folder / "own")
    variants = [option for name in PLANTED for option in ("--variant", f"xtea/{name}")]
    targets = [option for chip in chips for option in ("--target", chip)]
    command = [sys.executable, "-m", "steelyard", "measure", "--primitives", str(folder / "own")]
    selection = ["--primitive", "xtea", *variants, *targets, "--toolchain", "gcc", "--flags=-Os"]
    kept = ["--store", str(folder / "store"), "--json"]
    done = subprocess.run([*command, *selection, *kept], capture_output=True, text=True, check=False)
    if not done.stdout:
        raise RuntimeError(done.stderr)
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


def said(rows: list[dict[str, Any]], name: str, chip: str) -> list[dict[str, Any]]:
    """Return the records of a planted variant on a chip that give no figure."""
    own = [row for row in rows if row["variant"] == f"xtea/{name}" and row["target"] == chip]
    return [row for row in own if row["status"] != "ok" or not row["verified"]]


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(Path(folder), CHIPS)
    print("| variant | what is wrong | " + " | ".join(CHIPS) + " |")
    print("| --- | --- | " + " | ".join("---" for _ in CHIPS) + " |")
    for name, planted in PLANTED.items():
        found = [said(rows, name, chip) for chip in CHIPS]
        cells = [one[0]["fault_kind"] or one[0]["status"] if one else "ok" for one in found]
        print(f"| {name} | {planted.what} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
