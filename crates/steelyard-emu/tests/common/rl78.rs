//! RL78 chips for the tests, of the core data that the product ships.

use super::core_data;
use super::image::ImageBuilder;
use serde_json::{json, Value};
use steelyard_emu::emulated::Emulated;
use steelyard_emu::rl78::{self, cpu::Cpu};
use steelyard_emu::{Argument, CallResult, Description, Machine, Observe, Space};

pub const CODE: u32 = 0x400;
pub const RAM: u32 = 0xf_ef00;
pub const RAM_END: u32 = 0xf_fee0;
/// The mirror shows the flash from so far on, on cores with banks and without.
pub const MIRROR: u32 = 0xf_8000;
/// Handlers that the tests put into the flash: `ret` at the first, `retb` at the second.
pub const RETURN: u32 = 0x3f0;
pub const RETURN_FROM_BREAK: u32 = 0x3f2;

pub type Chip = Emulated<Cpu>;

/// A chip with 64 KB of flash, a mirror of 4 KB at 0xF8000, lab memory and 4 KB of RAM.
pub fn description(core: &Value) -> Value {
    json!({
        "core": core,
        "memory": [
            {"name": "flash", "space": "data", "kind": "flash", "base": 0, "size": 0x1_0000},
            {"name": "sfr2", "space": "data", "kind": "io", "base": 0xf_0000, "size": 0x800},
            {"name": "mirror", "space": "data", "kind": "flash-window", "base": MIRROR, "size": 0x1000},
            {"name": "lab", "space": "data", "kind": "ram", "base": 0xf_a000, "size": 0x1000},
            {"name": "ram", "space": "data", "kind": "ram", "base": RAM, "size": RAM_END - RAM},
            {"name": "registers", "space": "data", "kind": "io", "base": RAM_END, "size": 0x20},
            {"name": "sfr", "space": "data", "kind": "io", "base": 0xf_ff00, "size": 0x100},
        ],
        "clock_hz": 32_000_000,
    })
}

/// That chip with functions in flash; `None` where the core's data are refused.
pub fn chip_with(core: &Value, functions: &[(&'static str, &[u8])]) -> Option<Chip> {
    let description = Description::from_json(&description(core).to_string()).ok()?;
    let mut chip = rl78::chip(&description).ok()?;
    if !functions.is_empty() {
        chip.load_elf(&ImageBuilder::of_rl78(CODE, functions).build()).unwrap();
    }
    for (address, bytes) in [
        (RETURN, &[0xd7][..]),
        (RETURN_FROM_BREAK, &[0x61, 0xec]),
        (0x80, &(RETURN as u16).to_le_bytes()),
        (0x7e, &(RETURN_FROM_BREAK as u16).to_le_bytes()),
    ] {
        chip.write(Space::Data, address, bytes).unwrap();
    }
    Some(chip)
}

/// The same, of a core that is shipped.
pub fn chip(core: &str, functions: &[(&'static str, &[u8])]) -> Chip {
    chip_with(&core_data(core), functions).unwrap()
}

/// Calls a function with words of 16 bits.
pub fn call(chip: &mut dyn Machine, address: u32, arguments: &[u16]) -> CallResult {
    let arguments: Vec<_> = arguments.iter().map(|&word| Argument { value: word.into(), size_bytes: 2 }).collect();
    chip.call(address, &arguments, 100_000, Observe::Profile).unwrap()
}
