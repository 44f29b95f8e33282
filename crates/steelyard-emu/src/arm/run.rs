//! The flow of a program: one instruction after the other, what it does by [`super::exec`], and when by
//! [`super::pipeline`].

use super::cpu::Cpu;
use super::decode::{
    alu, long_result, Decoded, Op, ALWAYS, BEFORE, BYTE, BY_REGISTER, CARRY, FLAGS, HALF, IMMEDIATE, LR, LSL, NONE, PC,
    RRX, SETS_CARRY, SHIFT_BY_REGISTER, SIGNED, SIGNED_HALF, SP, WRITEBACK,
};
use super::exec;
use super::pipeline::{Extra, Pipeline, Ready};
use super::timing::{Architecture, Cost, Costs, Multiply};
use crate::fault::{FaultKind, Trap};
use crate::memory::Touched;
use crate::memory_system::MemorySystem;
use crate::observe::{Cause, Leak, Observer};
use crate::processor::{Exit, Instructions, Processor};
use crate::program::Window;
use crate::reach::Reach;
use crate::value::{Held, HeldWord, Value};
use crate::waits::Waits;

/// Mode bits that `mrs` reads in user mode.
const USER: u32 = 0x10;

/// Registers of a run. Numbers above 15 are sources and results that are not there.
type Registers<W> = [W; 32];

/// Why the flow does not go on to the next instruction.
enum End {
    /// The instruction was not executed; the one at the same place is, now that it is decoded.
    Again,
    /// The instruction was not executed.
    Before(Exit),
    /// The instruction jumped to an address at which the run ends.
    Behind(u32, bool, Exit),
}

impl From<Trap> for End {
    #[inline(always)]
    fn from(trap: Trap) -> Self {
        End::Before(Exit::Trap(trap))
    }
}

/// The second operand of a frequent form of data processing.
#[derive(Clone, Copy)]
enum Form {
    Immediate,
    Register,
    Shifted,
}

/// Where the flow is, and its flags.
struct Flow<W> {
    window: Window,
    place: u32,
    /// Place of the instruction that follows.
    next: u32,
    /// Flags N, Z, C and V, from bit 3 to bit 0.
    nzcv: W,
    /// Registers whose data may still be on their way, where secrets are followed and loads go on under a miss.
    awaited: u32,
}

impl<M: MemorySystem, W: HeldWord> Cpu<M, W> {
    /// Runs until the stop, a trap, or `cycle_limit` on the absolute cycle counter. After a trap the program
    /// counter still names the instruction that caused it.
    pub fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let first = self.registers[usize::from(PC)].plain();
        let window = match self.enter(first, self.thumb) {
            Ok(Some(window)) => window,
            Ok(None) => return Exit::Stop,
            Err(trap) => return Exit::Trap(trap),
        };
        let place = window.place(first);
        let mut flow = Flow { window, place, next: place, nzcv: self.nzcv, awaited: 0 };
        let mut registers = [W::of(0); 32];
        registers[..16].copy_from_slice(&self.registers);
        let mut ready: Ready = [0; 32];
        let cost = self.core.cost;
        let mut pipeline = Pipeline::new(&cost, &self.core, &mut ready, self.cycles);
        let mut waits = Waits::default();
        let exit = loop {
            if pipeline.now >= cycle_limit {
                break Exit::Limit;
            }
            let Some(&decoded) = self.program.ops.get(flow.place as usize) else {
                break Exit::Trap(Trap::at(FaultKind::UnmappedAddress, flow.window.address(flow.place)));
            };
            let began = pipeline.now;
            flow.next = flow.place + 1;
            if M::FETCH_LINE_BYTES > 0 && (decoded.op as u8) > Op::Stop as u8 {
                let address = flow.window.address(flow.place);
                pipeline.fetch(&mut self.system, address);
                waits.fetch::<O, M>(&self.system, address, pipeline.now - began);
            }
            let (registers, pipeline, flow, waits) = (&mut registers, &mut pipeline, &mut flow, &mut waits);
            let mut step =
                Step { cpu: self, observer, registers, pipeline, flow, waits, cost: &cost, decoded: &decoded };
            let reach = if !W::PLAIN && decoded.condition != ALWAYS { step.reach() } else { None };
            let skipped = decoded.condition != ALWAYS && step.fails();
            let end = if skipped { step.skip() } else { step.execute() };
            if !W::PLAIN && self.goes_on_under_misses && !skipped {
                flow.awaited = decoded.awaited(flow.awaited);
            }
            if let (Some(reach), Ok(()) | Err(End::Behind(..))) = (reach, &end) {
                reach.hide(registers, &mut flow.nzcv, &self.memory, &mut self.beside);
                self.saturated = if decoded.op == Op::Saturating { self.saturated.hidden(1) } else { self.saturated };
            }
            match end {
                Ok(()) => {}
                Err(End::Again) => continue,
                Err(End::Before(exit)) => break exit,
                Err(End::Behind(target, thumb, exit)) => {
                    waits.tell(observer, flow.place);
                    if O::DETAILS {
                        observer.ends(flow.place, registers[usize::from(SP)].plain(), || {
                            self.executed(flow.place as usize)
                        });
                    }
                    observer.retired(flow.place, (pipeline.now - began) as u32);
                    flow.window = Window { thumb, shift: if thumb { 1 } else { 2 }, ..flow.window };
                    flow.place = flow.window.place(target);
                    break exit;
                }
            }
            waits.tell(observer, flow.place);
            if O::DETAILS {
                observer.ends(flow.place, registers[usize::from(SP)].plain(), || self.executed(flow.place as usize));
            }
            observer.retired(flow.place, (pipeline.now - began) as u32);
            flow.place = flow.next;
        };
        self.thumb = flow.window.thumb;
        registers[usize::from(PC)] = W::of(flow.window.address(flow.place));
        self.registers.copy_from_slice(&registers[..16]);
        self.nzcv = flow.nzcv;
        self.cycles = pipeline.now;
        exit
    }
}

