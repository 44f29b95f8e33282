//! The flow of a program: one instruction after the other, what it does by [`super::exec`], and when by
//! [`super::pipeline`].

use super::cpu::{chooses_stack, Cpu};
use super::decode::{
    alu, dsp as kinds, Op, Packed, ALWAYS, ASR, BYTE, BY_REGISTER, CARRY, FLAGS, HALF, IMMEDIATE, LR, LSL, LSR, NONE,
    PC, SETS_CARRY, SHIFT_BY_REGISTER, SP, UNSIGNED, WRITEBACK,
};
use super::fetch::Queue;
use super::float_run;
use super::pipeline::{FloatHistory, History, Pipeline};
use super::timing::{Costs, MultipleCost};
use super::{dsp, exec};
use crate::fault::{FaultKind, Trap};
use crate::memory_system::MemorySystem;
use crate::observe::{Cause, Leak, Observer};
use crate::processor::{Exit, Processor};
use crate::profile::Class;
use crate::program::Window;
use crate::reach::Reach;
use crate::value::{Held, HeldWord, Value};
use crate::waits::Waits;

/// Registers of a run. Numbers above 15 are sources and results that are not there; no number in eight bits lies
/// beyond.
type Registers<W> = [W; 256];

/// Why the flow does not go on to the next instruction.
enum End {
    /// The instruction was not executed; the one at the same place is, now that it is decoded.
    Again,
    /// The instruction was not executed.
    Before(Exit),
    /// The instruction jumped to an address at which the run ends.
    Behind(u32, Exit),
}

impl From<Trap> for End {
    #[inline(always)]
    fn from(trap: Trap) -> Self {
        End::Before(Exit::Trap(trap))
    }
}

/// The second operand of a frequent form of data processing, or the offset of a load or store.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Immediate,
    Register,
    Shifted,
}

use Form::{Immediate, Register, Shifted};

/// Where the flow is, and its flags.
struct Flow<W> {
    window: Window,
    place: usize,
    /// Place of the instruction that follows.
    next: usize,
    /// Flags N, Z, C and V, from bit 3 to bit 0.
    nzcv: W,
    /// Whether the debug unit counts what instructions take beyond a cycle.
    counting: bool,
}

impl<M: MemorySystem, W: HeldWord> Cpu<M, W> {
    /// Runs until the stop, a trap, or `cycle_limit` on the absolute cycle counter. After a trap the program counter
    /// names the instruction that caused it.
    pub fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        match self.core.fetch {
            Some(_) => self.flow::<O, true>(observer, cycle_limit),
            None => self.flow::<O, false>(observer, cycle_limit),
        }
    }

    fn flow<O: Observer, const QUEUED: bool>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let first = self.registers[usize::from(PC)].plain();
        let window = match self.enter(first) {
            Ok(Some(window)) => window,
            Ok(None) => return Exit::Stop,
            Err(trap) => return Exit::Trap(trap),
        };
        let place = window.thumb_place(first) as usize;
        let counting = self.timers.counts_overheads();
        self.float.history = FloatHistory::IDLE;
        let mut flow = Flow { window, place, next: place, nzcv: self.nzcv, counting };
        let mut registers = [W::of(0); 256];
        registers[..16].copy_from_slice(&self.registers);
        let cost = self.core.cost;
        let row_bytes = if M::FETCH_LINE_BYTES > 0 { self.system.fetch_line_bytes() } else { 0 };
        let mut history = History::start(M::FETCH_LINE_BYTES > 0);
        let mut queue = Queue::new(self.core.fetch, self.system.one_port());
        queue.jump(&mut self.system, first & !1, self.cycles);
        let mut pipeline = Pipeline::<QUEUED>::new(&cost, &mut history, &mut queue, row_bytes, self.cycles);
        let mut waits = Waits::default();
        let (pc, exit) = loop {
            let here = flow.window.thumb_address(flow.place as u32);
            if pipeline.now >= cycle_limit {
                break (here, Exit::Limit);
            }
            let Some(&op) = self.program.ops.get(flow.place) else {
                break (here, Exit::Trap(Trap::at(FaultKind::UnmappedAddress, here)));
            };
            pipeline.begin();
            flow.next = flow.place + usize::from(op.halves());
            let (registers, pipeline, flow, waits) = (&mut registers, &mut pipeline, &mut flow, &mut waits);
            let mut step = Step { cpu: self, observer, registers, pipeline, flow, waits, cost: &cost, op: &op };
            let skipped = step.pipeline.minds(&op) && step.mind();
            let reach = if !W::PLAIN && op.condition() != ALWAYS { step.reach() } else { None };
            let end = if skipped { step.skip() } else { step.execute() };
            if let (Some(reach), Ok(()) | Err(End::Behind(..))) = (reach, &end) {
                reach.hide(registers, &mut flow.nzcv, &self.memory, &mut self.beside);
                self.hide_apart(op);
            }
            match end {
                Ok(()) => {}
                Err(End::Again) => continue,
                Err(End::Before(exit)) => break (flow.window.thumb_address(flow.place as u32), exit),
                Err(End::Behind(target, exit)) => {
                    waits.tell(observer, flow.place as u32);
                    if O::DETAILS {
                        observer
                            .ends(flow.place as u32, registers[usize::from(SP)].plain(), || self.executed(flow.place));
                    }
                    observer.retired(flow.place as u32, (pipeline.now - pipeline.turn) as u32);
                    break (target, exit);
                }
            }
            let cycles = pipeline.now - pipeline.turn;
            waits.tell(observer, flow.place as u32);
            if O::DETAILS {
                observer.ends(flow.place as u32, registers[usize::from(SP)].plain(), || self.executed(flow.place));
            }
            observer.retired(flow.place as u32, cycles as u32);
            if flow.counting && !skipped {
                let class = self.program.ops[flow.place].class;
                self.timers.spent(cycles, matches!(class, Class::Load | Class::Store | Class::Stack));
            }
            pipeline.end(flow.place);
            flow.place = flow.next;
        };
        registers[usize::from(PC)] = W::of(pc);
        self.registers.copy_from_slice(&registers[..16]);
        self.nzcv = flow.nzcv;
        self.cycles = pipeline.now;
        exit
    }
}

/// Whether a condition fails. It is not inlined, so that instructions without a condition do not prepare its operands.
#[inline(never)]
fn fails<W: HeldWord>(condition: u8, nzcv: W) -> bool {
    !W::holds(exec::condition(condition, nzcv))
}

/// Whether an address is not a multiple of `size`, a power of two.
#[inline(always)]
fn unaligned(address: u32, size: u32) -> bool {
    address & (size - 1) != 0
}

