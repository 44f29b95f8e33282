//! Cortex-M chips for the tests, of the core data that the product ships.

use serde_json::{json, Value};
use steelyard_emu::cortex_m::{self, CortexM};
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::{Argument, CallResult, Description, Machine, Observe, Space};

pub const CODE: u32 = 0x0010_0000;
pub const RAM: u32 = 0x2000_0000;
pub const FLASH: u32 = 0x0800_0000;
/// `bx lr`.
pub const RETURN: u16 = 0x4770;

/// A chip with RAM for data, RAM for code and a flash.
pub fn description(core: &Value) -> Value {
    json!({
        "core": core,
        "memory": [
            {"name": "ram", "space": "data", "kind": "ram", "base": RAM, "size": 0x8000},
            {"name": "code", "space": "program", "kind": "ram", "base": CODE, "size": 0x4_0000},
            {"name": "flash", "space": "program", "kind": "flash", "base": FLASH, "size": 0x1_0000},
        ],
        "clock_hz": 48_000_000,
    })
}

/// A chip whose memories answer at once, to run short functions on.
pub struct Bench {
    pub chip: CortexM<Immediate>,
}

impl Bench {
    /// `None` where the core's data are refused.
    pub fn new(core: &Value) -> Option<Self> {
        let description = Description::from_json(&description(core).to_string()).ok()?;
        Some(Bench { chip: cortex_m::chip(&description, Immediate).ok()? })
    }

    /// What a function of these halfwords, and a return, does; r0 is the start of RAM, filled with 0x10, 0x11, ...
    pub fn run(&mut self, halves: &[u16]) -> CallResult {
        let code: Vec<u8> = halves.iter().chain([&RETURN]).flat_map(|half| half.to_le_bytes()).collect();
        self.chip.write(Space::Program, CODE, &code).unwrap();
        self.chip.write(Space::Data, RAM, &(0x10..0x90).collect::<Vec<u8>>()).unwrap();
        let words = [RAM, RAM + 0x100, RAM + 0x200, 4];
        let arguments = words.map(|word| Argument { value: word.into(), size_bytes: 4 });
        self.chip.set_stack_pointer(RAM + 0x8000).unwrap();
        self.chip.call(CODE | 1, &arguments, 100_000, Observe::Profile).unwrap()
    }
}
