"""Run images: the emulator behind a small class."""

from steelyard.machine.emulator import EMULATOR_VERSION, Emulator, Space, describe
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
    "Permit",
    "Space",
    "describe",
]
