//! The flow of a program: one instruction after the other, what it does by [`super::exec`], and when by
//! [`super::pipeline`].

use super::cpu::Cpu;
use super::decode::{Decoded, Op, NOWHERE, O7, SP};
use super::exec;
use super::pipeline::{Pipeline, Ready};
use super::timing::{Cost, Costs, MultiplyCost};
use crate::fault::{FaultKind, Trap};
use crate::memory::Touched;
use crate::memory_system::{Delay, MemorySystem};
use crate::observe::Observer;
use crate::processor::{Exit, Instructions, Processor};
use crate::program::Window;
use crate::value::{Held, HeldWord};

/// Place of an instruction that is still to be looked up; places shortly after it mean the same.
const UNKNOWN_PLACE: u32 = 1 << 31;

/// Registers of a run. Numbers above 31 are results that nobody reads.
type Registers<W> = [W; 64];

/// Condition codes and the register Y.
struct Special<W> {
    codes: W,
    y: W,
}

/// Why the flow does not go on to the next instruction.
enum End {
    /// The instruction was not executed; the flow looks again what it is.
    Again,
    /// The instruction was not executed.
    Before(Exit),
}

impl From<Trap> for End {
    #[inline(always)]
    fn from(trap: Trap) -> Self {
        End::Before(Exit::Trap(trap))
    }
}

/// An address of code and its place.
#[derive(Clone, Copy)]
struct Spot {
    address: u32,
    place: u32,
}

impl Spot {
    #[inline(always)]
    fn behind(self) -> Self {
        Spot { address: self.address.wrapping_add(4), place: self.place + 1 }
    }
}

/// Where the flow is.
struct Flow {
    window: Window,
    pc: Spot,
    npc: Spot,
    /// What `pc` and `npc` are behind the instruction.
    next: Spot,
    then: Spot,
    cycle_limit: u64,
}

impl Flow {
    /// Returns the place of an address in the window.
    #[inline(always)]
    fn spot(&self, address: u32) -> Spot {
        let place = if self.window.holds(address) { self.window.place(address) } else { UNKNOWN_PLACE };
        Spot { address, place }
    }
}

impl<M: MemorySystem, W: HeldWord> Cpu<M, W> {
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
        let mut now = self.cycles;
        if self.annul {
            self.annul = false;
            now += u64::from(cost.annulled);
            (self.pc, self.npc) = (self.npc, self.npc.wrapping_add(4));
        }
        let mut registers = self.registers;
        let mut special = Special { codes: self.nzvc, y: self.y };
        let mut ready: Ready = self.under_way.ready;
        let mut pipeline = Pipeline::<GROUPS>::new(&self.core, &cost, &self.under_way, &mut ready, now);
        // Of no chunk: the first instruction looks for its own.
        let window = Window { thumb: false, key: u32::MAX, delta: 0, shift: 2 };
        let [pc, npc] = [self.pc, self.npc].map(|address| Spot { address, place: UNKNOWN_PLACE });
        let mut flow = Flow { window, pc, npc, next: npc, then: npc, cycle_limit };
        let exit = loop {
            if pipeline.now >= cycle_limit {
                break Exit::Limit;
            }
            let Some(&decoded) = self.program.ops.get(flow.pc.place as usize) else {
                match self.enter(flow.pc.address) {
                    Ok(Some(entered)) => flow.window = entered,
                    Ok(None) => break Exit::Stop,
                    Err(trap) => break Exit::Trap(trap),
                }
                (flow.pc, flow.npc) = (flow.spot(flow.pc.address), flow.spot(flow.npc.address));
                continue;
            };
            (flow.next, flow.then) = (flow.npc, flow.npc.behind());
            let began = pipeline.now;
            pipeline.comes_to(flow.pc.address);
            if M::FETCH_LINE_BYTES > 0 && (decoded.op as u8) > Op::Stop as u8 {
                pipeline.fetch(&mut self.system);
            }
            let (registers, pipeline, special, flow) = (&mut registers, &mut pipeline, &mut special, &mut flow);
            let step = Step { cpu: self, observer, registers, pipeline, special, flow, cost: &cost, decoded: &decoded };
            match step.execute() {
                Ok(()) => {}
                Err(End::Again) => continue,
                Err(End::Before(exit)) => break exit,
            }
            if O::DETAILS {
                observer
                    .ends(flow.pc.place, registers[usize::from(SP)].plain(), || self.executed(flow.pc.place as usize));
            }
            observer.retired(flow.pc.place, (pipeline.now - began) as u32);
            (flow.pc, flow.npc) = (flow.next, flow.then);
        };
        self.cycles = pipeline.now;
        self.under_way = pipeline.under_way();
        self.registers = registers;
        (self.nzvc, self.y) = (special.codes, special.y);
        (self.pc, self.npc) = (flow.pc.address, flow.npc.address);
        exit
    }
}

