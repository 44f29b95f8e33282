//! The state of an AVR, and the ways into its data space that are seldom taken.

use super::nvm::{Controllers, EepromAction, SpmAction};
use super::program::{Program, MAX_WORDS};
use crate::bus::{Attribute, Bus, FlatBus, RegionKind};
use crate::fault::{FaultKind, Trap};
use crate::observe::Observer;
use crate::profile::Profile;
use crate::value::{Held, HeldByte};

/// Cycles within which code that moves the stack pointer writes both halves. Compilers restore `SREG` in between to
/// keep interrupts out; the second `OUT` then follows two cycles after the first.
const STACK_PAIR_CYCLES: u64 = 4;

/// Registers of the CPU and its peripherals at addresses of the data space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    Sreg,
    StackLow,
    StackHigh,
    Rampz,
    Eecr,
    Spmcsr,
    Ccp,
    NvmCommand,
    NvmStatus,
}

/// A write to one half of the stack pointer; a write to the other half may follow.
#[derive(Debug, Clone, Copy)]
struct HalfStack {
    half: Claim,
    stack_pointer: u16,
    cycle: u64,
}

/// State of the processor and its memories.
pub struct Cpu<B: Held = u8> {
    pub registers: [B; 32],
    /// Status register.
    pub sreg: B,
    pub sp: u16,
    /// Program counter, a word address.
    pub pc: u16,
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    /// Lowest address the stack may use.
    pub stack_limit: u32,
    /// Highest address to which code may move the stack pointer: that of the caller. Only a stack that grew below
    /// address 0 gets beyond it.
    pub stack_ceiling: u16,
    pub bus: FlatBus,
    /// What is kept of the data space beside its bytes.
    pub beside: B::Beside,
    pub program: Program,
    pub nvm: Controllers,
    /// Flash word that no image uses, to which the next call returns.
    pub(super) return_word: u16,
    /// Memories to go back to.
    pub(super) snapshot: Option<Box<Snapshot>>,
    /// Profile of the last run; its memory is reused.
    pub(super) profile: Option<Profile<MAX_WORDS>>,
    claims: Vec<(u16, Claim)>,
    rampz_mask: u8,
    half_stack: Option<HalfStack>,
}

/// Memories besides the data space, at some time.
pub(super) struct Snapshot {
    pub nvm: Controllers,
    pub flash: Vec<u8>,
    pub flash_revision: u64,
}

impl<B: HeldByte> Cpu<B> {
    /// Creates a processor at reset and claims its registers on the bus.
    pub fn new(mut bus: FlatBus, program: Program, nvm: Controllers) -> Self {
        let address = program.core().address;
        let mut claims = vec![
            (address.sreg, Claim::Sreg),
            (address.sp, Claim::StackLow),
            (address.sp.wrapping_add(1), Claim::StackHigh),
        ];
        let options = &nvm.options;
        let optional = [
            (address.rampz, Claim::Rampz),
            (options.eecr, Claim::Eecr),
            (options.spmcsr, Claim::Spmcsr),
            (options.ccp, Claim::Ccp),
            (options.nvmctrl, Claim::NvmCommand),
            (options.nvmctrl.map(|base| base.wrapping_add(2)), Claim::NvmStatus),
        ];
        claims.extend(optional.iter().filter_map(|&(address, claim)| Some((address?, claim))));
        for &(address, _) in &claims {
            bus.claim(address);
        }
        if let Some(first) = address.registers {
            for register in 0..32 {
                bus.claim(first.wrapping_add(register));
            }
        }
        let rampz_mask = ((program.bytes().len().next_power_of_two() - 1) >> 16) as u8;
        Cpu {
            registers: [B::of(0); 32],
            sreg: B::of(0),
            sp: 0,
            pc: 0,
            cycles: 0,
            stack_limit: 0,
            stack_ceiling: u16::MAX,
            bus,
            beside: B::Beside::default(),
            program,
            nvm,
            return_word: 0,
            snapshot: None,
            profile: None,
            claims,
            rampz_mask,
            half_stack: None,
        }
    }

