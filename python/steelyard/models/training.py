"""Training data of the models: chips, rows and measurements, and the splits of the evaluation.

The files are in `models`: `matrix.toml` (rows, families, splits), `parameters.toml` (chips as their data
sheets describe them) and `measured.parquet` (records, written by `steelyard fit collect`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
import polars
from pydantic import Field

from steelyard.catalog.load import read_file
from steelyard.catalog.models import Identifier, Strict
from steelyard.data import data_root
from steelyard.errors import UsageError

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

FOLDER = "models"
_FEWEST_FAMILIES = 4
METRICS = ("cycles", "rom_bytes", "ram_bytes")
"""Predicted metrics."""

CLASSES = ("arithmetic", "shift", "load", "store", "not_taken", "taken", "call", "multiply")
"""Classes of executed instructions with the same cost; `transfer.class_cycles` prices them."""

COLUMNS = (
    *(
        "primitive",
        "operation",
        "message_bytes",
        "target",
        "toolchain",
        "toolchain_version",
        "flags",
        "variant",
    ),
    *("footprint", "cycles", "rom_bytes", "ram_bytes", "instructions", "branches", "branches_taken"),
    *("mix_alu", "mix_shift", "mix_bit", "mix_io", "mix_other", "mix_load", "mix_load_program", "mix_store"),
    *("mix_stack", "mix_branch", "mix_jump", "mix_call", "mix_multiply"),
    *(
        "samples",
        "input_seed",
        "source_hash",
        "timing_version",
        "emulator_version",
        "steelyard_commit",
        "date",
    ),
)
"""Fields of a record that are kept."""


class Chip(Strict):
    """A chip as its data sheet describes it, in clock cycles, bits and bytes.

    `registers`: general-purpose registers of `word_bits` bits; `memory_operands`: arithmetic reads or writes
    memory (CISC); `three_operands`: a result has a register of its own; `shift_any`, `rotate_any`: one
    instruction shifts or rotates a word by any number of places; `multiply_bits`: the widest factor, 0
    without a multiply instruction; `load_cycles`: up to the use of the loaded value; `table_load_cycles`: up
    to the use of a loaded constant; `branch_cycles`: a taken branch; `call_cycles`: call and return;
    `wait_states`: a fetch of `fetch_bytes` that no cache answers; `compiler`: the compiler of the predicted
    code.
    """

    word_bits: Literal[8, 16, 32, 64]
    registers: Annotated[int, Field(ge=1, le=256)]
    memory_operands: bool = False
    three_operands: bool = True
    shift_any: bool = True
    rotate_any: bool = False
    multiply_bits: Annotated[int, Field(ge=0, le=64)] = 32
    multiply_cycles: Annotated[float, Field(ge=0, le=1000)] = 1
    alu_cycles: Annotated[float, Field(gt=0, le=100)] = 1
    load_cycles: Annotated[float, Field(gt=0, le=10000)] = 2
    store_cycles: Annotated[float, Field(gt=0, le=10000)] = 1
    table_load_cycles: Annotated[float, Field(gt=0, le=10000)] = 2
    branch_cycles: Annotated[float, Field(gt=0, le=100)] = 2
    call_cycles: Annotated[float, Field(gt=0, le=1000)] = 5
    issue_width: Annotated[int, Field(ge=1, le=8)] = 1
    wait_states: Annotated[float, Field(ge=0, le=10000)] = 0
    fetch_bytes: Annotated[int, Field(ge=1, le=64)] = 4
    prefetch: bool = False
    code_cache_bytes: Annotated[int, Field(ge=0)] = 0
    data_cache_bytes: Annotated[int, Field(ge=0)] = 0
    compiler: Literal["gcc", "clang"] = "gcc"


class ChipFile(Chip):
    """A chip for which `steelyard predict` predicts."""

    name: str = "the chip"
    clock_hz: Annotated[int, Field(gt=0, le=10**11)] | None = None


class ParametersFile(Strict):
    """Contents of `parameters.toml`."""

    chip: dict[Identifier, Chip]


class Select(Strict):
    """Primitives measured at these message lengths in bytes; no lengths for set-up and single blocks."""

    primitive: tuple[Identifier, ...] = Field(min_length=1)
    length: tuple[int, ...] = ()


class CoreFamily(Strict):
    """Chips that are left out together; `architecture` groups families with one instruction set."""

    id: Identifier
    architecture: Identifier
    toolchain: Identifier = "gcc"
    targets: tuple[Identifier, ...] = Field(min_length=1)


class OtherCompiler(Strict):
    """A chip's code by another compiler, used for training but never predicted."""

    target: Identifier
    toolchain: Literal["gcc", "clang"]


