//! The AVR processor: registers, data space and semantics of every instruction.

use super::alu;
use super::nvm::{Controllers, EepromAction, SpmAction};
use super::program::{Program, MAX_WORDS};
use super::runs::{with_runs, Op, Step};
use crate::bus::{Access, Attribute, Bus, FlatBus, RegionKind};
use crate::fault::{FaultKind, Trap};
use crate::observe::Observer;
use crate::processor::Exit;
use crate::profile::Profile;

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
pub struct Cpu {
    pub registers: [u8; 32],
    pub sreg: u8,
    pub sp: u16,
    /// Program counter, a word address.
    pub pc: u16,
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    /// Lowest address the stack may use.
    pub stack_limit: u16,
    /// Highest address to which code may move the stack pointer: that of the caller. Only a stack that grew below
    /// address 0 gets beyond it.
    pub stack_ceiling: u16,
    pub bus: FlatBus,
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

/// Memories at some time.
pub(super) struct Snapshot {
    pub data: Vec<u8>,
    pub nvm: Controllers,
    pub flash: Vec<u8>,
    pub flash_revision: u64,
}

impl Cpu {
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
            registers: [0; 32],
            sreg: 0,
            sp: 0,
            pc: 0,
            cycles: 0,
            stack_limit: 0,
            stack_ceiling: u16::MAX,
            bus,
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

    /// Runs until the stop, a trap, or `cycle_limit` on the absolute cycle counter. After a trap the program counter
    /// names the instruction that caused it, except after `SLEEP`, which has completed.
    pub fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let mut pc = self.pc;
        let mut cycles = self.cycles;
        let mut sreg = self.sreg;

        macro_rules! reg {
            ($index:expr) => {
                self.registers[($index & 31) as usize]
            };
        }
        macro_rules! pair {
            ($low:expr) => {
                word(reg!($low), reg!($low + 1))
            };
        }
        macro_rules! set_pair {
            ($low:expr, $value:expr) => {{
                let [low, high] = u16::to_le_bytes($value);
                reg!($low) = low;
                reg!($low + 1) = high;
            }};
        }
        // The new flags are among those of the mask.
        macro_rules! flags {
            ($mask:expr, $flags:expr) => {
                sreg = sreg & !$mask | $flags
            };
        }

        observer.began(u32::from(pc));
        let exit = 'run: {
            macro_rules! wait {
                ($wait_cycles:expr) => {{
                    let wait_cycles = $wait_cycles;
                    if wait_cycles > 0 {
                        cycles += u64::from(wait_cycles);
                        observer.waited(u32::from(pc), wait_cycles);
                    }
                }};
            }
            macro_rules! load {
                ($address:expr) => {{
                    let address: u16 = $address;
                    let value = match self.bus.plain(address) {
                        Some(value) => value,
                        None => {
                            self.sreg = sreg;
                            match self.load_special(address, cycles) {
                                Ok(access) => {
                                    wait!(access.wait_cycles);
                                    access.value
                                }
                                Err(trap) => break 'run Exit::Trap(trap),
                            }
                        }
                    };
                    observer.loaded(u32::from(pc), u32::from(address), value);
                    value
                }};
            }
            macro_rules! store {
                ($address:expr, $value:expr) => {{
                    let address: u16 = $address;
                    let value: u8 = $value;
                    if !self.bus.store_plain(address, value) {
                        self.sreg = sreg;
                        match self.store_special(observer, address, value, cycles) {
                            Ok(access) => wait!(access.wait_cycles),
                            Err(trap) => break 'run Exit::Trap(trap),
                        }
                        sreg = self.sreg;
                    }
                    observer.stored(u32::from(pc), u32::from(address), value);
                }};
            }
            macro_rules! push {
                ($value:expr) => {{
                    let sp = self.sp;
                    if sp < self.stack_limit {
                        break 'run Exit::Trap(Trap::at(FaultKind::StackOverflow, sp));
                    }
                    store!(sp, $value);
                    self.sp = sp.wrapping_sub(1);
                    observer.stack(u32::from(self.sp));
                }};
            }
            macro_rules! pop {
                () => {{
                    let sp = self.sp.wrapping_add(1);
                    let value = load!(sp);
                    self.sp = sp;
                    value
                }};
            }
            macro_rules! push_pc {
                ($return_to:expr) => {{
                    let [low, high] = u16::to_le_bytes($return_to);
                    push!(low);
                    push!(high);
                }};
            }
            macro_rules! load_program {
                ($address:expr) => {{
                    let address: u32 = $address;
                    match self.program.byte(address) {
                        Some(value) => value,
                        None => break 'run Exit::Trap(Trap::at(FaultKind::UnmappedAddress, address)),
                    }
                }};
            }

