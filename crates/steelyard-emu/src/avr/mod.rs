//! The AVR family: classic, enhanced, tiny and AVRxt cores.

pub mod abi;
pub mod alu;
pub mod cpu;
pub mod decode;
pub mod isa;
pub mod nvm;
pub mod program;
pub mod runs;
pub mod timing;

use crate::bus::{FlatBus, Region, RegionKind, RegionSpace};
use crate::description::Description;
use crate::elf;
use crate::emulated::{Seen, END_SYMBOL, LAB};
use crate::error::{refuse, Error};
use crate::fault::{Fault, FaultKind, Trap};
use crate::fence::{self, Fence, Permit};
use crate::machine::{Argument, CallResult, Machine, Observe, Space};
use crate::observe::{Nothing, Observer, StackPeak};
use crate::processor::Exit;
use crate::profile::{Class, Profile, Spent, Totals};
use crate::symbols::Symbols;
use cpu::Cpu;
use nvm::{Controllers, Options};
use object::elf::EM_AVR;
use program::Program;
use timing::Core;

/// Start of the data space in the linker's address space, which gives 64 KB each to data, EEPROM and further spaces.
const DATA_SPACE: u32 = 0x80_0000;
const EEPROM_SPACE: u32 = 0x81_0000;
const SPACE_BYTES: u32 = 0x1_0000;

/// An AVR chip.
pub struct Avr {
    cpu: Cpu,
    regions: Vec<Region>,
    symbols: Symbols,
    stack_top: u16,
    snapshot: Option<Box<Snapshot>>,
    /// Profile of the last call; its memory is reused.
    profile: Option<Profile<{ program::MAX_WORDS }>>,
}

struct Snapshot {
    registers: [u8; 32],
    sreg: u8,
    sp: u16,
    pc: u16,
    data: Vec<u8>,
    nvm: Controllers,
    flash: Vec<u8>,
    flash_revision: u64,
}

impl Avr {
    /// Builds a chip with erased memories.
    pub fn new(description: &Description) -> Result<Self, Error> {
        let core = Core::from_data(&description.core)?;
        let regions = &description.memory;
        let flash = match regions.iter().filter(|region| region.space == RegionSpace::Program).collect::<Vec<_>>()[..] {
            [flash] if flash.kind == RegionKind::Flash && flash.base == 0 => flash,
            _ => return refuse("an AVR has one program memory: flash at address 0"),
        };
        if flash.size_bytes % 2 != 0 || flash.size_bytes == 0 || flash.size_bytes as usize > program::MAX_WORDS * 2 {
            return refuse("an AVR's flash is an even number of bytes, at most 128 KB here");
        }
        let data = regions.iter().filter(|region| region.space == RegionSpace::Data).cloned();
        let bus = FlatBus::new(data)?;
        let eeprom_bytes = regions.iter().find(|region| region.kind == RegionKind::Eeprom);
        let eeprom_bytes = eeprom_bytes.map_or(0, |region| region.size_bytes as usize);
        if eeprom_bytes > SPACE_BYTES as usize {
            return refuse("an AVR's EEPROM is at most 64 KB");
        }
        let ram =
            regions.iter().find(|region| region.kind == RegionKind::Ram && !region.external && region.name != LAB);
        let Some(ram) = ram else { return refuse("the chip has no RAM of its own") };
        let stack_top = (ram.end() - 1) as u16;
        let nvm = Controllers::new(Options::from_data(&description.core_options, description.clock_hz)?, eeprom_bytes);
        let program = Program::new(core, flash.size_bytes as usize);
        let mut cpu = Cpu::new(bus, program, nvm);
        cpu.sp = stack_top;
        let mut avr = Avr {
            cpu,
            regions: regions.clone(),
            symbols: Symbols::default(),
            stack_top,
            snapshot: None,
            profile: None,
        };
        avr.cpu.stack_limit = avr.stack_limit();
        Ok(avr)
    }

    /// Returns the processor, for a tester that sets up its state.
    pub fn cpu(&self) -> &Cpu {
        &self.cpu
    }

    /// Returns the processor for modification.
    pub fn cpu_mut(&mut self) -> &mut Cpu {
        &mut self.cpu
    }

