//! The flow of a program: one instruction after the other, what it does by [`super::exec`], and when by
//! [`super::pipeline`].

use super::cpu::Cpu;
use super::decode::{Decoded, Operands};
use super::exec::{self, ARITHMETIC, LOGIC, PRODUCT, T, WORD};
use super::isa::Op;
use super::pipeline::Pipeline;
use crate::fault::{FaultKind, Trap};
use crate::observe::{Cause, Leak, Observer};
use crate::processor::{Exit, Processor};
use crate::value::{HeldByte, Value};

/// Pointer registers, by their lower half.
const X: u8 = 26;
const Y: u8 = 28;
const Z: u8 = 30;

/// What observers get for address 0 of the flash: its bytes lie behind the data space.
pub const FLASH_BASE: u32 = 0x100_0000;

/// Why the flow does not go on to the next instruction.
enum End {
    /// The cycles are used up before the instruction.
    Limit,
    /// The instruction ended the run.
    At(Exit),
    /// The instruction was executed and sleeps.
    Asleep,
}

impl From<Trap> for End {
    #[inline(always)]
    fn from(trap: Trap) -> Self {
        End::At(Exit::Trap(trap))
    }
}

type Done = Result<(), End>;

#[inline(always)]
fn is_any_secret<B: HeldByte>(values: &[B]) -> bool {
    values.iter().any(|value| value.is_secret())
}

/// Where the flow is, in word addresses.
struct Flow {
    pc: u16,
    /// What follows.
    next: u16,
    /// Cycle at which the instruction began, if the observer takes details.
    began: u64,
}

impl<B: HeldByte> Cpu<B> {
    /// Runs until the stop, a trap, or `cycle_limit` on the absolute cycle counter. After a trap the program counter
    /// names the instruction that caused it, except after `SLEEP`, which has completed.
    pub fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let mut flow = Flow { pc: self.pc, next: self.pc, began: self.cycles };
        let mut pipeline = Pipeline::new(self.cycles, cycle_limit);
        let mut sreg = self.sreg;
        let mut registers = self.registers;
        observer.began(u32::from(flow.pc));
        let end = loop {
            if pipeline.is_over() {
                break End::Limit;
            }
            let decoded = self.program.at(flow.pc);
            let (flow, pipeline, registers, sreg) = (&mut flow, &mut pipeline, &mut registers, &mut sreg);
            let mut step = Step { cpu: self, observer, flow, pipeline, registers, sreg, operands: decoded.operands };
            step.begin(decoded);
            match step.step(decoded.step) {
                Ok(()) => step.flow.pc = step.flow.next,
                Err(end) => break end,
            }
        };
        let exit = match end {
            End::Limit if self.program.at(flow.pc).op == Op::Stop => Exit::Stop,
            End::Limit => Exit::Limit,
            End::At(exit) => exit,
            End::Asleep => {
                if O::DETAILS {
                    let place = u32::from(flow.pc);
                    observer.ends(place, u32::from(self.sp), || self.executed(place as usize));
                    observer.retired(place, (pipeline.now - flow.began) as u32);
                }
                flow.pc = flow.pc.wrapping_add(1);
                Exit::Trap(Trap::of(FaultKind::Sleep))
            }
        };
        // An instruction that trapped has run as far as it got.
        let started = match exit {
            Exit::Trap(trap) if trap.kind == FaultKind::Sleep => 0,
            Exit::Trap(_) => match self.program.at(flow.pc).op {
                Op::Illegal | Op::Outside => 0,
                _ => u32::from(self.program.at(flow.pc).words),
            },
            Exit::Stop | Exit::Limit => 0,
        };
        observer.ended(u32::from(flow.pc) + started);
        self.pc = flow.pc;
        self.cycles = pipeline.now;
        self.sreg = sreg;
        self.registers = registers;
        exit
    }
}

/// An instruction under way, with all that it works on.
struct Step<'a, B: HeldByte, O> {
    cpu: &'a mut Cpu<B>,
    observer: &'a mut O,
    flow: &'a mut Flow,
    pipeline: &'a mut Pipeline,
    registers: &'a mut [B; 32],
    sreg: &'a mut B,
    operands: Operands,
}

