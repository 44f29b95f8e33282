//! The SPARC processor: registers, semantics of every instruction, and the cycle in which each starts.

use super::decode::{self, Decoded, Op, FP, NOWHERE, O7, SP};
use super::timing::{Architecture, Core, Cost, Unit};
use super::windows::{Windows, WINDOW_WORDS};
use crate::fault::{FaultKind, Trap};
use crate::memory::{Memory, Touched};
use crate::memory_system::{Delay, MemorySystem};
use crate::observe::Observer;
use crate::predict::Branches;
use crate::processor::Exit;
use crate::program::{Program, Window};

/// Condition codes at their positions in bits 23 to 20 of the PSR.
pub const N: u32 = 8;
pub const Z: u32 = 4;
pub const V: u32 = 2;
pub const C: u32 = 1;

/// Return address of a call from outside; no memory lies there.
pub const RETURN_ADDRESS: u32 = 0xffff_fff0;

/// Place of an instruction that is still to be looked up; places shortly after it mean the same.
const UNKNOWN_PLACE: u32 = 1 << 31;

/// Bit `nzvc` of entry `condition` is set if the condition holds under these codes.
const CONDITIONS: [u16; 16] = conditions();

const fn conditions() -> [u16; 16] {
    let mut table = [0; 16];
    let mut flags = 0;
    while flags < 16 {
        let (n, z, v, c) = (flags & N != 0, flags & Z != 0, flags & V != 0, flags & C != 0);
        // Never, equal, less or equal, less, less or equal unsigned, carry, negative, overflow; then the opposites.
        let holds = [false, z, z || n != v, n != v, c || z, c, n, v];
        let mut number = 0;
        while number < 8 {
            if holds[number] {
                table[number] |= 1 << flags;
            } else {
                table[number + 8] |= 1 << flags;
            }
            number += 1;
        }
        flags += 1;
    }
    table
}

#[inline(always)]
fn sign_and_zero(value: u32) -> u32 {
    (value >> 31) << 3 | u32::from(value == 0) << 2
}

/// Returns the sum with carry and its condition codes.
#[inline(always)]
fn add(a: u32, b: u32, carry: u32) -> (u32, u32) {
    let wide = u64::from(a) + u64::from(b) + u64::from(carry);
    let sum = wide as u32;
    let overflow = ((a ^ sum) & (b ^ sum)) >> 31;
    (sum, sign_and_zero(sum) | overflow << 1 | (wide >> 32) as u32)
}

/// Returns the difference with borrow and its condition codes.
#[inline(always)]
fn subtract(a: u32, b: u32, borrow: u32) -> (u32, u32) {
    let wide = u64::from(a).wrapping_sub(u64::from(b)).wrapping_sub(u64::from(borrow));
    let difference = wide as u32;
    let overflow = ((a ^ b) & (a ^ difference)) >> 31;
    (difference, sign_and_zero(difference) | overflow << 1 | (wide >> 32) as u32 & 1)
}

/// Returns the quotient and whether it overflows, `None` for a division by zero.
fn divide(y: u32, a: u32, b: u32, signed: bool) -> Option<(u32, bool)> {
    if b == 0 {
        return None;
    }
    let dividend = u64::from(y) << 32 | u64::from(a);
    if signed {
        let quotient = i128::from(dividend as i64) / i128::from(b as i32);
        let fits = quotient.clamp(i128::from(i32::MIN), i128::from(i32::MAX));
        return Some((fits as u32, fits != quotient));
    }
    let quotient = dividend / u64::from(b);
    Some((quotient.min(u64::from(u32::MAX)) as u32, quotient > u64::from(u32::MAX)))
}

/// Returns the number of significant bits; a signed number's include one for the sign.
fn significant_bits(value: u32, signed: bool) -> u32 {
    if signed {
        33 - (value ^ (value as i32 >> 31) as u32).leading_zeros()
    } else {
        33 - value.leading_zeros()
    }
}

/// Instructions that have started, and results that are not ready.
#[derive(Clone)]
pub struct Pipeline {
    /// Earliest start of an instruction that uses each register.
    ready: [u64; 64],
    /// Earliest start of a branch that uses the condition codes.
    codes_ready: u64,
    y_ready: u64,
    /// The group that may still take instructions.
    group: OpenGroup,
    fetched_line: u32,
}