/// An instruction under way, with all that it works on.
struct Step<'a, 'p, M, W: Held, O> {
    cpu: &'a mut Cpu<M, W>,
    observer: &'a mut O,
    registers: &'a mut Registers<W>,
    pipeline: &'a mut Pipeline<'p>,
    flow: &'a mut Flow<W>,
    waits: &'a mut Waits,
    cost: &'a Costs,
    decoded: &'a Decoded,
}

impl<M: MemorySystem, W: HeldWord, O: Observer> Step<'_, '_, M, W, O> {
    #[inline(always)]
    fn execute(mut self) -> Result<(), End> {
        use Form::{Immediate, Register, Shifted};
        let cost = self.cost;
        match self.decoded.op {
            Op::Undecoded => {
                self.cpu.decode(&self.flow.window, self.flow.place)?;
                Err(End::Again)
            }
            Op::ChunkEnd => self.next_chunk(),
            Op::Stop => Err(End::Before(Exit::Stop)),
            Op::Illegal => Err(Trap::of(FaultKind::IllegalOpcode).into()),

            Op::Alu | Op::AluPc => self.process_any(),
            Op::Multiply => self.multiply(),
            Op::Clz => self.clz(),
            Op::Saturating => self.saturate(),

            Op::LdrImm | Op::LdrLiteral => self.load(Form::Immediate, 4, cost.load),
            Op::LdrReg => self.load(Form::Register, 4, cost.load),
            Op::LdrbImm => self.load(Form::Immediate, 1, cost.load_byte),
            Op::LdrbReg => self.load(Form::Register, 1, cost.load_byte),
            Op::LdrhImm => self.load(Form::Immediate, 2, cost.load_half),
            Op::StrImm => self.store(Form::Immediate, 4),
            Op::StrReg => self.store(Form::Register, 4),
            Op::StrbImm => self.store(Form::Immediate, 1),
            Op::StrbReg => self.store(Form::Register, 1),
            Op::StrhImm => self.store(Form::Immediate, 2),
            Op::Load | Op::LoadPc => self.load_any(),
            Op::Store => self.store_any(),
            Op::LoadMultiple => self.load_multiple(),
            Op::StoreMultiple => self.store_multiple(),
            Op::LoadPair => self.load_pair(),
            Op::StorePair => self.store_pair(),
            Op::Swap => self.swap(),
            Op::Preload => self.preload(),

            Op::Mrs => self.read_status(),
            Op::Msr => self.write_status(),

            Op::Branch => self.branch(None, self.flow.window.thumb),
            Op::BranchLink => self.branch(Some(LR), false),
            Op::BranchLinkExchange => self.branch(Some(LR), true),
            Op::BranchExchange | Op::BranchLinkExchangeRegister => self.branch_register(),
            Op::CallPrefix => self.call_prefix(),
            Op::CallSuffix | Op::CallSuffixExchange => self.call_suffix(),

            Op::AndImm => self.process(Immediate, alu::AND),
            Op::AndReg => self.process(Register, alu::AND),
            Op::AndShift => self.process(Shifted, alu::AND),
            Op::EorImm => self.process(Immediate, alu::EOR),
            Op::EorReg => self.process(Register, alu::EOR),
            Op::EorShift => self.process(Shifted, alu::EOR),
            Op::SubImm => self.process(Immediate, alu::SUB),
            Op::SubReg => self.process(Register, alu::SUB),
            Op::SubShift => self.process(Shifted, alu::SUB),
            Op::RsbImm => self.process(Immediate, alu::RSB),
            Op::RsbReg => self.process(Register, alu::RSB),
            Op::RsbShift => self.process(Shifted, alu::RSB),
            Op::AddImm => self.process(Immediate, alu::ADD),
            Op::AddReg => self.process(Register, alu::ADD),
            Op::AddShift => self.process(Shifted, alu::ADD),
            Op::AdcImm => self.process(Immediate, alu::ADC),
            Op::AdcReg => self.process(Register, alu::ADC),
            Op::AdcShift => self.process(Shifted, alu::ADC),
            Op::SbcImm => self.process(Immediate, alu::SBC),
            Op::SbcReg => self.process(Register, alu::SBC),
            Op::SbcShift => self.process(Shifted, alu::SBC),
            Op::RscImm => self.process(Immediate, alu::RSC),
            Op::RscReg => self.process(Register, alu::RSC),
            Op::RscShift => self.process(Shifted, alu::RSC),
            Op::OrrImm => self.process(Immediate, alu::ORR),
            Op::OrrReg => self.process(Register, alu::ORR),
            Op::OrrShift => self.process(Shifted, alu::ORR),
            Op::MovImm => self.process(Immediate, alu::MOV),
            Op::MovReg => self.process(Register, alu::MOV),
            Op::MovShift => self.process(Shifted, alu::MOV),
            Op::BicImm => self.process(Immediate, alu::BIC),
            Op::BicReg => self.process(Register, alu::BIC),
            Op::BicShift => self.process(Shifted, alu::BIC),
            Op::MvnImm => self.process(Immediate, alu::MVN),
            Op::MvnReg => self.process(Register, alu::MVN),
            Op::MvnShift => self.process(Shifted, alu::MVN),

            Op::AndsImm | Op::TstImm => self.process_logic(Immediate, alu::AND),
            Op::AndsReg | Op::TstReg => self.process_logic(Register, alu::AND),
            Op::EorsImm | Op::TeqImm => self.process_logic(Immediate, alu::EOR),
            Op::EorsReg | Op::TeqReg => self.process_logic(Register, alu::EOR),
            Op::SubsImm | Op::CmpImm => self.process_sum(Immediate, alu::SUB),
            Op::SubsReg | Op::CmpReg => self.process_sum(Register, alu::SUB),
            Op::RsbsImm => self.process_sum(Immediate, alu::RSB),
            Op::RsbsReg => self.process_sum(Register, alu::RSB),
            Op::AddsImm | Op::CmnImm => self.process_sum(Immediate, alu::ADD),
            Op::AddsReg | Op::CmnReg => self.process_sum(Register, alu::ADD),
            Op::AdcsImm => self.process_sum(Immediate, alu::ADC),
            Op::AdcsReg => self.process_sum(Register, alu::ADC),
            Op::SbcsImm => self.process_sum(Immediate, alu::SBC),
            Op::SbcsReg => self.process_sum(Register, alu::SBC),
            Op::RscsImm => self.process_sum(Immediate, alu::RSC),
            Op::RscsReg => self.process_sum(Register, alu::RSC),
            Op::OrrsImm => self.process_logic(Immediate, alu::ORR),
            Op::OrrsReg => self.process_logic(Register, alu::ORR),
            Op::MovsImm => self.process_logic(Immediate, alu::MOV),
            Op::MovsReg => self.process_logic(Register, alu::MOV),
            Op::BicsImm => self.process_logic(Immediate, alu::BIC),
            Op::BicsReg => self.process_logic(Register, alu::BIC),
            Op::MvnsImm => self.process_logic(Immediate, alu::MVN),
            Op::MvnsReg => self.process_logic(Register, alu::MVN),
        }
    }

