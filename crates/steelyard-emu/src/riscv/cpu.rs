//! The RISC-V processor: registers, semantics of every instruction, and the cycle in which each starts.

use super::control::Control;
use super::decode::{self, Decoded, Op, SP};
use super::predict::{Branches, Executed, Guess, Kind};
use super::timer::Timer;
use super::timing::{Core, MultiplyCost};
use crate::fault::{FaultKind, Trap};
use crate::memory::{Memory, Touched};
use crate::memory_system::{Delay, MemorySystem};
use crate::observe::Observer;
use crate::processor::Exit;
use crate::program::{Program, Window};

/// Return address of a call from outside; no memory lies there.
pub const RETURN_ADDRESS: u32 = 0xffff_fff0;

/// Exception causes.
const BREAKPOINT: u32 = 3;
const CALL_FROM_USER: u32 = 8;

/// Returns the result of a computing instruction; `y` is the second register or the immediate.
#[inline(always)]
fn computed(op: Op, x: u32, y: u32) -> u32 {
    match op {
        Op::AddImm | Op::Add => x.wrapping_add(y),
        Op::SetLessImm | Op::SetLess => u32::from((x as i32) < y as i32),
        Op::SetLessUnsignedImm | Op::SetLessUnsigned => u32::from(x < y),
        Op::XorImm | Op::Xor => x ^ y,
        Op::OrImm | Op::Or => x | y,
        Op::AndImm | Op::And => x & y,
        Op::ShiftLeftImm | Op::ShiftLeft => x << (y & 31),
        Op::ShiftRightImm | Op::ShiftRight => x >> (y & 31),
        Op::ShiftRightSignedImm | Op::ShiftRightSigned => ((x as i32) >> (y & 31)) as u32,
        Op::Sub => x.wrapping_sub(y),
        Op::Mul => x.wrapping_mul(y),
        Op::MulHigh => ((i64::from(x as i32) * i64::from(y as i32)) >> 32) as u32,
        Op::MulHighSignedUnsigned => ((i64::from(x as i32) * i64::from(y)) >> 32) as u32,
        Op::MulHighUnsigned => ((u64::from(x) * u64::from(y)) >> 32) as u32,
        // By zero all ones or the dividend; the quotient that does not fit is the dividend.
        Op::Div if y == 0 => u32::MAX,
        Op::Div => (x as i32).wrapping_div(y as i32) as u32,
        Op::DivUnsigned => x.checked_div(y).unwrap_or(u32::MAX),
        Op::Rem if y == 0 => x,
        Op::Rem => (x as i32).wrapping_rem(y as i32) as u32,
        Op::RemUnsigned => x.checked_rem(y).unwrap_or(x),
        // Of constants, the only ones left.
        _ => y,
    }
}

#[inline(always)]
fn is_misaligned(address: u32, size: u32) -> bool {
    address & (size - 1) != 0
}

/// Returns what `amo*.w` with this funct5 stores, from the memory's and the register's value.
fn combined(operation: u8, memory: u32, register: u32) -> u32 {
    match operation {
        0 => memory.wrapping_add(register),
        1 => register,
        4 => memory ^ register,
        8 => memory | register,
        12 => memory & register,
        16 => (memory as i32).min(register as i32) as u32,
        20 => (memory as i32).max(register as i32) as u32,
        24 => memory.min(register),
        _ => memory.max(register),
    }
}

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu<M> {
    pub registers: [u32; 32],
    /// Program counter, valid only between runs.
    pub pc: u32,
    pub control: Control,
    /// Address of the word that `lr.w` reserved.
    pub reservation: Option<u32>,
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    /// Lowest address the stack may use.
    pub stack_limit: u32,
    pub memory: Memory,
    pub timer: Option<Timer>,
    pub program: Program<Decoded>,
    pub core: Core,
    pub branches: Branches,
    pub system: M,
}

