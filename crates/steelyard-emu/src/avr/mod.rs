//! The AVR family: classic, enhanced, tiny and AVRxt cores.
//!
//! Program, data and EEPROM are spaces of their own. A linker numbers them in one, which gives 64 KB each to data, EEPROM
//! and further spaces.

pub mod abi;
pub mod cpu;
pub mod decode;
pub mod exec;
pub mod isa;
pub mod nvm;
pub mod pipeline;
pub mod program;
mod run;
pub mod runs;
pub mod timing;

pub use run::FLASH_BASE;

use crate::bus::{FlatBus, Region, RegionKind, RegionSpace};
use crate::description::Description;
use crate::elf::Segment;
use crate::emulated::Emulated;
use crate::error::{refuse, Error};
use crate::fault::{FaultKind, Trap};
use crate::isa::{listed, Listed};
use crate::machine::{Argument, Machine, Space};
use crate::observe::Observer;
use crate::processor::{Executed, Exit, Instructions, Memories, Parts, PartsMut, Ports, Processor, Profiled, Settable};
use crate::profile::{Listing, Spent};
use crate::symbols::Symbols;
use crate::value::HeldByte;
use cpu::Cpu;
use nvm::{Controllers, Options};
use object::elf::{self, EM_AVR};
use program::{Program, MAX_WORDS};
use timing::Core;

/// Linker's addresses of the data space and of the EEPROM, and the room for each space.
const DATA_SPACE: u32 = 0x80_0000;
const EEPROM_SPACE: u32 = 0x81_0000;
const SETTINGS_SPACE: u32 = EEPROM_SPACE + SPACE_BYTES;
const SPACE_BYTES: u32 = 0x1_0000;

/// An AVR chip.
pub type Avr<B = u8> = Emulated<Cpu<B>>;

/// Registers between runs.
pub struct Registers<B> {
    numbered: [B; 32],
    sreg: B,
    sp: u16,
    pc: u16,
}

/// Largest flash of the family.
const MAX_FLASH_BYTES: u32 = 0x4_0000;

/// Returns the instructions of a description's core.
pub fn instructions(description: &Description) -> Result<Vec<Listed>, Error> {
    let core = Core::from_data(&description.core)?;
    let timed = || isa::ROWS.iter().zip(&core.cycles);
    Ok(listed(isa::ROWS, |feature| timed().any(|(row, cycles)| row.feature == feature && cycles.is_some())))
}

/// Builds the chip of a description.
pub fn machine<B: HeldByte>(description: &Description) -> Result<Box<dyn Machine>, Error> {
    Ok(Box::new(chip::<B>(description)?))
}

/// Builds the chip of a description with erased memories.
pub fn chip<B: HeldByte>(description: &Description) -> Result<Avr<B>, Error> {
    let core = Core::from_data(&description.core)?;
    let regions = &description.memory;
    let flash = match regions.iter().filter(|region| region.space == RegionSpace::Program).collect::<Vec<_>>()[..] {
        [flash] if flash.kind == RegionKind::Flash && flash.base == 0 => flash,
        _ => return refuse("an AVR has one program memory: flash at address 0"),
    };
    if flash.size_bytes % 2 != 0 || flash.size_bytes == 0 || flash.size_bytes > MAX_FLASH_BYTES {
        return refuse("an AVR's flash is an even number of bytes, at most 256 KB here");
    }
    let data = regions.iter().filter(|region| region.space == RegionSpace::Data).cloned();
    let bus = FlatBus::new(data)?;
    let eeprom_bytes = regions.iter().find(|region| region.kind == RegionKind::Eeprom);
    let eeprom_bytes = eeprom_bytes.map_or(0, |region: &Region| region.size_bytes as usize);
    if eeprom_bytes > SPACE_BYTES as usize {
        return refuse("an AVR's EEPROM is at most 64 KB");
    }
    let nvm = Controllers::new(Options::from_data(&description.core_options, description.clock_hz)?, eeprom_bytes);
    let program = Program::new(core, flash.size_bytes as usize);
    Emulated::new(Cpu::new(bus, program, nvm), regions)
}

impl<B: HeldByte> Processor for Cpu<B> {
    type Registers = Registers<B>;
    type Memory = FlatBus;
    type Program = Program;
    type Beside = B::Beside;

    const ELF_MACHINE: elf::Machine = EM_AVR;
    const NAME: &'static str = "AVR";
    const ADDRESS_DIGITS: usize = 4;
    const STACK_ALIGNMENT: u32 = 1;
    const PLAIN: bool = B::PLAIN;
    const STACK_FREE_BYTES: u32 = 1;
    const EXTERNAL_STACK: bool = false;
    const DATA_BASE: u32 = DATA_SPACE;
    const RESET_ADDRESS: Option<u32> = Some(0);
    const LEAST_RESULT_BYTES: usize = 2;

