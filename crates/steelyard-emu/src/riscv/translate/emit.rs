//! Emits the code of a plan. What instructions do is [`super::super::exec`]; here is what surrounds it: registers,
//! memory, time, and the ways on.

use super::super::decode::{Decoded, Op, SP};
use super::super::exec;
use super::super::predict::Kind;
use super::super::timing::Costs;
use super::frame;
use super::plan::{division, Block, Lags, Last, Plan, Planned, Way};
use crate::memory::{quick, DirectSpan, DIRECT_SPANS};
use crate::translate::emitted::{Code, Emitted};
use crate::translate::host::POINTER;
use crate::value::{Half, Truth, Value};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, types, AbiParam, InstBuilder, MemFlagsData, SigRef, Signature, Type};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::Variable;
use std::mem::{offset_of, size_of};

/// Where code goes back to the interpreter, or on by the table of entries.
#[derive(Debug, Clone)]
pub struct Exit {
    /// Place of what comes next; `None` if the frame has its address.
    pub place: Option<u32>,
    /// What is under way then.
    pub lags: Lags,
    /// What was executed of a block that was left before its end.
    pub part: Option<Part>,
    /// Place of the jump, whose target may be a long instruction in the middle of a word.
    pub jump: u32,
}

/// The beginning of a block.
#[derive(Debug, Clone)]
pub struct Part {
    pub block: usize,
    /// Number of instructions.
    pub executed: usize,
    pub cycles: u32,
}

/// Where the emission is.
struct At<'p> {
    block: usize,
    executed: usize,
    instruction: &'p Planned,
}

/// An end of a block, whose executions are counted.
#[derive(Debug, Clone)]
pub struct End {
    pub block: usize,
    /// Cycles of the last instruction.
    pub cycles: u32,
    pub taken: bool,
}

/// What becomes known of code while it is emitted. The numbers of blocks, ends, exits and extras are those of all code.
#[derive(Debug, Clone, Default)]
pub struct Book {
    /// Places and planned cycles of the instructions of each block.
    pub blocks: Vec<Vec<(u32, u32)>>,
    pub ends: Vec<End>,
    pub exits: Vec<Exit>,
    /// Places whose cycles depend on values.
    pub extras: Vec<u32>,
}

/// What code depends on beside its plan.
pub struct Setting<'a> {
    pub cost: &'a Costs,
    /// Whether branches are predicted.
    pub predicts: bool,
    pub address: &'a dyn Fn(u32) -> u32,
    /// Upper half of all addresses of the code.
    pub window: u32,
    pub bases: [u32; DIRECT_SPANS],
    /// Registers at this time, which tell where loads are likely to go.
    pub likely: [u32; 32],
    /// Number of a memory that holds an address.
    pub span: &'a dyn Fn(u32) -> Option<usize>,
    pub convention: CallConv,
}

type Number<'a, 'f> = Emitted<'a, 'f, u32>;

struct Emitter<'a, 'f, 's> {
    code: &'a Code<'f>,
    frame: ir::Value,
    setting: &'s Setting<'s>,
    book: &'s mut Book,
    registers: Vec<Variable>,
    left: Variable,
    retired: Variable,
    used: Vec<u8>,
    /// Registers whose values are not in the frame, one bit each.
    changed: u32,
    /// Where all exits go with their numbers.
    out: ir::Block,
    blocks: Vec<ir::Block>,
    signatures: [SigRef; 3],
    /// Number of the first block of the plan among all.
    first: usize,
}

const WORD_BITS: [u32; 5] = [0, 0, 1, 0, 2];

