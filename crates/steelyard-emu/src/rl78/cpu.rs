//! The state of an RL78 processor, and the ways into its memory that are seldom taken.

use super::decode::{decode, Decoded, SP};
use super::exec::{bank_of, flags_of, status, Byte, Flags, HeldByte, Pair, PSW_REST};
use super::memory::{Attribute, Memory, SPACE_BYTES};
use super::pipeline::reading;
use super::program::{Program, Window};
use super::timing::{Core, Multiplier};
use super::unit::{self, Unit};
use crate::fault::{FaultKind, Trap};
use crate::processor::Instructions;
use crate::value::{Held, Value};

/// Return address of a call from outside; no memory lies there.
pub const RETURN_ADDRESS: u32 = 0xe_fff0;
/// Address of the registers of bank 0; each further bank lies eight bytes lower.
const BANK_0: u32 = 0xf_fef8;
const BANK_BYTES: u32 = 8;
/// First address of the CPU's own registers.
const CPU_REGISTERS: u32 = 0xf_fff8;
pub(super) const SP_LOW: u32 = 0xf_fff8;
const SP_HIGH: u32 = 0xf_fff9;
const PSW: u32 = 0xf_fffa;
const CS: u32 = 0xf_fffc;
const ES: u32 = 0xf_fffd;
const PMC: u32 = 0xf_fffe;

/// Registers and flags.
#[derive(Debug, Clone)]
pub struct Registers<B: Byte> {
    /// Register pairs of the current bank, the stack pointer, and zeros.
    pub pairs: [Pair<B>; 8],
    pub zero: B::Truth,
    pub carry: B::Truth,
    pub auxiliary_carry: B::Truth,
    /// Number of the current bank.
    pub bank: u8,
    /// Bits of PSW without a field of their own.
    pub rest: u8,
    pub es: B,
    pub cs: B,
    pub pmc: B,
    pub pc: u32,
}

impl<B: Byte> Registers<B> {
    fn new() -> Self {
        let Flags { zero, carry, auxiliary_carry } = flags_of(B::of(0));
        Registers {
            pairs: [Pair::<B>::of(0); 8],
            zero,
            carry,
            auxiliary_carry,
            bank: 0,
            rest: 0,
            es: B::of(0),
            cs: B::of(0),
            pmc: B::of(0),
            pc: 0,
        }
    }

    /// Returns a byte register.
    #[inline(always)]
    pub fn byte(&self, number: u8) -> B {
        let pair = self.pairs[usize::from(number >> 1 & 7)];
        B::low_half(pair.shr(Pair::<B>::of(8 * u16::from(number & 1))))
    }

    /// Writes a byte register.
    #[inline(always)]
    pub fn set_byte(&mut self, number: u8, value: B) {
        let pair = &mut self.pairs[usize::from(number >> 1 & 7)];
        let shift = 8 * u16::from(number & 1);
        *pair = pair.and(Pair::<B>::of(!(0xff << shift))).or(value.wide().shl(Pair::<B>::of(shift)));
    }

    #[inline(always)]
    pub fn pair(&self, number: u8) -> Pair<B> {
        self.pairs[usize::from(number & 7)]
    }

    #[inline(always)]
    pub fn set_pair(&mut self, number: u8, value: Pair<B>) {
        self.pairs[usize::from(number & 7)] = value;
    }

    #[inline(always)]
    pub fn flags(&self) -> Flags<B::Truth> {
        Flags { zero: self.zero, carry: self.carry, auxiliary_carry: self.auxiliary_carry }
    }

    #[inline(always)]
    pub fn set_flags(&mut self, flags: Flags<B::Truth>) {
        (self.zero, self.carry, self.auxiliary_carry) = (flags.zero, flags.carry, flags.auxiliary_carry);
    }
}

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu<B: HeldByte = u8> {
    pub registers: Registers<B>,
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    pub(super) stack_limit: u32,
    pub memory: Memory,
    /// What is kept of memory beside its bytes.
    pub beside: B::Beside,
    pub(super) program: Program,
    pub core: Core,
    pub(super) unit: Unit<B>,
}