impl Default for Pipeline {
    fn default() -> Self {
        Pipeline { ready: [0; 64], codes_ready: 0, y_ready: 0, group: OpenGroup::default(), fetched_line: u32::MAX }
    }
}

#[derive(Clone, Copy, Default)]
struct OpenGroup {
    open: bool,
    start: u64,
    /// Number of instructions in the group, branches included; `without_branches` excludes them.
    all: u8,
    without_branches: u8,
    first: bool,
    second: bool,
    memory: bool,
    branch: bool,
    /// Address of the only instruction that may extend the group.
    next_pc: u32,
}

impl OpenGroup {
    /// Adds an instruction to the group; returns false if there is no room.
    fn join(&mut self, unit: Unit, width: u8, without_branches: u8) -> bool {
        let room = self.all < width && (unit == Unit::Branch || self.without_branches < without_branches);
        // Instructions go into the units in order: nothing enters the first one behind something in the second.
        let free = match unit {
            Unit::Alone => false,
            Unit::Any => !self.second,
            Unit::First => !self.first && !self.second,
            Unit::Second => !self.second,
            Unit::Memory => !self.memory,
            Unit::Branch => !self.branch,
        };
        if room && free {
            self.take(unit);
        }
        room && free
    }

    fn take(&mut self, unit: Unit) {
        self.all += 1;
        self.without_branches += u8::from(unit != Unit::Branch);
        match unit {
            Unit::Alone => self.open = false,
            Unit::Any if self.first => self.second = true,
            Unit::Any | Unit::First => self.first = true,
            Unit::Second => self.second = true,
            Unit::Memory => self.memory = true,
            Unit::Branch => self.branch = true,
        }
    }
}

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu<M> {
    /// Globals, outs, locals and ins; registers above 31 take discarded results.
    pub registers: [u32; 64],
    pub windows: Windows,
    /// Condition codes N, Z, V and C, from bit 3 to bit 0.
    pub nzvc: u32,
    pub y: u32,
    pub pc: u32,
    pub npc: u32,
    /// Whether the instruction at `pc` is annulled.
    pub annul: bool,
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    /// Lowest address the stack may use.
    pub stack_limit: u32,
    pub memory: Memory,
    pub program: Program<Decoded>,
    pub core: Core,
    pub branches: Branches,
    pub system: M,
    pub pipeline: Pipeline,
}

impl<M: MemorySystem> Cpu<M> {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory, system: M) -> Self {
        Cpu {
            registers: [0; 64],
            windows: Windows::default(),
            nzvc: 0,
            y: 0,
            pc: 0,
            npc: 4,
            annul: false,
            cycles: 0,
            stack_limit: 0,
            memory,
            program: Program::default(),
            branches: Branches::new(core.prediction.as_ref()),
            core,
            system,
            pipeline: Pipeline::default(),
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
        Ok(Some(self.program.window(address, false)))
    }