/// Emits the code of a plan into an empty function.
pub fn emit(code: &Code, frame: ir::Value, plan: &Plan, setting: &Setting, book: &mut Book) {
    let instructions = plan.blocks.iter().flat_map(|block| &block.instructions);
    let operands = instructions.flat_map(|one| [one.decoded.rd, one.decoded.rs1, one.decoded.rs2]);
    let mut used: Vec<u8> = operands.filter(|register| (1..32).contains(register)).collect();
    used.sort_unstable();
    used.dedup();
    let mut builder = code.borrow_mut();
    let registers = (0..32).map(|_| builder.declare_var(types::I32)).collect();
    let (left, retired) = (builder.declare_var(types::I64), builder.declare_var(types::I64));
    let signatures = [(2, types::I64), (3, types::I32), (5, types::I32)].map(|(numbers, result)| {
        let mut signature = Signature::new(setting.convention);
        signature.params.push(AbiParam::new(POINTER));
        signature.params.extend(vec![AbiParam::new(types::I32); numbers]);
        signature.returns.push(AbiParam::new(result));
        builder.import_signature(signature)
    });
    let blocks = plan.blocks.iter().map(|_| builder.create_block()).collect();
    let out = builder.create_block();
    builder.append_block_param(out, types::I32);
    builder.set_cold_block(out);
    drop(builder);
    let first = book.blocks.len();
    for block in &plan.blocks {
        book.blocks.push(block.instructions.iter().map(|one| (one.place, one.cycles)).collect());
    }
    let emitter = Emitter {
        code,
        frame,
        setting,
        book,
        registers,
        left,
        retired,
        used,
        changed: 0,
        out,
        blocks,
        signatures,
        first,
    };
    emitter.plan(plan);
}

const FLAGS: MemFlagsData = MemFlagsData::trusted();
/// Flags of an access to memory of the program, at any alignment.
const BYTES: MemFlagsData = MemFlagsData::new().with_notrap();

