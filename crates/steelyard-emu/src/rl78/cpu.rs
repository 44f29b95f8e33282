//! The RL78 processor: registers, semantics and clocks of every instruction.

use super::abi;
use super::decode::{
    decode, row_of, text, Decoded, Op, A, ADD, ADDC, AND, AND_BIT, AX, BC, CLEAR, CMP, DE, FROM_CARRY, HL, IF_C,
    IF_CLEAR, IF_H, IF_NC, IF_NZ, IF_SET_CLEAR_IT, IF_Z, OR, OR_BIT, SET, SP, SUB, SUBC, TAKE, X,
};
use super::memory::{Attribute, Memory, ADDRESS_MASK, NEAR, SPACE_BYTES};
use super::program::{Program, Window};
use super::timing::{Core, Multiplier};
use super::unit::{self, Unit};
use crate::error::{refuse, Error};
use crate::fault::{FaultKind, Trap};
use crate::fence::Fence;
use crate::machine::Argument;
use crate::observe::Observer;
use crate::processor::{Executed, Exit, Processor};
use object::elf;

/// Return address of a call from outside; no memory lies there.
pub const RETURN_ADDRESS: u32 = 0xe_fff0;
/// Address of the registers of bank 0; each further bank lies eight bytes lower.
const BANK_0: u32 = 0xf_fef8;
const BANK_BYTES: u32 = 8;
/// First address of the CPU's own registers.
const CPU_REGISTERS: u32 = 0xf_fff8;
const SP_LOW: u32 = 0xf_fff8;
const SP_HIGH: u32 = 0xf_fff9;
const PSW: u32 = 0xf_fffa;
const CS: u32 = 0xf_fffc;
const ES: u32 = 0xf_fffd;
const PMC: u32 = 0xf_fffe;
/// Address of the vector that `brk` uses.
const BREAK_VECTOR: u32 = 0x7e;
/// Address of the accumulator on a core with multiplication instructions.
const ACCUMULATOR: u32 = 0xf_fff0;

/// Bits of PSW.
const PSW_Z: u8 = 0x40;
const PSW_RBS1: u8 = 0x20;
const PSW_AC: u8 = 0x10;
const PSW_RBS0: u8 = 0x08;
const PSW_CY: u8 = 0x01;
/// Bits of PSW for the interrupt enable and the priority in service.
const PSW_REST: u8 = 0x86;
const PSW_IE: u8 = 0x80;

/// Registers and flags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registers {
    /// Register pairs of the current bank, the stack pointer, and zeros.
    pub pairs: [u16; 8],
    pub zero: bool,
    pub carry: bool,
    pub auxiliary_carry: bool,
    /// Number of the current bank.
    pub bank: u8,
    /// Bits of PSW without a field of their own.
    pub rest: u8,
    pub es: u8,
    pub cs: u8,
    pub pmc: u8,
    pub pc: u32,
}

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu {
    pub registers: Registers,
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    stack_limit: u32,
    pub memory: Memory,
    program: Program,
    pub core: Core,
    unit: Unit,
    unit_snapshot: Option<Unit>,
}

/// Outcome of an access outside plain memory: the value and the clocks added.
type Slow<T> = Result<(T, u32), Trap>;