    #[inline(always)]
    fn get(&self, number: u8) -> W {
        self.registers[usize::from(number & 31)]
    }

    #[inline(always)]
    fn set(&mut self, number: u8, value: W) {
        self.registers[usize::from(number & 31)] = value;
    }

    /// Lets the program counter read as its pipeline has it.
    #[inline(always)]
    fn settle_pc(&mut self) {
        let window = self.flow.window;
        self.set(PC, W::of(window.address(self.flow.place).wrapping_add(if window.thumb { 4 } else { 8 })));
    }

    /// Whether the instruction's condition does not hold.
    #[inline(always)]
    fn fails(&self) -> bool {
        !W::holds(exec::condition(self.decoded.condition, self.flow.nzcv))
    }

    /// Returns what a secret decides about if it decides the instruction's condition; tells whether time shows it.
    #[inline(always)]
    fn reach(&mut self) -> Option<Reach> {
        let asked = W::of(exec::asked(self.decoded.condition));
        self.flow.nzcv.and(asked).is_secret().then(|| self.decided())
    }

    #[cold]
    #[inline(never)]
    fn decided(&mut self) -> Reach {
        let Decoded { op, rn, detail, imm, .. } = *self.decoded;
        let loads_pc = op == Op::LoadMultiple && imm >> PC & 1 == 1;
        if self.decoded.jumps() || loads_pc || op == Op::Illegal {
            self.observer.leaked(self.flow.place, Leak::Branch);
        } else if self.takes_another_time() {
            self.observer.leaked(self.flow.place, Leak::Condition);
        }
        let size = match op {
            Op::StrbImm | Op::StrbReg => 1,
            Op::StrhImm => 2,
            Op::Store | Op::Swap if detail & SIGNED == BYTE => 1,
            Op::Store if detail & SIGNED == HALF => 2,
            Op::StoreMultiple => 4 * imm.count_ones(),
            Op::StorePair => 8,
            _ => 4,
        };
        let address = match op {
            Op::StrImm | Op::StrbImm | Op::StrhImm => Some(self.address(Form::Immediate).0),
            Op::StrReg | Op::StrbReg => Some(self.address(Form::Register).0),
            Op::Store | Op::StorePair => Some(self.address_any().0),
            Op::StoreMultiple => Some(exec::span(self.get(rn), imm.count_ones(), detail).0),
            Op::Swap => Some(self.get(rn)),
            _ => None,
        };
        let stored = address.map(|address| (address.plain() & !(size.min(4) - 1), size));
        Reach { registers: self.decoded.written(), flags: self.decoded.sets_flags(), stored }
    }

    /// Whether the instruction takes another time than one that is not executed.
    #[inline(always)]
    fn takes_another_time(&self) -> bool {
        let Decoded { op, rd, rn, rm, rs, detail, imm, .. } = *self.decoded;
        if self.flow.awaited & (self.decoded.read() | self.decoded.written()) != 0 {
            return true;
        }
        let by_register = op == Op::Alu && detail & SHIFT_BY_REGISTER != 0;
        let cost = match op {
            Op::Clz => self.cost.clz,
            Op::Saturating => self.cost.saturating,
            Op::Mrs => self.cost.mrs,
            Op::Msr => self.cost.msr,
            Op::Alu if by_register => self.cost.alu_shift_register,
            Op::Alu if imm == RRX && rs != IMMEDIATE => self.cost.alu_rrx.unwrap_or(self.cost.alu),
            _ if self.decoded.is_processing() => self.cost.alu,
            _ => return true,
        };
        let mut start = self.pipeline.shifted(self.pipeline.start([rn, rm], rd), rm);
        if by_register {
            start = start.max(self.pipeline.ready(rs));
        }
        cost.issue != self.cost.skipped.issue || cost.result > cost.issue || start > self.pipeline.now
    }