impl<'a, 'f> Emitter<'a, 'f, '_> {
    fn plan(mut self, plan: &Plan) {
        for register in self.used.clone() {
            let value = self.frame_field(types::I32, frame::REGISTERS + 4 * i32::from(register));
            self.define(self.registers[usize::from(register)], value);
        }
        for (variable, offset) in [(self.left, frame::LEFT), (self.retired, frame::RETIRED)] {
            let value = self.frame_field(types::I64, offset);
            self.define(variable, value);
        }
        self.code.borrow_mut().ins().jump(self.blocks[0], &[]);
        for (number, block) in plan.blocks.iter().enumerate() {
            self.block(number, block);
        }
        self.code.borrow_mut().switch_to_block(self.out);
        self.set_frame_field(self.value_of(self.left), frame::LEFT);
        self.set_frame_field(self.value_of(self.retired), frame::RETIRED);
        let mut code = self.code.borrow_mut();
        let number = code.block_params(self.out)[0];
        code.ins().return_(&[number]);
    }

    fn frame_field(&self, of: Type, offset: i32) -> ir::Value {
        self.code.borrow_mut().ins().load(of, FLAGS, self.frame, offset)
    }

    fn set_frame_field(&self, value: ir::Value, offset: i32) {
        self.code.borrow_mut().ins().store(FLAGS, value, self.frame, offset);
    }

    fn define(&self, variable: Variable, value: ir::Value) {
        self.code.borrow_mut().def_var(variable, value);
    }

    fn value_of(&self, variable: Variable) -> ir::Value {
        self.code.borrow_mut().use_var(variable)
    }

    fn constant(&self, of: Type, value: i64) -> ir::Value {
        self.code.borrow_mut().ins().iconst(of, value)
    }

    fn number(&self, value: ir::Value) -> Number<'a, 'f> {
        Emitted::Later(self.code, value)
    }

    fn get(&self, register: u8) -> Number<'a, 'f> {
        match register {
            1..32 => self.number(self.value_of(self.registers[usize::from(register)])),
            _ => Emitted::Known(0),
        }
    }

    fn set(&mut self, register: u8, value: Number<'a, 'f>) {
        if (1..32).contains(&register) {
            self.changed |= 1 << register;
            self.define(self.registers[usize::from(register)], value.value(self.code));
        }
    }

    /// Begins a block that only the code so far goes to.
    fn begin(&self, block: ir::Block) {
        let mut code = self.code.borrow_mut();
        code.switch_to_block(block);
        code.seal_block(block);
    }

    fn new_block(&self, cold: bool) -> ir::Block {
        let mut code = self.code.borrow_mut();
        let block = code.create_block();
        if cold {
            code.set_cold_block(block);
        }
        block
    }

    /// Goes on only where something holds; returns the block for where it does not.
    fn unless(&self, holds: ir::Value) -> ir::Block {
        let (on, otherwise) = (self.new_block(false), self.new_block(true));
        self.code.borrow_mut().ins().brif(holds, on, &[], otherwise, &[]);
        self.begin(on);
        otherwise
    }

    /// Goes on only where something holds; elsewhere the interpreter executes the instruction.
    fn leave_unless(&mut self, holds: ir::Value, at: &At) {
        let number = self.leaving(at);
        let on = self.new_block(false);
        self.code.borrow_mut().ins().brif(holds, on, &[], self.out, &[number.into()]);
        self.begin(on);
    }

    /// Notes an exit before an instruction, for which the registers are in the frame from now on; returns its number.
    fn leaving(&mut self, at: &At) -> ir::Value {
        self.flush();
        let Planned { place, lags, begin, .. } = at.instruction.clone();
        let part = Some(Part { block: at.block, executed: at.executed, cycles: begin });
        self.noted(Exit { place: Some(place), lags, part, jump: place })
    }

    fn noted(&mut self, exit: Exit) -> ir::Value {
        self.book.exits.push(exit);
        self.constant(types::I32, self.book.exits.len() as i64 - 1)
    }

    /// Puts registers that have changed into the frame.
    fn flush(&mut self) {
        for register in 1..32 {
            if self.changed >> register & 1 == 1 {
                self.set_frame_field(self.value_of(self.registers[register]), frame::REGISTERS + 4 * register as i32);
            }
        }
        self.changed = 0;
    }

    /// Counts time and instructions.
    fn pass(&self, cycles: u32, instructions: usize) {
        let mut code = self.code.borrow_mut();
        for (variable, more) in [(self.left, -i64::from(cycles)), (self.retired, instructions as i64)] {
            if more != 0 {
                let value = code.use_var(variable);
                let more = code.ins().iconst(types::I64, more);
                let value = code.ins().iadd(value, more);
                code.def_var(variable, value);
            }
        }
    }

    /// Takes cycles that depend on values, and notes them for a place.
    fn pass_more(&mut self, more: ir::Value, place: u32) {
        let number = self.book.extras.len();
        self.book.extras.push(place);
        let mut code = self.code.borrow_mut();
        let more = code.ins().uextend(types::I64, more);
        let left = code.use_var(self.left);
        let left = code.ins().isub(left, more);
        code.def_var(self.left, left);
        let extras = code.ins().load(POINTER, FLAGS, self.frame, frame::EXTRAS);
        let offset = 8 * number as i32;
        let sum = code.ins().load(types::I64, FLAGS, extras, offset);
        let sum = code.ins().iadd(sum, more);
        code.ins().store(FLAGS, sum, extras, offset);
    }

    /// Goes out.
    fn exit(&mut self, exit: Exit) {
        debug_assert_eq!(self.changed, 0);
        let number = self.noted(exit);
        self.code.borrow_mut().ins().jump(self.out, &[number.into()]);
    }

    fn block(&mut self, number: usize, block: &Block) {
        self.code.borrow_mut().switch_to_block(self.blocks[number]);
        let left = self.value_of(self.left);
        let enough = self.code.borrow_mut().ins().icmp_imm_s(IntCC::SignedGreaterThan, left, i64::from(block.latest));
        let at =
            |executed: usize| At { block: self.first + number, executed, instruction: &block.instructions[executed] };
        let places: Vec<At> = (0..block.instructions.len()).map(at).collect();
        let jumps = matches!(block.last, Last::Jump(_) | Last::Branch(..) | Last::Indirect(..));
        let Some((last, others)) = places.split_last() else { return };
        self.leave_unless(enough, &places[0]);
        let straight = if jumps { others } else { &places[..] };
        for at in straight {
            self.instruction(at);
        }
        match &block.last {
            Last::Leave => {
                let (place, cycles, lags) = block.behind.clone();
                self.flush();
                self.count(number, last.instruction.cycles, false);
                self.pass(cycles, block.instructions.len());
                self.exit(Exit { place: Some(place), lags, part: None, jump: place });
            }
            Last::Fall(way) => {
                self.flush();
                self.count(number, last.instruction.cycles, false);
                self.pass(block.behind.1, block.instructions.len());
                self.go_on(way, None, 0);
            }
            _ => self.jump(number, block, last),
        }
    }

    /// Counts an end of a block.
    fn count(&mut self, number: usize, cycles: u32, taken: bool) {
        let offset = 8 * self.book.ends.len() as i32;
        self.book.ends.push(End { block: self.first + number, cycles, taken });
        let mut code = self.code.borrow_mut();
        let counts = code.ins().load(POINTER, FLAGS, self.frame, frame::COUNTS);
        let count = code.ins().load(types::I64, FLAGS, counts, offset);
        let one = code.ins().iconst(types::I64, 1);
        let count = code.ins().iadd(count, one);
        code.ins().store(FLAGS, count, counts, offset);
    }

    /// Goes to what follows, which depends on the cycles that prediction added if something is under way.
    fn go_on(&mut self, way: &Way, more: Option<ir::Value>, jump: u32) {
        let mut sequels = &way.sequels[..];
        while let [(cycles, lags, sequel), rest @ ..] = sequels {
            let alike = rest.iter().all(|(_, others, _)| others == lags);
            if let (false, Some(more)) = (alike, more) {
                let (this, others) = (self.new_block(false), self.new_block(false));
                let mut code = self.code.borrow_mut();
                let is = code.ins().icmp_imm_u(IntCC::Equal, more, i64::from(*cycles));
                code.ins().brif(is, this, &[], others, &[]);
                drop(code);
                self.begin(this);
                self.continue_at(way.target, lags, *sequel, jump);
                self.begin(others);
                sequels = rest;
                continue;
            }
            return self.continue_at(way.target, lags, *sequel, jump);
        }
    }

    fn continue_at(&mut self, target: u32, lags: &Lags, sequel: Option<usize>, jump: u32) {
        match sequel {
            Some(block) => {
                self.code.borrow_mut().ins().jump(self.blocks[block], &[]);
            }
            None => self.exit(Exit { place: Some(target), lags: lags.clone(), part: None, jump }),
        }
    }

    /// Emits an instruction that does not jump.
    fn instruction(&mut self, at: &At) {
        let Decoded { op, rd, rs1, rs2, imm, computes, .. } = at.instruction.decoded;
        let (x, immediate) = (self.get(rs1), Emitted::Known(imm));
        match op {
            Op::AddImm
            | Op::SetLessImm
            | Op::SetLessUnsignedImm
            | Op::XorImm
            | Op::OrImm
            | Op::AndImm
            | Op::ShiftLeftImm
            | Op::ShiftRightImm
            | Op::ShiftRightSignedImm
            | Op::Constant => self.set(rd, exec::computed(op, x, immediate)),
            Op::ToStack => {
                let y = if exec::takes_register(computes) { self.get(rs2) } else { immediate };
                let pointer = exec::computed(computes, x, y);
                self.stack(pointer, at);
            }
            Op::Mul | Op::MulHigh | Op::MulHighSignedUnsigned | Op::MulHighUnsigned => {
                self.set(rd, exec::product(op, x, self.get(rs2)));
            }
            Op::Div | Op::DivUnsigned | Op::Rem | Op::RemUnsigned => {
                let y = self.get(rs2);
                self.division_time(at.instruction, x, y);
                self.set(rd, exec::divided(op, x, y));
            }
            Op::LoadByte
            | Op::LoadHalf
            | Op::LoadWord
            | Op::LoadByteUnsigned
            | Op::LoadHalfUnsigned
            | Op::LoadStack => {
                let likely = self.setting.likely[usize::from(rs1 & 31)].wrapping_add(imm);
                let loaded = self.load(x.add(immediate), exec::size_bytes(op), likely, at);
                if op == Op::LoadStack {
                    self.stack(loaded, at);
                } else {
                    self.set(rd, exec::extended(op, loaded));
                }
            }
            Op::StoreByte | Op::StoreHalf | Op::StoreWord => {
                self.store(x.add(immediate), self.get(rs2), exec::size_bytes(op), at);
            }
            Op::Fence | Op::FenceInstruction => {}
            _ => self.set(rd, exec::computed(op, x, self.get(rs2))),
        }
    }

    /// Sets the stack pointer, unless it is below its limit.
    fn stack(&mut self, pointer: Number<'a, 'f>, at: &At) {
        let limit = self.number(self.frame_field(types::I32, frame::STACK_LIMIT));
        let above = pointer.below(limit).not().value(self.code);
        self.leave_unless(above, at);
        let lowest = self.number(self.frame_field(types::I32, frame::LOWEST));
        let lower = Value::chosen(pointer.below(lowest), pointer, lowest).value(self.code);
        self.set_frame_field(lower, frame::LOWEST);
        self.set(SP, pointer);
    }

    /// Takes the cycles of a division beyond those of the shortest one.
    fn division_time(&mut self, instruction: &Planned, x: Number<'a, 'f>, y: Number<'a, 'f>) {
        let cost = self.setting.cost;
        let (fewest, most) = division(cost);
        if fewest == most {
            return;
        }
        let signed = matches!(instruction.decoded.op, Op::Div | Op::Rem);
        let zero = Emitted::Known(0);
        let bits = |value: Number<'a, 'f>| {
            let magnitude = if signed { Value::chosen(value.less(zero), zero.sub(value), value) } else { value };
            Emitted::Known(32).sub(magnitude.leading_zeros())
        };
        let (longer, shorter) = (bits(x), bits(y));
        let more = Value::chosen(longer.below(shorter), zero, longer.sub(shorter));
        let (base, per_bit) = (u32::from(cost.divide.result_base), u32::from(cost.divide.result_per_bit));
        let result = Emitted::Known(base).add(more.mul(Emitted::Known(per_bit)));
        let by_zero = Emitted::Known(u32::from(cost.divide.result_by_zero));
        let result = Value::chosen(y.equals(zero), by_zero, result).sub(Emitted::Known(fewest));
        self.pass_more(result.value(self.code), instruction.place);
    }

    fn load(&mut self, address: Number<'a, 'f>, size: u32, likely: u32, at: &At) -> Number<'a, 'f> {
        let address = address.value(self.code);
        let leaving = self.leaving(at);
        let done = self.new_block(false);
        self.code.borrow_mut().append_block_param(done, types::I32);
        let bits = WORD_BITS[size as usize];
        let likely = (self.setting.span)(likely).unwrap_or(0);
        let base = self.constant(types::I32, i64::from(self.setting.bases[likely]));
        let span = frame::DIRECT + (likely * size_of::<DirectSpan>()) as i32;
        let mut code = self.code.borrow_mut();
        let offset = code.ins().isub(address, base);
        // Bits below the size of the datum make it a large number.
        let amount = code.ins().iconst(types::I32, i64::from(bits));
        let unit = if bits == 0 { offset } else { code.ins().rotr(offset, amount) };
        let units = offset_of!(DirectSpan, units) as i32 + 4 * bits as i32;
        let units = code.ins().load(types::I32, FLAGS, self.frame, span + units);
        let inside = code.ins().icmp(IntCC::UnsignedLessThan, unit, units);
        drop(code);
        let otherwise = self.unless(inside);
        let mut code = self.code.borrow_mut();
        let bytes = code.ins().load(POINTER, FLAGS, self.frame, span + offset_of!(DirectSpan, bytes) as i32);
        let offset = code.ins().uextend(POINTER, offset);
        let from = code.ins().iadd(bytes, offset);
        let loaded = match size {
            1 => code.ins().uload8(types::I32, BYTES, from, 0),
            2 => code.ins().uload16(types::I32, BYTES, from, 0),
            _ => code.ins().load(types::I32, BYTES, from, 0),
        };
        code.ins().jump(done, &[loaded.into()]);
        drop(code);
        self.begin(otherwise);
        let (cpu, load) = (self.frame_field(POINTER, frame::CPU), self.frame_field(POINTER, frame::LOAD));
        let size = self.constant(types::I32, i64::from(size));
        let mut code = self.code.borrow_mut();
        let call = code.ins().call_indirect(self.signatures[0], load, &[cpu, address, size]);
        let loaded = code.inst_results(call)[0];
        let value = code.ins().ireduce(types::I32, loaded);
        let is_refused = code.ins().icmp_imm_s(IntCC::Equal, loaded, frame::REFUSED);
        code.ins().brif(is_refused, self.out, &[leaving.into()], done, &[value.into()]);
        let loaded = code.block_params(done)[0];
        drop(code);
        self.begin(done);
        self.number(loaded)
    }

    fn store(&mut self, address: Number<'a, 'f>, value: Number<'a, 'f>, size: u32, at: &At) {
        let (address, value) = (address.value(self.code), value.value(self.code));
        let leaving = self.leaving(at);
        let done = self.new_block(false);
        let number = |plain: u32| Number::Known(plain);
        let to = self.number(address);
        let index = to.shr(number(quick::BITS)).xor(to.shr(number(quick::UPPER_BITS))).and(number(quick::INDEX_MASK));
        let page = to.and(number(quick::MASK | (size - 1)));
        let within = to.and(number(!quick::MASK)).wide().value(self.code);
        let entry = index.wide().mul(Emitted::Known(quick::ENTRY_BYTES as u64)).value(self.code);
        let page = page.value(self.code);
        let table = frame::DIRECT + offset_of!(crate::memory::Direct, quick) as i32;
        let bytes = frame::DIRECT + offset_of!(crate::memory::Direct, bytes) as i32;
        let table = self.frame_field(POINTER, table);
        let mut code = self.code.borrow_mut();
        let entry = code.ins().iadd(table, entry);
        let writable = code.ins().load(types::I32, FLAGS, entry, quick::WRITE);
        let direct = code.ins().icmp(IntCC::Equal, page, writable);
        drop(code);
        let otherwise = self.unless(direct);
        let bytes = self.frame_field(POINTER, bytes);
        let mut code = self.code.borrow_mut();
        let place = code.ins().load(types::I32, FLAGS, entry, quick::PLACE);
        let place = code.ins().uextend(POINTER, place);
        let to = code.ins().iadd(bytes, place);
        let to = code.ins().iadd(to, within);
        match size {
            1 => code.ins().istore8(BYTES, value, to, 0),
            2 => code.ins().istore16(BYTES, value, to, 0),
            _ => code.ins().store(BYTES, value, to, 0),
        };
        code.ins().jump(done, &[]);
        drop(code);
        self.begin(otherwise);
        let (cpu, store) = (self.frame_field(POINTER, frame::CPU), self.frame_field(POINTER, frame::STORE));
        let size = self.constant(types::I32, i64::from(size));
        let mut code = self.code.borrow_mut();
        let call = code.ins().call_indirect(self.signatures[1], store, &[cpu, address, value, size]);
        let stored = code.inst_results(call)[0];
        code.ins().brif(stored, done, &[], self.out, &[leaving.into()]);
        drop(code);
        self.begin(done);
    }

    /// Asks the predictor; returns the cycles that it adds, `None` if nothing is predicted.
    fn guess(
        &mut self,
        instruction: &Planned,
        kind: Kind,
        taken: ir::Value,
        target: Number<'a, 'f>,
        link: Option<u32>,
    ) -> Option<ir::Value> {
        if !self.setting.predicts {
            return None;
        }
        let here = (self.setting.address)(instruction.place);
        let last = (self.setting.address)(instruction.place + u32::from(instruction.decoded.halves) - 1);
        let backward = match target {
            Emitted::Known(target) => frame::described(kind, target <= here, link.is_some()),
            // Only of branches the direction matters, and their targets are known.
            Emitted::Later(..) => frame::described(kind, false, link.is_some()),
        };
        let target = target.value(self.code);
        let (cpu, guess) = (self.frame_field(POINTER, frame::CPU), self.frame_field(POINTER, frame::GUESS));
        let [last, described, link] =
            [last, backward, link.unwrap_or(0)].map(|plain| self.constant(types::I32, i64::from(plain)));
        let mut code = self.code.borrow_mut();
        let call = code.ins().call_indirect(self.signatures[2], guess, &[cpu, last, described, target, link, taken]);
        let more = code.inst_results(call)[0];
        drop(code);
        self.pass_more(more, instruction.place);
        Some(more)
    }

    /// Emits the jump or branch at the end of a block.
    fn jump(&mut self, number: usize, block: &Block, at: &At) {
        let last = at.instruction;
        let Decoded { op, rd, rs1, rs2, imm, halves, .. } = last.decoded;
        let executed = block.instructions.len();
        let sequel = (self.setting.address)(last.place + u32::from(halves));
        let link = last.decoded.links().then_some(sequel);
        match &block.last {
            Last::Jump(way) => {
                self.set(rd, Emitted::Known(sequel));
                self.flush();
                let taken = self.constant(types::I32, 1);
                let more = self.guess(last, Kind::Jump, taken, Emitted::Known(imm), link);
                self.count(number, way.cycles, false);
                self.pass(last.begin + way.cycles, executed);
                self.go_on(way, more, last.place);
            }
            Last::Branch(if_taken, if_not) => {
                self.flush();
                let holds = exec::condition(op, self.get(rs1), self.get(rs2)).value(self.code);
                let taken = self.code.borrow_mut().ins().uextend(types::I32, holds);
                let more = self.guess(last, Kind::Branch, taken, Emitted::Known(imm), None);
                let (taken, not) = (self.new_block(false), self.new_block(false));
                self.code.borrow_mut().ins().brif(holds, taken, &[], not, &[]);
                for (block, way, is_taken) in [(not, if_not, false), (taken, if_taken, true)] {
                    self.begin(block);
                    self.count(number, way.cycles, is_taken);
                    self.pass(last.begin + way.cycles, executed);
                    self.go_on(way, more, last.place);
                }
            }
            Last::Indirect(cycles, ways, lags) => {
                let target = exec::jump_target(self.get(rs1), Emitted::Known(imm));
                let here = target.shr(Emitted::Known(16)).equals(Emitted::Known(self.setting.window));
                self.leave_unless(here.value(self.code), at);
                self.set(rd, Emitted::Known(sequel));
                self.flush();
                let kind = if last.decoded.returns() { Kind::Return } else { Kind::Indirect };
                let taken = self.constant(types::I32, 1);
                let more = self.guess(last, kind, taken, target, link);
                for way in ways {
                    let address = Emitted::Known((self.setting.address)(way.target));
                    let is = target.equals(address).value(self.code);
                    let (this, others) = (self.new_block(false), self.new_block(false));
                    self.code.borrow_mut().ins().brif(is, this, &[], others, &[]);
                    self.begin(this);
                    self.count(number, way.cycles, false);
                    self.pass(last.begin + way.cycles, executed);
                    self.go_on(way, more, last.place);
                    self.begin(others);
                }
                self.set_frame_field(target.value(self.code), frame::TARGET);
                self.count(number, *cycles, false);
                self.pass(last.begin + cycles, executed);
                self.by_table(lags, more, last.place);
            }
            Last::Leave | Last::Fall(_) => {}
        }
    }

    /// Goes out to the address in the frame.
    fn by_table(&mut self, lags: &[(u32, Lags)], more: Option<ir::Value>, jump: u32) {
        let mut rest = lags;
        while let [(cycles, lags), others @ ..] = rest {
            let alike = others.iter().all(|(_, other)| other == lags);
            let exit = Exit { place: None, lags: lags.clone(), part: None, jump };
            match more {
                Some(more) if !alike => {
                    let (this, next) = (self.new_block(false), self.new_block(false));
                    let mut code = self.code.borrow_mut();
                    let is = code.ins().icmp_imm_u(IntCC::Equal, more, i64::from(*cycles));
                    code.ins().brif(is, this, &[], next, &[]);
                    drop(code);
                    self.begin(this);
                    self.exit(exit);
                    self.begin(next);
                    rest = others;
                }
                _ => return self.exit(exit),
            }
        }
    }
}