/// An instruction under way, with all that it works on.
struct Step<'a, 'p, M, W: Held, O, const GROUPS: bool> {
    cpu: &'a mut Cpu<M, W>,
    observer: &'a mut O,
    registers: &'a mut Registers<W>,
    pipeline: &'a mut Pipeline<'p, GROUPS>,
    special: &'a mut Special<W>,
    flow: &'a mut Flow,
    cost: &'a Costs,
    decoded: &'a Decoded,
}

impl<M: MemorySystem, W: HeldWord, O: Observer, const GROUPS: bool> Step<'_, '_, M, W, O, GROUPS> {
    #[inline(always)]
    fn execute(mut self) -> Result<(), End> {
        let cost = self.cost;
        match self.decoded.op {
            Op::Undecoded => {
                self.cpu.decode(self.flow.pc.address, self.flow.pc.place)?;
                Err(End::Again)
            }
            Op::ChunkEnd => {
                self.flow.pc.place = UNKNOWN_PLACE;
                Err(End::Again)
            }
            Op::Stop => Err(End::Before(Exit::Stop)),
            Op::Illegal => Err(Trap::of(FaultKind::IllegalOpcode).into()),

            Op::Sethi => self.constant(),
            Op::Add => self.of_registers(Op::Add, cost.alu),
            Op::AddImm => self.immediate(Op::AddImm, cost.alu),
            Op::And => self.of_registers(Op::And, cost.alu),
            Op::AndImm => self.immediate(Op::AndImm, cost.alu),
            Op::Or => self.of_registers(Op::Or, cost.alu),
            Op::OrImm => self.immediate(Op::OrImm, cost.alu),
            Op::Xor => self.of_registers(Op::Xor, cost.alu),
            Op::XorImm => self.immediate(Op::XorImm, cost.alu),
            Op::Sub => self.of_registers(Op::Sub, cost.alu),
            Op::SubImm => self.immediate(Op::SubImm, cost.alu),
            Op::Andn => self.of_registers(Op::Andn, cost.alu),
            Op::AndnImm => self.immediate(Op::AndnImm, cost.alu),
            Op::Orn => self.of_registers(Op::Orn, cost.alu),
            Op::OrnImm => self.immediate(Op::OrnImm, cost.alu),
            Op::Xnor => self.of_registers(Op::Xnor, cost.alu),
            Op::XnorImm => self.immediate(Op::XnorImm, cost.alu),
            Op::Sll => self.of_registers(Op::Sll, cost.shift),
            Op::SllImm => self.immediate(Op::SllImm, cost.shift),
            Op::Srl => self.of_registers(Op::Srl, cost.shift),
            Op::SrlImm => self.immediate(Op::SrlImm, cost.shift),
            Op::Sra => self.of_registers(Op::Sra, cost.shift),
            Op::SraImm => self.immediate(Op::SraImm, cost.shift),
            Op::AndCc => self.logic_of_registers(Op::AndCc),
            Op::AndCcImm => self.logic_immediate(Op::AndCcImm),
            Op::OrCc => self.logic_of_registers(Op::OrCc),
            Op::OrCcImm => self.logic_immediate(Op::OrCcImm),
            Op::XorCc => self.logic_of_registers(Op::XorCc),
            Op::XorCcImm => self.logic_immediate(Op::XorCcImm),
            Op::AndnCc => self.logic_of_registers(Op::AndnCc),
            Op::AndnCcImm => self.logic_immediate(Op::AndnCcImm),
            Op::OrnCc => self.logic_of_registers(Op::OrnCc),
            Op::OrnCcImm => self.logic_immediate(Op::OrnCcImm),
            Op::XnorCc => self.logic_of_registers(Op::XnorCc),
            Op::XnorCcImm => self.logic_immediate(Op::XnorCcImm),
            Op::AddCc => self.sum_of_registers(Op::AddCc, cost.alu_cc),
            Op::AddCcImm => self.sum_immediate(Op::AddCcImm, cost.alu_cc),
            Op::SubCc => self.sum_of_registers(Op::SubCc, cost.alu_cc),
            Op::SubCcImm => self.sum_immediate(Op::SubCcImm, cost.alu_cc),
            Op::AddxCc => self.sum_of_registers(Op::AddxCc, cost.alu_carry),
            Op::AddxCcImm => self.sum_immediate(Op::AddxCcImm, cost.alu_carry),
            Op::SubxCc => self.sum_of_registers(Op::SubxCc, cost.alu_carry),
            Op::SubxCcImm => self.sum_immediate(Op::SubxCcImm, cost.alu_carry),
            Op::Addx => self.sum_with_carry(Op::Addx),
            Op::Subx => self.sum_with_carry(Op::Subx),
            Op::TaddCc => self.tagged(Op::TaddCc, false),
            Op::TsubCc => self.tagged(Op::TsubCc, false),
            Op::TaddCcTv => self.tagged(Op::TaddCcTv, true),
            Op::TsubCcTv => self.tagged(Op::TsubCcTv, true),

            Op::Umul => self.multiply(cost.multiply_unsigned, false, false),
            Op::Smul => self.multiply(cost.multiply_signed, true, false),
            Op::UmulCc => self.multiply(cost.multiply_unsigned, false, true),
            Op::SmulCc => self.multiply(cost.multiply_signed, true, true),
            Op::Udiv => self.divide(cost.divide_unsigned, false, false),
            Op::Sdiv => self.divide(cost.divide_signed, true, false),
            Op::UdivCc => self.divide(cost.divide_unsigned, false, true),
            Op::SdivCc => self.divide(cost.divide_signed, true, true),
            Op::Mulscc => self.multiply_step(),
            Op::ReadY => self.read_y(),
            Op::WriteY => self.write_y(),
            Op::Save => self.save(),
            Op::Restore => self.restore(),

            Op::Ld => self.load(Op::Ld, cost.load),
            Op::Ldub => self.load(Op::Ldub, cost.load),
            Op::Lduh => self.load(Op::Lduh, cost.load),
            Op::Ldsb => self.load(Op::Ldsb, cost.load_signed),
            Op::Ldsh => self.load(Op::Ldsh, cost.load_signed),
            Op::Ldd => self.load_pair(),
            Op::St => self.store(Op::St, cost.store),
            Op::Stb => self.store(Op::Stb, cost.store_narrow),
            Op::Sth => self.store(Op::Sth, cost.store_narrow),
            Op::Std => self.store_pair(),
            Op::Ldstub => self.exchange(Op::Ldstub, cost.load_store_byte),
            Op::Swap => self.exchange(Op::Swap, cost.swap),

            Op::Branch => self.branch(),
            Op::BranchAlways => self.branch_always(false),
            Op::BranchAlwaysAnnul => self.branch_always(true),
            Op::Call => self.call(),
            Op::Jmpl => self.jump(),
            Op::Ticc => self.trap(),
            Op::Nothing => self.nothing(),
        }
    }