    /// Runs one instruction.
    pub fn step<O: Observer>(&mut self, observer: &mut O) -> Result<(), Fault> {
        let limit = self.cpu.cycles + 1;
        match self.cpu.run(observer, limit) {
            Exit::Limit | Exit::Stop => Ok(()),
            Exit::Trap(trap) => Err(self.fault(trap)),
        }
    }

    /// Returns the lowest address the stack may use from its present position: the start of its RAM, or the end of the
    /// image's static data if that lies below the stack.
    fn stack_limit(&self) -> u16 {
        let sp = self.cpu.sp;
        // RAM regions that touch are one to the stack.
        let mut base = u32::from(sp);
        while let Some(region) = self.regions.iter().find(|region| {
            region.space == RegionSpace::Data
                && region.kind == RegionKind::Ram
                && region.contains(base)
                && (region.contains(u32::from(sp)) || region.name != LAB)
        }) {
            base = region.base;
            if base == 0 {
                break;
            }
            base -= 1;
        }
        let base = (base + 1) as u16;
        let end = self.symbols.get(END_SYMBOL).map(|symbol| self.address(symbol.address));
        match end.and_then(|end| u16::try_from(end).ok()) {
            // Static data that fill the RAM end just above an empty stack.
            Some(end) if u32::from(end) <= u32::from(sp) + 1 => base.max(end),
            _ => base,
        }
    }

    fn fault(&self, trap: Trap) -> Fault {
        // SLEEP is complete when it traps; every other instruction is not.
        let word = if trap.kind == FaultKind::Sleep { self.cpu.pc.wrapping_sub(1) } else { self.cpu.pc };
        let pc = u32::from(word) * 2;
        let place = self.symbols.locate(pc);
        let address = trap.address.unwrap_or(0);
        let message = match trap.kind {
            FaultKind::IllegalOpcode => {
                format!(
                    "0x{:04x} at {place} is no instruction of the {} core",
                    self.cpu.program.word(word),
                    self.core().id
                )
            }
            FaultKind::UnmappedAddress => format!("nothing answers at address 0x{address:04x}, wanted at {place}"),
            FaultKind::UnalignedAddress => format!("an unaligned access to 0x{address:04x} at {place}"),
            FaultKind::StackOverflow if address > u32::from(self.cpu.stack_ceiling) => {
                format!("the stack grew below address 0, to 0x{address:04x}, at {place}")
            }
            FaultKind::StackOverflow => format!(
                "the stack reached 0x{address:04x}, below 0x{:04x} where it must end, at {place}",
                self.cpu.stack_limit
            ),
            FaultKind::CycleBudget => format!("the cycle budget ran out at {place}"),
            FaultKind::BadReturn => {
                format!(
                    "the function returned with the stack pointer at 0x{:04x} instead of 0x{address:04x}",
                    self.cpu.sp
                )
            }
            FaultKind::Sleep => format!("the CPU sleeps at {place} and nothing would wake it"),
            FaultKind::WriteToFlash => format!("a store to flash at address 0x{address:04x}, at {place}"),
            FaultKind::StrayRead | FaultKind::StrayWrite => {
                let datum = self.symbols.locate_datum(DATA_SPACE + address, &format!("0x{address:04x}"));
                fence::sentence(trap.kind, &datum, &place)
            }
        };
        Fault { kind: trap.kind, message, pc, address: trap.address }
    }

    fn core(&self) -> &Core {
        self.cpu.program.core()
    }

