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
from steelyard.machine.result import (
    Batch,
    BatchCall,
    BatchFault,
    Block,
    Call,
    Detail,
    Fault,
    FunctionCost,
    Line,
    Node,
    Permit,
    Series,
)

__all__ = [
    "EMULATOR_VERSION",
    "Batch",
    "BatchCall",
    "BatchFault",
    "Block",
    "Call",
    "Detail",
    "Emulator",
    "Events",
    "Fault",
    "Frame",
    "FunctionCost",
    "Instruction",
    "Line",
    "Lines",
    "Node",
    "Permit",
    "Series",
    "Space",
    "describe",
    "instructions",
]