    /// Returns the word at an address, `None` where no memory is mapped.
    pub fn word(&self, address: u32) -> Option<u32> {
        let bytes = self.memory.peek(address, 4)?;
        Some(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Decodes and keeps the instruction at a place.
    #[inline(never)]
    fn decode(&mut self, address: u32, place: u32) -> Result<(), Trap> {
        let word = self.memory.code(address, 4)?.swap_bytes();
        self.memory.mark_code(address);
        self.program.keep(place, decode::decode(word, address, self.core.architecture));
        Ok(())
    }

    /// Spills the oldest window to the address in its stack pointer; returns the cycle in which that ends.
    #[inline(never)]
    fn spill(&mut self, registers: &[u32; 64], now: u64) -> Result<u64, Trap> {
        let (address, words) = self.windows.spill(&registers[..32]);
        if address % 8 != 0 {
            return Err(Trap::at(FaultKind::UnalignedAddress, address));
        }
        let mut now = now + u64::from(self.core.cost.spill);
        for (pair, values) in words.chunks_exact(2).enumerate() {
            let address = address.wrapping_add(8 * pair as u32);
            for (word, value) in values.iter().enumerate() {
                self.store(address.wrapping_add(4 * word as u32), *value)?;
            }
            now += self.double_store_time(address, now);
        }
        Ok(now)
    }

    /// Fills the window above from the address in its stack pointer; returns the cycle in which that ends.
    #[inline(never)]
    fn fill(&mut self, registers: &[u32; 64], now: u64) -> Result<u64, Trap> {
        let address = registers[FP as usize];
        if address % 8 != 0 {
            return Err(Trap::at(FaultKind::UnalignedAddress, address));
        }
        let mut words = [0; WINDOW_WORDS];
        for (number, word) in words.iter_mut().enumerate() {
            *word = self.memory.load_word(address.wrapping_add(4 * number as u32))?.swap_bytes();
        }
        let mut now = now + u64::from(self.core.cost.fill);
        for pair in 0..WINDOW_WORDS as u32 / 2 {
            let Delay { stall, latency } = self.system.load(address.wrapping_add(8 * pair), 8, now);
            now += u64::from(stall + latency) + u64::from(self.core.cost.load_double.issue);
        }
        self.windows.fill(words);
        Ok(now)
    }

    fn store(&mut self, address: u32, value: u32) -> Result<(), Trap> {
        if self.memory.store_word(address, value.swap_bytes())? == Touched::Code {
            self.program.forget(address, 4);
        }
        Ok(())
    }

    #[inline(always)]
    fn double_store_time(&mut self, address: u32, now: u64) -> u64 {
        let first = u64::from(self.system.store(address, 4, now).stall);
        let second = u64::from(self.system.store_on(address.wrapping_add(4), 4, now + first).stall);
        first + second + u64::from(self.core.cost.store_double.issue)
    }

    /// Runs until the stop, the return address of the call, a trap, or `cycle_limit` on the absolute cycle counter.
    /// After a trap the program counter names the instruction that caused it.
    pub fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        if self.core.group.is_some() {
            self.run_in::<O, true>(observer, cycle_limit)
        } else {
            self.run_in::<O, false>(observer, cycle_limit)
        }
    }

    fn run_in<O: Observer, const GROUPS: bool>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let cost = self.core.cost;
        let (width, without_branches) = self.core.group.map_or((1, 1), |group| (group.width, group.without_branches));
        let predicts = self.core.prediction.is_some();
        let mut registers = self.registers;
        let mut nzvc = self.nzvc;
        let mut y = self.y;
        let mut pipeline = self.pipeline.clone();
        let (mut pc, mut npc) = (self.pc, self.npc);
        // Earliest start of the next group.
        let mut now = self.cycles;
        if self.annul {
            self.annul = false;
            now += u64::from(cost.annulled);
            (pc, npc) = (npc, npc.wrapping_add(4));
        }
        // Of no chunk: the first instruction looks for its own.
        let mut window = Window { thumb: false, key: u32::MAX, delta: 0, shift: 2 };
        // Of the instructions at `pc` and `npc`.
        let (mut place, mut next_place) = (UNKNOWN_PLACE, UNKNOWN_PLACE);

        macro_rules! reg {
            ($number:expr) => {
                registers[($number & 63) as usize]
            };
        }
        macro_rules! ready {
            ($number:expr) => {
                pipeline.ready[($number & 63) as usize]
            };
        }

        let exit = 'run: loop {
            if now >= cycle_limit {
                break Exit::Limit;
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
            macro_rules! place_of {
                ($address:expr) => {{
                    let address: u32 = $address;
                    if window.holds(address) {
                        window.place(address)
                    } else {
                        UNKNOWN_PLACE
                    }
                }};
            }
            let Some(&decoded) = self.program.ops.get(place as usize) else {
                match or_trap!(self.enter(pc)) {
                    Some(entered) => window = entered,
                    None => break 'run Exit::Stop,
                }
                place = window.place(pc);
                next_place = place_of!(npc);
                continue;
            };
            let Decoded { op, rd, rs1, rs2, imm, .. } = decoded;
            let began = now;
            let (mut next, mut then) = ((npc, next_place), (npc.wrapping_add(4), next_place + 1));
            if M::FETCH_LINE_BYTES > 0 {
                let line = pc / M::FETCH_LINE_BYTES.max(1);
                if line != pipeline.fetched_line && (op as u8) > Op::Stop as u8 {
                    pipeline.fetched_line = line;
                    let stall = self.system.fetch(pc, now);
                    if stall > 0 {
                        now += u64::from(stall);
                        pipeline.group.open = false;
                    }
                }
            }

            // When an instruction starts whose operands are there at a time; it then issues.
            macro_rules! start {
                ($needs:expr, $cost:expr) => {{
                    let Cost { issue, unit, .. } = $cost;
                    start!($needs, u64::from(issue), unit)
                }};
                ($needs:expr, $issue:expr, $unit:expr) => {{
                    let (needs, issue, unit): (u64, u64, Unit) = ($needs, $issue, $unit);
                    if GROUPS {
                        let group = &mut pipeline.group;
                        let joined = group.open
                            && group.next_pc == pc
                            && needs <= group.start
                            && group.join(unit, width, without_branches);
                        if joined {
                            group.next_pc = pc.wrapping_add(4);
                            if issue > 1 {
                                group.open = false;
                                now = group.start + issue;
                            }
                            group.start
                        } else {
                            let start = now.max(needs);
                            *group =
                                OpenGroup { open: true, start, next_pc: pc.wrapping_add(4), ..OpenGroup::default() };
                            group.take(unit);
                            group.open &= issue == 1;
                            now = start + issue;
                            start
                        }
                    } else {
                        let start = now.max(needs);
                        now = start + issue;
                        start
                    }
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
            // The second operand: of register and immediate one is zero.
            macro_rules! second {
                () => {
                    reg!(rs2).wrapping_add(imm)
                };
            }
            macro_rules! operands_ready {
                () => {
                    ready!(rs1).max(ready!(rs2))
                };
            }
            macro_rules! result {
                ($value:expr, $ready:expr) => {{
                    reg!(rd) = $value;
                    ready!(rd) = $ready;
                    if rd == SP {
                        stack!();
                    }
                }};
            }
            // The second operand and when both are there, of a register or an immediate alone.
            macro_rules! operand {
                (reg) => {
                    (reg!(rs2), ready!(rs1).max(ready!(rs2)))
                };
                (imm) => {
                    (imm, ready!(rs1))
                };
            }
            macro_rules! plain {
                ($form:ident, $cost:ident, $function:expr) => {{
                    let (second, needs) = operand!($form);
                    let start = start!(needs, cost.$cost);
                    let function: fn(u32, u32) -> u32 = $function;
                    result!(function(reg!(rs1), second), start + u64::from(cost.$cost.result));
                }};
            }
            macro_rules! codes {
                ($start:expr, $codes:expr) => {{
                    nzvc = $codes;
                    pipeline.codes_ready = $start + u64::from(cost.condition_codes);
                }};
            }
            macro_rules! logic_codes {
                ($form:ident, $function:expr) => {{
                    let (second, needs) = operand!($form);
                    let start = start!(needs, cost.alu_cc);
                    let function: fn(u32, u32) -> u32 = $function;
                    let value = function(reg!(rs1), second);
                    codes!(start, sign_and_zero(value));
                    result!(value, start + u64::from(cost.alu_cc.result));
                }};
            }
            macro_rules! sum_codes {
                ($form:ident, $cost:ident, $function:expr) => {{
                    let (second, needs) = operand!($form);
                    let start = start!(needs, cost.$cost);
                    let function: fn(u32, u32, u32) -> (u32, u32) = $function;
                    let (value, codes) = function(reg!(rs1), second, nzvc & C);
                    codes!(start, codes);
                    result!(value, start + u64::from(cost.$cost.result));
                }};
            }
            // An overflow is set where an operand has a tag.
            macro_rules! tagged {
                ($function:expr, $traps:expr) => {{
                    let start = start!(operands_ready!(), cost.alu_tagged);
                    let (first, second) = (reg!(rs1), second!());
                    let (value, mut codes) = $function(first, second, 0);
                    if (first | second) & 3 != 0 {
                        codes |= V;
                    }
                    if $traps && codes & V != 0 {
                        trap!(Trap::of(FaultKind::IllegalOpcode));
                    }
                    codes!(start, codes);
                    result!(value, start + u64::from(cost.alu_tagged.result));
                }};
            }
            macro_rules! multiply {
                ($cost:ident, $signed:expr, $codes:expr) => {{
                    let (first, second) = (reg!(rs1), second!());
                    let cycles = cost.$cost.cycles(significant_bits(first, $signed));
                    let start = start!(operands_ready!(), cycles, Unit::Alone);
                    let product = if $signed {
                        (i64::from(first as i32) * i64::from(second as i32)) as u64
                    } else {
                        u64::from(first) * u64::from(second)
                    };
                    y = (product >> 32) as u32;
                    pipeline.y_ready = start + cycles;
                    if $codes {
                        nzvc = sign_and_zero(product as u32);
                        pipeline.codes_ready = start + cycles;
                    }
                    result!(product as u32, start + cycles);
                }};
            }
            macro_rules! divide {
                ($cost:ident, $signed:expr, $codes:expr) => {{
                    let Some((quotient, overflow)) = divide(y, reg!(rs1), second!(), $signed) else {
                        trap!(Trap::of(FaultKind::IllegalOpcode));
                    };
                    let start = start!(operands_ready!().max(pipeline.y_ready), cost.$cost);
                    if $codes {
                        nzvc = sign_and_zero(quotient) | u32::from(overflow) << 1;
                        pipeline.codes_ready = start + u64::from(cost.$cost.issue);
                    }
                    result!(quotient, start + u64::from(cost.$cost.result));
                }};
            }
            macro_rules! address {
                ($size:expr) => {{
                    let address = reg!(rs1).wrapping_add(second!());
                    let size: u32 = $size;
                    if address & (size - 1) != 0 {
                        trap!(Trap::at(FaultKind::UnalignedAddress, address));
                    }
                    address
                }};
            }
            macro_rules! load {
                ($load:ident, $size:literal, $cost:ident, $extend:expr) => {{
                    let address = address!($size);
                    let value = or_trap!(self.memory.$load(address));
                    let start = start!(operands_ready!(), cost.$cost);
                    let Delay { stall, latency } = self.system.load(address, $size, start);
                    if stall > 0 {
                        now += u64::from(stall);
                        pipeline.group.open = false;
                    }
                    let ready = start + u64::from(stall) + u64::from(cost.$cost.result) + u64::from(latency);
                    let extend: fn(u32) -> u32 = $extend;
                    result!(extend(value), ready);
                }};
            }
            macro_rules! store_start {
                ($data:expr, $cost:ident) => {{
                    let data = $data.saturating_sub(u64::from(cost.store_data_later));
                    start!(operands_ready!().max(data), cost.$cost)
                }};
            }
            macro_rules! store {
                ($store:ident, $size:literal, $cost:ident, $value:expr) => {{
                    let address = address!($size);
                    let turn: fn(u32) -> u32 = $value;
                    let touched = or_trap!(self.memory.$store(address, turn(reg!(rd))));
                    if touched == Touched::Code {
                        self.program.forget(address, 4);
                    }
                    let start = store_start!(ready!(rd), $cost);
                    let stall = self.system.store(address, $size, start).stall;
                    if stall > 0 {
                        now += u64::from(stall);
                        pipeline.group.open = false;
                    }
                }};
            }
            // A branch that is taken or not; where it goes is up to the caller.
            macro_rules! decided {
                ($taken:expr, $needs:expr) => {{
                    let right = if predicts { self.branches.decided(pc, $taken) } else { !$taken };
                    start!($needs, if right { cost.branch } else { cost.branch_refill });
                }};
            }
            // The instruction in the delay slot does nothing.
            macro_rules! annul {
                ($target:expr) => {{
                    let target: u32 = $target;
                    let there = place_of!(target);
                    if now >= cycle_limit {
                        // It is still to come.
                        self.annul = true;
                        then = (target, there);
                    } else {
                        now += u64::from(cost.annulled);
                        pipeline.group.open = false;
                        next = (target, there);
                        then = (target.wrapping_add(4), there + 1);
                    }
                }};
            }
            // Behind the delay slot the flow goes on there.
            macro_rules! go {
                ($target:expr) => {{
                    let target: u32 = $target;
                    then = (target, place_of!(target));
                }};
            }

            match op {
                Op::Undecoded => {
                    or_trap!(self.decode(pc, place));
                    continue;
                }
                Op::ChunkEnd => {
                    place = UNKNOWN_PLACE;
                    continue;
                }
                Op::Stop => break 'run Exit::Stop,
                Op::Illegal => trap!(Trap::of(FaultKind::IllegalOpcode)),

                Op::Sethi => {
                    let start = start!(0, cost.alu);
                    result!(imm, start + u64::from(cost.alu.result));
                }
                Op::Add => plain!(reg, alu, |a, b| a.wrapping_add(b)),
                Op::AddImm => plain!(imm, alu, |a, b| a.wrapping_add(b)),
                Op::And => plain!(reg, alu, |a, b| a & b),
                Op::AndImm => plain!(imm, alu, |a, b| a & b),
                Op::Or => plain!(reg, alu, |a, b| a | b),
                Op::OrImm => plain!(imm, alu, |a, b| a | b),
                Op::Xor => plain!(reg, alu, |a, b| a ^ b),
                Op::XorImm => plain!(imm, alu, |a, b| a ^ b),
                Op::Sub => plain!(reg, alu, |a, b| a.wrapping_sub(b)),
                Op::SubImm => plain!(imm, alu, |a, b| a.wrapping_sub(b)),
                Op::Andn => plain!(reg, alu, |a, b| a & !b),
                Op::AndnImm => plain!(imm, alu, |a, b| a & !b),
                Op::Orn => plain!(reg, alu, |a, b| a | !b),
                Op::OrnImm => plain!(imm, alu, |a, b| a | !b),
                Op::Xnor => plain!(reg, alu, |a, b| !(a ^ b)),
                Op::XnorImm => plain!(imm, alu, |a, b| !(a ^ b)),
                Op::Addx | Op::Subx => {
                    let start = start!(operands_ready!(), cost.alu_carry);
                    let function = if op == Op::Addx { add } else { subtract };
                    result!(function(reg!(rs1), second!(), nzvc & C).0, start + u64::from(cost.alu_carry.result));
                }
                Op::AndCc => logic_codes!(reg, |a, b| a & b),
                Op::AndCcImm => logic_codes!(imm, |a, b| a & b),
                Op::OrCc => logic_codes!(reg, |a, b| a | b),
                Op::OrCcImm => logic_codes!(imm, |a, b| a | b),
                Op::XorCc => logic_codes!(reg, |a, b| a ^ b),
                Op::XorCcImm => logic_codes!(imm, |a, b| a ^ b),
                Op::AndnCc => logic_codes!(reg, |a, b| a & !b),
                Op::AndnCcImm => logic_codes!(imm, |a, b| a & !b),
                Op::OrnCc => logic_codes!(reg, |a, b| a | !b),
                Op::OrnCcImm => logic_codes!(imm, |a, b| a | !b),
                Op::XnorCc => logic_codes!(reg, |a, b| !(a ^ b)),
                Op::XnorCcImm => logic_codes!(imm, |a, b| !(a ^ b)),
                Op::AddCc => sum_codes!(reg, alu_cc, |a, b, _| add(a, b, 0)),
                Op::AddCcImm => sum_codes!(imm, alu_cc, |a, b, _| add(a, b, 0)),
                Op::SubCc => sum_codes!(reg, alu_cc, |a, b, _| subtract(a, b, 0)),
                Op::SubCcImm => sum_codes!(imm, alu_cc, |a, b, _| subtract(a, b, 0)),
                Op::AddxCc => sum_codes!(reg, alu_carry, add),
                Op::AddxCcImm => sum_codes!(imm, alu_carry, add),
                Op::SubxCc => sum_codes!(reg, alu_carry, subtract),
                Op::SubxCcImm => sum_codes!(imm, alu_carry, subtract),
                Op::Sll => plain!(reg, shift, |a, b| a << (b & 31)),
                Op::SllImm => plain!(imm, shift, |a, b| a << (b & 31)),
                Op::Srl => plain!(reg, shift, |a, b| a >> (b & 31)),
                Op::SrlImm => plain!(imm, shift, |a, b| a >> (b & 31)),
                Op::Sra => plain!(reg, shift, |a, b| ((a as i32) >> (b & 31)) as u32),
                Op::SraImm => plain!(imm, shift, |a, b| ((a as i32) >> (b & 31)) as u32),
                Op::TaddCc => tagged!(add, false),
                Op::TsubCc => tagged!(subtract, false),
                Op::TaddCcTv => tagged!(add, true),
                Op::TsubCcTv => tagged!(subtract, true),
                Op::Umul => multiply!(multiply_unsigned, false, false),
                Op::Smul => multiply!(multiply_signed, true, false),
                Op::UmulCc => multiply!(multiply_unsigned, false, true),
                Op::SmulCc => multiply!(multiply_signed, true, true),
                Op::Udiv => divide!(divide_unsigned, false, false),
                Op::Sdiv => divide!(divide_signed, true, false),
                Op::UdivCc => divide!(divide_unsigned, false, true),
                Op::SdivCc => divide!(divide_signed, true, true),
                Op::Mulscc => {
                    // A step of the multiplication.
                    let start = start!(operands_ready!().max(pipeline.y_ready), cost.mulscc);
                    let first = reg!(rs1);
                    let sign = nzvc >> 3 ^ nzvc >> 1 & 1;
                    let addend = if y & 1 == 1 { second!() } else { 0 };
                    let (value, codes) = add(first >> 1 | sign << 31, addend, 0);
                    y = y >> 1 | first << 31;
                    pipeline.y_ready = start + u64::from(cost.mulscc.result);
                    codes!(start, codes);
                    result!(value, start + u64::from(cost.mulscc.result));
                }
                Op::ReadY => {
                    let start = start!(pipeline.y_ready, cost.read_y);
                    result!(y, start + u64::from(cost.read_y.result));
                }
                Op::WriteY => {
                    let start = start!(operands_ready!(), cost.write_y);
                    y = reg!(rs1) ^ second!();
                    pipeline.y_ready = start + u64::from(cost.write_y.result);
                }

                Op::Save => {
                    let sum = reg!(rs1).wrapping_add(second!());
                    let mut start = start!(operands_ready!(), cost.window);
                    if self.windows.can_save == 0 {
                        let done = or_trap!(self.spill(&registers, now));
                        start += done - now;
                        now = done;
                    }
                    self.windows.save(&mut registers[..32]);
                    pipeline.ready.copy_within(8..16, 24);
                    pipeline.ready[8..24].fill(0);
                    result!(sum, start + u64::from(cost.window.result));
                }
                Op::Restore => {
                    let sum = reg!(rs1).wrapping_add(second!());
                    let mut start = start!(operands_ready!(), cost.window);
                    if self.windows.can_restore == 0 {
                        let done = or_trap!(self.fill(&registers, now));
                        start += done - now;
                        now = done;
                    }
                    self.windows.restore(&mut registers[..32]);
                    pipeline.ready.copy_within(24..32, 8);
                    pipeline.ready[16..32].fill(0);
                    result!(sum, start + u64::from(cost.window.result));
                }

                Op::Ld => load!(load_word, 4, load, u32::swap_bytes),
                Op::Ldub => load!(load_byte, 1, load, |value| value),
                Op::Lduh => load!(load_half, 2, load, |value| value.swap_bytes() >> 16),
                Op::Ldsb => load!(load_byte, 1, load_signed, |value| value as i8 as u32),
                Op::Ldsh => load!(load_half, 2, load_signed, |value| (value.swap_bytes() as i32 >> 16) as u32),
                Op::Ldd => {
                    let address = address!(8);
                    let even = or_trap!(self.memory.load_word(address)).swap_bytes();
                    let odd = or_trap!(self.memory.load_word(address.wrapping_add(4))).swap_bytes();
                    let times = cost.load_double;
                    let start = start!(operands_ready!(), u64::from(times.issue), times.unit);
                    let Delay { stall, latency } = self.system.load(address, 8, start);
                    if stall > 0 {
                        now += u64::from(stall);
                        pipeline.group.open = false;
                    }
                    let arrived = start + u64::from(stall) + u64::from(latency);
                    // `%g0` stays what it is.
                    let first = if rd == 0 { NOWHERE } else { rd };
                    reg!(first) = even;
                    ready!(first) = arrived + u64::from(times.result);
                    reg!(rd + 1) = odd;
                    ready!(rd + 1) = arrived + u64::from(times.result_second);
                    if rd == SP {
                        stack!();
                    }
                }
                Op::St => store!(store_word, 4, store, u32::swap_bytes),
                Op::Stb => store!(store_byte, 1, store_narrow, |value| value),
                Op::Sth => store!(store_half, 2, store_narrow, |value| value.swap_bytes() >> 16),
                Op::Std => {
                    let address = address!(8);
                    or_trap!(self.store(address, reg!(rd)));
                    or_trap!(self.store(address.wrapping_add(4), reg!(rd + 1)));
                    let start = store_start!(ready!(rd).max(ready!(rd + 1)), store_double);
                    let stalls = self.double_store_time(address, start) - u64::from(cost.store_double.issue);
                    if stalls > 0 {
                        now += stalls;
                        pipeline.group.open = false;
                    }
                }
                Op::Ldstub | Op::Swap => {
                    let size = if op == Op::Swap { 4 } else { 1 };
                    let address = address!(size);
                    let data =
                        if op == Op::Swap { ready!(rd).saturating_sub(u64::from(cost.store_data_later)) } else { 0 };
                    let old = if op == Op::Swap {
                        let old = or_trap!(self.memory.load_word(address)).swap_bytes();
                        or_trap!(self.store(address, reg!(rd)));
                        old
                    } else {
                        let old = or_trap!(self.memory.load_byte(address));
                        if or_trap!(self.memory.store_byte(address, 0xff)) == Touched::Code {
                            self.program.forget(address, 4);
                        }
                        old
                    };
                    let times = if op == Op::Swap { cost.swap } else { cost.load_store_byte };
                    let start = start!(operands_ready!().max(data), times);
                    let Delay { stall, latency } = self.system.load(address, size, start);
                    let begun = start + u64::from(stall + latency);
                    let waits = u64::from(stall + latency) + u64::from(self.system.store(address, size, begun).stall);
                    if waits > 0 {
                        now += waits;
                        pipeline.group.open = false;
                    }
                    reg!(if rd == 0 { NOWHERE } else { rd }) = old;
                    ready!(if rd == 0 { NOWHERE } else { rd }) = start + waits + u64::from(times.result);
                    if rd == SP {
                        stack!();
                    }
                }

                Op::Branch => {
                    let taken = CONDITIONS[(decoded.condition & 15) as usize] >> nzvc & 1 == 1;
                    // "Never" asks for no condition code.
                    let needs = if decoded.condition == 0 { 0 } else { pipeline.codes_ready };
                    decided!(taken, needs);
                    if taken {
                        observer.taken(place);
                        go!(imm);
                    } else if decoded.annul {
                        annul!(npc.wrapping_add(4));
                    }
                }
                Op::BranchAlways => {
                    decided!(true, 0);
                    go!(imm);
                }
                Op::BranchAlwaysAnnul => {
                    decided!(true, 0);
                    annul!(imm);
                }
                Op::Call => {
                    let start = start!(0, cost.call);
                    reg!(O7) = pc;
                    ready!(O7) = start + u64::from(cost.call.result);
                    go!(imm);
                }
                Op::Jmpl => {
                    let target = address!(4);
                    let start = start!(operands_ready!(), cost.jmpl);
                    result!(pc, start + u64::from(cost.jmpl.result));
                    go!(target);
                }
                Op::Ticc => {
                    if CONDITIONS[(decoded.condition & 15) as usize] >> nzvc & 1 == 1 {
                        trap!(Trap::of(FaultKind::IllegalOpcode));
                    }
                    start!(pipeline.codes_ready, cost.nothing);
                }
                Op::Nothing => {
                    start!(0, cost.nothing);
                }
            }
            observer.retired(place, (now - began) as u32);
            ((pc, place), (npc, next_place)) = (next, then);
        };
        self.registers = registers;
        self.nzvc = nzvc;
        self.y = y;
        (self.pc, self.npc) = (pc, npc);
        self.pipeline = pipeline;
        self.cycles = now;
        exit
    }

    /// Empties the pipeline: the next instruction finds it idle.
    pub fn drain(&mut self) {
        self.pipeline = Pipeline::default();
    }

    /// Whether the core has the instructions of an architecture.
    pub fn has(&self, architecture: Architecture) -> bool {
        self.core.architecture >= architecture
    }
}
