//! ARM chips for the tests, of the core data that the product ships or of the sample.

use super::image::ImageBuilder;
use serde_json::{json, Value};
use steelyard_emu::arm::{self, Arm};
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::{Argument, CallResult, Description, Machine, Observe};

pub const CODE: u32 = 0x0001_0000;
pub const RAM: u32 = 0x4000_0000;
pub const RAM_BYTES: u32 = 0x8000;
pub const FLASH: u32 = 0x2000_0000;

/// `mov pc, lr`.
pub const RETURN: u32 = 0xe1a0_f00e;

/// A core's data: one that is shipped, or the sample as an architecture.
pub fn core_data(core: &str) -> Value {
    if !["armv4", "armv4t", "armv5te"].contains(&core) {
        return super::core_data(core);
    }
    let path = format!("{}/tests/data/arm-sample-core.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut data: Value = toml::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    data["architecture"] = json!(core);
    data
}

/// A chip with RAM for data, RAM for code, a flash and lab memory, all without latency.
pub fn description(core: &str) -> Value {
    description_with(&core_data(core))
}

fn description_with(core: &Value) -> Value {
    json!({
        "core": core,
        "memory": [
            {"name": "ram", "space": "data", "kind": "ram", "base": RAM, "size": RAM_BYTES},
            {"name": "code", "space": "program", "kind": "ram", "base": CODE, "size": 0x4_0000},
            {"name": "flash", "space": "program", "kind": "flash", "base": FLASH, "size": 0x1000},
            {"name": "lab", "space": "data", "kind": "ram", "base": 0x6000_0000, "size": 0x1_0000},
        ],
        "clock_hz": 200_000_000,
    })
}

/// A chip whose memories are as fast as a hit.
pub type Chip = Arm<Immediate>;

/// That chip with functions in RAM.
pub fn chip(core: &str, functions: &[(&'static str, &[u32])]) -> Chip {
    let description = Description::from_json(&description(core).to_string()).unwrap();
    let mut chip = arm::chip(&description, Immediate).unwrap();
    if !functions.is_empty() {
        chip.load_elf(&ImageBuilder::of_arm(CODE, functions).build()).unwrap();
    }
    chip
}

/// Calls a function with words.
pub fn call(chip: &mut dyn Machine, address: u32, arguments: &[u32]) -> CallResult {
    let arguments: Vec<_> = arguments.iter().map(|&word| Argument { value: word.into(), size_bytes: 4 }).collect();
    chip.call(address, &arguments, 100_000, Observe::Profile).unwrap()
}

/// Cycles of instructions, without those of the call and the return.
pub fn cycles(core: &str, words: &[u32]) -> u64 {
    Stopwatch::new(&core_data(core), &[words]).unwrap().cycles(0)
}

/// A chip with pieces of code, each timed as on a chip that was just made.
pub struct Stopwatch {
    chip: Chip,
    entries: Vec<u32>,
    around: u64,
}

impl Stopwatch {
    /// A core of these data; `None` where they are refused.
    pub fn new(core: &Value, pieces: &[&[u32]]) -> Option<Self> {
        let description = Description::from_json(&description_with(core).to_string()).ok()?;
        let mut chip = arm::chip(&description, Immediate).ok()?;
        let mut entries = Vec::new();
        let mut words = vec![RETURN];
        for piece in pieces {
            entries.push(CODE + 4 * words.len() as u32);
            words.extend_from_slice(piece);
            words.push(RETURN);
        }
        chip.load_elf(&ImageBuilder::of_arm(CODE, &[("f", &words)]).build()).unwrap();
        chip.snapshot();
        let mut watch = Stopwatch { chip, entries, around: 0 };
        watch.around = watch.call(CODE);
        Some(watch)
    }

    /// Cycles of a piece, without those of the call and the return.
    pub fn cycles(&mut self, piece: usize) -> u64 {
        self.call(self.entries[piece]) - self.around
    }

    fn call(&mut self, entry: u32) -> u64 {
        self.chip.restore().unwrap();
        self.chip.empty_caches();
        let arguments = [RAM, RAM + 0x100, RAM + 0x200, 4];
        // Once to fill the branch buffer.
        call(&mut self.chip, entry, &arguments);
        let result = call(&mut self.chip, entry, &arguments);
        assert!(result.fault.is_none(), "{:?}", result.fault);
        result.cycles
    }
}
