//! The flow of a program: one instruction after the other, what it does by [`super::exec`], and how long it takes by
//! [`super::pipeline`].

use super::cpu::Cpu;
use super::decode::{
    Decoded, CG, COUNT_IN_REGISTER, DESTINATION_IN_MEMORY, NONE, PC, REPEATED, SOURCE_IN_MEMORY, SP, SPECIAL, SR,
    WIDE_DESTINATION, WIDE_SOURCE, ZERO_CARRY,
};
use super::exec::{self, CPU_OFF};
use super::isa::{Op, Size};
use super::memory::Touched;
use super::pipeline::Pipeline;
use crate::fault::{FaultKind, Trap};
use crate::memory_system::MemorySystem;
use crate::observe::{Cause, Leak, Observer};
use crate::processor::{Exit, Instructions, Processor};
use crate::profile::Class;
use crate::value::HeldWord;

/// Returns the bytes of a datum in memory.
#[inline(always)]
fn bytes(size: Size) -> u32 {
    match size {
        Size::Byte => 1,
        Size::Word => 2,
        Size::Address => 4,
    }
}

/// Registers of a run.
type Registers<W> = [W; 32];

/// Why the flow does not go on to the next instruction.
enum End {
    /// The instruction was not executed; the one at the same place is, now that it is decoded.
    Again,
    Exit(Exit),
}

impl From<Trap> for End {
    #[inline(always)]
    fn from(trap: Trap) -> Self {
        End::Exit(Exit::Trap(trap))
    }
}

/// Where the flow is.
struct Flow {
    place: u32,
    /// Place of the instruction that follows.
    next: u32,
}

impl<M: MemorySystem, W: HeldWord> Cpu<M, W> {
    /// Runs until the stop, the return address, a trap, or `cycle_limit` on the absolute cycle counter. After a trap
    /// the program counter names the instruction that caused it.
    pub fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let mut registers = self.registers;
        let register_mask = self.register_mask();
        let place = registers[usize::from(PC)].plain() / 2;
        let mut flow = Flow { place, next: place };
        let mut pipeline = Pipeline::new(&self.core, self.cycles);
        let exit = loop {
            if pipeline.now >= cycle_limit {
                break Exit::Limit;
            }
            let Some(&decoded) = self.program.ops.get(flow.place as usize) else {
                break Exit::Trap(Trap::at(FaultKind::UnmappedAddress, flow.place * 2));
            };
            flow.next = flow.place + u32::from(decoded.words);
            pipeline.begins(decoded.cycles);
            let (registers, pipeline, flow) = (&mut registers, &mut pipeline, &mut flow);
            let step = Step { cpu: self, observer, registers, pipeline, flow, register_mask, decoded: &decoded };
            match step.run() {
                Ok(()) => {}
                Err(End::Again) => continue,
                Err(End::Exit(exit)) => break exit,
            }
            let left_the_line = flow.next != flow.place + u32::from(decoded.words);
            if O::DETAILS && left_the_line && decoded.cycles > 1 {
                observer.stalled(flow.place, Cause::Branch, u32::from(decoded.cycles) - 1);
            }
            if O::DETAILS {
                observer.ends(flow.place, registers[usize::from(SP)].plain(), || self.executed(flow.place as usize));
            }
            observer.retired(flow.place, pipeline.ends());
            flow.place = flow.next;
        };
        registers[usize::from(PC)] = W::of(flow.place * 2);
        registers[usize::from(NONE)] = W::of(0);
        self.registers = registers;
        self.cycles = pipeline.now;
        exit
    }
}

/// An instruction under way, with all that it works on.
struct Step<'a, M, W: HeldWord, O> {
    cpu: &'a mut Cpu<M, W>,
    observer: &'a mut O,
    registers: &'a mut Registers<W>,
    pipeline: &'a mut Pipeline,
    flow: &'a mut Flow,
    register_mask: u32,
    decoded: &'a Decoded,
}

