//! The interface of every CPU family to its users.

use crate::arm;
use crate::avr;
use crate::cortex_m;
use crate::description::Description;
use crate::detail::Detailed;
use crate::divergence::Trace;
use crate::error::{refuse, Error};
use crate::fault::Fault;
use crate::fence::Permit;
use crate::isa::Listed;
use crate::m16c;
use crate::memory_system::MemoryCounters;
use crate::msp430;
use crate::path::Passed;
use crate::processor::Settable;
use crate::profile::Totals;
use crate::riscv;
use crate::rl78;
use crate::secrets::Leaked;
use crate::sparc;
use crate::symbols::Symbols;
use crate::value::Shadowed;

/// An address space, seen from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    Program,
    Data,
    Eeprom,
}

/// What a call observes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observe {
    /// Cycles only.
    Nothing,
    /// Cycles, instructions and the stack's peak.
    Stack,
    /// Cycles, instructions, the stack's peak, the mix and cycles per function. Refused by a machine that follows
    /// secrets.
    Profile,
    /// What [`Observe::Profile`] observes, and the cost of every instruction on every path of calls. Refused by a
    /// machine that follows secrets.
    Detail,
    /// Cycles, instructions, the stack's peak and what depends on secrets. Refused by a machine that does not follow
    /// them.
    Secrets,
}

/// An argument, placed by the C ABI of the CPU.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    /// Value in little-endian order; bytes beyond `size_bytes` are ignored.
    pub value: u64,
    /// Size in bytes, 1 to 8.
    pub size_bytes: u32,
}

/// Where and how a run begins.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// Address of the first instruction; `None` for the image's entry.
    pub from: Option<u32>,
    /// Bytes that are written behind the reset: address in the data space, and content.
    pub writes: Vec<(u32, Vec<u8>)>,
    /// Registers that are set behind the reset: place in [`Machine::settable`], and value.
    pub registers: Vec<(usize, u32)>,
}

/// Cost of a call, or of a run from one address to another.
#[derive(Debug, Clone)]
pub struct CallResult {
    /// Fault that ended the run; `None` if the function returned or the address was reached.
    pub fault: Option<Fault>,
    /// Cycles from the start of the call instruction to the first instruction after the return.
    pub cycles: u64,
    /// Executed instructions, including the call instruction; 0 if not observed.
    pub instructions: u64,
    /// Peak in bytes below the stack pointer at the call, return address included; 0 if not observed.
    pub stack_bytes: u32,
    /// Bytes of the arguments on the stack, above the stack pointer at the call, with their alignment.
    pub argument_bytes: u32,
    /// Mix, transfers and cost of functions; the mix includes the call instruction.
    pub totals: Totals,
    /// Eight bytes of the ABI's widest return value, little endian; see [`Machine::least_result_bytes`].
    pub return_value: u64,
    /// Counters of the memory system; `None` on a chip without caches.
    pub memory: Option<MemoryCounters>,
    /// Instructions that depend on secrets, in the order of their first such execution; `None` if not observed.
    pub leaks: Option<Vec<Leaked>>,
    /// Cost by call path and instruction, if observed.
    pub detail: Option<Box<Detailed>>,
}

/// Events of a part of a call.
#[derive(Debug, Clone)]
pub struct Window {
    /// Cycles of the instructions that begin in it.
    pub cycles: u64,
    /// Their mix, transfers and ports; branches and functions are not told apart.
    pub totals: Totals,
}

/// Events of a call by windows of cycles.
#[derive(Debug, Clone)]
pub struct Series {
    /// The call, observed as by [`Observe::Nothing`].
    pub call: CallResult,
    /// In their order; the first begins with the call instruction.
    pub windows: Vec<Window>,
}