/// An instruction under way, with all that it works on.
struct Step<'a, 'p, M, W: Held, O, const QUEUED: bool> {
    cpu: &'a mut Cpu<M, W>,
    observer: &'a mut O,
    registers: &'a mut Registers<W>,
    pipeline: &'a mut Pipeline<'p, QUEUED>,
    flow: &'a mut Flow<W>,
    waits: &'a mut Waits,
    cost: &'a Costs,
    op: &'a Packed,
}

impl<M: MemorySystem, W: HeldWord, O: Observer, const QUEUED: bool> Step<'_, '_, M, W, O, QUEUED> {
    #[inline(always)]
    fn execute(mut self) -> Result<(), End> {
        match self.op.code {
            Op::Undecoded => self.decode(),
            Op::ChunkEnd => self.next_chunk(),
            Op::Stop => Err(End::Before(Exit::Stop)),
            Op::Illegal => Err(Trap::of(FaultKind::IllegalOpcode).into()),
            Op::Alu => self.process_any(),
            Op::MovTop => self.result(exec::topped(self.get(self.op.rd()), self.op.imm)),
            Op::ExtractSigned => self.extract(Op::ExtractSigned),
            Op::ExtractUnsigned => self.extract(Op::ExtractUnsigned),
            Op::Insert => self.insert(),
            Op::Saturate | Op::Saturate16 => self.saturate(),
            Op::ExtendByte => self.extend(Op::ExtendByte),
            Op::ExtendByteSigned | Op::ExtendHalfSigned => self.extend(self.op.code),
            Op::ExtendHalf => self.extend(Op::ExtendHalf),
            Op::ExtendBytes => self.extend_bytes(),
            Op::Pack => self.pack(),
            Op::Parallel => self.parallel(),
            Op::Select => self.select(),
            Op::Saturating => self.saturating(),
            Op::Reverse => self.reverse(Op::Reverse),
            Op::ReverseHalves | Op::ReverseSigned | Op::ReverseBits => self.reverse(self.op.code),
            Op::Clz => self.result(Value::leading_zeros(self.get(self.op.rm()))),
            Op::Multiply => self.multiply(),
            Op::MultiplyFlags => self.multiply_flags(),
            Op::MultiplyAdd | Op::MultiplySubtract => self.multiply_accumulate(),
            Op::LongUnsigned => self.multiply_long(Op::LongUnsigned),
            Op::LongSigned => self.multiply_long(Op::LongSigned),
            Op::LongAddUnsigned => self.multiply_long(Op::LongAddUnsigned),
            Op::LongAddSigned => self.multiply_long(Op::LongAddSigned),
            Op::LongAddTwice => self.multiply_long(Op::LongAddTwice),
            Op::Dsp => self.multiply_dsp(),
            Op::DivideSigned | Op::DivideUnsigned => self.divide(self.op.code),
            Op::LdrImm | Op::LdrLiteral => self.load(Immediate, 4),
            Op::LdrReg => self.load(Register, 4),
            Op::LdrbImm => self.load(Immediate, 1),
            Op::LdrbReg => self.load(Register, 1),
            Op::LdrhImm => self.load(Immediate, 2),
            Op::LdrhReg => self.load(Register, 2),
            Op::StrImm => self.store(Immediate, 4),
            Op::StrReg => self.store(Register, 4),
            Op::StrbImm => self.store(Immediate, 1),
            Op::StrbReg => self.store(Register, 1),
            Op::StrhImm => self.store(Immediate, 2),
            Op::StrhReg => self.store(Register, 2),
            Op::Load | Op::LoadPc => self.load_any(),
            Op::Store => self.store_any(),
            Op::LoadMultiple => self.load_multiple(),
            Op::StoreMultiple => self.store_multiple(),
            Op::LoadPair => self.load_pair(),
            Op::StorePair => self.store_pair(),
            Op::LoadExclusive => self.load_exclusive(),
            Op::StoreExclusive => self.store_exclusive(),
            Op::ClearExclusive => self.clear_exclusive(),
            Op::TableBranch => self.branch_table(),
            Op::Branch => self.branch(self.cost.branch),
            Op::BranchLink => self.branch_link(),
            Op::BranchZero => self.branch_zero(),
            Op::BranchExchange => self.branch_exchange(self.cost.branch_register),
            Op::BranchLinkExchange => self.branch_link_exchange(),
            Op::BranchAdd => self.branch_add(),
            Op::IfThen => self.if_then(),
            Op::Mrs => self.read_special(),
            Op::Msr => self.write_special(),
            Op::ChangeState => self.change_state(),
            Op::Barrier | Op::InstructionBarrier => self.barrier(),
            Op::Nop => self.stand(self.cost.hint),
            Op::SendEvent | Op::WaitEvent => self.event(),
            Op::WaitInterrupt => Err(Trap::of(FaultKind::Sleep).into()),
            Op::TestTarget => self.result(W::of(exec::TARGET)),
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
            Op::AddImm => self.process(Immediate, alu::ADD),
            Op::AddReg => self.process(Register, alu::ADD),
            Op::AddShift => self.process(Shifted, alu::ADD),
            Op::AdcReg => self.process(Register, alu::ADC),
            Op::SbcReg => self.process(Register, alu::SBC),
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
            Op::AndsImm => self.process_logic(Immediate, alu::AND),
            Op::AndsReg => self.process_logic(Register, alu::AND),
            Op::EorsImm => self.process_logic(Immediate, alu::EOR),
            Op::EorsReg => self.process_logic(Register, alu::EOR),
            Op::SubsImm => self.process_sum(Immediate, alu::SUB),
            Op::SubsReg => self.process_sum(Register, alu::SUB),
            Op::RsbsImm => self.process_sum(Immediate, alu::RSB),
            Op::AddsImm => self.process_sum(Immediate, alu::ADD),
            Op::AddsReg => self.process_sum(Register, alu::ADD),
            Op::AdcsReg => self.process_sum(Register, alu::ADC),
            Op::SbcsReg => self.process_sum(Register, alu::SBC),
            Op::OrrsImm => self.process_logic(Immediate, alu::ORR),
            Op::OrrsReg => self.process_logic(Register, alu::ORR),
            Op::MovsImm => self.process_logic(Immediate, alu::MOV),
            Op::MovsReg => self.process_logic(Register, alu::MOV),
            Op::MovsLsl => self.process_shift(LSL),
            Op::MovsLsr => self.process_shift(LSR),
            Op::MovsAsr => self.process_shift(ASR),
            Op::BicsReg => self.process_logic(Register, alu::BIC),
            Op::MvnsReg => self.process_logic(Register, alu::MVN),
            Op::Float | Op::FloatFrom | Op::FloatTo | Op::FloatStatus | Op::SetFloatStatus => self.float(),
            Op::FloatLoad | Op::FloatStore | Op::FloatLoadMultiple | Op::FloatStoreMultiple => self.float(),
        }
    }