    /// Runs to an end and settles the stack pointer.
    fn run_settled<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let exit = self.cpu.run(observer, cycle_limit);
        match (exit, self.cpu.settle_stack(observer)) {
            (Exit::Stop, Err(trap)) => Exit::Trap(trap),
            (exit, _) => exit,
        }
    }

    /// Runs what is set up to its end; `before` was spent before it.
    fn watch(&mut self, observe: Observe, cycle_limit: u64, before: Spent) -> Seen {
        let first_sp = u32::from(self.cpu.sp);
        let mut totals = Totals::default();
        match observe {
            Observe::Nothing => {
                let exit = self.run_settled(&mut Nothing, cycle_limit);
                Seen { exit, instructions: 0, lowest: first_sp, totals }
            }
            Observe::Stack => {
                let mut stack = StackPeak::new(first_sp);
                let exit = self.run_settled(&mut stack, cycle_limit);
                Seen { exit, instructions: stack.instructions + before.instructions, lowest: stack.lowest, totals }
            }
            Observe::Profile => {
                let mut profile = self.profile.take().unwrap_or_default();
                profile.start(first_sp);
                let exit = self.run_settled(&mut profile, cycle_limit);
                let lowest = profile.lowest;
                totals = profile.finish(&self.cpu.program, &self.symbols, 2, before);
                totals.mix[Class::Call as usize] += before.instructions;
                self.profile = Some(profile);
                Seen { exit, instructions: totals.mix.iter().sum(), lowest, totals }
            }
        }
    }

    fn forget_image(&mut self) {
        self.snapshot = None;
        self.cpu.bus.set_fence(None);
        self.cpu.program.erase();
        self.cpu.nvm.eeprom.fill(0xff);
        self.cpu.bus.set_bytes(&[0; SPACE_BYTES as usize]);
        self.symbols = Symbols::default();
    }

    fn reset(&mut self) {
        self.cpu.registers = [0; 32];
        self.cpu.sreg = 0;
        self.cpu.sp = self.stack_top;
        self.cpu.pc = 0;
    }

    fn code_word(&self, address: u32) -> Result<u16, Error> {
        if address % 2 != 0 || address as usize >= self.cpu.program.bytes().len() {
            return refuse(format!("0x{address:x} is no address of an instruction"));
        }
        Ok((address / 2) as u16)
    }

    /// Returns a flash word that no image uses, as the return address of a call.
    fn return_word(&self) -> Result<u16, Error> {
        let word = self.cpu.program.used_bytes().div_ceil(2);
        if word >= self.cpu.program.bytes().len() / 2 {
            return refuse("the image fills the flash: no word is left for a call to return to");
        }
        Ok(word as u16)
    }

    fn place_segment(&mut self, segment: &elf::Segment) -> Result<(), Error> {
        let data = &segment.data;
        let space_end = |base: u32| u64::from(base) + u64::from(SPACE_BYTES);
        let in_space = |address: u32, base: u32| address >= base && u64::from(address) < space_end(base);
        let (physical, virtual_address) = (segment.physical_address, segment.virtual_address);
        if in_space(virtual_address, EEPROM_SPACE) {
            return self.write(Space::Eeprom, virtual_address - EEPROM_SPACE, data);
        }
        if virtual_address >= space_end(EEPROM_SPACE) as u32 {
            // Fuses, lock bits and the like are settings of the programmer, not memory of the program.
            return Ok(());
        }
        if physical < DATA_SPACE {
            self.write(Space::Program, physical, data)?;
        }
        if !in_space(virtual_address, DATA_SPACE) {
            return Ok(());
        }
        let address = virtual_address - DATA_SPACE;
        let window =
            self.regions.iter().find(|region| region.kind == RegionKind::FlashWindow && region.contains(address));
        match window.map(|region| address - region.base) {
            Some(_) if physical < DATA_SPACE => Ok(()),
            Some(offset) => self.write(Space::Program, offset, data),
            // Initial values, so that a function can be called without running the image's start-up code.
            None => self.write(Space::Data, address, data),
        }
    }
}

impl Machine for Avr {
    fn load_elf(&mut self, image: &[u8]) -> Result<(), Error> {
        let image = elf::parse(image, EM_AVR, "AVR")?;
        self.forget_image();
        for segment in &image.segments {
            self.place_segment(segment)
                .map_err(|error| Error::Elf(format!("the image does not fit the chip: {error}")))?;
        }
        self.symbols = Symbols::new(image.symbols);
        self.reset();
        Ok(())
    }

    fn load_raw(&mut self, address: u32, image: &[u8]) -> Result<(), Error> {
        self.forget_image();
        let (space, place) = (self.space(address), self.address(address));
        self.write(space, place, image)
            .map_err(|error| Error::Elf(format!("the image does not fit the chip: {error}")))?;
        self.reset();
        Ok(())
    }

    fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    fn address(&self, linked_address: u32) -> u32 {
        if linked_address >= DATA_SPACE {
            linked_address % SPACE_BYTES
        } else {
            linked_address
        }
    }