    /// Tells of a load; its value depends on the secrets of the address.
    #[inline(always)]
    fn loaded(&mut self, address: W, size_bytes: u32, value: W) -> W {
        let (place, plain) = (self.flow.place, address.plain());
        self.observer.accessed(place, plain, size_bytes, false);
        if address.is_secret() {
            self.observer.leaked(place, Leak::Load { address: plain, size_bytes });
            return value.hidden(u32::MAX >> (32 - 8 * size_bytes));
        }
        value
    }

    /// Tells of a store.
    #[inline(always)]
    fn stored(&mut self, address: W, size_bytes: u32) {
        let (place, plain) = (self.flow.place, address.plain());
        self.observer.accessed(place, plain, size_bytes, true);
        if address.is_secret() {
            self.observer.leaked(place, Leak::Store { address: plain, size_bytes });
        }
    }

    /// Tells if a secret decides where the flow goes.
    #[inline(always)]
    fn goes_to(&mut self, target: W) -> u32 {
        if target.is_secret() {
            self.observer.leaked(self.flow.place, Leak::Target);
        }
        target.plain()
    }

    /// The instruction waits for what it uses until it starts.
    #[inline(always)]
    fn starts(&mut self, start: u64) {
        self.waits.start::<O>(self.pipeline.now, start, (Cause::Result, 0));
    }

    /// A load or store waits until it starts.
    #[inline(always)]
    fn starts_access(&mut self, start: u64) {
        self.waits.start::<O>(self.pipeline.now, start, (Cause::Data, self.pipeline.memory_free));
    }

    /// Memory holds the instruction up.
    #[inline(always)]
    fn held_up(&mut self, cycles: impl Into<u64>) {
        self.waits.data::<O, M>(&self.cpu.system, cycles.into());
    }

    /// Leaves out an instruction whose condition does not hold.
    #[inline(always)]
    fn skip(self) -> Result<(), End> {
        let predicted = self.cpu.core.prediction.is_some() && matches!(self.decoded.op, Op::Branch | Op::BranchLink);
        let address = self.flow.window.address(self.flow.place);
        let began = self.pipeline.now;
        self.pipeline.skips(predicted && !self.cpu.branches.decided(address, false));
        let cycles = self.pipeline.now - began;
        self.waits.add::<O>(Cause::Branch, cycles.saturating_sub(u64::from(self.cost.skipped.issue)));
        self.observer.skipped(self.flow.place);
        Ok(())
    }

    /// Returns the second operand, and the start of the instruction.
    #[inline(always)]
    fn operand(&self, form: Form) -> (W, u64) {
        let Decoded { rd, rn, rm, rs, imm, .. } = *self.decoded;
        match form {
            Form::Immediate => (W::of(imm), self.pipeline.start([rn], rd)),
            Form::Register => (self.get(rm), self.pipeline.start([rn, rm], rd)),
            Form::Shifted => {
                let start = self.pipeline.shifted(self.pipeline.start([rn, rm], rd), rm);
                (exec::shifted(self.get(rm), imm, rs), start)
            }
        }
    }

    /// Data processing that leaves the flags.
    #[inline(always)]
    fn process(&mut self, form: Form, operation: u8) -> Result<(), End> {
        let (second, start) = self.operand(form);
        self.starts(start);
        let result = exec::processed(operation, self.get(self.decoded.rn), second, exec::carry(self.flow.nzcv));
        self.set(self.decoded.rd, result);
        self.pipeline.processes(start, self.decoded.rd);
        Ok(())
    }

    /// Logic that sets the flags; an immediate may bring a carry.
    #[inline(always)]
    fn process_logic(&mut self, form: Form, operation: u8) -> Result<(), End> {
        let Decoded { rd, rn, detail, .. } = *self.decoded;
        let (second, start) = self.operand(form);
        self.starts(start);
        let result = exec::processed(operation, self.get(rn), second, W::of(0));
        let mut nzcv = exec::kept_carry(self.flow.nzcv, result);
        if matches!(form, Form::Immediate) && detail & SETS_CARRY != 0 {
            nzcv = exec::with_carry(nzcv, W::of(u32::from(detail & CARRY != 0)));
        }
        self.flow.nzcv = nzcv;
        self.set(rd, result);
        self.pipeline.processes(start, rd);
        Ok(())
    }

    /// A sum or difference that sets the flags.
    #[inline(always)]
    fn process_sum(&mut self, form: Form, operation: u8) -> Result<(), End> {
        let Decoded { rd, rn, .. } = *self.decoded;
        let (second, start) = self.operand(form);
        self.starts(start);
        let (result, nzcv) = exec::summed(operation, self.get(rn), second, exec::carry(self.flow.nzcv));
        self.flow.nzcv = nzcv;
        self.set(rd, result);
        self.pipeline.processes(start, rd);
        Ok(())
    }

    /// Any data processing.
    #[inline(always)]
    fn process_any(&mut self) -> Result<(), End> {
        self.settle_pc();
        let Decoded { op, rd, rn, rm, rs, detail, imm, .. } = *self.decoded;
        let mut start = self.pipeline.start([rn, rm], rd);
        let by_register = detail & SHIFT_BY_REGISTER != 0;
        let carry_in = exec::carry(self.flow.nzcv);
        let (value, carry) = if by_register {
            start = start.max(self.pipeline.ready(rs));
            exec::shift_with_carry(self.get(rm), imm, self.get(rs).and(W::of(0xff)), carry_in)
        } else if rs == IMMEDIATE {
            let set = W::of(u32::from(detail & CARRY != 0));
            (W::of(imm), if detail & SETS_CARRY != 0 { set } else { carry_in })
        } else {
            if imm != LSL || rs != 0 {
                start = self.pipeline.shifted(start, rm);
            }
            exec::shift_with_carry(self.get(rm), imm, W::of(u32::from(rs)), carry_in)
        };
        self.starts(start);
        let (result, flags) = exec::processed_with_flags(detail & 0x0f, self.get(rn), value, self.flow.nzcv, carry);
        if detail & FLAGS != 0 {
            self.flow.nzcv = flags;
        }
        if op == Op::AluPc {
            let spent = if by_register { self.cost.alu_pc_shift_register } else { self.cost.alu_pc };
            self.branch_late(start, spent, 1);
            let target = self.goes_to(result);
            return self.go(target, self.flow.window.thumb);
        }
        let spent = match by_register {
            true => self.cost.alu_shift_register,
            false if imm == RRX && rs != IMMEDIATE => self.cost.alu_rrx.unwrap_or(self.cost.alu),
            false => self.cost.alu,
        };
        self.set(rd, result);
        self.pipeline.processes_at(start, rd, spent);
        self.written(rd)
    }

