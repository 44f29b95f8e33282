//! A chip of the catalogue for the emulator, and the emulator as the machine under test.

use crate::catalogue;
use crate::lockstep::{State, Subject};
use crate::random::Chip;
use crate::simavr::Simavr;
use serde_json::Value;
use std::ops::Range;
use std::path::Path;
use steelyard_emu::avr::table::ROWS;
use steelyard_emu::avr::Avr;
use steelyard_emu::observe::Nothing;
use steelyard_emu::processor::Exit;
use steelyard_emu::{Description, FaultKind, Machine};

/// One of `targets/*.toml` with its core's data, as the emulator takes it.
pub struct Target {
    pub id: String,
    pub description: Value,
}

impl Target {
    /// Reads a chip and its core from the folder of the target files.
    pub fn load(targets: &Path, id: &str) -> Result<Self, String> {
        let chip = catalogue::Chip::load(targets, id)?;
        let description = chip.description(&chip.core);
        Ok(Self { id: id.to_owned(), description })
    }

    /// The description as the emulator's public face takes it.
    pub fn json(&self) -> String {
        self.description.to_string()
    }

    /// Address ranges of the data space that hold bytes, by the memory's name.
    pub fn data_memories(&self) -> impl Iterator<Item = (&str, Range<u32>)> {
        let memories = self.description["memory"].as_array().into_iter().flatten();
        memories.filter(|memory| memory["space"] == "data").filter_map(|memory| {
            let base = memory["base"].as_u64()? as u32;
            Some((memory["name"].as_str()?, base..base + memory["size"].as_u64()? as u32))
        })
    }
}

/// The emulator, stepped one instruction at a time.
pub struct Emulator(pub Avr);

impl Emulator {
    pub fn new(target: &Target) -> Result<Self, String> {
        let description = Description::from_json(&target.json()).map_err(|error| error.to_string())?;
        Avr::new(&description).map(Self).map_err(|error| error.to_string())
    }

    /// As [`Emulator::new`], with an image in place and the CPU at reset.
    pub fn with_image(target: &Target, image: &[u8]) -> Result<Self, String> {
        let mut emulator = Self::new(target)?;
        emulator.0.load_elf(image).map_err(|error| error.to_string())?;
        // The image's own limit is checked by the call the comparison ends with.
        emulator.0.cpu_mut().stack_limit = 0;
        Ok(emulator)
    }

    /// What the generator of random streams must know.
    pub fn chip(&self, target: &Target, reference: &Simavr) -> Result<Chip, String> {
        let core = self.0.cpu().program.core();
        let (_, ram) = target
            .data_memories()
            .find(|(name, _)| *name == "sram")
            .ok_or_else(|| format!("{}: it has no memory `sram`", target.id))?;
        // Behind neither machine's back: no peripheral in simavr, no memory controller in the emulator.
        let options = self.0.cpu().nvm.options;
        let controllers = [options.eecr, options.spmcsr];
        let plain_io = (0x20..=reference.io_end() as u16)
            .filter(|address| reference.io_is_plain(*address) && !controllers.contains(&Some(*address)))
            .collect();
        Ok(Chip {
            flash_words: (self.0.cpu().program.bytes().len() / 2) as u32,
            ram: ram.start as u16..ram.end as u16,
            plain_io,
            rampz: core.address.rampz,
            rows: ROWS.iter().filter(|row| core.cycles[row.index()].is_some()).collect(),
        })
    }
}

impl Subject for Emulator {
    fn state(&self) -> State {
        let cpu = self.0.cpu();
        State { pc: u32::from(cpu.pc) * 2, registers: cpu.registers, sreg: cpu.sreg, sp: cpu.sp, cycles: cpu.cycles }
    }

    fn set_state(&mut self, state: &State) {
        let cpu = self.0.cpu_mut();
        cpu.pc = (state.pc / 2) as u16;
        cpu.registers = state.registers;
        cpu.sreg = state.sreg;
        cpu.sp = state.sp;
    }

    fn data(&self) -> &[u8] {
        self.0.cpu().bus.bytes()
    }

    fn flash(&self) -> &[u8] {
        self.0.cpu().program.bytes()
    }

    fn poke(&mut self, address: u16, value: u8) {
        let possible = self.0.cpu_mut().poke(address, value);
        assert!(possible, "data address {address:#06x} cannot be set");
    }

    fn write_flash(&mut self, address: u32, bytes: &[u8]) {
        self.0.cpu_mut().program.write(address as usize, bytes);
    }

    fn step(&mut self) -> Result<(), String> {
        match self.0.step(&mut Nothing) {
            // SLEEP is complete when it ends a run, and the next step goes on behind it.
            Err(fault) if fault.kind != FaultKind::Sleep => Err(fault.to_string()),
            _ => Ok(()),
        }
    }

    fn run(&mut self, cycles: u64) -> Result<(), String> {
        let cpu = self.0.cpu_mut();
        let limit = cpu.cycles + cycles;
        match cpu.run(&mut Nothing, limit) {
            Exit::Limit => Ok(()),
            exit => Err(format!("{exit:?}")),
        }
    }
}
