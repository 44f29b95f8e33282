//! The Cortex-M processor in thread mode: registers, semantics and cycles of every instruction.

use super::decode::{
    self, alu, dsp, Decoded, Op, Packed, ALWAYS, BEFORE, BYTE, BY_REGISTER, CARRY, DOWN, FLAGS, HALF, IMMEDIATE, LR,
    MINDED, NONE, PC, SETS_CARRY, SHIFT_BY_REGISTER, SIGNED, SP, TOP, UNSIGNED, WRITEBACK,
};
use super::dsp::{multiplied, parallel, saturated, select};
use super::timers::{is_private, Timers};
use super::timing::{Architecture, Core};
use crate::arm::arithmetic::{add, processed, saturating, shift_with_carry, shifted, sign_and_zero, C, CONDITIONS, V};
use crate::fault::{FaultKind, Trap};
use crate::memory::{Memory, Touched};
use crate::memory_system::{Delay, MemorySystem};
use crate::observe::Observer;
use crate::processor::Exit;
use crate::profile::Class;
use crate::program::{Program, Window};

/// Return address of a call from outside, with the Thumb bit set; code may be fetched from there, but no memory lies
/// there.
pub const RETURN_ADDRESS: u32 = 0x1fff_fff1;

/// Stands for the register written last if there is none, or if no instruction waits for it.
const NO_REGISTER: u8 = 0x1e;
/// Stands for the register written last after a store, for which a load may wait.
const STORED: u8 = 0x1f;
/// Added to the number of the register written last if a load wrote it.
const LOADED: u8 = 0x20;

/// Special registers, by their numbers in `mrs` and `msr`.
mod special {
    pub const MSP: u32 = 8;
    pub const PSP: u32 = 9;
    pub const MSP_LIMIT: u32 = 10;
    pub const PSP_LIMIT: u32 = 11;
    pub const PRIMASK: u32 = 16;
    pub const BASEPRI: u32 = 17;
    pub const BASEPRI_MAX: u32 = 18;
    pub const FAULTMASK: u32 = 19;
    pub const CONTROL: u32 = 20;
    /// Bit of CONTROL that selects the stack pointer in use.
    pub const SPSEL: u32 = 2;
}

/// Special registers, which compiled code does not use.
#[derive(Debug, Clone, Copy, Default)]
pub struct Special {
    pub primask: u32,
    pub basepri: u32,
    pub faultmask: u32,
    pub control: u32,
    /// The stack pointer that is not in use.
    pub other_sp: u32,
    pub limits: [u32; 2],
    /// Whether an event was sent and not yet waited for.
    pub event: bool,
    /// Whether an exclusive load is open, that is, not followed by its store.
    pub exclusive: bool,
}

/// State of the instruction flow that timing rules need. It is kept in memory because a run rarely reads it and lacks
/// machine registers.
#[derive(Clone, Copy)]
struct Flow {
    /// [`MINDED`] if the flow did not arrive in a straight line and this matters.
    behind_jump: u32,
    /// Address of the halfword before the last one fetched.
    fetched: u32,
    /// Place of the previous instruction.
    before: u32,
    /// Cycle in which the previous instruction began, after its waits for a product and as the first of a run; after a
    /// jump, the cycle in which it ended.
    began: u64,
}

impl Flow {
    /// State before the first fetch; `fetches` tells whether instructions wait for fetches.
    const fn start(fetches: bool) -> Flow {
        Flow { behind_jump: if fetches { MINDED } else { 0 }, fetched: u32::MAX, before: u32::MAX, began: u64::MAX }
    }
}

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu<M> {
    /// Registers r0 to r15; r15 is valid only between runs.
    pub registers: [u32; 16],
    /// Flags N, Z, C and V, from bit 3 to bit 0.
    pub nzcv: u32,
    /// The sticky overflow flag Q.
    pub saturated: bool,
    /// Flags GE of parallel sums, one bit per byte.
    pub greater_or_equal: u32,
    pub special: Special,
    /// Whether the flow went to an address without the Thumb bit.
    pub left_thumb: bool,
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    /// Lowest address the stack may use.
    pub stack_limit: u32,
    pub memory: Memory,
    pub timers: Timers,
    pub program: Program<Packed>,
    pub core: Core,
    pub system: M,
    flow: Flow,
}

/// Whether an address is not a multiple of `size`, a power of two.
#[inline(always)]
fn unaligned(address: u32, size: u32) -> bool {
    address & (size - 1) != 0
}

/// Returns the number of factors with more than sixteen significant bits.
fn wide_factors(a: u32, b: u32) -> usize {
    usize::from(a >> 16 != 0) + usize::from(b >> 16 != 0)
}

/// Whether a condition fails. It is not inlined, so that instructions without a condition do not prepare its operands.
#[inline(never)]
fn fails(condition: u8, nzcv: u32) -> bool {
    CONDITIONS[(condition & 15) as usize] >> nzcv & 1 == 0
}

/// Packs an instruction for the program; `row_bytes` is the number of bytes fetched at once, 0 if no instruction waits
/// for fetches.
fn minded(decoded: &Decoded, address: u32, row_bytes: u32, load_use: bool) -> Packed {
    let begins_row = |half: u32| half < u32::from(decoded.halves) && address.wrapping_add(2 * half) % row_bytes == 0;
    let fetches = row_bytes > 0 && (begins_row(0) || begins_row(1));
    Packed::from(*decoded).minded(fetches || load_use && decoded.reads != 0)
}