    #[inline(always)]
    fn get(&self, number: u8) -> W {
        self.registers[usize::from(number & 63)]
    }

    /// The second operand: of register and immediate one is zero.
    #[inline(always)]
    fn second(&self) -> W {
        self.get(self.decoded.rs2).add(W::of(self.decoded.imm))
    }

    /// When the operands are ready.
    #[inline(always)]
    fn needs(&self) -> u64 {
        self.pipeline.registers(self.decoded.rs1, self.decoded.rs2)
    }

    /// Writes a register.
    #[inline(always)]
    fn set(&mut self, number: u8, value: W) -> Result<(), End> {
        self.registers[usize::from(number & 63)] = value;
        if number == SP {
            return self.stack_moved();
        }
        Ok(())
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

    /// Sums, logic and shifts with two registers.
    #[inline(always)]
    fn of_registers(&mut self, op: Op, cost: Cost) -> Result<(), End> {
        let Decoded { rd, rs1, rs2, .. } = *self.decoded;
        self.pipeline.computes(self.needs(), rd, cost);
        self.set(rd, exec::computed(op, self.get(rs1), self.get(rs2)))
    }

    /// Sums, logic and shifts with an immediate.
    #[inline(always)]
    fn immediate(&mut self, op: Op, cost: Cost) -> Result<(), End> {
        let Decoded { rd, rs1, imm, .. } = *self.decoded;
        self.pipeline.computes(self.pipeline.register(rs1), rd, cost);
        self.set(rd, exec::computed(op, self.get(rs1), W::of(imm)))
    }

    #[inline(always)]
    fn constant(&mut self) -> Result<(), End> {
        let Decoded { rd, imm, .. } = *self.decoded;
        self.pipeline.computes(0, rd, self.cost.alu);
        self.set(rd, W::of(imm))
    }

    /// Logic with two registers that sets the condition codes.
    #[inline(always)]
    fn logic_of_registers(&mut self, op: Op) -> Result<(), End> {
        let Decoded { rd, rs1, rs2, .. } = *self.decoded;
        self.pipeline.computes_codes(self.needs(), rd, self.cost.alu_cc);
        let value = exec::computed(op, self.get(rs1), self.get(rs2));
        self.special.codes = exec::sign_and_zero(value);
        self.set(rd, value)
    }

    /// Logic with an immediate that sets the condition codes.
    #[inline(always)]
    fn logic_immediate(&mut self, op: Op) -> Result<(), End> {
        let Decoded { rd, rs1, imm, .. } = *self.decoded;
        self.pipeline.computes_codes(self.pipeline.register(rs1), rd, self.cost.alu_cc);
        let value = exec::computed(op, self.get(rs1), W::of(imm));
        self.special.codes = exec::sign_and_zero(value);
        self.set(rd, value)
    }

    /// A sum of two registers that sets the condition codes.
    #[inline(always)]
    fn sum_of_registers(&mut self, op: Op, cost: Cost) -> Result<(), End> {
        let Decoded { rd, rs1, rs2, .. } = *self.decoded;
        self.pipeline.computes_codes(self.needs(), rd, cost);
        let (value, codes) = exec::summed(op, self.get(rs1), self.get(rs2), self.special.codes);
        self.special.codes = codes;
        self.set(rd, value)
    }

    /// A sum with an immediate that sets the condition codes.
    #[inline(always)]
    fn sum_immediate(&mut self, op: Op, cost: Cost) -> Result<(), End> {
        let Decoded { rd, rs1, imm, .. } = *self.decoded;
        self.pipeline.computes_codes(self.pipeline.register(rs1), rd, cost);
        let (value, codes) = exec::summed(op, self.get(rs1), W::of(imm), self.special.codes);
        self.special.codes = codes;
        self.set(rd, value)
    }

    /// A sum with the carry that leaves the condition codes.
    #[inline(always)]
    fn sum_with_carry(&mut self, op: Op) -> Result<(), End> {
        let Decoded { rd, rs1, .. } = *self.decoded;
        self.pipeline.computes(self.needs(), rd, self.cost.alu_carry);
        let (value, _) = exec::summed(op, self.get(rs1), self.second(), self.special.codes);
        self.set(rd, value)
    }

    #[inline(always)]
    fn tagged(&mut self, op: Op, traps: bool) -> Result<(), End> {
        let Decoded { rd, rs1, .. } = *self.decoded;
        let (value, codes) = exec::summed(op, self.get(rs1), self.second(), self.special.codes);
        if traps && W::holds(exec::overflowed(codes)) {
            self.pipeline.starts(self.needs(), self.cost.alu_tagged);
            return Err(Trap::of(FaultKind::IllegalOpcode).into());
        }
        self.pipeline.computes_codes(self.needs(), rd, self.cost.alu_tagged);
        self.special.codes = codes;
        self.set(rd, value)
    }

    #[inline(always)]
    fn multiply(&mut self, cost: MultiplyCost, signed: bool, sets_codes: bool) -> Result<(), End> {
        let Decoded { rd, rs1, .. } = *self.decoded;
        let (first, second) = (self.get(rs1), self.second());
        let bits = significant_bits(first.plain(), signed);
        self.pipeline.multiplies(self.needs(), rd, cost, bits, sets_codes);
        let (upper, lower) = exec::product(signed, first, second);
        self.special.y = upper;
        if sets_codes {
            self.special.codes = exec::sign_and_zero(lower);
        }
        self.set(rd, lower)
    }

    #[inline(always)]
    fn divide(&mut self, cost: Cost, signed: bool, sets_codes: bool) -> Result<(), End> {
        let Decoded { rd, rs1, .. } = *self.decoded;
        let divisor = self.second();
        if divisor.plain() == 0 {
            return Err(Trap::of(FaultKind::IllegalOpcode).into());
        }
        self.pipeline.divides(self.needs(), rd, cost, sets_codes);
        let (quotient, codes) = exec::divided(signed, self.special.y, self.get(rs1), divisor);
        if sets_codes {
            self.special.codes = codes;
        }
        self.set(rd, quotient)
    }

    #[inline(always)]
    fn multiply_step(&mut self) -> Result<(), End> {
        let Decoded { rd, rs1, .. } = *self.decoded;
        self.pipeline.multiplies_step(self.needs(), rd);
        let Special { codes, y } = *self.special;
        let (value, codes, y) = exec::multiply_step(self.get(rs1), self.second(), codes, y);
        *self.special = Special { codes, y };
        self.set(rd, value)
    }

    #[inline(always)]
    fn read_y(&mut self) -> Result<(), End> {
        self.pipeline.reads_y(self.decoded.rd);
        self.set(self.decoded.rd, self.special.y)
    }

    #[inline(always)]
    fn write_y(&mut self) -> Result<(), End> {
        self.pipeline.writes_y(self.needs());
        self.special.y = self.get(self.decoded.rs1).xor(self.second());
        Ok(())
    }

    #[inline(always)]
    fn save(&mut self) -> Result<(), End> {
        let Decoded { rd, rs1, .. } = *self.decoded;
        let sum = self.get(rs1).add(self.second());
        let mut start = self.pipeline.starts(self.needs(), self.cost.window);
        if self.cpu.windows.can_save == 0 {
            let done = self.cpu.spill(self.registers, self.pipeline.now)?;
            start = self.pipeline.is_interrupted(start, done);
        }
        self.cpu.windows.save(&mut self.registers[..32]);
        self.pipeline.saves(start, rd);
        self.set(rd, sum)
    }

    #[inline(always)]
    fn restore(&mut self) -> Result<(), End> {
        let Decoded { rd, rs1, .. } = *self.decoded;
        let sum = self.get(rs1).add(self.second());
        let mut start = self.pipeline.starts(self.needs(), self.cost.window);
        if self.cpu.windows.can_restore == 0 {
            let done = self.cpu.fill(self.registers, self.pipeline.now)?;
            start = self.pipeline.is_interrupted(start, done);
        }
        self.cpu.windows.restore(&mut self.registers[..32]);
        self.pipeline.restores(start, rd);
        self.set(rd, sum)
    }

    /// Returns the address of an access, or of a jump.
    #[inline(always)]
    fn address(&self, size_bytes: u32) -> Result<u32, End> {
        let address = self.get(self.decoded.rs1).add(self.second()).plain();
        if address & (size_bytes - 1) != 0 {
            return Err(Trap::at(FaultKind::UnalignedAddress, address).into());
        }
        Ok(address)
    }

    /// Returns what memory holds, its first byte as the lowest.
    #[inline(always)]
    fn loaded(&mut self, address: u32, size_bytes: u32) -> Result<W, End> {
        let cpu = &mut *self.cpu;
        let loaded = match size_bytes {
            1 => cpu.memory.load_byte(address)?,
            2 => cpu.memory.load_half(address)?,
            _ => cpu.memory.load_word(address)?,
        };
        Ok(W::loaded(loaded, &cpu.beside, address, size_bytes))
    }

    /// Puts a value into memory, its lowest byte first.
    #[inline(always)]
    fn stored(&mut self, address: u32, size_bytes: u32, value: W) -> Result<(), End> {
        let cpu = &mut *self.cpu;
        let touched = match size_bytes {
            1 => cpu.memory.store_byte(address, value.plain())?,
            2 => cpu.memory.store_half(address, value.plain())?,
            _ => cpu.memory.store_word(address, value.plain())?,
        };
        value.stored(&mut cpu.beside, address, size_bytes);
        if touched == Touched::Code {
            cpu.program.forget(address, 4);
        }
        Ok(())
    }

    #[inline(always)]
    fn load(&mut self, op: Op, cost: Cost) -> Result<(), End> {
        let (rd, size) = (self.decoded.rd, exec::size_bytes(op));
        let address = self.address(size)?;
        let value = self.loaded(address, size)?;
        let start = self.pipeline.starts(self.needs(), cost);
        let delay = self.cpu.system.load(address, size, start);
        self.pipeline.loads(start, rd, cost, delay);
        self.set(rd, exec::extended(op, value))
    }

    #[inline(always)]
    fn load_pair(&mut self) -> Result<(), End> {
        let rd = self.decoded.rd;
        let address = self.address(8)?;
        let (even, odd) = (self.loaded(address, 4)?, self.loaded(address.wrapping_add(4), 4)?);
        let cost = self.cost.load_double;
        let start = self.pipeline.starts_pair(self.needs(), cost);
        let delay = self.cpu.system.load(address, 8, start);
        // `%g0` stays what it is.
        let registers = [if rd == 0 { NOWHERE } else { rd }, rd + 1];
        self.pipeline.loads_pair(start, registers, cost, delay);
        self.registers[usize::from(registers[1] & 63)] = exec::extended(Op::Ldd, odd);
        self.set(registers[0], exec::extended(Op::Ldd, even))
    }

    #[inline(always)]
    fn store(&mut self, op: Op, cost: Cost) -> Result<(), End> {
        let (rd, size) = (self.decoded.rd, exec::size_bytes(op));
        let address = self.address(size)?;
        self.stored(address, size, exec::stored(op, self.get(rd)))?;
        let data = self.pipeline.data(self.pipeline.register(rd));
        let start = self.pipeline.starts(self.needs().max(data), cost);
        let stall = self.cpu.system.store(address, size, start).stall;
        self.pipeline.stalls(u64::from(stall));
        Ok(())
    }

    #[inline(always)]
    fn store_pair(&mut self) -> Result<(), End> {
        let (rd, cost) = (self.decoded.rd, self.cost.store_double);
        let address = self.address(8)?;
        self.stored(address, 4, exec::stored(Op::Std, self.get(rd)))?;
        self.stored(address.wrapping_add(4), 4, exec::stored(Op::Std, self.get(rd + 1)))?;
        let data = self.pipeline.data(self.pipeline.registers(rd, rd + 1));
        let start = self.pipeline.starts(self.needs().max(data), cost);
        let stalls = self.cpu.pair_store_stalls(address, start);
        self.pipeline.stalls(stalls);
        Ok(())
    }

    /// Exchanges a register, or ones, with memory.
    #[inline(always)]
    fn exchange(&mut self, op: Op, cost: Cost) -> Result<(), End> {
        let (rd, size) = (self.decoded.rd, exec::size_bytes(op));
        let address = self.address(size)?;
        let old = self.loaded(address, size)?;
        self.stored(address, size, exec::stored(op, self.get(rd)))?;
        let data = if op == Op::Swap { self.pipeline.data(self.pipeline.register(rd)) } else { 0 };
        let start = self.pipeline.starts(self.needs().max(data), cost);
        let Delay { stall, latency } = self.cpu.system.load(address, size, start);
        let read = u64::from(stall + latency);
        let waits = read + u64::from(self.cpu.system.store(address, size, start + read).stall);
        let rd = if rd == 0 { NOWHERE } else { rd };
        self.pipeline.exchanges(start, rd, cost, waits);
        self.set(rd, exec::extended(op, old))
    }

    /// A branch that is taken or not.
    #[inline(always)]
    fn decide(&mut self, asks: bool, taken: bool) {
        let cpu = &mut *self.cpu;
        let foreseen =
            if cpu.core.prediction.is_some() { cpu.branches.decided(self.flow.pc.address, taken) } else { !taken };
        self.pipeline.branches(asks, foreseen);
    }

    #[inline(always)]
    fn branch(&mut self) -> Result<(), End> {
        let Decoded { condition, annul, imm, .. } = *self.decoded;
        let taken = W::holds(exec::condition(condition, self.special.codes));
        // "Never" asks for no condition code.
        self.decide(condition != 0, taken);
        if taken {
            self.observer.taken(self.flow.pc.place);
            self.go(imm);
        } else if annul {
            self.annul(self.flow.npc.address.wrapping_add(4));
        }
        Ok(())
    }

    #[inline(always)]
    fn branch_always(&mut self, annuls: bool) -> Result<(), End> {
        self.decide(false, true);
        if annuls {
            self.annul(self.decoded.imm);
        } else {
            self.go(self.decoded.imm);
        }
        Ok(())
    }

    /// Behind the delay slot the flow goes on there.
    #[inline(always)]
    fn go(&mut self, target: u32) {
        self.flow.then = self.flow.spot(target);
    }

    /// The instruction in the delay slot does nothing; behind it the flow goes on there.
    #[inline(always)]
    fn annul(&mut self, target: u32) {
        let there = self.flow.spot(target);
        if self.pipeline.now >= self.flow.cycle_limit {
            // It is still to come.
            self.cpu.annul = true;
            self.flow.then = there;
        } else {
            self.pipeline.annuls();
            (self.flow.next, self.flow.then) = (there, there.behind());
        }
    }

    #[inline(always)]
    fn call(&mut self) -> Result<(), End> {
        self.pipeline.computes(0, O7, self.cost.call);
        self.go(self.decoded.imm);
        self.set(O7, W::of(self.flow.pc.address))
    }

    #[inline(always)]
    fn jump(&mut self) -> Result<(), End> {
        let target = self.address(4)?;
        self.pipeline.computes(self.needs(), self.decoded.rd, self.cost.jmpl);
        self.go(target);
        self.set(self.decoded.rd, W::of(self.flow.pc.address))
    }

    #[inline(always)]
    fn trap(&mut self) -> Result<(), End> {
        if W::holds(exec::condition(self.decoded.condition, self.special.codes)) {
            return Err(Trap::of(FaultKind::IllegalOpcode).into());
        }
        self.pipeline.passes_trap();
        Ok(())
    }

    #[inline(always)]
    fn nothing(&mut self) -> Result<(), End> {
        self.pipeline.starts(0, self.cost.nothing);
        Ok(())
    }
}

/// Returns the number of significant bits; a signed number's include one for the sign.
fn significant_bits(value: u32, signed: bool) -> u32 {
    if signed {
        33 - (value ^ (value as i32 >> 31) as u32).leading_zeros()
    } else {
        33 - value.leading_zeros()
    }
}
