"""Write what the documentation takes from the program: help texts, definitions, measured tables.

A generated block of a Markdown file stands between `<!-- generated: NAME -->` and `<!-- end -->`; NAME is a
key of BLOCKS. Measured blocks come from the records in docs/records/, which `--measure` makes anew. Texts on
rows that are off lie in docs/sensor-nodes.toml; a row that needs one and has none is an error.

    python docs/generate.py             rewrite the blocks
    python docs/generate.py --check     change nothing, exit with 1 where a block is stale
    python docs/generate.py --measure   measure, keep the records, then rewrite the blocks
    python docs/generate.py --measure bench word-sizes    these records alone
    python docs/generate.py --evaluate  put the models to the test anew, then rewrite the blocks
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import polars as pl
import typer
from typer.testing import CliRunner

from steelyard import oracle
from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import Primitive
from steelyard.cli.app import app
from steelyard.fidelity.boards import known_boards, load_board
from steelyard.fidelity.compare import Row
from steelyard.linux.interfere import result as interference
from steelyard.models.evaluation import ALGORITHMS, CORES, every_case
from steelyard.models.training import METRICS as PREDICTED
from steelyard.models.training import Chip, training
from steelyard.models.training import read_records as read_training_records
from steelyard.present.markdown import markdown_table
from steelyard.present.table import Table
from steelyard.record.schema import FIELDS, METRICS
from steelyard.report import models_page, tables
from steelyard.report.columns import UNITS
from steelyard.report.picture import picture_svg
from steelyard.report.predicted import kept_predictions, predictions_path
from steelyard.report.published import fidelity, industrial_linux, sensor_nodes_page
from steelyard.report.published import markdown as energy
from steelyard.report.published import pages as published_pages
from steelyard.report.published.explanations import read_explanations
from steelyard.reproduce import rl78_minimal
from steelyard.reproduce.industrial_linux import Reproduction
from steelyard.reproduce.industrial_linux import reproduce as reproduce_on_linux
from steelyard.reproduce.sensor_nodes import platforms, printed_rows
from steelyard.store.read import frame_schema, read_records
from steelyard.toolchain.compilers import discover
from steelyard.toolchain.recipe import toolchains_folder

ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "docs" / "records"
PICTURE = ROOT / "docs" / "cycles-per-byte.svg"
MODELS_PICTURES = (ROOT / "docs" / "models-families.svg", ROOT / "docs" / "models-cells.svg")
EVALUATION = RECORDS / "evaluation.csv"
EXPLANATIONS = ROOT / "docs" / "sensor-nodes.toml"

_BLOCK = re.compile(r"(<!-- generated: (?P<name>[^>]+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    """The Markdown files that may hold generated blocks."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


# The command line


@cache
def commands() -> Mapping[str, object]:
    """Every command by its words, `store export` for instance; groups and the program itself as well."""
    found: dict[str, object] = {}

    def walk(command: object, words: tuple[str, ...]) -> None:
        found[" ".join(words)] = command
        for name, below in getattr(command, "commands", {}).items():
            walk(below, (*words, name))

    walk(typer.main.get_command(app), ())
    return found


def help_text(words: str) -> str:
    """The help of a command as a code block; the width does not depend on the terminal."""
    shown = CliRunner().invoke(app, [*words.split(), "--help"], prog_name="steelyard", env={"COLUMNS": "80"})
    return f"```text\n{shown.stdout.strip()}\n```\n"


# The catalogue and the record


def fields(names: Iterable[str]) -> str:
    """Definitions of fields of the record."""
    chosen = set(names)
    lines = [
        (f"`{field.name}`", UNITS.get(field.unit, field.unit), field.doc)
        for field in FIELDS
        if field.name in chosen
    ]
    return markdown_table(("Field", "Unit", "Definition"), lines, left=3)


def interference_fields() -> str:
    """The fields of a run of `steelyard host interfere`, those with and without encryption in one line."""
    lines = []
    for field in interference.FIELDS:
        if field.name.endswith("_with"):
            continue
        stem = field.name.removesuffix("_without")
        both = stem != field.name
        lines.append(
            (
                f"`{field.name}`, `{stem}_with`" if both else f"`{field.name}`",
                UNITS.get(field.unit, field.unit),
                field.doc.removesuffix("; without encryption"),
            )
        )
    return markdown_table(("Field", "Unit", "Definition"), lines, left=3)