/// Runs of operations at one go.
impl<B: HeldByte, O: Observer> Step<'_, B, O> {
    #[inline(always)]
    fn begin(&mut self, decoded: Decoded) {
        self.operands = decoded.operands;
        if O::DETAILS {
            self.flow.began = self.pipeline.now;
        }
        self.pipeline.executes(decoded.cycles);
        self.observer.executed(self.pc());
    }

    /// Goes on to the next operation of a run, unless the cycles are used up.
    #[inline(always)]
    fn advance(&mut self) -> Done {
        self.flow.pc = self.flow.next;
        if self.pipeline.is_over() {
            return Err(End::Limit);
        }
        let decoded = self.cpu.program.at(self.flow.pc);
        self.begin(decoded);
        Ok(())
    }

    #[inline(always)]
    fn two(&mut self, first: Op, second: Op) -> Done {
        self.execute(first)?;
        self.advance()?;
        self.execute(second)
    }

    #[inline(always)]
    fn three(&mut self, first: Op, second: Op, third: Op) -> Done {
        self.execute(first)?;
        self.advance()?;
        self.execute(second)?;
        self.advance()?;
        self.execute(third)
    }

    #[inline(always)]
    fn four(&mut self, first: Op, second: Op, third: Op, fourth: Op) -> Done {
        self.execute(first)?;
        self.advance()?;
        self.execute(second)?;
        self.advance()?;
        self.execute(third)?;
        self.advance()?;
        self.execute(fourth)
    }

    /// Executes an operation or a run. All of them are in one match, so that the processor finds its way with one jump.
    #[inline(always)]
    #[rustfmt::skip]
    fn step(&mut self, step: Op) -> Done {
        use Op::*;
        match step {
            Add => self.execute(Add), Adc => self.execute(Adc), Adiw => self.execute(Adiw), Sub => self.execute(Sub),
            Subi => self.execute(Subi), Sbc => self.execute(Sbc), Sbci => self.execute(Sbci),
            Sbiw => self.execute(Sbiw), And => self.execute(And), Andi => self.execute(Andi), Or => self.execute(Or),
            Ori => self.execute(Ori), Eor => self.execute(Eor), Com => self.execute(Com), Neg => self.execute(Neg),
            Inc => self.execute(Inc), Dec => self.execute(Dec), Cp => self.execute(Cp), Cpc => self.execute(Cpc),
            Cpi => self.execute(Cpi), Mov => self.execute(Mov), Movw => self.execute(Movw), Ldi => self.execute(Ldi),
            Swap => self.execute(Swap), Lsr => self.execute(Lsr), Ror => self.execute(Ror), Asr => self.execute(Asr),
            Mul => self.execute(Mul), Muls => self.execute(Muls), Mulsu => self.execute(Mulsu),
            Fmul => self.execute(Fmul), Fmuls => self.execute(Fmuls), Fmulsu => self.execute(Fmulsu),
            Rjmp => self.execute(Rjmp), Ijmp => self.execute(Ijmp), Eijmp => self.execute(Eijmp), Jmp => self.execute(Jmp),
            Rcall => self.execute(Rcall), Icall => self.execute(Icall), Eicall => self.execute(Eicall),
            Call => self.execute(Call),
            Ret => self.execute(Ret), Reti => self.execute(Reti), Cpse => self.execute(Cpse),
            Sbrc => self.execute(Sbrc), Sbrs => self.execute(Sbrs), Sbic => self.execute(Sbic),
            Sbis => self.execute(Sbis), Brbs => self.execute(Brbs), Brbc => self.execute(Brbc),
            Lds => self.execute(Lds), LdX => self.execute(LdX), LdXInc => self.execute(LdXInc),
            LdXDec => self.execute(LdXDec), LddY => self.execute(LddY), LdYInc => self.execute(LdYInc),
            LdYDec => self.execute(LdYDec), LddZ => self.execute(LddZ), LdZInc => self.execute(LdZInc),
            LdZDec => self.execute(LdZDec), Sts => self.execute(Sts), StX => self.execute(StX),
            StXInc => self.execute(StXInc), StXDec => self.execute(StXDec), StdY => self.execute(StdY),
            StYInc => self.execute(StYInc), StYDec => self.execute(StYDec), StdZ => self.execute(StdZ),
            StZInc => self.execute(StZInc), StZDec => self.execute(StZDec), Lpm => self.execute(Lpm),
            LpmZ => self.execute(LpmZ), LpmZInc => self.execute(LpmZInc), Elpm => self.execute(Elpm),
            ElpmZ => self.execute(ElpmZ), ElpmZInc => self.execute(ElpmZInc), Spm => self.execute(Spm),
            In => self.execute(In), Out => self.execute(Out), Push => self.execute(Push), Pop => self.execute(Pop),
            Sbi => self.execute(Sbi), Cbi => self.execute(Cbi), Bset => self.execute(Bset), Bclr => self.execute(Bclr),
            Bst => self.execute(Bst), Bld => self.execute(Bld), Nop => self.execute(Nop), Sleep => self.execute(Sleep),
            Wdr => self.execute(Wdr), Break => self.execute(Break),
            AddAdcAddAdc => self.four(Add, Adc, Add, Adc), AddAdcAdcAdc => self.four(Add, Adc, Adc, Adc),
            AddAdcLdXStdZ => self.four(Add, Adc, LdX, StdZ), AddAdcLddZAdd => self.four(Add, Adc, LddZ, Add),
            AdiwCpCpcBrbs => self.four(Adiw, Cp, Cpc, Brbs), SbcAndiEorStdZ => self.four(Sbc, Andi, Eor, StdZ),
            OrOrLsrRor => self.four(Or, Or, Lsr, Ror), EorAddAddAdd => self.four(Eor, Add, Add, Add),
            EorEorEorEor => self.four(Eor, Eor, Eor, Eor), EorEorEorStX => self.four(Eor, Eor, Eor, StX),
            EorEorMovAdd => self.four(Eor, Eor, Mov, Add), EorLsrLsrLsr => self.four(Eor, Lsr, Lsr, Lsr),
            IncMovwMovEor => self.four(Inc, Movw, Mov, Eor), DecCpiMovwBrbc => self.four(Dec, Cpi, Movw, Brbc),
            MovEorAddAdc => self.four(Mov, Eor, Add, Adc), MovEorSubiSbci => self.four(Mov, Eor, Subi, Sbci),
            MovEorMovAdd => self.four(Mov, Eor, Mov, Add), MovEorMovEor => self.four(Mov, Eor, Mov, Eor),
            MovwAddAdcMovw => self.four(Movw, Add, Adc, Movw), MovwOrOrCpi => self.four(Movw, Or, Or, Cpi),
            MovwCpCpcBrbs => self.four(Movw, Cp, Cpc, Brbs), MovwMovSwapAndi => self.four(Movw, Mov, Swap, Andi),
            MovwLdZIncEorStXInc => self.four(Movw, LdZInc, Eor, StXInc),
            MovwLdZIncMovwLdXInc => self.four(Movw, LdZInc, Movw, LdXInc),
            LdiSubiSbciLpmZ => self.four(Ldi, Subi, Sbci, LpmZ), LsrRorRorRor => self.four(Lsr, Ror, Ror, Ror),
            RorRorRorRor => self.four(Ror, Ror, Ror, Ror), MulAddAdcEor => self.four(Mul, Add, Adc, Eor),
            LdXMovwLdZIncEor => self.four(LdX, Movw, LdZInc, Eor),
            LddYLddYLddYLddY => self.four(LddY, LddY, LddY, LddY), LddZAdiwLdXSbiw => self.four(LddZ, Adiw, LdX, Sbiw),
            LddZLddZLddZLddZ => self.four(LddZ, LddZ, LddZ, LddZ), StXIncCpCpcBrbc => self.four(StXInc, Cp, Cpc, Brbc),
            StdYStdYLddYLdi => self.four(StdY, StdY, LddY, Ldi), StdYStdYStdYStdY => self.four(StdY, StdY, StdY, StdY),
            LpmZLddYStdYLddY => self.four(LpmZ, LddY, StdY, LddY),
            AddSbcAndi => self.three(Add, Sbc, Andi), AdiwLdXSbiw => self.three(Adiw, LdX, Sbiw),
            SubSbcSbc => self.three(Sub, Sbc, Sbc), SubMovAndi => self.three(Sub, Mov, Andi),
            SubiSbciLpmZ => self.three(Subi, Sbci, LpmZ), SbcAndiAdd => self.three(Sbc, Andi, Add),
            SbcAndiEor => self.three(Sbc, Andi, Eor), SbcMovAndi => self.three(Sbc, Mov, Andi),
            SbciLpmZStdY => self.three(Sbci, LpmZ, StdY), OrOrDec => self.three(Or, Or, Dec),
            EorEorEor => self.three(Eor, Eor, Eor), EorMovAdd => self.three(Eor, Mov, Add),
            EorMovwLddZ => self.three(Eor, Movw, LddZ), EorMovwStZInc => self.three(Eor, Movw, StZInc),
            EorLsrLsr => self.three(Eor, Lsr, Lsr), IncLdiCpi => self.three(Inc, Ldi, Cpi),
            CpCpcBrbs => self.three(Cp, Cpc, Brbs), CpCpcBrbc => self.three(Cp, Cpc, Brbc),
            CpiMovwBrbc => self.three(Cpi, Movw, Brbc), MovEorStdZ => self.three(Mov, Eor, StdZ),
            MovMovMov => self.three(Mov, Mov, Mov), MovSwapAndi => self.three(Mov, Swap, Andi),
            MovwAdiwAdiw => self.three(Movw, Adiw, Adiw), MovwSbiwLdX => self.three(Movw, Sbiw, LdX),
            MovwAndiAndi => self.three(Movw, Andi, Andi), MovwEorEor => self.three(Movw, Eor, Eor),
            MovwMovEor => self.three(Movw, Mov, Eor), MovwMovwLdXInc => self.three(Movw, Movw, LdXInc),
            MovwLsrRor => self.three(Movw, Lsr, Ror), MovwLdYIncMovw => self.three(Movw, LdYInc, Movw),
            MovwLdZIncEor => self.three(Movw, LdZInc, Eor), MovwStXAdd => self.three(Movw, StX, Add),
            MovwStXIncMovw => self.three(Movw, StXInc, Movw), MovwStdYMovw => self.three(Movw, StdY, Movw),
            LdiCpiBrbs => self.three(Ldi, Cpi, Brbs), SwapAndiEor => self.three(Swap, Andi, Eor),
            LsrLsrLsr => self.three(Lsr, Lsr, Lsr), RorRorRor => self.three(Ror, Ror, Ror),
            MulAddMul => self.three(Mul, Add, Mul), MulMovwMul => self.three(Mul, Movw, Mul),
            LdXMovwSbiw => self.three(LdX, Movw, Sbiw), LdYIncMovwAdd => self.three(LdYInc, Movw, Add),
            LddZEorEor => self.three(LddZ, Eor, Eor), LddZMovEor => self.three(LddZ, Mov, Eor),
            LddZLdXEor => self.three(LddZ, LdX, Eor), LdZIncEorStXInc => self.three(LdZInc, Eor, StXInc),
            StdYMovwLdYInc => self.three(StdY, Movw, LdYInc), StdYLddYLdi => self.three(StdY, LddY, Ldi),
            StdZAdiwAdiw => self.three(StdZ, Adiw, Adiw), StdZStdZStdZ => self.three(StdZ, StdZ, StdZ),
            LpmZLddYStdY => self.three(LpmZ, LddY, StdY), LpmZStdYLddY => self.three(LpmZ, StdY, LddY),
            PushPushPush => self.three(Push, Push, Push), PopPopPop => self.three(Pop, Pop, Pop),
            AddAdc => self.two(Add, Adc), AdcSubi => self.two(Adc, Subi), AdiwAdiw => self.two(Adiw, Adiw),
            SubiSbci => self.two(Subi, Sbci), AndAnd => self.two(And, And), AndBrbs => self.two(And, Brbs),
            OrOr => self.two(Or, Or), EorAdd => self.two(Eor, Add), EorEor => self.two(Eor, Eor),
            EorMov => self.two(Eor, Mov), EorStZInc => self.two(Eor, StZInc), CpCpc => self.two(Cp, Cpc),
            CpiBrbc => self.two(Cpi, Brbc), MovAdd => self.two(Mov, Add), MovEor => self.two(Mov, Eor),
            MovMov => self.two(Mov, Mov), MovwAdiw => self.two(Movw, Adiw), MovwMovw => self.two(Movw, Movw),
            MovwBrbs => self.two(Movw, Brbs), MovwLdXInc => self.two(Movw, LdXInc), MovwLddZ => self.two(Movw, LddZ),
            MovwStdZ => self.two(Movw, StdZ), LddYLdi => self.two(LddY, Ldi), LddYLddY => self.two(LddY, LddY),
            LddZMovw => self.two(LddZ, Movw), LddZLddZ => self.two(LddZ, LddZ), StdYLddY => self.two(StdY, LddY),
            StdYStdY => self.two(StdY, StdY), StdZStdZ => self.two(StdZ, StdZ), LpmZStdY => self.two(LpmZ, StdY),
            Illegal | Outside | Stop => self.refuse(step),
        }
    }
}

