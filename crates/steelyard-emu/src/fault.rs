//! Typed ends of a run that must not continue.

use std::fmt;

/// Why a program was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The word is not an instruction of this core.
    IllegalOpcode,
    /// Nothing answers at the address.
    UnmappedAddress,
    /// The instruction cannot use an address that is not a multiple of its size.
    UnalignedAddress,
    /// The stack left its RAM or grew into static data.
    StackOverflow,
    /// More cycles were used than the caller allowed.
    CycleBudget,
    /// The function returned with another stack pointer.
    BadReturn,
    /// The CPU sleeps and nothing would wake it.
    Sleep,
    /// A store hit program memory.
    WriteToFlash,
    /// A load of data outside the permits of a fence.
    StrayRead,
    /// A store outside the permits of a fence.
    StrayWrite,
}

impl FaultKind {
    /// Returns the name used in records.
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
            FaultKind::StrayRead => "stray-read",
            FaultKind::StrayWrite => "stray-write",
        }
    }
}

/// A fault as the CPU raises it, before symbols are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trap {
    pub kind: FaultKind,
    /// The refused address, if the fault is about one.
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

/// A fault as it is reported to users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// One sentence with program counter, address and nearest symbol.
    pub message: String,
    /// Byte address of the instruction that caused the fault.
    pub pc: u32,
    pub address: Option<u32>,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.kind.name(), self.message)
    }
}
