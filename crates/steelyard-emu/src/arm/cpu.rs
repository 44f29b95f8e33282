//! The ARM processor: registers, semantics of every instruction, and the cycle in which each starts.

use super::arithmetic::{add, processed, saturating, shift_with_carry, shifted, sign_and_zero, C, CONDITIONS, V};
use super::decode::{
    self, long_result, Decoded, Op, ALWAYS, BEFORE, BYTE, BY_REGISTER, CARRY, FLAGS, HALF, IMMEDIATE, LR, LSL, NONE,
    PC, RRX, SETS_CARRY, SHIFT_BY_REGISTER, SIGNED, SIGNED_HALF, SP, TOP_M, TOP_S, UP, WRITEBACK,
};
use super::timing::{Architecture, Core, Multiply};
use crate::fault::{FaultKind, Trap};
use crate::memory::{Memory, Touched};
use crate::memory_system::{Delay, MemorySystem};
use crate::observe::Observer;
use crate::predict::Branches;
use crate::processor::Exit;
use crate::program::{Program, Window};

/// Return address of a call from outside; no memory lies there.
pub const RETURN_ADDRESS: u32 = 0xffff_fff0;

/// Mode bits that `mrs` reads in user mode.
const USER: u32 = 0x10;

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu<M> {
    /// Registers r0 to r15; r15 is valid only between runs.
    pub registers: [u32; 16],
    /// Flags N, Z, C and V, from bit 3 to bit 0.
    pub nzcv: u32,
    /// The sticky overflow flag Q.
    pub saturated: bool,
    pub thumb: bool,
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    /// Lowest address the stack may use.
    pub stack_limit: u32,
    pub memory: Memory,
    pub program: Program<Decoded>,
    pub core: Core,
    pub branches: Branches,
    pub system: M,
}