    #[inline(always)]
    fn get(&self, number: u8) -> W {
        self.registers[usize::from(number)]
    }

    #[inline(always)]
    fn set(&mut self, number: u8, value: W) {
        self.registers[usize::from(number)] = value;
    }

    /// Address of the last halfword of the instruction.
    #[inline(always)]
    fn last_half(&self) -> u32 {
        self.flow.window.thumb_address(self.flow.next as u32).wrapping_sub(2)
    }

    /// Lets an instruction wait for its code and its sources; returns whether its condition fails.
    #[inline(always)]
    fn mind(&mut self) -> bool {
        if (self.op.code as u8) > Op::Stop as u8 {
            let (first, last) = (self.flow.window.thumb_address(self.flow.place as u32), self.last_half());
            let began = self.pipeline.now;
            if QUEUED {
                self.pipeline.dequeues(&mut self.cpu.system, self.op, first, last);
            } else if M::FETCH_LINE_BYTES > 0 {
                self.pipeline.fetch(&mut self.cpu.system, first, last);
            }
            self.waits.fetch::<O, M>(&self.cpu.system, last, self.pipeline.now - began);
        }
        let began = self.pipeline.now;
        if self.op.begins_run() {
            self.pipeline.runs_unaligned();
        }
        self.passed(Cause::Fetch, began);
        let began = self.pipeline.now;
        self.pipeline.uses(self.op.reads);
        self.passed(Cause::Result, began);
        self.op.condition() != ALWAYS && fails(self.op.condition(), self.flow.nzcv)
    }

    /// Cycles that have passed since `began` have a cause.
    #[inline(always)]
    fn passed(&mut self, cause: Cause, began: u64) {
        self.waits.add::<O>(cause, self.pipeline.now - began);
    }

    /// The address of an access waited since `began`, for its registers or behind a store; or its access may begin
    /// earlier than the instruction's code made it wait.
    #[inline(always)]
    fn addressed(&mut self, began: u64, behind_store: bool) {
        let now = self.pipeline.now;
        if O::DETAILS && now < began {
            self.waits.unfetch::<O>(began - now);
        } else {
            self.passed(if behind_store { Cause::Data } else { Cause::Result }, began.min(now));
        }
    }

    /// Returns what a secret decides about if it decides the instruction's condition; tells whether time shows it.
    #[inline(always)]
    fn reach(&mut self) -> Option<Reach> {
        let asked = W::of(exec::asked(self.op.condition()));
        self.flow.nzcv.and(asked).is_secret().then(|| self.decided())
    }

    #[cold]
    #[inline(never)]
    fn decided(&mut self) -> Reach {
        let op = *self.op;
        if op.jumps() {
            self.observer.leaked(self.flow.place as u32, Leak::Branch);
        } else if self.takes_another_time() {
            self.observer.leaked(self.flow.place as u32, Leak::Condition);
        }
        let (address, size) = match op.code {
            Op::StrImm => (self.quick_address(Immediate), 4),
            Op::StrReg => (self.quick_address(Register), 4),
            Op::StrbImm => (self.quick_address(Immediate), 1),
            Op::StrbReg => (self.quick_address(Register), 1),
            Op::StrhImm => (self.quick_address(Immediate), 2),
            Op::StrhReg => (self.quick_address(Register), 2),
            Op::Store => (self.any_address().0, exec::size_bytes(op.detail())),
            Op::StorePair => (self.any_address().0, 8),
            Op::StoreExclusive => (self.quick_address(Immediate), u32::from(op.detail())),
            Op::StoreMultiple => {
                let count = op.imm.count_ones();
                (exec::span(self.get(op.rn()), count, op.detail()).0, 4 * count)
            }
            Op::FloatStore | Op::FloatStoreMultiple => {
                (float_run::first_address(op, self.get(op.rn())), 4 * u32::from(op.extra()))
            }
            _ => (W::of(0), 0),
        };
        let stored = (size > 0).then(|| (address.plain(), size));
        Reach { registers: op.written(), flags: op.sets_flags(), stored }
    }

    /// Whether the instruction takes another time than one that is left out.
    #[inline(always)]
    fn takes_another_time(&self) -> bool {
        let cycles = match self.op.code {
            Op::Nop => self.cost.hint,
            Op::Mrs | Op::Msr => self.cost.status,
            _ if self.op.is_processing() => self.cost.alu,
            _ => return true,
        };
        cycles != self.cost.skipped
    }

    /// Tells of a load; its value depends on the secrets of the address.
    #[inline(always)]
    fn loaded(&mut self, address: W, size_bytes: u32, value: W) -> W {
        let (place, plain) = (self.flow.place as u32, address.plain());
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
        let (place, plain) = (self.flow.place as u32, address.plain());
        self.observer.accessed(place, plain, size_bytes, true);
        if address.is_secret() {
            self.observer.leaked(place, Leak::Store { address: plain, size_bytes });
        }
    }

    /// Tells if a secret decides where the flow goes.
    #[inline(always)]
    fn goes_to(&mut self, target: W) -> u32 {
        if target.is_secret() {
            self.observer.leaked(self.flow.place as u32, Leak::Target);
        }
        target.plain()
    }

    /// Leaves out an instruction whose condition fails.
    #[inline(always)]
    fn skip(self) -> Result<(), End> {
        self.pipeline.skips();
        self.observer.skipped(self.flow.place as u32);
        Ok(())
    }

    /// Data processing has this result.
    #[inline(always)]
    fn result(&mut self, value: W) -> Result<(), End> {
        self.set(self.op.rd(), value);
        self.pipeline.processes(self.op.rd());
        Ok(())
    }

    #[inline(always)]
    fn stand(&mut self, cycles: u8) -> Result<(), End> {
        self.pipeline.stands(cycles);
        Ok(())
    }

