//! What a CPU family implements so that [`crate::emulated::Emulated`] builds a machine from it.
//!
//! A family has a program of instructions, decoded when they are first reached. Each has a *place*, a small number that
//! the family chooses and that observers receive. All other state can be inspected and restored between runs.

use crate::elf::Segment;
use crate::error::{refuse, Error};
use crate::fault::Trap;
use crate::fence::Fence;
use crate::ignored::Ignored;
use crate::machine::{Argument, Space, Window};
use crate::memory_system::MemoryCounters;
use crate::observe::Observer;
use crate::profile::{Class, Spent, Totals};
use crate::symbols::{Symbol, Symbols};
use crate::tally::Tally;
use crate::value::Beside;
use object::elf;

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The planted stop, or the return address of the call, was reached.
    Stop,
    /// The cycle limit was reached.
    Limit,
    Trap(Trap),
}

/// Properties of a decoded instruction that the sums of a run need.
#[derive(Debug, Clone, Copy)]
pub struct Executed {
    pub address: u32,
    pub class: Class,
    /// Number of data loaded if the condition holds, in the family's unit of a transfer; a return address moved by a
    /// call or return does not count.
    pub loads: u32,
    pub stores: u32,
    /// Whether the instruction is a branch that may or may not be taken.
    pub conditional_branch: bool,
    /// Ports of the register file that it uses, if the condition holds; none where the family does not count them.
    pub ports: Ports,
}

/// Ports of the register file that an instruction uses: one for each register read or written, the program counter and
/// flags apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ports {
    pub reads: u32,
    pub writes: u32,
}

/// What a profile of a run says.
pub struct Profiled {
    pub exit: Exit,
    pub totals: Totals,
    /// Lowest value of the stack pointer.
    pub lowest: u32,
}

/// The memories of a CPU.
pub trait Memories {
    /// Resets everything to its state before any image was loaded, and forgets the snapshot.
    fn erase(&mut self);
    /// Saves everything.
    fn snapshot(&mut self);
    /// Restores the snapshot, if there is one; returns whether bytes may have changed from which instructions were
    /// decoded, whose marks are gone then.
    fn restore(&mut self) -> bool;
    /// Sets what loads and stores may reach, or removes the limits.
    fn set_fence(&mut self, fence: Option<Fence>);
    /// Ignores accesses beyond all memories, or ends that; refused where a chip's registers are memories themselves.
    fn ignore(&mut self, ignored: Option<Ignored>) -> Result<(), Error> {
        if ignored.is_some() {
            return refuse("the registers of this chip's peripherals are plain memory: there is nothing to ignore");
        }
        Ok(())
    }
    /// Returns the number of accesses ignored since [`Memories::ignore`].
    fn ignored(&self) -> u64 {
        0
    }
}

/// Memories in one address space.
pub trait OneSpace: Memories {
    /// Returns bytes without side effects, which may span adjacent regions; `None` unless all of them are mapped.
    fn peek(&self, address: u32, length: usize) -> Option<Vec<u8>>;
    /// Writes bytes to any kind of memory; returns false and writes nothing unless all of them are mapped.
    fn poke(&mut self, address: u32, data: &[u8]) -> bool;
}

/// The decoded instructions of a CPU.
pub trait Instructions {
    /// Forgets all instructions, and the planted stop.
    fn clear(&mut self);
    /// Forgets the instructions that changed bytes may belong to.
    fn forget(&mut self, address: u32, length: usize);
    /// Makes a run end before the instruction at an address, which may carry a mark that says how to enter it.
    fn plant_stop(&mut self, address: u32);
    /// Removes the planted stop.
    fn clear_stop(&mut self);
    /// Returns an upper bound of the places so far.
    fn places(&self) -> usize;
}

/// A register that can be set before a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settable {
    /// Its name in the disassembly.
    pub name: String,
    pub bits: u32,
}

