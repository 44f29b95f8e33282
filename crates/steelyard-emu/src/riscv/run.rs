//! The flow of a program: one instruction after the other, what it does by [`super::exec`], and when by
//! [`super::pipeline`].

use super::cpu::Cpu;
use super::decode::{Decoded, Op, SP};
use super::exec;
use super::pipeline::{Pipeline, Ready};
use super::predict::{Executed, Kind};
use super::timing::{Cost, Costs, MultiplyCost};
#[cfg(feature = "translate")]
use super::translate;
use crate::fault::{FaultKind, Trap};
use crate::memory::Touched;
use crate::memory_system::MemorySystem;
use crate::observe::Observer;
use crate::processor::{Exit, Instructions, Processor};
use crate::program::Window;
use crate::value::{Held, HeldWord};

/// Exception causes.
const BREAKPOINT: u32 = 3;
const CALL_FROM_USER: u32 = 8;

/// Registers of a run. Numbers above 31 are results that nobody reads.
pub(super) type Registers<W> = [W; 64];

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

/// Where the flow is.
pub(super) struct Flow {
    pub window: Window,
    pub place: u32,
    /// Place of the instruction that follows.
    next: u32,
    /// Cycle in which the instruction's turn came.
    began: u64,
    /// Instructions executed so far.
    pub retired: u64,
}

impl<M: MemorySystem, W: HeldWord> Cpu<M, W> {
    /// Runs until the stop, a trap, or `cycle_limit` on the absolute cycle counter. After a trap the program counter
    /// names the instruction that caused it.
    pub fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let window = match self.enter(self.pc) {
            Ok(Some(window)) => window,
            Ok(None) => return Exit::Stop,
            Err(trap) => return Exit::Trap(trap),
        };
        let place = window.place(self.pc);
        let mut flow = Flow { window, place, next: place, began: self.cycles, retired: 0 };
        let mut registers = [W::of(0); 64];
        registers[..32].copy_from_slice(&self.registers);
        let mut ready: Ready = [0; 64];
        let cost = self.core.cost;
        let mut pipeline = Pipeline::new(&cost, &mut ready, self.cycles);
        #[cfg(feature = "translate")]
        let mut may_enter = translate::suits::<M, W, O>();
        #[cfg(feature = "translate")]
        let mut left = false;
        let exit = loop {
            if pipeline.now >= cycle_limit {
                break Exit::Limit;
            }
            #[cfg(feature = "translate")]
            if may_enter {
                may_enter = false;
                if translate::go(self, observer, &mut registers, &mut pipeline, &mut flow, cycle_limit) {
                    // Behind what translated code left to the interpreter it may go on.
                    left = true;
                    continue;
                }
            }
            let Some(&decoded) = self.program.ops.get(flow.place as usize) else {
                break Exit::Trap(Trap::at(FaultKind::UnmappedAddress, flow.window.address(flow.place)));
            };
            flow.next = flow.place + u32::from(decoded.halves);
            flow.began = pipeline.now;
            if M::FETCH_LINE_BYTES > 0 && (decoded.op as u8) > Op::Stop as u8 {
                let (first, last) = (flow.window.address(flow.place), flow.window.address(flow.next - 1));
                pipeline.fetch(&mut self.system, first, last);
            }
            let (registers, pipeline, flow) = (&mut registers, &mut pipeline, &mut flow);
            let end = Step { cpu: self, observer, registers, pipeline, flow, cost: &cost, decoded: &decoded }.execute();
            match end {
                Ok(()) => {}
                Err(End::Again) => continue,
                Err(End::Before(exit)) => break exit,
                Err(End::Behind(target, exit)) => {
                    if O::DETAILS {
                        observer.ends(flow.place, registers[usize::from(SP)].plain(), || {
                            self.executed(flow.place as usize)
                        });
                    }
                    observer.retired(flow.place, (pipeline.now - flow.began) as u32);
                    flow.retired += 1;
                    flow.place = flow.window.place(target);
                    break exit;
                }
            }
            flow.retired += 1;
            if O::DETAILS {
                observer.ends(flow.place, registers[usize::from(SP)].plain(), || self.executed(flow.place as usize));
            }
            observer.retired(flow.place, (pipeline.now - flow.began) as u32);
            #[cfg(feature = "translate")]
            {
                let jumped = flow.next != flow.place + u32::from(decoded.halves);
                may_enter = translate::suits::<M, W, O>() && (jumped || left);
                left = false;
            }
            flow.place = flow.next;
        };
        #[cfg(feature = "translate")]
        self.translator.observed(observer);
        self.pc = flow.window.address(flow.place);
        self.registers.copy_from_slice(&registers[..32]);
        self.control.instructions += flow.retired;
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
    flow: &'a mut Flow,
    cost: &'a Costs,
    decoded: &'a Decoded,
}