/// What every operation does.
impl<B: HeldByte, O: Observer> Step<'_, B, O> {
    #[inline(always)]
    fn execute(&mut self, op: Op) -> Done {
        self.perform(op)?;
        if O::DETAILS {
            self.retires(op);
        }
        Ok(())
    }

    /// Tells the observer of an instruction that has ended.
    #[inline(always)]
    fn retires(&mut self, op: Op) {
        let more = u32::from(self.cpu.program.at(self.flow.pc).cycles).saturating_sub(1);
        match op {
            Op::Rjmp | Op::Ijmp | Op::Eijmp | Op::Jmp => self.stalls(Cause::Branch, more),
            Op::Rcall | Op::Icall | Op::Eicall | Op::Call | Op::Ret | Op::Reti => self.stalls(Cause::Branch, more),
            Op::Mul | Op::Muls | Op::Mulsu | Op::Fmul | Op::Fmuls | Op::Fmulsu => self.stalls(Cause::Multiply, more),
            _ => {}
        }
        let (cpu, place) = (&*self.cpu, self.pc());
        self.observer.ends(place, u32::from(cpu.sp), || cpu.executed(place as usize));
        self.observer.retired(place, (self.pipeline.now - self.flow.began) as u32);
    }

    #[inline(always)]
    fn stalls(&mut self, cause: Cause, cycles: u32) {
        if O::DETAILS && cycles > 0 {
            self.observer.stalled(self.pc(), cause, cycles);
        }
    }

    #[inline(always)]
    fn perform(&mut self, op: Op) -> Done {
        let operands = self.operands;
        let immediate = B::of(operands.immediate());
        match op {
            Op::Add => self.computes(ARITHMETIC, exec::sum(self.rd(), self.rr(), B::of(0))),
            Op::Adc => self.computes(ARITHMETIC, exec::sum(self.rd(), self.rr(), exec::carry(*self.sreg))),
            Op::Adiw => self.computes_word(exec::word_sum(self.pair(operands.rd()), immediate.wide())),
            Op::Sub => {
                let (rd, rr) = self.operands_apart();
                self.computes(ARITHMETIC, exec::difference(rd, rr, B::of(0)))
            }
            Op::Subi => self.computes(ARITHMETIC, exec::difference(self.rd(), immediate, B::of(0))),
            Op::Sbc => {
                let (rd, rr) = self.operands_apart();
                self.computes(ARITHMETIC, exec::chained_difference(rd, rr, *self.sreg))
            }
            Op::Sbci => self.computes(ARITHMETIC, exec::chained_difference(self.rd(), immediate, *self.sreg)),
            Op::Sbiw => self.computes_word(exec::word_difference(self.pair(operands.rd()), immediate.wide())),
            Op::And => self.computes(LOGIC, exec::logic(self.rd().and(self.rr()))),
            Op::Andi => self.computes(LOGIC, exec::logic(self.rd().and(immediate))),
            Op::Or => self.computes(LOGIC, exec::logic(self.rd().or(self.rr()))),
            Op::Ori => self.computes(LOGIC, exec::logic(self.rd().or(immediate))),
            Op::Eor => {
                let (rd, rr) = self.operands_apart();
                self.computes(LOGIC, exec::logic(rd.xor(rr)))
            }
            Op::Com => self.computes(WORD, exec::complement(self.rd())),
            Op::Neg => self.computes(ARITHMETIC, exec::difference(B::of(0), self.rd(), B::of(0))),
            Op::Inc => self.computes(LOGIC, exec::increment(self.rd())),
            Op::Dec => self.computes(LOGIC, exec::decrement(self.rd())),
            Op::Cp => self.compares(exec::difference(self.rd(), self.rr(), B::of(0))),
            Op::Cpc => self.compares(exec::chained_difference(self.rd(), self.rr(), *self.sreg)),
            Op::Cpi => self.compares(exec::difference(self.rd(), immediate, B::of(0))),
            Op::Mov => self.set_rd(self.rr()),
            Op::Movw => self.set_pair(operands.rd(), self.pair(operands.rr())),
            Op::Ldi => self.set_rd(immediate),
            Op::Swap => self.set_rd(exec::swapped(self.rd())),
            Op::Lsr => self.computes(WORD, exec::shifted_right(self.rd(), B::of(0))),
            Op::Ror => self.computes(WORD, exec::shifted_right(self.rd(), exec::carry_on_top(*self.sreg))),
            Op::Asr => self.computes(WORD, exec::shifted_right(self.rd(), self.rd())),
            Op::Mul => self.multiplies(exec::product(self.rd().wide(), self.rr().wide())),
            Op::Muls => self.multiplies(exec::product(self.rd().wide_signed(), self.rr().wide_signed())),
            Op::Mulsu => self.multiplies(exec::product(self.rd().wide_signed(), self.rr().wide())),
            Op::Fmul => self.multiplies(exec::fractional(self.rd().wide(), self.rr().wide())),
            Op::Fmuls => self.multiplies(exec::fractional(self.rd().wide_signed(), self.rr().wide_signed())),
            Op::Fmulsu => self.multiplies(exec::fractional(self.rd().wide_signed(), self.rr().wide())),

            Op::Rjmp => self.jump(1, operands.target()),
            Op::Ijmp => {
                self.aims(&self.halves(Z));
                self.jump(1, self.pointer(Z))
            }
            Op::Eijmp => {
                let target = self.far_pointer()?;
                self.jump(1, target)
            }
            Op::Jmp => self.jump(2, operands.target()),
            Op::Rcall => self.call(1, operands.target()),
            Op::Icall => {
                self.aims(&self.halves(Z));
                self.call(1, self.pointer(Z))
            }
            Op::Eicall => {
                let target = self.far_pointer()?;
                self.call(1, target)
            }
            Op::Call => self.call(2, operands.target()),
            Op::Ret => self.returns(),
            Op::Reti => {
                self.returns()?;
                *self.sreg = exec::with_bits(*self.sreg, exec::I, true);
                Ok(())
            }
            Op::Cpse => self.skip_if(self.rd().equals(self.rr()), true),
            Op::Sbrc => self.skip_if(exec::any_set(self.rd(), operands.bit()), false),
            Op::Sbrs => self.skip_if(exec::any_set(self.rd(), operands.bit()), true),
            Op::Sbic => self.skip_if_loaded(false),
            Op::Sbis => self.skip_if_loaded(true),
            Op::Brbs => self.branch_if(true),
            Op::Brbc => self.branch_if(false),

            Op::In => {
                let value = self.read(operands.address())?;
                self.set_rd(value)
            }
            Op::Out => self.write(operands.address(), self.rd()),
            Op::Push => {
                let address = self.cpu.sp;
                self.push(self.rd())?;
                self.observer.accessed(self.pc(), u32::from(address), 1, true);
                Ok(())
            }
            Op::Pop => {
                let value = self.pop()?;
                self.observer.accessed(self.pc(), u32::from(self.cpu.sp), 1, false);
                self.set_rd(value)
            }
            Op::Sbi => self.change_io(true),
            Op::Cbi => self.change_io(false),
            Op::Bset => self.set_flags(operands.flag(), true),
            Op::Bclr => self.set_flags(operands.flag(), false),
            Op::Bst => self.store_bit(),
            Op::Bld => self.set_rd(exec::with_bit(self.rd(), operands.bit(), exec::any_set(*self.sreg, T))),
            // There is no watchdog to reset, and without a debugger BREAK does nothing either.
            Op::Nop | Op::Wdr | Op::Break => self.go_on(1),
            Op::Sleep => Err(End::Asleep),
            _ => self.moves(op),
        }
    }

    /// Loads and stores at addresses.
    #[inline(always)]
    fn moves(&mut self, op: Op) -> Done {
        let operands = self.operands;
        match op {
            Op::Lds => self.load_direct(),
            Op::LdX => self.load_at(X, 0),
            Op::LdXInc => self.load_stepping(X, 0, 1),
            Op::LdXDec => self.load_stepping(X, 1, 0),
            Op::LddY => self.load_at(Y, operands.displacement()),
            Op::LdYInc => self.load_stepping(Y, 0, 1),
            Op::LdYDec => self.load_stepping(Y, 1, 0),
            Op::LddZ => self.load_at(Z, operands.displacement()),
            Op::LdZInc => self.load_stepping(Z, 0, 1),
            Op::LdZDec => self.load_stepping(Z, 1, 0),
            Op::Sts => self.store_direct(),
            Op::StX => self.store_at(X, 0),
            Op::StXInc => self.store_stepping(X, 0, 1),
            Op::StXDec => self.store_stepping(X, 1, 0),
            Op::StdY => self.store_at(Y, operands.displacement()),
            Op::StYInc => self.store_stepping(Y, 0, 1),
            Op::StYDec => self.store_stepping(Y, 1, 0),
            Op::StdZ => self.store_at(Z, operands.displacement()),
            Op::StZInc => self.store_stepping(Z, 0, 1),
            Op::StZDec => self.store_stepping(Z, 1, 0),
            Op::Lpm => self.load_program(0, false),
            Op::LpmZ => self.load_program(operands.rd(), false),
            Op::LpmZInc => self.load_program(operands.rd(), true),
            Op::Elpm => self.load_extended(0, false),
            Op::ElpmZ => self.load_extended(operands.rd(), false),
            Op::ElpmZInc => self.load_extended(operands.rd(), true),
            Op::Spm => self.store_program(),
            // No runs are left.
            _ => self.refuse(op),
        }
    }

    /// Place of the instruction to observers.
    #[inline(always)]
    fn pc(&self) -> u32 {
        u32::from(self.flow.pc)
    }

    #[inline(always)]
    fn get(&self, number: u8) -> B {
        self.registers[usize::from(number & 31)]
    }

    #[inline(always)]
    fn set(&mut self, number: u8, value: B) -> Done {
        self.registers[usize::from(number & 31)] = value;
        self.go_on(1)
    }

    #[inline(always)]
    fn rd(&self) -> B {
        self.get(self.operands.rd())
    }

    #[inline(always)]
    fn rr(&self) -> B {
        self.get(self.operands.rr())
    }

    /// Returns both operands of a difference. One register twice makes the same difference as zeros do, which no secret
    /// in it changes; so compilers clear registers.
    #[inline(always)]
    fn operands_apart(&self) -> (B, B) {
        if !B::PLAIN && self.operands.rd() == self.operands.rr() {
            return (B::of(0), B::of(0));
        }
        (self.rd(), self.rr())
    }

    #[inline(always)]
    fn set_rd(&mut self, value: B) -> Done {
        self.set(self.operands.rd(), value)
    }

    #[inline(always)]
    fn pair(&self, low: u8) -> B::Wide {
        B::joined(self.get(low + 1), self.get(low))
    }

    #[inline(always)]
    fn set_pair(&mut self, low: u8, value: B::Wide) -> Done {
        self.set(low, B::low_half(value))?;
        self.set(low + 1, B::high_half(value))
    }

    /// Returns a pair as an address.
    #[inline(always)]
    fn pointer(&self, low: u8) -> u16 {
        u16::from_le_bytes([self.get(low).plain(), self.get(low + 1).plain()])
    }

    #[inline(always)]
    fn halves(&self, low: u8) -> [B; 2] {
        [self.get(low), self.get(low + 1)]
    }

    #[inline(always)]
    fn leaks(&mut self, leak: Leak) {
        self.observer.leaked(self.pc(), leak);
    }

    /// The flow goes where a secret says, if it does.
    #[inline(always)]
    fn aims(&mut self, from: &[B]) {
        if is_any_secret(from) {
            self.leaks(Leak::Target);
        }
    }

    #[inline(always)]
    fn flags(&mut self, mask: u8, flags: B) -> Done {
        *self.sreg = exec::with_flags(*self.sreg, mask, flags);
        self.go_on(1)
    }

    #[inline(always)]
    fn set_flags(&mut self, mask: u8, set: bool) -> Done {
        *self.sreg = exec::with_bits(*self.sreg, mask, set);
        self.go_on(1)
    }

    #[inline(always)]
    fn computes(&mut self, mask: u8, (result, flags): (B, B)) -> Done {
        self.set_rd(result)?;
        self.flags(mask, flags)
    }

    #[inline(always)]
    fn compares(&mut self, (_, flags): (B, B)) -> Done {
        self.flags(ARITHMETIC, flags)
    }

    #[inline(always)]
    fn computes_word(&mut self, (result, flags): (B::Wide, B)) -> Done {
        self.set_pair(self.operands.rd(), result)?;
        self.flags(WORD, flags)
    }

    #[inline(always)]
    fn multiplies(&mut self, (result, flags): (B::Wide, B)) -> Done {
        self.set_pair(0, result)?;
        self.flags(PRODUCT, flags)
    }

    #[inline(always)]
    fn store_bit(&mut self) -> Done {
        *self.sreg = exec::with_bit(*self.sreg, T, exec::any_set(self.rd(), self.operands.bit()));
        self.go_on(1)
    }

    /// Goes on behind the instruction, which has so many words.
    ///
    /// What follows is computed here and not when an instruction begins: it would take a machine register all the time.
    #[inline(always)]
    fn go_on(&mut self, words: u16) -> Done {
        self.flow.next = self.flow.pc.wrapping_add(words);
        Ok(())
    }

    /// Leaves the straight line; the instruction has so many words.
    #[inline(always)]
    fn jump(&mut self, words: u16, target: u16) -> Done {
        let sequel = self.flow.pc.wrapping_add(words);
        self.flow.next = target;
        self.observer.jumped(u32::from(sequel), u32::from(target));
        Ok(())
    }

    #[inline(always)]
    fn call(&mut self, words: u16, target: u16) -> Done {
        let [low, high] = self.flow.pc.wrapping_add(words).to_le_bytes();
        self.push(B::of(low))?;
        self.push(B::of(high))?;
        if self.cpu.program.core().address.eind.is_some() {
            self.push(B::of(0))?;
        }
        self.jump(words, target)
    }

    #[inline(always)]
    fn returns(&mut self) -> Done {
        if self.cpu.program.core().address.eind.is_some() {
            let extension = self.pop()?;
            self.aims(&[extension]);
            self.reachable(extension.plain())?;
        }
        let (high, low) = (self.pop()?, self.pop()?);
        self.aims(&[high, low]);
        self.jump(1, u16::from_le_bytes([low.plain(), high.plain()]))
    }

    /// Returns the pointer Z as a word address with EIND above it.
    #[inline(always)]
    fn far_pointer(&mut self) -> Result<u16, Trap> {
        let extension = self.cpu.eind();
        let [low, high] = self.halves(Z);
        self.aims(&[extension, low, high]);
        self.reachable(extension.plain())?;
        Ok(self.pointer(Z))
    }

    /// Refuses a word address with these bits above its lower 16: code is executed in the first 128 KB.
    #[inline(always)]
    fn reachable(&self, extension: u8) -> Result<(), Trap> {
        match extension {
            0 => Ok(()),
            _ => Err(Trap::at(FaultKind::UnmappedAddress, u32::from(extension) << 17)),
        }
    }

    /// Skips the next instruction if a truth is the wanted one. A secret truth leaks; what the instruction that is
    /// skipped or not would write is not secret for that.
    #[inline(always)]
    fn skip_if(&mut self, truth: B::Truth, wanted: bool) -> Done {
        if B::is_secret_truth(truth) {
            self.leaks(Leak::Branch);
        }
        if B::holds(truth) == wanted {
            let sequel = self.flow.pc.wrapping_add(1);
            let words = self.cpu.program.at(sequel).words;
            let before = self.pipeline.now;
            self.pipeline.skips(words, self.cpu.program.extra());
            self.stalls(Cause::Branch, (self.pipeline.now - before) as u32);
            self.jump(1, sequel.wrapping_add(u16::from(words)))?;
            self.observer.taken(self.pc());
            return Ok(());
        }
        self.go_on(1)
    }

    #[inline(always)]
    fn skip_if_loaded(&mut self, wanted: bool) -> Done {
        let value = self.read(self.operands.address())?;
        self.skip_if(exec::any_set(value, self.operands.bit()), wanted)
    }

    /// Branches if the flag is as wanted.
    #[inline(always)]
    fn branch_if(&mut self, wanted: bool) -> Done {
        let truth = exec::any_set(*self.sreg, self.operands.flag());
        if B::is_secret_truth(truth) {
            self.leaks(Leak::Branch);
        }
        if B::holds(truth) == wanted {
            let extra = self.cpu.program.extra();
            self.pipeline.branches(extra);
            self.stalls(Cause::Branch, u32::from(extra.branch_taken));
            self.jump(1, self.operands.target())?;
            self.observer.taken(self.pc());
            return Ok(());
        }
        self.go_on(1)
    }

    #[inline(always)]
    fn wait(&mut self, cycles: u32) {
        if cycles > 0 {
            self.pipeline.waits(cycles);
            self.observer.waited(self.pc(), cycles);
            self.stalls(Cause::Data, cycles);
        }
    }

    /// Shows registers and flags to what looks at the CPU.
    #[inline(always)]
    fn lay_down(&mut self) {
        (self.cpu.registers, self.cpu.sreg) = (*self.registers, *self.sreg);
    }

    /// Reads what lies at an address: data, a register, or part of a return address.
    #[inline(always)]
    fn read(&mut self, address: u16) -> Result<B, End> {
        let value = match self.cpu.bus.plain(address) {
            Some(plain) => B::loaded(plain, &self.cpu.beside, address.into(), 1),
            None => {
                self.lay_down();
                let (value, wait_cycles) = self.cpu.load_special(address, self.pipeline.now)?;
                self.wait(wait_cycles);
                value
            }
        };
        Ok(value)
    }

    /// Writes at an address, as [`Step::read`] reads.
    #[inline(always)]
    fn write(&mut self, address: u16, value: B) -> Done {
        if self.cpu.bus.store_plain(address, value.plain()) {
            value.stored(&mut self.cpu.beside, address.into(), 1);
        } else {
            if value.is_secret() && self.cpu.is_stack_pointer(address) {
                self.leaks(Leak::Stack);
            }
            self.lay_down();
            let wait_cycles = self.cpu.store_special(self.observer, address, value, self.pipeline.now)?;
            self.wait(wait_cycles);
            (*self.registers, *self.sreg) = (self.cpu.registers, self.cpu.sreg);
        }
        self.go_on(1)
    }

    #[inline(always)]
    fn load(&mut self, address: u16) -> Result<B, End> {
        let value = self.read(address)?;
        self.observer.accessed(self.pc(), u32::from(address), 1, false);
        Ok(value)
    }

    #[inline(always)]
    fn store(&mut self, address: u16, value: B) -> Done {
        self.write(address, value)?;
        self.observer.accessed(self.pc(), u32::from(address), 1, true);
        Ok(())
    }

    /// Loads at an address that a pointer has given.
    #[inline(always)]
    fn load_by(&mut self, pointer: u8, address: u16) -> Result<B, End> {
        let value = self.load(address)?;
        Ok(self.looked_up(value, &self.halves(pointer), u32::from(address)))
    }

    /// Returns what was loaded from an address that was made from others: all of it is secret if one of them is.
    #[inline(always)]
    fn looked_up(&mut self, value: B, from: &[B], address: u32) -> B {
        if !is_any_secret(from) {
            return value;
        }
        self.leaks(Leak::Load { address, size_bytes: 1 });
        B::computed(value.plain(), from)
    }

    /// Stores at an address that a pointer has given.
    #[inline(always)]
    fn store_by(&mut self, from: [B; 2], address: u16, value: B) -> Done {
        if is_any_secret(&from) {
            self.leaks(Leak::Store { address: address.into(), size_bytes: 1 });
        }
        self.store(address, value)
    }

    #[inline(always)]
    fn load_direct(&mut self) -> Done {
        let value = self.load(self.operands.address())?;
        self.set_rd(value)?;
        self.go_on(2)
    }

    #[inline(always)]
    fn load_at(&mut self, pointer: u8, displacement: u8) -> Done {
        let value = self.load_by(pointer, self.pointer(pointer).wrapping_add(u16::from(displacement)))?;
        self.set_rd(value)
    }

    /// Loads and moves the pointer, which is updated before the result is written: where they are one register the
    /// manual leaves the outcome open.
    #[inline(always)]
    fn load_stepping(&mut self, pointer: u8, before: u16, after: u16) -> Done {
        let value = self.load_by(pointer, self.pointer(pointer).wrapping_sub(before))?;
        self.step_pointer(pointer, before, after)?;
        self.set_rd(value)
    }

    #[inline(always)]
    fn store_direct(&mut self) -> Done {
        self.store(self.operands.address(), self.rd())?;
        self.go_on(2)
    }

    #[inline(always)]
    fn store_at(&mut self, pointer: u8, displacement: u8) -> Done {
        let address = self.pointer(pointer).wrapping_add(u16::from(displacement));
        self.store_by(self.halves(pointer), address, self.rd())
    }

    #[inline(always)]
    fn store_stepping(&mut self, pointer: u8, before: u16, after: u16) -> Done {
        let (address, value) = (self.pointer(pointer).wrapping_sub(before), self.rd());
        let from = self.halves(pointer);
        self.step_pointer(pointer, before, after)?;
        self.store_by(from, address, value)
    }

    /// Moves a pointer down before and up after an access.
    #[inline(always)]
    fn step_pointer(&mut self, pointer: u8, before: u16, after: u16) -> Done {
        let moved = self.pair(pointer).sub(B::Wide::of(before)).add(B::Wide::of(after));
        self.set_pair(pointer, moved)
    }

    #[inline(always)]
    fn change_io(&mut self, set: bool) -> Done {
        let address = self.operands.address();
        let value = self.read(address)?;
        self.write(address, exec::with_bits(value, self.operands.bit(), set))
    }

    #[inline(always)]
    fn push(&mut self, value: B) -> Done {
        let sp = self.cpu.sp;
        if u32::from(sp) < self.cpu.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, sp).into());
        }
        self.write(sp, value)?;
        self.cpu.sp = sp.wrapping_sub(1);
        self.observer.stack(u32::from(self.cpu.sp));
        self.go_on(1)
    }

    #[inline(always)]
    fn pop(&mut self) -> Result<B, End> {
        let sp = self.cpu.sp.wrapping_add(1);
        let value = self.read(sp)?;
        self.cpu.sp = sp;
        Ok(value)
    }

    /// Loads a byte of the flash.
    #[inline(always)]
    fn load_program(&mut self, to: u8, increments: bool) -> Done {
        let value = self.program_byte(u32::from(self.pointer(Z)), &self.halves(Z))?;
        if increments {
            self.step_pointer(Z, 0, 1)?;
        }
        self.set(to, value)
    }

    /// Loads a byte of a flash beyond 64 KB.
    #[inline(always)]
    fn load_extended(&mut self, to: u8, increments: bool) -> Done {
        self.lay_down();
        let address = self.cpu.extended_z();
        let [low, high] = self.halves(Z);
        let from = [low, high, self.cpu.rampz()];
        let value = self.program_byte(address, &from)?;
        if increments {
            self.step_pointer(Z, 0, 1)?;
            self.cpu.set_rampz(address.wrapping_add(1), &from);
        }
        self.set(to, value)
    }

    #[inline(always)]
    fn program_byte(&mut self, address: u32, from: &[B]) -> Result<B, End> {
        let Some(byte) = self.cpu.program.byte(address) else {
            return Err(Trap::at(FaultKind::UnmappedAddress, address).into());
        };
        self.observer.accessed(self.pc(), FLASH_BASE + address, 1, false);
        Ok(self.looked_up(B::of(byte), from, FLASH_BASE + address))
    }

    #[inline(always)]
    fn store_program(&mut self) -> Done {
        self.lay_down();
        self.cpu.store_program(self.observer, self.flow.pc.wrapping_add(1), self.pipeline.now);
        self.go_on(1)
    }

    #[inline(always)]
    fn refuse(&mut self, op: Op) -> Done {
        self.observer.refused(self.pc());
        Err(match op {
            Op::Stop => End::At(Exit::Stop),
            Op::Outside => Trap::at(FaultKind::UnmappedAddress, self.pc() * 2).into(),
            _ => Trap::of(FaultKind::IllegalOpcode).into(),
        })
    }
}
