//! What a CPU family brings, so that [`crate::emulated::Emulated`] makes a machine of it.
//!
//! A family has a program of decoded instructions, made the first time they are reached and kept by *place*, a
//! small number of the family's own choice that observers are told. Everything else is state that can be looked at
//! and put back between runs.

use crate::error::Error;
use crate::fault::Trap;
use crate::machine::Argument;
use crate::memory_system::MemoryCounters;
use crate::observe::Observer;
use crate::profile::Class;
use crate::symbols::{Symbol, Symbols};
use object::elf;

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The planted stop, or the place that calls return to, was reached.
    Stop,
    /// The cycle limit was reached.
    Limit,
    Trap(Trap),
}

/// A decoded instruction as the sums of a run need it.
#[derive(Debug, Clone, Copy)]
pub struct Executed {
    pub address: u32,
    pub class: Class,
    /// Data it reads and writes when its condition holds, in the family's unit of a transfer; a return address
    /// that a call or return moves is no datum.
    pub loads: u32,
    pub stores: u32,
    /// Whether it is a branch that may or may not be taken.
    pub conditional_branch: bool,
}

/// A CPU with its memories and its program.
///
/// Addresses of code may carry a mark that says how to enter it (the lowest bit of Thumb code); [`Processor::pc`]
/// and [`Executed::address`] are without it.
pub trait Processor: Send + Sync {
    /// Registers and flags, what a snapshot keeps besides memory.
    type Registers: Send + Sync;

    /// Of its executables.
    const ELF_MACHINE: elf::Machine;
    /// What error messages call the family.
    const NAME: &'static str;
    /// Hexadecimal digits of an address in messages.
    const ADDRESS_DIGITS: usize;
    /// At a call the stack pointer is a multiple of it, arguments on the stack included. The stack grows down and
    /// the stack pointer is at the last used unit.
    const STACK_ALIGNMENT: u32;
    /// See [`crate::machine::Machine::least_result_bytes`].
    const LEAST_RESULT_BYTES: usize = 8;

    /// All registers as after reset, but for the stack pointer.
    fn reset(&mut self, stack_pointer: u32);
    fn registers(&self) -> Self::Registers;
    fn set_registers(&mut self, registers: &Self::Registers);
    fn stack_pointer(&self) -> u32;
    /// Refuses what no stack pointer of this CPU can be.
    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error>;
    /// Lowest address the stack may use from now on.
    fn set_stack_limit(&mut self, address: u32);
    fn stack_limit(&self) -> u32;
    /// After a trap that of the instruction that caused it.
    fn pc(&self) -> u32;
    fn set_pc(&mut self, address: u32);
    /// Goes to where a raw image at an address begins.
    fn begin(&mut self, address: u32) -> Result<(), Error> {
        self.set_pc(address);
        Ok(())
    }
    /// Whether an instruction can be at the address.
    fn is_code(&self, address: u32) -> bool;
    /// Clock cycles since the machine was built.
    fn cycles(&self) -> u64;

    /// Makes all memories as before any image was loaded and forgets their snapshot and the program.
    fn erase(&mut self);
    /// Bytes, without side effects; `None` where not all of them lie somewhere.
    fn peek(&self, address: u32, length: usize) -> Option<Vec<u8>>;
    /// Writes bytes whatever the memory is, also flash, and forgets what was decoded from them; `false`, with
    /// nothing written, where not all of them lie somewhere.
    fn poke(&mut self, address: u32, data: &[u8]) -> bool;
    /// Remembers memories, not registers.
    fn snapshot_memory(&mut self);
    /// Puts memories back as they were at the snapshot, which stays; called only after there was one.
    fn restore_memory(&mut self);
    /// The image's symbols.
    fn symbols(symbols: Vec<Symbol>) -> Symbols {
        Symbols::new(symbols)
    }

    /// Ends runs before the instruction at an address.
    fn plant_stop(&mut self, address: u32);
    /// Takes the stop away.
    fn clear_stop(&mut self);
    /// Runs until the stop, the place that calls return to, a trap, or `cycle_limit` on the absolute cycle counter.
    fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit;

    /// Puts arguments into registers as the C ABI wants, and gives the bytes of those that belong on the stack,
    /// ascending from the stack pointer at the call, with whatever else the ABI wants the caller to have there.
    fn place(&mut self, arguments: &[Argument]) -> Result<Vec<u8>, Error>;
    /// Does what the machine's call instruction does, its cycles included, from a place of its own outside all
    /// memories, where the flow comes back to.
    fn call(&mut self, function: u32) -> Result<(), Trap>;
    /// See [`crate::machine::CallResult::return_value`].
    fn return_value(&self) -> u64;

    /// Upper bound of the places so far; more may come while the program runs.
    fn places(&self) -> usize;
    /// The instruction of a place; `None` where none was decoded.
    fn executed(&self, place: usize) -> Option<Executed>;

    /// Why the instruction at the program counter is refused; `place` is its address in words.
    fn refusal(&self, place: &str) -> String;
    /// Why the address of an access is refused; `place` is where the instruction is.
    fn misalignment(&self, address: u32, place: &str) -> String {
        format!("an unaligned access to 0x{address:0digits$x}, wanted at {place}", digits = Self::ADDRESS_DIGITS)
    }

    /// Makes caches and branch prediction as after reset.
    fn empty_caches(&mut self) {}
    /// What the memory system counted since the last time; `None` on a chip without caches.
    fn take_counters(&mut self) -> Option<MemoryCounters> {
        None
    }
}