impl<M: MemorySystem> Cpu<M> {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory, system: M) -> Self {
        Cpu {
            registers: [0; 16],
            nzcv: 0,
            saturated: false,
            greater_or_equal: 0,
            special: Special::default(),
            left_thumb: false,
            cycles: 0,
            stack_limit: 0,
            memory,
            timers: Timers::new(core.counters),
            program: Program::default(),
            core,
            system,
            flow: Flow::start(false),
        }
    }

    /// Returns the code window of a jump target, or `None` if the target is the return address of the call.
    #[inline(never)]
    fn enter(&mut self, address: u32) -> Result<Option<Window>, Trap> {
        if address == RETURN_ADDRESS & !1 {
            return Ok(None);
        }
        if self.memory.region(address).is_none() {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        Ok(Some(self.program.window(address, true)))
    }

    fn decoded_at(&mut self, address: u32, condition: Option<u8>) -> Result<Decoded, Trap> {
        let first = self.memory.code(address, 2)?;
        let next = address.wrapping_add(2);
        let decoded = {
            let has = |feature| self.core.has(feature);
            decode::decode(first, || self.memory.code(next, 2), address, condition, has)?
        };
        self.memory.mark_code(address);
        if decoded.halves == 2 {
            self.memory.mark_code(next);
        }
        Ok(decoded)
    }

    /// Decodes the instruction at a place and, if it is an `it`, the instructions it rules.
    #[inline(never)]
    fn decode(&mut self, window: &Window, place: u32) -> Result<Decoded, Trap> {
        let address = window.address(place);
        let decoded = self.decoded_at(address, None)?;
        let row_bytes = self.system.fetch_line_bytes();
        let load_use = self.core.cost.load_use > 0;
        if decoded.op == Op::IfThen {
            let conditions = decode::conditions_of(self.memory.code(address, 2)?).unwrap_or_default();
            let mut next = address.wrapping_add(2);
            for condition in conditions {
                let ruled = self.decoded_at(next, Some(condition))?;
                let window = self.program.window(next, true);
                let slot = &mut self.program.ops[window.place(next) as usize];
                if slot.code != Op::Stop {
                    *slot = minded(&ruled, next, row_bytes, load_use);
                }
                next = next.wrapping_add(2 * u32::from(ruled.halves));
            }
        }
        let mut packed = minded(&decoded, address, row_bytes, load_use);
        if decoded.halves == 2 && self.begins_run(address) {
            packed = packed.beginning_run();
        }
        self.program.keep(place, packed);
        Ok(decoded)
    }

    /// Whether a 32-bit instruction and the two after it are all 32 bits long and lie at no multiple of four.
    fn begins_run(&mut self, address: u32) -> bool {
        if self.core.cost.unaligned_run == 0 || address & 2 == 0 {
            return false;
        }
        let behind = [4, 8].map(|offset| address.wrapping_add(offset));
        let is_run = behind.iter().all(|&next| self.memory.code(next, 2).is_ok_and(decode::is_wide));
        if is_run {
            behind.iter().for_each(|&next| self.memory.mark_code(next));
        }
        is_run
    }

    /// Returns the cycles that a store waits for the multiplication right before it.
    #[cold]
    #[inline(never)]
    fn stored_product(&self, op: Packed) -> u64 {
        let before = self.program.ops[self.flow.before as usize];
        let made = |number: u8| number == before.rd() || before.is_long_product() && number == before.extra();
        u64::from(self.core.cost.product_store)
            * u64::from(made(op.rd()) || op.code == Op::StorePair && made(op.extra()))
    }

    /// Returns the cycles that a multiplication waits for the long multiplication right before it.
    #[cold]
    #[inline(never)]
    fn multiplied_product(&self, op: Packed) -> u64 {
        let before = self.program.ops[self.flow.before as usize];
        let made = |number: u8| number == before.rd() || number == before.extra();
        let waits = before.is_long_product() && (made(op.rn()) || made(op.rm()));
        u64::from(self.core.cost.long_product_factor) * u64::from(waits)
    }

    /// Returns the cycles that the alignment of its target adds to a branch.
    #[inline(always)]
    fn target_cycles(&mut self, window: &Window, place: u32, address: u32) -> u64 {
        if address & 2 == 0 || self.core.cost.target_unaligned_wide == 0 {
            return 0;
        }
        let target = self.program.ops[place as usize];
        let halves = if target.code == Op::Undecoded {
            // If nothing lies there, its own turn will tell.
            self.decode(window, place).map_or(1, |decoded| decoded.halves)
        } else {
            target.halves()
        };
        u64::from(halves - 1) * u64::from(self.core.cost.target_unaligned_wide)
    }

    /// Returns the cycles that an instruction across two rows waits for the first row.
    #[cold]
    #[inline(never)]
    fn fetch_first(&mut self, address: u32, now: u64) -> u64 {
        u64::from(self.system.fetch(address, now))
    }

    /// Loads from an unaligned address, from the core's own registers, or from a page for the first time; returns the
    /// value and the cycles added.
    #[cold]
    #[inline(never)]
    fn load_elsewhere(&mut self, address: u32, size: u32, now: u64) -> Result<(u32, u64), Trap> {
        if unaligned(address, size) {
            return self.load_unaligned(address, size);
        }
        let loaded = match size {
            4 => self.memory.load_word(address),
            2 => self.memory.load_half(address),
            _ => self.memory.load_byte(address),
        };
        match loaded {
            Err(Trap { kind: FaultKind::UnmappedAddress, .. }) if is_private(address) => {
                Ok((self.timers.load(address, size, now)?, 0))
            }
            answered => Ok((answered?, 0)),
        }
    }

    /// Stores to an unaligned address, to code, to the core's own registers, or to a page for the first time; returns
    /// the cycles added.
    #[cold]
    #[inline(never)]
    fn store_elsewhere(&mut self, address: u32, size: u32, value: u32, now: u64) -> Result<u64, Trap> {
        if unaligned(address, size) {
            return self.store_unaligned(address, size, value);
        }
        let stored = match size {
            4 => self.memory.store_word(address, value),
            2 => self.memory.store_half(address, value),
            _ => self.memory.store_byte(address, value),
        };
        match stored {
            Err(Trap { kind: FaultKind::UnmappedAddress, .. }) if is_private(address) => {
                self.timers.store(address, size, value, now)?;
            }
            touched => {
                if touched? == Touched::Code {
                    self.program.forget(address, 4);
                }
            }
        }
        Ok(0)
    }

    /// Returns the cycles that an unaligned access adds; refuses it if the core does.
    fn unaligned_cycles(&self, address: u32, size: u32) -> Result<u64, Trap> {
        if self.core.architecture == Architecture::Armv6M {
            return Err(Trap::at(FaultKind::UnalignedAddress, address));
        }
        let cost = &self.core.cost;
        Ok(u64::from(match (size, address & 1) {
            (2, _) => cost.unaligned_half,
            (_, 0) => cost.unaligned_word,
            _ => cost.unaligned_word_odd,
        }))
    }

    fn load_unaligned(&mut self, address: u32, size: u32) -> Result<(u32, u64), Trap> {
        let cycles = self.unaligned_cycles(address, size)?;
        let mut value = 0;
        for byte in 0..size {
            value |= self.memory.load_byte(address.wrapping_add(byte))? << (8 * byte);
        }
        Ok((value, cycles))
    }

    fn store_unaligned(&mut self, address: u32, size: u32, value: u32) -> Result<u64, Trap> {
        let cycles = self.unaligned_cycles(address, size)?;
        // All of it lies somewhere, or nothing is written.
        let last = address.wrapping_add(size - 1);
        if self.memory.region(last).is_none() {
            return Err(Trap::at(FaultKind::UnmappedAddress, last));
        }
        for byte in 0..size {
            let place = address.wrapping_add(byte);
            if self.memory.store_byte(place, value >> (8 * byte))? == Touched::Code {
                self.program.forget(place, 1);
            }
        }
        Ok(cycles)
    }

    /// Runs until the stop, a trap, or `cycle_limit` on the absolute cycle counter. After a trap the program counter
    /// names the instruction that caused it.
    pub fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let mut window = match self.enter(self.registers[PC as usize]) {
            Ok(Some(window)) => window,
            Ok(None) => return Exit::Stop,
            Err(trap) => return Exit::Trap(trap),
        };
        let mut place = window.thumb_place(self.registers[PC as usize]) as usize;
        // Numbers above 15 are sources and results that are not there; no number in eight bits lies beyond.
        let mut registers = [0_u32; 256];
        registers[..16].copy_from_slice(&self.registers);
        let mut nzcv = self.nzcv;
        let mut now = self.cycles;
        // What the instruction before wrote: a register, or one with LOADED.
        let mut last = NO_REGISTER;
        // Where the instruction behind a multiplication is that somebody may wait for.
        let mut behind_product = usize::MAX;
        let minds_products = self.core.cost.product_store > 0 || self.core.cost.long_product_factor > 0;
        self.flow = Flow::start(M::FETCH_LINE_BYTES > 0);
        let row_mask = if M::FETCH_LINE_BYTES > 0 { !(self.system.fetch_line_bytes() - 1) } else { 0 };
        let cost = self.core.cost;
        let alu_cycles = u64::from(cost.alu);
        let (load, load_pipelined) = (u64::from(cost.load), u64::from(cost.load_pipelined));
        let address_dependency = u64::from(cost.address_dependency);
        let load_use = u64::from(cost.load_use);
        let store_before_load = u64::from(cost.store_before_load);
        let mut counting = self.timers.counts_overheads();

        macro_rules! reg {
            ($number:expr) => {
                registers[$number as usize]
            };
        }

        let exit = 'run: loop {
            if now >= cycle_limit {
                break Exit::Limit;
            }
            let Some(&op) = self.program.ops.get(place) else {
                break Exit::Trap(Trap::at(FaultKind::UnmappedAddress, window.thumb_address(place as u32)));
            };
            let imm = op.imm;
            let began = now;
            let mut flow_began = began;
            let mut next = place + usize::from(op.halves());
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
            macro_rules! leave_for {
                ($target:expr, $outcome:expr) => {{
                    observer.retired(place as u32, (now - began) as u32);
                    registers[PC as usize] = $target;
                    self.leave(&registers, nzcv, now);
                    return $outcome;
                }};
            }
            // The flow goes to an even address.
            macro_rules! jump {
                ($target:expr) => {{
                    let target: u32 = $target;
                    if M::FETCH_LINE_BYTES > 0 {
                        self.flow.behind_jump = MINDED;
                        self.flow.fetched = window.thumb_address(next as u32).wrapping_sub(2);
                    }
                    if op.condition() != ALWAYS {
                        observer.taken(place as u32);
                    }
                    if !window.holds(target) {
                        match self.enter(target) {
                            Ok(Some(entered)) => window = entered,
                            Ok(None) => leave_for!(target, Exit::Stop),
                            Err(trap) => leave_for!(target, Exit::Trap(trap)),
                        }
                    }
                    next = window.thumb_place(target) as usize;
                    now += self.target_cycles(&window, next as u32, target);
                    last = NO_REGISTER;
                    behind_product = usize::MAX;
                    flow_began = now;
                }};
            }
            // To an address whose lowest bit must say that Thumb code lies there.
            macro_rules! exchange {
                ($target:expr) => {{
                    let target: u32 = $target;
                    if target & 1 == 0 {
                        self.left_thumb = true;
                        leave_for!(target, Exit::Trap(Trap::of(FaultKind::IllegalOpcode)));
                    }
                    jump!(target & !1);
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
            macro_rules! mind_stack {
                ($number:expr) => {
                    if $number == SP {
                        stack!();
                    }
                };
            }
            macro_rules! carry {
                () => {
                    nzcv >> 1 & 1
                };
            }
            macro_rules! operand {
                (imm) => {
                    imm
                };
                (reg) => {
                    reg!(op.rm())
                };
                (shift) => {
                    shifted(reg!(op.rm()), imm, op.extra())
                };
            }
            macro_rules! result {
                ($value:expr) => {{
                    reg!(op.rd()) = $value;
                    last = op.rd();
                    now += alu_cycles;
                }};
            }
            macro_rules! plain {
                ($form:ident, $function:expr) => {{
                    let function: fn(u32, u32) -> u32 = $function;
                    result!(function(reg!(op.rn()), operand!($form)));
                }};
            }
            macro_rules! logic_flags {
                ($form:ident, $function:expr) => {{
                    let function: fn(u32, u32) -> u32 = $function;
                    let result = function(reg!(op.rn()), operand!($form));
                    nzcv = nzcv & (C | V) | sign_and_zero(result);
                    logic_flags!(@carry $form);
                    result!(result);
                }};
                (@carry imm) => {
                    if op.detail() & SETS_CARRY != 0 {
                        nzcv = nzcv & !C | u32::from(op.detail() >> 7) << 1;
                    }
                };
                (@carry reg) => {};
            }
            macro_rules! shift_flags {
                ($carry:expr, $result:expr) => {{
                    let (carry, result) = ($carry, $result);
                    nzcv = nzcv & V | sign_and_zero(result) | (carry & 1) << 1;
                    result!(result);
                }};
            }
            macro_rules! sum_flags {
                ($form:ident, $function:expr) => {{
                    let function: fn(u32, u32, u32) -> (u32, u32) = $function;
                    let (result, flags) = function(reg!(op.rn()), operand!($form), carry!());
                    nzcv = flags;
                    result!(result);
                }};
            }
            // Waits for an address made of the result before, or for a store.
            macro_rules! wait_for_address {
                ($wait_for_store:expr) => {
                    if last == op.rn() || last == op.rm() {
                        now += address_dependency;
                    } else if last == STORED {
                        now += $wait_for_store;
                    }
                };
            }
            // The same, and the cycles of the access itself.
            macro_rules! transfer_cycles {
                ($alone:expr, $behind_load:expr) => {
                    transfer_cycles!($alone, $behind_load, 0)
                };
                ($alone:expr, $behind_load:expr, $wait_for_store:expr) => {{
                    if last >= LOADED {
                        let loaded = last & 0x1f;
                        if loaded != op.rn() && loaded != op.rm() {
                            $behind_load
                        } else {
                            $alone
                        }
                    } else {
                        wait_for_address!($wait_for_store);
                        $alone
                    }
                }};
            }
            macro_rules! read {
                ($load:ident, $size:literal, $address:expr) => {{
                    let address: u32 = $address;
                    match self.memory.$load(address) {
                        Some(value) => value,
                        None => {
                            let (value, cycles) = or_trap!(self.load_elsewhere(address, $size, now));
                            now += cycles;
                            value
                        }
                    }
                }};
            }
            macro_rules! write {
                ($store:ident, $size:literal, $address:expr, $value:expr) => {{
                    let (address, value): (u32, u32) = ($address, $value);
                    if !self.memory.$store(address, value) {
                        now += or_trap!(self.store_elsewhere(address, $size, value, now));
                        counting = self.timers.counts_overheads();
                    }
                }};
            }
            macro_rules! quick_address {
                (imm) => {
                    reg!(op.rn()).wrapping_add(imm)
                };
                (reg) => {
                    reg!(op.rn()).wrapping_add(reg!(op.rm()) << (op.extra() & 31))
                };
            }
            // Waiting for the product made right before is no part of what an instruction itself takes.
            macro_rules! wait_for_product {
                ($wait:ident) => {
                    if place == behind_product {
                        let cycles = self.$wait(op);
                        now += cycles;
                        flow_began += cycles;
                    }
                };
            }
            macro_rules! load {
                ($form:ident, $load:ident, $size:literal) => {{
                    let address = quick_address!($form);
                    let cycles = transfer_cycles!(load, load_pipelined, store_before_load);
                    reg!(op.rd()) = read!($load, $size, address);
                    let Delay { stall, .. } = self.system.load(address, $size, now);
                    now += cycles + u64::from(stall);
                    last = op.rd() | LOADED;
                }};
            }
            macro_rules! store {
                ($form:ident, $store:ident, $size:literal) => {{
                    let address = quick_address!($form);
                    let cycles = transfer_cycles!(store!(@alone $form), store!(@pipelined $form));
                    wait_for_product!(stored_product);
                    write!($store, $size, address, reg!(op.rd()));
                    let Delay { stall, .. } = self.system.store(address, $size, now);
                    now += u64::from(cycles) + u64::from(stall);
                    last = STORED;
                }};
                (@alone imm) => {
                    cost.store
                };
                (@alone reg) => {
                    cost.store_register
                };
                (@pipelined imm) => {
                    cost.store
                };
                (@pipelined reg) => {
                    cost.store_register_pipelined
                };
            }
            // Address of any load or store of one or two registers, and the base it leaves.
            macro_rules! any_address {
                () => {{
                    let offset = if op.detail() & BY_REGISTER == 0 { imm } else { reg!(op.rm()) << (op.extra() & 31) };
                    let moved = reg!(op.rn()).wrapping_add(offset);
                    (if op.detail() & BEFORE != 0 { moved } else { reg!(op.rn()) }, moved)
                }};
            }
            macro_rules! write_back {
                ($moved:expr) => {
                    if op.detail() & WRITEBACK != 0 {
                        reg!(op.rn()) = $moved;
                        mind_stack!(op.rn());
                    }
                };
            }
            macro_rules! aligned {
                ($address:expr, $size:expr) => {
                    if unaligned($address, $size) {
                        trap!(Trap::at(FaultKind::UnalignedAddress, $address));
                    }
                };
            }
            macro_rules! behind_product {
                () => {
                    wait_for_product!(multiplied_product);
                    if minds_products {
                        behind_product = next;
                    }
                };
            }
            macro_rules! product {
                ($value:expr, $cycles:expr) => {{
                    behind_product!();
                    reg!(op.rd()) = $value;
                    last = op.rd();
                    now += u64::from($cycles);
                }};
            }
            macro_rules! long_product {
                ($value:expr, $cycles:expr) => {{
                    behind_product!();
                    let value: u64 = $value;
                    reg!(op.extra()) = value as u32;
                    reg!(op.rd()) = (value >> 32) as u32;
                    last = op.rd();
                    now += $cycles;
                }};
            }
            macro_rules! long_accumulator {
                () => {
                    u64::from(reg!(op.rd())) << 32 | u64::from(reg!(op.extra()))
                };
            }
            macro_rules! signed_product {
                () => {
                    (i64::from(reg!(op.rn()) as i32) * i64::from(reg!(op.rm()) as i32)) as u64
                };
            }
            macro_rules! magnitudes {
                () => {
                    wide_factors((reg!(op.rn()) as i32).unsigned_abs(), (reg!(op.rm()) as i32).unsigned_abs())
                };
            }

            if op.is_minded(self.flow.behind_jump) {
                if M::FETCH_LINE_BYTES > 0 && (op.code as u8) > Op::Stop as u8 {
                    // In a straight line the row before the last half was fetched by now.
                    let last_half = window.thumb_address(next as u32).wrapping_sub(2);
                    let mut fetches = true;
                    if self.flow.behind_jump != 0 {
                        self.flow.behind_jump = 0;
                        let fetched = self.flow.fetched & row_mask;
                        let (first, row) = (window.thumb_address(place as u32), last_half & row_mask);
                        fetches = row != fetched;
                        if fetches && first & row_mask != row && first & row_mask != fetched {
                            now += self.fetch_first(first, now);
                        }
                    }
                    if fetches {
                        now += u64::from(self.system.fetch(last_half, now));
                    }
                }
                if op.begins_run() && began.saturating_sub(self.flow.began) > 1 {
                    now += u64::from(cost.unaligned_run);
                    flow_began = now;
                }
                if load_use > 0 && last >= LOADED && op.reads >> (last & 15) & 1 == 1 {
                    now += load_use;
                }
                if op.condition() != ALWAYS && fails(op.condition(), nzcv) {
                    now += u64::from(cost.skipped);
                    last = NO_REGISTER;
                    observer.skipped(place as u32);
                    observer.retired(place as u32, (now - began) as u32);
                    self.flow.before = place as u32;
                    self.flow.began = began;
                    place = next;
                    continue;
                }
            }

            match op.code {
                Op::Undecoded => {
                    or_trap!(self.decode(&window, place as u32));
                    continue;
                }
                Op::ChunkEnd => {
                    let address = window.thumb_address(place as u32);
                    match or_trap!(self.enter(address)) {
                        Some(entered) => {
                            window = entered;
                            let entry = window.thumb_place(address) as usize;
                            if behind_product == place {
                                behind_product = entry;
                            }
                            place = entry;
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
                Op::AddImm => plain!(imm, |a, b| a.wrapping_add(b)),
                Op::AddReg => plain!(reg, |a, b| a.wrapping_add(b)),
                Op::AddShift => plain!(shift, |a, b| a.wrapping_add(b)),
                Op::AdcReg => result!(reg!(op.rn()).wrapping_add(reg!(op.rm())).wrapping_add(carry!())),
                Op::SbcReg => result!(reg!(op.rn()).wrapping_add(!reg!(op.rm())).wrapping_add(carry!())),
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

                Op::AndsImm => logic_flags!(imm, |a, b| a & b),
                Op::AndsReg => logic_flags!(reg, |a, b| a & b),
                Op::EorsImm => logic_flags!(imm, |a, b| a ^ b),
                Op::EorsReg => logic_flags!(reg, |a, b| a ^ b),
                Op::SubsImm => sum_flags!(imm, |a, b, _| add(a, !b, 1)),
                Op::SubsReg => sum_flags!(reg, |a, b, _| add(a, !b, 1)),
                Op::RsbsImm => sum_flags!(imm, |a, b, _| add(b, !a, 1)),
                Op::AddsImm => sum_flags!(imm, |a, b, _| add(a, b, 0)),
                Op::AddsReg => sum_flags!(reg, |a, b, _| add(a, b, 0)),
                Op::AdcsReg => sum_flags!(reg, add),
                Op::SbcsReg => sum_flags!(reg, |a, b, c| add(a, !b, c)),
                Op::OrrsImm => logic_flags!(imm, |a, b| a | b),
                Op::OrrsReg => logic_flags!(reg, |a, b| a | b),
                Op::MovsImm => logic_flags!(imm, |_, b| b),
                Op::MovsReg => logic_flags!(reg, |_, b| b),
                Op::MovsLsl => {
                    shift_flags!(reg!(op.rm()) >> (32 - u32::from(op.extra() & 31)), reg!(op.rm()) << (op.extra() & 31))
                }
                Op::MovsLsr => {
                    shift_flags!(reg!(op.rm()) >> (u32::from(op.extra() & 31) - 1), reg!(op.rm()) >> (op.extra() & 31))
                }
                Op::MovsAsr => shift_flags!(
                    reg!(op.rm()) >> (u32::from(op.extra() & 31) - 1),
                    ((reg!(op.rm()) as i32) >> (op.extra() & 31)) as u32
                ),
                Op::BicsReg => logic_flags!(reg, |a, b| a & !b),
                Op::MvnsReg => logic_flags!(reg, |_, b| !b),

                Op::Alu => {
                    let carry_in = nzcv & C != 0;
                    let (value, carry) = if op.detail() & SHIFT_BY_REGISTER != 0 {
                        shift_with_carry(reg!(op.rm()), imm, reg!(op.extra()) & 0xff, carry_in)
                    } else if op.extra() == IMMEDIATE {
                        (imm, if op.detail() & SETS_CARRY != 0 { op.detail() & CARRY != 0 } else { carry_in })
                    } else {
                        shift_with_carry(reg!(op.rm()), imm, u32::from(op.extra()), carry_in)
                    };
                    let (result, flags) = if op.detail() & 0x0f == alu::ORN {
                        processed(alu::ORR, reg!(op.rn()), !value, nzcv, carry)
                    } else {
                        processed(op.detail() & 0x0f, reg!(op.rn()), value, nzcv, carry)
                    };
                    if op.detail() & FLAGS != 0 {
                        nzcv = flags;
                    }
                    result!(result);
                    mind_stack!(op.rd());
                }

                Op::MovTop => result!(reg!(op.rd()) & 0xffff | imm << 16),
                Op::ExtractSigned => {
                    let (lowest, width) = (imm & 31, u32::from(op.extra()));
                    result!((((reg!(op.rm()) << (32 - lowest - width)) as i32) >> (32 - width)) as u32)
                }
                Op::ExtractUnsigned => {
                    let (lowest, width) = (imm & 31, u32::from(op.extra()));
                    result!((reg!(op.rm()) << (32 - lowest - width)) >> (32 - width))
                }
                Op::Insert => result!(reg!(op.rd()) & !imm | reg!(op.rm()) << (op.extra() & 31) & imm),
                Op::Saturate => {
                    let value = reg!(op.rm()) as i32;
                    let value =
                        if op.detail() & TOP != 0 { value >> (op.extra() & 31) } else { value << (op.extra() & 31) };
                    let (value, over) = saturated(i64::from(value), imm, op.detail() & UNSIGNED != 0);
                    self.saturated |= over;
                    result!(value)
                }
                Op::Saturate16 => {
                    let unsigned = op.detail() & UNSIGNED != 0;
                    let (low, low_over) = saturated(i64::from(reg!(op.rm()) as i16), imm, unsigned);
                    let (high, high_over) = saturated(i64::from((reg!(op.rm()) >> 16) as i16), imm, unsigned);
                    self.saturated |= low_over || high_over;
                    result!(high << 16 | low & 0xffff)
                }
                Op::ExtendByteSigned => {
                    result!(reg!(op.rn()).wrapping_add(reg!(op.rm()).rotate_right(u32::from(op.extra())) as i8 as u32))
                }
                Op::ExtendByte => {
                    result!(reg!(op.rn()).wrapping_add(reg!(op.rm()).rotate_right(u32::from(op.extra())) & 0xff))
                }
                Op::ExtendHalfSigned => {
                    result!(reg!(op.rn()).wrapping_add(reg!(op.rm()).rotate_right(u32::from(op.extra())) as i16 as u32))
                }
                Op::ExtendHalf => {
                    result!(reg!(op.rn()).wrapping_add(reg!(op.rm()).rotate_right(u32::from(op.extra())) & 0xffff))
                }
                Op::ExtendBytes => {
                    let turned = reg!(op.rm()).rotate_right(u32::from(op.extra()));
                    let extended =
                        |byte: u32| if op.detail() & UNSIGNED != 0 { byte & 0xff } else { byte as i8 as u32 };
                    let low = reg!(op.rn()).wrapping_add(extended(turned)) & 0xffff;
                    let high = (reg!(op.rn()) >> 16).wrapping_add(extended(turned >> 16));
                    result!(high << 16 | low)
                }
                Op::Pack => {
                    let top = op.detail() & TOP != 0;
                    let (value, other) = (reg!(op.rm()), reg!(op.rn()));
                    result!(if top {
                        let value = (i64::from(value as i32) >> (op.extra() & 63)) as u32;
                        other & 0xffff_0000 | value & 0xffff
                    } else {
                        (value << (op.extra() & 31)) & 0xffff_0000 | other & 0xffff
                    })
                }
                Op::Parallel => {
                    let (value, flags) = parallel(op.detail(), reg!(op.rn()), reg!(op.rm()), self.greater_or_equal);
                    self.greater_or_equal = flags;
                    result!(value)
                }
                Op::Select => result!(select(reg!(op.rn()), reg!(op.rm()), self.greater_or_equal)),
                Op::Saturating => {
                    // A32 numbers the difference first and the doubling second.
                    let kind = op.detail() >> 1 | (op.detail() & 1) << 1;
                    let (value, over) = saturating(kind, reg!(op.rm()), reg!(op.rn()));
                    self.saturated |= over;
                    result!(value)
                }
                Op::Reverse => result!(reg!(op.rm()).swap_bytes()),
                Op::ReverseHalves => result!(reg!(op.rm()).swap_bytes().rotate_right(16)),
                Op::ReverseSigned => result!((reg!(op.rm()) as u16).swap_bytes() as i16 as u32),
                Op::ReverseBits => result!(reg!(op.rm()).reverse_bits()),
                Op::Clz => result!(reg!(op.rm()).leading_zeros()),

                Op::Multiply => product!(reg!(op.rn()).wrapping_mul(reg!(op.rm())), cost.multiply),
                Op::MultiplyFlags => {
                    let value = reg!(op.rn()).wrapping_mul(reg!(op.rm()));
                    nzcv = nzcv & (C | V) | sign_and_zero(value);
                    product!(value, cost.multiply)
                }
                Op::MultiplyAdd => {
                    product!(
                        reg!(op.extra()).wrapping_add(reg!(op.rn()).wrapping_mul(reg!(op.rm()))),
                        cost.multiply_add
                    )
                }
                Op::MultiplySubtract => {
                    product!(
                        reg!(op.extra()).wrapping_sub(reg!(op.rn()).wrapping_mul(reg!(op.rm()))),
                        cost.multiply_add
                    )
                }
                Op::LongUnsigned => {
                    let cycles = self.core.long[wide_factors(reg!(op.rn()), reg!(op.rm()))];
                    long_product!(u64::from(reg!(op.rn())) * u64::from(reg!(op.rm())), cycles)
                }
                Op::LongSigned => {
                    let cycles = self.core.long[magnitudes!()];
                    long_product!(signed_product!(), cycles)
                }
                Op::LongAddUnsigned => {
                    let cycles = self.core.long_add_unsigned[wide_factors(reg!(op.rn()), reg!(op.rm()))];
                    let product = u64::from(reg!(op.rn())) * u64::from(reg!(op.rm()));
                    long_product!(product.wrapping_add(long_accumulator!()), cycles)
                }
                Op::LongAddSigned => {
                    let cycles = self.core.long_add_signed[magnitudes!()];
                    long_product!(signed_product!().wrapping_add(long_accumulator!()), cycles)
                }
                Op::LongAddTwice => {
                    let product = u64::from(reg!(op.rn())) * u64::from(reg!(op.rm()));
                    long_product!(
                        product + u64::from(reg!(op.rd())) + u64::from(reg!(op.extra())),
                        u64::from(cost.multiply_dsp)
                    )
                }
                Op::Dsp => {
                    let is_long = op.detail() & 0x0f >= dsp::LONG_HALVES;
                    let accumulator = if is_long { long_accumulator!() } else { u64::from(reg!(op.extra())) };
                    let (value, over) = multiplied(op.detail(), reg!(op.rn()), reg!(op.rm()), accumulator);
                    self.saturated |= over;
                    if is_long {
                        long_product!(value, u64::from(cost.multiply_dsp))
                    } else {
                        product!(value as u32, cost.multiply_dsp)
                    }
                }
                Op::DivideSigned => {
                    let (dividend, divisor) = (reg!(op.rn()) as i32, reg!(op.rm()) as i32);
                    let cycles = self.core.divide_cycles(dividend.unsigned_abs(), divisor.unsigned_abs());
                    reg!(op.rd()) = if divisor == 0 { 0 } else { dividend.wrapping_div(divisor) as u32 };
                    last = op.rd();
                    now += cycles;
                }
                Op::DivideUnsigned => {
                    let (dividend, divisor) = (reg!(op.rn()), reg!(op.rm()));
                    let cycles = self.core.divide_cycles(dividend, divisor);
                    reg!(op.rd()) = dividend.checked_div(divisor).unwrap_or(0);
                    last = op.rd();
                    now += cycles;
                }

                Op::LdrImm | Op::LdrLiteral => load!(imm, quick_word, 4),
                Op::LdrReg => load!(reg, quick_word, 4),
                Op::LdrbImm => load!(imm, quick_byte, 1),
                Op::LdrbReg => load!(reg, quick_byte, 1),
                Op::LdrhImm => load!(imm, quick_half, 2),
                Op::LdrhReg => load!(reg, quick_half, 2),
                Op::StrImm => store!(imm, store_quick_word, 4),
                Op::StrReg => store!(reg, store_quick_word, 4),
                Op::StrbImm => store!(imm, store_quick_byte, 1),
                Op::StrbReg => store!(reg, store_quick_byte, 1),
                Op::StrhImm => store!(imm, store_quick_half, 2),
                Op::StrhReg => store!(reg, store_quick_half, 2),

                Op::Load | Op::LoadPc => {
                    let (address, moved) = any_address!();
                    let cycles = transfer_cycles!(load, load_pipelined, store_before_load);
                    let (value, size) = match op.detail() & (BYTE | HALF | SIGNED) {
                        0 => (read!(quick_word, 4, address), 4),
                        BYTE => (read!(quick_byte, 1, address), 1),
                        HALF => (read!(quick_half, 2, address), 2),
                        kind if kind & BYTE != 0 => (read!(quick_byte, 1, address) as i8 as u32, 1),
                        _ => (read!(quick_half, 2, address) as i16 as u32, 2),
                    };
                    let Delay { stall, .. } = self.system.load(address, size, now);
                    now += u64::from(stall);
                    write_back!(moved);
                    if op.code == Op::LoadPc {
                        now += u64::from(cost.load_pc);
                        exchange!(value);
                    } else {
                        reg!(op.rd()) = value;
                        now += cycles;
                        last = op.rd() | LOADED;
                        mind_stack!(op.rd());
                    }
                }
                Op::Store => {
                    let (address, moved) = any_address!();
                    let cycles = transfer_cycles!(cost.store, cost.store);
                    wait_for_product!(stored_product);
                    let value = reg!(op.rd());
                    // A push below the stack's end is refused before it does harm.
                    write_back!(moved);
                    let size = match op.detail() & (BYTE | HALF) {
                        BYTE => {
                            write!(store_quick_byte, 1, address, value);
                            1
                        }
                        HALF => {
                            write!(store_quick_half, 2, address, value);
                            2
                        }
                        _ => {
                            write!(store_quick_word, 4, address, value);
                            4
                        }
                    };
                    let Delay { stall, .. } = self.system.store(address, size, now);
                    now += u64::from(cycles) + u64::from(stall);
                    last = STORED;
                }

                Op::LoadMultiple => {
                    let count = imm.count_ones();
                    let base = reg!(op.rn());
                    let (first, moved) = span(base, count, op.detail());
                    aligned!(first, 4);
                    let to_pc = imm >> PC & 1 == 1;
                    let own = if to_pc { cost.load_multiple.base_pc } else { cost.load_multiple.base };
                    wait_for_address!(store_before_load);
                    write_back!(moved);
                    let (mut list, mut address, mut target) = (imm, first, 0);
                    while list != 0 {
                        let number = list.trailing_zeros() as u8;
                        list &= list - 1;
                        let value = read!(quick_word, 4, address);
                        let Delay { stall, .. } = self.system.load(address, 4, now);
                        now += 1 + u64::from(stall);
                        address = address.wrapping_add(4);
                        if number == PC {
                            target = value;
                        } else {
                            reg!(number) = value;
                        }
                    }
                    now += u64::from(own);
                    last = NO_REGISTER;
                    if to_pc {
                        exchange!(target);
                    }
                }
                Op::StoreMultiple => {
                    let count = imm.count_ones();
                    let (first, moved) = span(reg!(op.rn()), count, op.detail());
                    aligned!(first, 4);
                    if op.rn() == SP && op.detail() & WRITEBACK != 0 && moved < self.stack_limit {
                        trap!(Trap::at(FaultKind::StackOverflow, moved));
                    }
                    wait_for_address!(0);
                    let (mut list, mut address) = (imm, first);
                    while list != 0 {
                        let number = list.trailing_zeros() as u8;
                        list &= list - 1;
                        write!(store_quick_word, 4, address, reg!(number));
                        let Delay { stall, .. } = self.system.store_on(address, 4, now);
                        now += 1 + u64::from(stall);
                        address = address.wrapping_add(4);
                    }
                    write_back!(moved);
                    now += u64::from(cost.store_multiple.base);
                    last = STORED;
                }
                Op::LoadPair | Op::StorePair => {
                    let (address, moved) = any_address!();
                    aligned!(address, 4);
                    let second = address.wrapping_add(4);
                    let own = if op.code == Op::LoadPair {
                        wait_for_address!(store_before_load);
                        let low = read!(quick_word, 4, address);
                        let high = read!(quick_word, 4, second);
                        let first_wait = self.system.load(address, 4, now).stall;
                        now += 1 + u64::from(first_wait);
                        now += 1 + u64::from(self.system.load(second, 4, now).stall);
                        write_back!(moved);
                        reg!(op.rd()) = low;
                        reg!(op.extra()) = high;
                        cost.load_multiple.base
                    } else {
                        wait_for_address!(0);
                        wait_for_product!(stored_product);
                        let (low, high) = (reg!(op.rd()), reg!(op.extra()));
                        write_back!(moved);
                        write!(store_quick_word, 4, address, low);
                        write!(store_quick_word, 4, second, high);
                        now += 1 + u64::from(self.system.store(address, 4, now).stall);
                        now += 1 + u64::from(self.system.store_on(second, 4, now).stall);
                        cost.store_multiple.base
                    };
                    now += u64::from(own);
                    last = if op.code == Op::StorePair { STORED } else { NO_REGISTER };
                }
                Op::LoadExclusive => {
                    let address = reg!(op.rn()).wrapping_add(imm);
                    aligned!(address, u32::from(op.detail()));
                    let cycles = transfer_cycles!(load, load_pipelined, store_before_load);
                    reg!(op.rd()) = match op.detail() {
                        4 => read!(quick_word, 4, address),
                        2 => read!(quick_half, 2, address),
                        _ => read!(quick_byte, 1, address),
                    };
                    self.special.exclusive = true;
                    now += cycles + u64::from(self.system.load(address, u32::from(op.detail()), now).stall);
                    last = op.rd() | LOADED;
                }
                Op::StoreExclusive => {
                    let address = reg!(op.rn()).wrapping_add(imm);
                    aligned!(address, u32::from(op.detail()));
                    let cycles = transfer_cycles!(load, load_pipelined);
                    let done = std::mem::take(&mut self.special.exclusive);
                    if done {
                        match op.detail() {
                            4 => write!(store_quick_word, 4, address, reg!(op.extra())),
                            2 => write!(store_quick_half, 2, address, reg!(op.extra())),
                            _ => write!(store_quick_byte, 1, address, reg!(op.extra())),
                        }
                        now += u64::from(self.system.store(address, u32::from(op.detail()), now).stall);
                    }
                    reg!(op.rd()) = u32::from(!done);
                    now += cycles;
                    last = op.rd() | LOADED;
                }
                Op::ClearExclusive => {
                    self.special.exclusive = false;
                    now += u64::from(cost.hint);
                    last = NO_REGISTER;
                }

                Op::TableBranch => {
                    let base = if op.rn() == NONE { imm } else { reg!(op.rn()) };
                    if last == op.rn() || last == op.rm() {
                        now += address_dependency;
                    }
                    let (branch, size) = if op.detail() == 1 {
                        (read!(quick_byte, 1, base.wrapping_add(reg!(op.rm()))), 1)
                    } else {
                        (read!(quick_half, 2, base.wrapping_add(reg!(op.rm()) << 1)), 2)
                    };
                    now += u64::from(self.system.load(base, size, now).stall);
                    now += u64::from(cost.branch_table);
                    jump!(window.thumb_address(place as u32).wrapping_add(4 + 2 * branch));
                }
                Op::Branch => {
                    now += u64::from(cost.branch);
                    jump!(imm);
                }
                Op::BranchLink => {
                    now += u64::from(cost.branch_link);
                    reg!(LR) = window.thumb_address(next as u32) | 1;
                    jump!(imm);
                }
                Op::BranchZero => {
                    if (reg!(op.rn()) == 0) == (op.detail() == 0) {
                        now += u64::from(cost.branch_zero);
                        if op.condition() == ALWAYS {
                            observer.taken(place as u32);
                        }
                        jump!(imm);
                    } else {
                        now += u64::from(cost.skipped);
                        last = NO_REGISTER;
                    }
                }
                Op::BranchExchange => {
                    now += u64::from(cost.branch_register);
                    exchange!(reg!(op.rm()));
                }
                Op::BranchLinkExchange => {
                    now += u64::from(cost.branch_link_register);
                    let target = reg!(op.rm());
                    reg!(LR) = imm;
                    exchange!(target);
                }
                Op::BranchAdd => {
                    now += u64::from(cost.branch_register);
                    let target = reg!(op.rm()).wrapping_add(imm);
                    jump!(target & !1);
                }

                Op::IfThen => {
                    now += u64::from(if self.flow.before.wrapping_add(1) == place as u32 {
                        cost.it_folded
                    } else {
                        cost.it
                    });
                }
                Op::Mrs => {
                    let value = self.special_register(imm, nzcv, reg!(SP));
                    result!(value);
                    now += u64::from(cost.status) - alu_cycles;
                    mind_stack!(op.rd());
                }
                Op::Msr => {
                    let value = reg!(op.rm());
                    if imm < 4 {
                        if op.detail() & 2 != 0 {
                            nzcv = value >> 28;
                            self.saturated = value >> 27 & 1 == 1;
                        }
                        if op.detail() & 1 != 0 && self.core.dsp {
                            self.greater_or_equal = value >> 16 & 15;
                        }
                    } else {
                        reg!(SP) = self.set_special_register(imm, value, reg!(SP));
                        if matches!(imm, special::MSP | special::PSP | special::CONTROL) {
                            stack!();
                        }
                    }
                    now += u64::from(cost.status);
                    last = NO_REGISTER;
                }
                Op::ChangeState => {
                    let disabled = u32::from(op.detail());
                    if imm & 2 != 0 {
                        self.special.primask = disabled;
                    }
                    if imm & 1 != 0 {
                        self.special.faultmask = disabled;
                    }
                    now += u64::from(cost.change_state);
                    last = NO_REGISTER;
                }
                Op::Barrier => {
                    now += u64::from(cost.barrier);
                    last = NO_REGISTER;
                }
                Op::Nop => {
                    now += u64::from(cost.hint);
                    last = NO_REGISTER;
                }
                Op::SendEvent => {
                    self.special.event = true;
                    now += u64::from(cost.hint);
                    last = NO_REGISTER;
                }
                Op::WaitEvent if std::mem::take(&mut self.special.event) => {
                    now += u64::from(cost.hint);
                    last = NO_REGISTER;
                }
                Op::WaitEvent | Op::WaitInterrupt => trap!(Trap::of(FaultKind::Sleep)),
                Op::TestTarget => {
                    // Readable and writable, of no region of a protection unit.
                    result!(0x000c_0000);
                }
            }
            observer.retired(place as u32, (now - began) as u32);
            if counting {
                let class = self.program.ops[place].class;
                let is_transfer = matches!(class, Class::Load | Class::Store | Class::Stack);
                self.timers.spent(now - began, is_transfer);
            }
            self.flow.before = place as u32;
            self.flow.began = flow_began;
            place = next;
        };
        registers[PC as usize] = window.thumb_address(place as u32);
        self.leave(&registers, nzcv, now);
        exit
    }

    /// Stores registers, flags and cycle count when a run ends.
    fn leave(&mut self, registers: &[u32; 256], nzcv: u32, now: u64) {
        self.registers.copy_from_slice(&registers[..16]);
        self.nzcv = nzcv;
        self.cycles = now;
    }

    /// Returns a special register; `stack_pointer` is the one in use.
    fn special_register(&self, number: u32, nzcv: u32, stack_pointer: u32) -> u32 {
        let special = &self.special;
        let process = special.control & special::SPSEL != 0;
        match number {
            0..=3 => nzcv << 28 | u32::from(self.saturated) << 27 | self.greater_or_equal << 16,
            special::MSP => {
                if process {
                    special.other_sp
                } else {
                    stack_pointer
                }
            }
            special::PSP => {
                if process {
                    stack_pointer
                } else {
                    special.other_sp
                }
            }
            special::MSP_LIMIT => special.limits[0],
            special::PSP_LIMIT => special.limits[1],
            special::PRIMASK => special.primask,
            special::BASEPRI | special::BASEPRI_MAX => special.basepri,
            special::FAULTMASK => special.faultmask,
            special::CONTROL => special.control,
            _ => 0,
        }
    }

    /// Sets a special register that holds no flags; returns the stack pointer to use from now on.
    fn set_special_register(&mut self, number: u32, value: u32, stack_pointer: u32) -> u32 {
        let special = &mut self.special;
        let process = special.control & special::SPSEL != 0;
        match number {
            special::MSP | special::PSP if (number == special::PSP) == process => return value & !3,
            special::MSP | special::PSP => special.other_sp = value & !3,
            special::MSP_LIMIT => special.limits[0] = value & !7,
            special::PSP_LIMIT => special.limits[1] = value & !7,
            special::PRIMASK => special.primask = value & 1,
            special::BASEPRI => special.basepri = value & 0xff,
            special::BASEPRI_MAX => {
                let value = value & 0xff;
                if value != 0 && (special.basepri == 0 || value < special.basepri) {
                    special.basepri = value;
                }
            }
            special::FAULTMASK => special.faultmask = value & 1,
            special::CONTROL => {
                special.control = value & 3;
                if (value & special::SPSEL != 0) != process {
                    return std::mem::replace(&mut special.other_sp, stack_pointer);
                }
            }
            _ => {}
        }
        stack_pointer
    }
}

/// Returns the lowest address of a transfer of several registers, and the base register's value after it.
fn span(base: u32, count: u32, detail: u8) -> (u32, u32) {
    let bytes = 4 * count;
    if detail & DOWN != 0 {
        (base.wrapping_sub(bytes), base.wrapping_sub(bytes))
    } else {
        (base, base.wrapping_add(bytes))
    }
}