def primitives() -> str:
    """The primitives of the catalogue, with their standing and who says so."""
    lines = [
        (f"`{p.id}`", algorithm.file.kind, p.security, p.authority, algorithm.file.specification)
        for algorithm in load_catalog().algorithms
        for p in algorithm.file.primitive
        if p.counted
    ]
    return markdown_table(("Primitive", "Kind", "Standing", "Authority", "Specification"), lines, left=5)


def constructions() -> str:
    """The MACs and AEADs that are made over any block cipher or hash."""
    lines = []
    for algorithm in load_catalog().algorithms:
        over = algorithm.file.over
        for derived in over.primitive if over is not None else ():
            assert over is not None
            sizes = " or ".join(str(8 * size) for size in over.block_bytes)
            what = f"block cipher of {sizes} bits" if sizes else over.kind
            listed = ", ".join(f"`{derived.id.replace('{}', name)}`" for name in derived.counted)
            lines.append((f"`{derived.id}`", f"any {what}", algorithm.file.specification, listed))
    return markdown_table(("Name", "Over", "Specification", "Listed"), lines, left=4)


SECOND_OPINIONS = ROOT / "tests" / "primitives" / "second_opinions.toml"
_LIBRARY_NAMES = {"botan": "Botan 2", "cryptopp": "Crypto++"}
_VERSION = re.compile(
    r" ?\([^)]*OpenSSL[^)]*\)|(?<=cryptography) [\d.]+|(?<=PyCryptodome) [\d.]+|(?<=Python) 3[\d.]+"
)


def second_opinions(primitive: Primitive) -> list[str]:
    """Libraries that the tests compare the primitive's independent implementation with."""
    named = tomllib.loads(SECOND_OPINIONS.read_text(encoding="utf-8"))
    found = []
    for library, kinds in named.items():
        direct = any(primitive.id in names for kind, names in kinds.items() if kind != "over")
        (part,) = primitive.over if len(primitive.over) == 1 else ("",)
        over = any(
            pattern.replace("{}", part) == primitive.id
            and any(part in kinds.get(kind, {}) for kind in ("block", "hash"))
            for pattern in kinds.get("over", {})
        )
        if direct or (part and over):
            found.append(_LIBRARY_NAMES[library])
    if primitive.signature_bytes:
        found.append("OpenSSL's command line")
    return found


def is_library(source: str) -> bool:
    """Whether what `oracle.provenance` names computes in a library, and not in Python of our own."""
    own = "in Python" in source or "second implementation" in source
    return not own or "from `cryptography`" in source


def verification() -> list[tuple[str, str, list[str], list[str]]]:
    """Of every listed primitive: what it is compared with, what that is compared with, published answers."""
    rows = []
    for algorithm in load_catalog().algorithms:
        for primitive in algorithm.file.primitive:
            if not primitive.counted:
                continue
            source = _VERSION.sub("", oracle.provenance(primitive, algorithm.id))
            documents = [vector.source for vector in algorithm.vectors if vector.primitive == primitive.id]
            published = [
                one for one in dict.fromkeys(documents) if not one.startswith(("home-made", "computed"))
            ]
            rows.append((primitive.id, source, second_opinions(primitive), published))
    return rows


def verification_table() -> str:
    """The same as a table."""
    lines = []
    for name, source, others, published in verification():
        more = f" and {len(published) - 1} more" if len(published) > 1 else ""
        shown = f"{published[0]}{more}" if published else "none"
        lines.append((f"`{name}`", source, ", ".join(others), shown))
    headings = ("Primitive", "Random inputs are compared with", "which is compared with", "Published answers")
    return markdown_table(headings, lines, left=4)


def variants() -> str:
    """The variants of the catalogue."""
    lines = [
        (f"`{variant.id}`", "yes" if variant.file.default else "", variant.file.summary)
        for variant in load_catalog().variants
    ]
    return markdown_table(("Variant", "Default", "Trade-off"), lines, left=3)


def modes() -> str:
    """The modes of operation of the catalogue."""
    lines = [
        (f"`{mode.id}`", mode.file.title, "yes" if mode.file.whole_blocks else "", mode.file.specification)
        for mode in load_catalog().modes
    ]
    return markdown_table(("Mode", "Title", "Whole blocks only", "Specification"), lines, left=4)


def targets() -> str:
    """The chips of the catalogue, with links to their pages."""
    lines = [
        (
            f"[`{target.id}`](targets/{target.id}.md)",
            target.file.core,
            target.file.tier,
            f"{target.file.clock_hz / 1e6:g}",
            f"{target.size_bytes('flash'):,}",
            f"{target.size_bytes('ram'):,}",
        )
        for target in load_catalog().targets
    ]
    headings = ("Target", "Core", "Accuracy", "Clock, MHz", "Flash, bytes", "RAM, bytes")
    return markdown_table(headings, lines, left=3)


