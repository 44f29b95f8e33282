//! The flow of a program: one instruction after the other, what it does by [`super::exec`], and when by
//! [`super::pipeline`].

use super::cpu::{Cpu, SP_LOW};
use super::decode::{Decoded, A, AX, BC, DE, HL, SP, X};
use super::exec::{self, Flags, HeldByte, Long, Pair, PSW_IE};
use super::isa::{Op, CMP, IF_CLEAR, IF_SET_CLEAR_IT};
use super::memory::{Attribute, ADDRESS_MASK, NEAR};
use super::pipeline::Pipeline;
use super::program::Window;
use crate::fault::{FaultKind, Trap};
use crate::observe::{Cause, Leak, Observer};
use crate::processor::{Exit, Processor};
use crate::value::{Half, Held, Truth, Value};

/// Address of the vector that `brk` uses.
const BREAK_VECTOR: u32 = 0x7e;
/// Address of the accumulator on a core with multiplication instructions.
const ACCUMULATOR: u32 = 0xf_fff0;
/// Bytes of a return address on the stack.
const RETURN_BYTES: u16 = 4;

/// Why the flow does not go on to the next instruction.
enum End {
    /// The flow is where it goes on, and what was executed is counted.
    Again,
    /// The instruction was not executed.
    Before(Exit),
    /// The run ends where the flow is.
    There(Exit),
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
struct Flow {
    window: Window,
    place: u32,
    /// Place of the instruction that follows.
    next: u32,
    /// Clock in which the instruction's turn came.
    began: u64,
}

impl<B: HeldByte> Cpu<B> {
    /// Runs until the stop, a trap, or `cycle_limit` on the absolute cycle counter. After a trap the program counter
    /// names the instruction that caused it.
    pub fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let window = match self.enter(self.registers.pc) {
            Ok(Some(window)) => window,
            Ok(None) => return Exit::Stop,
            Err(trap) => return Exit::Trap(trap),
        };
        let place = window.place(self.registers.pc);
        let mut flow = Flow { window, place, next: place, began: self.cycles };
        let mut pipeline = Pipeline::new(&self.core.clocks, self.cycles);
        let exit = loop {
            if pipeline.now >= cycle_limit {
                break Exit::Limit;
            }
            let Some(&fetched) = self.program.ops.get(flow.place as usize) else {
                break Exit::Trap(Trap::at(FaultKind::UnmappedAddress, flow.window.address(flow.place)));
            };
            let mut decoded = fetched;
            if decoded.op == Op::Undecoded {
                decoded = match self.decode(flow.window.address(flow.place), flow.place) {
                    Ok(decoded) => decoded,
                    Err(trap) => break Exit::Trap(trap),
                };
            }
            flow.next = flow.place + u32::from(decoded.length);
            flow.began = pipeline.now;
            pipeline.starts(&decoded);
            if O::DETAILS && pipeline.now > flow.began {
                observer.stalled(flow.place, Cause::Result, (pipeline.now - flow.began) as u32);
            }
            let (pipeline, flow) = (&mut pipeline, &mut flow);
            match (Step { cpu: self, observer, pipeline, flow, decoded: &decoded }).execute() {
                Ok(()) => {}
                Err(End::Again) => continue,
                Err(End::Before(exit)) => {
                    pipeline.now = flow.began;
                    break exit;
                }
                Err(End::There(exit)) => break exit,
                Err(End::Behind(target, exit)) => {
                    pipeline.ends();
                    if O::DETAILS {
                        observer.ends(flow.place, self.stack_pointer(), || self.executed(flow.place as usize));
                    }
                    observer.retired(flow.place, (pipeline.now - flow.began) as u32);
                    self.registers.pc = target;
                    self.cycles = pipeline.now;
                    return exit;
                }
            }
            pipeline.ends();
            if O::DETAILS && decoded.multiplies() && decoded.clocks > 1 {
                observer.stalled(flow.place, Cause::Multiply, u32::from(decoded.clocks) - 1);
            }
            if O::DETAILS {
                observer.ends(flow.place, self.stack_pointer(), || self.executed(flow.place as usize));
            }
            observer.retired(flow.place, (pipeline.now - flow.began) as u32);
            flow.place = flow.next;
        };
        self.registers.pc = flow.window.address(flow.place) & ADDRESS_MASK;
        self.cycles = pipeline.now;
        exit
    }
}

/// An instruction under way, with all that it works on.
struct Step<'a, B: HeldByte, O> {
    cpu: &'a mut Cpu<B>,
    observer: &'a mut O,
    pipeline: &'a mut Pipeline,
    flow: &'a mut Flow,
    decoded: &'a Decoded,
}