    /// Pushes a return address as a call instruction does, with its wait cycles.
    pub fn push_return(&mut self, return_to: u16) -> Result<(), Trap> {
        let [low, high] = return_to.to_le_bytes();
        let extended = self.program.core().address.eind.is_some();
        for byte in [low, high, 0].into_iter().take(if extended { 3 } else { 2 }) {
            if u32::from(self.sp) < self.stack_limit {
                return Err(Trap::at(FaultKind::StackOverflow, self.sp));
            }
            let access = self.bus.write(u32::from(self.sp), byte)?;
            self.cycles += u64::from(access.wait_cycles);
            self.sp = self.sp.wrapping_sub(1);
        }
        Ok(())
    }

    /// Accepts the last write to one half of the stack pointer as final.
    pub fn settle_stack<O: Observer>(&mut self, observer: &mut O) -> Result<(), Trap> {
        match self.half_stack.take() {
            Some(half) => self.settled(observer, half.stack_pointer),
            None => Ok(()),
        }
    }

    fn settled<O: Observer>(&self, observer: &mut O, stack_pointer: u16) -> Result<(), Trap> {
        observer.stack(u32::from(stack_pointer));
        if u32::from(stack_pointer) + 1 < self.stack_limit || stack_pointer > self.stack_ceiling {
            return Err(Trap::at(FaultKind::StackOverflow, stack_pointer));
        }
        Ok(())
    }

    /// Writes one half of the stack pointer. Between the writes of both halves the pointer may hold a meaningless
    /// address, so a half counts alone only if the other one does not follow at once.
    fn write_stack_half<O: Observer>(
        &mut self,
        observer: &mut O,
        half: Claim,
        value: u8,
        now: u64,
    ) -> Result<(), Trap> {
        let [low, high] = self.sp.to_le_bytes();
        self.sp = match half {
            Claim::StackLow => u16::from_le_bytes([value, high]),
            _ => u16::from_le_bytes([low, value]),
        };
        match self.half_stack.take() {
            Some(first) if first.half != half && now - first.cycle <= STACK_PAIR_CYCLES => {
                self.settled(observer, self.sp)
            }
            earlier => {
                self.half_stack = Some(HalfStack { half, stack_pointer: self.sp, cycle: now });
                match earlier {
                    Some(first) => self.settled(observer, first.stack_pointer),
                    None => Ok(()),
                }
            }
        }
    }

    fn claim(&self, address: u16) -> Option<Claim> {
        self.claims.iter().find(|(claimed, _)| *claimed == address).map(|(_, claim)| *claim)
    }

    fn register_at(&self, address: u16) -> Option<usize> {
        let index = address.wrapping_sub(self.program.core().address.registers?);
        (index < 32).then_some(usize::from(index))
    }

    /// Returns the offset into the region of this kind that holds the address, `None` if there is none.
    pub(super) fn window_offset(&self, address: u16, kind: RegionKind) -> Option<usize> {
        let region = self.bus.region(address).filter(|region| region.kind == kind)?;
        Some(usize::from(address) - region.base as usize)
    }

    /// Returns the byte at an address without side effects, as a debugger does; `None` where nothing is mapped.
    pub fn datum(&self, address: u16) -> Option<u8> {
        match self.bus.attribute(address) {
            Attribute::Unmapped => None,
            Attribute::FlashWindow => {
                let offset = self.window_offset(address, RegionKind::FlashWindow)?;
                self.program.byte(offset as u32)
            }
            Attribute::EepromWindow => {
                let offset = self.window_offset(address, RegionKind::Eeprom)?;
                self.nvm.eeprom.get(offset).copied()
            }
            Attribute::Claimed => Some(self.read_claimed(address, self.cycles).plain()),
            Attribute::Plain | Attribute::Waiting | Attribute::ReadOnly | Attribute::Fenced => {
                Some(self.bus.bytes()[usize::from(address)])
            }
        }
    }

