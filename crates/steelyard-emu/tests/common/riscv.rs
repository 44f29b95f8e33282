//! RISC-V chips for the tests, of the core data that the product ships.

use super::core_data;
use super::image::ImageBuilder;
use serde_json::{json, Value};
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::riscv::{self, RiscV};
use steelyard_emu::{Argument, CallResult, Description, Machine, Observe};

pub const CODE: u32 = 0x0001_0000;
pub const RAM: u32 = 0x4000_0000;
pub const RAM_BYTES: u32 = 0x8000;
pub const FLASH: u32 = 0x2000_0000;
/// Of pieces of code from each other.
const SPACING_BYTES: usize = 0x200;
/// `ret`.
pub const RETURN: [u8; 4] = [0x67, 0x80, 0, 0];

/// A chip with RAM for data, RAM for code, a flash and lab memory, all without latency, and a machine timer.
pub fn description(core: &Value) -> Value {
    json!({
        "core": core,
        "memory": [
            {"name": "ram", "space": "data", "kind": "ram", "base": RAM, "size": RAM_BYTES},
            {"name": "code", "space": "program", "kind": "ram", "base": CODE, "size": 0x4_0000},
            {"name": "flash", "space": "program", "kind": "flash", "base": FLASH, "size": 0x1000},
            {"name": "lab", "space": "data", "kind": "ram", "base": 0x6000_0000, "size": 0x1_0000},
        ],
        "core_options": {
            "mtime_address": 0x0200_bff8, "mtimecmp_address": 0x0200_4000, "msip_address": 0x0200_0000,
            "mtime_hz": 1_000_000,
        },
        "clock_hz": 16_000_000,
    })
}

/// A chip whose memories are as fast as a hit.
pub type Chip = RiscV<Immediate>;

/// That chip with functions in RAM.
pub fn chip(core: &Value, functions: &[(&'static str, &[u8])]) -> Option<Chip> {
    let description = Description::from_json(&description(core).to_string()).ok()?;
    let mut chip: Chip = riscv::chip(&description, Immediate).ok()?;
    #[cfg(feature = "translate")]
    chip.processor_mut().translate_after(0);
    chip.load_elf(&ImageBuilder::of_riscv(CODE, SPACING_BYTES, functions).build()).unwrap();
    Some(chip)
}

/// Calls a function with words.
pub fn call(chip: &mut dyn Machine, address: u32, arguments: &[u32]) -> CallResult {
    let arguments: Vec<_> = arguments.iter().map(|&word| Argument { value: word.into(), size_bytes: 4 }).collect();
    chip.call(address, &arguments, 100_000, Observe::Profile).unwrap()
}

/// What a function of these words returns; a0 is the start of RAM, filled with 0x80, 0x81, ..., a1 to a3 are
/// [`ARGUMENTS`].
pub fn run(core: &str, words: &[u32]) -> CallResult {
    let mut code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    code.extend(RETURN);
    let mut chip = chip(&core_data(core), &[("f", &code)]).unwrap();
    let bytes: Vec<u8> = (0x80..0xc0).collect();
    chip.write(steelyard_emu::Space::Data, RAM, &bytes).unwrap();
    call(&mut chip, CODE, &ARGUMENTS)
}

const ARGUMENTS: [u32; 4] = [RAM, RAM + 0x100, RAM + 0x200, 4];