/// One chip with its memories.
pub trait Machine: Send + Sync {
    /// Loads an image and forgets the previous one.
    fn load_elf(&mut self, image: &[u8]) -> Result<(), Error>;
    /// Loads bytes at an address, as linkers number it, and forgets the previous image; a raw image has no symbols.
    fn load_raw(&mut self, address: u32, image: &[u8]) -> Result<(), Error>;
    /// Returns the symbols of the image.
    fn symbols(&self) -> &Symbols;
    /// Returns a symbol's address in the form that the other methods take.
    fn address(&self, linked_address: u32) -> u32;
    /// Returns the space that contains a linker's address.
    fn space(&self, _linked_address: u32) -> Space {
        Space::Data
    }
    /// Resets the CPU and runs the image's own start-up code up to an address.
    fn run_until(&mut self, address: u32, max_cycles: u64) -> Result<(), Error>;
    /// Resets the CPU and runs from a start up to an address; returns the cost.
    fn run(&mut self, start: &Start, to: u32, max_cycles: u64, observe: Observe) -> Result<CallResult, Error>;
    /// Returns the text of the instruction at an address and its length in bytes; `None` where no instruction lies, or
    /// the family has no texts.
    fn disassembled(&self, _address: u32) -> Option<(String, u32)> {
        None
    }
    /// Reads memory without side effects.
    fn read(&self, space: Space, address: u32, length: usize) -> Result<Vec<u8>, Error>;
    /// Writes memory without side effects.
    fn write(&mut self, space: Space, address: u32, data: &[u8]) -> Result<(), Error>;
    /// Saves memories and registers.
    fn snapshot(&mut self);
    /// Restores the snapshot. Caches and branch prediction stay as they are: they change no result, and a call made
    /// before the restore has warmed them.
    fn restore(&mut self) -> Result<(), Error>;
    /// Returns the stack pointer.
    fn stack_pointer(&self) -> u32;
    /// Sets the stack pointer.
    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error>;
    /// Returns the stack pointer of an empty stack in memory that ends before an address.
    fn empty_stack(&self, end: u32) -> u32;
    /// Returns the minimum size of a result. A result takes the last bytes of [`CallResult::return_value`], as many as
    /// the next power of two but at least this many, and begins with the first of them.
    fn least_result_bytes(&self) -> usize;
    /// Resets caches and branch prediction.
    fn empty_caches(&mut self) {}
    /// From now on makes it a trap if the program loads or stores data in RAM outside these permits; their addresses
    /// are those of [`Space::Data`]. `None` removes the fence, as does loading an image.
    ///
    /// Flash, EEPROM, I/O and registers in the data space stay open, and so does what the other methods read and write.
    /// Cycles are the same, but the program runs slower.
    fn fence(&mut self, permits: Option<&[Permit]>) -> Result<(), Error>;
    /// Returns the registers that can be set before a run, the program counter not among them.
    fn settable(&self) -> Vec<Settable>;
    /// From now on lets loads read zeros and stores change nothing where no memory lies at these places, each a first
    /// address and a number of bytes; `None` makes such an access a trap again. Loading an image changes nothing here.
    fn ignore(&mut self, places: Option<&[(u32, u64)]>) -> Result<(), Error>;
    /// Returns the number of accesses ignored since [`Machine::ignore`].
    fn ignored(&self) -> u64;
    /// Makes bytes of [`Space::Data`] secret, or public again. Writing bytes makes them public. Refused by a machine
    /// that does not follow secrets.
    fn mark(&mut self, address: u32, length: usize, secret: bool) -> Result<(), Error>;
    /// Returns the secret bits of bytes of [`Space::Data`]; zeros from a machine that does not follow secrets.
    fn marks(&self, address: u32, length: usize) -> Vec<u8>;
    /// Calls a function and counts events apart for every `window_cycles`; an instruction belongs to the window in which
    /// it begins, and windows in which none begins are left out. Refused by families that cannot tell.
    fn series(
        &mut self,
        function: u32,
        arguments: &[Argument],
        max_cycles: u64,
        window_cycles: u64,
    ) -> Result<Series, Error>;
    /// Calls a function with empty caches and traces it, see [`crate::divergence`]; the events of a stretch are kept if
    /// it is given. Refused by a machine that follows secrets.
    fn trace(
        &mut self,
        function: u32,
        arguments: &[Argument],
        max_cycles: u64,
        stretch: Option<u64>,
    ) -> Result<(CallResult, Trace), Error>;
    /// Calls a function up to the first execution of the instruction at an address that depends on a secret in a way of
    /// this name ([`crate::observe::Leak::name`]); returns how the secret came there, see [`crate::path`]. What the call
    /// left undone is lost: go back to a snapshot. Refused if there is no such execution, and by a machine that does not
    /// follow secrets.
    fn path(
        &mut self,
        function: u32,
        arguments: &[Argument],
        max_cycles: u64,
        leak: (u32, &str),
    ) -> Result<Vec<Passed>, Error>;
    /// Calls a function.
    fn call(
        &mut self,
        function: u32,
        arguments: &[Argument],
        max_cycles: u64,
        observe: Observe,
    ) -> Result<CallResult, Error>;
}

/// A CPU family.
struct Family {
    /// Name that core files give the family.
    name: &'static str,
    machine: fn(&Description) -> Result<Box<dyn Machine>, Error>,
    /// Builds the same machine, which follows secrets.
    shadowed: fn(&Description) -> Result<Box<dyn Machine>, Error>,
    /// Instructions of a description's core.
    instructions: fn(&Description) -> Result<Vec<Listed>, Error>,
}

/// A row of [`FAMILIES`]: a family's module, and what its registers hold.
macro_rules! family {
    ($name:literal, $module:ident, $plain:ty) => {
        Family {
            name: $name,
            machine: $module::machine::<$plain>,
            shadowed: $module::machine::<Shadowed<$plain>>,
            instructions: $module::instructions,
        }
    };
}

const FAMILIES: [Family; 8] = [
    family!("arm", arm, u32),
    family!("avr", avr, u8),
    family!("cortex-m", cortex_m, u32),
    family!("m16c", m16c, u16),
    family!("msp430", msp430, u32),
    family!("riscv", riscv, u32),
    family!("rl78", rl78, u8),
    family!("sparc", sparc, u32),
];

impl Family {
    /// Returns the family of this name.
    fn named(name: &str) -> Result<&'static Self, Error> {
        let Some(family) = FAMILIES.iter().find(|family| family.name == name) else {
            let known: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
            return refuse(format!("no CPU family `{name}`; there are: {}", known.join(", ")));
        };
        Ok(family)
    }
}

/// Returns the instructions that a description's core has.
pub fn instructions_from_json(json: &str) -> Result<Vec<Listed>, Error> {
    let description = Description::from_json(json)?;
    (Family::named(description.family()?)?.instructions)(&description)
}

/// Builds the machine a description asks for.
pub fn machine_from_json(json: &str) -> Result<Box<dyn Machine>, Error> {
    let description = Description::from_json(json)?;
    (Family::named(description.family()?)?.machine)(&description)
}

/// Builds the machine a description asks for, which follows secrets through registers, flags and memory.
pub fn shadowed_from_json(json: &str) -> Result<Box<dyn Machine>, Error> {
    let description = Description::from_json(json)?;
    (Family::named(description.family()?)?.shadowed)(&description)
}