impl Cpu {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory) -> Self {
        let mut cpu = Cpu {
            registers: Registers {
                pairs: [0; 8],
                zero: false,
                carry: false,
                auxiliary_carry: false,
                bank: 0,
                rest: 0,
                es: 0,
                cs: 0,
                pmc: 0,
                pc: 0,
            },
            cycles: 0,
            stack_limit: 0,
            memory,
            program: Program::default(),
            core,
            unit: Unit::default(),
            unit_snapshot: None,
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
    fn store_bank(&mut self) {
        let address = self.bank_address();
        for pair in 0..4 {
            self.memory.set_word(address + 2 * pair, self.registers.pairs[pair as usize]);
        }
    }

    fn load_bank(&mut self) {
        let address = self.bank_address();
        for pair in 0..4 {
            self.registers.pairs[pair as usize] = self.memory.word(address + 2 * pair);
        }
    }

    fn select_bank(&mut self, bank: u8) {
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
    pub fn psw(&self) -> u8 {
        let registers = &self.registers;
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        registers.rest
            | flag(registers.zero, PSW_Z)
            | flag(registers.bank & 2 != 0, PSW_RBS1)
            | flag(registers.auxiliary_carry, PSW_AC)
            | flag(registers.bank & 1 != 0, PSW_RBS0)
            | flag(registers.carry, PSW_CY)
    }

    /// Writes the program status word, which may change the register bank.
    pub fn set_psw(&mut self, psw: u8) {
        self.registers.rest = psw & PSW_REST;
        self.registers.zero = psw & PSW_Z != 0;
        self.registers.auxiliary_carry = psw & PSW_AC != 0;
        self.registers.carry = psw & PSW_CY != 0;
        self.select_bank(psw >> 4 & 2 | psw >> 3 & 1);
    }

    fn claimed_byte(&self, address: u32) -> u8 {
        let registers = &self.registers;
        let bank = self.bank_address();
        if (bank..bank + BANK_BYTES).contains(&address) {
            let place = address - bank;
            return registers.pairs[(place / 2) as usize].to_le_bytes()[(place % 2) as usize];
        }
        match address {
            SP_LOW => registers.pairs[usize::from(SP)] as u8,
            SP_HIGH => (registers.pairs[usize::from(SP)] >> 8) as u8,
            PSW => self.psw(),
            CS => registers.cs,
            ES => registers.es,
            PMC => registers.pmc,
            _ if self.is_unit(address) => self.unit.peek(address),
            _ => self.memory.byte(address),
        }
    }

    fn set_claimed_byte(&mut self, address: u32, value: u8, now: u64) {
        let bank = self.bank_address();
        if (bank..bank + BANK_BYTES).contains(&address) {
            let place = address - bank;
            let pair = &mut self.registers.pairs[(place / 2) as usize];
            let mut bytes = pair.to_le_bytes();
            bytes[(place % 2) as usize] = value;
            *pair = u16::from_le_bytes(bytes);
            return;
        }
        let stack_pointer = &mut self.registers.pairs[usize::from(SP)];
        match address {
            // It is always even.
            SP_LOW => *stack_pointer = *stack_pointer & 0xff00 | u16::from(value & 0xfe),
            SP_HIGH => *stack_pointer = *stack_pointer & 0x00ff | u16::from(value) << 8,
            PSW => self.set_psw(value),
            CS => self.registers.cs = value & 0x0f,
            ES => self.registers.es = value & 0x0f,
            PMC => self.registers.pmc = value,
            _ if self.is_unit(address) => self.unit.write(address, value, now, &self.core.unit),
            _ => self.memory.set_byte(address, value),
        }
    }

    /// Returns a byte that is not in plain memory, and the clocks that reading it adds.
    #[inline(never)]
    fn load_slow(&mut self, address: u32, now: u64) -> Slow<u8> {
        match self.memory.attribute(address) {
            Attribute::Plain | Attribute::Code => Ok((self.memory.byte(address), 0)),
            Attribute::Fenced | Attribute::FencedCode => {
                self.memory.check(address, false)?;
                Ok((self.memory.byte(address), 0))
            }
            Attribute::Mirror => Ok((self.memory.byte(address), u32::from(self.core.clocks.mirror_read))),
            Attribute::Flash => Ok((self.memory.byte(address), u32::from(self.core.clocks.flash_read))),
            Attribute::Claimed if self.is_unit(address) => Ok((self.unit.read(address, now), 0)),
            Attribute::Claimed => Ok((self.claimed_byte(address), 0)),
            Attribute::Unmapped => Err(Trap::at(FaultKind::UnmappedAddress, address)),
        }
    }

    fn is_unit(&self, address: u32) -> bool {
        self.core.multiplier == Multiplier::Unit
            && (address & !7 == unit::OPERANDS || (unit::ACCUMULATOR..=unit::CONTROL).contains(&address))
    }

    #[inline(never)]
    fn load_word_slow(&mut self, address: u32, now: u64) -> Slow<u16> {
        if address & 1 == 1 {
            return Err(Trap::at(FaultKind::UnalignedAddress, address));
        }
        let (low, clocks) = self.load_slow(address, now)?;
        let (high, _) = self.load_slow(address | 1, now)?;
        Ok((u16::from_le_bytes([low, high]), clocks))
    }

    #[inline(never)]
    fn store_slow(&mut self, address: u32, value: u8, now: u64) -> Result<(), Trap> {
        match self.memory.attribute(address) {
            Attribute::Plain => self.memory.set_byte(address, value),
            Attribute::Code => {
                self.memory.set_byte(address, value);
                self.program.forget(address, 1);
            }
            fenced @ (Attribute::Fenced | Attribute::FencedCode) => {
                self.memory.check(address, true)?;
                self.memory.set_byte(address, value);
                if fenced == Attribute::FencedCode {
                    self.program.forget(address, 1);
                }
            }
            Attribute::Claimed => self.set_claimed_byte(address, value, now),
            Attribute::Flash | Attribute::Mirror => return Err(Trap::at(FaultKind::WriteToFlash, address)),
            Attribute::Unmapped => return Err(Trap::at(FaultKind::UnmappedAddress, address)),
        }
        Ok(())
    }

    #[inline(never)]
    fn store_word_slow(&mut self, address: u32, value: u16, now: u64) -> Result<(), Trap> {
        if address & 1 == 1 {
            return Err(Trap::at(FaultKind::UnalignedAddress, address));
        }
        let [low, high] = value.to_le_bytes();
        self.store_slow(address, low, now)?;
        self.store_slow(address | 1, high, now)
    }

    /// Returns the code window of a jump target, or `None` if the target is the return address of the call.
    #[inline(never)]
    fn enter(&mut self, address: u32) -> Result<Option<Window>, Trap> {
        if address == RETURN_ADDRESS {
            return Ok(None);
        }
        if !self.is_code(address) {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        Ok(Some(self.program.window(address)))
    }

    /// Decodes and keeps the instruction at a place.
    #[inline(never)]
    fn decode(&mut self, address: u32, place: u32) -> Result<Decoded, Trap> {
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

#[inline(always)]
fn holds(condition: u8, registers: &Registers) -> bool {
    match condition {
        IF_C => registers.carry,
        IF_NC => !registers.carry,
        IF_Z => registers.zero,
        IF_NZ => !registers.zero,
        IF_H => !(registers.zero | registers.carry),
        _ => registers.zero | registers.carry,
    }
}

impl Registers {
    /// Returns a byte register.
    #[inline(always)]
    pub fn byte(&self, number: u8) -> u8 {
        (self.pairs[usize::from(number >> 1 & 7)] >> (8 * (number & 1))) as u8
    }

    /// Writes a byte register.
    #[inline(always)]
    pub fn set_byte(&mut self, number: u8, value: u8) {
        let pair = &mut self.pairs[usize::from(number >> 1 & 7)];
        let shift = 8 * (number & 1);
        *pair = *pair & !(0xff << shift) | u16::from(value) << shift;
    }

    #[inline(always)]
    fn pair(&self, number: u8) -> u16 {
        self.pairs[usize::from(number & 7)]
    }

    #[inline(always)]
    fn set_pair(&mut self, number: u8, value: u16) {
        self.pairs[usize::from(number & 7)] = value;
    }

    /// Computes an operation on two bytes and its flags; a caller discards the result of a comparison.
    #[inline(always)]
    fn alu(&mut self, operation: u8, left: u8, right: u8) -> u8 {
        let (a, b) = (u32::from(left), u32::from(right));
        let carry = u32::from(self.carry);
        let wide = match operation {
            ADD => a + b,
            ADDC => a + b + carry,
            SUB | CMP => a.wrapping_sub(b),
            SUBC => a.wrapping_sub(b).wrapping_sub(carry),
            AND => a & b,
            OR => a | b,
            _ => a ^ b,
        };
        let result = wide as u8;
        self.zero = result == 0;
        if operation < AND {
            self.carry = wide & 0x100 != 0;
            self.auxiliary_carry = (a ^ b ^ wide) & 0x10 != 0;
        }
        result
    }

    #[inline(always)]
    fn alu_word(&mut self, operation: u8, left: u16, right: u16) -> u16 {
        let (a, b) = (u32::from(left), u32::from(right));
        let wide = if operation == ADD { a + b } else { a.wrapping_sub(b) };
        let result = wide as u16;
        self.zero = result == 0;
        self.carry = wide & 0x1_0000 != 0;
        self.auxiliary_carry = (a ^ b ^ wide) & 0x100 != 0;
        result
    }

    #[inline(always)]
    fn step(&mut self, value: u8, step: u8) -> u8 {
        let result = value.wrapping_add(step);
        self.zero = result == 0;
        // A carry from, or a borrow for, the lower half.
        self.auxiliary_carry = result & 0x0f == if step == 1 { 0 } else { 0x0f };
        result
    }

    fn bc_ax(&self) -> u32 {
        u32::from(self.pair(BC)) << 16 | u32::from(self.pair(AX))
    }

    fn set_bc_ax(&mut self, value: u32) {
        self.set_pair(AX, value as u16);
        self.set_pair(BC, (value >> 16) as u16);
    }
}

impl Processor for Cpu {
    type Registers = Registers;

    const ELF_MACHINE: elf::Machine = elf::EM_RL78;
    const NAME: &'static str = "RL78";
    const ADDRESS_DIGITS: usize = 5;
    const STACK_ALIGNMENT: u32 = 2;

    fn reset(&mut self, stack_pointer: u32) {
        self.set_psw(0x06);
        self.registers.pairs = [0; 8];
        self.registers.pairs[usize::from(SP)] = stack_pointer as u16;
        self.registers.es = 0x0f;
        self.registers.cs = 0;
        self.registers.pmc = 0;
        self.unit = Unit::default();
    }

    fn registers(&self) -> Registers {
        self.registers.clone()
    }

    fn set_registers(&mut self, registers: &Registers) {
        self.select_bank(registers.bank);
        self.registers = registers.clone();
    }

    fn stack_pointer(&self) -> u32 {
        NEAR | u32::from(self.registers.pair(SP))
    }

    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error> {
        if pointer & !0xffff != NEAR || pointer & 1 == 1 {
            return refuse(format!(
                "the stack pointer of an RL78 is even and from 0x{NEAR:05x} on, not 0x{pointer:05x}"
            ));
        }
        self.registers.set_pair(SP, pointer as u16);
        Ok(())
    }

    fn set_stack_limit(&mut self, address: u32) {
        self.stack_limit = address;
    }

    fn stack_limit(&self) -> u32 {
        self.stack_limit
    }

    fn pc(&self) -> u32 {
        self.registers.pc
    }

    fn set_pc(&mut self, address: u32) {
        self.registers.pc = address;
    }

    fn is_code(&self, address: u32) -> bool {
        address < SPACE_BYTES as u32
            && !matches!(self.memory.attribute(address), Attribute::Claimed | Attribute::Mirror | Attribute::Unmapped)
    }

    fn cycles(&self) -> u64 {
        self.cycles
    }

    fn erase(&mut self) {
        self.memory.forget_code();
        self.memory.erase();
        self.program.clear();
    }

    fn peek(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        if !self.memory.holds(address, length) {
            return None;
        }
        let bytes = (address..address + length as u32).map(|next| match self.memory.attribute(next) {
            Attribute::Claimed => self.claimed_byte(next),
            _ => self.memory.byte(next),
        });
        Some(bytes.collect())
    }

    fn poke(&mut self, address: u32, data: &[u8]) -> bool {
        if !self.memory.holds(address, data.len()) {
            return false;
        }
        for (offset, &value) in data.iter().enumerate() {
            let next = address + offset as u32;
            if self.memory.attribute(next) == Attribute::Claimed {
                self.set_claimed_byte(next, value, self.cycles);
            } else {
                self.memory.poke(next, &[value]);
            }
        }
        self.program.forget(address, data.len());
        if !data.is_empty() && self.memory.attribute(address) == Attribute::Mirror {
            self.program.forget(address - self.core.mirror, data.len());
        }
        true
    }

    fn snapshot_memory(&mut self) {
        self.store_bank();
        self.memory.take_snapshot();
        self.unit_snapshot = Some(self.unit.clone());
    }

    fn restore_memory(&mut self) {
        let flash_changed = self.memory.restore();
        if self.memory.forget_code() || flash_changed {
            self.program.clear();
        }
        if let Some(unit) = &self.unit_snapshot {
            self.unit = unit.clone();
        }
    }

    fn set_fence(&mut self, fence: Option<Fence>) {
        self.memory.set_fence(fence);
    }

    fn plant_stop(&mut self, address: u32) {
        self.program.plant_stop(address);
    }

    fn clear_stop(&mut self) {
        self.program.clear_stop();
    }

    fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let mut window = match self.enter(self.registers.pc) {
            Ok(Some(window)) => window,
            Ok(None) => return Exit::Stop,
            Err(trap) => return Exit::Trap(trap),
        };
        let mut place = window.place(self.registers.pc);
        let mut now = self.cycles;
        // Registers the instruction before wrote.
        let mut written = 0_u8;
        let hazard = u64::from(self.core.clocks.hazard);

        let exit = 'run: loop {
            if now >= cycle_limit {
                break Exit::Limit;
            }
            let Some(&fetched) = self.program.ops.get(place as usize) else {
                break Exit::Trap(Trap::at(FaultKind::UnmappedAddress, window.address(place)));
            };
            let mut decoded = fetched;
            if decoded.op == Op::Undecoded {
                decoded = match self.decode(window.address(place), place) {
                    Ok(decoded) => decoded,
                    Err(trap) => break Exit::Trap(trap),
                };
            }
            let began = now;
            if decoded.uses & written != 0 {
                now += hazard;
            }
            written = decoded.writes;
            let mut next = place + u32::from(decoded.length);
            let Decoded { destination, source, imm, .. } = decoded;
            let mut clocks = u32::from(decoded.clocks);

            macro_rules! trap {
                ($trap:expr) => {{
                    now = began;
                    break 'run Exit::Trap($trap);
                }};
            }
            macro_rules! or_trap {
                ($outcome:expr) => {
                    match $outcome {
                        Ok(value) => value,
                        Err(trap) => trap!(trap),
                    }
                };
            }
            macro_rules! address {
                () => {{
                    let index = self.registers.pair(BC) >> decoded.index_shift & u16::from(decoded.index_mask);
                    let base = self.registers.pair(decoded.base);
                    if decoded.far {
                        let sum = u32::from(base) + u32::from(decoded.offset) + u32::from(index);
                        ((u32::from(self.registers.es) << 16) + sum) & ADDRESS_MASK
                    } else {
                        NEAR | u32::from(base.wrapping_add(decoded.offset).wrapping_add(index))
                    }
                }};
            }
            macro_rules! load {
                ($address:expr) => {{
                    let address: u32 = $address;
                    let value = if self.memory.attribute(address) == Attribute::Plain {
                        self.memory.byte(address)
                    } else {
                        let (value, added) = or_trap!(self.load_slow(address, now));
                        clocks += added;
                        value
                    };
                    observer.loaded(place, address, value);
                    value
                }};
            }
            macro_rules! load_word {
                ($address:expr) => {{
                    let address: u32 = $address;
                    let value = if address & 1 == 0 && self.memory.attribute(address) == Attribute::Plain {
                        self.memory.word(address)
                    } else {
                        let (value, added) = or_trap!(self.load_word_slow(address, now));
                        clocks += added;
                        value
                    };
                    let [low, high] = value.to_le_bytes();
                    observer.loaded(place, address, low);
                    observer.loaded(place, address | 1, high);
                    value
                }};
            }
            macro_rules! stack {
                () => {{
                    let pointer = NEAR | u32::from(self.registers.pair(SP));
                    if pointer < self.stack_limit {
                        trap!(Trap::at(FaultKind::StackOverflow, pointer));
                    }
                    observer.stack(pointer);
                }};
            }
            macro_rules! store {
                ($address:expr, $value:expr) => {{
                    let (address, value): (u32, u8) = ($address, $value);
                    observer.stored(place, address, value);
                    if self.memory.attribute(address) == Attribute::Plain {
                        self.memory.set_byte(address, value);
                    } else {
                        or_trap!(self.store_slow(address, value, now + u64::from(clocks)));
                        if address & !1 == SP_LOW {
                            stack!();
                        }
                    }
                }};
            }
            macro_rules! store_word {
                ($address:expr, $value:expr) => {{
                    let (address, value): (u32, u16) = ($address, $value);
                    let [low, high] = value.to_le_bytes();
                    observer.stored(place, address, low);
                    observer.stored(place, address | 1, high);
                    if address & 1 == 0 && self.memory.attribute(address) == Attribute::Plain {
                        self.memory.set_word(address, value);
                    } else {
                        or_trap!(self.store_word_slow(address, value, now + u64::from(clocks)));
                        if address == SP_LOW {
                            stack!();
                        }
                    }
                }};
            }
            macro_rules! move_stack {
                ($by:expr) => {{
                    let pointer = self.registers.pair(SP).wrapping_add($by);
                    self.registers.set_pair(SP, pointer & !1);
                }};
            }
            macro_rules! top {
                () => {
                    NEAR | u32::from(self.registers.pair(SP))
                };
            }
            macro_rules! jump {
                ($target:expr) => {{
                    let target: u32 = $target;
                    if !window.holds(target) {
                        match self.enter(target) {
                            Ok(Some(entered)) => window = entered,
                            outcome => {
                                now += u64::from(clocks);
                                observer.retired(place, (now - began) as u32);
                                self.registers.pc = target;
                                self.cycles = now;
                                return match outcome {
                                    Err(trap) => Exit::Trap(trap),
                                    _ => Exit::Stop,
                                };
                            }
                        }
                    }
                    next = window.place(target);
                }};
            }
            macro_rules! push_return {
                () => {{
                    let behind = window.address(next);
                    move_stack!(4_u16.wrapping_neg());
                    stack!();
                    let low = top!();
                    store_word!(low, behind as u16);
                    store!(low + 2, (behind >> 16) as u8 & 0x0f);
                }};
            }
            macro_rules! pop_return {
                () => {{
                    let low = top!();
                    let target = u32::from(load_word!(low)) | u32::from(load!(low + 2) & 0x0f) << 16;
                    target
                }};
            }

            match decoded.op {
                Op::Undecoded | Op::Illegal => trap!(Trap::of(FaultKind::IllegalOpcode)),
                Op::Stop => {
                    now = began;
                    break Exit::Stop;
                }
                Op::ChunkEnd => {
                    let address = window.address(place) & ADDRESS_MASK;
                    match self.enter(address) {
                        Ok(Some(entered)) => window = entered,
                        Ok(None) => break Exit::Stop,
                        Err(trap) => {
                            self.registers.pc = address;
                            self.cycles = now;
                            return Exit::Trap(trap);
                        }
                    }
                    place = window.place(address);
                    continue;
                }
                Op::Nop => {}
                Op::MovImm => self.registers.set_byte(destination, imm as u8),
                Op::MovReg => {
                    let value = self.registers.byte(source);
                    self.registers.set_byte(destination, value);
                }
                Op::Load => {
                    let value = load!(address!());
                    self.registers.set_byte(destination, value);
                }
                Op::StoreA => store!(address!(), self.registers.byte(A)),
                Op::StoreImm => store!(address!(), imm as u8),
                Op::LoadEs => self.registers.es = load!(address!()) & 0x0f,
                Op::SetEs => self.registers.es = imm as u8 & 0x0f,
                Op::Xch => {
                    let (left, right) = (self.registers.byte(A), self.registers.byte(source));
                    self.registers.set_byte(A, right);
                    self.registers.set_byte(source, left);
                }
                Op::XchMem => {
                    let address = address!();
                    let (left, right) = (self.registers.byte(A), load!(address));
                    self.registers.set_byte(A, right);
                    store!(address, left);
                }
                Op::Movs => {
                    let value = self.registers.byte(X);
                    self.registers.zero = value == 0;
                    self.registers.carry = value == 0 || self.registers.byte(A) == 0;
                    store!(address!(), value);
                }
                Op::MovwImm => self.registers.set_pair(destination, imm),
                Op::MovwReg => {
                    let value = self.registers.pair(source);
                    self.registers.set_pair(destination, value);
                }
                Op::Loadw => {
                    let value = load_word!(address!());
                    self.registers.set_pair(destination, value);
                }
                Op::StorewAx => store_word!(address!(), self.registers.pair(AX)),
                Op::StorewImm => store_word!(address!(), imm),
                Op::Xchw => {
                    let (left, right) = (self.registers.pair(AX), self.registers.pair(source));
                    self.registers.set_pair(AX, right);
                    self.registers.set_pair(source, left);
                }
                Op::Push => {
                    move_stack!(2_u16.wrapping_neg());
                    stack!();
                    store_word!(top!(), self.registers.pair(source));
                }
                Op::Pop => {
                    let value = load_word!(top!());
                    move_stack!(2);
                    self.registers.set_pair(destination, value);
                }
                Op::PushPsw => {
                    move_stack!(2_u16.wrapping_neg());
                    stack!();
                    store_word!(top!(), u16::from(self.psw()) << 8);
                }
                Op::PopPsw => {
                    let value = load_word!(top!());
                    move_stack!(2);
                    self.set_psw((value >> 8) as u8);
                }
                Op::AluImm => {
                    let left = self.registers.byte(destination);
                    let result = self.registers.alu(decoded.detail, left, imm as u8);
                    if decoded.detail != CMP {
                        self.registers.set_byte(destination, result);
                    }
                }
                Op::AluReg => {
                    let (left, right) = (self.registers.byte(destination), self.registers.byte(source));
                    let result = self.registers.alu(decoded.detail, left, right);
                    if decoded.detail != CMP {
                        self.registers.set_byte(destination, result);
                    }
                }
                Op::AluMem => {
                    let right = load!(address!());
                    let left = self.registers.byte(destination);
                    let result = self.registers.alu(decoded.detail, left, right);
                    if decoded.detail != CMP {
                        self.registers.set_byte(destination, result);
                    }
                }
                Op::AluMemImm => {
                    let address = address!();
                    let left = load!(address);
                    let result = self.registers.alu(decoded.detail, left, imm as u8);
                    if decoded.detail != CMP {
                        store!(address, result);
                    }
                }
                Op::Cmps => {
                    let right = load!(address!());
                    let left = self.registers.byte(X);
                    self.registers.alu(CMP, left, right);
                    let registers = &mut self.registers;
                    registers.carry = !registers.zero || right == 0 || registers.byte(A) == 0;
                }
                Op::AluwImm => {
                    let left = self.registers.pair(AX);
                    let result = self.registers.alu_word(decoded.detail, left, imm);
                    if decoded.detail != CMP {
                        self.registers.set_pair(AX, result);
                    }
                }
                Op::AluwReg => {
                    let (left, right) = (self.registers.pair(AX), self.registers.pair(source));
                    let result = self.registers.alu_word(decoded.detail, left, right);
                    if decoded.detail != CMP {
                        self.registers.set_pair(AX, result);
                    }
                }
                Op::AluwMem => {
                    let right = load_word!(address!());
                    let left = self.registers.pair(AX);
                    let result = self.registers.alu_word(decoded.detail, left, right);
                    if decoded.detail != CMP {
                        self.registers.set_pair(AX, result);
                    }
                }
                Op::AddSp => {
                    move_stack!(imm);
                    stack!();
                }
                Op::Inc => {
                    let value = self.registers.byte(destination);
                    let result = self.registers.step(value, imm as u8);
                    self.registers.set_byte(destination, result);
                }
                Op::IncMem => {
                    let address = address!();
                    let value = load!(address);
                    let result = self.registers.step(value, imm as u8);
                    store!(address, result);
                }
                Op::Incw => {
                    let value = self.registers.pair(destination).wrapping_add(imm);
                    self.registers.set_pair(destination, value);
                }
                Op::IncwMem => {
                    let address = address!();
                    let value = load_word!(address).wrapping_add(imm);
                    store_word!(address, value);
                }
                Op::Mulu => {
                    let product = u16::from(self.registers.byte(A)) * u16::from(self.registers.byte(X));
                    self.registers.set_pair(AX, product);
                }
                Op::Mulhu => {
                    let product = u32::from(self.registers.pair(AX)) * u32::from(self.registers.pair(BC));
                    self.registers.set_bc_ax(product);
                }
                Op::Mulh => {
                    let signed = |pair: u16| i32::from(pair as i16);
                    let product = signed(self.registers.pair(AX)) * signed(self.registers.pair(BC));
                    self.registers.set_bc_ax(product as u32);
                }
                Op::Divhu => {
                    let (dividend, divisor) = (self.registers.pair(AX), self.registers.pair(DE));
                    let quotient = dividend.checked_div(divisor);
                    self.registers.set_pair(AX, quotient.unwrap_or(u16::MAX));
                    self.registers.set_pair(DE, quotient.map_or(dividend, |_| dividend % divisor));
                }
                Op::Divwu => {
                    let dividend = self.registers.bc_ax();
                    let divisor = u32::from(self.registers.pair(HL)) << 16 | u32::from(self.registers.pair(DE));
                    let quotient = dividend.checked_div(divisor);
                    let remainder = quotient.map_or(dividend, |_| dividend % divisor);
                    self.registers.set_bc_ax(quotient.unwrap_or(u32::MAX));
                    self.registers.set_pair(DE, remainder as u16);
                    self.registers.set_pair(HL, (remainder >> 16) as u16);
                }
                Op::Machu | Op::Mach => {
                    let sum = u32::from(load_word!(ACCUMULATOR)) | u32::from(load_word!(ACCUMULATOR + 2)) << 16;
                    let (left, right) = (self.registers.pair(AX), self.registers.pair(BC));
                    let (result, carry, auxiliary) = if decoded.op == Op::Machu {
                        let (result, carry) = sum.overflowing_add(u32::from(left) * u32::from(right));
                        (result, carry, false)
                    } else {
                        let product = i32::from(left as i16) * i32::from(right as i16);
                        let (result, overflow) = (sum as i32).overflowing_add(product);
                        (result as u32, overflow, result < 0)
                    };
                    self.registers.carry = carry;
                    self.registers.auxiliary_carry = auxiliary;
                    store_word!(ACCUMULATOR, result as u16);
                    store_word!(ACCUMULATOR + 2, (result >> 16) as u16);
                }
                Op::Shl => {
                    let wide = u16::from(self.registers.byte(destination)) << (imm & 7);
                    self.registers.carry = wide & 0x100 != 0;
                    self.registers.set_byte(destination, wide as u8);
                }
                Op::Shr => {
                    let value = self.registers.byte(destination) >> ((imm - 1) & 7);
                    self.registers.carry = value & 1 == 1;
                    self.registers.set_byte(destination, value >> 1);
                }
                Op::Sar => {
                    let value = self.registers.byte(destination) as i8 >> ((imm - 1) & 7);
                    self.registers.carry = value & 1 == 1;
                    self.registers.set_byte(destination, (value >> 1) as u8);
                }
                Op::Shlw => {
                    let wide = u32::from(self.registers.pair(destination)) << (imm & 15);
                    self.registers.carry = wide & 0x1_0000 != 0;
                    self.registers.set_pair(destination, wide as u16);
                }
                Op::Shrw => {
                    let value = self.registers.pair(destination) >> ((imm - 1) & 15);
                    self.registers.carry = value & 1 == 1;
                    self.registers.set_pair(destination, value >> 1);
                }
                Op::Sarw => {
                    let value = self.registers.pair(destination) as i16 >> ((imm - 1) & 15);
                    self.registers.carry = value & 1 == 1;
                    self.registers.set_pair(destination, (value >> 1) as u16);
                }
                Op::Ror => {
                    let value = self.registers.byte(A);
                    self.registers.carry = value & 1 == 1;
                    self.registers.set_byte(A, value.rotate_right(1));
                }
                Op::Rol => {
                    let value = self.registers.byte(A);
                    self.registers.carry = value & 0x80 != 0;
                    self.registers.set_byte(A, value.rotate_left(1));
                }
                Op::Rorc => {
                    let value = self.registers.byte(A);
                    let result = value >> 1 | u8::from(self.registers.carry) << 7;
                    self.registers.carry = value & 1 == 1;
                    self.registers.set_byte(A, result);
                }
                Op::Rolc => {
                    let value = self.registers.byte(A);
                    let result = value << 1 | u8::from(self.registers.carry);
                    self.registers.carry = value & 0x80 != 0;
                    self.registers.set_byte(A, result);
                }
                Op::Rolwc => {
                    let value = self.registers.pair(destination);
                    let result = value << 1 | u16::from(self.registers.carry);
                    self.registers.carry = value & 0x8000 != 0;
                    self.registers.set_pair(destination, result);
                }
                Op::BitReg => {
                    let value = self.registers.byte(A);
                    let result = changed(value, imm as u8, decoded.detail, self.registers.carry);
                    self.registers.set_byte(A, result);
                }
                Op::BitMem => {
                    let address = address!();
                    let value = load!(address);
                    store!(address, changed(value, imm as u8, decoded.detail, self.registers.carry));
                }
                Op::CarryReg => {
                    let bit = self.registers.byte(A) & imm as u8 != 0;
                    self.registers.carry = joined(self.registers.carry, bit, decoded.detail);
                }
                Op::CarryMem => {
                    let bit = load!(address!()) & imm as u8 != 0;
                    self.registers.carry = joined(self.registers.carry, bit, decoded.detail);
                }
                Op::SetCarry => self.registers.carry = imm == 1,
                Op::NotCarry => self.registers.carry = !self.registers.carry,
                Op::Br => jump!(decoded.target),
                Op::BrAx => jump!(u32::from(self.registers.cs) << 16 | u32::from(self.registers.pair(AX))),
                Op::Bcc => {
                    if holds(decoded.detail, &self.registers) {
                        clocks = u32::from(decoded.taken_clocks);
                        observer.taken(place);
                        jump!(decoded.target);
                    }
                }
                Op::BbitReg => {
                    let value = self.registers.byte(A);
                    let set = value & imm as u8 != 0;
                    if set != (decoded.detail == IF_CLEAR) {
                        clocks = u32::from(decoded.taken_clocks);
                        if decoded.detail == IF_SET_CLEAR_IT {
                            self.registers.set_byte(A, value & !(imm as u8));
                        }
                        observer.taken(place);
                        jump!(decoded.target);
                    }
                }
                Op::BbitMem => {
                    let address = address!();
                    let value = load!(address);
                    let set = value & imm as u8 != 0;
                    if set != (decoded.detail == IF_CLEAR) {
                        clocks += u32::from(decoded.taken_clocks) - u32::from(decoded.clocks);
                        if decoded.detail == IF_SET_CLEAR_IT {
                            store!(address, value & !(imm as u8));
                        }
                        observer.taken(place);
                        jump!(decoded.target);
                    }
                }
                Op::Call => {
                    push_return!();
                    jump!(decoded.target);
                }
                Op::CallReg => {
                    let target = u32::from(self.registers.cs) << 16 | u32::from(self.registers.pair(source));
                    push_return!();
                    jump!(target);
                }
                Op::Callt => {
                    push_return!();
                    jump!(u32::from(self.memory.word(decoded.target)));
                }
                Op::Ret => {
                    let target = pop_return!();
                    move_stack!(4);
                    jump!(target);
                }
                Op::Reti => {
                    let target = pop_return!();
                    let psw = load!(top!() + 3);
                    move_stack!(4);
                    self.set_psw(psw);
                    jump!(target);
                }
                Op::Brk => {
                    let psw = self.psw();
                    push_return!();
                    store!(top!() + 3, psw);
                    self.registers.rest &= !PSW_IE;
                    jump!(u32::from(self.memory.word(BREAK_VECTOR)));
                }
                Op::Skip => {
                    if holds(decoded.detail, &self.registers) {
                        observer.taken(place);
                        now += u64::from(clocks);
                        observer.retired(place, (now - began) as u32);
                        let address = window.address(next);
                        let skipped = match self.program.ops.get(next as usize) {
                            Some(skipped) if !matches!(skipped.op, Op::Undecoded | Op::ChunkEnd) => Ok(*skipped),
                            Some(skipped) if skipped.op == Op::Undecoded => self.decode(address, next),
                            _ => Err(Trap::at(FaultKind::UnmappedAddress, address)),
                        };
                        place = next;
                        let skipped = match skipped {
                            Ok(skipped) if skipped.op != Op::Illegal => skipped,
                            Ok(_) => break Exit::Trap(Trap::of(FaultKind::IllegalOpcode)),
                            Err(trap) => break Exit::Trap(trap),
                        };
                        if skipped.op == Op::Stop {
                            break Exit::Stop;
                        }
                        let prefix = if skipped.far { self.core.clocks.skipped_prefix } else { 0 };
                        let spent = u32::from(self.core.clocks.skipped) + u32::from(prefix);
                        now += u64::from(spent);
                        observer.retired(place, spent);
                        observer.skipped(place);
                        place += u32::from(skipped.length);
                        continue;
                    }
                }
                Op::Sel => self.select_bank(imm as u8),
                Op::Sleep => trap!(Trap::of(FaultKind::Sleep)),
            }
            now += u64::from(clocks);
            observer.retired(place, (now - began) as u32);
            place = next;
        };
        self.registers.pc = window.address(place) & ADDRESS_MASK;
        self.cycles = now;
        exit
    }

    fn place(&mut self, arguments: &[Argument]) -> Result<Vec<u8>, Error> {
        abi::place(arguments)
    }

    fn call(&mut self, function: u32) -> Result<(), Trap> {
        let pointer = self.registers.pair(SP).wrapping_sub(4);
        let low = NEAR | u32::from(pointer);
        if low < self.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, low));
        }
        self.registers.set_pair(SP, pointer);
        self.store_word_slow(low, RETURN_ADDRESS as u16, self.cycles)?;
        self.store_slow(low + 2, (RETURN_ADDRESS >> 16) as u8, self.cycles)?;
        self.registers.pc = function;
        self.cycles += u64::from(self.core.clocks.call);
        Ok(())
    }