# Measured tables


def read_kept(name: str) -> pl.DataFrame:
    """Records kept in docs/records/; none of what was not measured yet."""
    path = RECORDS / f"{name}.csv"
    if not path.exists():
        return pl.DataFrame(schema=frame_schema())
    return pl.read_csv(path, schema_overrides=frame_schema())


_HEADLINE = (
    "aes-128",
    "chacha20",
    "idea",
    "md5",
    "present-80",
    "rc5-32-12-8",
    "rc6-32-20-16",
    "serpent-128",
    "sha-256",
    "speck-64-128",
    "xtea",
)
_HEADLINE_TARGETS = (
    "atmega128",
    "m30102",
    "msp430f1611",
    "rl78-g13",
    "samd21",
    "stm32f407",
    "gd32vf103",
    "sa1100",
    "pxa250-400",
    "leon3",
    "ultrasparc2",
)
"""What one screen has room for."""


def bench_table(primitives: Sequence[str] = (), targets: Sequence[str] = ()) -> str:
    """Cycles of one block, or of the longest message, of these primitives on these targets, or of all."""
    records = read_kept("bench")
    for field, chosen in (("primitive", primitives), ("target", targets)):
        if chosen:
            records = records.filter(pl.col(field).is_in(chosen))
    marked = pl.col("security").is_in(["legacy", "broken"])
    name = pl.format("{} ({})", "primitive", "security")
    return tables.markdown(
        tables.pivot(records.with_columns(primitive=pl.when(marked).then(name).otherwise("primitive")))
    )


def bench_headline() -> str:
    """The rows of the table that the README shows."""
    return bench_table(_HEADLINE, _HEADLINE_TARGETS)


def _defaults() -> set[str]:
    return {variant.id for variant in load_catalog().variants if variant.file.default}


@cache
def sensor_nodes() -> sensor_nodes_page.Page:
    """The tables of the page on sensor nodes."""
    why = read_explanations(
        EXPLANATIONS, [platform.target for platform in platforms()], [row.label for row in printed_rows()]
    )
    return sensor_nodes_page.Page(read_kept("sensor-nodes"), _defaults(), why)


def _origin(name: str) -> str:
    records = read_kept(name)
    return published_pages.NOT_YET if records.is_empty() else tables.origin(records)


def _of_linux(table: Callable[[pl.DataFrame], str]) -> Callable[[], str]:
    return lambda: table(read_kept("industrial-linux"))


def _linux_lines(records: pl.DataFrame, lines: Callable[[Reproduction], Table]) -> str:
    shown = lines(reproduce_on_linux(records.to_dicts(), _defaults()))
    return markdown_table(shown.headings, shown.rows, left=shown.left)


def _of_energy(table: Callable[[pl.DataFrame], str]) -> Callable[[], str]:
    return lambda: table(read_kept("energy-sa1100"))


def evaluation() -> pl.DataFrame:
    """What the test of the models gave when it was last run."""
    return pl.read_csv(EVALUATION, infer_schema_length=None)


def parameters() -> str:
    """What a file of `steelyard predict --target-file` may say of a chip."""
    lines = [
        (f"`{name}`", "required" if field.is_required() else str(field.default).lower())
        for name, field in Chip.model_fields.items()
    ]
    return markdown_table(("Parameter", "Default"), lines, left=2)


def training_origin() -> str:
    """What the models learn from: records, chips, compilers."""
    frame = read_training_records()
    compilers = frame.select("toolchain", "toolchain_version").unique().sort("toolchain", "toolchain_version")
    named = ", ".join(f"{toolchain} {version}" for toolchain, version in compilers.iter_rows())
    last = frame["date"].cast(pl.String).max()
    return (
        f"{len(frame):,} records of {frame['primitive'].n_unique()} primitives"
        f" on {frame['target'].n_unique()} chips,"
        f" measured until {str(last)[:10]} with {named}.\n"
    )


def fidelity_rows() -> list[Row]:
    """What `steelyard fidelity --output docs/records/fidelity.csv` wrote from checkouts of published code."""
    return fidelity.read_rows(RECORDS / "fidelity.csv")