    fn space(&self, linked_address: u32) -> Space {
        match linked_address {
            EEPROM_SPACE.. => Space::Eeprom,
            DATA_SPACE.. => Space::Data,
            _ => Space::Program,
        }
    }

    fn run_until(&mut self, address: u32, max_cycles: u64) -> Result<(), Error> {
        let word = self.code_word(address)?;
        self.reset();
        self.cpu.stack_limit = 0;
        self.cpu.stack_ceiling = u16::MAX;
        self.cpu.program.plant_stop(word);
        let limit = self.cpu.cycles.saturating_add(max_cycles);
        let exit = self.run_settled(&mut Nothing, limit);
        self.cpu.program.clear_stop();
        let trap = match exit {
            Exit::Stop => return Ok(()),
            Exit::Trap(trap) => trap,
            Exit::Limit => Trap::of(FaultKind::CycleBudget),
        };
        refuse(format!("the start-up code failed: {}", self.fault(trap).message))
    }

    fn run(&mut self, from: Option<u32>, to: u32, max_cycles: u64, observe: Observe) -> Result<CallResult, Error> {
        let first = from.map_or(Ok(0), |address| self.code_word(address))?;
        let last = self.code_word(to)?;
        self.reset();
        self.cpu.pc = first;
        self.cpu.stack_limit = 0;
        self.cpu.stack_ceiling = u16::MAX;
        self.cpu.program.plant_stop(last);
        let cycles_before = self.cpu.cycles;
        let first_sp = u32::from(self.cpu.sp);
        let limit = cycles_before.saturating_add(max_cycles);
        let Seen { exit, instructions, lowest, totals } = self.watch(observe, limit, Spent::default());
        self.cpu.program.clear_stop();
        let trap = match exit {
            Exit::Stop => None,
            Exit::Trap(trap) => Some(trap),
            Exit::Limit => Some(Trap::of(FaultKind::CycleBudget)),
        };
        Ok(CallResult {
            fault: trap.map(|trap| self.fault(trap)),
            cycles: self.cpu.cycles - cycles_before,
            instructions,
            stack_bytes: first_sp.saturating_sub(lowest),
            argument_bytes: 0,
            totals,
            return_value: abi::return_value(&self.cpu.registers),
            memory: None,
        })
    }

    fn disassembled(&self, address: u32) -> Option<(String, u32)> {
        let (text, words) = self.cpu.program.text(self.code_word(address).ok()?)?;
        Some((text, 2 * u32::from(words)))
    }