    /// Minds the stack's end if the register is the stack pointer.
    #[inline(always)]
    fn written(&mut self, number: u8) -> Result<(), End> {
        if number != SP {
            return Ok(());
        }
        let pointer = self.get(SP);
        if pointer.is_secret() {
            self.observer.leaked(self.flow.place as u32, Leak::Stack);
        }
        let pointer = pointer.plain();
        if pointer < self.cpu.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, pointer).into());
        }
        self.observer.stack(pointer);
        Ok(())
    }

    #[inline(always)]
    fn operand(&self, form: Form) -> W {
        match form {
            Immediate => W::of(self.op.imm),
            Register => self.get(self.op.rm()),
            Shifted => exec::shifted(self.get(self.op.rm()), self.op.imm, self.op.extra()),
        }
    }

    /// Data processing that leaves the flags.
    #[inline(always)]
    fn process(&mut self, form: Form, operation: u8) -> Result<(), End> {
        let carry = exec::carry(self.flow.nzcv);
        self.result(exec::processed(operation, self.get(self.op.rn()), self.operand(form), carry))
    }

    /// Logic that sets the flags; an immediate may bring a carry.
    #[inline(always)]
    fn process_logic(&mut self, form: Form, operation: u8) -> Result<(), End> {
        let result = exec::processed(operation, self.get(self.op.rn()), self.operand(form), W::of(0));
        let mut nzcv = exec::kept_carry(self.flow.nzcv, result);
        let detail = self.op.detail();
        if form == Immediate && detail & SETS_CARRY != 0 {
            nzcv = exec::with_carry(nzcv, W::of(u32::from(detail & CARRY != 0)));
        }
        self.flow.nzcv = nzcv;
        self.result(result)
    }

    /// A sum or difference that sets the flags.
    #[inline(always)]
    fn process_sum(&mut self, form: Form, operation: u8) -> Result<(), End> {
        let carry = exec::carry(self.flow.nzcv);
        let (result, nzcv) = exec::summed(operation, self.get(self.op.rn()), self.operand(form), carry);
        self.flow.nzcv = nzcv;
        self.result(result)
    }

    /// A shift by a constant that sets the flags.
    #[inline(always)]
    fn process_shift(&mut self, kind: u32) -> Result<(), End> {
        let (result, nzcv) = exec::shifted_with_flags(kind, self.get(self.op.rm()), self.op.extra(), self.flow.nzcv);
        self.flow.nzcv = nzcv;
        self.result(result)
    }

    /// Any data processing.
    #[inline(always)]
    fn process_any(&mut self) -> Result<(), End> {
        let (detail, extra, imm) = (self.op.detail(), self.op.extra(), self.op.imm);
        let carry_in = exec::carry(self.flow.nzcv);
        let (value, carry) = if detail & SHIFT_BY_REGISTER != 0 {
            exec::shift_with_carry(self.get(self.op.rm()), imm, self.get(extra).and(W::of(0xff)), carry_in)
        } else if extra == IMMEDIATE {
            let set = W::of(u32::from(detail & CARRY != 0));
            (W::of(imm), if detail & SETS_CARRY != 0 { set } else { carry_in })
        } else {
            exec::shift_with_carry(self.get(self.op.rm()), imm, W::of(u32::from(extra)), carry_in)
        };
        let (operation, value) = match detail & 0x0f {
            alu::ORN => (alu::ORR, value.not()),
            operation => (operation, value),
        };
        let first = self.get(self.op.rn());
        let (result, flags) = exec::processed_with_flags(operation, first, value, self.flow.nzcv, carry);
        if detail & FLAGS != 0 {
            self.flow.nzcv = flags;
        }
        self.result(result)?;
        self.written(self.op.rd())
    }

    #[inline(always)]
    fn extract(&mut self, op: Op) -> Result<(), End> {
        let (value, width) = (self.get(self.op.rm()), u32::from(self.op.extra()));
        self.result(exec::extracted(op, value, self.op.imm & 31, width))
    }

    #[inline(always)]
    fn insert(&mut self) -> Result<(), End> {
        let (value, field) = (self.get(self.op.rd()), self.get(self.op.rm()));
        self.result(exec::inserted(value, field, self.op.extra(), self.op.imm))
    }

    /// Sets the sticky overflow flag if `over` is 1.
    #[inline(always)]
    fn overflowed(&mut self, over: W) {
        self.cpu.saturated = self.cpu.saturated.or(over);
    }

    #[inline(always)]
    fn saturate(&mut self) -> Result<(), End> {
        let (detail, value) = (self.op.detail(), self.get(self.op.rm()));
        let (value, over) = if self.op.code == Op::Saturate16 {
            exec::saturated_halves(value, self.op.imm, detail)
        } else {
            let source = exec::saturation_source(value, detail, self.op.extra());
            exec::saturated(source, self.op.imm, detail & UNSIGNED != 0)
        };
        self.overflowed(over);
        self.result(value)
    }

    #[inline(always)]
    fn extend(&mut self, op: Op) -> Result<(), End> {
        let turned = exec::rotated(self.get(self.op.rm()), u32::from(self.op.extra()));
        let extended = exec::extended(op, turned);
        let alone = self.op.rn() == NONE;
        self.result(if alone { extended } else { self.get(self.op.rn()).add(extended) })
    }

    #[inline(always)]
    fn extend_bytes(&mut self) -> Result<(), End> {
        let (sum, bytes) = (self.get(self.op.rn()), self.get(self.op.rm()));
        self.result(dsp::extended_bytes(self.op.detail(), sum, bytes, u32::from(self.op.extra())))
    }

    #[inline(always)]
    fn pack(&mut self) -> Result<(), End> {
        let (value, other) = (self.get(self.op.rm()), self.get(self.op.rn()));
        self.result(dsp::packed(self.op.detail(), value, other, self.op.extra()))
    }

    #[inline(always)]
    fn parallel(&mut self) -> Result<(), End> {
        let (first, second) = (self.get(self.op.rn()), self.get(self.op.rm()));
        let (value, flags) = dsp::parallel(self.op.detail(), first, second, self.cpu.greater_or_equal);
        self.cpu.greater_or_equal = flags;
        self.result(value)
    }

    #[inline(always)]
    fn select(&mut self) -> Result<(), End> {
        let (first, second) = (self.get(self.op.rn()), self.get(self.op.rm()));
        self.result(dsp::select(first, second, self.cpu.greater_or_equal))
    }

    #[inline(always)]
    fn saturating(&mut self) -> Result<(), End> {
        // A32 numbers the difference first and the doubling second.
        let kind = self.op.detail() >> 1 | (self.op.detail() & 1) << 1;
        let (value, over) = exec::saturating(kind, self.get(self.op.rm()), self.get(self.op.rn()));
        self.overflowed(over);
        self.result(value)
    }

    #[inline(always)]
    fn reverse(&mut self, op: Op) -> Result<(), End> {
        self.result(exec::reversed(op, self.get(self.op.rm())))
    }

    /// Waits as a factor for the product made right before; the next instruction may wait for this one.
    #[inline(always)]
    fn behind_product(&mut self) {
        if self.pipeline.is_behind_product(self.flow.place) {
            let cycles = self.cpu.multiplied_product(*self.op, self.pipeline.before());
            self.pipeline.waits_for_product(cycles);
            self.waits.add::<O>(Cause::Result, cycles);
        }
        self.pipeline.multiplies(self.flow.next);
    }

    /// A multiplication has this result.
    #[inline(always)]
    fn product(&mut self, value: W, cycles: u8) -> Result<(), End> {
        self.behind_product();
        self.set(self.op.rd(), value);
        self.calculates(u64::from(cycles));
        Ok(())
    }

    /// The multiplier or divider takes so many cycles.
    #[inline(always)]
    fn calculates(&mut self, cycles: u64) {
        self.waits.add::<O>(Cause::Multiply, cycles.saturating_sub(1));
        self.pipeline.spends(self.op.rd(), cycles);
    }

    /// A multiplication has this result of two words.
    #[inline(always)]
    fn long_product(&mut self, value: W::Wide, cycles: u64) -> Result<(), End> {
        self.behind_product();
        self.set(self.op.extra(), W::low_half(value));
        self.set(self.op.rd(), W::high_half(value));
        self.calculates(cycles);
        Ok(())
    }

    #[inline(always)]
    fn factors(&self) -> (W, W) {
        (self.get(self.op.rn()), self.get(self.op.rm()))
    }

    #[inline(always)]
    fn multiply(&mut self) -> Result<(), End> {
        let (first, second) = self.factors();
        self.product(first.mul(second), self.cost.multiply)
    }

    #[inline(always)]
    fn multiply_flags(&mut self) -> Result<(), End> {
        let (first, second) = self.factors();
        let product = first.mul(second);
        self.flow.nzcv = exec::kept_carry(self.flow.nzcv, product);
        self.product(product, self.cost.multiply)
    }

    #[inline(always)]
    fn multiply_accumulate(&mut self) -> Result<(), End> {
        let ((first, second), accumulator) = (self.factors(), self.get(self.op.extra()));
        self.product(exec::accumulated(self.op.code, accumulator, first.mul(second)), self.cost.multiply_add)
    }

    #[inline(always)]
    fn multiply_long(&mut self, op: Op) -> Result<(), End> {
        let (first, second) = self.factors();
        let (x, y) = (first.plain(), second.plain());
        let cycles = match op {
            Op::LongAddTwice => u64::from(self.cost.multiply_dsp),
            _ => {
                if (first.is_secret() || second.is_secret()) && self.cpu.core.long_varies() {
                    self.observer.leaked(self.flow.place as u32, Leak::Multiply);
                }
                self.cpu.core.long_cycles(op, x, y)
            }
        };
        let accumulator = W::joined(self.get(self.op.rd()), self.get(self.op.extra()));
        self.long_product(exec::long_product(op, first, second, accumulator), cycles)
    }

    #[inline(always)]
    fn multiply_dsp(&mut self) -> Result<(), End> {
        let (first, second) = self.factors();
        let (detail, low) = (self.op.detail(), self.get(self.op.extra()));
        let is_long = detail & 0x0f >= kinds::LONG_HALVES;
        let accumulator = if is_long { W::joined(self.get(self.op.rd()), low) } else { low.wide() };
        let (value, over) = dsp::multiplied(detail, first, second, accumulator);
        self.overflowed(over);
        if is_long {
            self.long_product(value, u64::from(self.cost.multiply_dsp))
        } else {
            self.product(W::low_half(value), self.cost.multiply_dsp)
        }
    }

    #[inline(always)]
    fn divide(&mut self, op: Op) -> Result<(), End> {
        let (dividend, divisor) = self.factors();
        let (x, y) = (dividend.plain(), divisor.plain());
        if (dividend.is_secret() || divisor.is_secret()) && self.cpu.core.divide_varies() {
            self.observer.leaked(self.flow.place as u32, Leak::Divide);
        }
        let cycles = self.cpu.core.divide_cycles(op == Op::DivideSigned, x, y);
        self.set(self.op.rd(), exec::divided(op, dividend, divisor));
        self.calculates(cycles);
        Ok(())
    }

    /// Reads memory, and waits where that takes longer.
    #[inline(always)]
    fn read(&mut self, address: W, size: u32) -> Result<W, End> {
        self.read_within(address, size, 1)
    }

    /// Reads memory within so many cycles, and waits where that takes longer: what changes is read in the last of them.
    #[inline(always)]
    fn read_within(&mut self, address: W, size: u32, cycles: u64) -> Result<W, End> {
        let plain = address.plain();
        let began = self.pipeline.now;
        self.pipeline.requests(&mut self.cpu.system, plain);
        let memory = &self.cpu.memory;
        let quick = match size {
            1 => memory.quick_byte(plain),
            2 => memory.quick_half(plain),
            _ => memory.quick_word(plain),
        };
        let value = match quick {
            Some(value) => value,
            None => {
                let (value, cycles) = self.cpu.load_elsewhere(plain, size, self.pipeline.now + cycles - 1)?;
                self.pipeline.stalls(cycles);
                value
            }
        };
        self.passed(Cause::Data, began);
        let value = W::loaded(value, &self.cpu.beside, plain, size);
        Ok(self.loaded(address, size, value))
    }

    /// Writes memory, and waits where that takes longer.
    #[inline(always)]
    fn write(&mut self, address: W, size: u32, value: W) -> Result<(), End> {
        let to = address.plain();
        let began = self.pipeline.now;
        self.pipeline.requests(&mut self.cpu.system, to);
        let (memory, plain) = (&mut self.cpu.memory, value.plain());
        let quick = match size {
            1 => memory.store_quick_byte(to, plain),
            2 => memory.store_quick_half(to, plain),
            _ => memory.store_quick_word(to, plain),
        };
        if !quick {
            let cycles = self.cpu.store_elsewhere(to, size, plain, self.pipeline.now)?;
            self.pipeline.stalls(cycles);
            self.flow.counting = self.cpu.timers.counts_overheads();
        }
        self.passed(Cause::Data, began);
        value.stored(&mut self.cpu.beside, to, size);
        self.stored(address, size);
        Ok(())
    }

    /// Returns the cycles that data at an address come late.
    #[inline(always)]
    fn reads_late(&mut self, address: W, size: u32) -> u64 {
        let stall = self.pipeline.reads(&mut self.cpu.system, address.plain(), size);
        self.waits.data::<O, M>(&self.cpu.system, stall);
        stall
    }

    /// Returns the cycles for which memory holds a store up.
    #[inline(always)]
    fn writes_late(&mut self, address: W, size: u32) -> u64 {
        let stall = self.pipeline.writes(&mut self.cpu.system, address.plain(), size);
        self.waits.data::<O, M>(&self.cpu.system, stall);
        stall
    }

    /// Returns the cycles for which memory holds the store of a word up behind the word before it.
    #[inline(always)]
    fn writes_on_late(&mut self, address: W) -> u64 {
        let stall = self.pipeline.writes_on(&mut self.cpu.system, address.plain());
        self.waits.data::<O, M>(&self.cpu.system, stall);
        stall
    }

    #[inline(always)]
    fn quick_address(&self, form: Form) -> W {
        let offset = match form {
            Immediate => W::of(self.op.imm),
            _ => self.get(self.op.rm()).shl(W::of(u32::from(self.op.extra() & 31))),
        };
        self.get(self.op.rn()).add(offset)
    }

    /// Returns the cycles of a load whose address is this instruction's.
    #[inline(always)]
    fn load_cycles(&mut self, address: W) -> u64 {
        let (began, behind_store) = (self.pipeline.now, self.pipeline.is_behind_store());
        let cycles = self.pipeline.load_cycles(address.plain(), self.op.rn(), self.op.rm());
        self.addressed(began, behind_store);
        cycles
    }

    /// Returns the cycles of a store whose address is this instruction's.
    #[inline(always)]
    fn store_cycles(&mut self, address: W, by_register: bool) -> u64 {
        let began = self.pipeline.now;
        let cycles = self.pipeline.store_cycles(address.plain(), self.op.rn(), self.op.rm(), by_register);
        self.addressed(began, false);
        cycles
    }

    #[inline(always)]
    fn load(&mut self, form: Form, size: u32) -> Result<(), End> {
        let address = self.quick_address(form);
        let cycles = self.load_cycles(address);
        let value = self.read_within(address, size, cycles)?;
        self.set(self.op.rd(), value);
        let stall = self.reads_late(address, size);
        self.pipeline.loads(self.op.rd(), cycles + stall);
        Ok(())
    }

    /// Waits to store the product made right before.
    #[inline(always)]
    fn store_product(&mut self) {
        if self.pipeline.is_behind_product(self.flow.place) {
            let cycles = self.cpu.stored_product(*self.op, self.pipeline.before());
            self.pipeline.waits_for_product(cycles);
            self.waits.add::<O>(Cause::Result, cycles);
        }
    }

    #[inline(always)]
    fn store(&mut self, form: Form, size: u32) -> Result<(), End> {
        let address = self.quick_address(form);
        let cycles = self.store_cycles(address, form == Register);
        self.store_product();
        self.write(address, size, self.get(self.op.rd()))?;
        let stall = self.writes_late(address, size);
        self.pipeline.stores(cycles + stall);
        Ok(())
    }

    /// Returns the address of any load or store of one or two registers, and the base it leaves.
    #[inline(always)]
    fn any_address(&self) -> (W, W) {
        let (base, detail) = (self.get(self.op.rn()), self.op.detail());
        let by_register = detail & BY_REGISTER != 0;
        let index = || self.get(self.op.rm()).shl(W::of(u32::from(self.op.extra() & 31)));
        let moved = base.add(if by_register { index() } else { W::of(self.op.imm) });
        (exec::address(detail, base, moved), moved)
    }

    #[inline(always)]
    fn write_back(&mut self, moved: W) -> Result<(), End> {
        if self.op.detail() & WRITEBACK == 0 {
            return Ok(());
        }
        self.set(self.op.rn(), moved);
        self.written(self.op.rn())
    }

    #[inline(always)]
    fn moved_base(&mut self) {
        if self.op.detail() & WRITEBACK != 0 {
            self.pipeline.moves(self.op.rn());
        }
    }

    #[inline(always)]
    fn aligned(&self, address: W, size: u32) -> Result<(), End> {
        let address = address.plain();
        if unaligned(address, size) {
            return Err(Trap::at(FaultKind::UnalignedAddress, address).into());
        }
        Ok(())
    }

    /// Any load of one register.
    #[inline(always)]
    fn load_any(&mut self) -> Result<(), End> {
        let (address, moved) = self.any_address();
        let cycles = self.load_cycles(address);
        let detail = self.op.detail();
        let value = match detail & (BYTE | HALF) {
            BYTE => self.read_within(address, 1, cycles)?,
            HALF => self.read_within(address, 2, cycles)?,
            _ => self.read_within(address, 4, cycles)?,
        };
        let size = exec::size_bytes(detail);
        let stall = self.reads_late(address, size);
        if self.op.code == Op::LoadPc {
            self.pipeline.stalls(stall);
            self.write_back(moved)?;
            self.waits.add::<O>(Cause::Branch, u64::from(self.cost.load_pc.saturating_sub(self.cost.load)));
            self.pipeline.jumps(self.cost.load_pc);
            return self.exchange(value);
        }
        self.pipeline.stalls(stall);
        self.write_back(moved)?;
        self.set(self.op.rd(), exec::loaded(detail, value));
        self.pipeline.loads(self.op.rd(), cycles);
        self.moved_base();
        self.written(self.op.rd())
    }

    /// Any store of one register.
    #[inline(always)]
    fn store_any(&mut self) -> Result<(), End> {
        let (address, moved) = self.any_address();
        let cycles = self.store_cycles(address, false);
        self.store_product();
        let (value, detail) = (self.get(self.op.rd()), self.op.detail());
        // A push below the stack's end is refused before it does harm.
        self.write_back(moved)?;
        match detail & (BYTE | HALF) {
            BYTE => self.write(address, 1, value)?,
            HALF => self.write(address, 2, value)?,
            _ => self.write(address, 4, value)?,
        }
        let stall = self.writes_late(address, exec::size_bytes(detail));
        self.pipeline.stores(cycles + stall);
        self.moved_base();
        Ok(())
    }

    /// The address of a load of several registers.
    #[inline(always)]
    fn addresses_loads(&mut self, address: W) {
        let (began, behind_store) = (self.pipeline.now, self.pipeline.is_behind_store());
        self.pipeline.addresses_loads(address.plain(), self.op.rn(), self.op.rm());
        self.addressed(began, behind_store);
    }

    /// The address of a store of several registers, or of a table.
    #[inline(always)]
    fn addresses(&mut self, address: W, base: u8) {
        let began = self.pipeline.now;
        self.pipeline.addresses(address.plain(), base, self.op.rm());
        self.addressed(began, false);
    }

    #[inline(always)]
    fn load_multiple(&mut self) -> Result<(), End> {
        let list = self.op.imm;
        let (first, moved) = exec::span(self.get(self.op.rn()), list.count_ones(), self.op.detail());
        self.aligned(first, 4)?;
        self.addresses_loads(first);
        self.write_back(moved)?;
        let (mut left, mut address, mut target) = (list, first, W::of(0));
        while left != 0 {
            let number = left.trailing_zeros() as u8;
            left &= left - 1;
            let value = self.read(address, 4)?;
            let stall = self.reads_late(address, 4);
            self.pipeline.transfers(stall);
            address = address.add(W::of(4));
            if number == PC {
                target = value;
            } else {
                self.set(number, value);
            }
        }
        if list >> PC & 1 == 1 {
            let MultipleCost { base, base_pc } = self.cost.load_multiple;
            self.waits.add::<O>(Cause::Branch, u64::from(base_pc.saturating_sub(base)));
            self.pipeline.stands(base_pc);
            return self.exchange(target);
        }
        self.pipeline.stands(self.cost.load_multiple.base);
        Ok(())
    }

    #[inline(always)]
    fn store_multiple(&mut self) -> Result<(), End> {
        let (base, detail) = (self.op.rn(), self.op.detail());
        let (first, moved) = exec::span(self.get(base), self.op.imm.count_ones(), detail);
        self.aligned(first, 4)?;
        if base == SP && detail & WRITEBACK != 0 && moved.plain() < self.cpu.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, moved.plain()).into());
        }
        self.addresses(first, base);
        let (mut left, mut address) = (self.op.imm, first);
        while left != 0 {
            let number = left.trailing_zeros() as u8;
            left &= left - 1;
            self.write(address, 4, self.get(number))?;
            let stall = self.writes_on_late(address);
            self.pipeline.transfers(stall);
            address = address.add(W::of(4));
        }
        self.write_back(moved)?;
        self.pipeline.has_stored(self.cost.store_multiple.base);
        Ok(())
    }

    #[inline(always)]
    fn load_pair(&mut self) -> Result<(), End> {
        let (address, moved) = self.any_address();
        self.aligned(address, 4)?;
        let second = address.add(W::of(4));
        self.addresses_loads(address);
        let (low, high) = (self.read(address, 4)?, self.read(second, 4)?);
        for place in [address, second] {
            let stall = self.reads_late(place, 4);
            self.pipeline.transfers(stall);
        }
        self.write_back(moved)?;
        self.set(self.op.rd(), low);
        self.set(self.op.extra(), high);
        self.pipeline.stands(self.cost.load_multiple.base);
        Ok(())
    }

    #[inline(always)]
    fn store_pair(&mut self) -> Result<(), End> {
        let (address, moved) = self.any_address();
        self.aligned(address, 4)?;
        let second = address.add(W::of(4));
        self.addresses(address, self.op.rn());
        self.store_product();
        let (low, high) = (self.get(self.op.rd()), self.get(self.op.extra()));
        self.write_back(moved)?;
        self.write(address, 4, low)?;
        self.write(second, 4, high)?;
        let stall = self.writes_late(address, 4);
        self.pipeline.transfers(stall);
        let stall = self.writes_on_late(second);
        self.pipeline.transfers(stall);
        self.pipeline.has_stored(self.cost.store_multiple.base);
        Ok(())
    }

    #[inline(always)]
    fn load_exclusive(&mut self) -> Result<(), End> {
        let (address, size) = (self.quick_address(Immediate), u32::from(self.op.detail()));
        self.aligned(address, size)?;
        let cycles = self.load_cycles(address);
        let value = self.read(address, size)?;
        self.set(self.op.rd(), value);
        self.cpu.special.exclusive = true;
        let stall = self.reads_late(address, size);
        self.pipeline.loads(self.op.rd(), cycles + stall);
        Ok(())
    }

    #[inline(always)]
    fn store_exclusive(&mut self) -> Result<(), End> {
        let (address, size) = (self.quick_address(Immediate), u32::from(self.op.detail()));
        self.aligned(address, size)?;
        let began = self.pipeline.now;
        let cycles = self.pipeline.exclusive_cycles(address.plain(), self.op.rn(), self.op.rm());
        self.addressed(began, false);
        let done = std::mem::take(&mut self.cpu.special.exclusive);
        if done {
            self.write(address, size, self.get(self.op.extra()))?;
            let stall = self.writes_late(address, size);
            self.pipeline.stalls(stall);
        }
        self.set(self.op.rd(), W::of(u32::from(!done)));
        self.pipeline.loads(self.op.rd(), cycles);
        Ok(())
    }

    #[inline(always)]
    fn clear_exclusive(&mut self) -> Result<(), End> {
        self.cpu.special.exclusive = false;
        self.stand(self.cost.hint)
    }

    /// Goes to an even address.
    #[inline(always)]
    fn go(&mut self, target: u32) -> Result<(), End> {
        if M::FETCH_LINE_BYTES > 0 {
            self.pipeline.leaves_line(self.last_half());
        }
        if self.op.condition() != ALWAYS {
            self.observer.taken(self.flow.place as u32);
        }
        if !self.flow.window.holds(target) {
            match self.cpu.enter(target) {
                Ok(Some(entered)) => self.flow.window = entered,
                Ok(None) => return Err(End::Behind(target, Exit::Stop)),
                Err(trap) => return Err(End::Behind(target, Exit::Trap(trap))),
            }
        }
        let next = self.flow.window.thumb_place(target);
        self.flow.next = next as usize;
        let minds = unaligned(target, 4) && self.cost.target_unaligned_wide > 0;
        let is_unaligned_wide = minds && self.cpu.is_wide(&self.flow.window, next);
        let began = self.pipeline.now;
        self.pipeline.arrives(&mut self.cpu.system, target, is_unaligned_wide);
        self.passed(Cause::Branch, began);
        Ok(())
    }

    /// Goes to an address whose lowest bit must say that Thumb code lies there.
    #[inline(always)]
    fn exchange(&mut self, target: W) -> Result<(), End> {
        let target = self.goes_to(target);
        if target & 1 == 0 {
            self.cpu.left_thumb = true;
            return Err(End::Behind(target, Exit::Trap(Trap::of(FaultKind::IllegalOpcode))));
        }
        self.go(target & !1)
    }

    #[inline(always)]
    fn decode(&mut self) -> Result<(), End> {
        self.cpu.decode(&self.flow.window, self.flow.place as u32)?;
        Err(End::Again)
    }

    /// Goes on in the chunk behind.
    #[inline(always)]
    fn next_chunk(&mut self) -> Result<(), End> {
        let address = self.flow.window.thumb_address(self.flow.place as u32);
        let Some(window) = self.cpu.enter(address)? else { return Err(End::Before(Exit::Stop)) };
        let entry = window.thumb_place(address) as usize;
        self.pipeline.enters_chunk(self.flow.place, entry);
        (self.flow.window, self.flow.place) = (window, entry);
        Err(End::Again)
    }

    #[inline(always)]
    fn branch_table(&mut self) -> Result<(), End> {
        let (rn, rm, size) = (self.op.rn(), self.op.rm(), u32::from(self.op.detail()));
        let base = if rn == NONE { W::of(self.op.imm) } else { self.get(rn) };
        self.addresses(base, rn);
        let index = self.get(rm).shl(W::of(size - 1));
        let entry = self.read(base.add(index), size)?;
        let stall = self.reads_late(base, size);
        self.pipeline.stalls(stall);
        self.jumps(self.cost.branch_table);
        let pc = self.flow.window.thumb_address(self.flow.place as u32).wrapping_add(4);
        let target = self.goes_to(entry.shl(W::of(1)).add(W::of(pc)));
        self.go(target)
    }

    #[inline(always)]
    fn branch_link(&mut self) -> Result<(), End> {
        self.set(LR, W::of(self.flow.window.thumb_address(self.flow.next as u32) | 1));
        self.branch(self.cost.branch_link)
    }

    /// A jump that takes so many cycles.
    #[inline(always)]
    fn jumps(&mut self, cycles: u8) {
        self.waits.add::<O>(Cause::Branch, u64::from(cycles.saturating_sub(1)));
        self.pipeline.jumps(cycles);
    }

    #[inline(always)]
    fn branch(&mut self, cycles: u8) -> Result<(), End> {
        self.jumps(cycles);
        self.go(self.op.imm)
    }

    #[inline(always)]
    fn branch_zero(&mut self) -> Result<(), End> {
        let zero = self.get(self.op.rn()).equals(W::of(0));
        if W::is_secret_truth(zero) {
            self.observer.leaked(self.flow.place as u32, Leak::Branch);
        }
        let zero = W::holds(zero);
        if zero != (self.op.detail() == 0) {
            return self.stand(self.cost.skipped);
        }
        if self.op.condition() == ALWAYS {
            self.observer.taken(self.flow.place as u32);
        }
        self.branch(self.cost.branch_zero)
    }

    #[inline(always)]
    fn branch_exchange(&mut self, cycles: u8) -> Result<(), End> {
        let returns = self.cost.branch_return > 0 && self.op.rm() == LR && !self.pipeline.has_written(LR);
        self.jumps(if returns { self.cost.branch_return } else { cycles });
        self.exchange(self.get(self.op.rm()))
    }

    #[inline(always)]
    fn branch_link_exchange(&mut self) -> Result<(), End> {
        let target = self.get(self.op.rm());
        self.set(LR, W::of(self.op.imm));
        self.jumps(self.cost.branch_link_register);
        self.exchange(target)
    }

    #[inline(always)]
    fn branch_add(&mut self) -> Result<(), End> {
        self.jumps(self.cost.branch_register);
        let target = self.get(self.op.rm()).add(W::of(self.op.imm));
        let target = self.goes_to(target);
        self.go(target & !1)
    }

    #[inline(always)]
    fn if_then(&mut self) -> Result<(), End> {
        self.pipeline.rules(self.flow.place);
        Ok(())
    }

    #[inline(always)]
    fn barrier(&mut self) -> Result<(), End> {
        self.pipeline.stands(self.cost.barrier);
        if self.op.code == Op::InstructionBarrier {
            let began = self.pipeline.now;
            self.pipeline.fetches_again(&mut self.cpu.system, self.flow.window.thumb_address(self.flow.next as u32));
            self.passed(Cause::Fetch, began);
        }
        Ok(())
    }

    /// Sends an event, or goes on if one was sent.
    #[inline(always)]
    fn event(&mut self) -> Result<(), End> {
        let sends = self.op.code == Op::SendEvent;
        let sent = std::mem::replace(&mut self.cpu.special.event, sends);
        if !sends && !sent {
            return Err(Trap::of(FaultKind::Sleep).into());
        }
        self.stand(self.cost.hint)
    }

    #[inline(always)]
    fn read_special(&mut self) -> Result<(), End> {
        let value = self.cpu.special_register(self.op.imm, self.flow.nzcv, self.get(SP));
        self.set(self.op.rd(), value);
        self.pipeline.spends(self.op.rd(), u64::from(self.cost.status));
        self.written(self.op.rd())
    }

    #[inline(always)]
    fn write_special(&mut self) -> Result<(), End> {
        let (value, number, mask) = (self.get(self.op.rm()), self.op.imm, self.op.detail());
        if number < 4 {
            if mask & 2 != 0 {
                self.flow.nzcv = value.shr(W::of(28));
                self.cpu.saturated = value.shr(W::of(27)).and(W::of(1));
            }
            if mask & 1 != 0 && self.cpu.core.dsp {
                self.cpu.greater_or_equal = value.shr(W::of(16)).and(W::of(15));
            }
        } else {
            let pointer = self.cpu.set_special_register(number, value, self.get(SP));
            self.set(SP, pointer);
            if chooses_stack(number) {
                self.written(SP)?;
            }
        }
        self.stand(self.cost.status)
    }

    #[inline(always)]
    fn change_state(&mut self) -> Result<(), End> {
        self.cpu.change_state(self.op.imm, u32::from(self.op.detail()));
        self.stand(self.cost.change_state)
    }

    /// An instruction of the floating-point unit.
    #[inline(always)]
    fn float(&mut self) -> Result<(), End> {
        let operands = [self.get(self.op.rn()), self.get(self.op.rm())];
        let (now, last) = self.pipeline.state();
        let taken = if O::DETAILS { self.cpu.float_takes(*self.op, now) } else { now };
        let done = self.cpu.float(*self.op, operands, self.flow.nzcv, now, last)?;
        if O::DETAILS || operands[0].is_secret() {
            self.floated(operands[0], now, taken, done.now);
        }
        self.flow.nzcv = done.nzcv;
        self.flow.counting = self.cpu.timers.counts_overheads();
        for (number, value) in done.written {
            self.set(number, value);
        }
        self.pipeline.ended(done.now, done.last);
        self.written(done.written[0].0)
    }

    /// An instruction of the floating-point unit whose turn came at `turn`, which the unit took at `taken`, has ended.
    #[cold]
    #[inline(never)]
    fn floated(&mut self, base: W, turn: u64, taken: u64, ended: u64) {
        let op = *self.op;
        let (loads, stores) = op.transfers();
        let cycles = ended - taken;
        self.waits.add::<O>(Cause::Result, taken - turn);
        if loads + stores == 0 {
            let calculates = op.code == Op::Float;
            self.waits.add::<O>(Cause::Multiply, if calculates { cycles.saturating_sub(1) } else { 0 });
            return;
        }
        let first = float_run::first_address(op, base);
        for address in (0..loads + stores).map(|word| first.add(W::of(4 * word))) {
            if loads > 0 {
                self.loaded(address, 4, W::of(0));
            } else {
                self.stored(address, 4);
            }
        }
        let own = self.cost.float.map_or(0, |cost| if loads > 0 { cost.load_base } else { cost.store_base });
        self.waits.add::<O>(Cause::Data, cycles.saturating_sub(u64::from(own) + u64::from(loads + stores)));
    }
}