class Calibration(Strict):
    """Primitives measured on a new chip; the first that fit it are used."""

    primitives: tuple[Identifier, ...] = Field(min_length=1)


class Interval(Strict):
    """Share of figures that an interval should contain."""

    coverage: Annotated[float, Field(gt=0, lt=1)]


class MatrixFile(Strict):
    """Contents of `matrix.toml`; `variant` names one of each algorithm, the same on every chip."""

    flags: str
    samples: Annotated[int, Field(ge=2)]
    variant: tuple[str, ...] = Field(min_length=1)
    select: tuple[Select, ...] = Field(min_length=1)
    core_family: tuple[CoreFamily, ...] = Field(min_length=3)
    other_compiler: tuple[OtherCompiler, ...] = ()
    algorithm_family: dict[Identifier, tuple[Identifier, ...]]
    calibration: Calibration
    interval: Interval

    @cached_property
    def core_of(self) -> dict[str, CoreFamily]:
        """Return the family of each chip."""
        return {target: family for family in self.core_family for target in family.targets}

    @cached_property
    def algorithm_of(self) -> dict[str, str]:
        """Return the family of each primitive."""
        return {name: family for family, names in self.algorithm_family.items() for name in names}

    @cached_property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Return chips with their compilers: the predicted ones, then the other compilers."""
        asked = [(target, family.toolchain) for target, family in self.core_of.items()]
        return (*asked, *((one.target, one.toolchain) for one in self.other_compiler))


@dataclass(frozen=True, order=True)
class Row:
    """A row of the matrix; `message_bytes` is -1 if the operation's length is not selectable."""

    primitive: str
    operation: str
    message_bytes: int

    def __str__(self) -> str:
        """Return the row as words."""
        length = f" {self.message_bytes} B" if self.message_bytes >= 0 else ""
        return f"{self.primitive} {self.operation}{length}"


@dataclass(frozen=True, eq=False)
class Training:
    """Measured figures, chips by rows; NaN if a chip lacks a row.

    Each chip appears once per compiler; `asked` are those on which predictions are tested. `figures` holds an
    array for each of METRICS; `counts` the executed instructions of each of CLASSES; `tables` the reads of
    constants, counted only on chips with special instructions for them (otherwise 0).
    """

    targets: tuple[str, ...]
    chips: tuple[Chip, ...]
    families: tuple[str, ...]
    architectures: tuple[str, ...]
    asked: tuple[bool, ...]
    rows: tuple[Row, ...]
    algorithms: tuple[str, ...]
    figures: dict[str, Floats]
    counts: Floats
    tables: Floats

    def chips_of(self, names: Iterable[str]) -> Training:
        """Return the same data for these chips alone, in the order given here."""
        wanted = set(names)
        keep = [index for index, target in enumerate(self.targets) if target in wanted]
        return Training(
            tuple(self.targets[index] for index in keep),
            tuple(self.chips[index] for index in keep),
            tuple(self.families[index] for index in keep),
            tuple(self.architectures[index] for index in keep),
            tuple(self.asked[index] for index in keep),
            self.rows,
            self.algorithms,
            {metric: values[keep] for metric, values in self.figures.items()},
            self.counts[keep],
            self.tables[keep],
        )

    @cached_property
    def weights(self) -> Floats:
        """Return a weight for each chip, such that families weigh the same; the sum is 1."""
        each = np.array([1 / self.families.count(family) for family in self.families])
        return np.asarray(each / each.sum())


