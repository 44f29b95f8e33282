//! What emitted code and the emulator hand to each other.

use super::super::cpu::Cpu;
use super::super::predict::{Executed, Guess, Kind};
use crate::memory::{Direct, Touched, DIRECT_SPANS};
use crate::memory_system::MemorySystem;
use crate::translate::host::Entry;
use crate::value::HeldWord;
use std::ffi::c_void;
use std::mem::offset_of;

/// State that emitted code works on.
#[repr(C)]
pub struct Frame {
    pub registers: [u32; 32],
    /// Cycles to the limit.
    pub left: i64,
    pub retired: u64,
    /// Address of a jump whose target the code does not know.
    pub target: u32,
    /// Lowest value of the stack pointer.
    pub lowest: u32,
    pub stack_limit: u32,
    cpu: *mut c_void,
    load: unsafe extern "C" fn(*mut c_void, u32, u32) -> u64,
    store: unsafe extern "C" fn(*mut c_void, u32, u32, u32) -> u32,
    guess: unsafe extern "C" fn(*mut c_void, u32, u32, u32, u32, u32) -> u32,
    /// Executions of each end of a block.
    counts: *mut u64,
    /// Cycles of each place beyond those planned.
    extras: *mut u64,
    direct: Direct,
}

/// Offsets in a frame, as the code wants them.
pub const REGISTERS: i32 = offset_of!(Frame, registers) as i32;
pub const LEFT: i32 = offset_of!(Frame, left) as i32;
pub const RETIRED: i32 = offset_of!(Frame, retired) as i32;
pub const TARGET: i32 = offset_of!(Frame, target) as i32;
pub const LOWEST: i32 = offset_of!(Frame, lowest) as i32;
pub const STACK_LIMIT: i32 = offset_of!(Frame, stack_limit) as i32;
pub const CPU: i32 = offset_of!(Frame, cpu) as i32;
pub const LOAD: i32 = offset_of!(Frame, load) as i32;
pub const STORE: i32 = offset_of!(Frame, store) as i32;
pub const GUESS: i32 = offset_of!(Frame, guess) as i32;
pub const COUNTS: i32 = offset_of!(Frame, counts) as i32;
pub const EXTRAS: i32 = offset_of!(Frame, extras) as i32;
pub const DIRECT: i32 = offset_of!(Frame, direct) as i32;

/// What [`load`] returns if the interpreter must load.
pub const REFUSED: i64 = -1;

impl Frame {
    /// Creates the frame of a run.
    pub fn new<M: MemorySystem, W: HeldWord>(cpu: &mut Cpu<M, W>) -> Self {
        Frame {
            registers: [0; 32],
            left: 0,
            retired: 0,
            target: 0,
            lowest: u32::MAX,
            stack_limit: cpu.stack_limit,
            counts: cpu.translator.counts.as_mut_ptr(),
            extras: cpu.translator.extras.as_mut_ptr(),
            direct: cpu.memory.direct(),
            load: load::<M, W>,
            store: store::<M, W>,
            guess: guess::<M, W>,
            cpu: std::ptr::from_mut(cpu).cast(),
        }
    }

    /// Runs emitted code; returns the number of its exit.
    pub fn run(&mut self, entry: Entry) -> u32 {
        // SAFETY: the code was emitted for frames of this layout, and its memory is mapped (see `Host`). The frame's
        // pointers are those of the processor that made it, which nothing else touches meanwhile; the code reaches the
        // memories' bytes only within the limits that the frame gives, and counters only by numbers given out for them.
        unsafe { entry(std::ptr::from_mut(self).cast()) }
    }
}

/// Loads on the slow way; refuses where the interpreter must load.
///
/// # Safety
/// `cpu` is the processor of the frame, and nothing else refers to it.
unsafe extern "C" fn load<M: MemorySystem, W: HeldWord>(cpu: *mut c_void, address: u32, size: u32) -> u64 {
    // SAFETY: as the caller promises.
    let cpu = unsafe { &mut *cpu.cast::<Cpu<M, W>>() };
    if address & (size - 1) != 0 {
        return REFUSED as u64;
    }
    let loaded = match size {
        1 => cpu.memory.load_byte(address),
        2 => cpu.memory.load_half(address),
        _ => cpu.memory.load_word(address),
    };
    loaded.map_or(REFUSED as u64, u64::from)
}

/// Stores on the slow way and returns 1; returns 0 where the interpreter must store, which may be a second time.
///
/// # Safety
/// The caller promises what [`load`] asks for.
unsafe extern "C" fn store<M: MemorySystem, W: HeldWord>(cpu: *mut c_void, address: u32, value: u32, size: u32) -> u32 {
    // SAFETY: as the caller promises.
    let cpu = unsafe { &mut *cpu.cast::<Cpu<M, W>>() };
    if address & (size - 1) != 0 {
        return 0;
    }
    let stored = match size {
        1 => cpu.memory.store_byte(address, value),
        2 => cpu.memory.store_half(address, value),
        _ => cpu.memory.store_word(address, value),
    };
    u32::from(stored == Ok(Touched::Data))
}

/// A branch as [`guess`] takes it: its kind, whether its target lies behind, and whether it is a call.
pub fn described(kind: Kind, backward: bool, link: bool) -> u32 {
    kind as u32 | u32::from(backward) << 2 | u32::from(link) << 3
}

/// Records an executed branch; returns the cycles that its prediction adds.
///
/// # Safety
/// The caller promises what [`load`] asks for.
unsafe extern "C" fn guess<M: MemorySystem, W: HeldWord>(
    cpu: *mut c_void,
    address: u32,
    described: u32,
    target: u32,
    link: u32,
    taken: u32,
) -> u32 {
    // SAFETY: as the caller promises.
    let cpu = unsafe { &mut *cpu.cast::<Cpu<M, W>>() };
    let kind = [Kind::Branch, Kind::Jump, Kind::Indirect, Kind::Return][(described & 3) as usize];
    let (backward, link) = (described & 4 != 0, (described & 8 != 0).then_some(link));
    match cpu.branches.executed(Executed { kind, address, taken: taken != 0, target, backward, link }) {
        Guess::Right => 0,
        Guess::Late => u32::from(cpu.core.cost.late),
        Guess::Wrong => u32::from(cpu.core.cost.mispredicted),
    }
}

const _: () = assert!(DIRECT_SPANS <= 4);