BLOCKS: dict[str, Callable[[], str]] = {
    **{
        f"help {words}".strip(): (lambda words=words: help_text(words))  # type: ignore[misc]
        for words in commands()
    },
    "fields that identify and trace": lambda: fields(f.name for f in FIELDS if f.name not in METRICS),
    "fields that are measured": lambda: fields(METRICS),
    "interference fields": interference_fields,
    "primitives": primitives,
    "constructions": constructions,
    "verification": verification_table,
    "variants": variants,
    "modes": modes,
    "targets": targets,
    "bench table": bench_table,
    "bench headline": bench_headline,
    "bench origin": lambda: tables.origin(read_kept("bench")),
    "sensor nodes origin": lambda: tables.origin(read_kept("sensor-nodes")),
    **{
        f"sensor nodes {platform.target}": (lambda target=platform.target: sensor_nodes().times(target))  # type: ignore[misc]
        for platform in platforms()
    },
    "sensor nodes spans": lambda: sensor_nodes().spans(),
    **{
        f"sensor nodes off {platform.target}": (
            lambda target=platform.target: sensor_nodes().far_off(target)  # type: ignore[misc]
        )
        for platform in platforms()
    },
    "sensor nodes cycles": lambda: sensor_nodes().cycles(),
    "sensor nodes normalised": lambda: sensor_nodes().normalised(),
    "sensor nodes code": lambda: sensor_nodes().code(),
    "sensor nodes spread": lambda: sensor_nodes().spread(),
    "sensor nodes public key": lambda: sensor_nodes().public_key(),
    "sensor nodes claims": lambda: sensor_nodes().claims(),
    "sensor nodes multiply": lambda: sensor_nodes().multiply(),
    "sensor nodes blocks": lambda: sensor_nodes().blocks(),
    "sensor nodes functions": lambda: sensor_nodes().functions("atmega103", ("gcc", "-Os")),
    "sensor nodes mix": lambda: sensor_nodes().mix("atmega128"),
    **{
        f"rl78 {choice}": (
            lambda choice=choice: published_pages.rl78_categories(read_kept("rl78-minimal"), choice)  # type: ignore[misc]
        )
        for choice in rl78_minimal.CHOICES
    },
    "rl78 origin": lambda: _origin("rl78-minimal"),
    "rl78 numbers": lambda: published_pages.rl78_numbers(read_kept("rl78-minimal")),
    "rl78 claims": lambda: published_pages.rl78_claims(read_kept("rl78-minimal")),
    "word sizes origin": lambda: _origin("word-sizes"),
    "word sizes costs": lambda: published_pages.word_costs(read_kept("word-sizes"), _defaults()),
    "word sizes claims": lambda: published_pages.word_claims(read_kept("word-sizes"), _defaults()),
    "models parameters": parameters,
    "models origin": training_origin,
    "models evaluation cycles": lambda: models_page.evaluation_table(evaluation(), ["cycles"]),
    "models evaluation memory": lambda: models_page.evaluation_table(
        evaluation(), ["rom_bytes", "ram_bytes"]
    ),
    "models core families": lambda: models_page.families_table(evaluation(), CORES),
    "models algorithm families": lambda: models_page.families_table(evaluation(), ALGORITHMS),
    "fidelity summary": lambda: fidelity.summary_table(
        fidelity_rows(), [load_board(name, ROOT) for name in known_boards()]
    ),
    **{
        f"fidelity {name}": (
            lambda name=name: fidelity.figures_table(fidelity_rows(), load_board(name, ROOT))  # type: ignore[misc]
        )
        for name in known_boards()
    },
    "industrial origin": _of_linux(tables.origin),
    "industrial table2": _of_linux(lambda records: _linux_lines(records, industrial_linux.table2_lines)),
    "industrial table1": _of_linux(lambda records: _linux_lines(records, industrial_linux.table1_lines)),
    "industrial claims": _of_linux(lambda records: _linux_lines(records, industrial_linux.claim_lines)),
    "industrial gaps": _of_linux(lambda records: _linux_lines(records, industrial_linux.gap_lines)),
    "energy origin": _of_energy(tables.origin),
    "energy reach": _of_energy(energy.reach_table),
    "energy profile": _of_energy(energy.profile_table),
    "energy throughput": _of_energy(energy.throughput_table),
    "energy weights": _of_energy(energy.weights_table),
    "energy sweep": _of_energy(energy.sweep_table),
    "energy claims": _of_energy(energy.claims_table),
}


def regenerated(text: str) -> str:
    """A page's text with its blocks made anew; KeyError for a block that is none of BLOCKS."""
    return _BLOCK.sub(lambda found: f"{found[1]}{BLOCKS[found['name']]()}{found[3]}", text)


# Measuring


Sheets = Mapping[str, pl.DataFrame]
"""Records by the name of the file in docs/records that keeps them."""