    #[inline(always)]
    fn multiply(&mut self) -> Result<(), End> {
        let Decoded { rd, rn, rm, rs, detail, .. } = *self.decoded;
        let kind = Multiply::ALL[usize::from(detail & 0x0f)];
        let (long, flags) = (long_result(detail), detail & FLAGS != 0);
        let mut start = self.pipeline.product([rm, rs], rn).max(self.pipeline.writable(rd));
        if long {
            start = start.max(self.pipeline.writable(rn));
        }
        if matches!(kind, Multiply::Umlal | Multiply::Smlal | Multiply::Smlalxy) {
            start = start.max(self.pipeline.accumulator(rd));
        }
        let Some(times) = self.cpu.core.multiply(kind, flags) else {
            return Err(Trap::of(FaultKind::IllegalOpcode).into());
        };
        let multiplier = self.get(rs);
        if times.depend_on(multiplier) {
            self.observer.leaked(self.flow.place, Leak::Multiply);
        }
        let spent = times.cost(multiplier.plain());
        self.waits.start::<O>(self.pipeline.now, start, (Cause::Multiply, self.pipeline.multiplier_free));
        self.waits.add::<O>(Cause::Multiply, u64::from(spent.issue).saturating_sub(1));
        let accumulator = if long { W::joined(self.get(rd), self.get(rn)) } else { self.get(rn).wide() };
        let (product, saturated) = exec::product(kind, detail, self.get(rm), multiplier, accumulator);
        self.cpu.saturated = self.cpu.saturated.or(saturated);
        if long {
            self.set(rn, W::low_half(product));
            self.set(rd, W::high_half(product));
            self.pipeline.multiplies(start, rn, Some(rd), spent);
            if flags {
                self.flow.nzcv = exec::long_flags(self.flow.nzcv, product);
            }
        } else {
            let product = W::low_half(product);
            self.set(rd, product);
            self.pipeline.multiplies(start, rd, None, spent);
            if flags {
                self.flow.nzcv = exec::kept_carry(self.flow.nzcv, product);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn clz(&mut self) -> Result<(), End> {
        let Decoded { rd, rm, .. } = *self.decoded;
        let start = self.pipeline.start([rm], rd);
        self.starts(start);
        self.set(rd, Value::leading_zeros(self.get(rm)));
        self.pipeline.spends(start, rd, self.cost.clz);
        Ok(())
    }

    #[inline(always)]
    fn saturate(&mut self) -> Result<(), End> {
        let Decoded { rd, rn, rm, detail, .. } = *self.decoded;
        let mut start = self.pipeline.start([rn, rm], rd);
        if detail & 2 != 0 {
            start = self.pipeline.shifted(start, rn);
        }
        self.starts(start);
        let (value, saturated) = exec::saturating(detail, self.get(rm), self.get(rn));
        self.cpu.saturated = self.cpu.saturated.or(saturated);
        self.set(rd, value);
        self.pipeline.spends(start, rd, self.cost.saturating);
        Ok(())
    }

    /// Returns the address of a load or store of a frequent form, its start, and what the address costs.
    #[inline(always)]
    fn address(&self, form: Form) -> (W, u64, Extra) {
        let Decoded { rn, rm, rs, imm, .. } = *self.decoded;
        let start = self.pipeline.base(rn);
        if matches!(form, Form::Immediate) {
            return (self.get(rn).add(W::of(imm)), start, Extra::default());
        }
        let start = start.max(self.pipeline.ready(rm));
        let address = self.get(rn).add(exec::shifted(self.get(rm), imm, rs));
        if imm != LSL || rs != 32 {
            return (address, self.pipeline.shifted(start, rm), self.shifted_offset());
        }
        (address, start, Extra::default())
    }

    #[inline(always)]
    fn shifted_offset(&self) -> Extra {
        let Cost { issue, result } = self.cost.shifted_offset;
        Extra { issue: u64::from(issue), result: u64::from(result) }
    }

    #[inline(always)]
    fn read(&mut self, address: W, size: u32) -> Result<W, Trap> {
        let plain = address.plain();
        let memory = &mut self.cpu.memory;
        let loaded = match size {
            1 => memory.load_byte(plain),
            2 => memory.load_half(plain),
            _ => memory.load_word(plain),
        };
        let first = plain & !(size - 1);
        let mut value = W::loaded(loaded?, &self.cpu.beside, first, size);
        // A word from between two is rotated.
        if value.is_secret() && first != plain {
            value = value.hidden(u32::MAX);
        }
        Ok(self.loaded(address, size, value))
    }

    #[inline(always)]
    fn write(&mut self, address: W, size: u32, value: W) -> Result<(), Trap> {
        let plain = address.plain();
        let cpu = &mut *self.cpu;
        let touched = match size {
            1 => cpu.memory.store_byte(plain, value.plain()),
            2 => cpu.memory.store_half(plain, value.plain()),
            _ => cpu.memory.store_word(plain, value.plain()),
        };
        let touched = touched?;
        value.stored(&mut cpu.beside, plain & !(size - 1), size);
        if touched == Touched::Code {
            cpu.program.forget(plain, 4);
        }
        self.stored(address, size);
        Ok(())
    }

    /// Loads in a frequent form.
    #[inline(always)]
    fn load(&mut self, form: Form, size: u32, cost: Cost) -> Result<(), End> {
        let rd = self.decoded.rd;
        let (address, start, extra) = self.address(form);
        let start = start.max(self.pipeline.writable(rd));
        self.starts_access(start);
        let loaded = self.read(address, size)?;
        self.set(rd, loaded);
        let delay = self.cpu.system.load(address.plain(), size, start);
        self.held_up(delay.stall);
        self.pipeline.loads(start, rd, cost, extra, delay);
        Ok(())
    }

    /// Stores in a frequent form.
    #[inline(always)]
    fn store(&mut self, form: Form, size: u32) -> Result<(), End> {
        let rd = self.decoded.rd;
        let (address, start, extra) = self.address(form);
        let start = start.max(self.pipeline.stored(rd));
        self.starts_access(start);
        self.write(address, size, self.get(rd))?;
        let stall = self.cpu.system.store(address.plain(), size, start).stall;
        self.held_up(stall);
        self.pipeline.stores(start, self.cost.store, extra, stall);
        Ok(())
    }

    /// Returns the address of any load or store of one or two registers, the base that it leaves, its start, and what
    /// the address costs.
    #[inline(always)]
    fn address_any(&mut self) -> (W, W, u64, Extra) {
        self.settle_pc();
        let Decoded { rn, rm, rs, detail, imm, .. } = *self.decoded;
        let mut start = self.pipeline.base(rn);
        let mut extra = Extra::default();
        let offset = if detail & BY_REGISTER == 0 {
            W::of(imm)
        } else {
            start = start.max(self.pipeline.ready(rm));
            if imm != LSL || rs != 0 {
                extra = self.shifted_offset();
                start = self.pipeline.shifted(start, rm);
            }
            exec::shift_with_carry(self.get(rm), imm, W::of(u32::from(rs)), exec::carry(self.flow.nzcv)).0
        };
        let base = self.get(rn);
        let moved = exec::moved(detail, base, offset);
        let address = if detail & BEFORE != 0 { moved } else { base };
        if detail & WRITEBACK != 0 {
            extra.issue += u64::from(self.cost.writeback.issue);
        }
        (address, moved, start, extra)
    }

    #[inline(always)]
    fn write_back(&mut self, moved: W, start: u64) -> Result<(), End> {
        let Decoded { rn, detail, .. } = *self.decoded;
        if detail & WRITEBACK == 0 {
            return Ok(());
        }
        self.set(rn, moved);
        self.pipeline.writes_back(start, rn);
        self.written(rn)
    }

    /// Minds the stack pointer where it is this register.
    #[inline(always)]
    fn written(&mut self, number: u8) -> Result<(), End> {
        if number != SP {
            return Ok(());
        }
        let pointer = self.get(SP);
        if pointer.is_secret() {
            self.observer.leaked(self.flow.place, Leak::Stack);
        }
        let pointer = pointer.plain();
        if pointer < self.cpu.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, pointer).into());
        }
        self.observer.stack(pointer);
        Ok(())
    }

