"""Run images: the emulator behind a small class."""

from steelyard.machine.emulator import (
    EMULATOR_VERSION,
    Emulator,
    Instruction,
    Space,
    describe,
    instructions,
)
from steelyard.machine.result import Batch, BatchCall, BatchFault, Call, Fault, FunctionCost, Permit

__all__ = [
    "EMULATOR_VERSION",
    "Batch",
    "BatchCall",
    "BatchFault",
    "Call",
    "Emulator",
    "Fault",
    "FunctionCost",
    "Instruction",
    "Permit",
    "Space",
    "describe",
    "instructions",
]
