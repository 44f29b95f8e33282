"""Run images: the emulator behind a small class."""

from steelyard._native import Events
from steelyard.machine.emulator import (
    EMULATOR_VERSION,
    Emulator,
    Instruction,
    Observe,
    Space,
    Trace,
    describe,
    first_differences,
    instructions,
)
from steelyard.machine.lines import Frame, Lines
from steelyard.machine.result import (
    Aspect,
    Batch,
    BatchCall,
    BatchFault,
    Call,
    Difference,
    Fault,
    FunctionCost,
    Leak,
    LeakKind,
    Passed,
    Permit,
    Series,
)

__all__ = [
    "EMULATOR_VERSION",
    "Aspect",
    "Batch",
    "BatchCall",
    "BatchFault",
    "Call",
    "Difference",
    "Emulator",
    "Events",
    "Fault",
    "Frame",
    "FunctionCost",
    "Instruction",
    "Leak",
    "LeakKind",
    "Lines",
    "Observe",
    "Passed",
    "Permit",
    "Series",
    "Space",
    "Trace",
    "describe",
    "first_differences",
    "instructions",
]