@cache
def matrix_file() -> MatrixFile:
    """Return the committed rows, families and calibration primitives."""
    return read_file(Path(data_root() / FOLDER / "matrix.toml"), MatrixFile)


@cache
def chips() -> dict[str, Chip]:
    """Return the parameters of the measured chips."""
    return dict(read_file(Path(data_root() / FOLDER / "parameters.toml"), ParametersFile).chip)


def records_path() -> Path:
    """Return the path of the committed records."""
    return Path(data_root() / FOLDER / "measured.parquet")


def read_records(path: Path | None = None) -> polars.DataFrame:
    """Read a file of `steelyard fit collect`, by default the one that comes with Steelyard; UsageError."""
    place = path or records_path()
    try:
        frame = polars.read_parquet(place)
    except (OSError, polars.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0]
        raise UsageError(f"{place}: cannot be read as records of steelyard fit collect: {reason}.") from None
    missing = [column for column in COLUMNS if column not in frame.columns]
    if missing:
        raise UsageError(f"{place}: not records of steelyard fit collect: no column {missing[0]}.")
    return frame.select(COLUMNS)


def training(frame: polars.DataFrame, others: Mapping[str, str] | None = None) -> Training:
    """Build the matrix of records for the chips and primitives that the committed files name.

    `others` are the families of further primitives. UsageError if fewer than three families of cores remain,
    because none could then be left out.
    """
    setup, known = matrix_file(), chips()
    algorithm_of = {**setup.algorithm_of, **(others or {})}
    column_of = {column: place for place, column in enumerate(setup.columns) if column[0] in known}
    named = polars.Series([column in column_of for column in frame.select("target", "toolchain").iter_rows()])
    frame = frame.filter(named, polars.col("primitive").is_in(list(algorithm_of))).with_columns(
        polars.col("message_bytes").fill_null(-1)
    )
    if len({setup.core_of[target].id for target in frame["target"]}) < _FEWEST_FAMILIES:
        raise UsageError(
            f"The records are of fewer than {_FEWEST_FAMILIES} families of cores; none can be left out."
        )
    measured = list(frame.select("target", "toolchain").iter_rows())
    columns = sorted(set(measured), key=lambda column: column_of[column])
    targets = tuple(target for target, _ in columns)
    keys = sorted({Row(*key) for key in frame.select("primitive", "operation", "message_bytes").iter_rows()})
    column_index = {column: index for index, column in enumerate(columns)}
    row_index = {row: index for index, row in enumerate(keys)}
    at = (
        np.array([column_index[column] for column in measured], dtype=int),
        np.array(
            [
                row_index[Row(*key)]
                for key in frame.select("primitive", "operation", "message_bytes").iter_rows()
            ],
            dtype=int,
        ),
    )

    def array(*columns: str) -> Floats:
        values = np.full((len(targets), len(keys)), np.nan)
        values[at] = sum(frame[column].cast(polars.Float64).fill_null(0).to_numpy() for column in columns)
        return values

    counts = np.stack(
        [
            array("mix_alu", "mix_bit", "mix_io", "mix_other"),
            array("mix_shift"),
            array("mix_load", "mix_load_program") + array("mix_stack") / 2,
            array("mix_store") + array("mix_stack") / 2,
            array("branches") - array("branches_taken"),
            array("branches_taken", "mix_jump"),
            array("mix_call"),
            array("mix_multiply"),
        ],
        axis=-1,
    )
    return Training(
        targets,
        tuple(known[target].model_copy(update={"compiler": compiler}) for target, compiler in columns),
        tuple(setup.core_of[target].id for target in targets),
        tuple(setup.core_of[target].architecture for target in targets),
        tuple(setup.core_of[target].toolchain == compiler for target, compiler in columns),
        tuple(keys),
        tuple(algorithm_of[row.primitive] for row in keys),
        {metric: array(metric) for metric in METRICS},
        np.maximum(counts, 0),
        array("mix_load_program"),
    )