    fn read(&self, space: Space, address: u32, length: usize) -> Result<Vec<u8>, Error> {
        let memory = match space {
            Space::Program => self.cpu.program.bytes(),
            Space::Eeprom => &self.cpu.nvm.eeprom,
            Space::Data => {
                let addresses = data_addresses(address, length)?;
                let bytes = addresses.map(|address| {
                    self.cpu
                        .peek(address)
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
            Space::Program => self.cpu.program.bytes().len(),
            Space::Eeprom => self.cpu.nvm.eeprom.len(),
            Space::Data => {
                for (address, value) in data_addresses(address, data.len())?.zip(data) {
                    if !self.cpu.poke(address, *value) {
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
            Space::Program => {
                self.cpu.program.write(start, data);
            }
            _ => self.cpu.nvm.eeprom[start..end].copy_from_slice(data),
        }
        Ok(())
    }

    fn snapshot(&mut self) {
        self.snapshot = Some(Box::new(Snapshot {
            registers: self.cpu.registers,
            sreg: self.cpu.sreg,
            sp: self.cpu.sp,
            pc: self.cpu.pc,
            data: self.cpu.bus.bytes().to_vec(),
            nvm: self.cpu.nvm.clone(),
            flash: self.cpu.program.bytes().to_vec(),
            flash_revision: self.cpu.program.revision(),
        }));
    }

    fn restore(&mut self) -> Result<(), Error> {
        let Some(snapshot) = &mut self.snapshot else { return refuse("there is no snapshot to go back to") };
        self.cpu.registers = snapshot.registers;
        self.cpu.sreg = snapshot.sreg;
        self.cpu.sp = snapshot.sp;
        self.cpu.pc = snapshot.pc;
        self.cpu.bus.set_bytes(&snapshot.data);
        self.cpu.nvm.clone_from(&snapshot.nvm);
        if self.cpu.program.revision() != snapshot.flash_revision {
            let used_bytes = self.cpu.program.used_bytes().min(snapshot.flash.len());
            self.cpu.program.write(0, &snapshot.flash[..used_bytes]);
            snapshot.flash_revision = self.cpu.program.revision();
        }
        Ok(())
    }

    fn stack_pointer(&self) -> u32 {
        u32::from(self.cpu.sp)
    }

    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error> {
        let Ok(pointer) = u16::try_from(pointer) else {
            return refuse(format!("0x{pointer:x} is no address of the data space"));
        };
        self.cpu.sp = pointer;
        Ok(())
    }

    fn empty_stack(&self, end: u32) -> u32 {
        // It points at the first free byte.
        end.wrapping_sub(1)
    }

    fn least_result_bytes(&self) -> usize {
        2
    }

    fn fence(&mut self, permits: Option<&[Permit]>) -> Result<(), Error> {
        let fence = permits.map(Fence::new).transpose()?;
        self.cpu.bus.set_fence(fence.as_ref());
        Ok(())
    }

    fn call(
        &mut self,
        function: u32,
        arguments: &[Argument],
        max_cycles: u64,
        observe: Observe,
    ) -> Result<CallResult, Error> {
        if function % 2 != 0 || function as usize >= self.cpu.program.bytes().len() {
            return refuse(format!("0x{function:x} is no address of a function"));
        }
        let placement = abi::place(arguments)?;
        let return_word = self.return_word()?;
        let cycles_before = self.cpu.cycles;
        let caller_sp = self.cpu.sp;
        self.cpu.stack_limit = self.stack_limit();
        for (register, value) in placement.registers {
            self.cpu.registers[register] = value;
        }
        // The compiler's zero register.
        self.cpu.registers[1] = 0;
        let call_sp = caller_sp.wrapping_sub(placement.stack.len() as u16);
        self.write(Space::Data, u32::from(call_sp) + 1, &placement.stack)?;
        self.cpu.sp = call_sp;
        self.cpu.stack_ceiling = call_sp;
        self.cpu.pc = (function / 2) as u16;
        self.cpu.cycles += u64::from(self.core().call_cycles);
        let limit = cycles_before.saturating_add(max_cycles);
        self.cpu.program.plant_stop(return_word);
        let pushed = self.cpu.push_return(return_word);
        let call_spent = Spent { cycles: self.cpu.cycles - cycles_before, instructions: 1 };
        let seen = match pushed {
            Ok(()) => self.watch(observe, limit, call_spent),
            Err(trap) => {
                let lowest = u32::from(self.cpu.sp);
                Seen { exit: Exit::Trap(trap), instructions: 0, lowest, totals: Totals::default() }
            }
        };
        let Seen { exit, instructions, lowest, totals } = seen;
        let trap = match exit {
            Exit::Trap(trap) => Some(trap),
            Exit::Limit => Some(Trap::of(FaultKind::CycleBudget)),
            Exit::Stop if self.cpu.sp != call_sp => Some(Trap::at(FaultKind::BadReturn, call_sp)),
            Exit::Stop => None,
        };
        let fault = trap.map(|trap| self.fault(trap));
        self.cpu.stack_ceiling = u16::MAX;
        self.cpu.program.clear_stop();
        if fault.is_none() {
            self.cpu.sp = caller_sp;
        }
        Ok(CallResult {
            fault,
            cycles: self.cpu.cycles - cycles_before,
            instructions,
            stack_bytes: if observe == Observe::Nothing { 0 } else { u32::from(call_sp).saturating_sub(lowest) },
            argument_bytes: u32::from(caller_sp.wrapping_sub(call_sp)),
            totals,
            return_value: abi::return_value(&self.cpu.registers),
            memory: None,
        })
    }
}

fn data_addresses(address: u32, length: usize) -> Result<impl Iterator<Item = u16>, Error> {
    let end = u64::from(address) + length as u64;
    if end > u64::from(SPACE_BYTES) {
        return refuse(format!("{length} bytes at 0x{address:x} reach beyond the data space"));
    }
    Ok((u64::from(address)..end).map(|address| address as u16))
}
