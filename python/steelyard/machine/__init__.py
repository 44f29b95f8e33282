"""Run images: the emulator behind a small class."""

from steelyard._native import Events
from steelyard.machine.emulator import (
    EMULATOR_VERSION,
    Emulator,
    Instruction,
    Space,
    describe,
    instructions,
)
from steelyard.machine.lines import Frame, Lines
from steelyard.machine.result import Batch, BatchCall, BatchFault, Call, Fault, FunctionCost, Permit, Series

__all__ = [
    "EMULATOR_VERSION",
    "Batch",
    "BatchCall",
    "BatchFault",
    "Call",
    "Emulator",
    "Events",
    "Fault",
    "Frame",
    "FunctionCost",
    "Instruction",
    "Lines",
    "Permit",
    "Series",
    "Space",
    "describe",
    "instructions",
]