    #[inline(always)]
    fn load_any(&mut self) -> Result<(), End> {
        let (address, moved, start, extra) = self.address_any();
        let Decoded { op, rd, detail, .. } = *self.decoded;
        let start = start.max(self.pipeline.writable(rd));
        let (size, spent) = match (detail & SIGNED, detail & SIGNED_HALF) {
            (0, _) => (4, self.cost.load),
            (BYTE, _) => (1, self.cost.load_byte),
            (HALF, _) => (2, self.cost.load_half),
            (_, 0) => (1, self.cost.load_signed),
            _ => (2, self.cost.load_signed),
        };
        self.starts_access(start);
        let value = exec::extended(detail, self.read(address, size)?);
        let mut delay = self.cpu.system.load(address.plain(), size, start);
        self.held_up(delay.stall);
        let start = start + u64::from(delay.stall);
        delay.stall = 0;
        self.write_back(moved, start)?;
        if op == Op::LoadPc {
            self.held_up(delay.latency);
            self.branch_late(start + u64::from(delay.latency), self.cost.load_pc, self.cost.load.issue);
            self.pipeline.now += extra.issue;
            return self.go_loaded(value);
        }
        self.set(rd, value);
        self.pipeline.loads(start, rd, spent, extra, delay);
        self.written(rd)
    }

    #[inline(always)]
    fn store_any(&mut self) -> Result<(), End> {
        let (address, moved, start, extra) = self.address_any();
        let Decoded { rd, detail, .. } = *self.decoded;
        let start = start.max(self.pipeline.stored(rd));
        let value = self.get(rd);
        // A push below the stack's end is refused before it does harm.
        self.write_back(moved, start)?;
        let size = match detail & SIGNED {
            BYTE => 1,
            HALF => 2,
            _ => 4,
        };
        self.starts_access(start);
        self.write(address, size, value)?;
        let stall = self.cpu.system.store(address.plain(), size, start).stall;
        self.held_up(stall);
        self.pipeline.stores(start, self.cost.store, extra, stall);
        Ok(())
    }