    fn return_value(&self) -> u64 {
        let bytes = self.peek(abi::result(self.core.banks), 8).and_then(|bytes| <[u8; 8]>::try_from(bytes).ok());
        u64::from_le_bytes(bytes.unwrap_or_default())
    }

    fn places(&self) -> usize {
        self.program.ops.len()
    }

    fn executed(&self, place: usize) -> Option<Executed> {
        let decoded = self.program.ops.get(place)?;
        if (decoded.op as u8) <= Op::Illegal as u8 {
            return None;
        }
        let (loads, stores) = decoded.transfers();
        let address = self.program.address(place);
        Some(Executed { address, class: decoded.class, loads, stores, conditional_branch: decoded.conditional() })
    }

    fn text(&self, address: u32) -> Option<(String, u32)> {
        let (bytes, there) = self.memory.code(address);
        let (row, decoded) = row_of(&bytes, address, &self.core)?;
        let length = usize::from(decoded.length);
        (length <= there).then(|| (text(row, &decoded), length as u32))
    }

    fn refusal(&self, place: &str) -> String {
        let (bytes, there) = self.memory.code(self.registers.pc);
        let shown: Vec<String> = bytes[..there.min(3)].iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{} at {place} is no instruction of the {} core", shown.join(" "), self.core.id)
    }

    fn misalignment(&self, address: u32, place: &str) -> String {
        format!("a word at 0x{address:05x}, which is odd, wanted at {place}")
    }
}

#[inline(always)]
fn changed(value: u8, bit: u8, what: u8, carry: bool) -> u8 {
    match what {
        SET => value | bit,
        CLEAR => value & !bit,
        FROM_CARRY if carry => value | bit,
        _ => value & !bit,
    }
}

#[inline(always)]
fn joined(carry: bool, bit: bool, what: u8) -> bool {
    match what {
        TAKE => bit,
        AND_BIT => carry & bit,
        OR_BIT => carry | bit,
        _ => carry ^ bit,
    }
}