impl<M: MemorySystem> Cpu<M> {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory, timer: Option<Timer>, system: M) -> Self {
        Cpu {
            registers: [0; 32],
            pc: 0,
            control: Control::new(&core),
            reservation: None,
            cycles: 0,
            stack_limit: 0,
            memory,
            timer,
            program: Program::default(),
            branches: Branches::new(core.prediction.as_ref()),
            core,
            system,
        }
    }

    /// Returns the code window of a jump target, or `None` if the target is the return address of the call.
    #[inline(never)]
    fn enter(&mut self, address: u32) -> Result<Option<Window>, Trap> {
        if address == RETURN_ADDRESS {
            return Ok(None);
        }
        if self.memory.region(address).is_none() {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        Ok(Some(self.program.window(address, true)))
    }

    /// Decodes and keeps the instruction at a place of a window.
    #[inline(never)]
    fn decode(&mut self, window: &Window, place: u32) -> Result<Decoded, Trap> {
        let address = window.address(place);
        let first = self.memory.code(address, 2)?;
        let length_bytes = decode::length_bytes(first);
        let mut word = first;
        if length_bytes == 4 {
            word |= self.memory.code(address.wrapping_add(2), 2)? << 16;
            self.memory.mark_code(address.wrapping_add(2));
        }
        let decoded = decode::decode(word, 8 * length_bytes, address, |feature| self.core.has(feature));
        self.memory.mark_code(address);
        self.program.keep(place, decoded);
        Ok(decoded)
    }

    /// Returns the instruction at an address and its length in bytes, `None` where no memory is mapped.
    pub fn instruction(&self, address: u32) -> Option<(u32, u32)> {
        let half = |address: u32| {
            let bytes = self.memory.peek(address, 2)?;
            Some(u32::from(u16::from_le_bytes([bytes[0], bytes[1]])))
        };
        let first = half(address)?;
        if decode::length_bytes(first) == 2 {
            return Some((first, 2));
        }
        Some((first | half(address.wrapping_add(2))? << 16, 4))
    }

    /// Loads from the timer's registers where no memory is mapped; otherwise returns the trap.
    #[cold]
    #[inline(never)]
    fn load_otherwise(&mut self, address: u32, size: u32, trap: Trap, cycle: u64) -> Result<u32, Trap> {
        match &self.timer {
            Some(timer) if trap.kind == FaultKind::UnmappedAddress => timer.load(address, size, cycle).ok_or(trap),
            _ => Err(trap),
        }
    }

    #[cold]
    #[inline(never)]
    fn store_otherwise(
        &mut self,
        address: u32,
        size: u32,
        value: u32,
        trap: Trap,
        cycle: u64,
    ) -> Result<Touched, Trap> {
        let unmapped = trap.kind == FaultKind::UnmappedAddress;
        let stored = |timer: &mut Timer| unmapped && timer.store(address, size, value, cycle);
        if self.timer.as_mut().is_some_and(stored) {
            return Ok(Touched::Data);
        }
        Err(trap)
    }

    /// Loads from an address that is not a multiple of the size.
    #[cold]
    #[inline(never)]
    fn load_misaligned(&mut self, address: u32, size: u32) -> Result<u32, Trap> {
        if self.core.misaligned.is_none() {
            return Err(Trap::at(FaultKind::UnalignedAddress, address));
        }
        let mut value = 0;
        for byte in 0..size {
            value |= self.memory.load_byte(address.wrapping_add(byte))? << (8 * byte);
        }
        Ok(value)
    }

    #[cold]
    #[inline(never)]
    fn store_misaligned(&mut self, address: u32, size: u32, value: u32) -> Result<Touched, Trap> {
        if self.core.misaligned.is_none() {
            return Err(Trap::at(FaultKind::UnalignedAddress, address));
        }
        let mut touched = Touched::Data;
        for byte in 0..size {
            if self.memory.store_byte(address.wrapping_add(byte), value >> (8 * byte))? == Touched::Code {
                touched = Touched::Code;
            }
        }
        Ok(touched)
    }

    /// Runs until the stop, a trap, or `cycle_limit` on the absolute cycle counter. After a trap the program counter
    /// names the instruction that caused it.
    pub fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let mut window = match self.enter(self.pc) {
            Ok(Some(window)) => window,
            Ok(None) => return Exit::Stop,
            Err(trap) => return Exit::Trap(trap),
        };
        let mut place = window.place(self.pc);
        // Numbers above 31 are results that nobody reads.
        let mut registers = [0_u32; 64];
        registers[..32].copy_from_slice(&self.registers);
        // Earliest start of an instruction that uses the register.
        let mut ready = [0_u64; 64];
        // Earliest start of the next instruction.
        let mut now = self.cycles;
        let mut multiplier_free = 0_u64;
        let mut retired = 0_u64;
        let mut fetched_line = u32::MAX;
        let cost = self.core.cost;
        let (alu_issue, alu_result) = (u64::from(cost.alu.issue), u64::from(cost.alu.result));
        let predicts = self.core.prediction.is_some();
        let misaligned_extra = self.core.misaligned.map_or(0, |misaligned| u64::from(misaligned.extra));

        macro_rules! reg {
            ($number:expr) => {
                registers[($number & 63) as usize]
            };
        }
        macro_rules! ready {
            ($number:expr) => {
                ready[($number & 63) as usize]
            };
        }
        // When a register may be written; that of nothing, always.
        macro_rules! writable {
            ($number:expr) => {
                ready[($number & 31) as usize]
            };
        }

        let exit = 'run: loop {
            if now >= cycle_limit {
                break Exit::Limit;
            }
            let Some(&decoded) = self.program.ops.get(place as usize) else {
                break Exit::Trap(Trap::at(FaultKind::UnmappedAddress, window.address(place)));
            };
            let Decoded { rd: a, rs1: b, rs2: c, detail, imm, .. } = decoded;
            let began = now;
            let mut next = place + u32::from(decoded.halves);
            if M::FETCH_LINE_BYTES > 0 && (decoded.op as u8) > Op::Stop as u8 {
                let line_bytes = M::FETCH_LINE_BYTES.max(1);
                let first = window.address(place);
                let last = window.address(next - 1);
                let line = last / line_bytes;
                if line != fetched_line {
                    if first / line_bytes != fetched_line {
                        now += u64::from(self.system.fetch(first, now));
                    }
                    if first / line_bytes != line {
                        now += u64::from(self.system.fetch(last, now));
                    }
                    fetched_line = line;
                }
            }

            macro_rules! trap {
                ($trap:expr) => {
                    break 'run Exit::Trap($trap)
                };
            }
            macro_rules! or_trap {
                ($outcome:expr) => {
                    match $outcome {
                        Ok(value) => value,
                        Err(trap) => trap!(trap),
                    }
                };
            }
            macro_rules! jump {
                ($target:expr) => {{
                    let target: u32 = $target;
                    if !window.holds(target) {
                        match self.enter(target) {
                            Ok(Some(entered)) => window = entered,
                            outcome => {
                                observer.retired(place, (now - began) as u32);
                                self.pc = target;
                                self.leave(&registers, now, retired + 1);
                                return match outcome {
                                    Err(trap) => Exit::Trap(trap),
                                    _ => Exit::Stop,
                                };
                            }
                        }
                    }
                    next = window.place(target);
                    if target & 2 != 0 && cost.straddling_target > 0 {
                        let mut there = self.program.ops[next as usize];
                        if there.op == Op::Undecoded {
                            // What cannot be decoded is refused when it is reached.
                            there = self.decode(&window, next).unwrap_or(there);
                        }
                        if there.halves == 2 {
                            now += u64::from(cost.straddling_target);
                        }
                    }
                }};
            }
            // What a branch or jump costs beyond its own issue.
            macro_rules! guessed {
                ($kind:expr, $taken:expr, $target:expr, $link:expr) => {
                    if predicts {
                        let target: u32 = $target;
                        let guess = self.branches.executed(Executed {
                            kind: $kind,
                            address: window.address(next - 1),
                            taken: $taken,
                            target,
                            backward: target <= window.address(place),
                            link: $link,
                        });
                        match guess {
                            Guess::Right => {}
                            Guess::Late => now += u64::from(cost.late),
                            Guess::Wrong => now += u64::from(cost.mispredicted),
                        }
                    }
                };
            }
            macro_rules! stack {
                () => {{
                    let sp = reg!(SP);
                    if sp < self.stack_limit {
                        trap!(Trap::at(FaultKind::StackOverflow, sp));
                    }
                    observer.stack(sp);
                }};
            }
            macro_rules! code_changed {
                ($address:expr, $touched:expr) => {
                    if $touched == Touched::Code {
                        self.program.forget($address, 4);
                    }
                };
            }
            macro_rules! imm {
                ($op:expr) => {{
                    let start = now.max(ready!(b)).max(writable!(a));
                    reg!(a) = computed($op, reg!(b), imm);
                    ready!(a) = start + alu_result;
                    now = start + alu_issue;
                }};
            }
            macro_rules! registers {
                ($op:expr) => {{
                    let start = now.max(ready!(b)).max(ready!(c)).max(writable!(a));
                    reg!(a) = computed($op, reg!(b), reg!(c));
                    ready!(a) = start + alu_result;
                    now = start + alu_issue;
                }};
            }
            macro_rules! multiply {
                ($op:expr, $cost:expr) => {{
                    let MultiplyCost { issue, result, unit } = $cost;
                    let start = now.max(ready!(b)).max(ready!(c)).max(writable!(a)).max(multiplier_free);
                    reg!(a) = computed($op, reg!(b), reg!(c));
                    ready!(a) = start + u64::from(result);
                    multiplier_free = start + u64::from(unit);
                    now = start + u64::from(issue);
                }};
            }
            macro_rules! divide {
                ($op:expr, $signed:expr) => {{
                    let start = now.max(ready!(b)).max(ready!(c)).max(writable!(a)).max(multiplier_free);
                    let result = cost.divide.result($signed, reg!(b), reg!(c));
                    reg!(a) = computed($op, reg!(b), reg!(c));
                    ready!(a) = start + result;
                    multiplier_free = start + result;
                    now = start + if cost.divide.blocks { result } else { 1 };
                }};
            }
            macro_rules! load {
                ($load:ident, $size:literal, $cost:ident, $as:ty) => {{
                    let mut start = now.max(ready!(b)).max(writable!(a));
                    let address = reg!(b).wrapping_add(imm);
                    let mut extra = 0;
                    let value = if is_misaligned(address, $size) {
                        extra = misaligned_extra;
                        or_trap!(self.load_misaligned(address, $size))
                    } else {
                        match self.memory.$load(address) {
                            Ok(value) => value,
                            Err(trap) => or_trap!(self.load_otherwise(address, $size, trap, start)),
                        }
                    };
                    let Delay { stall, latency } = self.system.load(address, $size, start);
                    start += u64::from(stall) + extra;
                    reg!(a) = value as $as as u32;
                    ready!(a) = start + u64::from(cost.$cost.result) + u64::from(latency);
                    now = start + u64::from(cost.$cost.issue);
                }};
            }
            macro_rules! store {
                ($store:ident, $size:literal) => {{
                    let mut start = now.max(ready!(b)).max(ready!(c));
                    let address = reg!(b).wrapping_add(imm);
                    let mut extra = 0;
                    let touched = if is_misaligned(address, $size) {
                        extra = misaligned_extra;
                        or_trap!(self.store_misaligned(address, $size, reg!(c)))
                    } else {
                        match self.memory.$store(address, reg!(c)) {
                            Ok(touched) => touched,
                            Err(trap) => or_trap!(self.store_otherwise(address, $size, reg!(c), trap, start)),
                        }
                    };
                    code_changed!(address, touched);
                    let Delay { stall, .. } = self.system.store(address, $size, start);
                    start += u64::from(stall) + extra;
                    now = start + u64::from(cost.store.issue);
                }};
            }
            macro_rules! branch {
                ($condition:expr) => {{
                    let start = now.max(ready!(b)).max(ready!(c));
                    let condition: fn(u32, u32) -> bool = $condition;
                    if condition(reg!(b), reg!(c)) {
                        now = start + u64::from(cost.branch_taken.issue);
                        guessed!(Kind::Branch, true, imm, None);
                        observer.taken(place);
                        jump!(imm);
                    } else {
                        now = start + u64::from(cost.branch.issue);
                        guessed!(Kind::Branch, false, imm, None);
                    }
                }};
            }
            // Into the handler, where there is one.
            macro_rules! exception {
                ($cause:expr) => {{
                    let Some(handler) = self.control.raised($cause, window.address(place)) else {
                        trap!(Trap::of(FaultKind::IllegalOpcode));
                    };
                    now += u64::from(cost.exception.issue);
                    jump!(handler);
                }};
            }

            match decoded.op {
                Op::Undecoded => {
                    or_trap!(self.decode(&window, place));
                    continue;
                }
                Op::ChunkEnd => {
                    let address = window.address(place);
                    match or_trap!(self.enter(address)) {
                        Some(entered) => {
                            window = entered;
                            place = window.place(address);
                            continue;
                        }
                        None => break 'run Exit::Stop,
                    }
                }
                Op::Stop => break 'run Exit::Stop,
                Op::Illegal => trap!(Trap::of(FaultKind::IllegalOpcode)),

                Op::AddImm => imm!(Op::AddImm),
                Op::SetLessImm => imm!(Op::SetLessImm),
                Op::SetLessUnsignedImm => imm!(Op::SetLessUnsignedImm),
                Op::XorImm => imm!(Op::XorImm),
                Op::OrImm => imm!(Op::OrImm),
                Op::AndImm => imm!(Op::AndImm),
                Op::ShiftLeftImm => imm!(Op::ShiftLeftImm),
                Op::ShiftRightImm => imm!(Op::ShiftRightImm),
                Op::ShiftRightSignedImm => imm!(Op::ShiftRightSignedImm),
                Op::Constant => imm!(Op::Constant),
                Op::Add => registers!(Op::Add),
                Op::Sub => registers!(Op::Sub),
                Op::ShiftLeft => registers!(Op::ShiftLeft),
                Op::SetLess => registers!(Op::SetLess),
                Op::SetLessUnsigned => registers!(Op::SetLessUnsigned),
                Op::Xor => registers!(Op::Xor),
                Op::ShiftRight => registers!(Op::ShiftRight),
                Op::ShiftRightSigned => registers!(Op::ShiftRightSigned),
                Op::Or => registers!(Op::Or),
                Op::And => registers!(Op::And),
                Op::ToStack => {
                    let start = now.max(ready!(b)).max(ready!(c)).max(writable!(a));
                    let second = if decode::takes_register(detail) { reg!(c) } else { imm };
                    reg!(a) = computed(decode::computing(detail), reg!(b), second);
                    ready!(a) = start + alu_result;
                    now = start + alu_issue;
                    stack!();
                }

                Op::Mul => multiply!(Op::Mul, cost.multiply),
                Op::MulHigh => multiply!(Op::MulHigh, cost.multiply_high),
                Op::MulHighSignedUnsigned => multiply!(Op::MulHighSignedUnsigned, cost.multiply_high),
                Op::MulHighUnsigned => multiply!(Op::MulHighUnsigned, cost.multiply_high),
                Op::Div => divide!(Op::Div, true),
                Op::DivUnsigned => divide!(Op::DivUnsigned, false),
                Op::Rem => divide!(Op::Rem, true),
                Op::RemUnsigned => divide!(Op::RemUnsigned, false),

                Op::LoadByte => load!(load_byte, 1, load_narrow, i8),
                Op::LoadHalf => load!(load_half, 2, load_narrow, i16),
                Op::LoadWord => load!(load_word, 4, load_word, u32),
                Op::LoadByteUnsigned => load!(load_byte, 1, load_narrow, u8),
                Op::LoadHalfUnsigned => load!(load_half, 2, load_narrow, u16),
                Op::LoadStack => {
                    load!(load_word, 4, load_word, u32);
                    stack!();
                }
                Op::StoreByte => store!(store_byte, 1),
                Op::StoreHalf => store!(store_half, 2),
                Op::StoreWord => store!(store_word, 4),

                Op::Jump => {
                    let start = now.max(writable!(a));
                    let sequel = window.address(next);
                    reg!(a) = sequel;
                    ready!(a) = start + u64::from(cost.jump.result);
                    now = start + u64::from(cost.jump.issue);
                    guessed!(Kind::Jump, true, imm, decoded.links().then_some(sequel));
                    jump!(imm);
                }
                Op::JumpRegister => {
                    let start = now.max(ready!(b)).max(writable!(a));
                    let sequel = window.address(next);
                    let target = reg!(b).wrapping_add(imm) & !1;
                    reg!(a) = sequel;
                    ready!(a) = start + u64::from(cost.jump_register.result);
                    now = start + u64::from(cost.jump_register.issue);
                    let kind = if decoded.returns() { Kind::Return } else { Kind::Indirect };
                    guessed!(kind, true, target, decoded.links().then_some(sequel));
                    jump!(target);
                }
                Op::BranchEqual => branch!(|x, y| x == y),
                Op::BranchNotEqual => branch!(|x, y| x != y),
                Op::BranchLess => branch!(|x, y| (x as i32) < y as i32),
                Op::BranchGreaterEqual => branch!(|x, y| x as i32 >= y as i32),
                Op::BranchLessUnsigned => branch!(|x, y| x < y),
                Op::BranchGreaterEqualUnsigned => branch!(|x, y| x >= y),

                Op::Fence => now += u64::from(cost.fence.issue),
                Op::FenceInstruction => now += u64::from(cost.fence_instruction.issue),
                Op::Call => exception!(CALL_FROM_USER + self.control.mode()),
                Op::Break => exception!(BREAKPOINT),
                Op::MachineReturn => match self.control.returned() {
                    Some(target) => {
                        now += u64::from(cost.exception.issue);
                        jump!(target);
                    }
                    None => trap!(Trap::of(FaultKind::IllegalOpcode)),
                },
                Op::Wait => trap!(Trap::of(FaultKind::Sleep)),
                Op::Csr => {
                    let immediate = detail & 4 != 0;
                    let mut start = now.max(writable!(a));
                    if !immediate {
                        start = start.max(ready!(b));
                    }
                    let operand = if immediate { u32::from(b) } else { reg!(b) };
                    // Setting and clearing no bits is no write, writing without a destination no read.
                    let writes = detail & 3 == 1 || b != 0;
                    let counted = self.control.counted(start, retired);
                    let old = self.control.read(&self.core, imm as u16, counted);
                    let written = old.is_some_and(|old| {
                        let value = match detail & 3 {
                            1 => operand,
                            2 => old | operand,
                            _ => old & !operand,
                        };
                        !writes || self.control.write(&self.core, imm as u16, value, counted)
                    });
                    let (Some(old), true) = (old, written) else {
                        trap!(Trap::of(FaultKind::IllegalOpcode));
                    };
                    reg!(a) = old;
                    let spent = if writes { cost.csr_write } else { cost.csr_read };
                    ready!(a) = start + u64::from(spent.result);
                    now = start + u64::from(spent.issue);
                    if a == SP {
                        stack!();
                    }
                }
                Op::LoadReserved | Op::StoreConditional | Op::Atomic => {
                    let mut start = now.max(ready!(b)).max(ready!(c)).max(writable!(a));
                    let address = reg!(b);
                    if address % 4 != 0 {
                        trap!(Trap::at(FaultKind::UnalignedAddress, address));
                    }
                    let old = or_trap!(self.memory.load_word(address));
                    let (spent, stored, result) = match decoded.op {
                        Op::LoadReserved => (cost.load_reserved, None, old),
                        Op::StoreConditional => {
                            let held = self.reservation == Some(address);
                            (cost.store_conditional, held.then_some(reg!(c)), u32::from(!held))
                        }
                        _ => (cost.atomic, Some(combined(detail, old, reg!(c))), old),
                    };
                    self.reservation = (decoded.op == Op::LoadReserved).then_some(address);
                    let mut delay = self.system.load(address, 4, start);
                    if let Some(value) = stored {
                        let touched = or_trap!(self.memory.store_word(address, value));
                        code_changed!(address, touched);
                        delay.stall += self.system.store(address, 4, start + u64::from(delay.stall)).stall;
                    }
                    start += u64::from(delay.stall);
                    reg!(a) = result;
                    ready!(a) = start + u64::from(spent.result) + u64::from(delay.latency);
                    now = start + u64::from(spent.issue);
                    if a == SP {
                        stack!();
                    }
                }
            }
            retired += 1;
            observer.retired(place, (now - began) as u32);
            place = next;
        };
        self.pc = window.address(place);
        self.leave(&registers, now, retired);
        exit
    }

    /// Stores registers, program counter and counts when a run ends.
    fn leave(&mut self, registers: &[u32; 64], now: u64, retired: u64) {
        self.registers.copy_from_slice(&registers[..32]);
        self.control.instructions += retired;
        self.cycles = now;
    }
}