impl<M: MemorySystem, W: HeldWord, O: Observer> Step<'_, '_, M, W, O> {
    #[inline(always)]
    fn execute(mut self) -> Result<(), End> {
        let cost = self.cost;
        match self.decoded.op {
            Op::Undecoded => {
                self.cpu.decode(&self.flow.window, self.flow.place)?;
                Err(End::Again)
            }
            Op::ChunkEnd => self.next_chunk(),
            Op::Stop => Err(End::Before(Exit::Stop)),
            Op::Illegal => Err(Trap::of(FaultKind::IllegalOpcode).into()),

            Op::AddImm => self.immediate(Op::AddImm),
            Op::SetLessImm => self.immediate(Op::SetLessImm),
            Op::SetLessUnsignedImm => self.immediate(Op::SetLessUnsignedImm),
            Op::XorImm => self.immediate(Op::XorImm),
            Op::OrImm => self.immediate(Op::OrImm),
            Op::AndImm => self.immediate(Op::AndImm),
            Op::ShiftLeftImm => self.immediate(Op::ShiftLeftImm),
            Op::ShiftRightImm => self.immediate(Op::ShiftRightImm),
            Op::ShiftRightSignedImm => self.immediate(Op::ShiftRightSignedImm),
            Op::Constant => self.immediate(Op::Constant),
            Op::Add => self.of_registers(Op::Add),
            Op::Sub => self.of_registers(Op::Sub),
            Op::ShiftLeft => self.of_registers(Op::ShiftLeft),
            Op::SetLess => self.of_registers(Op::SetLess),
            Op::SetLessUnsigned => self.of_registers(Op::SetLessUnsigned),
            Op::Xor => self.of_registers(Op::Xor),
            Op::ShiftRight => self.of_registers(Op::ShiftRight),
            Op::ShiftRightSigned => self.of_registers(Op::ShiftRightSigned),
            Op::Or => self.of_registers(Op::Or),
            Op::And => self.of_registers(Op::And),
            Op::ToStack => self.stack_computed(),

            Op::Mul => self.multiply(Op::Mul, cost.multiply),
            Op::MulHigh => self.multiply(Op::MulHigh, cost.multiply_high),
            Op::MulHighSignedUnsigned => self.multiply(Op::MulHighSignedUnsigned, cost.multiply_high),
            Op::MulHighUnsigned => self.multiply(Op::MulHighUnsigned, cost.multiply_high),
            Op::Div => self.divide(Op::Div, true),
            Op::DivUnsigned => self.divide(Op::DivUnsigned, false),
            Op::Rem => self.divide(Op::Rem, true),
            Op::RemUnsigned => self.divide(Op::RemUnsigned, false),

            Op::LoadByte => self.load(Op::LoadByte, cost.load_narrow),
            Op::LoadHalf => self.load(Op::LoadHalf, cost.load_narrow),
            Op::LoadWord => self.load(Op::LoadWord, cost.load_word),
            Op::LoadByteUnsigned => self.load(Op::LoadByteUnsigned, cost.load_narrow),
            Op::LoadHalfUnsigned => self.load(Op::LoadHalfUnsigned, cost.load_narrow),
            Op::LoadStack => {
                self.load(Op::LoadWord, cost.load_word)?;
                self.stack_moved()
            }
            Op::StoreByte => self.store(Op::StoreByte),
            Op::StoreHalf => self.store(Op::StoreHalf),
            Op::StoreWord => self.store(Op::StoreWord),

            Op::Jump => self.jump(),
            Op::JumpRegister => self.jump_register(),
            Op::BranchEqual => self.branch(Op::BranchEqual),
            Op::BranchNotEqual => self.branch(Op::BranchNotEqual),
            Op::BranchLess => self.branch(Op::BranchLess),
            Op::BranchGreaterEqual => self.branch(Op::BranchGreaterEqual),
            Op::BranchLessUnsigned => self.branch(Op::BranchLessUnsigned),
            Op::BranchGreaterEqualUnsigned => self.branch(Op::BranchGreaterEqualUnsigned),

            Op::Fence => self.stand(cost.fence),
            Op::FenceInstruction => self.fence_instruction(),
            Op::Call => self.exception(CALL_FROM_USER + self.cpu.control.mode()),
            Op::Break => self.exception(BREAKPOINT),
            Op::MachineReturn => self.machine_return(),
            Op::Wait => Err(Trap::of(FaultKind::Sleep).into()),
            Op::Csr => self.control(),
            Op::LoadReserved | Op::StoreConditional | Op::Atomic => self.atomic(),
        }
    }