    /// Changes the byte at an address as a debugger does; returns false where that is not possible.
    pub fn set_datum(&mut self, address: u16, value: u8) -> bool {
        match self.bus.attribute(address) {
            Attribute::Unmapped | Attribute::FlashWindow => return false,
            Attribute::EepromWindow => {
                let offset = self.window_offset(address, RegionKind::Eeprom);
                match offset.and_then(|offset| self.nvm.eeprom.get_mut(offset)) {
                    Some(cell) => *cell = value,
                    None => return false,
                }
            }
            Attribute::Claimed => {
                let [low, high] = self.sp.to_le_bytes();
                match (self.register_at(address), self.claim(address)) {
                    (Some(register), _) => self.registers[register] = B::of(value),
                    (_, Some(Claim::Sreg)) => self.sreg = B::of(value),
                    (_, Some(Claim::StackLow)) => self.sp = u16::from_le_bytes([value, high]),
                    (_, Some(Claim::StackHigh)) => self.sp = u16::from_le_bytes([low, value]),
                    (_, Some(Claim::Rampz)) => *self.bus.byte_mut(address) = value & self.rampz_mask,
                    _ => return false,
                }
            }
            Attribute::Plain | Attribute::Waiting | Attribute::ReadOnly | Attribute::Fenced => {
                *self.bus.byte_mut(address) = value;
            }
        }
        true
    }

    fn read_claimed(&self, address: u16, now: u64) -> B {
        if let Some(register) = self.register_at(address) {
            return self.registers[register];
        }
        let plain = match self.claim(address) {
            Some(Claim::Sreg) => return self.sreg,
            Some(Claim::StackLow) => self.sp.to_le_bytes()[0],
            Some(Claim::StackHigh) => self.sp.to_le_bytes()[1],
            Some(Claim::Eecr) => self.nvm.read_eecr(now),
            Some(Claim::Spmcsr) => self.nvm.read_spmcsr(now),
            Some(Claim::NvmStatus) => self.nvm.read_nvm_status(now),
            Some(Claim::Rampz | Claim::Ccp | Claim::NvmCommand) | None => return self.register_byte(Some(address)),
        };
        B::of(plain)
    }

    /// Loads what is not plain memory; returns the value and the cycles to wait.
    #[cold]
    #[inline(never)]
    pub(super) fn load_special(&mut self, address: u16, now: u64) -> Result<(B, u32), Trap> {
        match self.bus.attribute(address) {
            Attribute::Claimed => Ok((self.read_claimed(address, now), 0)),
            Attribute::FlashWindow | Attribute::EepromWindow => {
                let wait_cycles = self.bus.read(u32::from(address))?.wait_cycles;
                let window_read = u32::from(self.program.extra().window_read);
                match self.datum(address) {
                    Some(value) => Ok((B::of(value), wait_cycles + window_read)),
                    None => Err(Trap::at(FaultKind::UnmappedAddress, address)),
                }
            }
            Attribute::Plain | Attribute::Waiting | Attribute::ReadOnly | Attribute::Fenced | Attribute::Unmapped => {
                let access = self.bus.read(u32::from(address))?;
                Ok((B::loaded(access.value, &self.beside, address.into(), 1), access.wait_cycles))
            }
        }
    }

    /// Stores to what is not plain memory; returns the cycles to wait.
    #[cold]
    #[inline(never)]
    pub(super) fn store_special<O: Observer>(
        &mut self,
        observer: &mut O,
        address: u16,
        value: B,
        now: u64,
    ) -> Result<u32, Trap> {
        match self.bus.attribute(address) {
            Attribute::Claimed => self.write_claimed(observer, address, value, now),
            Attribute::EepromWindow => {
                let access = self.bus.write(u32::from(address), value.plain())?;
                if let Some(offset) = self.window_offset(address, RegionKind::Eeprom) {
                    self.nvm.write_window(offset, value.plain());
                }
                Ok(access.wait_cycles)
            }
            Attribute::Plain
            | Attribute::Waiting
            | Attribute::ReadOnly
            | Attribute::Fenced
            | Attribute::FlashWindow
            | Attribute::Unmapped => {
                let access = self.bus.write(u32::from(address), value.plain())?;
                value.stored(&mut self.beside, address.into(), 1);
                Ok(access.wait_cycles)
            }
        }
    }