impl Settable {
    /// Returns registers of so many bits by their names.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a str>, bits: u32) -> Vec<Self> {
        names.into_iter().map(|name| Settable { name: name.into(), bits }).collect()
    }

    /// Returns registers of so many bits whose names are a letter and their number.
    pub fn numbered(letter: char, numbers: std::ops::Range<usize>, bits: u32) -> Vec<Self> {
        numbers.map(|number| Settable { name: format!("{letter}{number}"), bits }).collect()
    }
}

/// What every processor has besides its registers.
pub struct Parts<'a, P: Processor + ?Sized> {
    pub cycles: u64,
    pub stack_limit: u32,
    pub memory: &'a P::Memory,
    pub program: &'a P::Program,
    pub beside: &'a P::Beside,
}

/// What every processor has besides its registers, for modification.
pub struct PartsMut<'a, P: Processor + ?Sized> {
    pub stack_limit: &'a mut u32,
    pub memory: &'a mut P::Memory,
    pub program: &'a mut P::Program,
    pub beside: &'a mut P::Beside,
}

/// Writes bytes as [`Processor::poke`] does, where all memories lie in one address space.
pub fn poke<P: Processor<Memory: OneSpace>>(processor: &mut P, address: u32, data: &[u8]) -> bool {
    let parts = processor.parts_mut();
    let done = parts.memory.poke(address, data);
    if done {
        parts.program.forget(address, data.len());
    }
    done
}

/// A CPU with its memories and its program.
///
/// An address without a space is the linker's. An address of code may carry a mark that says how to enter it (the lowest bit for Thumb code); [`Processor::pc`] and
/// [`Executed::address`] are without it.
pub trait Processor: Send + Sync {
    /// Registers and flags; a snapshot keeps them besides memory.
    type Registers: Send + Sync;
    type Memory: Memories;
    type Program: Instructions;
    /// What is kept of memory beside its bytes; a snapshot keeps it too.
    type Beside: Beside;

    /// Machine number of the family's ELF executables.
    const ELF_MACHINE: elf::Machine;
    /// Name of the family in error messages.
    const NAME: &'static str;
    /// Number of hexadecimal digits of an address in messages.
    const ADDRESS_DIGITS: usize;
    /// Alignment in bytes of the stack pointer at a call, arguments on the stack included. The stack grows down.
    const STACK_ALIGNMENT: u32;
    /// Whether registers and memory hold numbers only, without the secret bits beside them.
    const PLAIN: bool;
    /// Whether the instruction behind a jump, call or return is executed before the flow turns.
    const DELAYS: bool = false;
    /// Distance in bytes from the stack pointer up to the last used unit: not 0 where it points at a free one.
    const STACK_FREE_BYTES: u32 = 0;
    /// Whether the stack of an image without start-up code may lie in external RAM.
    const EXTERNAL_STACK: bool = true;
    /// Where linkers put address 0 of the data space.
    const DATA_BASE: u32 = 0;
    /// Where runs begin, whatever the image says; `None` if that is the image's matter.
    const RESET_ADDRESS: Option<u32> = None;
    /// Minimum size of a result, see [`crate::machine::Machine::least_result_bytes`].
    const LEAST_RESULT_BYTES: usize = 8;

    fn parts(&self) -> Parts<'_, Self>;
    fn parts_mut(&mut self) -> PartsMut<'_, Self>;

