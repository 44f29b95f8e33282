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
    "FunctionCost",
    "Instruction",
    "Line",
    "Node",
    "Permit",
    "Series",
    "Space",
    "describe",
    "instructions",
]