    fn parts(&self) -> Parts<'_, Self> {
        let Cpu { cycles, stack_limit, bus: memory, program, beside, .. } = self;
        Parts { cycles: *cycles, stack_limit: *stack_limit, memory, program, beside }
    }

    fn parts_mut(&mut self) -> PartsMut<'_, Self> {
        let Cpu { stack_limit, bus: memory, program, beside, .. } = self;
        PartsMut { stack_limit, memory, program, beside }
    }

    fn reset(&mut self, stack_pointer: u32) {
        self.set_registers(&Registers { numbered: [B::of(0); 32], sreg: B::of(0), sp: stack_pointer as u16, pc: 0 });
        self.stack_ceiling = u16::MAX;
    }

    fn registers(&self) -> Registers<B> {
        Registers { numbered: self.registers, sreg: self.sreg, sp: self.sp, pc: self.pc }
    }

    fn set_registers(&mut self, registers: &Registers<B>) {
        Registers { numbered: self.registers, sreg: self.sreg, sp: self.sp, pc: self.pc } = *registers;
    }

    fn stack_pointer(&self) -> u32 {
        u32::from(self.sp)
    }

    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error> {
        let Ok(pointer) = u16::try_from(pointer) else {
            return refuse(format!("0x{pointer:x} is no address of the data space"));
        };
        self.sp = pointer;
        Ok(())
    }

    fn settable(&self) -> Vec<Settable> {
        Settable::numbered('r', 0..self.registers.len(), 8)
    }

    fn set(&mut self, place: usize, value: u32) -> Result<(), Error> {
        self.registers[place] = B::of(value as u8);
        Ok(())
    }

    fn pc(&self) -> u32 {
        u32::from(self.pc) * 2
    }

    /// `SLEEP` is complete when it traps; every other instruction is not.
    fn trapped_at(&self, trap: Trap) -> u32 {
        let words_ago = u16::from(trap.kind == FaultKind::Sleep);
        u32::from(self.pc.wrapping_sub(words_ago)) * 2
    }

    fn set_pc(&mut self, address: u32) {
        self.pc = (address / 2) as u16;
    }

    fn is_code(&self, address: u32) -> bool {
        address % 2 == 0 && (address as usize) < self.program.bytes().len()
    }

    fn erase(&mut self) {
        self.snapshot = None;
        self.program.clear();
        self.nvm.eeprom.fill(0xff);
        self.bus.erase();
        self.beside = B::Beside::default();
    }

    fn peek(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        self.read(Self::space(address), Self::address(address), length).ok()
    }

    fn poke(&mut self, address: u32, data: &[u8]) -> bool {
        self.write(Self::space(address), Self::address(address), data).is_ok()
    }

    fn space(linked_address: u32) -> Space {
        match linked_address {
            EEPROM_SPACE.. => Space::Eeprom,
            DATA_SPACE.. => Space::Data,
            _ => Space::Program,
        }
    }

    fn address(linked_address: u32) -> u32 {
        if linked_address >= DATA_SPACE {
            linked_address % SPACE_BYTES
        } else {
            linked_address
        }
    }

    fn read(&self, space: Space, address: u32, length: usize) -> Result<Vec<u8>, Error> {
        let memory = match space {
            Space::Program => self.program.bytes(),
            Space::Eeprom => &self.nvm.eeprom,
            Space::Data => {
                let addresses = data_addresses(address, length)?;
                let bytes = addresses.map(|address| {
                    self.datum(address)
                        .ok_or_else(|| Error::Machine(format!("nothing lies at data address 0x{address:04x}")))
                });
                return bytes.collect();
            }
        };
        let end = (address as usize).saturating_add(length);
        match memory.get(address as usize..end) {
            Some(bytes) => Ok(bytes.to_vec()),
            None => {
                refuse(format!("{length} bytes at 0x{address:x} reach beyond the memory of {} bytes", memory.len()))
            }
        }
    }

    fn write(&mut self, space: Space, address: u32, data: &[u8]) -> Result<(), Error> {
        let size = match space {
            Space::Program => self.program.bytes().len(),
            Space::Eeprom => self.nvm.eeprom.len(),
            Space::Data => {
                for (address, value) in data_addresses(address, data.len())?.zip(data) {
                    if !self.set_datum(address, *value) {
                        return refuse(format!("data address 0x{address:04x} cannot be written"));
                    }
                }
                return Ok(());
            }
        };
        let start = address as usize;
        let end = start.saturating_add(data.len());
        if end > size {
            return refuse(format!("{} bytes at 0x{address:x} reach beyond the memory of {size} bytes", data.len()));
        }
        match space {
            Space::Program => self.program.write(start, data),
            _ => self.nvm.eeprom[start..end].copy_from_slice(data),
        }
        Ok(())
    }

    /// Fuses, lock bits and the like are settings of the programmer, not memory of the program.
    fn store(&mut self, segment: &Segment) -> Result<(), Error> {
        let address = Self::address(segment.virtual_address);
        let of_data = segment.virtual_address >= DATA_SPACE;
        match segment.virtual_address {
            SETTINGS_SPACE.. => Ok(()),
            EEPROM_SPACE.. => self.write(Space::Eeprom, address, &segment.data),
            _ if segment.physical_address < DATA_SPACE => {
                self.write(Space::Program, segment.physical_address, &segment.data)
            }
            _ => match self.window_offset(address as u16, RegionKind::FlashWindow) {
                Some(offset) if of_data => self.write(Space::Program, offset as u32, &segment.data),
                _ => Ok(()),
            },
        }
    }

    fn initialise(&mut self, segment: &Segment) -> Result<(), Error> {
        let address = Self::address(segment.virtual_address);
        let of_data = (DATA_SPACE..EEPROM_SPACE).contains(&segment.virtual_address);
        if !of_data || self.window_offset(address as u16, RegionKind::FlashWindow).is_some() {
            return Ok(());
        }
        self.write(Space::Data, address, &segment.data)
    }

    fn snapshot_memory(&mut self) {
        self.bus.snapshot();
        self.snapshot = Some(Box::new(cpu::Snapshot {
            nvm: self.nvm.clone(),
            flash: self.program.bytes().to_vec(),
            flash_revision: self.program.revision(),
        }));
    }

    fn restore_memory(&mut self) {
        let Some(snapshot) = &mut self.snapshot else { return };
        self.bus.restore();
        self.nvm.clone_from(&snapshot.nvm);
        if self.program.revision() != snapshot.flash_revision {
            let used_bytes = self.program.used_bytes().min(snapshot.flash.len());
            self.program.write(0, &snapshot.flash[..used_bytes]);
            snapshot.flash_revision = self.program.revision();
        }
    }

    /// Settles the stack pointer at the end.
    fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let exit = Cpu::run(self, observer, cycle_limit);
        match (exit, self.settle_stack(observer)) {
            (Exit::Stop, Err(trap)) => Exit::Trap(trap),
            (exit, _) => exit,
        }
    }

    fn run_profiled(&mut self, cycle_limit: u64, symbols: &Symbols, call: Spent) -> Profiled {
        let mut profile = self.profile.take().unwrap_or_default();
        profile.start(u32::from(self.sp));
        let exit = Processor::run(self, &mut profile, cycle_limit);
        let profiled =
            Profiled { exit, totals: profile.finish(&self.program, symbols, 2, call), lowest: profile.lowest };
        self.profile = Some(profile);
        profiled
    }

    fn place(&mut self, arguments: &[Argument]) -> Result<Vec<u8>, Error> {
        let placement = abi::place(arguments)?;
        let free_word = self.program.used_bytes().div_ceil(2);
        if free_word >= (self.program.bytes().len() / 2).min(MAX_WORDS) {
            return refuse("the image fills the flash, or its first 128 KB: no word is left for a call to return to");
        }
        self.return_word = free_word as u16;
        for (register, value) in placement.registers {
            self.registers[register] = B::of(value);
        }
        // The compiler's zero register.
        self.registers[1] = B::of(0);
        Ok(placement.stack)
    }

    fn call(&mut self, function: u32) -> Result<(), Trap> {
        self.stack_ceiling = self.sp;
        self.set_pc(function);
        self.cycles += u64::from(self.program.core().call_cycles);
        self.program.plant_stop(self.return_word);
        self.push_return(self.return_word)
    }

    fn called(&mut self) {
        self.stack_ceiling = u16::MAX;
        self.program.clear_stop();
    }

    fn return_value(&self) -> u64 {
        abi::return_value(&self.registers.map(B::plain))
    }

    fn executed(&self, place: usize) -> Option<Executed> {
        let info = self.program.instruction(place)?;
        Some(Executed {
            address: place as u32 * 2,
            class: info.class,
            loads: info.loads,
            stores: info.stores,
            conditional_branch: info.conditional,
            ports: Ports::default(),
        })
    }

    fn text(&self, address: u32) -> Option<(String, u32)> {
        if !self.is_code(address) {
            return None;
        }
        let (text, words) = self.program.text((address / 2) as u16)?;
        Some((text, 2 * u32::from(words)))
    }

    fn sentence(&self, trap: Trap, place: &str) -> Option<String> {
        let address = trap.address?;
        match trap.kind {
            // Addresses of data and of code are not the same even if their numbers are.
            FaultKind::UnmappedAddress => {
                Some(format!("nothing answers at address 0x{address:04x}, wanted at {place}"))
            }
            FaultKind::StackOverflow if address > u32::from(self.stack_ceiling) => {
                Some(format!("the stack grew below address 0, to 0x{address:04x}, at {place}"))
            }
            _ => None,
        }
    }

    fn refusal(&self, place: &str) -> String {
        format!(
            "0x{:04x} at {place} is no instruction of the {} core",
            self.program.word(self.pc),
            self.program.core().id
        )
    }
}

fn data_addresses(address: u32, length: usize) -> Result<impl Iterator<Item = u16>, Error> {
    let end = u64::from(address) + length as u64;
    if end > u64::from(SPACE_BYTES) {
        return refuse(format!("{length} bytes at 0x{address:x} reach beyond the data space"));
    }
    Ok((u64::from(address)..end).map(|address| address as u16))
}