impl<B: HeldByte, O: Observer> Step<'_, B, O> {
    #[inline(always)]
    fn execute(mut self) -> Result<(), End> {
        match self.decoded.op {
            Op::Undecoded | Op::Illegal => Err(Trap::of(FaultKind::IllegalOpcode).into()),
            Op::Stop => Err(End::Before(Exit::Stop)),
            Op::ChunkEnd => self.next_chunk(),
            Op::Nop => Ok(()),
            Op::Sleep => Err(Trap::of(FaultKind::Sleep).into()),

            Op::MovImm => self.write_byte(self.immediate()),
            Op::MovReg => self.write_byte(self.source()),
            Op::Load => self.load_to_byte(),
            Op::StoreA => self.store_operand(self.address(), self.byte(A)),
            Op::StoreImm => self.store_operand(self.address(), self.immediate()),
            Op::LoadEs => self.load_es(),
            Op::SetEs => self.write_es(self.immediate()),
            Op::Xch => self.exchange(),
            Op::XchMem => self.exchange_memory(),
            Op::Movs => self.move_string(),

            Op::MovwImm => self.write_pair(self.immediate_pair()),
            Op::MovwReg => self.write_pair(self.source_pair()),
            Op::Loadw => self.load_to_pair(),
            Op::StorewAx => self.store_operand_pair(self.address(), self.pair(AX)),
            Op::StorewImm => self.store_operand_pair(self.address(), self.immediate_pair()),
            Op::Xchw => self.exchange_pairs(),

            Op::Push => self.push(self.source_pair()),
            Op::Pop => self.pop(),
            Op::PushPsw => self.push_status(),
            Op::PopPsw => self.pop_status(),
            Op::AddSp => self.move_stack_down(self.decoded.imm),

            Op::AluImm => self.compute(self.immediate()),
            Op::AluReg => self.compute(self.source()),
            Op::AluMem => self.compute_with_memory(),
            Op::AluMemImm => self.compute_memory(),
            Op::Cmps => self.compare_string(),
            Op::AluwImm => self.compute_pair(self.immediate_pair()),
            Op::AluwReg => self.compute_pair(self.source_pair()),
            Op::AluwMem => self.compute_pair_with_memory(),
            Op::Inc => self.step(),
            Op::IncMem => self.step_memory(),
            Op::Incw => self.write_pair(self.pair(self.decoded.destination).add(self.immediate_pair())),
            Op::IncwMem => self.step_memory_pair(),

            Op::Mulu => self.to(AX, exec::product(self.byte(A), self.byte(X))),
            Op::Mulhu => self.write_long(exec::product(self.pair(AX), self.pair(BC))),
            Op::Mulh => self.write_long(exec::product_signed(self.pair(AX), self.pair(BC))),
            Op::Divhu => self.divide(),
            Op::Divwu => self.divide_long(),
            Op::Machu => self.accumulate(exec::product(self.pair(AX), self.pair(BC)), false),
            Op::Mach => self.accumulate(exec::product_signed(self.pair(AX), self.pair(BC)), true),

            Op::Shl => self.shift(|value, count, carry| exec::shifted_left(value, count.wide(), carry), 0),
            Op::Shr => self.shift(|value, count, carry| exec::shifted_right(value, count, false, carry), 1),
            Op::Sar => self.shift(|value, count, carry| exec::shifted_right(value, count, true, carry), 1),
            Op::Shlw => self.shift_pair(|value, count, carry| exec::shifted_left(value, count.wide(), carry), 0),
            Op::Shrw => self.shift_pair(|value, count, carry| exec::shifted_right(value, count, false, carry), 1),
            Op::Sarw => self.shift_pair(|value, count, carry| exec::shifted_right(value, count, true, carry), 1),
            Op::Ror => self.shift(|value, _, carry| exec::rotated_right(value, false, carry), 0),
            Op::Rorc => self.shift(|value, _, carry| exec::rotated_right(value, true, carry), 0),
            Op::Rol => self.shift(|value, _, carry| exec::rotated_left(value, B::of(0x80), false, carry), 0),
            Op::Rolc => self.shift(|value, _, carry| exec::rotated_left(value, B::of(0x80), true, carry), 0),
            Op::Rolwc => {
                let highest = Pair::<B>::of(0x8000);
                self.shift_pair(|value, _, carry| exec::rotated_left(value, highest, true, carry), 0)
            }

            Op::BitReg => self.change_bit(),
            Op::BitMem => self.change_bit_of_memory(),
            Op::CarryReg => self.join(self.byte(A)),
            Op::CarryMem => self.join_memory(),
            Op::SetCarry => self.write_carry(exec::has(self.immediate(), B::of(1))),
            Op::NotCarry => self.write_carry(self.cpu.registers.carry.not()),

            Op::Br => self.jump(self.decoded.target),
            Op::BrAx => {
                let target = self.code_address(AX);
                self.jump(target)
            }
            Op::Bcc => self.branch(),
            Op::BbitReg => self.branch_on_bit(),
            Op::BbitMem => self.branch_on_bit_of_memory(),
            Op::Call => self.call(self.decoded.target),
            Op::CallReg => {
                let target = self.code_address(self.decoded.source);
                self.call(target)
            }
            Op::Callt => self.call_table(),
            Op::Ret => self.return_(),
            Op::Reti => self.return_from_interrupt(),
            Op::Brk => self.software_break(),
            Op::Skip => self.skip(),
            Op::Sel => self.select_bank(),
        }
    }

    #[inline(always)]
    fn byte(&self, number: u8) -> B {
        self.cpu.registers.byte(number)
    }

    #[inline(always)]
    fn pair(&self, number: u8) -> Pair<B> {
        self.cpu.registers.pair(number)
    }

    #[inline(always)]
    fn source(&self) -> B {
        self.byte(self.decoded.source)
    }

    #[inline(always)]
    fn source_pair(&self) -> Pair<B> {
        self.pair(self.decoded.source)
    }

    #[inline(always)]
    fn immediate(&self) -> B {
        B::of(self.decoded.imm as u8)
    }

    #[inline(always)]
    fn immediate_pair(&self) -> Pair<B> {
        Pair::<B>::of(self.decoded.imm)
    }

    /// Returns the address of the operand in memory.
    #[inline(always)]
    fn address(&self) -> u32 {
        let decoded = self.decoded;
        let index = self.pair(BC).plain() >> decoded.index_shift & u16::from(decoded.index_mask);
        let base = self.pair(decoded.base).plain();
        if decoded.far {
            let sum = u32::from(base) + u32::from(decoded.offset) + u32::from(index);
            return ((u32::from(self.cpu.registers.es.plain()) << 16) + sum) & ADDRESS_MASK;
        }
        NEAR | u32::from(base.wrapping_add(decoded.offset).wrapping_add(index))
    }

    /// Returns a number that is secret where one is from which the address of the operand is made.
    #[inline(always)]
    fn address_key(&self) -> Pair<B> {
        let decoded = self.decoded;
        let index = self.pair(BC).shr(Pair::<B>::of(decoded.index_shift.into()));
        let key = self.pair(decoded.base).xor(index.and(Pair::<B>::of(decoded.index_mask.into())));
        if decoded.far {
            return key.xor(self.cpu.registers.es.wide());
        }
        key
    }

    #[inline(always)]
    fn leaks(&mut self, leak: Leak) {
        self.observer.leaked(self.flow.place, leak);
    }

    #[inline(always)]
    fn stalls(&mut self, cause: Cause, clocks: u32) {
        if O::DETAILS && clocks > 0 {
            self.observer.stalled(self.flow.place, cause, clocks);
        }
    }

    /// Loads the operand in memory: all of it is secret if its address is.
    #[inline(always)]
    fn load_operand(&mut self, address: u32) -> Result<B, End> {
        let key = self.address_key();
        let value = self.load(address)?;
        self.observer.accessed(self.flow.place, address, 1, false);
        if !key.is_secret() {
            return Ok(value);
        }
        self.leaks(Leak::Load { address, size_bytes: 1 });
        Ok(B::computed(value.plain(), &[B::low_half(key), B::high_half(key)]))
    }

    #[inline(always)]
    fn load_operand_pair(&mut self, address: u32) -> Result<Pair<B>, End> {
        self.load_pair_by(self.address_key(), address)
    }

    /// Loads a word of data from an address made from a key.
    #[inline(always)]
    fn load_pair_by(&mut self, key: Pair<B>, address: u32) -> Result<Pair<B>, End> {
        let value = self.load_pair(address)?;
        self.observer.accessed(self.flow.place, address, 2, false);
        if !key.is_secret() {
            return Ok(value);
        }
        self.leaks(Leak::Load { address, size_bytes: 2 });
        Ok(Pair::<B>::computed(value.plain(), &[key]))
    }

    #[inline(always)]
    fn store_operand(&mut self, address: u32, value: B) -> Result<(), End> {
        let key = self.address_key();
        self.store(address, value)?;
        self.observer.accessed(self.flow.place, address, 1, true);
        if key.is_secret() {
            self.leaks(Leak::Store { address, size_bytes: 1 });
        }
        Ok(())
    }

    #[inline(always)]
    fn store_operand_pair(&mut self, address: u32, value: Pair<B>) -> Result<(), End> {
        let key = self.address_key();
        self.store_pair(address, value)?;
        self.observer.accessed(self.flow.place, address, 2, true);
        if key.is_secret() {
            self.leaks(Leak::Store { address, size_bytes: 2 });
        }
        Ok(())
    }

    /// Returns the address of code that a pair names, with CS above it.
    #[inline(always)]
    fn code_address(&mut self, pair: u8) -> u32 {
        if self.pair(pair).is_secret() || self.cpu.registers.cs.is_secret() {
            self.leaks(Leak::Target);
        }
        u32::from(self.cpu.registers.cs.plain()) << 16 | u32::from(self.pair(pair).plain())
    }

    #[inline(always)]
    fn load(&mut self, address: u32) -> Result<B, End> {
        let cpu = &mut *self.cpu;
        let value = if cpu.memory.attribute(address) == Attribute::Plain {
            B::loaded(cpu.memory.byte(address), &cpu.beside, address, 1)
        } else {
            let (value, added) = cpu.load_slow(address, self.pipeline.now)?;
            self.pipeline.reads(added);
            self.stalls(Cause::Data, added);
            value
        };
        Ok(value)
    }

    #[inline(always)]
    fn load_pair(&mut self, address: u32) -> Result<Pair<B>, End> {
        let cpu = &mut *self.cpu;
        let value = if address & 1 == 0 && cpu.memory.attribute(address) == Attribute::Plain {
            Pair::<B>::loaded(cpu.memory.word(address), &cpu.beside, address, 2)
        } else {
            let (value, added) = cpu.load_word_slow(address, self.pipeline.now)?;
            self.pipeline.reads(added);
            self.stalls(Cause::Data, added);
            value
        };
        Ok(value)
    }

    #[inline(always)]
    fn store(&mut self, address: u32, value: B) -> Result<(), End> {
        let cpu = &mut *self.cpu;
        if cpu.memory.attribute(address) == Attribute::Plain {
            cpu.memory.set_byte(address, value.plain());
            value.stored(&mut cpu.beside, address, 1);
            return Ok(());
        }
        cpu.store_slow(address, value, self.pipeline.stores())?;
        if address & !1 == SP_LOW {
            return self.stack_set();
        }
        Ok(())
    }

    #[inline(always)]
    fn store_pair(&mut self, address: u32, value: Pair<B>) -> Result<(), End> {
        let cpu = &mut *self.cpu;
        if address & 1 == 0 && cpu.memory.attribute(address) == Attribute::Plain {
            cpu.memory.set_word(address, value.plain());
            value.stored(&mut cpu.beside, address, 2);
            return Ok(());
        }
        cpu.store_word_slow(address, value, self.pipeline.stores())?;
        if address == SP_LOW {
            return self.stack_set();
        }
        Ok(())
    }

    #[inline(always)]
    fn to(&mut self, pair: u8, value: Pair<B>) -> Result<(), End> {
        self.cpu.registers.set_pair(pair, value);
        Ok(())
    }

    #[inline(always)]
    fn write_pair(&mut self, value: Pair<B>) -> Result<(), End> {
        self.to(self.decoded.destination, value)
    }

    #[inline(always)]
    fn write_byte(&mut self, value: B) -> Result<(), End> {
        self.cpu.registers.set_byte(self.decoded.destination, value);
        Ok(())
    }

    #[inline(always)]
    fn write_carry(&mut self, carry: B::Truth) -> Result<(), End> {
        self.cpu.registers.carry = carry;
        Ok(())
    }

    #[inline(always)]
    fn write_es(&mut self, value: B) -> Result<(), End> {
        self.cpu.registers.es = value.and(B::of(0x0f));
        Ok(())
    }

    #[inline(always)]
    fn load_to_byte(&mut self) -> Result<(), End> {
        let value = self.load_operand(self.address())?;
        self.write_byte(value)
    }

    #[inline(always)]
    fn load_to_pair(&mut self) -> Result<(), End> {
        let value = self.load_operand_pair(self.address())?;
        self.write_pair(value)
    }

    #[inline(always)]
    fn load_es(&mut self) -> Result<(), End> {
        let value = self.load_operand(self.address())?;
        self.write_es(value)
    }

    #[inline(always)]
    fn exchange(&mut self) -> Result<(), End> {
        let (left, right) = (self.byte(A), self.source());
        self.cpu.registers.set_byte(A, right);
        self.cpu.registers.set_byte(self.decoded.source, left);
        Ok(())
    }

    #[inline(always)]
    fn exchange_memory(&mut self) -> Result<(), End> {
        let address = self.address();
        let (left, right) = (self.byte(A), self.load_operand(address)?);
        self.cpu.registers.set_byte(A, right);
        self.store_operand(address, left)
    }

    #[inline(always)]
    fn exchange_pairs(&mut self) -> Result<(), End> {
        let (left, right) = (self.pair(AX), self.source_pair());
        self.cpu.registers.set_pair(AX, right);
        self.cpu.registers.set_pair(self.decoded.source, left);
        Ok(())
    }

    /// Does something with the flags.
    #[inline(always)]
    fn with_flags<T>(&mut self, compute: impl FnOnce(&mut Flags<B::Truth>) -> T) -> T {
        let mut flags = self.cpu.registers.flags();
        let result = compute(&mut flags);
        self.cpu.registers.set_flags(flags);
        result
    }

    #[inline(always)]
    fn move_string(&mut self) -> Result<(), End> {
        let (moved, a) = (self.byte(X), self.byte(A));
        self.with_flags(|flags| exec::moved_flags(moved, a, flags));
        self.store_operand(self.address(), moved)
    }

    #[inline(always)]
    fn compare_string(&mut self) -> Result<(), End> {
        let right = self.load_operand(self.address())?;
        let (left, a) = (self.byte(X), self.byte(A));
        self.with_flags(|flags| exec::compared_flags(left, right, a, flags));
        Ok(())
    }

    /// Computes with a register and something; a comparison keeps the register.
    #[inline(always)]
    fn compute(&mut self, right: B) -> Result<(), End> {
        let Decoded { destination, detail, .. } = *self.decoded;
        let left = self.byte(destination);
        let result = self.with_flags(|flags| exec::computed(detail, left, right, flags));
        if detail != CMP {
            self.cpu.registers.set_byte(destination, result);
        }
        Ok(())
    }

    #[inline(always)]
    fn compute_with_memory(&mut self) -> Result<(), End> {
        let right = self.load_operand(self.address())?;
        self.compute(right)
    }

    #[inline(always)]
    fn compute_memory(&mut self) -> Result<(), End> {
        let (address, right, detail) = (self.address(), self.immediate(), self.decoded.detail);
        let left = self.load_operand(address)?;
        let result = self.with_flags(|flags| exec::computed(detail, left, right, flags));
        if detail != CMP {
            return self.store_operand(address, result);
        }
        Ok(())
    }

    #[inline(always)]
    fn compute_pair(&mut self, right: Pair<B>) -> Result<(), End> {
        let (left, detail) = (self.pair(AX), self.decoded.detail);
        let result = self.with_flags(|flags| exec::computed_pair::<B>(detail, left, right, flags));
        if detail != CMP {
            self.cpu.registers.set_pair(AX, result);
        }
        Ok(())
    }

    #[inline(always)]
    fn compute_pair_with_memory(&mut self) -> Result<(), End> {
        let right = self.load_operand_pair(self.address())?;
        self.compute_pair(right)
    }

    #[inline(always)]
    fn step(&mut self) -> Result<(), End> {
        let (value, step) = (self.byte(self.decoded.destination), self.decoded.imm as u8);
        let result = self.with_flags(|flags| exec::stepped(value, step, flags));
        self.write_byte(result)
    }

    #[inline(always)]
    fn step_memory(&mut self) -> Result<(), End> {
        let (address, step) = (self.address(), self.decoded.imm as u8);
        let value = self.load_operand(address)?;
        let result = self.with_flags(|flags| exec::stepped(value, step, flags));
        self.store_operand(address, result)
    }

    #[inline(always)]
    fn step_memory_pair(&mut self) -> Result<(), End> {
        let address = self.address();
        let value = self.load_operand_pair(address)?.add(self.immediate_pair());
        self.store_operand_pair(address, value)
    }

    /// Writes BC and AX.
    #[inline(always)]
    fn write_long(&mut self, value: Long<B>) -> Result<(), End> {
        self.cpu.registers.set_pair(AX, Pair::<B>::low_half(value));
        self.cpu.registers.set_pair(BC, Pair::<B>::high_half(value));
        Ok(())
    }

    #[inline(always)]
    fn divide(&mut self) -> Result<(), End> {
        let (dividend, divisor) = (self.pair(AX), self.pair(DE));
        self.cpu.registers.set_pair(DE, dividend.remainder(divisor));
        self.to(AX, dividend.quotient(divisor))
    }

    #[inline(always)]
    fn divide_long(&mut self) -> Result<(), End> {
        let dividend = Pair::<B>::joined(self.pair(BC), self.pair(AX));
        let divisor = Pair::<B>::joined(self.pair(HL), self.pair(DE));
        let remainder = dividend.remainder(divisor);
        self.cpu.registers.set_pair(DE, Pair::<B>::low_half(remainder));
        self.cpu.registers.set_pair(HL, Pair::<B>::high_half(remainder));
        self.write_long(dividend.quotient(divisor))
    }

    #[inline(always)]
    fn accumulate(&mut self, product: Long<B>, signed: bool) -> Result<(), End> {
        let (low, high) = (self.load_pair(ACCUMULATOR)?, self.load_pair(ACCUMULATOR + 2)?);
        let (sum, carry, auxiliary_carry) = exec::accumulated(Pair::<B>::joined(high, low), product, signed);
        self.cpu.registers.carry = carry;
        self.cpu.registers.auxiliary_carry = auxiliary_carry;
        self.store_pair(ACCUMULATOR, Pair::<B>::low_half(sum))?;
        self.store_pair(ACCUMULATOR + 2, Pair::<B>::high_half(sum))
    }

    /// Shifts or rotates a byte; the count is less by `before`.
    #[inline(always)]
    fn shift(&mut self, shifted: impl FnOnce(B, B, &mut B::Truth) -> B, before: u16) -> Result<(), End> {
        let count = B::of((self.decoded.imm.wrapping_sub(before) & 7) as u8);
        let value = self.byte(self.decoded.destination);
        let result = shifted(value, count, &mut self.cpu.registers.carry);
        self.write_byte(result)
    }

    #[inline(always)]
    fn shift_pair(
        &mut self,
        shifted: impl FnOnce(Pair<B>, Pair<B>, &mut B::Truth) -> Pair<B>,
        before: u16,
    ) -> Result<(), End> {
        let count = Pair::<B>::of(self.decoded.imm.wrapping_sub(before) & 15);
        let value = self.pair(self.decoded.destination);
        let result = shifted(value, count, &mut self.cpu.registers.carry);
        self.write_pair(result)
    }

    /// Returns a byte with the bit changed.
    #[inline(always)]
    fn bit_changed(&self, value: B) -> B {
        exec::changed(value, self.decoded.imm as u8, self.decoded.detail, self.cpu.registers.carry)
    }

    #[inline(always)]
    fn change_bit(&mut self) -> Result<(), End> {
        let result = self.bit_changed(self.byte(A));
        self.cpu.registers.set_byte(A, result);
        Ok(())
    }

    #[inline(always)]
    fn change_bit_of_memory(&mut self) -> Result<(), End> {
        let address = self.address();
        let value = self.load_operand(address)?;
        self.store_operand(address, self.bit_changed(value))
    }

    /// Joins the carry with a bit.
    #[inline(always)]
    fn join(&mut self, value: B) -> Result<(), End> {
        let bit = exec::has(value, self.immediate());
        self.write_carry(exec::joined(self.cpu.registers.carry, bit, self.decoded.detail))
    }

    #[inline(always)]
    fn join_memory(&mut self) -> Result<(), End> {
        let value = self.load_operand(self.address())?;
        self.join(value)
    }

    /// Goes to an address.
    #[inline(always)]
    fn jump(&mut self, target: u32) -> Result<(), End> {
        let Decoded { clocks, taken_clocks, .. } = *self.decoded;
        let clocks = if self.decoded.conditional() { taken_clocks } else { clocks };
        self.stalls(Cause::Branch, u32::from(clocks).saturating_sub(1));
        if !self.flow.window.holds(target) {
            match self.cpu.enter(target) {
                Ok(Some(entered)) => self.flow.window = entered,
                Ok(None) => return Err(End::Behind(target, Exit::Stop)),
                Err(trap) => return Err(End::Behind(target, Exit::Trap(trap))),
            }
        }
        self.flow.next = self.flow.window.place(target);
        Ok(())
    }

    /// Goes on in the chunk behind.
    #[inline(always)]
    fn next_chunk(&mut self) -> Result<(), End> {
        let address = self.flow.window.address(self.flow.place) & ADDRESS_MASK;
        match self.cpu.enter(address) {
            Ok(Some(entered)) => self.flow.window = entered,
            Ok(None) => return Err(End::There(Exit::Stop)),
            Err(trap) => return Err(End::There(Exit::Trap(trap))),
        }
        self.flow.place = self.flow.window.place(address);
        Err(End::Again)
    }

    #[inline(always)]
    fn take_branch(&mut self) -> Result<(), End> {
        self.pipeline.taken(self.decoded);
        self.observer.taken(self.flow.place);
        self.jump(self.decoded.target)
    }

    #[inline(always)]
    fn condition_holds(&mut self) -> bool {
        self.decides(exec::condition(self.decoded.detail, &self.cpu.registers.flags()))
    }

    /// Whether a truth that decides where the flow goes holds.
    #[inline(always)]
    fn decides(&mut self, truth: B::Truth) -> bool {
        if B::is_secret_truth(truth) {
            self.leaks(Leak::Branch);
        }
        B::holds(truth)
    }

    #[inline(always)]
    fn branch(&mut self) -> Result<(), End> {
        if self.condition_holds() {
            return self.take_branch();
        }
        Ok(())
    }

    /// Whether a branch on a bit of this byte is taken.
    #[inline(always)]
    fn bit_branches(&mut self, value: B) -> bool {
        self.decides(exec::has(value, self.immediate())) != (self.decoded.detail == IF_CLEAR)
    }

    #[inline(always)]
    fn branch_on_bit(&mut self) -> Result<(), End> {
        let value = self.byte(A);
        if !self.bit_branches(value) {
            return Ok(());
        }
        if self.decoded.detail == IF_SET_CLEAR_IT {
            self.cpu.registers.set_byte(A, value.and(self.immediate().not()));
        }
        self.take_branch()
    }

    #[inline(always)]
    fn branch_on_bit_of_memory(&mut self) -> Result<(), End> {
        let address = self.address();
        let value = self.load_operand(address)?;
        if !self.bit_branches(value) {
            return Ok(());
        }
        self.pipeline.taken(self.decoded);
        if self.decoded.detail == IF_SET_CLEAR_IT {
            self.store_operand(address, value.and(self.immediate().not()))?;
        }
        self.observer.taken(self.flow.place);
        self.jump(self.decoded.target)
    }

    /// Moves the stack pointer, which is always even.
    #[inline(always)]
    fn move_stack(&mut self, by: u16) {
        let pointer = self.pair(SP).add(Pair::<B>::of(by)).and(Pair::<B>::of(!1));
        if pointer.is_secret() {
            self.leaks(Leak::Stack);
        }
        self.cpu.registers.set_pair(SP, pointer);
    }

    #[inline(always)]
    fn top(&self) -> u32 {
        NEAR | u32::from(self.pair(SP).plain())
    }

    /// The stack pointer was written as data.
    #[inline(always)]
    fn stack_set(&mut self) -> Result<(), End> {
        if self.pair(SP).is_secret() {
            self.leaks(Leak::Stack);
        }
        self.stack_moved()
    }

    /// Looks at the stack's limit.
    #[inline(always)]
    fn stack_moved(&mut self) -> Result<(), End> {
        let pointer = self.top();
        if pointer < self.cpu.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, pointer).into());
        }
        self.observer.stack(pointer);
        Ok(())
    }

    #[inline(always)]
    fn move_stack_down(&mut self, by: u16) -> Result<(), End> {
        self.move_stack(by);
        self.stack_moved()
    }

    #[inline(always)]
    fn push(&mut self, value: Pair<B>) -> Result<(), End> {
        self.move_stack_down(2_u16.wrapping_neg())?;
        let top = self.top();
        self.store_pair(top, value)?;
        self.observer.accessed(self.flow.place, top, 2, true);
        Ok(())
    }

    #[inline(always)]
    fn popped(&mut self) -> Result<Pair<B>, End> {
        let value = self.load_pair_by(self.pair(SP), self.top())?;
        self.move_stack(2);
        Ok(value)
    }

    #[inline(always)]
    fn pop(&mut self) -> Result<(), End> {
        let value = self.popped()?;
        self.write_pair(value)
    }

    #[inline(always)]
    fn push_status(&mut self) -> Result<(), End> {
        self.push(B::joined(self.cpu.psw(), B::of(0)))
    }

    #[inline(always)]
    fn pop_status(&mut self) -> Result<(), End> {
        let value = self.popped()?;
        self.cpu.set_psw(B::high_half(value));
        Ok(())
    }

    #[inline(always)]
    fn push_return(&mut self) -> Result<(), End> {
        let behind = self.flow.window.address(self.flow.next);
        self.move_stack_down(RETURN_BYTES.wrapping_neg())?;
        let low = self.top();
        self.store_pair(low, Pair::<B>::of(behind as u16))?;
        self.store(low + 2, B::of((behind >> 16) as u8 & 0x0f))
    }

    /// Returns the return address on the stack.
    #[inline(always)]
    fn return_address(&mut self) -> Result<u32, End> {
        let low = self.top();
        let (low_word, high_byte) = (self.load_pair(low)?, self.load(low + 2)?);
        if low_word.is_secret() || high_byte.is_secret() {
            self.leaks(Leak::Target);
        }
        Ok(u32::from(low_word.plain()) | u32::from(high_byte.plain() & 0x0f) << 16)
    }

    #[inline(always)]
    fn call(&mut self, target: u32) -> Result<(), End> {
        self.push_return()?;
        self.jump(target)
    }

    #[inline(always)]
    fn call_table(&mut self) -> Result<(), End> {
        self.push_return()?;
        self.jump(self.cpu.memory.word(self.decoded.target).into())
    }

    #[inline(always)]
    fn return_(&mut self) -> Result<(), End> {
        let target = self.return_address()?;
        self.move_stack(RETURN_BYTES);
        self.jump(target)
    }

    #[inline(always)]
    fn return_from_interrupt(&mut self) -> Result<(), End> {
        let target = self.return_address()?;
        let psw = self.load(self.top() + 3)?;
        self.move_stack(RETURN_BYTES);
        self.cpu.set_psw(psw);
        self.jump(target)
    }

    #[inline(always)]
    fn software_break(&mut self) -> Result<(), End> {
        let psw = self.cpu.psw();
        self.push_return()?;
        self.store(self.top() + 3, psw)?;
        self.cpu.registers.rest &= !PSW_IE;
        self.jump(self.cpu.memory.word(BREAK_VECTOR).into())
    }

    #[inline(always)]
    fn select_bank(&mut self) -> Result<(), End> {
        self.cpu.select_bank(self.decoded.imm as u8);
        Ok(())
    }

    /// Skips the instruction behind.
    #[inline(always)]
    fn skip(&mut self) -> Result<(), End> {
        let truth = exec::condition(self.decoded.detail, &self.cpu.registers.flags());
        if B::is_secret_truth(truth) && !self.steps_in_one_time() {
            self.leaks(Leak::Branch);
        }
        if !B::holds(truth) {
            return Ok(());
        }
        self.observer.taken(self.flow.place);
        self.pipeline.ends();
        self.ends();
        self.observer.retired(self.flow.place, (self.pipeline.now - self.flow.began) as u32);
        self.flow.place = self.flow.next;
        let skipped = match self.instruction(self.flow.place) {
            Ok(skipped) if skipped.op == Op::Illegal => Err(Exit::Trap(Trap::of(FaultKind::IllegalOpcode))),
            Ok(skipped) if skipped.op == Op::Stop => Err(Exit::Stop),
            Ok(skipped) => Ok(skipped),
            Err(trap) => Err(Exit::Trap(trap)),
        };
        let skipped = skipped.map_err(End::There)?;
        let spent = self.pipeline.skips(&skipped);
        self.stalls(Cause::Branch, spent);
        self.ends();
        self.observer.retired(self.flow.place, spent);
        self.observer.skipped(self.flow.place);
        self.flow.place += u32::from(skipped.length);
        Err(End::Again)
    }

    /// Whether the instruction behind adds to a pair, or takes from it, in the time of one that is skipped. Then what
    /// it leaves is as secret as what decides, and nothing else is.
    #[cold]
    fn steps_in_one_time(&mut self) -> bool {
        let Ok(next) = self.instruction(self.flow.next) else { return false };
        let Ok(after) = self.instruction(self.flow.next + u32::from(next.length)) else { return false };
        let waits = after.uses & next.writes != 0;
        if next.op != Op::Incw || waits || u32::from(next.clocks) != self.pipeline.skipping(&next) {
            return false;
        }
        let stepped = self.pair(next.destination).hidden(0xffff);
        self.cpu.registers.set_pair(next.destination, stepped);
        true
    }

    /// Tells the observer which instruction is about to retire.
    #[inline(always)]
    fn ends(&mut self) {
        if O::DETAILS {
            let (cpu, place) = (&*self.cpu, self.flow.place);
            self.observer.ends(place, cpu.stack_pointer(), || cpu.executed(place as usize));
        }
    }

    /// Returns the instruction at a place, which may have to be decoded.
    #[inline(always)]
    fn instruction(&mut self, place: u32) -> Result<Decoded, Trap> {
        let address = self.flow.window.address(place);
        match self.cpu.program.ops.get(place as usize) {
            Some(decoded) if !matches!(decoded.op, Op::Undecoded | Op::ChunkEnd) => Ok(*decoded),
            Some(decoded) if decoded.op == Op::Undecoded => self.cpu.decode(address, place),
            _ => Err(Trap::at(FaultKind::UnmappedAddress, address)),
        }
    }
}