            while cycles < cycle_limit {
                let decoded = self.program.at(pc);
                let mut operands = decoded.operands;
                let mut next = pc.wrapping_add(1);
                macro_rules! jump {
                    ($sequel:expr, $target:expr) => {{
                        let sequel: u16 = $sequel;
                        next = $target;
                        observer.jumped(u32::from(sequel), u32::from(next));
                    }};
                }
                macro_rules! skip_if {
                    ($condition:expr) => {
                        if $condition {
                            let words = self.program.at(next).words;
                            jump!(next, next.wrapping_add(u16::from(words)));
                            let skipped = if words == 2 {
                                self.program.extra().skip_two_words
                            } else {
                                self.program.extra().skip_one_word
                            };
                            cycles += u64::from(skipped);
                            observer.taken(u32::from(pc));
                        }
                    };
                }
                macro_rules! branch_if {
                    ($condition:expr) => {
                        if $condition {
                            jump!(next, operands.target());
                            cycles += u64::from(self.program.extra().branch_taken);
                            observer.taken(u32::from(pc));
                        }
                    };
                }
                macro_rules! arithmetic {
                    ($mask:expr, $outcome:expr) => {{
                        let (result, new_flags) = $outcome;
                        reg!(operands.rd()) = result;
                        flags!($mask, new_flags);
                    }};
                }
                macro_rules! logic {
                    ($result:expr) => {{
                        let result: u8 = $result;
                        reg!(operands.rd()) = result;
                        flags!(alu::LOGIC, alu::logic(result));
                    }};
                }
                macro_rules! multiply {
                    ($outcome:expr) => {{
                        let (result, new_flags) = $outcome;
                        set_pair!(0, result);
                        flags!(alu::PRODUCT, new_flags);
                    }};
                }
                // A pointer register is updated before the result is written: where they are one register the
                // manual leaves the outcome open.
                macro_rules! load_stepping {
                    ($pointer:literal, $before:literal, $after:literal) => {{
                        let address = pair!($pointer).wrapping_sub($before);
                        let value = load!(address);
                        set_pair!($pointer, address.wrapping_add($after));
                        reg!(operands.rd()) = value;
                    }};
                }
                macro_rules! store_stepping {
                    ($pointer:literal, $before:literal, $after:literal) => {{
                        let address = pair!($pointer).wrapping_sub($before);
                        let value = reg!(operands.rd());
                        set_pair!($pointer, address.wrapping_add($after));
                        store!(address, value);
                    }};
                }

                // What every instruction means.
                macro_rules! execute {
                    (Add) => {
                        arithmetic!(alu::ARITHMETIC, alu::add(reg!(operands.rd()), reg!(operands.rr()), 0))
                    };
                    (Adc) => {
                        arithmetic!(alu::ARITHMETIC, alu::add(reg!(operands.rd()), reg!(operands.rr()), sreg & alu::C))
                    };
                    (Sub) => {
                        arithmetic!(alu::ARITHMETIC, alu::subtract(reg!(operands.rd()), reg!(operands.rr()), 0))
                    };
                    (Subi) => {
                        arithmetic!(alu::ARITHMETIC, alu::subtract(reg!(operands.rd()), operands.immediate(), 0))
                    };
                    (Sbc) => {
                        arithmetic!(
                            alu::ARITHMETIC,
                            alu::subtract_chained(reg!(operands.rd()), reg!(operands.rr()), sreg)
                        )
                    };
                    (Sbci) => {
                        arithmetic!(
                            alu::ARITHMETIC,
                            alu::subtract_chained(reg!(operands.rd()), operands.immediate(), sreg)
                        )
                    };
                    (Neg) => {
                        arithmetic!(alu::ARITHMETIC, alu::subtract(0, reg!(operands.rd()), 0))
                    };
                    (Com) => {
                        arithmetic!(alu::WORD, alu::complement(reg!(operands.rd())))
                    };
                    (Inc) => {
                        arithmetic!(alu::LOGIC, alu::increment(reg!(operands.rd())))
                    };
                    (Dec) => {
                        arithmetic!(alu::LOGIC, alu::decrement(reg!(operands.rd())))
                    };
                    (Cp) => {
                        flags!(alu::ARITHMETIC, alu::subtract(reg!(operands.rd()), reg!(operands.rr()), 0).1)
                    };
                    (Cpc) => {
                        flags!(alu::ARITHMETIC, alu::subtract_chained(reg!(operands.rd()), reg!(operands.rr()), sreg).1)
                    };
                    (Cpi) => {
                        flags!(alu::ARITHMETIC, alu::subtract(reg!(operands.rd()), operands.immediate(), 0).1)
                    };
                    (Adiw) => {{
                        let (result, new_flags) = alu::add_word(pair!(operands.rd()), u16::from(operands.immediate()));
                        set_pair!(operands.rd(), result);
                        flags!(alu::WORD, new_flags);
                    }};
                    (Sbiw) => {{
                        let (result, new_flags) =
                            alu::subtract_word(pair!(operands.rd()), u16::from(operands.immediate()));
                        set_pair!(operands.rd(), result);
                        flags!(alu::WORD, new_flags);
                    }};
                    (And) => {
                        logic!(reg!(operands.rd()) & reg!(operands.rr()))
                    };
                    (Andi) => {
                        logic!(reg!(operands.rd()) & operands.immediate())
                    };
                    (Or) => {
                        logic!(reg!(operands.rd()) | reg!(operands.rr()))
                    };
                    (Ori) => {
                        logic!(reg!(operands.rd()) | operands.immediate())
                    };
                    (Eor) => {
                        logic!(reg!(operands.rd()) ^ reg!(operands.rr()))
                    };
                    (Mov) => {
                        reg!(operands.rd()) = reg!(operands.rr())
                    };
                    (Movw) => {
                        set_pair!(operands.rd(), pair!(operands.rr()))
                    };
                    (Ldi) => {
                        reg!(operands.rd()) = operands.immediate()
                    };
                    (Swap) => {
                        reg!(operands.rd()) = reg!(operands.rd()).rotate_left(4)
                    };
                    (Lsr) => {
                        arithmetic!(alu::WORD, alu::shift_right(reg!(operands.rd()), 0))
                    };
                    (Ror) => {
                        arithmetic!(alu::WORD, alu::shift_right(reg!(operands.rd()), sreg << 7))
                    };
                    (Asr) => {
                        arithmetic!(alu::WORD, alu::shift_right(reg!(operands.rd()), reg!(operands.rd()) & 0x80))
                    };
                    (Mul) => {
                        multiply!(alu::product(
                            unsigned(reg!(operands.rd())).wrapping_mul(unsigned(reg!(operands.rr())))
                        ))
                    };
                    (Muls) => {
                        multiply!(alu::product(signed(reg!(operands.rd())).wrapping_mul(signed(reg!(operands.rr())))))
                    };
                    (Mulsu) => {
                        multiply!(alu::product(signed(reg!(operands.rd())).wrapping_mul(unsigned(reg!(operands.rr())))))
                    };
                    (Fmul) => {
                        multiply!(alu::fractional(
                            unsigned(reg!(operands.rd())).wrapping_mul(unsigned(reg!(operands.rr())))
                        ))
                    };
                    (Fmuls) => {
                        multiply!(alu::fractional(
                            signed(reg!(operands.rd())).wrapping_mul(signed(reg!(operands.rr())))
                        ))
                    };
                    (Fmulsu) => {
                        multiply!(alu::fractional(
                            signed(reg!(operands.rd())).wrapping_mul(unsigned(reg!(operands.rr())))
                        ))
                    };
                    (Rjmp) => {
                        jump!(next, operands.target())
                    };
                    (Jmp) => {
                        jump!(pc.wrapping_add(2), operands.target())
                    };
                    (Ijmp) => {
                        jump!(next, pair!(30))
                    };
                    (Rcall) => {{
                        push_pc!(next);
                        jump!(next, operands.target());
                    }};
                    (Call) => {{
                        push_pc!(pc.wrapping_add(2));
                        jump!(pc.wrapping_add(2), operands.target());
                    }};
                    (Icall) => {{
                        push_pc!(next);
                        jump!(next, pair!(30));
                    }};
                    (Ret) => {{
                        let high = pop!();
                        let low = pop!();
                        jump!(next, word(low, high));
                    }};
                    (Reti) => {{
                        let high = pop!();
                        let low = pop!();
                        jump!(next, word(low, high));
                        sreg |= alu::I;
                    }};
                    (Cpse) => {
                        skip_if!(reg!(operands.rd()) == reg!(operands.rr()))
                    };
                    (Sbrc) => {
                        skip_if!(reg!(operands.rd()) & operands.bit() == 0)
                    };
                    (Sbrs) => {
                        skip_if!(reg!(operands.rd()) & operands.bit() != 0)
                    };
                    (Sbic) => {
                        skip_if!(load!(operands.address()) & operands.bit() == 0)
                    };
                    (Sbis) => {
                        skip_if!(load!(operands.address()) & operands.bit() != 0)
                    };
                    (Brbs) => {
                        branch_if!(sreg & operands.flag() != 0)
                    };
                    (Brbc) => {
                        branch_if!(sreg & operands.flag() == 0)
                    };
                    (Lds) => {{
                        reg!(operands.rd()) = load!(operands.address());
                        next = pc.wrapping_add(2);
                    }};
                    (LdX) => {
                        reg!(operands.rd()) = load!(pair!(26))
                    };
                    (LdXInc) => {
                        load_stepping!(26, 0, 1)
                    };
                    (LdXDec) => {
                        load_stepping!(26, 1, 0)
                    };
                    (LddY) => {
                        reg!(operands.rd()) = load!(pair!(28).wrapping_add(u16::from(operands.displacement())))
                    };
                    (LdYInc) => {
                        load_stepping!(28, 0, 1)
                    };
                    (LdYDec) => {
                        load_stepping!(28, 1, 0)
                    };
                    (LddZ) => {
                        reg!(operands.rd()) = load!(pair!(30).wrapping_add(u16::from(operands.displacement())))
                    };
                    (LdZInc) => {
                        load_stepping!(30, 0, 1)
                    };
                    (LdZDec) => {
                        load_stepping!(30, 1, 0)
                    };
                    (Sts) => {{
                        store!(operands.address(), reg!(operands.rd()));
                        next = pc.wrapping_add(2);
                    }};
                    (StX) => {
                        store!(pair!(26), reg!(operands.rd()))
                    };
                    (StXInc) => {
                        store_stepping!(26, 0, 1)
                    };
                    (StXDec) => {
                        store_stepping!(26, 1, 0)
                    };
                    (StdY) => {
                        store!(pair!(28).wrapping_add(u16::from(operands.displacement())), reg!(operands.rd()))
                    };
                    (StYInc) => {
                        store_stepping!(28, 0, 1)
                    };
                    (StYDec) => {
                        store_stepping!(28, 1, 0)
                    };
                    (StdZ) => {
                        store!(pair!(30).wrapping_add(u16::from(operands.displacement())), reg!(operands.rd()))
                    };
                    (StZInc) => {
                        store_stepping!(30, 0, 1)
                    };
                    (StZDec) => {
                        store_stepping!(30, 1, 0)
                    };
                    (Lpm) => {
                        reg!(0) = load_program!(u32::from(pair!(30)))
                    };
                    (LpmZ) => {
                        reg!(operands.rd()) = load_program!(u32::from(pair!(30)))
                    };
                    (LpmZInc) => {{
                        let address = pair!(30);
                        let value = load_program!(u32::from(address));
                        set_pair!(30, address.wrapping_add(1));
                        reg!(operands.rd()) = value;
                    }};
                    (Elpm) => {
                        reg!(0) = load_program!(self.extended_z())
                    };
                    (ElpmZ) => {
                        reg!(operands.rd()) = load_program!(self.extended_z())
                    };
                    (ElpmZInc) => {{
                        let address = self.extended_z();
                        let value = load_program!(address);
                        self.set_extended_z(address.wrapping_add(1));
                        reg!(operands.rd()) = value;
                    }};
                    (Spm) => {
                        self.store_program(observer, next, cycles)
                    };
                    (In) => {
                        reg!(operands.rd()) = load!(operands.address())
                    };
                    (Out) => {
                        store!(operands.address(), reg!(operands.rd()))
                    };
                    (Push) => {
                        push!(reg!(operands.rd()))
                    };
                    (Pop) => {
                        reg!(operands.rd()) = pop!()
                    };
                    (Sbi) => {
                        store!(operands.address(), load!(operands.address()) | operands.bit())
                    };
                    (Cbi) => {
                        store!(operands.address(), load!(operands.address()) & !operands.bit())
                    };
                    (Bset) => {
                        sreg |= operands.flag()
                    };
                    (Bclr) => {
                        sreg &= !operands.flag()
                    };
                    (Bst) => {
                        sreg = if reg!(operands.rd()) & operands.bit() != 0 { sreg | alu::T } else { sreg & !alu::T }
                    };
                    (Bld) => {
                        reg!(operands.rd()) = if sreg & alu::T != 0 {
                            reg!(operands.rd()) | operands.bit()
                        } else {
                            reg!(operands.rd()) & !operands.bit()
                        }
                    };
                    // There is no watchdog to reset, and without a debugger BREAK does nothing either.
                    (Nop) => {{}};
                    (Wdr) => {{}};
                    (Break) => {{}};
                    (Sleep) => {{
                        pc = next;
                        break 'run Exit::Trap(Trap::of(FaultKind::Sleep));
                    }};
                }
                // On to the next instruction of a run, unless the cycles are used up.
                macro_rules! advance {
                    () => {
                        pc = next;
                        if cycles >= cycle_limit {
                            continue;
                        }
                        let decoded = self.program.at(pc);
                        operands = decoded.operands;
                        next = pc.wrapping_add(1);
                        cycles += u64::from(decoded.cycles);
                        observer.executed(u32::from(pc));
                    };
                }
                macro_rules! step {
                    (
                        operations { $($op:ident)* }
                        runs { $($run:ident $first:ident $($then:ident)+;)* }
                    ) => {
                        match decoded.step {
                            $(Step::$op => execute!($op),)*
                            $(Step::$run => {
                                execute!($first);
                                $(
                                    advance!();
                                    execute!($then);
                                )+
                            })*
                            Step::Nothing => {
                                observer.refused(u32::from(pc));
                                break 'run match decoded.op {
                                    Op::Stop => Exit::Stop,
                                    Op::Outside => Exit::Trap(Trap::at(FaultKind::UnmappedAddress, u32::from(pc) * 2)),
                                    _ => Exit::Trap(Trap::of(FaultKind::IllegalOpcode)),
                                };
                            }
                        }
                    };
                }