impl<M: MemorySystem> Cpu<M> {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory, system: M) -> Self {
        Cpu {
            registers: [0; 16],
            nzcv: 0,
            saturated: false,
            thumb: false,
            cycles: 0,
            stack_limit: 0,
            memory,
            program: Program::default(),
            branches: Branches::new(core.prediction.as_ref()),
            core,
            system,
        }
    }

    /// Returns the code window of a jump target, or `None` if the target is the return address of the call.
    #[inline(never)]
    fn enter(&mut self, address: u32, thumb: bool) -> Result<Option<Window>, Trap> {
        if address & !1 == RETURN_ADDRESS {
            return Ok(None);
        }
        if self.memory.region(address).is_none() {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        Ok(Some(self.program.window(address, thumb)))
    }

    /// Decodes and keeps the instruction at a place of a window.
    #[inline(never)]
    fn decode(&mut self, window: &Window, place: u32) -> Result<Decoded, Trap> {
        let address = window.address(place);
        let size_bytes = if window.thumb { 2 } else { 4 };
        let code = self.memory.code(address, size_bytes)?;
        let decoded = decode::decode(code, 8 * size_bytes, address, |feature| self.core.architecture.has(feature));
        self.memory.mark_code(address);
        self.program.keep(place, decoded);
        Ok(decoded)
    }

    /// Runs until the stop, a trap, or `cycle_limit` on the absolute cycle counter. After a trap the program
    /// counter still names the instruction that caused it.
    pub fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let mut window = match self.enter(self.registers[PC as usize], self.thumb) {
            Ok(Some(window)) => window,
            Ok(None) => return Exit::Stop,
            Err(trap) => return Exit::Trap(trap),
        };
        let mut place = window.place(self.registers[PC as usize]);
        // Numbers above 15 are sources and results that are not there.
        let mut registers = [0_u32; 32];
        registers[..16].copy_from_slice(&self.registers);
        // Earliest start of an instruction that uses the register.
        let mut ready = [0_u64; 32];
        let mut nzcv = self.nzcv;
        // Earliest start of the next instruction.
        let mut now = self.cycles;
        let mut multiplier_free = 0_u64;
        let mut memory_free = 0_u64;
        // The register the last data processing instruction wrote, and when it is ready.
        let (mut alu_register, mut alu_ready) = (NONE, 0_u64);
        let mut fetched_line = u32::MAX;
        let cost = self.core.cost;
        let operand_times = self.core.operand;
        let (alu_issue, alu_result) = (u64::from(cost.alu.issue), u64::from(cost.alu.result));
        let shifted_earlier = u64::from(operand_times.shifted);
        let pending_mask = if operand_times.pending_destination { u64::MAX } else { 0 };
        let predicts = self.core.prediction.is_some();
        let interworks = self.core.architecture >= Architecture::Armv5te;

        macro_rules! reg {
            ($number:expr) => {
                registers[($number & 31) as usize]
            };
        }
        macro_rules! ready {
            ($number:expr) => {
                ready[($number & 31) as usize]
            };
        }
        // When a register may be written.
        macro_rules! writable {
            ($number:expr) => {
                ready!($number) & pending_mask
            };
        }

        let exit = 'run: loop {
            if now >= cycle_limit {
                break Exit::Limit;
            }
            let Some(&decoded) = self.program.ops.get(place as usize) else {
                break Exit::Trap(Trap::at(FaultKind::UnmappedAddress, window.address(place)));
            };
            let Decoded { rd: a, rn: b, rm: c, rs: d, detail, imm, .. } = decoded;
            let began = now;
            let mut next = place + 1;
            if M::FETCH_LINE_BYTES > 0 {
                let address = window.address(place);
                let line = address / M::FETCH_LINE_BYTES.max(1);
                if line != fetched_line && (decoded.op as u8) > Op::Stop as u8 {
                    fetched_line = line;
                    now += u64::from(self.system.fetch(address, now));
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
            // What reading the program counter gives.
            macro_rules! settle_pc {
                () => {
                    reg!(PC) = window.address(place).wrapping_add(if window.thumb { 4 } else { 8 })
                };
            }
            macro_rules! jump {
                ($target:expr, $thumb:expr) => {{
                    let (target, thumb): (u32, bool) = ($target, $thumb);
                    let target = target & if thumb { !1 } else { !3 };
                    if !window.holds(target) || window.thumb != thumb {
                        match self.enter(target, thumb) {
                            Ok(Some(entered)) => window = entered,
                            outcome => {
                                self.thumb = thumb;
                                let spent = now - began;
                                observer.retired(place, spent as u32);
                                registers[PC as usize] = target;
                                self.leave(&registers, nzcv, now);
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
            macro_rules! stack {
                () => {{
                    let sp = reg!(SP);
                    if sp < self.stack_limit {
                        trap!(Trap::at(FaultKind::StackOverflow, sp));
                    }
                    observer.stack(sp);
                }};
            }
            // A register was written the long way.
            macro_rules! mind_stack {
                ($number:expr) => {
                    if $number == SP {
                        stack!();
                    }
                };
            }
            macro_rules! code_changed {
                ($address:expr, $touched:expr) => {
                    if $touched == Touched::Code {
                        self.program.forget($address, 4);
                    }
                };
            }
            macro_rules! carry {
                () => {
                    nzcv >> 1 & 1
                };
            }
            // Operands of data processing, and when the instruction starts.
            macro_rules! operand {
                (imm) => {
                    (imm, now.max(ready!(b)).max(writable!(a)))
                };
                (reg) => {
                    (reg!(c), now.max(ready!(b)).max(ready!(c)).max(writable!(a)))
                };
                (shift) => {{
                    let mut start = now.max(ready!(b)).max(ready!(c)).max(writable!(a));
                    if c == alu_register {
                        start = start.max(alu_ready + shifted_earlier);
                    }
                    (shifted(reg!(c), imm, d), start)
                }};
            }
            macro_rules! result {
                ($start:expr, $value:expr) => {{
                    reg!(a) = $value;
                    alu_register = a;
                    alu_ready = $start + alu_result;
                    ready!(a) = alu_ready;
                    now = $start + alu_issue;
                }};
            }
            macro_rules! plain {
                ($form:ident, $function:expr) => {{
                    let (value, start) = operand!($form);
                    let function: fn(u32, u32) -> u32 = $function;
                    result!(start, function(reg!(b), value));
                }};
            }
            macro_rules! with_carry {
                ($form:ident, $function:expr) => {{
                    let (value, start) = operand!($form);
                    let function: fn(u32, u32, u32) -> u32 = $function;
                    result!(start, function(reg!(b), value, carry!()));
                }};
            }
            macro_rules! logic_flags {
                ($form:ident, $function:expr) => {{
                    let (value, start) = operand!($form);
                    let function: fn(u32, u32) -> u32 = $function;
                    let result = function(reg!(b), value);
                    nzcv = nzcv & (C | V) | sign_and_zero(result);
                    logic_flags!(@carry $form);
                    result!(start, result);
                }};
                (@carry imm) => {
                    if detail & SETS_CARRY != 0 {
                        nzcv = nzcv & !C | u32::from(detail >> 7) << 1;
                    }
                };
                (@carry reg) => {};
            }
            macro_rules! sum_flags {
                ($form:ident, $function:expr) => {{
                    let (value, start) = operand!($form);
                    let function: fn(u32, u32, u32) -> (u32, u32) = $function;
                    let (result, flags) = function(reg!(b), value, carry!());
                    nzcv = flags;
                    result!(start, result);
                }};
            }
            // Loads and stores without writing back, of the frequent kinds.
            macro_rules! quick_address {
                (imm) => {
                    (reg!(b).wrapping_add(imm), now.max(ready!(b)).max(memory_free), 0, 0)
                };
                (reg) => {{
                    let mut start = now.max(ready!(b)).max(ready!(c)).max(memory_free);
                    let is_shifted = imm != LSL || d != 32;
                    if is_shifted && c == alu_register {
                        start = start.max(alu_ready + shifted_earlier);
                    }
                    let extra = if is_shifted { cost.shifted_offset } else { NO_COST };
                    let address = reg!(b).wrapping_add(shifted(reg!(c), imm, d));
                    (address, start, u64::from(extra.issue), u64::from(extra.result))
                }};
            }
            macro_rules! load {
                ($form:ident, $load:ident, $size:literal, $cost:ident) => {{
                    let (address, start, extra_issue, extra_result) = quick_address!($form);
                    let start = start.max(writable!(a));
                    reg!(a) = or_trap!(self.memory.$load(address));
                    let Delay { stall, latency } = self.system.load(address, $size, start);
                    let start = start + u64::from(stall);
                    ready!(a) = start + u64::from(cost.$cost.result) + extra_result + u64::from(latency);
                    now = start + u64::from(cost.$cost.issue) + extra_issue;
                }};
            }
            macro_rules! store {
                ($form:ident, $store:ident, $size:literal) => {{
                    let (address, start, extra_issue, _) = quick_address!($form);
                    let start = start.max(ready!(a).saturating_sub(u64::from(operand_times.store_data_later)));
                    let touched = or_trap!(self.memory.$store(address, reg!(a)));
                    code_changed!(address, touched);
                    let Delay { stall, .. } = self.system.store(address, $size, start);
                    now = start + u64::from(stall) + u64::from(cost.store.issue) + extra_issue;
                }};
            }
            // Address of any load or store of one or two registers, the base it leaves, and times as above.
            macro_rules! any_address {
                () => {{
                    let mut start = now.max(ready!(b)).max(memory_free);
                    let mut extra = NO_COST;
                    let offset = if detail & BY_REGISTER == 0 {
                        imm
                    } else {
                        start = start.max(ready!(c));
                        if imm != LSL || d != 0 {
                            extra = cost.shifted_offset;
                            if c == alu_register {
                                start = start.max(alu_ready + shifted_earlier);
                            }
                        }
                        shift_with_carry(reg!(c), imm, u32::from(d), nzcv & C != 0).0
                    };
                    let base = reg!(b);
                    let moved = if detail & UP != 0 { base.wrapping_add(offset) } else { base.wrapping_sub(offset) };
                    let address = if detail & BEFORE != 0 { moved } else { base };
                    let mut extra_issue = u64::from(extra.issue);
                    if detail & WRITEBACK != 0 {
                        extra_issue += u64::from(cost.writeback.issue);
                    }
                    (address, moved, start, extra_issue, u64::from(extra.result))
                }};
            }
            macro_rules! write_back {
                ($moved:expr, $start:expr) => {
                    if detail & WRITEBACK != 0 {
                        reg!(b) = $moved;
                        ready!(b) = $start + u64::from(cost.writeback.result);
                        mind_stack!(b);
                    }
                };
            }
            macro_rules! branch {
                () => {{
                    let right = self.branches.decided(window.address(place), true);
                    let spent = if right { cost.branch } else { cost.branch_refill };
                    now += u64::from(spent.issue);
                    if decoded.condition != ALWAYS {
                        observer.taken(place);
                    }
                }};
            }
            // A branch whose target only the execution shows.
            macro_rules! late_branch {
                ($start:expr, $issue:expr) => {{
                    now = $start + u64::from($issue);
                    if decoded.condition != ALWAYS {
                        observer.taken(place);
                    }
                }};
            }

            if decoded.condition != ALWAYS && CONDITIONS[(decoded.condition & 15) as usize] >> nzcv & 1 == 0 {
                let right = !predicts
                    || !matches!(decoded.op, Op::Branch | Op::BranchLink)
                    || self.branches.decided(window.address(place), false);
                now += u64::from(if right { cost.skipped.issue } else { cost.branch_refill.issue });
                observer.skipped(place);
                observer.retired(place, (now - began) as u32);
                place = next;
                continue;
            }

            match decoded.op {
                Op::Undecoded => {
                    or_trap!(self.decode(&window, place));
                    continue;
                }
                Op::ChunkEnd => {
                    let address = window.address(place);
                    match or_trap!(self.enter(address, window.thumb)) {
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

                Op::AndImm => plain!(imm, |a, b| a & b),
                Op::AndReg => plain!(reg, |a, b| a & b),
                Op::AndShift => plain!(shift, |a, b| a & b),
                Op::EorImm => plain!(imm, |a, b| a ^ b),
                Op::EorReg => plain!(reg, |a, b| a ^ b),
                Op::EorShift => plain!(shift, |a, b| a ^ b),
                Op::SubImm => plain!(imm, |a, b| a.wrapping_sub(b)),
                Op::SubReg => plain!(reg, |a, b| a.wrapping_sub(b)),
                Op::SubShift => plain!(shift, |a, b| a.wrapping_sub(b)),
                Op::RsbImm => plain!(imm, |a, b| b.wrapping_sub(a)),
                Op::RsbReg => plain!(reg, |a, b| b.wrapping_sub(a)),
                Op::RsbShift => plain!(shift, |a, b| b.wrapping_sub(a)),
                Op::AddImm => plain!(imm, |a, b| a.wrapping_add(b)),
                Op::AddReg => plain!(reg, |a, b| a.wrapping_add(b)),
                Op::AddShift => plain!(shift, |a, b| a.wrapping_add(b)),
                Op::AdcImm => with_carry!(imm, |a, b, c| a.wrapping_add(b).wrapping_add(c)),
                Op::AdcReg => with_carry!(reg, |a, b, c| a.wrapping_add(b).wrapping_add(c)),
                Op::AdcShift => with_carry!(shift, |a, b, c| a.wrapping_add(b).wrapping_add(c)),
                Op::SbcImm => with_carry!(imm, |a, b, c| a.wrapping_add(!b).wrapping_add(c)),
                Op::SbcReg => with_carry!(reg, |a, b, c| a.wrapping_add(!b).wrapping_add(c)),
                Op::SbcShift => with_carry!(shift, |a, b, c| a.wrapping_add(!b).wrapping_add(c)),
                Op::RscImm => with_carry!(imm, |a, b, c| b.wrapping_add(!a).wrapping_add(c)),
                Op::RscReg => with_carry!(reg, |a, b, c| b.wrapping_add(!a).wrapping_add(c)),
                Op::RscShift => with_carry!(shift, |a, b, c| b.wrapping_add(!a).wrapping_add(c)),
                Op::OrrImm => plain!(imm, |a, b| a | b),
                Op::OrrReg => plain!(reg, |a, b| a | b),
                Op::OrrShift => plain!(shift, |a, b| a | b),
                Op::MovImm => plain!(imm, |_, b| b),
                Op::MovReg => plain!(reg, |_, b| b),
                Op::MovShift => plain!(shift, |_, b| b),
                Op::BicImm => plain!(imm, |a, b| a & !b),
                Op::BicReg => plain!(reg, |a, b| a & !b),
                Op::BicShift => plain!(shift, |a, b| a & !b),
                Op::MvnImm => plain!(imm, |_, b| !b),
                Op::MvnReg => plain!(reg, |_, b| !b),
                Op::MvnShift => plain!(shift, |_, b| !b),

                Op::AndsImm | Op::TstImm => logic_flags!(imm, |a, b| a & b),
                Op::AndsReg | Op::TstReg => logic_flags!(reg, |a, b| a & b),
                Op::EorsImm | Op::TeqImm => logic_flags!(imm, |a, b| a ^ b),
                Op::EorsReg | Op::TeqReg => logic_flags!(reg, |a, b| a ^ b),
                Op::SubsImm | Op::CmpImm => sum_flags!(imm, |a, b, _| add(a, !b, 1)),
                Op::SubsReg | Op::CmpReg => sum_flags!(reg, |a, b, _| add(a, !b, 1)),
                Op::RsbsImm => sum_flags!(imm, |a, b, _| add(b, !a, 1)),
                Op::RsbsReg => sum_flags!(reg, |a, b, _| add(b, !a, 1)),
                Op::AddsImm | Op::CmnImm => sum_flags!(imm, |a, b, _| add(a, b, 0)),
                Op::AddsReg | Op::CmnReg => sum_flags!(reg, |a, b, _| add(a, b, 0)),
                Op::AdcsImm => sum_flags!(imm, add),
                Op::AdcsReg => sum_flags!(reg, add),
                Op::SbcsImm => sum_flags!(imm, |a, b, c| add(a, !b, c)),
                Op::SbcsReg => sum_flags!(reg, |a, b, c| add(a, !b, c)),
                Op::RscsImm => sum_flags!(imm, |a, b, c| add(b, !a, c)),
                Op::RscsReg => sum_flags!(reg, |a, b, c| add(b, !a, c)),
                Op::OrrsImm => logic_flags!(imm, |a, b| a | b),
                Op::OrrsReg => logic_flags!(reg, |a, b| a | b),
                Op::MovsImm => logic_flags!(imm, |_, b| b),
                Op::MovsReg => logic_flags!(reg, |_, b| b),
                Op::BicsImm => logic_flags!(imm, |a, b| a & !b),
                Op::BicsReg => logic_flags!(reg, |a, b| a & !b),
                Op::MvnsImm => logic_flags!(imm, |_, b| !b),
                Op::MvnsReg => logic_flags!(reg, |_, b| !b),

                Op::Alu | Op::AluPc => {
                    settle_pc!();
                    let mut start = now.max(ready!(b)).max(ready!(c)).max(writable!(a));
                    let by_register = detail & SHIFT_BY_REGISTER != 0;
                    let carry_in = nzcv & C != 0;
                    let (value, carry) = if by_register {
                        start = start.max(ready!(d));
                        shift_with_carry(reg!(c), imm, reg!(d) & 0xff, carry_in)
                    } else if d == IMMEDIATE {
                        (imm, if detail & SETS_CARRY != 0 { detail & CARRY != 0 } else { carry_in })
                    } else {
                        if (imm != LSL || d != 0) && c == alu_register {
                            start = start.max(alu_ready + shifted_earlier);
                        }
                        shift_with_carry(reg!(c), imm, u32::from(d), carry_in)
                    };
                    let (result, flags) = processed(detail & 0x0f, reg!(b), value, nzcv, carry);
                    if detail & FLAGS != 0 {
                        nzcv = flags;
                    }
                    if decoded.op == Op::AluPc {
                        let spent = if by_register { cost.alu_pc_shift_register } else { cost.alu_pc };
                        late_branch!(start, spent.issue);
                        jump!(result, window.thumb);
                    } else {
                        let spent = match by_register {
                            true => cost.alu_shift_register,
                            false if imm == RRX && d != IMMEDIATE => cost.alu_rrx.unwrap_or(cost.alu),
                            false => cost.alu,
                        };
                        reg!(a) = result;
                        alu_register = a;
                        alu_ready = start + u64::from(spent.result);
                        ready!(a) = alu_ready;
                        now = start + u64::from(spent.issue);
                        mind_stack!(a);
                    }
                }

                Op::Multiply => {
                    let kind = detail & 0x0f;
                    let multiplier = reg!(d);
                    let is_long = long_result(detail);
                    let accumulator_later = u64::from(operand_times.accumulator_later);
                    let mut start = now.max(ready!(c)).max(ready!(d)).max(multiplier_free);
                    start = start.max(ready!(b).saturating_sub(accumulator_later));
                    start = start.max(writable!(a));
                    if is_long {
                        start = start.max(writable!(b));
                    }
                    let accumulates_long = [Multiply::Umlal, Multiply::Smlal, Multiply::Smlalxy];
                    if accumulates_long.iter().any(|long| *long as u8 == kind) {
                        start = start.max(ready!(a).saturating_sub(accumulator_later));
                    }
                    let kind = Multiply::ALL[usize::from(kind)];
                    let flags = detail & FLAGS != 0;
                    let Some(times) = self.core.multiply(kind, flags) else {
                        trap!(Trap::of(FaultKind::IllegalOpcode))
                    };
                    let spent = times.cost(multiplier);
                    let accumulator =
                        if is_long { u64::from(reg!(a)) << 32 | u64::from(reg!(b)) } else { reg!(b).into() };
                    let Product { value, saturated } = product(kind, detail, reg!(c), multiplier, accumulator);
                    self.saturated |= saturated;
                    if is_long {
                        reg!(b) = value as u32;
                        reg!(a) = (value >> 32) as u32;
                        ready!(b) = start + u64::from(spent.result);
                        ready!(a) = start + u64::from(spent.result_high);
                        if flags {
                            nzcv = nzcv & (C | V) | ((value >> 63) as u32) << 3 | u32::from(value == 0) << 2;
                        }
                    } else {
                        reg!(a) = value as u32;
                        ready!(a) = start + u64::from(spent.result);
                        if flags {
                            nzcv = nzcv & (C | V) | sign_and_zero(value as u32);
                        }
                    }
                    multiplier_free = start + u64::from(spent.resource);
                    now = start + u64::from(spent.issue);
                }
                Op::Clz => {
                    let start = now.max(ready!(c)).max(writable!(a));
                    reg!(a) = reg!(c).leading_zeros();
                    ready!(a) = start + u64::from(cost.clz.result);
                    now = start + u64::from(cost.clz.issue);
                }
                Op::Saturating => {
                    let mut start = now.max(ready!(b)).max(ready!(c)).max(writable!(a));
                    if detail & 2 != 0 && b == alu_register {
                        start = start.max(alu_ready + shifted_earlier);
                    }
                    let (value, saturated) = saturating(detail, reg!(c), reg!(b));
                    self.saturated |= saturated;
                    reg!(a) = value;
                    ready!(a) = start + u64::from(cost.saturating.result);
                    now = start + u64::from(cost.saturating.issue);
                }

                Op::LdrImm | Op::LdrLiteral => load!(imm, load_word, 4, load),
                Op::LdrReg => load!(reg, load_word, 4, load),
                Op::LdrbImm => load!(imm, load_byte, 1, load_byte),
                Op::LdrbReg => load!(reg, load_byte, 1, load_byte),
                Op::LdrhImm => load!(imm, load_half, 2, load_half),
                Op::StrImm => store!(imm, store_word, 4),
                Op::StrReg => store!(reg, store_word, 4),
                Op::StrbImm => store!(imm, store_byte, 1),
                Op::StrbReg => store!(reg, store_byte, 1),
                Op::StrhImm => store!(imm, store_half, 2),

                Op::Load | Op::LoadPc => {
                    settle_pc!();
                    let (address, moved, start, extra_issue, extra_result) = any_address!();
                    let start = start.max(writable!(a));
                    let (value, size, spent) = match (detail & SIGNED, detail & SIGNED_HALF) {
                        (0, _) => (or_trap!(self.memory.load_word(address)), 4, cost.load),
                        (BYTE, _) => (or_trap!(self.memory.load_byte(address)), 1, cost.load_byte),
                        (HALF, _) => (or_trap!(self.memory.load_half(address)), 2, cost.load_half),
                        (_, 0) => (or_trap!(self.memory.load_byte(address)) as i8 as u32, 1, cost.load_signed),
                        _ => (or_trap!(self.memory.load_half(address)) as i16 as u32, 2, cost.load_signed),
                    };
                    let Delay { stall, latency } = self.system.load(address, size, start);
                    let start = start + u64::from(stall);
                    write_back!(moved, start);
                    if decoded.op == Op::LoadPc {
                        late_branch!(start + u64::from(latency), cost.load_pc.issue);
                        now += extra_issue;
                        jump!(value, if interworks { value & 1 == 1 } else { window.thumb });
                    } else {
                        reg!(a) = value;
                        ready!(a) = start + u64::from(spent.result) + extra_result + u64::from(latency);
                        now = start + u64::from(spent.issue) + extra_issue;
                        mind_stack!(a);
                    }
                }
                Op::Store => {
                    settle_pc!();
                    let (address, moved, start, extra_issue, _) = any_address!();
                    let start = start.max(ready!(a).saturating_sub(u64::from(operand_times.store_data_later)));
                    let value = reg!(a);
                    // A push below the stack's end is refused before it does harm.
                    write_back!(moved, start);
                    let (stored, size) = match detail & SIGNED {
                        BYTE => (self.memory.store_byte(address, value), 1),
                        HALF => (self.memory.store_half(address, value), 2),
                        _ => (self.memory.store_word(address, value), 4),
                    };
                    code_changed!(address, or_trap!(stored));
                    let Delay { stall, .. } = self.system.store(address, size, start);
                    now = start + u64::from(stall) + u64::from(cost.store.issue) + extra_issue;
                }

                Op::LoadMultiple => {
                    let count = imm.count_ones();
                    let (first, moved) = span(reg!(b), count, detail);
                    let mut start = now.max(ready!(b)).max(memory_free);
                    if pending_mask != 0 {
                        start = (0..PC)
                            .filter(|number| imm >> number & 1 == 1)
                            .fold(start, |start, number| start.max(ready!(number)));
                    }
                    let to_pc = imm >> PC & 1 == 1;
                    let spent = if to_pc { cost.load_multiple_pc } else { cost.load_multiple };
                    let issue = u64::from(spent.issue(count));
                    let last = u64::from(spent.result_last_after_issue);
                    write_back!(moved, start);
                    let (mut list, mut address, mut left) = (imm, first & !3, count);
                    let (mut stalls, mut target, mut latency_of_last) = (0_u64, 0, 0_u64);
                    while list != 0 {
                        let number = list.trailing_zeros() as u8;
                        list &= list - 1;
                        left -= 1;
                        let value = or_trap!(self.memory.load_word(address));
                        let at = start + stalls + u64::from(count - left - 1);
                        let Delay { stall, latency } = self.system.load(address, 4, at);
                        stalls += u64::from(stall);
                        latency_of_last = u64::from(latency);
                        address = address.wrapping_add(4);
                        if number == PC {
                            target = value;
                        } else {
                            reg!(number) = value;
                            ready!(number) =
                                start + issue + stalls + last.saturating_sub(u64::from(left)) + u64::from(latency);
                            mind_stack!(number);
                        }
                    }
                    now = start + issue + stalls;
                    if to_pc {
                        late_branch!(now, latency_of_last);
                        jump!(target, if interworks { target & 1 == 1 } else { window.thumb });
                    }
                }
                Op::StoreMultiple => {
                    settle_pc!();
                    let count = imm.count_ones();
                    let (first, moved) = span(reg!(b), count, detail);
                    if b == SP && detail & WRITEBACK != 0 && moved < self.stack_limit {
                        trap!(Trap::at(FaultKind::StackOverflow, moved));
                    }
                    let mut start = now.max(ready!(b)).max(memory_free);
                    let (mut list, mut address, mut stored) = (imm, first & !3, 0);
                    let mut stalls = 0_u64;
                    while list != 0 {
                        let number = list.trailing_zeros() as u8;
                        list &= list - 1;
                        // A register that goes later may also be ready later.
                        let wanted = ready!(number).saturating_sub(u64::from(operand_times.store_data_later) + stored);
                        start = start.max(wanted);
                        let touched = or_trap!(self.memory.store_word(address, reg!(number)));
                        code_changed!(address, touched);
                        let at = start + stalls + stored;
                        let Delay { stall, .. } = if stored == 0 {
                            self.system.store(address, 4, at)
                        } else {
                            self.system.store_on(address, 4, at)
                        };
                        stalls += u64::from(stall);
                        stored += 1;
                        address = address.wrapping_add(4);
                    }
                    write_back!(moved, start);
                    now = start + stalls + u64::from(cost.store_multiple.issue(count));
                }
                Op::LoadPair | Op::StorePair => {
                    settle_pc!();
                    let (address, moved, mut start, extra_issue, _) = any_address!();
                    let spent = if decoded.op == Op::LoadPair { cost.load_pair } else { cost.store_pair };
                    if address & 7 != 0 {
                        trap!(Trap::at(FaultKind::UnalignedAddress, address));
                    }
                    let second = address.wrapping_add(4);
                    if decoded.op == Op::LoadPair {
                        let low = or_trap!(self.memory.load_word(address));
                        let high = or_trap!(self.memory.load_word(second));
                        start = start.max(writable!(a)).max(writable!(a + 1));
                        let Delay { stall, latency } = self.system.load(address, 8, start);
                        start += u64::from(stall);
                        reg!(a) = low;
                        reg!(a + 1) = high;
                        ready!(a) = start + u64::from(spent.result) + u64::from(latency);
                        ready!(a + 1) = start + u64::from(spent.result_second) + u64::from(latency);
                        now = start + u64::from(spent.issue) + extra_issue;
                        write_back!(moved, start);
                    } else {
                        let later = u64::from(operand_times.store_data_later);
                        start = start.max(ready!(a).max(ready!(a + 1)).saturating_sub(later));
                        let values = (reg!(a), reg!(a + 1));
                        write_back!(moved, start);
                        let touched = or_trap!(self.memory.store_word(address, values.0));
                        code_changed!(address, touched);
                        let touched = or_trap!(self.memory.store_word(second, values.1));
                        code_changed!(second, touched);
                        let Delay { stall, .. } = self.system.store(address, 8, start);
                        now = start + u64::from(stall) + u64::from(spent.issue) + extra_issue;
                    }
                    memory_free = start + u64::from(spent.resource);
                }
                Op::Swap => {
                    let start = now.max(ready!(b)).max(ready!(c)).max(writable!(a)).max(memory_free);
                    let (address, new) = (reg!(b), reg!(c));
                    let (old, touched, size) = if detail & BYTE != 0 {
                        let old = or_trap!(self.memory.load_byte(address));
                        (old, or_trap!(self.memory.store_byte(address, new)), 1)
                    } else {
                        let old = or_trap!(self.memory.load_word(address));
                        (old, or_trap!(self.memory.store_word(address, new)), 4)
                    };
                    code_changed!(address, touched);
                    let loaded = self.system.load(address, size, start);
                    let waited = start + u64::from(loaded.stall) + u64::from(loaded.latency);
                    let Delay { stall, .. } = self.system.store(address, size, waited);
                    let start = waited + u64::from(stall);
                    reg!(a) = old;
                    ready!(a) = start + u64::from(cost.swap.result);
                    now = start + u64::from(cost.swap.issue);
                }
                Op::Preload => {
                    settle_pc!();
                    let (address, _, start, extra_issue, _) = any_address!();
                    let stall = self.system.preload(address, start);
                    now = start + u64::from(stall) + u64::from(cost.preload.issue) + extra_issue;
                }

                Op::Mrs => {
                    reg!(a) = nzcv << 28 | u32::from(self.saturated) << 27 | USER;
                    ready!(a) = now + u64::from(cost.mrs.result);
                    now += u64::from(cost.mrs.issue);
                }
                Op::Msr => {
                    let start = now.max(ready!(c));
                    if detail & 1 != 0 {
                        let value = if c == NONE { imm } else { reg!(c) };
                        nzcv = value >> 28;
                        self.saturated = interworks && value >> 27 & 1 == 1;
                    }
                    now = start + u64::from(cost.msr.issue);
                }

                Op::Branch => {
                    branch!();
                    jump!(imm, window.thumb);
                }
                Op::BranchLink => {
                    branch!();
                    reg!(LR) = window.address(place).wrapping_add(4);
                    ready!(LR) = now;
                    jump!(imm, false);
                }
                Op::BranchLinkExchange => {
                    branch!();
                    reg!(LR) = window.address(place).wrapping_add(4);
                    ready!(LR) = now;
                    jump!(imm, true);
                }
                Op::BranchExchange | Op::BranchLinkExchangeRegister => {
                    settle_pc!();
                    let start = now.max(ready!(c));
                    let target = reg!(c);
                    late_branch!(start, cost.branch_register.issue);
                    if decoded.op == Op::BranchLinkExchangeRegister {
                        let sequel = window.address(place + 1);
                        reg!(LR) = sequel | u32::from(window.thumb);
                        ready!(LR) = now;
                    }
                    jump!(target, target & 1 == 1);
                }
                Op::CallPrefix => {
                    reg!(LR) = imm;
                    ready!(LR) = now + alu_result;
                    now += alu_issue;
                }
                Op::CallSuffix | Op::CallSuffixExchange => {
                    now = now.max(ready!(LR));
                    branch!();
                    let target = reg!(LR).wrapping_add(imm);
                    reg!(LR) = window.address(place + 1) | 1;
                    ready!(LR) = now;
                    jump!(target, decoded.op == Op::CallSuffix);
                }
            }
            observer.retired(place, (now - began) as u32);
            place = next;
        };
        self.thumb = window.thumb;
        registers[PC as usize] = window.address(place);
        self.leave(&registers, nzcv, now);
        exit
    }

    /// Stores registers, flags and cycle count when a run ends.
    fn leave(&mut self, registers: &[u32; 32], nzcv: u32, now: u64) {
        self.registers.copy_from_slice(&registers[..16]);
        self.nzcv = nzcv;
        self.cycles = now;
    }
}

const NO_COST: super::timing::Cost = super::timing::Cost { issue: 0, result: 0 };

/// Returns the lowest address of a transfer of several registers, and the base register's value after it.
fn span(base: u32, count: u32, detail: u8) -> (u32, u32) {
    let bytes = 4 * count;
    match (detail & UP != 0, detail & BEFORE != 0) {
        (true, false) => (base, base.wrapping_add(bytes)),
        (true, true) => (base.wrapping_add(4), base.wrapping_add(bytes)),
        (false, false) => (base.wrapping_sub(bytes).wrapping_add(4), base.wrapping_sub(bytes)),
        (false, true) => (base.wrapping_sub(bytes), base.wrapping_sub(bytes)),
    }
}

struct Product {
    value: u64,
    saturated: bool,
}

/// Computes any multiplication. The upper half of the value is undefined if the result is one word.
#[inline(always)]
fn product(kind: Multiply, detail: u8, rm: u32, rs: u32, accumulator: u64) -> Product {
    let half = |value: u32, top: bool| i64::from(if top { (value >> 16) as i16 } else { value as i16 });
    let (x, y) = (half(rm, detail & TOP_M != 0), half(rs, detail & TOP_S != 0));
    let word_by_half = (i64::from(rm as i32) * y) >> 16;
    let signed = || (i64::from(rm as i32) * i64::from(rs as i32)) as u64;
    let with_flag = |product: i64| {
        let sum = product + i64::from(accumulator as i32);
        Product { value: sum as u32 as u64, saturated: i64::from(sum as i32) != sum }
    };
    let value = match kind {
        Multiply::Mul => u64::from(rm.wrapping_mul(rs)),
        Multiply::Mla => u64::from(rm.wrapping_mul(rs).wrapping_add(accumulator as u32)),
        Multiply::Umull => u64::from(rm) * u64::from(rs),
        Multiply::Umlal => (u64::from(rm) * u64::from(rs)).wrapping_add(accumulator),
        Multiply::Smull => signed(),
        Multiply::Smlal => signed().wrapping_add(accumulator),
        Multiply::Smulxy => (x * y) as u64,
        Multiply::Smlaxy => return with_flag(x * y),
        Multiply::Smulwy => word_by_half as u64,
        Multiply::Smlawy => return with_flag(word_by_half),
        Multiply::Smlalxy => accumulator.wrapping_add((x * y) as u64),
    };
    Product { value, saturated: false }
}