    #[inline(always)]
    fn load_multiple(&mut self) -> Result<(), End> {
        let Decoded { rn, detail, imm, .. } = *self.decoded;
        let count = imm.count_ones();
        let (first, moved) = exec::span(self.get(rn), count, detail);
        let mut start = self.pipeline.base(rn);
        for number in (0..PC).filter(|number| imm >> number & 1 == 1) {
            start = start.max(self.pipeline.writable(number));
        }
        let to_pc = imm >> PC & 1 == 1;
        let spent = if to_pc { self.cost.load_multiple_pc } else { self.cost.load_multiple };
        let issue = u64::from(spent.issue(count));
        let last = u64::from(spent.result_last_after_issue);
        self.starts_access(start);
        self.write_back(moved, start)?;
        let (mut list, mut address, mut left) = (imm, first.and(W::of(!3)), count);
        let (mut stalls, mut target, mut latency_of_last) = (0_u64, W::of(0), 0_u64);
        while list != 0 {
            let number = list.trailing_zeros() as u8;
            list &= list - 1;
            left -= 1;
            let value = self.read(address, 4)?;
            let delay = self.cpu.system.load(address.plain(), 4, start + stalls + u64::from(count - left - 1));
            self.held_up(delay.stall);
            stalls += u64::from(delay.stall);
            latency_of_last = u64::from(delay.latency);
            address = address.add(W::of(4));
            if number == PC {
                target = value;
            } else {
                self.set(number, value);
                let behind = last.saturating_sub(u64::from(left)) + latency_of_last;
                self.pipeline.set_ready(number, start + issue + stalls + behind);
                self.written(number)?;
            }
        }
        self.pipeline.now = start + issue + stalls;
        if !to_pc {
            return Ok(());
        }
        self.pipeline.now += latency_of_last;
        self.held_up(latency_of_last);
        let straight = u64::from(self.cost.load_multiple.issue(count));
        self.waits.add::<O>(Cause::Branch, issue.saturating_sub(straight));
        self.branch_taken();
        self.go_loaded(target)
    }