    #[inline(always)]
    fn get(&self, number: u8) -> W {
        self.registers[usize::from(number & 63)]
    }

    #[inline(always)]
    fn set(&mut self, number: u8, value: W) {
        self.registers[usize::from(number & 63)] = value;
    }

    /// Computes with a register and the immediate.
    #[inline(always)]
    fn immediate(&mut self, op: Op) -> Result<(), End> {
        let Decoded { rd, rs1, imm, .. } = *self.decoded;
        let start = self.pipeline.start([rs1], rd);
        self.set(rd, exec::computed(op, self.get(rs1), W::of(imm)));
        self.pipeline.computes(start, rd);
        Ok(())
    }

    /// Computes with two registers.
    #[inline(always)]
    fn of_registers(&mut self, op: Op) -> Result<(), End> {
        let Decoded { rd, rs1, rs2, .. } = *self.decoded;
        let start = self.pipeline.start([rs1, rs2], rd);
        self.set(rd, exec::computed(op, self.get(rs1), self.get(rs2)));
        self.pipeline.computes(start, rd);
        Ok(())
    }

    /// Computes the stack pointer.
    #[inline(always)]
    fn stack_computed(&mut self) -> Result<(), End> {
        let Decoded { rd, rs1, rs2, computes, imm, .. } = *self.decoded;
        let start = self.pipeline.start([rs1, rs2], rd);
        let second = if exec::takes_register(computes) { self.get(rs2) } else { W::of(imm) };
        self.set(rd, exec::computed(computes, self.get(rs1), second));
        self.pipeline.computes(start, rd);
        self.stack_moved()
    }

