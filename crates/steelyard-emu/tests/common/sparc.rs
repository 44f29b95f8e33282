//! SPARC chips for the tests, of the core data that the product ships.

use super::image::ImageBuilder;
use serde_json::{json, Value};
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::sparc::{self, Sparc};
use steelyard_emu::{Argument, CallResult, Description, Machine, Observe};

pub const CODE: u32 = 0x0001_0000;
pub const RAM: u32 = 0x4000_0000;
pub const RAM_BYTES: u32 = 0x8000;
pub const FLASH: u32 = 0x2000_0000;

/// `retl; nop`.
pub const RETURN: [u32; 2] = [0x81c3_e008, 0x0100_0000];

/// The description of a chip with RAM for data, RAM for code, a flash and lab memory, all as fast as a hit.
pub fn description_with(core: &Value) -> Value {
    json!({
        "core": core,
        "memory": [
            {"name": "ram", "space": "data", "kind": "ram", "base": RAM, "size": RAM_BYTES},
            {"name": "code", "space": "program", "kind": "ram", "base": CODE, "size": 0x4_0000},
            {"name": "flash", "space": "program", "kind": "flash", "base": FLASH, "size": 0x1000},
            {"name": "lab", "space": "data", "kind": "ram", "base": 0x6000_0000, "size": 0x1_0000},
        ],
        "clock_hz": 50_000_000,
    })
}

/// A chip of such a description.
pub type Chip = Sparc<Immediate>;

/// A chip of that core with functions in RAM; `None` where its data are refused.
pub fn chip_with(core: &Value, functions: &[(&'static str, &[u32])]) -> Option<Chip> {
    let description = Description::from_json(&description_with(core).to_string()).ok()?;
    let mut chip = sparc::chip(&description, Immediate).ok()?;
    chip.load_elf(&ImageBuilder::of_sparc(CODE, functions).build()).unwrap();
    Some(chip)
}

/// Calls a function with words.
pub fn call(chip: &mut dyn Machine, address: u32, arguments: &[u32]) -> CallResult {
    let arguments: Vec<_> = arguments.iter().map(|&word| Argument { value: word.into(), size_bytes: 4 }).collect();
    chip.call(address, &arguments, 100_000, Observe::Profile).unwrap()
}