                cycles += u64::from(decoded.cycles);
                observer.executed(u32::from(pc));
                with_runs!(step);
                pc = next;
            }
            match self.program.at(pc).op {
                Op::Stop => Exit::Stop,
                _ => Exit::Limit,
            }
        };

        // An instruction that trapped has run as far as it got.
        let started = match exit {
            Exit::Trap(trap) if trap.kind == FaultKind::Sleep => 0,
            Exit::Trap(_) => match self.program.at(pc).op {
                Op::Illegal | Op::Outside => 0,
                _ => u32::from(self.program.at(pc).words),
            },
            Exit::Stop | Exit::Limit => 0,
        };
        observer.ended(u32::from(pc) + started);
        self.pc = pc;
        self.cycles = cycles;
        self.sreg = sreg;
        exit
    }

    /// Pushes a return address as a call instruction does, with its wait cycles.
    pub fn push_return(&mut self, return_to: u16) -> Result<(), Trap> {
        for byte in return_to.to_le_bytes() {
            if self.sp < self.stack_limit {
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
        if u32::from(stack_pointer) + 1 < u32::from(self.stack_limit) || stack_pointer > self.stack_ceiling {
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
            Attribute::Claimed => Some(self.read_claimed(address, self.cycles)),
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
                    (Some(register), _) => self.registers[register] = value,
                    (_, Some(Claim::Sreg)) => self.sreg = value,
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

    fn read_claimed(&self, address: u16, now: u64) -> u8 {
        if let Some(register) = self.register_at(address) {
            return self.registers[register];
        }
        match self.claim(address) {
            Some(Claim::Sreg) => self.sreg,
            Some(Claim::StackLow) => self.sp.to_le_bytes()[0],
            Some(Claim::StackHigh) => self.sp.to_le_bytes()[1],
            Some(Claim::Eecr) => self.nvm.read_eecr(now),
            Some(Claim::Spmcsr) => self.nvm.read_spmcsr(now),
            Some(Claim::NvmStatus) => self.nvm.read_nvm_status(now),
            Some(Claim::Rampz | Claim::Ccp | Claim::NvmCommand) | None => self.bus.bytes()[usize::from(address)],
        }
    }

    #[cold]
    #[inline(never)]
    fn load_special(&mut self, address: u16, now: u64) -> Result<Access, Trap> {
        let window_read = u32::from(self.program.extra().window_read);
        match self.bus.attribute(address) {
            Attribute::Claimed => Ok(Access { value: self.read_claimed(address, now), wait_cycles: 0 }),
            Attribute::FlashWindow | Attribute::EepromWindow => {
                let region_wait = self.bus.read(u32::from(address))?.wait_cycles;
                match self.datum(address) {
                    Some(value) => Ok(Access { value, wait_cycles: region_wait + window_read }),
                    None => Err(Trap::at(FaultKind::UnmappedAddress, address)),
                }
            }
            Attribute::Plain | Attribute::Waiting | Attribute::ReadOnly | Attribute::Fenced | Attribute::Unmapped => {
                self.bus.read(u32::from(address))
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn store_special<O: Observer>(
        &mut self,
        observer: &mut O,
        address: u16,
        value: u8,
        now: u64,
    ) -> Result<Access, Trap> {
        match self.bus.attribute(address) {
            Attribute::Claimed => self.write_claimed(observer, address, value, now),
            Attribute::EepromWindow => {
                let access = self.bus.write(u32::from(address), value)?;
                if let Some(offset) = self.window_offset(address, RegionKind::Eeprom) {
                    self.nvm.write_window(offset, value);
                }
                Ok(access)
            }
            Attribute::Plain
            | Attribute::Waiting
            | Attribute::ReadOnly
            | Attribute::Fenced
            | Attribute::FlashWindow
            | Attribute::Unmapped => self.bus.write(u32::from(address), value),
        }
    }

    fn write_claimed<O: Observer>(
        &mut self,
        observer: &mut O,
        address: u16,
        value: u8,
        now: u64,
    ) -> Result<Access, Trap> {
        let mut wait_cycles = 0;
        if let Some(register) = self.register_at(address) {
            self.registers[register] = value;
            return Ok(Access { value, wait_cycles });
        }
        match self.claim(address) {
            Some(Claim::Sreg) => self.sreg = value,
            Some(half @ (Claim::StackLow | Claim::StackHigh)) => {
                self.write_stack_half(observer, half, value, now)?;
            }
            Some(Claim::Rampz) => *self.bus.byte_mut(address) = value & self.rampz_mask,
            Some(Claim::Eecr) => wait_cycles = self.command_eeprom(value, now),
            Some(Claim::Spmcsr) => self.nvm.write_spmcsr(value, now),
            Some(Claim::Ccp) => self.nvm.write_ccp(value, now),
            Some(Claim::NvmCommand) => {
                *self.bus.byte_mut(address) = value & 7;
                self.nvm.write_nvm_command(value, now);
            }
            Some(Claim::NvmStatus) | None => {}
        }
        Ok(Access { value, wait_cycles })
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

    fn rampz(&self) -> u8 {
        let address = self.program.core().address.rampz;
        address.map_or(0, |address| self.bus.bytes()[usize::from(address)] & self.rampz_mask)
    }

    fn extended_z(&self) -> u32 {
        u32::from_le_bytes([self.registers[30], self.registers[31], self.rampz(), 0])
    }

    fn set_extended_z(&mut self, value: u32) {
        let [low, high, page, _] = value.to_le_bytes();
        self.registers[30] = low;
        self.registers[31] = high;
        if let Some(address) = self.program.core().address.rampz {
            *self.bus.byte_mut(address) = page & self.rampz_mask;
        }
    }

    #[cold]
    #[inline(never)]
    fn store_program<O: Observer>(&mut self, observer: &mut O, next: u16, now: u64) {
        if self.nvm.options.spmcsr.is_none() {
            return;
        }
        let address = self.extended_z();
        let word = u16::from_le_bytes([self.registers[0], self.registers[1]]);
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

#[inline(always)]
fn word(low: u8, high: u8) -> u16 {
    u16::from(high) << 8 | u16::from(low)
}

fn unsigned(value: u8) -> u16 {
    u16::from(value)
}

fn signed(value: u8) -> u16 {
    i16::from(value as i8) as u16
}