/// Outcome of an access outside plain memory: the value and the clocks added.
pub(super) type Slow<T> = Result<(T, u32), Trap>;

impl<B: HeldByte> Cpu<B> {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory) -> Self {
        let mut cpu = Cpu {
            registers: Registers::new(),
            cycles: 0,
            stack_limit: 0,
            memory,
            beside: B::Beside::default(),
            program: Program::default(),
            core,
            unit: Unit::default(),
        };
        cpu.claim();
        cpu
    }

    /// Claims the addresses that are registers rather than storage.
    fn claim(&mut self) {
        let bank = self.bank_address();
        let mut claimed = vec![bank, CPU_REGISTERS];
        if self.core.multiplier == Multiplier::Unit {
            claimed.extend([unit::ACCUMULATOR, unit::CONTROL, unit::OPERANDS]);
        }
        for address in claimed {
            self.memory.claim(address, Attribute::Claimed);
        }
    }

    fn bank_address(&self) -> u32 {
        BANK_0 - BANK_BYTES * u32::from(self.registers.bank)
    }

    /// Writes the current bank's registers to their memory.
    pub(super) fn store_bank(&mut self) {
        let bank = self.bank_address();
        for (address, pair) in (bank..).step_by(2).zip(&self.registers.pairs[..4]) {
            self.memory.set_word(address, pair.plain());
            pair.stored(&mut self.beside, address, 2);
        }
    }

    fn load_bank(&mut self) {
        let bank = self.bank_address();
        for (address, pair) in (bank..).step_by(2).zip(&mut self.registers.pairs[..4]) {
            *pair = Pair::<B>::loaded(self.memory.word(address), &self.beside, address, 2);
        }
    }

    pub(super) fn select_bank(&mut self, bank: u8) {
        if bank == self.registers.bank || !self.core.banks {
            return;
        }
        self.store_bank();
        self.memory.release(self.bank_address());
        self.registers.bank = bank;
        self.memory.claim(self.bank_address(), Attribute::Claimed);
        self.load_bank();
    }

    /// Returns the program status word.
    pub fn psw(&self) -> B {
        status(&self.registers.flags(), self.registers.bank, self.registers.rest)
    }

    /// Writes the program status word, which may change the register bank.
    pub fn set_psw(&mut self, psw: B) {
        self.registers.rest = psw.plain() & PSW_REST;
        self.registers.set_flags(flags_of(psw));
        self.select_bank(bank_of(psw.plain()));
    }

    pub(super) fn claimed_byte(&self, address: u32) -> B {
        let registers = &self.registers;
        let bank = self.bank_address();
        if (bank..bank + BANK_BYTES).contains(&address) {
            return registers.byte((address - bank) as u8);
        }
        match address {
            SP_LOW => B::low_half(registers.pair(SP)),
            SP_HIGH => B::high_half(registers.pair(SP)),
            PSW => self.psw(),
            CS => registers.cs,
            ES => registers.es,
            PMC => registers.pmc,
            _ if self.is_unit(address) => self.unit.peek(address),
            _ => self.stored_byte(address),
        }
    }

    /// Returns a byte of storage.
    fn stored_byte(&self, address: u32) -> B {
        B::loaded(self.memory.byte(address), &self.beside, address, 1)
    }

    fn store_byte(&mut self, address: u32, value: B) {
        self.memory.set_byte(address, value.plain());
        value.stored(&mut self.beside, address, 1);
    }

    pub(super) fn set_claimed_byte(&mut self, address: u32, value: B, now: u64) {
        let bank = self.bank_address();
        if (bank..bank + BANK_BYTES).contains(&address) {
            self.registers.set_byte((address - bank) as u8, value);
            return;
        }
        match address {
            // It is always even.
            SP_LOW => self.registers.set_byte(2 * SP, value.and(B::of(0xfe))),
            SP_HIGH => self.registers.set_byte(2 * SP + 1, value),
            PSW => self.set_psw(value),
            CS => self.registers.cs = value.and(B::of(0x0f)),
            ES => self.registers.es = value.and(B::of(0x0f)),
            PMC => self.registers.pmc = value,
            _ if self.is_unit(address) => self.unit.write(address, value, now, &self.core.unit),
            _ => self.store_byte(address, value),
        }
    }

    /// Returns a byte that is not in plain memory, and the clocks that reading it adds.
    #[inline(never)]
    pub(super) fn load_slow(&mut self, address: u32, now: u64) -> Slow<B> {
        let attribute = self.memory.attribute(address);
        let value = match attribute {
            Attribute::Fenced | Attribute::FencedCode => {
                self.memory.check(address, false)?;
                self.stored_byte(address)
            }
            Attribute::Plain | Attribute::Code | Attribute::Mirror | Attribute::Flash => self.stored_byte(address),
            Attribute::Claimed if self.is_unit(address) => self.unit.read(address, now),
            Attribute::Claimed => self.claimed_byte(address),
            Attribute::Unmapped => return Err(Trap::at(FaultKind::UnmappedAddress, address)),
        };
        Ok((value, reading(&self.core.clocks, attribute)))
    }

    fn is_unit(&self, address: u32) -> bool {
        self.core.multiplier == Multiplier::Unit
            && (address & !7 == unit::OPERANDS || (unit::ACCUMULATOR..=unit::CONTROL).contains(&address))
    }

    #[inline(never)]
    pub(super) fn load_word_slow(&mut self, address: u32, now: u64) -> Slow<Pair<B>> {
        if address & 1 == 1 {
            return Err(Trap::at(FaultKind::UnalignedAddress, address));
        }
        let (low, clocks) = self.load_slow(address, now)?;
        let (high, _) = self.load_slow(address | 1, now)?;
        Ok((B::joined(high, low), clocks))
    }

    #[inline(never)]
    pub(super) fn store_slow(&mut self, address: u32, value: B, now: u64) -> Result<(), Trap> {
        let attribute = self.memory.attribute(address);
        match attribute {
            Attribute::Claimed => {
                self.set_claimed_byte(address, value, now);
                return Ok(());
            }
            Attribute::Flash | Attribute::Mirror => return Err(Trap::at(FaultKind::WriteToFlash, address)),
            Attribute::Unmapped => return Err(Trap::at(FaultKind::UnmappedAddress, address)),
            Attribute::Fenced | Attribute::FencedCode => self.memory.check(address, true)?,
            Attribute::Plain | Attribute::Code => {}
        }
        self.store_byte(address, value);
        if matches!(attribute, Attribute::Code | Attribute::FencedCode) {
            self.program.forget(address, 1);
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn store_word_slow(&mut self, address: u32, value: Pair<B>, now: u64) -> Result<(), Trap> {
        if address & 1 == 1 {
            return Err(Trap::at(FaultKind::UnalignedAddress, address));
        }
        self.store_slow(address, B::low_half(value), now)?;
        self.store_slow(address | 1, B::high_half(value), now)
    }

    /// Whether an instruction can lie at the address.
    pub(super) fn holds_code(&self, address: u32) -> bool {
        address < SPACE_BYTES as u32
            && !matches!(self.memory.attribute(address), Attribute::Claimed | Attribute::Mirror | Attribute::Unmapped)
    }

    /// Returns the code window of a jump target, or `None` if the target is the return address of the call.
    #[inline(never)]
    pub(super) fn enter(&mut self, address: u32) -> Result<Option<Window>, Trap> {
        if address == RETURN_ADDRESS {
            return Ok(None);
        }
        if !self.holds_code(address) {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        Ok(Some(self.program.window(address)))
    }

    /// Decodes and keeps the instruction at a place.
    #[inline(never)]
    pub(super) fn decode(&mut self, address: u32, place: u32) -> Result<Decoded, Trap> {
        let (bytes, there) = self.memory.code(address);
        if there == 0 {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        let decoded = decode(&bytes, address, &self.core);
        if usize::from(decoded.length) > there {
            return Err(Trap::at(FaultKind::UnmappedAddress, address + there as u32));
        }
        self.memory.mark_code(address, u32::from(decoded.length));
        self.program.ops[place as usize] = decoded;
        Ok(decoded)
    }
}
