//! The flow of a program: one instruction after the other, what it does by [`super::exec`], and when by
//! [`super::pipeline`].

use super::cpu::{pair, Cpu, Registers, RETURN_ADDRESS};
use super::decode::{
    Decoded, Op, A0, A1, BIT_INDEXED, FB, FROM_IMMEDIATE, FROM_MEMORY, FROM_WORD, HIGH, R0, R1, R2, R3, SB, SP,
    TO_MEMORY, WORD,
};
use super::exec::{self, width, Computed, Places, Register, Wide, Width, C, D, I, IPL, O, S, U, Z};
use super::memory::{Touched, ADDRESS_MASK};
use super::pipeline::Pipeline;
use super::program::Window;
use crate::fault::{FaultKind, Trap};
use crate::observe::{Cause, Leak, Observer};
use crate::processor::{Exit, Instructions, OneSpace, Processor};
use crate::value::{Held, Truth, Value};

const VECTOR_UNDEFINED: u32 = 0xf_ffdc;
const VECTOR_OVERFLOW: u32 = 0xf_ffe0;
const VECTOR_BREAK: u32 = 0xf_ffe4;
/// First software interrupt number that keeps the stack pointer in use.
const FIRST_ON_OWN_STACK: u8 = 32;

/// Registers in the order of the bits of a `POPM` list, from bit 0.
const LISTED: [u8; 8] = [R0, R1, R2, R3, A0, A1, SB, FB];

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

type Done = Result<(), End>;

/// Where the flow is.
struct Flow {
    window: Window,
    place: u32,
    /// Place of the instruction that follows.
    next: u32,
    jumped: bool,
}

impl<W: Register> Cpu<W> {
    /// Runs until the stop, a trap, or `cycle_limit` on the absolute cycle counter. After a trap the program counter
    /// names the instruction that caused it.
    pub fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let pc = self.registers.pc;
        let window = match self.enter(pc) {
            Ok(Some(window)) => window,
            Ok(None) => return Exit::Stop,
            Err(trap) => return Exit::Trap(trap),
        };
        let place = window.place(pc);
        let mut flow = Flow { window, place, next: place, jumped: false };
        let mut file = self.registers.file;
        let mut flags = self.registers.flags;
        let mut pipeline = Pipeline::new(self.core.bus, pc, self.cycles);
        let exit = loop {
            if pipeline.now >= cycle_limit {
                break Exit::Limit;
            }
            let Some(&decoded) = self.program.ops.get(flow.place as usize) else {
                break Exit::Trap(Trap::at(FaultKind::UnmappedAddress, flow.window.address(flow.place)));
            };
            flow.next = flow.place + u32::from(decoded.length);
            flow.jumped = false;
            pipeline.begins(decoded.cycles);
            let (file, flags, pipeline, flow) = (&mut file, &mut flags, &mut pipeline, &mut flow);
            match (Step { cpu: self, observer, file, flags, pipeline, flow, decoded: &decoded }).execute() {
                Ok(()) => {}
                Err(End::Again) => continue,
                Err(End::Before(exit)) => break exit,
                Err(End::Behind(target, exit)) => {
                    if O::DETAILS {
                        observer.ends(flow.place, file[usize::from(SP)].plain().into(), || {
                            self.executed(flow.place as usize)
                        });
                    }
                    observer.retired(flow.place, pipeline.ends());
                    flow.place = flow.window.place(target);
                    break exit;
                }
            }
            if !flow.jumped {
                let missing = pipeline.goes_on(decoded.length, flow.window.address(flow.next));
                if O::DETAILS && missing > 0 {
                    observer.stalled(flow.place, Cause::Fetch, missing);
                }
            }
            if O::DETAILS {
                observer.ends(flow.place, file[usize::from(SP)].plain().into(), || self.executed(flow.place as usize));
            }
            observer.retired(flow.place, pipeline.ends());
            flow.place = flow.next;
        };
        self.registers.pc = flow.window.address(flow.place) & ADDRESS_MASK;
        self.registers.file = file;
        self.registers.flags = flags;
        self.cycles = pipeline.now;
        exit
    }
}

/// An instruction under way, with all that it works on.
struct Step<'a, W: Register, O> {
    cpu: &'a mut Cpu<W>,
    observer: &'a mut O,
    file: &'a mut [W; 16],
    flags: &'a mut Wide<W>,
    pipeline: &'a mut Pipeline,
    flow: &'a mut Flow,
    decoded: &'a Decoded,
}