    fn write_claimed<O: Observer>(&mut self, observer: &mut O, address: u16, value: B, now: u64) -> Result<u32, Trap> {
        if let Some(register) = self.register_at(address) {
            self.registers[register] = value;
            return Ok(0);
        }
        let plain = value.plain();
        match self.claim(address) {
            Some(Claim::Sreg) => self.sreg = value,
            Some(half @ (Claim::StackLow | Claim::StackHigh)) => {
                self.write_stack_half(observer, half, plain, now)?;
            }
            Some(Claim::Rampz) => self.store_rampz(address, value),
            Some(Claim::Eecr) => return Ok(self.command_eeprom(plain, now)),
            Some(Claim::Spmcsr) => self.nvm.write_spmcsr(plain, now),
            Some(Claim::Ccp) => self.nvm.write_ccp(plain, now),
            Some(Claim::NvmCommand) => {
                *self.bus.byte_mut(address) = plain & 7;
                self.nvm.write_nvm_command(plain, now);
            }
            Some(Claim::NvmStatus) | None => {}
        }
        Ok(0)
    }

    /// Executes a write to EECR; returns the cycles for which the CPU halts.
    fn command_eeprom(&mut self, value: u8, now: u64) -> u32 {
        let extra = self.program.extra();
        let (Some(eedr), Some(eear)) = (self.nvm.options.eedr, self.nvm.options.eear) else { return 0 };
        let bytes = self.bus.bytes();
        let address = u16::from_le_bytes([bytes[usize::from(eear)], bytes[usize::from(eear.wrapping_add(1))]]);
        match self.nvm.write_eecr(value, now) {
            EepromAction::None => 0,
            EepromAction::Read => {
                *self.bus.byte_mut(eedr) = self.nvm.eeprom_byte(address);
                u32::from(extra.eeprom_read)
            }
            EepromAction::Write(mode) => {
                let data = bytes[usize::from(eedr)];
                self.nvm.program_eeprom(address, data, mode);
                u32::from(extra.eeprom_write)
            }
        }
    }

    /// Returns the byte of a register that lies among the bytes of the data space, 0 if the core lacks it.
    fn register_byte(&self, address: Option<u16>) -> B {
        address.map_or(B::of(0), |address| {
            B::loaded(self.bus.bytes()[usize::from(address)], &self.beside, address.into(), 1)
        })
    }

    /// Returns the bits that `elpm` puts above the pointer Z.
    pub(super) fn rampz(&self) -> B {
        self.register_byte(self.program.core().address.rampz).and(B::of(self.rampz_mask))
    }

    /// Returns the bits that `eijmp` and `eicall` put above the pointer Z.
    pub(super) fn eind(&self) -> B {
        self.register_byte(self.program.core().address.eind)
    }

    /// Whether half of the stack pointer lies at an address.
    pub(super) fn is_stack_pointer(&self, address: u16) -> bool {
        matches!(self.claim(address), Some(Claim::StackLow | Claim::StackHigh))
    }

    /// Returns the pointer Z with RAMPZ above it.
    pub(super) fn extended_z(&self) -> u32 {
        u32::from_le_bytes([self.registers[30].plain(), self.registers[31].plain(), self.rampz().plain(), 0])
    }

    /// Sets RAMPZ to what lies above 16 bits of an address that was made from these.
    pub(super) fn set_rampz(&mut self, address: u32, from: &[B]) {
        if let Some(rampz) = self.program.core().address.rampz {
            self.store_rampz(rampz, B::computed((address >> 16) as u8, from));
        }
    }

    fn store_rampz(&mut self, address: u16, value: B) {
        *self.bus.byte_mut(address) = value.plain() & self.rampz_mask;
        value.stored(&mut self.beside, address.into(), 1);
    }

    #[cold]
    #[inline(never)]
    pub(super) fn store_program<O: Observer>(&mut self, observer: &mut O, next: u16, now: u64) {
        if self.nvm.options.spmcsr.is_none() {
            return;
        }
        let address = self.extended_z();
        let word = u16::from_le_bytes([self.registers[0].plain(), self.registers[1].plain()]);
        let action = self.nvm.spm(address, word, now);
        let start = self.nvm.page_start(address);
        let length = self.nvm.options.spm_page_bytes as usize;
        let Some(old) = self.program.bytes().get(start..start + length) else { return };
        let new: Vec<u8> = match action {
            SpmAction::None | SpmAction::Fill => return,
            SpmAction::Erase => vec![0xff; length],
            // Programming can but clear bits: a page is erased first.
            SpmAction::Write => old.iter().zip(self.nvm.take_page()).map(|(old, new)| old & new).collect(),
        };
        observer.ended(u32::from(next));
        observer.program_changes(&self.program);
        observer.began(u32::from(next));
        self.program.write(start, &new);
    }
}