    #[inline(always)]
    fn stack_moved(&mut self) -> Result<(), End> {
        let pointer = self.get(SP).plain();
        if pointer < self.cpu.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, pointer).into());
        }
        self.observer.stack(pointer);
        Ok(())
    }

    #[inline(always)]
    fn multiply(&mut self, op: Op, cost: MultiplyCost) -> Result<(), End> {
        let Decoded { rd, rs1, rs2, .. } = *self.decoded;
        let start = self.pipeline.start([rs1, rs2], rd);
        self.set(rd, exec::product(op, self.get(rs1), self.get(rs2)));
        self.pipeline.multiplies(start, rd, cost);
        Ok(())
    }

    #[inline(always)]
    fn divide(&mut self, op: Op, signed: bool) -> Result<(), End> {
        let Decoded { rd, rs1, rs2, .. } = *self.decoded;
        let start = self.pipeline.start([rs1, rs2], rd);
        let (dividend, divisor) = (self.get(rs1), self.get(rs2));
        self.set(rd, exec::divided(op, dividend, divisor));
        self.pipeline.divides(start, rd, signed, dividend.plain(), divisor.plain());
        Ok(())
    }

    #[inline(always)]
    fn load(&mut self, op: Op, cost: Cost) -> Result<(), End> {
        let Decoded { rd, rs1, imm, .. } = *self.decoded;
        let start = self.pipeline.start([rs1], rd);
        let address = self.get(rs1).add(W::of(imm)).plain();
        let size = exec::size_bytes(op);
        let cpu = &mut *self.cpu;
        let mut extra = 0;
        let loaded = if address & (size - 1) != 0 {
            extra = cpu.misaligned_extra(address, size);
            cpu.load_misaligned(address, size)?
        } else {
            let loaded = match size {
                1 => cpu.memory.load_byte(address),
                2 => cpu.memory.load_half(address),
                _ => cpu.memory.load_word(address),
            };
            match loaded {
                Ok(loaded) => loaded,
                Err(trap) => cpu.load_otherwise(address, size, trap, start)?,
            }
        };
        let loaded = W::loaded(loaded, &cpu.beside, address, size);
        let mut delay = cpu.system.load(address, size, start);
        delay.stall += extra;
        self.set(rd, exec::extended(op, loaded));
        self.pipeline.loads(start, rd, cost, delay);
        Ok(())
    }

    #[inline(always)]
    fn store(&mut self, op: Op) -> Result<(), End> {
        let Decoded { rs1, rs2, imm, .. } = *self.decoded;
        let start = self.pipeline.sources([rs1, rs2]);
        let address = self.get(rs1).add(W::of(imm)).plain();
        let (value, size) = (self.get(rs2), exec::size_bytes(op));
        let cpu = &mut *self.cpu;
        let mut extra = 0;
        let touched = if address & (size - 1) != 0 {
            extra = cpu.misaligned_extra(address, size);
            cpu.store_misaligned(address, size, value.plain())?
        } else {
            let touched = match size {
                1 => cpu.memory.store_byte(address, value.plain()),
                2 => cpu.memory.store_half(address, value.plain()),
                _ => cpu.memory.store_word(address, value.plain()),
            };
            match touched {
                Ok(touched) => touched,
                Err(trap) => cpu.store_otherwise(address, size, value.plain(), trap, start)?,
            }
        };
        value.stored(&mut cpu.beside, address, size);
        if touched == Touched::Code {
            cpu.program.forget(address, 4);
        }
        let mut delay = cpu.system.store(address, size, start);
        delay.stall += extra;
        self.pipeline.stores(start, delay);
        Ok(())
    }

    #[inline(always)]
    fn jump(&mut self) -> Result<(), End> {
        let Decoded { rd, imm, .. } = *self.decoded;
        let start = self.pipeline.start([], rd);
        let sequel = self.flow.window.address(self.flow.next);
        self.set(rd, W::of(sequel));
        self.pipeline.spends(start, rd, self.cost.jump);
        self.guess(Kind::Jump, true, imm, self.decoded.links().then_some(sequel));
        self.go(imm)
    }

    #[inline(always)]
    fn jump_register(&mut self) -> Result<(), End> {
        let Decoded { rd, rs1, imm, .. } = *self.decoded;
        let start = self.pipeline.start([rs1], rd);
        let sequel = self.flow.window.address(self.flow.next);
        let target = exec::jump_target(self.get(rs1), W::of(imm)).plain();
        self.set(rd, W::of(sequel));
        self.pipeline.spends(start, rd, self.cost.jump_register);
        let kind = if self.decoded.returns() { Kind::Return } else { Kind::Indirect };
        self.guess(kind, true, target, self.decoded.links().then_some(sequel));
        self.go(target)
    }

    #[inline(always)]
    fn branch(&mut self, op: Op) -> Result<(), End> {
        let Decoded { rs1, rs2, imm, .. } = *self.decoded;
        let start = self.pipeline.sources([rs1, rs2]);
        let taken = W::holds(exec::condition(op, self.get(rs1), self.get(rs2)));
        self.pipeline.branches(start, taken);
        self.guess(Kind::Branch, taken, imm, None);
        if !taken {
            return Ok(());
        }
        self.observer.taken(self.flow.place);
        self.go(imm)
    }

    /// Asks what the core predicted.
    #[inline(always)]
    fn guess(&mut self, kind: Kind, taken: bool, target: u32, link: Option<u32>) {
        if self.cpu.core.prediction.is_none() {
            return;
        }
        let window = self.flow.window;
        let address = window.address(self.flow.next - 1);
        let backward = target <= window.address(self.flow.place);
        let guess = self.cpu.branches.executed(Executed { kind, address, taken, target, backward, link });
        self.pipeline.guessed(guess);
    }

    /// Goes to an address.
    #[inline(always)]
    fn go(&mut self, target: u32) -> Result<(), End> {
        if !self.flow.window.holds(target) {
            match self.cpu.enter(target) {
                Ok(Some(entered)) => self.flow.window = entered,
                Ok(None) => return Err(End::Behind(target, Exit::Stop)),
                Err(trap) => return Err(End::Behind(target, Exit::Trap(trap))),
            }
        }
        self.flow.next = self.flow.window.place(target);
        if target & 2 != 0 && self.cost.straddling_target > 0 && self.cpu.is_long(&self.flow.window, self.flow.next) {
            self.pipeline.straddles();
        }
        Ok(())
    }

    /// Goes on in the chunk behind.
    #[inline(always)]
    fn next_chunk(&mut self) -> Result<(), End> {
        let address = self.flow.window.address(self.flow.place);
        let Some(window) = self.cpu.enter(address)? else { return Err(End::Before(Exit::Stop)) };
        self.flow.window = window;
        self.flow.place = window.place(address);
        Err(End::Again)
    }

    #[inline(always)]
    fn stand(&mut self, cost: Cost) -> Result<(), End> {
        self.pipeline.stands(cost);
        Ok(())
    }

    #[inline(always)]
    fn fence_instruction(&mut self) -> Result<(), End> {
        self.pipeline.stands(self.cost.fence_instruction);
        if self.cost.fence_refetches {
            return self.go(self.flow.window.address(self.flow.next));
        }
        Ok(())
    }

    /// Goes into the handler, where there is one.
    #[inline(always)]
    fn exception(&mut self, cause: u32) -> Result<(), End> {
        let Some(handler) = self.cpu.control.raised(cause, self.flow.window.address(self.flow.place)) else {
            return Err(Trap::of(FaultKind::IllegalOpcode).into());
        };
        self.pipeline.stands(self.cost.exception);
        self.go(handler)
    }

    #[inline(always)]
    fn machine_return(&mut self) -> Result<(), End> {
        let Some(target) = self.cpu.control.returned() else {
            return Err(Trap::of(FaultKind::IllegalOpcode).into());
        };
        self.pipeline.stands(self.cost.exception);
        self.go(target)
    }

    #[inline(always)]
    fn control(&mut self) -> Result<(), End> {
        let Decoded { rd, rs1, detail, imm, .. } = *self.decoded;
        let (number, immediate) = (imm as u16, detail & 4 != 0);
        let start = if immediate { self.pipeline.start([], rd) } else { self.pipeline.start([rs1], rd) };
        let operand = if immediate { W::of(u32::from(rs1)) } else { self.get(rs1) };
        // Setting and clearing no bits is no write, writing without a destination no read.
        let writes = detail & 3 == 1 || rs1 != 0;
        let cpu = &mut *self.cpu;
        let flushes = writes && !cpu.core.unflushed_registers.contains(&number);
        let counted = cpu.control.counted(start, self.flow.retired);
        let old = cpu.control.read(&cpu.core, number, counted);
        let written = old.is_some_and(|old| {
            let value = exec::controlled(detail, W::of(old), operand).plain();
            !writes || cpu.control.write(&cpu.core, number, value, counted)
        });
        let (Some(old), true) = (old, written) else {
            return Err(Trap::of(FaultKind::IllegalOpcode).into());
        };
        self.set(rd, W::of(old));
        self.pipeline.spends(start, rd, if flushes { self.cost.csr_write } else { self.cost.csr_read });
        if rd == SP {
            return self.stack_moved();
        }
        Ok(())
    }

    #[inline(always)]
    fn atomic(&mut self) -> Result<(), End> {
        let Decoded { op, rd, rs1, rs2, detail, .. } = *self.decoded;
        let start = self.pipeline.start([rs1, rs2], rd);
        let address = self.get(rs1).plain();
        if address % 4 != 0 {
            return Err(Trap::at(FaultKind::UnalignedAddress, address).into());
        }
        let operand = self.get(rs2);
        let cpu = &mut *self.cpu;
        let old = W::loaded(cpu.memory.load_word(address)?, &cpu.beside, address, 4);
        let (cost, stored, result) = match op {
            Op::LoadReserved => (self.cost.load_reserved, None, old),
            Op::StoreConditional => {
                let held = cpu.reservation == Some(address);
                (self.cost.store_conditional, held.then_some(operand), W::of(u32::from(!held)))
            }
            _ => (self.cost.atomic, Some(exec::combined(detail, old, operand)), old),
        };
        cpu.reservation = (op == Op::LoadReserved).then_some(address);
        let mut delay = cpu.system.load(address, 4, start);
        if let Some(value) = stored {
            let touched = cpu.memory.store_word(address, value.plain())?;
            value.stored(&mut cpu.beside, address, 4);
            if touched == Touched::Code {
                cpu.program.forget(address, 4);
            }
            delay.stall += cpu.system.store(address, 4, start + u64::from(delay.stall)).stall;
        }
        self.set(rd, result);
        self.pipeline.loads(start, rd, cost, delay);
        if rd == SP {
            return self.stack_moved();
        }
        Ok(())
    }
}