impl<W: Register, O: Observer> Step<'_, W, O> {
    #[inline(always)]
    fn execute(mut self) -> Done {
        match self.decoded.op {
            Op::Undecoded => self.decode(),
            Op::Illegal => Err(Trap::of(FaultKind::IllegalOpcode).into()),
            Op::Stop => Err(End::Before(Exit::Stop)),
            Op::ChunkEnd => self.next_chunk(),

            Op::Move => self.move_value(),
            Op::Add => self.arithmetic(Op::Add),
            Op::Adc => self.arithmetic(Op::Adc),
            Op::Sub => self.arithmetic(Op::Sub),
            Op::Sbb => self.arithmetic(Op::Sbb),
            Op::Compare => self.compare(),
            Op::And => self.logic(Op::And),
            Op::Or => self.logic(Op::Or),
            Op::Xor => self.logic(Op::Xor),
            Op::Test => self.test(),
            Op::Abs => self.one(Op::Abs),
            Op::Adcf => self.one(Op::Adcf),
            Op::Negate => self.one(Op::Negate),
            Op::Not => self.one(Op::Not),
            Op::RotateLeftCarry => self.one(Op::RotateLeftCarry),
            Op::RotateRightCarry => self.one(Op::RotateRightCarry),
            Op::Increment => self.one(Op::Increment),
            Op::Decrement => self.one(Op::Decrement),
            Op::Rotate => self.shift(Op::Rotate, self.places()),
            Op::RotateBy => self.shift(Op::Rotate, self.counted()),
            Op::ShiftLogical => self.shift(Op::ShiftLogical, self.places()),
            Op::ShiftLogicalBy => self.shift(Op::ShiftLogical, self.counted()),
            Op::ShiftArithmetic => self.shift(Op::ShiftArithmetic, self.places()),
            Op::ShiftArithmeticBy => self.shift(Op::ShiftArithmetic, self.counted()),
            Op::LongLogical => self.shift_long(false, self.places()),
            Op::LongLogicalBy => self.shift_long(false, self.counted()),
            Op::LongArithmetic => self.shift_long(true, self.places()),
            Op::LongArithmeticBy => self.shift_long(true, self.counted()),
            Op::Multiply => self.multiply(Op::Multiply),
            Op::MultiplyUnsigned => self.multiply(Op::MultiplyUnsigned),
            Op::Divide | Op::DivideUnsigned | Op::DivideFloor => self.divide(),
            Op::ExtendByte => self.extend_byte(),
            Op::ExtendWord => self.extend_word(),
            Op::DecimalAdd | Op::DecimalAdc | Op::DecimalSub | Op::DecimalSbb => self.decimal(),

            Op::Exchange => self.exchange(),
            Op::NibbleLoad => self.load_nibble(),
            Op::NibbleStore => self.store_nibble(),
            Op::Address => self.address(),
            Op::PushAddress => self.push_address_of(),
            Op::FarLoad => self.load_far(self.far_address()),
            Op::FarLoadIndirect => self.load_far(self.far_indirect()),
            Op::FarStore => self.store_far(self.far_address()),
            Op::FarStoreIndirect => self.store_far(self.far_indirect()),
            Op::StoreIfZero => self.store_if(true),
            Op::StoreIfNotZero => self.store_if(false),
            Op::StoreEither => self.store_either(),

            Op::Push => self.push(),
            Op::Pop => self.pop(),
            Op::PushMultiple => self.push_multiple(),
            Op::PopMultiple => self.pop_multiple(),
            Op::PushControl => self.push_control(),
            Op::PopControl => self.pop_control(),
            Op::Enter => self.enter_frame(),
            Op::ExitReturn => self.exit_frame(),
            Op::AddSp => self.add_stack_pointer(),

            Op::BitClear | Op::BitSet | Op::BitNot => self.change_bit(),
            Op::BitTest | Op::BitTestNot => self.test_bit(),
            Op::BitTestClear | Op::BitTestSet => self.test_and_change_bit(),
            Op::BitAnd | Op::BitAndNot | Op::BitOr | Op::BitOrNot | Op::BitXor | Op::BitXorNot => self.combine_bit(),
            Op::BitMove => self.move_bit(),
            Op::CarryMove => self.move_carry(),

            Op::Branch => self.branch(),
            Op::CountDown => self.count_down(),
            Op::Jump => self.go(self.decoded.imm),
            Op::JumpIndirect => self.indirect_offset().and_then(|target| self.go(target)),
            Op::JumpIndirectAbsolute => self.indirect_target().and_then(|target| self.go(target)),
            Op::JumpSpecial => self.special().and_then(|target| self.go(target)),
            Op::Call => self.call(self.decoded.imm),
            Op::CallIndirect => self.indirect_offset().and_then(|target| self.call(target)),
            Op::CallIndirectAbsolute => self.indirect_target().and_then(|target| self.call(target)),
            Op::CallSpecial => self.special().and_then(|target| self.call(target)),
            Op::Return => self.pop_address().and_then(|target| self.go(target)),
            Op::ReturnInterrupt => self.return_interrupt(),
            Op::Interrupt => self.interrupt_numbered(),
            Op::InterruptOverflow => self.interrupt_overflow(),
            Op::Undefined => self.interrupt(VECTOR_UNDEFINED, false),
            Op::Break => self.break_point(),

            Op::StringMove => self.move_string(1),
            Op::StringMoveDown => self.move_string(u32::MAX),
            Op::StringStore => self.store_string(),
            Op::ProductSum => self.sum_products(),

            Op::LoadControl => self.load_control(),
            Op::StoreControl => self.store_control(),
            Op::StorePc => self.store_pc(),
            Op::FlagSet => self.change_flag(|flags, flag| flags.or(flag)),
            Op::FlagClear => self.change_flag(|flags, flag| flags.and(flag.not())),
            Op::LoadLevel => self.load_level(),
            Op::LoadContext => self.load_context(),
            Op::StoreContext => self.store_context(),
            Op::Nop => Ok(()),
            Op::Wait => Err(Trap::of(FaultKind::Sleep).into()),
        }
    }

    #[inline(always)]
    fn decode(&mut self) -> Done {
        self.cpu.decode(self.flow.window.address(self.flow.place), self.flow.place)?;
        Err(End::Again)
    }

    /// Goes on in the chunk behind.
    #[inline(always)]
    fn next_chunk(&mut self) -> Done {
        let address = self.flow.window.address(self.flow.place) & ADDRESS_MASK;
        let Some(window) = self.cpu.enter(address)? else { return Err(End::Before(Exit::Stop)) };
        self.flow.window = window;
        self.flow.place = window.place(address);
        Err(End::Again)
    }

    #[inline(always)]
    fn of(plain: u32) -> Wide<W> {
        <Wide<W> as Value>::of(plain)
    }

    #[inline(always)]
    fn has(&self, mark: u8) -> bool {
        self.decoded.form & mark != 0
    }

    /// Width of the operation and its destination.
    #[inline(always)]
    fn width(&self) -> Width {
        width(self.has(WORD))
    }

    #[inline(always)]
    fn register(&self, number: u8) -> W {
        self.file[usize::from(number & 15)]
    }

    #[inline(always)]
    fn set(&mut self, number: u8, value: Wide<W>) {
        self.file[usize::from(number & 15)] = W::low_half(value);
    }

    #[inline(always)]
    fn pointer(&self, number: u8) -> u32 {
        self.register(number).plain().into()
    }

    #[inline(always)]
    fn byte(&self, number: u8) -> Wide<W> {
        let low = u32::from((number & HIGH) >> 4);
        self.register(number).wide().shr(Self::of(low)).and(Self::of(0xff))
    }

    /// Writes a byte register; a byte in an address register clears its upper half.
    #[inline(always)]
    fn set_byte(&mut self, number: u8, value: Wide<W>) {
        let (old, value) = (self.register(number).wide(), value.and(Self::of(0xff)));
        let whole = match number {
            A0 | A1 => value,
            _ if number & HIGH != 0 => old.and(Self::of(0xff)).or(value.shl(Self::of(8))),
            _ => old.and(Self::of(0xff00)).or(value),
        };
        self.set(number, whole);
    }

    #[inline(always)]
    fn pair(&self, low: u8) -> Wide<W> {
        let (low, high) = pair(low);
        W::joined(self.register(high), self.register(low))
    }

    #[inline(always)]
    fn set_pair(&mut self, low: u8, value: Wide<W>) {
        let (low, high) = pair(low);
        self.set(low, value);
        self.set(high, value.shr(Self::of(16)));
    }

    /// Does something with all registers, in whatever bank.
    #[inline(always)]
    fn with_all<R>(&mut self, act: impl FnOnce(&mut Registers<W>) -> R) -> R {
        let registers = &mut self.cpu.registers;
        (registers.file, registers.flags) = (*self.file, *self.flags);
        let outcome = act(registers);
        (*self.file, *self.flags) = (registers.file, registers.flags);
        outcome
    }

    #[inline(always)]
    fn set_flags(&mut self, mask: u32, flags: Wide<W>) {
        *self.flags = exec::replaced(*self.flags, mask, flags);
    }

    #[inline(always)]
    fn leaks(&mut self, leak: Leak) {
        self.observer.leaked(self.flow.place, leak);
    }

    #[inline(always)]
    fn leaks_if(&mut self, secret: bool, leak: Leak) {
        if secret {
            self.leaks(leak);
        }
    }

    #[inline(always)]
    fn stalls(&mut self, cause: Cause, cycles: u32) {
        if O::DETAILS && cycles > 0 {
            self.observer.stalled(self.flow.place, cause, cycles);
        }
    }

    #[inline(always)]
    fn accesses_word(&mut self, address: u32) {
        let split = self.pipeline.word(address);
        self.stalls(Cause::Data, split);
    }

    #[inline(always)]
    fn load_byte(&mut self, address: u32) -> Result<Wide<W>, End> {
        self.pipeline.byte();
        let plain = self.cpu.memory.load_byte(address)?;
        Ok(<Wide<W> as Held>::loaded(plain.into(), &self.cpu.beside, address & ADDRESS_MASK, 1))
    }

    #[inline(always)]
    fn load_word(&mut self, address: u32) -> Result<Wide<W>, End> {
        self.accesses_word(address);
        let plain = self.cpu.memory.load_word(address)?;
        Ok(<Wide<W> as Held>::loaded(plain.into(), &self.cpu.beside, address & ADDRESS_MASK, 2))
    }

    #[inline(always)]
    fn load(&mut self, address: u32, word: bool) -> Result<Wide<W>, End> {
        if word {
            self.load_word(address)
        } else {
            self.load_byte(address)
        }
    }

    #[inline(always)]
    fn store_byte(&mut self, address: u32, value: Wide<W>) -> Done {
        self.pipeline.byte();
        let touched = self.cpu.memory.store_byte(address, value.plain() as u8)?;
        self.stored(address, value, 1, touched)
    }

    #[inline(always)]
    fn store_word(&mut self, address: u32, value: Wide<W>) -> Done {
        self.accesses_word(address);
        let touched = self.cpu.memory.store_word(address, value.plain() as u16)?;
        self.stored(address, value, 2, touched)
    }

    #[inline(always)]
    fn stored(&mut self, address: u32, value: Wide<W>, size_bytes: u32, touched: Touched) -> Done {
        value.stored(&mut self.cpu.beside, address & ADDRESS_MASK, size_bytes);
        if touched == Touched::Code {
            self.cpu.program.forget(address & ADDRESS_MASK, size_bytes as usize);
        }
        Ok(())
    }

    #[inline(always)]
    fn store(&mut self, address: u32, value: Wide<W>, word: bool) -> Done {
        if word {
            self.store_word(address, value)
        } else {
            self.store_byte(address, value)
        }
    }

    /// Loads data from an address made from a key: all of it is secret if the key is.
    #[inline(always)]
    fn load_by(&mut self, key: Wide<W>, address: u32, word: bool) -> Result<Wide<W>, End> {
        let value = self.load(address, word)?;
        let (address, size_bytes) = (address & ADDRESS_MASK, if word { 2 } else { 1 });
        self.observer.accessed(self.flow.place, address, size_bytes, false);
        if !key.is_secret() {
            return Ok(value);
        }
        self.leaks(Leak::Load { address, size_bytes });
        Ok(Self::hidden(value, key).and(Self::of(width(word).mask)))
    }

    /// Stores data at an address made from a key.
    #[inline(always)]
    fn store_by(&mut self, key: Wide<W>, address: u32, value: Wide<W>, word: bool) -> Done {
        self.store(address, value, word)?;
        let (address, size_bytes) = (address & ADDRESS_MASK, if word { 2 } else { 1 });
        self.observer.accessed(self.flow.place, address, size_bytes, true);
        self.leaks_if(key.is_secret(), Leak::Store { address, size_bytes });
        Ok(())
    }

    /// Returns a value all of which depends on a key.
    #[inline(always)]
    fn hidden(value: Wide<W>, key: Wide<W>) -> Wide<W> {
        <Wide<W> as Held>::computed(value.plain(), &[key])
    }

    #[inline(always)]
    fn wide(&self, number: u8) -> Wide<W> {
        self.register(number).wide()
    }

    /// Address of memory relative to a register.
    #[inline(always)]
    fn effective(&self, base: u8, disp: u16) -> u32 {
        u32::from(self.register(base).plain().wrapping_add(disp))
    }

    #[inline(always)]
    fn source(&mut self) -> Result<Wide<W>, End> {
        let Decoded { src, src_disp, imm, .. } = *self.decoded;
        if self.has(FROM_IMMEDIATE) {
            return Ok(Self::of(imm));
        }
        let word = self.has(FROM_WORD);
        if self.has(FROM_MEMORY) {
            return self.load_by(self.wide(src), self.effective(src, src_disp), word);
        }
        Ok(if word { self.register(src).wide() } else { self.byte(src) })
    }

    /// Address of the destination in memory.
    #[inline(always)]
    fn destination_address(&self) -> u32 {
        self.effective(self.decoded.dst, self.decoded.dst_disp)
    }

    /// What the destination holds, and its address in memory.
    #[inline(always)]
    fn destination(&mut self) -> Result<(Wide<W>, u32), End> {
        let dst = self.decoded.dst;
        let word = self.has(WORD);
        if self.has(TO_MEMORY) {
            let address = self.destination_address();
            return Ok((self.load_by(self.wide(dst), address, word)?, address));
        }
        Ok((if word { self.register(dst).wide() } else { self.byte(dst) }, 0))
    }

    #[inline(always)]
    fn put(&mut self, address: u32, value: Wide<W>) -> Done {
        let dst = self.decoded.dst;
        let word = self.has(WORD);
        if self.has(TO_MEMORY) {
            return self.store_by(self.wide(dst), address, value, word);
        }
        if word {
            self.set(dst, value);
        } else {
            self.set_byte(dst, value);
        }
        Ok(())
    }

    #[inline(always)]
    fn move_value(&mut self) -> Done {
        let value = self.source()?;
        self.set_flags(Z | S, exec::sign_zero(value, self.width()));
        self.put(self.destination_address(), value)
    }

    #[inline(always)]
    fn arithmetic(&mut self, op: Op) -> Done {
        let value = self.source()?;
        let (old, address) = self.destination()?;
        let Computed { value, flags } = exec::arithmetic(op, old, value, *self.flags, self.width());
        self.set_flags(C | Z | S | O, flags);
        self.put(address, value)
    }

    #[inline(always)]
    fn compare(&mut self) -> Done {
        let value = self.source()?;
        let (old, _) = self.destination()?;
        let compared = exec::arithmetic(Op::Compare, old, value, *self.flags, self.width());
        self.set_flags(C | Z | S | O, compared.flags);
        Ok(())
    }

    #[inline(always)]
    fn logic(&mut self, op: Op) -> Done {
        let value = self.source()?;
        let (old, address) = self.destination()?;
        let Computed { value, flags } = exec::logic(op, old, value, self.width());
        self.set_flags(Z | S, flags);
        self.put(address, value)
    }

    #[inline(always)]
    fn test(&mut self) -> Done {
        let value = self.source()?;
        let (old, _) = self.destination()?;
        self.set_flags(Z | S, exec::logic(Op::Test, old, value, self.width()).flags);
        Ok(())
    }

    /// Computes with the destination alone.
    #[inline(always)]
    fn one(&mut self, op: Op) -> Done {
        let (old, address) = self.destination()?;
        let Computed { value, flags } = exec::one(op, old, *self.flags, self.width());
        self.set_flags(exec::sets(op), flags);
        self.put(address, value)
    }

    /// Count of an immediate, to the left if it is positive.
    #[inline(always)]
    fn places(&self) -> Wide<W> {
        Self::of(self.decoded.imm)
    }

    /// Count in R1H.
    #[inline(always)]
    fn counted(&self) -> Wide<W> {
        self.byte(R1 | HIGH).sign_extended(8)
    }

    /// Every place of a shift takes time; returns the count, `None` if it is 0.
    #[inline(always)]
    fn shifts(&mut self, count: Wide<W>) -> Option<Places<Wide<W>>> {
        let plain = count.plain() as i32;
        self.leaks_if(count.is_secret(), Leak::Shift);
        self.pipeline.each(plain.unsigned_abs(), self.decoded.more);
        let left = plain > 0;
        let count = if left { count } else { Self::of(0).sub(count) };
        (plain != 0).then_some(Places { left, count })
    }

    #[inline(always)]
    fn shift(&mut self, op: Op, count: Wide<W>) -> Done {
        let places = self.shifts(count);
        let (old, address) = self.destination()?;
        let width = self.width();
        let (mask, among) = if op == Op::ShiftArithmetic { (C | Z | S | O, C | O) } else { (C | Z | S, C) };
        let Some(places) = places else {
            self.shifted_flags(count, mask);
            return self.put(address, Self::shifted_by(count, old).and(Self::of(width.mask)));
        };
        let Computed { value, flags } = match op {
            Op::Rotate => exec::rotated(old, places, width),
            Op::ShiftLogical => exec::shifted(old, places, width.bits, false),
            _ => exec::shifted(old, places, width.bits, true),
        };
        self.set_flags(mask, flags.and(Self::of(among)).or(exec::sign_zero(value, width)));
        self.put(address, value)
    }

    #[inline(always)]
    fn shift_long(&mut self, arithmetic: bool, count: Wide<W>) -> Done {
        let dst = self.decoded.dst;
        if let Some(places) = self.shifts(count) {
            let Computed { value, flags } = exec::shifted(self.pair(dst), places, 32, arithmetic);
            self.set_pair(dst, value);
            self.set_flags(C | Z | S, flags.and(Self::of(C)).or(exec::sign_zero(value, exec::LONG)));
        } else {
            self.shifted_flags(count, C | Z | S);
            self.set_pair(dst, Self::shifted_by(count, self.pair(dst)));
        }
        Ok(())
    }

    /// Returns a value that was not shifted, because the count is 0.
    #[inline(always)]
    fn shifted_by(count: Wide<W>, value: Wide<W>) -> Wide<W> {
        if count.is_secret() {
            return Self::hidden(value, count);
        }
        value
    }

    /// Flags that a shift by 0 leaves are secret if the count is.
    #[inline(always)]
    fn shifted_flags(&mut self, count: Wide<W>, mask: u32) {
        if count.is_secret() {
            let flags = Self::hidden(*self.flags, count);
            self.set_flags(mask, flags.and(Self::of(mask)));
        }
    }

    #[inline(always)]
    fn multiply(&mut self, op: Op) -> Done {
        let value = self.source()?;
        let (old, address) = self.destination()?;
        let product = exec::product(op, old, value, self.width());
        self.stalls(Cause::Multiply, u32::from(self.decoded.cycles).saturating_sub(1));
        let dst = self.decoded.dst;
        let key = self.wide(dst);
        match (self.has(TO_MEMORY), self.has(WORD)) {
            (true, true) => {
                self.store_by(key, address, product, true)?;
                self.store_by(key, address + 2, product.shr(Self::of(16)), true)
            }
            (true, false) => self.store_by(key, address, product, true),
            (false, true) => {
                self.set_pair(dst, product);
                Ok(())
            }
            (false, false) => {
                self.set(dst, product);
                Ok(())
            }
        }
    }

    #[inline(always)]
    fn divide(&mut self) -> Done {
        let value = self.source()?;
        self.stalls(Cause::Multiply, u32::from(self.decoded.cycles).saturating_sub(1));
        let (word, width) = (self.has(WORD), self.width());
        let dividend = if word { self.pair(R0) } else { self.register(R0).wide() };
        let divided = exec::divided(self.decoded.op, dividend, value, width);
        self.set_flags(O, exec::flag(O, divided.overflow));
        let mask = Self::of(width.mask);
        let (quotient, rest) = (divided.quotient.and(mask), divided.rest.and(mask));
        // By nothing: the registers stay.
        let kept = |new, old: W| Wide::<W>::chosen(divided.by_zero, old.wide(), new);
        if word {
            let (quotient, rest) = (kept(quotient, self.register(R0)), kept(rest, self.register(R2)));
            self.set(R0, quotient);
            self.set(R2, rest);
        } else {
            self.set(R0, kept(quotient.or(rest.shl(Self::of(8))), self.register(R0)));
        }
        Ok(())
    }

    #[inline(always)]
    fn extend_byte(&mut self) -> Done {
        let (old, address) = self.destination()?;
        let value = old.sign_extended(8).and(Self::of(0xffff));
        self.set_flags(Z | S, exec::sign_zero(value, exec::WORD));
        if self.has(TO_MEMORY) {
            return self.store_by(self.wide(self.decoded.dst), address, value, true);
        }
        self.set(self.decoded.dst, value);
        Ok(())
    }

    #[inline(always)]
    fn extend_word(&mut self) -> Done {
        let value = self.register(R0).wide_signed();
        self.set_flags(Z | S, exec::sign_zero(value, exec::WORD));
        self.set_pair(R0, value);
        Ok(())
    }

    #[inline(always)]
    fn decimal(&mut self) -> Done {
        let value = self.source()?;
        let (old, address) = self.destination()?;
        let Computed { value, flags } = exec::decimal(self.decoded.op, old, value, *self.flags, self.width());
        self.set_flags(C | Z | S, flags);
        self.put(address, value)
    }

    #[inline(always)]
    fn exchange(&mut self) -> Done {
        let src = self.decoded.src;
        let value = self.source()?;
        let (old, address) = self.destination()?;
        self.put(address, value)?;
        if self.has(WORD) {
            self.set(src, old);
        } else {
            self.set_byte(src, old);
        }
        Ok(())
    }

    #[inline(always)]
    fn load_nibble(&mut self) -> Done {
        let value = self.source()?;
        self.set_byte(R0, exec::nibble(self.byte(R0), value, self.decoded.detail));
        Ok(())
    }

    #[inline(always)]
    fn store_nibble(&mut self) -> Done {
        let (old, address) = self.destination()?;
        self.put(address, exec::nibble(old, self.byte(R0), self.decoded.detail))
    }

    /// Address of the source, as a value.
    #[inline(always)]
    fn source_address(&self) -> Wide<W> {
        self.register(self.decoded.src).add(W::of(self.decoded.src_disp)).wide()
    }

    #[inline(always)]
    fn address(&mut self) -> Done {
        self.set(self.decoded.dst, self.source_address());
        Ok(())
    }

    #[inline(always)]
    fn push_address_of(&mut self) -> Done {
        self.push_word(self.source_address())
    }

    /// Far address of 20 bits, in the instruction and a base.
    #[inline(always)]
    fn far_address(&self) -> Wide<W> {
        Self::of(self.decoded.imm).add(self.wide(self.decoded.detail)).and(Self::of(ADDRESS_MASK))
    }

    /// Far address in A1A0.
    #[inline(always)]
    fn far_indirect(&self) -> Wide<W> {
        self.pair(A0).and(Self::of(ADDRESS_MASK))
    }

    #[inline(always)]
    fn load_far(&mut self, address: Wide<W>) -> Done {
        let value = self.load_by(address, address.plain(), self.has(FROM_WORD))?;
        self.set_flags(Z | S, exec::sign_zero(value, self.width()));
        self.put(self.destination_address(), value)
    }

    #[inline(always)]
    fn store_far(&mut self, address: Wide<W>) -> Done {
        let value = self.source()?;
        self.set_flags(Z | S, exec::sign_zero(value, self.width()));
        self.store_by(address, address.plain(), value, self.has(WORD))
    }

    /// Stores the immediate if the last result was zero, or was not.
    #[inline(always)]
    fn store_if(&mut self, zero: bool) -> Done {
        let is_zero = exec::is_set(*self.flags, Self::of(Z));
        let stores = if zero { is_zero } else { is_zero.not() };
        let address = self.destination_address();
        if Wide::<W>::is_secret_truth(stores) {
            return self.store_if_secret(stores, address);
        }
        if Wide::<W>::holds(stores) {
            return self.put(address, Self::of(self.decoded.imm));
        }
        Ok(())
    }

    /// Stores if a secret says so: a store takes the bus, which then reads no code ahead.
    #[inline(always)]
    fn store_if_secret(&mut self, stores: <W as Value>::Truth, address: u32) -> Done {
        let (dst, imm) = (self.decoded.dst, Self::of(self.decoded.imm));
        if !self.has(TO_MEMORY) {
            self.set_byte(dst, Wide::<W>::chosen(stores, imm, self.byte(dst)));
            return Ok(());
        }
        self.leaks(Leak::Condition);
        let place = address & ADDRESS_MASK;
        let plain = self.cpu.memory.load_byte(place)?;
        let old = <Wide<W> as Held>::loaded(plain.into(), &self.cpu.beside, place, 1);
        let chosen = Wide::<W>::chosen(stores, imm, old);
        if Wide::<W>::holds(stores) {
            return self.put(address, chosen);
        }
        chosen.stored(&mut self.cpu.beside, place, 1);
        Ok(())
    }

    #[inline(always)]
    fn store_either(&mut self) -> Done {
        let imm = self.decoded.imm;
        let is_zero = exec::is_set(*self.flags, Self::of(Z));
        self.put(self.destination_address(), Wide::<W>::chosen(is_zero, Self::of(imm & 0xff), Self::of(imm >> 8)))
    }

    /// The stack pointer moved down.
    #[inline(always)]
    fn stack(&mut self) -> Result<u32, End> {
        let pointer = self.pointer(SP);
        if pointer < self.cpu.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, pointer).into());
        }
        self.observer.stack(pointer);
        Ok(pointer)
    }

    /// Adds to the stack pointer; returns what it was.
    #[inline(always)]
    fn move_stack(&mut self, by: u16) -> u32 {
        let before = self.register(SP);
        self.leaks_if(before.is_secret(), Leak::Stack);
        self.file[usize::from(SP)] = before.add(W::of(by));
        before.plain().into()
    }

    #[inline(always)]
    fn push_word(&mut self, value: Wide<W>) -> Done {
        self.move_stack(2_u16.wrapping_neg());
        let address = self.stack()?;
        self.store_by(self.wide(SP), address, value, true)
    }

    #[inline(always)]
    fn pop_word(&mut self) -> Result<Wide<W>, End> {
        let value = self.load_by(self.wide(SP), self.pointer(SP), true)?;
        self.move_stack(2);
        Ok(value)
    }

    /// Pushes three bytes: a word and a byte above it.
    #[inline(always)]
    fn push_address(&mut self, address: u32) -> Done {
        self.move_stack(3_u16.wrapping_neg());
        let at = self.stack()?;
        self.store_word(at, Self::of(address))?;
        self.store_byte(at + 2, Self::of(address >> 16))
    }

    #[inline(always)]
    fn pop_address(&mut self) -> Result<u32, End> {
        let at = self.pointer(SP);
        let address = self.load_word(at)?.or(self.load_byte(at + 2)?.shl(Self::of(16)));
        self.move_stack(3);
        Ok(self.aimed(address))
    }

    #[inline(always)]
    fn push(&mut self) -> Done {
        let value = self.source()?;
        if self.has(FROM_WORD) {
            return self.push_word(value);
        }
        self.move_stack(1_u16.wrapping_neg());
        let address = self.stack()?;
        self.store_by(self.wide(SP), address, value, false)
    }

    #[inline(always)]
    fn pop(&mut self) -> Done {
        let value = if self.has(WORD) {
            self.pop_word()?
        } else {
            let value = self.load_by(self.wide(SP), self.pointer(SP), false)?;
            self.move_stack(1);
            value
        };
        self.put(self.destination_address(), value)
    }

    /// Bit 0 is FB, and bit 7 is R0, pushed last.
    #[inline(always)]
    fn push_multiple(&mut self) -> Done {
        let list = self.decoded.imm;
        for number in (0..8).filter(|number| list >> number & 1 != 0) {
            self.push_word(self.register(LISTED[7 - number]).wide())?;
        }
        self.pipeline.each(list.count_ones(), self.decoded.more);
        Ok(())
    }

    #[inline(always)]
    fn pop_multiple(&mut self) -> Done {
        let list = self.decoded.imm;
        for number in (0..8).filter(|number| list >> number & 1 != 0) {
            let value = self.pop_word()?;
            self.set(LISTED[number], value);
        }
        self.pipeline.each(list.count_ones(), self.decoded.more);
        Ok(())
    }

    #[inline(always)]
    fn push_control(&mut self) -> Done {
        let number = self.decoded.detail;
        let value = self.with_all(|registers| registers.control(number));
        self.push_word(value.wide())
    }

    #[inline(always)]
    fn pop_control(&mut self) -> Done {
        let number = self.decoded.detail;
        let value = W::low_half(self.pop_word()?);
        self.with_all(|registers| registers.set_control(number, value));
        Ok(())
    }

    #[inline(always)]
    fn enter_frame(&mut self) -> Done {
        self.push_word(self.register(FB).wide())?;
        self.set(FB, self.register(SP).wide());
        self.move_stack((self.decoded.imm as u16).wrapping_neg());
        self.stack()?;
        Ok(())
    }

    #[inline(always)]
    fn exit_frame(&mut self) -> Done {
        self.set(SP, self.register(FB).wide());
        let frame = self.pop_word()?;
        self.set(FB, frame);
        let target = self.pop_address()?;
        self.go(target)
    }

    #[inline(always)]
    fn add_stack_pointer(&mut self) -> Done {
        let (pointer, step) = (self.register(SP).wide(), Self::of(self.decoded.imm));
        let Computed { value, flags } = exec::sum(pointer, step, Self::of(0), exec::WORD);
        self.set_flags(C | Z | S | O, flags);
        self.leaks_if(value.is_secret(), Leak::Stack);
        self.set(SP, value);
        self.stack()?;
        Ok(())
    }

    /// The unit that holds a bit, its address in memory, and the bit in it.
    #[inline(always)]
    fn bit(&mut self) -> Result<(Wide<W>, u32, Wide<W>), End> {
        let Decoded { dst, detail, dst_disp, .. } = *self.decoded;
        if !self.has(TO_MEMORY) {
            return Ok((self.register(dst).wide(), 0, Self::of(1 << (detail & 15))));
        }
        if detail & BIT_INDEXED == 0 {
            let address = self.destination_address();
            return Ok((self.load_by(self.wide(dst), address, false)?, address, Self::of(1 << (detail & 7))));
        }
        let number = self.register(dst).wide();
        let address = u32::from(((number.plain() >> 3) as u16).wrapping_add(dst_disp));
        let unit = self.load_by(number.shr(Self::of(3)), address, false)?;
        Ok((unit, address, Self::of(1).shl(number.and(Self::of(7)))))
    }

    #[inline(always)]
    fn put_bit(&mut self, address: u32, unit: Wide<W>) -> Done {
        let Decoded { dst, detail, .. } = *self.decoded;
        if self.has(TO_MEMORY) {
            let key = if detail & BIT_INDEXED == 0 { self.wide(dst) } else { self.wide(dst).shr(Self::of(3)) };
            return self.store_by(key, address, unit, false);
        }
        self.set(dst, unit);
        Ok(())
    }

    #[inline(always)]
    fn change_bit(&mut self) -> Done {
        let (unit, address, bit) = self.bit()?;
        self.put_bit(address, exec::changed(self.decoded.op, unit, bit))
    }

    #[inline(always)]
    fn test_bit(&mut self) -> Done {
        let (unit, _, bit) = self.bit()?;
        self.set_flags(C | Z, exec::tested(self.decoded.op, unit, bit));
        Ok(())
    }

    #[inline(always)]
    fn test_and_change_bit(&mut self) -> Done {
        let (unit, address, bit) = self.bit()?;
        self.set_flags(C | Z, exec::tested(self.decoded.op, unit, bit));
        self.put_bit(address, exec::changed(self.decoded.op, unit, bit))
    }

    #[inline(always)]
    fn combine_bit(&mut self) -> Done {
        let (unit, _, bit) = self.bit()?;
        self.set_flags(C, exec::combined(self.decoded.op, *self.flags, unit, bit));
        Ok(())
    }

    #[inline(always)]
    fn move_bit(&mut self) -> Done {
        let holds = exec::condition(self.decoded.src, *self.flags);
        let (unit, address, bit) = self.bit()?;
        self.put_bit(address, Wide::<W>::chosen(holds, unit.or(bit), unit.and(bit.not())))
    }

    #[inline(always)]
    fn move_carry(&mut self) -> Done {
        let holds = exec::condition(self.decoded.detail, *self.flags);
        self.set_flags(C, exec::flag(C, holds));
        Ok(())
    }

    #[inline(always)]
    fn branch(&mut self) -> Done {
        let holds = exec::condition(self.decoded.detail, *self.flags);
        self.jump_if(holds)
    }

    #[inline(always)]
    fn count_down(&mut self) -> Done {
        let (old, address) = self.destination()?;
        let step = Self::of(self.decoded.src_disp.into());
        let result = old.add(step).and(Self::of(self.width().mask));
        self.put(address, result)?;
        self.jump_if(result.equals(Self::of(0)).not())
    }

    #[inline(always)]
    fn jump_if(&mut self, taken: <W as Value>::Truth) -> Done {
        self.leaks_if(Wide::<W>::is_secret_truth(taken), Leak::Branch);
        if !Wide::<W>::holds(taken) {
            self.observer.skipped(self.flow.place);
            return Ok(());
        }
        self.pipeline.each(1, self.decoded.more);
        self.stalls(Cause::Branch, self.decoded.more.into());
        self.observer.taken(self.flow.place);
        self.go(self.decoded.imm)
    }

    /// Goes to an address.
    #[inline(always)]
    fn go(&mut self, target: u32) -> Done {
        let target = target & ADDRESS_MASK;
        self.stalls(Cause::Branch, u32::from(self.decoded.cycles).saturating_sub(1));
        if !self.flow.window.holds(target) || target == RETURN_ADDRESS {
            match self.cpu.enter(target) {
                Ok(Some(entered)) => self.flow.window = entered,
                Ok(None) => return Err(End::Behind(target, Exit::Stop)),
                Err(trap) => return Err(End::Behind(target, Exit::Trap(trap))),
            }
        }
        self.flow.next = self.flow.window.place(target);
        self.flow.jumped = true;
        self.pipeline.jumps(target);
        Ok(())
    }

    #[inline(always)]
    fn call(&mut self, target: u32) -> Done {
        self.push_address(self.flow.window.address(self.flow.next))?;
        self.go(target)
    }

    /// Where an indirect jump finds its operand in memory.
    #[inline(always)]
    fn indirect_address(&self) -> u32 {
        let Decoded { src, src_disp, imm, .. } = *self.decoded;
        (self.pointer(src) + u32::from(src_disp) + (imm << 16)) & ADDRESS_MASK
    }

    #[inline(always)]
    fn indirect_target(&mut self) -> Result<u32, End> {
        let src = self.decoded.src;
        if !self.has(FROM_MEMORY) {
            return Ok(self.aimed(self.pair(src)));
        }
        let (key, address) = (self.wide(src), self.indirect_address());
        let low = self.load_by(key, address, true)?;
        let target = low.or(self.load_by(key, address + 2, false)?.shl(Self::of(16)));
        Ok(self.aimed(target))
    }

    /// Returns where a jump goes.
    #[inline(always)]
    fn aimed(&mut self, target: Wide<W>) -> u32 {
        self.leaks_if(target.is_secret(), Leak::Target);
        target.plain()
    }

    #[inline(always)]
    fn indirect_offset(&mut self) -> Result<u32, End> {
        let offset = if self.has(FROM_MEMORY) {
            self.load_by(self.wide(self.decoded.src), self.indirect_address(), true)?
        } else {
            self.wide(self.decoded.src)
        };
        let offset = self.aimed(offset);
        Ok(self.flow.window.address(self.flow.place).wrapping_add(i32::from(offset as u16 as i16) as u32))
    }

    /// Target in the table of special pages.
    #[inline(always)]
    fn special(&mut self) -> Result<u32, End> {
        Ok(0xf_0000 | self.load_word(self.decoded.imm)?.plain())
    }

    #[inline(always)]
    fn return_interrupt(&mut self) -> Done {
        let at = self.pointer(SP);
        let low = self.load_word(at)?;
        let high = self.load_word(at + 2)?;
        self.move_stack(4);
        self.with_all(|registers| registers.set_flags(high.and(Self::of(0xf0ff))));
        let target = self.aimed(low.or(high.and(Self::of(0x0f00)).shl(Self::of(8))));
        self.go(target)
    }

    #[inline(always)]
    fn interrupt(&mut self, vector: u32, keeps_stack: bool) -> Done {
        let target = self.cpu.vector(vector)?;
        let before = *self.flags;
        let cleared = I | D | if keeps_stack { 0 } else { U };
        self.with_all(|registers| registers.set_flags(before.and(Self::of(!cleared))));
        let back = self.flow.window.address(self.flow.next);
        self.move_stack(4_u16.wrapping_neg());
        let at = self.stack()?;
        self.store_word(at, Self::of(back))?;
        self.store_word(at + 2, before.and(Self::of(0xf0ff)).or(Self::of(back >> 8 & 0x0f00)))?;
        self.go(target)
    }

    #[inline(always)]
    fn interrupt_numbered(&mut self) -> Done {
        let number = self.decoded.detail;
        let vector = self.cpu.registers.intb.plain().wrapping_add(4 * u32::from(number)) & ADDRESS_MASK;
        self.interrupt(vector, number >= FIRST_ON_OWN_STACK)
    }

    #[inline(always)]
    fn interrupt_overflow(&mut self) -> Done {
        let overflowed = exec::is_set(*self.flags, Self::of(O));
        self.leaks_if(Wide::<W>::is_secret_truth(overflowed), Leak::Branch);
        if !Wide::<W>::holds(overflowed) {
            return Ok(());
        }
        self.pipeline.each(1, self.decoded.more);
        self.interrupt(VECTOR_OVERFLOW, false)
    }

    /// An erased vector sends it to the table that can be moved.
    #[inline(always)]
    fn break_point(&mut self) -> Done {
        let fixed = self.cpu.memory.peek(VECTOR_BREAK, 4);
        let is_erased = fixed.is_some_and(|bytes| bytes == [0xff; 4]);
        self.interrupt(if is_erased { self.cpu.registers.intb.plain() } else { VECTOR_BREAK }, false)
    }

    /// A repeated instruction takes its items in R3.
    #[inline(always)]
    fn repeats(&mut self) {
        self.leaks_if(self.register(R3).is_secret(), Leak::Shift);
    }

    /// Copies items up or down, from far memory.
    #[inline(always)]
    fn move_string(&mut self, direction: u32) -> Done {
        let word = self.has(WORD);
        let step = Self::of(if word { direction.wrapping_mul(2) } else { direction });
        let far = self.byte(R1 | HIGH).and(Self::of(15)).shl(Self::of(16));
        let mut from = self.wide(A0).or(far);
        self.repeats();
        self.pipeline.each(self.pointer(R3), self.decoded.more);
        while self.pointer(R3) != 0 {
            let to = self.wide(A1);
            let value = self.load_by(from, from.plain(), word)?;
            self.store_by(to, to.plain(), value, word)?;
            from = from.add(step).and(Self::of(ADDRESS_MASK));
            self.set(A1, to.add(step));
            self.next_item();
        }
        self.set(A0, from);
        self.set_byte(R1 | HIGH, from.shr(Self::of(16)));
        Ok(())
    }

    #[inline(always)]
    fn next_item(&mut self) {
        self.set(R3, self.register(R3).wide().sub(Self::of(1)));
    }

    #[inline(always)]
    fn store_string(&mut self) -> Done {
        let word = self.has(WORD);
        let step = Self::of(if word { 2 } else { 1 });
        self.repeats();
        self.pipeline.each(self.pointer(R3), self.decoded.more);
        while self.pointer(R3) != 0 {
            let to = self.wide(A1);
            self.store_by(to, to.plain(), self.wide(R0), word)?;
            self.set(A1, to.add(step));
            self.next_item();
        }
        Ok(())
    }

    #[inline(always)]
    fn sum_products(&mut self) -> Done {
        let (word, width) = (self.has(WORD), self.width());
        let step = Self::of(if word { 2 } else { 1 });
        let mut cycles = u32::from(self.decoded.cycles);
        self.repeats();
        let mut sum = if word { self.pair(R0) } else { self.register(R0).wide() };
        while self.pointer(R3) != 0 {
            let (first, second) = (self.wide(A0), self.wide(A1));
            let one = self.load_by(first, first.plain(), word)?;
            let other = self.load_by(second, second.plain(), word)?;
            let (more, overflow) = exec::product_sum(sum, one, other, width);
            sum = more;
            self.pipeline.each(1, self.decoded.more);
            cycles += u32::from(self.decoded.more);
            self.set(A0, first.add(step));
            self.set(A1, second.add(step));
            self.next_item();
            self.set_flags(O, exec::flag(O, overflow));
            // It ends where the sum does not fit.
            let more_items = self.pointer(R3) != 0;
            self.leaks_if(more_items && Wide::<W>::is_secret_truth(overflow), Leak::Multiply);
            if Wide::<W>::holds(overflow) {
                break;
            }
        }
        self.stalls(Cause::Multiply, cycles.saturating_sub(1));
        if word {
            self.set_pair(R0, sum);
        } else {
            self.set(R0, sum);
        }
        Ok(())
    }

    #[inline(always)]
    fn load_control(&mut self) -> Done {
        let number = self.decoded.detail;
        let value = W::low_half(self.source()?);
        self.with_all(|registers| registers.set_control(number, value));
        if matches!(number, 3..=5) {
            self.leaks_if(self.register(SP).is_secret(), Leak::Stack);
            self.stack()?;
        }
        Ok(())
    }

    #[inline(always)]
    fn store_control(&mut self) -> Done {
        let number = self.decoded.detail;
        let value = self.with_all(|registers| registers.control(number));
        self.put(self.destination_address(), value.wide())
    }

    #[inline(always)]
    fn store_pc(&mut self) -> Done {
        let value = self.flow.window.address(self.flow.next);
        if self.has(TO_MEMORY) {
            let address = self.destination_address();
            let key = self.wide(self.decoded.dst);
            self.store_by(key, address, Self::of(value), true)?;
            return self.store_by(key, address + 2, Self::of(value >> 16), false);
        }
        self.set_pair(self.decoded.dst, Self::of(value));
        Ok(())
    }

    #[inline(always)]
    fn change_flag(&mut self, changed: impl FnOnce(Wide<W>, Wide<W>) -> Wide<W>) -> Done {
        let flags = changed(*self.flags, Self::of(1 << self.decoded.detail));
        self.with_all(|registers| registers.set_flags(flags));
        Ok(())
    }

    #[inline(always)]
    fn load_level(&mut self) -> Done {
        self.set_flags(IPL, Self::of(u32::from(self.decoded.detail) << 12));
        Ok(())
    }

    /// The list of registers of a task, and the bytes that they take on the stack.
    #[inline(always)]
    fn context(&mut self) -> Result<(u32, u16), End> {
        let number = self.load_by(Self::of(0), self.decoded.src_disp.into(), false)?;
        let entry = Self::of(self.decoded.imm).add(number).add(number).and(Self::of(ADDRESS_MASK));
        let list = self.load_by(entry, entry.plain(), false)?;
        let bytes = self.load_by(entry, entry.plain() + 1, false)?;
        self.leaks_if(list.is_secret(), Leak::Shift);
        self.leaks_if(bytes.is_secret(), Leak::Stack);
        Ok((list.plain(), bytes.plain() as u16))
    }

    #[inline(always)]
    fn load_context(&mut self) -> Done {
        let (list, bytes) = self.context()?;
        let mut from = self.pointer(SP);
        for number in (0..8).filter(|number| list >> number & 1 != 0) {
            let value = self.load_by(self.wide(SP), from, true)?;
            self.set(LISTED[number], value);
            from += 2;
        }
        self.pipeline.each(list.count_ones(), self.decoded.more);
        self.move_stack(bytes);
        Ok(())
    }

    #[inline(always)]
    fn store_context(&mut self) -> Done {
        let (list, bytes) = self.context()?;
        let mut to = self.pointer(SP);
        self.move_stack(bytes.wrapping_neg());
        self.stack()?;
        for number in (0..8).rev().filter(|number| list >> number & 1 != 0) {
            to = to.wrapping_sub(2) & 0xffff;
            self.store_by(self.wide(SP), to, self.wide(LISTED[number]), true)?;
        }
        self.pipeline.each(list.count_ones(), self.decoded.more);
        Ok(())
    }
}