    /// Resets all registers and sets the stack pointer.
    fn reset(&mut self, stack_pointer: u32);
    fn registers(&self) -> Self::Registers;
    fn set_registers(&mut self, registers: &Self::Registers);
    fn stack_pointer(&self) -> u32;
    /// Sets the stack pointer; refuses a value that this CPU's stack pointer cannot have.
    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error>;
    /// Returns the registers that can be set before a run, the program counter not among them.
    fn settable(&self) -> Vec<Settable>;
    /// Sets one of them, by its place in that list; the value has as many bits as the register.
    fn set(&mut self, place: usize, value: u32) -> Result<(), Error>;
    /// Sets the lowest address the stack may use from now on.
    fn set_stack_limit(&mut self, address: u32) {
        *self.parts_mut().stack_limit = address;
    }
    fn stack_limit(&self) -> u32 {
        self.parts().stack_limit
    }
    /// Returns the program counter; after a trap, the address of the instruction that caused it, but see
    /// [`Processor::trapped_at`].
    fn pc(&self) -> u32;
    /// Returns the address of the instruction that caused a trap.
    fn trapped_at(&self, _trap: Trap) -> u32 {
        self.pc()
    }
    fn set_pc(&mut self, address: u32);
    /// Goes to the first instruction of a raw image at an address.
    fn begin(&mut self, address: u32) -> Result<(), Error> {
        self.set_pc(address);
        Ok(())
    }
    /// Whether an instruction can lie at the address.
    fn is_code(&self, address: u32) -> bool;
    /// Returns the clock cycles since the machine was built.
    fn cycles(&self) -> u64 {
        self.parts().cycles
    }

    /// Resets all memories to their state before any image was loaded; forgets their snapshot and the program.
    fn erase(&mut self) {
        let parts = self.parts_mut();
        parts.memory.erase();
        parts.program.clear();
        *parts.beside = Self::Beside::default();
    }
    /// Returns bytes without side effects; `None` unless all of them are mapped.
    fn peek(&self, address: u32, length: usize) -> Option<Vec<u8>>;
    /// Writes bytes to any kind of memory, including flash, and forgets the instructions decoded from them; returns
    /// false and writes nothing unless all of them are mapped.
    fn poke(&mut self, address: u32, data: &[u8]) -> bool;
    /// Returns the space that contains a linker's address.
    fn space(_linked_address: u32) -> Space {
        Space::Data
    }
    /// Returns a linker's address as an address of its space.
    fn address(linked_address: u32) -> u32 {
        linked_address
    }
    /// Returns bytes of a space without side effects; refuses those that no memory holds.
    fn read(&self, space: Space, address: u32, length: usize) -> Result<Vec<u8>, Error> {
        one_space(space)?;
        match self.peek(address, length) {
            Some(bytes) => Ok(bytes),
            None => nothing_lies(address, length, Self::ADDRESS_DIGITS),
        }
    }
    /// Writes bytes of a space as [`Processor::poke`] does; refuses those that no memory holds.
    fn write(&mut self, space: Space, address: u32, data: &[u8]) -> Result<(), Error> {
        one_space(space)?;
        if !self.poke(address, data) {
            return nothing_lies(address, data.len(), Self::ADDRESS_DIGITS);
        }
        Ok(())
    }
    /// Writes bytes at an address of the data space right before a run, or a register that lies there.
    fn preset(&mut self, address: u32, data: &[u8]) -> Result<(), Error> {
        self.write(Space::Data, address, data)
    }
    /// Writes a segment of an image where the device stores it.
    fn store(&mut self, segment: &Segment) -> Result<(), Error> {
        self.write(Space::Data, segment.physical_address, &segment.data)
    }
    /// Writes a segment of an image where the program finds it, as start-up code does.
    fn initialise(&mut self, segment: &Segment) -> Result<(), Error> {
        self.write(Space::Data, segment.virtual_address, &segment.data)
    }
    /// Saves memories, but not registers.
    fn snapshot_memory(&mut self) {
        self.parts_mut().memory.snapshot();
    }
    /// Restores memories from the snapshot, which stays; called only after a snapshot was taken.
    fn restore_memory(&mut self) {
        let parts = self.parts_mut();
        if parts.memory.restore() {
            parts.program.clear();
        }
    }
    /// Sets what the program may load and store, or removes the limits; see [`crate::machine::Machine::fence`].
    fn set_fence(&mut self, fence: Option<Fence>) {
        self.parts_mut().memory.set_fence(fence);
    }
    /// Ignores loads and stores beyond all memories, or ends that; see [`crate::machine::Machine::ignore`].
    fn ignore(&mut self, ignored: Option<Ignored>) -> Result<(), Error> {
        self.parts_mut().memory.ignore(ignored)
    }
    /// Creates the image's symbols.
    fn symbols(symbols: Vec<Symbol>) -> Symbols {
        Symbols::new(symbols)
    }