impl<M: MemorySystem, W: HeldWord, O: Observer> Step<'_, M, W, O> {
    /// Executes the instruction as often as it is repeated.
    #[inline(always)]
    fn run(mut self) -> Result<(), End> {
        self.fetch();
        let mut count = W::of(0);
        if self.decoded.flags & REPEATED != 0 {
            count = W::of(self.decoded.repeats.into());
            if self.decoded.flags & COUNT_IN_REGISTER != 0 {
                count = self.get(self.decoded.repeats).and(W::of(15));
            }
            self.pipeline.repeats(count.plain());
        }
        let mut left = count.plain();
        loop {
            self.execute()?;
            if left == 0 {
                break;
            }
            left -= 1;
        }
        self.was_repeated(count);
        Ok(())
    }

    /// What an instruction repeated a secret number of times leaves is secret.
    #[inline(always)]
    fn was_repeated(&mut self, count: W) {
        if !count.is_secret() {
            return;
        }
        self.leaks(Leak::Shift);
        for register in [self.decoded.destination, SR] {
            let hidden = W::computed(self.get(register).plain(), &[count]);
            self.set(register, hidden.and(W::of(self.register_mask)));
        }
    }

    #[inline(always)]
    fn leaks(&mut self, leak: Leak) {
        self.observer.leaked(self.flow.place, leak);
    }

    #[inline(always)]
    fn stalls(&mut self, cause: Cause, cycles: u32) {
        if O::DETAILS && cycles > 0 {
            self.observer.stalled(self.flow.place, cause, cycles);
        }
    }

    /// Fetches the words of the instruction, before it reads data. An instruction that is not decoded yet is fetched
    /// again, from where the first time has brought it.
    #[inline(always)]
    fn fetch(&mut self) {
        if M::IMMEDIATE {
            return;
        }
        for place in self.flow.place..self.flow.next {
            let wait = self.cpu.system.fetch(place * 2, self.pipeline.reads());
            self.pipeline.waits(wait);
            self.stalls(Cause::Fetch, wait);
        }
    }

    /// Data are read; what is stored goes to RAM, which never makes the core wait.
    #[inline(always)]
    fn reads(&mut self, address: u32, size_bytes: u32) {
        if M::IMMEDIATE {
            return;
        }
        let delay = self.cpu.system.load(address, size_bytes, self.pipeline.reads());
        self.pipeline.waits(delay.stall);
        self.stalls(Cause::Data, delay.stall);
    }

    #[inline(always)]
    fn execute(&mut self) -> Result<(), End> {
        use Size::{Address, Byte, Word};
        match self.decoded.op {
            Op::Undecoded => {
                self.cpu.decode(self.flow.place)?;
                Err(End::Again)
            }
            Op::Stop => Err(End::Exit(Exit::Stop)),
            Op::Illegal => Err(Trap::of(FaultKind::IllegalOpcode).into()),

            Op::Mov => self.mov(Word),
            Op::Add => self.combine(Op::Add, Word),
            Op::Addc => self.combine(Op::Addc, Word),
            Op::Subc => self.combine(Op::Subc, Word),
            Op::Sub => self.combine(Op::Sub, Word),
            Op::Cmp => self.compare(Op::Cmp, Word),
            Op::Dadd => self.combine(Op::Dadd, Word),
            Op::Bit => self.compare(Op::Bit, Word),
            Op::Bic => self.combine(Op::Bic, Word),
            Op::Bis => self.combine(Op::Bis, Word),
            Op::Xor => self.combine(Op::Xor, Word),
            Op::And => self.combine(Op::And, Word),

            Op::MovByte => self.mov(Byte),
            Op::AddByte => self.combine(Op::Add, Byte),
            Op::AddcByte => self.combine(Op::Addc, Byte),
            Op::SubcByte => self.combine(Op::Subc, Byte),
            Op::SubByte => self.combine(Op::Sub, Byte),
            Op::CmpByte => self.compare(Op::Cmp, Byte),
            Op::DaddByte => self.combine(Op::Dadd, Byte),
            Op::BitByte => self.compare(Op::Bit, Byte),
            Op::BicByte => self.combine(Op::Bic, Byte),
            Op::BisByte => self.combine(Op::Bis, Byte),
            Op::XorByte => self.combine(Op::Xor, Byte),
            Op::AndByte => self.combine(Op::And, Byte),

            Op::MovAddress | Op::Mova => self.mov(Address),
            Op::AddAddress => self.combine(Op::Add, Address),
            Op::AddcAddress => self.combine(Op::Addc, Address),
            Op::SubcAddress => self.combine(Op::Subc, Address),
            Op::SubAddress => self.combine(Op::Sub, Address),
            Op::CmpAddress => self.compare(Op::Cmp, Address),
            Op::DaddAddress => self.combine(Op::Dadd, Address),
            Op::BitAddress => self.compare(Op::Bit, Address),
            Op::BicAddress => self.combine(Op::Bic, Address),
            Op::BisAddress => self.combine(Op::Bis, Address),
            Op::XorAddress => self.combine(Op::Xor, Address),
            Op::AndAddress => self.combine(Op::And, Address),

            Op::Rrc => self.modify(Op::Rrc),
            Op::Rra => self.modify(Op::Rra),
            Op::Rru => self.modify(Op::Rru),
            Op::Swpb => self.modify(Op::Swpb),
            Op::Sxt => self.extend(),

            Op::Push => match self.decoded.size {
                Byte => self.push_source(Byte),
                Word => self.push_source(Word),
                Address => self.push_source(Address),
            },
            Op::Call => {
                let target = self.source(Word)?;
                self.push(W::of(self.flow.next * 2))?;
                self.jump(target)
            }
            Op::Calla => {
                let target = self.source(Address)?;
                self.push(W::of((self.flow.next * 2) >> 16))?;
                self.push(W::of(self.flow.next * 2))?;
                self.jump(target)
            }
            Op::Reti => self.return_from_interrupt(),

            Op::Jne => self.branch(Op::Jne),
            Op::Jeq => self.branch(Op::Jeq),
            Op::Jnc => self.branch(Op::Jnc),
            Op::Jc => self.branch(Op::Jc),
            Op::Jn => self.branch(Op::Jn),
            Op::Jge => self.branch(Op::Jge),
            Op::Jl => self.branch(Op::Jl),
            Op::Jmp => {
                self.flow.next = self.decoded.source_value / 2;
                Ok(())
            }

            Op::Rrcm | Op::Rram | Op::Rrum | Op::Rlam => self.shift_multiple(),
            Op::Pushm => self.push_multiple(),
            Op::Popm => self.pop_multiple(),
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

    #[inline(always)]
    fn has(&self, flag: u8) -> bool {
        self.decoded.flags & flag != 0
    }

    #[inline(always)]
    fn jump(&mut self, target: W) -> Result<(), End> {
        if target.is_secret() {
            self.leaks(Leak::Target);
        }
        self.flow.next = (target.plain() & self.register_mask) / 2;
        Ok(())
    }

    #[inline(always)]
    fn move_stack(&mut self, pointer: W) -> Result<(), End> {
        let pointer = pointer.and(W::of(self.register_mask & !1));
        if pointer.plain() < self.cpu.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, pointer.plain()).into());
        }
        self.moves_stack(pointer);
        self.observer.stack(pointer.plain());
        Ok(())
    }

    /// Sets the stack pointer.
    #[inline(always)]
    fn moves_stack(&mut self, pointer: W) {
        if pointer.is_secret() {
            self.leaks(Leak::Stack);
        }
        self.set(SP, pointer);
    }

    /// Returns the sum of a register and an index, below 64 KB where an index of 16 bits does not reach further.
    #[inline(always)]
    fn address(&self, register: u8, index: u32, wide: u8) -> u32 {
        let base = self.get(register).plain();
        let sum = base.wrapping_add(index);
        sum & if !self.has(wide) && base < 0x1_0000 { 0xffff } else { 0xf_ffff }
    }

    #[inline(always)]
    fn destination_address(&self) -> u32 {
        self.address(self.decoded.destination, self.decoded.destination_index, WIDE_DESTINATION)
    }

    #[inline(always)]
    fn load_word(&mut self, address: u32) -> Result<W, End> {
        self.reads(address, 2);
        Ok(self.cpu.memory.load_word(address, &self.cpu.beside)?)
    }

    #[inline(always)]
    fn load(&mut self, size: Size, address: u32) -> Result<W, End> {
        match size {
            Size::Byte => {
                self.reads(address, 1);
                Ok(self.cpu.memory.load_byte(address, &self.cpu.beside)?)
            }
            Size::Word => self.load_word(address),
            Size::Address => {
                let low = self.load_word(address)?;
                Ok(exec::joined(low, self.load_word(address.wrapping_add(2) & 0xf_ffff)?))
            }
        }
    }

    /// Loads data from an address that a register gives: all of it is secret if the register is.
    #[inline(always)]
    fn load_by(&mut self, register: u8, size: Size, address: u32) -> Result<W, End> {
        let value = self.load(size, address)?;
        // What a return takes from the stack is no data.
        if O::DETAILS && self.decoded.class != Class::Return {
            self.observer.accessed(self.flow.place, address, bytes(size), false);
        }
        let base = self.get(register);
        if !base.is_secret() {
            return Ok(value);
        }
        self.leaks(Leak::Load { address, size_bytes: bytes(size) });
        Ok(exec::cut(W::computed(value.plain(), &[base]), size))
    }

    /// Stores data at an address that a register gives.
    #[inline(always)]
    fn store_by(&mut self, register: u8, size: Size, address: u32, value: W) -> Result<(), End> {
        self.store(size, address, value)?;
        self.observer.accessed(self.flow.place, address, bytes(size), true);
        if self.get(register).is_secret() {
            self.leaks(Leak::Store { address, size_bytes: bytes(size) });
        }
        Ok(())
    }

    #[inline(always)]
    fn store_word(&mut self, address: u32, value: W) -> Result<(), End> {
        let touched = self.cpu.memory.store_word(address, value, &mut self.cpu.beside)?;
        if touched == Touched::Code {
            self.cpu.program.forget(address, 2);
        }
        Ok(())
    }

    #[inline(always)]
    fn store(&mut self, size: Size, address: u32, value: W) -> Result<(), End> {
        match size {
            Size::Byte => {
                let touched = self.cpu.memory.store_byte(address, value, &mut self.cpu.beside)?;
                if touched == Touched::Code {
                    self.cpu.program.forget(address, 2);
                }
                Ok(())
            }
            Size::Word => self.store_word(address, value),
            Size::Address => {
                self.store_word(address, value)?;
                self.store_word(address.wrapping_add(2) & 0xf_ffff, value.shr(W::of(16)))
            }
        }
    }

    /// Returns the source and increases its register.
    #[inline(always)]
    fn source(&mut self, size: Size) -> Result<W, End> {
        let Decoded { source, source_value, .. } = *self.decoded;
        if !self.has(SOURCE_IN_MEMORY) {
            // One of them is zero.
            return Ok(exec::cut(self.get(source).or(W::of(source_value)), size));
        }
        let value = self.load_by(source, size, self.address(source, source_value, WIDE_SOURCE))?;
        self.increase();
        Ok(value)
    }

    #[inline(always)]
    fn increase(&mut self) {
        let Decoded { source, increment, .. } = *self.decoded;
        let increased = self.get(source).add(W::of(u32::from(increment)));
        self.set(source, increased.and(W::of(self.register_mask)));
    }

    /// Returns a destination that is a register.
    #[inline(always)]
    fn destination(&self, size: Size) -> W {
        match self.decoded.destination {
            number if !self.has(SPECIAL) => exec::cut(self.get(number), size),
            // The program counter is already behind the instruction.
            PC => exec::cut(W::of(self.flow.next * 2), size),
            CG => W::of(0),
            number => exec::cut(self.get(number), size),
        }
    }

    #[inline(always)]
    fn write(&mut self, value: W) -> Result<(), End> {
        if self.has(SPECIAL) {
            return self.write_special(value);
        }
        self.set(self.decoded.destination, value);
        Ok(())
    }

    /// Writes a register that is not like the others.
    #[inline(always)]
    fn write_special(&mut self, value: W) -> Result<(), End> {
        match self.decoded.destination {
            PC => self.jump(value),
            SP => self.move_stack(value),
            SR => {
                self.set(SR, exec::cut(value, Size::Word));
                self.sleeps(value)
            }
            _ => Ok(()),
        }
    }

    #[inline(always)]
    fn sleeps(&self, status: W) -> Result<(), End> {
        if status.plain() & CPU_OFF != 0 {
            return Err(Trap::of(FaultKind::Sleep).into());
        }
        Ok(())
    }

    /// Returns the status register as an instruction takes it.
    #[inline(always)]
    fn status(&self) -> W {
        let status = self.get(SR);
        if self.has(ZERO_CARRY) {
            return status.and(W::of(!exec::C));
        }
        status
    }

    #[inline(always)]
    fn mov(&mut self, size: Size) -> Result<(), End> {
        let value = self.source(size)?;
        if self.has(DESTINATION_IN_MEMORY) {
            return self.store_by(self.decoded.destination, size, self.destination_address(), value);
        }
        self.write(value)
    }

    /// Result and status from source, destination and status.
    #[inline(always)]
    fn combine(&mut self, op: Op, size: Size) -> Result<(), End> {
        let value = self.source(size)?;
        let status = self.status();
        if self.has(DESTINATION_IN_MEMORY) {
            let address = self.destination_address();
            let base = self.decoded.destination;
            let old = self.load_by(base, size, address)?;
            let (result, status) = exec::combined(op, size, value, old, status);
            self.store_by(base, size, address, result)?;
            self.set(SR, status);
            return Ok(());
        }
        let (result, status) = exec::combined(op, size, value, self.destination(size), status);
        self.set(SR, status);
        self.write(result)
    }

    /// Status alone.
    #[inline(always)]
    fn compare(&mut self, op: Op, size: Size) -> Result<(), End> {
        let value = self.source(size)?;
        let other = if self.has(DESTINATION_IN_MEMORY) {
            self.load_by(self.decoded.destination, size, self.destination_address())?
        } else {
            self.destination(size)
        };
        let (_, status) = exec::combined(op, size, value, other, self.get(SR));
        self.set(SR, status);
        Ok(())
    }

    /// Changes one operand.
    #[inline(always)]
    fn modify(&mut self, op: Op) -> Result<(), End> {
        match self.decoded.size {
            Size::Byte => self.modify_sized(op, Size::Byte),
            Size::Word => self.modify_sized(op, Size::Word),
            Size::Address => self.modify_sized(op, Size::Address),
        }
    }

    #[inline(always)]
    fn modify_sized(&mut self, op: Op, size: Size) -> Result<(), End> {
        let status = self.status();
        if self.has(DESTINATION_IN_MEMORY) {
            let address = self.destination_address();
            let base = self.decoded.destination;
            let old = self.load_by(base, size, address)?;
            let (result, status) = exec::modified(op, size, old, status);
            self.store_by(base, size, address, result)?;
            self.increase();
            self.set(SR, status);
            return Ok(());
        }
        let (result, status) = exec::modified(op, size, exec::cut(self.get(self.decoded.destination), size), status);
        self.set(SR, status);
        self.write(result)
    }

    /// `sxt`: a register is filled to its end.
    #[inline(always)]
    fn extend(&mut self) -> Result<(), End> {
        if self.has(DESTINATION_IN_MEMORY) || self.decoded.size != Size::Word {
            return self.modify(Op::Sxt);
        }
        let (result, status) = exec::filled(self.get(self.decoded.destination), self.register_mask, self.get(SR));
        self.set(SR, status);
        self.write(result)
    }

    #[inline(always)]
    fn push(&mut self, value: W) -> Result<(), End> {
        self.move_stack(self.get(SP).sub(W::of(2)))?;
        self.store_word(self.get(SP).plain(), value)
    }

    #[inline(always)]
    fn pop(&mut self) -> Result<W, End> {
        let pointer = self.get(SP);
        let value = self.load_word(pointer.plain())?;
        self.moves_stack(pointer.add(W::of(2)).and(W::of(self.register_mask)));
        Ok(value)
    }

    /// "SP - 2 -> SP, src -> @SP": a source that the stack pointer takes part in sees the new one.
    #[inline(always)]
    fn push_source(&mut self, size: Size) -> Result<(), End> {
        let room = if size == Size::Address { 4 } else { 2 };
        self.move_stack(self.get(SP).sub(W::of(room)))?;
        let pointer = if size == Size::Address { None } else { Some(self.get(SP).plain()) };
        let value = self.source(size)?;
        let address = pointer.unwrap_or_else(|| self.get(SP).plain());
        self.store(size, address, value)?;
        self.observer.accessed(self.flow.place, address, bytes(size), true);
        Ok(())
    }

    #[inline(always)]
    fn return_from_interrupt(&mut self) -> Result<(), End> {
        let status = self.pop()?;
        let target = self.pop()?;
        self.jump(exec::interrupted(status, target))?;
        let kept = if self.register_mask > 0xffff { 0x0fff } else { 0xffff };
        self.set(SR, status.and(W::of(kept)));
        self.sleeps(status)
    }

    #[inline(always)]
    fn branch(&mut self, op: Op) -> Result<(), End> {
        let truth = exec::condition(op, self.get(SR));
        if W::is_secret_truth(truth) {
            self.leaks(Leak::Branch);
        }
        if W::holds(truth) {
            self.observer.taken(self.flow.place);
            self.flow.next = self.decoded.source_value / 2;
        }
        Ok(())
    }

    /// Shifts by several places, one after the other.
    #[inline(always)]
    fn shift_multiple(&mut self) -> Result<(), End> {
        let Decoded { op, size, destination, source_value: places, .. } = *self.decoded;
        let (mut value, mut status) = (exec::cut(self.get(destination), size), self.get(SR));
        for _ in 0..places {
            (value, status) = exec::modified(op, size, value, status);
        }
        self.set(SR, status);
        self.write(value)
    }

    #[inline(always)]
    fn push_multiple(&mut self) -> Result<(), End> {
        let Decoded { size, destination: last, source_value: count, .. } = *self.decoded;
        for number in 0..count as u8 {
            let value = self.get(last.wrapping_sub(number) & 15);
            if size == Size::Address {
                self.push(value.shr(W::of(16)))?;
            }
            self.push(value)?;
            self.observer.accessed(self.flow.place, self.get(SP).plain(), bytes(size), true);
        }
        Ok(())
    }

    #[inline(always)]
    fn pop_multiple(&mut self) -> Result<(), End> {
        let Decoded { size, destination: first, source_value: count, .. } = *self.decoded;
        for number in 0..count as u8 {
            let address = self.get(SP);
            let mut value = self.pop()?;
            if size == Size::Address {
                value = exec::joined(value, self.pop()?);
            }
            self.observer.accessed(self.flow.place, address.plain(), bytes(size), false);
            if address.is_secret() {
                value = exec::cut(W::computed(value.plain(), &[address]), size);
            }
            match first.wrapping_add(number) & 15 {
                PC => self.jump(value)?,
                SP => self.moves_stack(value.and(W::of(!1))),
                CG => {}
                register => self.set(register, value),
            }
        }
        Ok(())
    }
}
