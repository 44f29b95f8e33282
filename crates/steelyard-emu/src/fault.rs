//! Typed ends of a run that is not allowed to go on.

use std::fmt;

/// Why a program was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The word is no instruction of this core.
    IllegalOpcode,
    /// Nothing answers at the address.
    UnmappedAddress,
    /// The instruction cannot use an address that is no multiple of its size.
    UnalignedAddress,
    /// The stack left its RAM or grew into static data.
    StackOverflow,
    /// More cycles were used than the caller allowed.
    CycleBudget,
    /// The function came back with another stack pointer.
    BadReturn,
    /// The CPU sleeps and nothing would wake it.
    Sleep,
    /// A store hit program memory.
    WriteToFlash,
}

impl FaultKind {
    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::IllegalOpcode => "illegal-opcode",
            FaultKind::UnmappedAddress => "unmapped-address",
            FaultKind::UnalignedAddress => "unaligned-address",
            FaultKind::StackOverflow => "stack-overflow",
            FaultKind::CycleBudget => "cycle-budget",
            FaultKind::BadReturn => "bad-return",
            FaultKind::Sleep => "sleep",
            FaultKind::WriteToFlash => "write-to-flash",
        }
    }
}

/// A fault as the CPU raises it, before symbols are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trap {
    pub kind: FaultKind,
    /// The address that was refused, where the fault is about one.
    pub address: Option<u32>,
}

impl Trap {
    pub(crate) fn at(kind: FaultKind, address: impl Into<u32>) -> Self {
        Trap { kind, address: Some(address.into()) }
    }

    pub(crate) fn of(kind: FaultKind) -> Self {
        Trap { kind, address: None }
    }
}

/// A fault as it is reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// One sentence with program counter, address and nearest symbol.
    pub message: String,
    /// Byte address of the instruction.
    pub pc: u32,
    pub address: Option<u32>,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.kind.name(), self.message)
    }
}