def measure(names: Sequence[str]) -> None:
    """Measure what the pages show and keep its records; nothing is taken from an earlier store or cache."""
    # All is measured before anything is written, so that records carry the commit of an unchanged checkout.
    measured = [MEASURED[name]() for name in names]
    for sheets in measured:
        for name, records in sheets.items():
            tables.in_order(records).write_csv(RECORDS / f"{name}.csv")


def _sensor_nodes() -> Sheets:
    return {"sensor-nodes": sensor_nodes_page.kept(_measured(*sensor_nodes_page.COMMANDS), _defaults())}


def _bench() -> Sheets:
    # Table and picture show bare operations.
    records = tables.headline(_measured("measure --bench"))
    return {"bench": _without_functions(records.filter(pl.col("operation").is_in(["encrypt", "digest"])))}


def _word_sizes() -> Sheets:
    return {"word-sizes": _without_functions(_measured("reproduce word-sizes"))}


def _rl78_minimal() -> Sheets:
    # Every variant at every flag needs the compiler; without it the page keeps what was measured with it.
    if not any(one.available for one in discover() if one.family == "rl78"):
        return {}
    return {"rl78-minimal": _without_functions(_measured("reproduce rl78-minimal"))}


def _energy_sa1100() -> Sheets:
    records = _measured(*energy.COMMANDS)
    # The page shows functions in ECB alone.
    profiled = pl.col("mode").eq_missing("ecb") & pl.col("settings").is_null()
    return {"energy-sa1100": records.with_columns(functions=pl.when(profiled).then("functions"))}


def _industrial_linux() -> Sheets:
    return {"industrial-linux": _measured("reproduce industrial-linux")}


MEASURED: Mapping[str, Callable[[], Sheets]] = {
    "sensor-nodes": _sensor_nodes,
    "bench": _bench,
    "word-sizes": _word_sizes,
    "rl78-minimal": _rl78_minimal,
    "energy-sa1100": _energy_sa1100,
    "industrial-linux": _industrial_linux,
}
"""What is measured for the pages, by the name of its records; the last one needs a quiet machine."""


def _without_functions(records: pl.DataFrame) -> pl.DataFrame:
    """Functions are of no use to most pages and take most of the room."""
    return records.with_columns(functions=pl.lit(None, pl.String))


def evaluate() -> None:
    """Put the models to the test and keep what it gave."""
    records = read_training_records()
    learned = training(records)
    cases = [case for metric in PREDICTED for case in every_case(learned, metric, print)]
    kept = kept_predictions(cases, records)
    kept.write_parquet(predictions_path(), compression="zstd", compression_level=19)
    models_page.summary_frame(cases).write_csv(EVALUATION)
    families, cells = MODELS_PICTURES
    families.write_text(models_page.picture_svg(cases), encoding="utf-8")
    cells.write_text(models_page.scatter_svg(cases), encoding="utf-8")


def _measured(*lines: str) -> pl.DataFrame:
    program = str(Path(sys.executable).with_name("steelyard"))
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "store")
        fresh = Path(folder, "cache")
        environment = {**os.environ, "STEELYARD_CACHE": str(fresh)}
        # Compilers that were built from source stay what they are.
        fresh.mkdir()
        (fresh / toolchains_folder().name).symlink_to(toolchains_folder())
        for line in lines:
            command = [program, *line.split(), "--store", str(store)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
        return read_records(store, print)


def main() -> int:
    """Entry point; the exit status."""
    parser = argparse.ArgumentParser(description="Write what the documentation takes from the program.")
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit with 1 where a block is stale"
    )
    parser.add_argument(
        "--measure",
        nargs="*",
        metavar="RECORDS",
        choices=MEASURED,
        help=f"measure first, all of it or: {', '.join(MEASURED)}; the records go to docs/records",
    )
    parser.add_argument("--evaluate", action="store_true", help="put the models to the test first")
    options = parser.parse_args()
    if options.measure is not None:
        measure(options.measure or list(MEASURED))
    if options.evaluate:
        evaluate()
    stale = []
    written = {page: page.read_text(encoding="utf-8") for page in [*pages(), PICTURE]}
    for page, text in written.items():
        made = picture_svg(read_kept("bench")) if page == PICTURE else regenerated(text)
        if made != text:
            stale.append(page)
            if not options.check:
                page.write_text(made, encoding="utf-8")
    for page in stale:
        print(f"{page.relative_to(ROOT)}: {'stale; run: make docs' if options.check else 'rewritten'}")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