    /// Makes a run end before the instruction at an address.
    fn plant_stop(&mut self, address: u32) {
        self.parts_mut().program.plant_stop(address);
    }
    /// Removes the planted stop.
    fn clear_stop(&mut self) {
        self.parts_mut().program.clear_stop();
    }
    /// Runs until the stop, the return address of the call, a trap, or `cycle_limit` on the absolute cycle counter.
    fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit;
    /// Runs alike and counts; `call` was spent before.
    fn run_profiled(&mut self, cycle_limit: u64, symbols: &Symbols, call: Spent) -> Profiled
    where
        Self: Sized,
    {
        let mut tally = Tally::new(self.stack_pointer(), self.places());
        let exit = self.run(&mut tally, cycle_limit);
        Profiled { exit, totals: tally.finish(self, symbols, call), lowest: tally.lowest }
    }

    /// Runs until a stop, a trap or the limit; returns the windows of so many cycles from the call on.
    fn run_in_windows(
        &mut self,
        _cycle_limit: u64,
        _window_cycles: u64,
        _call: Spent,
    ) -> Result<(Exit, Vec<Window>), Error> {
        refuse(format!("events of a {} are not counted apart in time", Self::NAME))
    }

    /// Puts arguments into registers by the C ABI. Returns the bytes that belong on the stack, ascending from the stack
    /// pointer at the call, with everything else that the ABI requires of the caller there.
    fn place(&mut self, arguments: &[Argument]) -> Result<Vec<u8>, Error>;
    /// Executes the machine's call instruction, with its cycles, from an address that is none of the image's, to which
    /// the flow returns.
    fn call(&mut self, function: u32) -> Result<(), Trap>;
    /// A call has ended.
    fn called(&mut self) {}
    /// Returns the value for [`crate::machine::CallResult::return_value`].
    fn return_value(&self) -> u64;

    /// Returns an upper bound of the places so far; the program may add more while it runs.
    fn places(&self) -> usize {
        self.parts().program.places()
    }
    /// Returns the instruction at a place, `None` if none was decoded.
    fn executed(&self, place: usize) -> Option<Executed>;

    /// Returns the text of the instruction at an address and its length in bytes; `None` where no instruction lies, or
    /// the family has no texts.
    fn text(&self, _address: u32) -> Option<(String, u32)> {
        None
    }

    /// Returns the sentence of a fault that the family words by itself; `place` tells where the instruction is.
    fn sentence(&self, _trap: Trap, _place: &str) -> Option<String> {
        None
    }
    /// Returns why the instruction at the program counter is refused; `place` is its address in words.
    fn refusal(&self, place: &str) -> String;
    /// Returns why the address of an access is refused; `place` tells where the instruction is.
    fn misalignment(&self, address: u32, place: &str) -> String {
        format!("an unaligned access to 0x{address:0digits$x}, wanted at {place}", digits = Self::ADDRESS_DIGITS)
    }

    /// Resets caches and branch prediction.
    fn empty_caches(&mut self) {}
    /// Returns the memory system's counters since the last call; `None` on a chip without caches.
    fn take_counters(&mut self) -> Option<MemoryCounters> {
        None
    }
}

fn one_space(space: Space) -> Result<(), Error> {
    match space {
        Space::Program | Space::Data => Ok(()),
        Space::Eeprom => refuse("the chip has no EEPROM"),
    }
}

fn nothing_lies<T>(address: u32, length: usize, digits: usize) -> Result<T, Error> {
    refuse(format!("{length} bytes at 0x{address:0digits$x} reach where no memory lies"))
}
