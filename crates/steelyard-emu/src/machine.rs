//! What every CPU family offers to its users.

use crate::arm;
use crate::avr::Avr;
use crate::cortex_m;
use crate::description::Description;
use crate::error::{refuse, Error};
use crate::fault::Fault;
use crate::m16c;
use crate::memory_system::MemoryCounters;
use crate::msp430;
use crate::profile::Totals;
use crate::riscv;
use crate::rl78;
use crate::sparc;
use crate::symbols::Symbols;

/// An address space as seen from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    Program,
    Data,
    Eeprom,
}

/// How much a call watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observe {
    /// Cycles only.
    Nothing,
    /// Also instructions and the stack's peak.
    Stack,
    /// Also the mix and cycles per function.
    Profile,
}

/// An argument, placed by the C ABI of the CPU.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    /// Little-endian bytes from the lowest; those beyond `size_bytes` are ignored.
    pub value: u64,
    /// 1 to 8.
    pub size_bytes: u32,
}

/// What a call cost, or a run from one address to another.
#[derive(Debug, Clone)]
pub struct CallResult {
    /// `None`: the function returned, or the address was reached.
    pub fault: Option<Fault>,
    /// From the start of the call instruction to the first instruction after the return.
    pub cycles: u64,
    /// Including the call instruction; 0 when not watched.
    pub instructions: u64,
    /// Peak below the stack pointer at the call, return address included; 0 when not watched.
    pub stack_bytes: u32,
    /// Of the arguments that lie on the stack, above the stack pointer at the call, with what aligns them.
    pub argument_bytes: u32,
    /// Mix, transfers and cost of functions; the call instruction is in the mix.
    pub totals: Totals,
    /// The eight bytes of the ABI's widest return value, little endian; see [`Machine::least_result_bytes`].
    pub return_value: u64,
    /// What the memory system counted; `None` on a chip without caches.
    pub memory: Option<MemoryCounters>,
}

/// One chip with its memories.
pub trait Machine: Send + Sync {
    /// Places an image and forgets the one before.
    fn load_elf(&mut self, image: &[u8]) -> Result<(), Error>;
    /// Places bytes at an address, as linkers number it, and forgets the image before; this one has no names.
    fn load_raw(&mut self, address: u32, image: &[u8]) -> Result<(), Error>;
    /// The names of the image.
    fn symbols(&self) -> &Symbols;
    /// A symbol's address as the other methods take it.
    fn address(&self, linked_address: u32) -> u32;
    /// The space in which a linker's address lies.
    fn space(&self, _linked_address: u32) -> Space {
        Space::Data
    }
    /// Resets the CPU and runs the image's own start-up code up to an address.
    fn run_until(&mut self, address: u32, max_cycles: u64) -> Result<(), Error>;
    /// Resets the CPU and runs up to an address, from another or from where the image begins; tells what that cost.
    fn run(&mut self, from: Option<u32>, to: u32, max_cycles: u64, observe: Observe) -> Result<CallResult, Error>;
    /// Reads memory without side effects.
    fn read(&self, space: Space, address: u32, length: usize) -> Result<Vec<u8>, Error>;
    /// Writes memory without side effects.
    fn write(&mut self, space: Space, address: u32, data: &[u8]) -> Result<(), Error>;
    /// Remembers memories and registers.
    fn snapshot(&mut self);
    /// Goes back to the snapshot. Caches and branch prediction stay as they are: they change no result, and a call
    /// that was made before the way back has warmed them.
    fn restore(&mut self) -> Result<(), Error>;
    /// Where the stack is.
    fn stack_pointer(&self) -> u32;
    /// Moves the stack.
    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error>;
    /// The stack pointer of an empty stack in memory that ends before an address.
    fn empty_stack(&self, end: u32) -> u32;
    /// A result takes the last bytes of [`CallResult::return_value`]: the next power of two, but at least so many. Within
    /// them it begins with the first.
    fn least_result_bytes(&self) -> usize;
    /// Makes caches and branch prediction as after reset.
    fn empty_caches(&mut self) {}
    /// Calls a function.
    fn call(
        &mut self,
        function: u32,
        arguments: &[Argument],
        max_cycles: u64,
        observe: Observe,
    ) -> Result<CallResult, Error>;
}

/// Makes a family's machine from a description.
type Make = fn(&Description) -> Result<Box<dyn Machine>, Error>;

/// Every CPU family by the name that the data of its cores give.
const FAMILIES: [(&str, Make); 8] = [
    ("arm", arm::machine),
    ("avr", |description| Ok(Box::new(Avr::new(description)?))),
    ("cortex-m", cortex_m::machine),
    ("m16c", |description| Ok(Box::new(m16c::chip(description)?))),
    ("msp430", |description| Ok(Box::new(msp430::chip(description)?))),
    ("riscv", riscv::machine),
    ("rl78", rl78::machine),
    ("sparc", sparc::machine),
];

/// Builds the machine a description asks for.
pub fn machine_from_json(json: &str) -> Result<Box<dyn Machine>, Error> {
    let description = Description::from_json(json)?;
    let wanted = description.family()?;
    match FAMILIES.iter().find(|(name, _)| *name == wanted) {
        Some((_, make)) => make(&description),
        None => refuse(format!("no CPU family `{wanted}`; there are: {}", FAMILIES.map(|(name, _)| name).join(", "))),
    }
}