    #[inline(always)]
    fn store_multiple(&mut self) -> Result<(), End> {
        self.settle_pc();
        let Decoded { rn, detail, imm, .. } = *self.decoded;
        let count = imm.count_ones();
        let (first, moved) = exec::span(self.get(rn), count, detail);
        if rn == SP && detail & WRITEBACK != 0 && moved.plain() < self.cpu.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, moved.plain()).into());
        }
        let mut start = self.pipeline.base(rn);
        let (mut list, mut address, mut stored) = (imm, first.and(W::of(!3)), 0);
        let mut stalls = 0_u64;
        while list != 0 {
            let number = list.trailing_zeros() as u8;
            list &= list - 1;
            start = start.max(self.pipeline.stored_after(number, stored));
            self.write(address, 4, self.get(number))?;
            let at = start + stalls + stored;
            let (system, plain) = (&mut self.cpu.system, address.plain());
            let delay = if stored == 0 { system.store(plain, 4, at) } else { system.store_on(plain, 4, at) };
            self.held_up(delay.stall);
            stalls += u64::from(delay.stall);
            stored += 1;
            address = address.add(W::of(4));
        }
        self.starts_access(start);
        self.write_back(moved, start)?;
        self.pipeline.now = start + stalls + u64::from(self.cost.store_multiple.issue(count));
        Ok(())
    }

    #[inline(always)]
    fn load_pair(&mut self) -> Result<(), End> {
        let (address, moved, start, extra) = self.address_any();
        let rd = self.decoded.rd;
        let plain = address.plain();
        if plain & 7 != 0 {
            return Err(Trap::at(FaultKind::UnalignedAddress, plain).into());
        }
        let low = self.read(address, 4)?;
        let high = self.read(address.add(W::of(4)), 4)?;
        let start = start.max(self.pipeline.writable(rd)).max(self.pipeline.writable(rd + 1));
        self.starts_access(start);
        let delay = self.cpu.system.load(plain, 8, start);
        self.held_up(delay.stall);
        self.set(rd, low);
        self.set(rd + 1, high);
        let start = self.pipeline.loads_pair(start, rd, self.cost.load_pair, extra, delay);
        self.write_back(moved, start)
    }

    #[inline(always)]
    fn store_pair(&mut self) -> Result<(), End> {
        let (address, moved, start, extra) = self.address_any();
        let rd = self.decoded.rd;
        let plain = address.plain();
        if plain & 7 != 0 {
            return Err(Trap::at(FaultKind::UnalignedAddress, plain).into());
        }
        let start = start.max(self.pipeline.stored(rd)).max(self.pipeline.stored(rd + 1));
        let (low, high) = (self.get(rd), self.get(rd + 1));
        self.write_back(moved, start)?;
        self.write(address, 4, low)?;
        self.write(address.add(W::of(4)), 4, high)?;
        self.starts_access(start);
        let stall = self.cpu.system.store(plain, 8, start).stall;
        self.held_up(stall);
        self.pipeline.stores_pair(start, self.cost.store_pair, extra, stall);
        Ok(())
    }

    #[inline(always)]
    fn swap(&mut self) -> Result<(), End> {
        let Decoded { rd, rn, rm, detail, .. } = *self.decoded;
        let start = self.pipeline.start([rm], rd).max(self.pipeline.base(rn));
        let (address, new) = (self.get(rn), self.get(rm));
        let size = if detail & BYTE != 0 { 1 } else { 4 };
        let old = self.read(address, size)?;
        self.write(address, size, new)?;
        self.starts_access(start);
        let loaded = self.cpu.system.load(address.plain(), size, start);
        self.held_up(loaded.stall + loaded.latency);
        let waited = start + u64::from(loaded.stall) + u64::from(loaded.latency);
        let stall = self.cpu.system.store(address.plain(), size, waited).stall;
        self.held_up(stall);
        let start = waited + u64::from(stall);
        self.set(rd, old);
        self.pipeline.spends(start, rd, self.cost.swap);
        Ok(())
    }

    #[inline(always)]
    fn preload(&mut self) -> Result<(), End> {
        let (address, _, start, extra) = self.address_any();
        self.starts_access(start);
        if address.is_secret() {
            self.observer.leaked(self.flow.place, Leak::Load { address: address.plain(), size_bytes: 1 });
        }
        let stall = self.cpu.system.preload(address.plain(), start);
        self.held_up(stall);
        self.pipeline.stores(start, self.cost.preload, extra, stall);
        Ok(())
    }

    #[inline(always)]
    fn read_status(&mut self) -> Result<(), End> {
        let saturated = self.cpu.saturated.shl(W::of(27));
        self.set(self.decoded.rd, self.flow.nzcv.shl(W::of(28)).or(saturated).or(W::of(USER)));
        self.pipeline.spends(self.pipeline.now, self.decoded.rd, self.cost.mrs);
        Ok(())
    }

    #[inline(always)]
    fn write_status(&mut self) -> Result<(), End> {
        let Decoded { rm, detail, imm, .. } = *self.decoded;
        let start = self.pipeline.sources([rm]);
        self.starts(start);
        if detail & 1 != 0 {
            let value = if rm == NONE { W::of(imm) } else { self.get(rm) };
            self.flow.nzcv = value.shr(W::of(28));
            let kept = u32::from(self.interworks());
            self.cpu.saturated = value.shr(W::of(27)).and(W::of(kept));
        }
        self.pipeline.issues(start, self.cost.msr);
        Ok(())
    }

    /// Whether loads of the program counter choose the instruction set, as they do from ARMv5 on.
    #[inline(always)]
    fn interworks(&self) -> bool {
        self.cpu.core.architecture >= Architecture::Armv5te
    }

    #[inline(always)]
    fn branch_taken(&mut self) {
        if self.decoded.condition != ALWAYS {
            self.observer.taken(self.flow.place);
        }
    }

    /// A branch whose target the instruction holds.
    #[inline(always)]
    fn branch_early(&mut self) {
        let right = self.cpu.branches.decided(self.flow.window.address(self.flow.place), true);
        let began = self.pipeline.now;
        self.pipeline.branches(right);
        self.waits.add::<O>(Cause::Branch, (self.pipeline.now - began).saturating_sub(1));
        self.branch_taken();
    }

    /// A branch whose target only the execution shows, within an instruction of so many cycles if it were none.
    #[inline(always)]
    fn branch_late(&mut self, start: u64, cost: Cost, straight: u8) {
        self.waits.add::<O>(Cause::Branch, u64::from(cost.issue.saturating_sub(straight)));
        self.pipeline.issues(start, cost);
        self.branch_taken();
    }

    #[inline(always)]
    fn branch(&mut self, link: Option<u8>, thumb: bool) -> Result<(), End> {
        self.branch_early();
        if let Some(link) = link {
            self.set(link, W::of(self.flow.window.address(self.flow.place).wrapping_add(4)));
            self.pipeline.links(link);
        }
        self.go(self.decoded.imm, thumb)
    }

    #[inline(always)]
    fn branch_register(&mut self) -> Result<(), End> {
        self.settle_pc();
        let Decoded { op, rm, .. } = *self.decoded;
        let start = self.pipeline.sources([rm]);
        let target = self.goes_to(self.get(rm));
        self.starts(start);
        self.branch_late(start, self.cost.branch_register, 1);
        if op == Op::BranchLinkExchangeRegister {
            let window = self.flow.window;
            self.set(LR, W::of(window.address(self.flow.place + 1) | u32::from(window.thumb)));
            self.pipeline.links(LR);
        }
        self.go(target, target & 1 == 1)
    }

    /// The first half of a long call.
    #[inline(always)]
    fn call_prefix(&mut self) -> Result<(), End> {
        self.set(LR, W::of(self.decoded.imm));
        self.pipeline.spends(self.pipeline.now, LR, self.cost.alu);
        Ok(())
    }

    /// The second half of a long call.
    #[inline(always)]
    fn call_suffix(&mut self) -> Result<(), End> {
        let start = self.pipeline.sources([LR]);
        self.starts(start);
        self.pipeline.now = start;
        self.branch_early();
        let target = self.goes_to(self.get(LR)).wrapping_add(self.decoded.imm);
        self.set(LR, W::of(self.flow.window.address(self.flow.place + 1) | 1));
        self.pipeline.links(LR);
        self.go(target, self.decoded.op == Op::CallSuffix)
    }

    /// Goes to an address from memory.
    #[inline(always)]
    fn go_loaded(&mut self, target: W) -> Result<(), End> {
        let target = self.goes_to(target);
        self.go(target, if self.interworks() { target & 1 == 1 } else { self.flow.window.thumb })
    }

    /// Goes to an address, in one of the two instruction sets.
    #[inline(always)]
    fn go(&mut self, target: u32, thumb: bool) -> Result<(), End> {
        let target = target & if thumb { !1 } else { !3 };
        if !self.flow.window.holds(target) || self.flow.window.thumb != thumb {
            match self.cpu.enter(target, thumb) {
                Ok(Some(entered)) => self.flow.window = entered,
                Ok(None) => return Err(End::Behind(target, thumb, Exit::Stop)),
                Err(trap) => return Err(End::Behind(target, thumb, Exit::Trap(trap))),
            }
        }
        self.flow.next = self.flow.window.place(target);
        Ok(())
    }

    /// Goes on in the chunk behind.
    #[inline(always)]
    fn next_chunk(&mut self) -> Result<(), End> {
        let address = self.flow.window.address(self.flow.place);
        let Some(window) = self.cpu.enter(address, self.flow.window.thumb)? else {
            return Err(End::Before(Exit::Stop));
        };
        self.flow.window = window;
        self.flow.place = window.place(address);
        Err(End::Again)
    }
}
