//! Chips of the catalogue, and the emulator's CPU as the machine under test.

use crate::protocol::Layout;
use crate::stream::Subject;
use serde_json::{json, Value};
use std::ops::Range;
use std::path::{Path, PathBuf};
use steelyard_emu::emulated::Emulated;
use steelyard_emu::observe::Nothing;
use steelyard_emu::processor::{Exit, Processor};
use steelyard_emu::{Description, FaultKind};

/// A run is given up after as many cycles.
pub const MAX_CYCLES: u64 = 20_000_000_000;

/// Any error in words.
pub fn words<E: ToString>(error: E) -> String {
    error.to_string()
}

/// A data file as JSON; the error names it.
pub fn read_toml(path: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The folder of the target files.
pub struct Catalogue(pub PathBuf);

impl Default for Catalogue {
    /// The folder of this checkout.
    fn default() -> Self {
        Self(Path::new(env!("CARGO_MANIFEST_DIR")).join("../targets"))
    }
}

impl Catalogue {
    /// The data of a core, as the emulator takes them.
    pub fn core(&self, name: &str) -> Result<Value, String> {
        Ok(self.core_and_shared(name)?.0)
    }

    /// The data of a core, and what all chips with that core share.
    fn core_and_shared(&self, name: &str) -> Result<(Value, Value), String> {
        let mut core = read_toml(&self.0.join("cores").join(name).with_extension("toml"))?;
        let family = core["family"].as_str().ok_or_else(|| format!("{name}: the file has no `family`"))?;
        let shared = read_toml(&self.0.join("families").join(family).with_extension("toml"))?;
        let of_core = core.as_object_mut().and_then(|core| core.remove("chip")).unwrap_or_else(|| json!({}));
        Ok((core, joined(shared, of_core)))
    }

    /// A chip with its core; the chip's file adds to what its core and its family share.
    pub fn target(&self, id: &str) -> Result<Target, String> {
        let own = read_toml(&self.0.join(id).with_extension("toml"))?;
        let core = own["core"].as_str().ok_or_else(|| format!("{id}: the file has no `core`"))?;
        let (core, shared) = self.core_and_shared(core)?;
        let family = core["family"].as_str().unwrap_or_default().to_owned();
        let file = joined(shared, own);
        let mut description = json!({"core": core});
        for field in ["memory", "core_options", "clock_hz", "cache", "flash"] {
            if let Some(value) = file.get(field) {
                description[field] = value.clone();
            }
        }
        Ok(Target { id: id.to_owned(), family, description })
    }
}

/// Adds a file to what it shares with others: lists add up, a memory of the same name and every other value is replaced.
fn joined(shared: Value, own: Value) -> Value {
    match (shared, own) {
        (Value::Object(mut table), Value::Object(own)) => {
            for (name, value) in own {
                let value = match table.remove(&name) {
                    Some(shared) => joined(shared, value),
                    None => value,
                };
                table.insert(name, value);
            }
            Value::Object(table)
        }
        (Value::Array(mut list), Value::Array(own)) => {
            list.retain(|one| one.get("name").is_none_or(|name| !own.iter().any(|other| other["name"] == *name)));
            list.extend(own);
            Value::Array(list)
        }
        (_, own) => own,
    }
}

/// A chip of the catalogue, as the emulator takes it.
#[derive(Clone)]
pub struct Target {
    pub id: String,
    pub family: String,
    pub description: Value,
}

impl Target {
    /// The description for a machine; the error says what is wrong with it.
    pub fn description(&self) -> Result<Description, String> {
        Description::from_json(&self.description.to_string()).map_err(words)
    }

    /// The architecture that the core's data name.
    pub fn architecture(&self) -> &str {
        self.description["core"]["architecture"].as_str().unwrap_or_default()
    }

    /// Memories of these kinds.
    pub fn memories(&self, kinds: &[&str]) -> Vec<Range<u32>> {
        let memories = self.description["memory"].as_array().into_iter().flatten();
        let wanted = memories.filter(|memory| memory["kind"].as_str().is_some_and(|kind| kinds.contains(&kind)));
        let range = |memory: &Value| {
            let base = memory["base"].as_u64()? as u32;
            Some(base..base + memory["size"].as_u64()? as u32)
        };
        wanted.filter_map(range).collect()
    }
}

/// A chip that is a core with memories, each named by its range.
pub fn bare(core: Value, memories: &[Range<u32>]) -> Result<Description, String> {
    let memory = memories.iter().map(|range| {
        let name = format!("ram {:#x}", range.start);
        json!({"name": name, "space": "data", "kind": "ram", "base": range.start, "size": range.end - range.start})
    });
    let memory: Vec<Value> = memory.collect();
    let description = json!({"core": core, "memory": memory, "clock_hz": 16_000_000});
    Description::from_json(&description.to_string()).map_err(words)
}

/// A CPU family of the emulator, behind registers in the layout's order.
pub trait Family: Sized {
    type Cpu: Processor;
    const LAYOUT: Layout;

    fn chip(description: &Description) -> Result<Emulated<Self::Cpu>, steelyard_emu::Error>;
    fn register(cpu: &Self::Cpu, index: usize) -> u32;
    fn set_register(cpu: &mut Self::Cpu, index: usize, value: u32);
    /// Executes one instruction.
    fn step(cpu: &mut Self::Cpu) -> Exit {
        let limit = cpu.cycles() + 1;
        cpu.run(&mut Nothing, limit)
    }
}

/// A chip of a family as the machine under test.
pub struct Chip<F: Family>(pub Emulated<F::Cpu>);

impl<F: Family> Chip<F> {
    pub fn new(description: &Description) -> Result<Self, String> {
        F::chip(description).map(Self).map_err(words)
    }

    pub fn cpu(&self) -> &F::Cpu {
        self.0.processor()
    }

    pub fn cpu_mut(&mut self) -> &mut F::Cpu {
        self.0.processor_mut()
    }

    fn ended(&self, exit: Exit) -> Result<(), String> {
        match exit {
            Exit::Trap(trap) if trap.kind == FaultKind::IllegalOpcode => Err(self.cpu().refusal("the program counter")),
            Exit::Trap(trap) => Err(format!("{} at {:x?}", trap.kind.name(), trap.address)),
            Exit::Stop | Exit::Limit => Ok(()),
        }
    }
}

impl<F: Family> Subject for Chip<F> {
    fn register(&self, index: usize) -> u32 {
        F::register(self.cpu(), index)
    }

    fn set_register(&mut self, index: usize, value: u32) {
        F::set_register(self.cpu_mut(), index, value);
    }

    fn pc(&self) -> u32 {
        self.cpu().pc()
    }

    fn read(&self, address: u32, length_bytes: u32) -> Vec<u8> {
        self.cpu().peek(address, length_bytes as usize).unwrap_or_default()
    }

    fn write(&mut self, address: u32, bytes: &[u8]) {
        self.cpu_mut().poke(address, bytes);
    }

    fn step(&mut self) -> Result<(), String> {
        let exit = F::step(self.cpu_mut());
        self.ended(exit)
    }

    fn run_to(&mut self, address: u32) -> Result<(), String> {
        let cpu = self.cpu_mut();
        let limit = cpu.cycles() + MAX_CYCLES;
        // Calls return to a place that is none of code, and stop there.
        let is_code = cpu.is_code(address);
        if is_code {
            cpu.plant_stop(address);
        }
        let exit = cpu.run(&mut Nothing, limit);
        if is_code {
            cpu.clear_stop();
        }
        self.ended(exit)?;
        match self.pc() {
            pc if pc == address => Ok(()),
            pc => Err(format!("the flow ended at {pc:#x}, not at {address:#x}")),
        }
    }

    fn clocks(&self) -> u64 {
        self.cpu().cycles()
    }
}
