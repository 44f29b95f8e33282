//! The M16C beside gdb's simulator of its family (`sim/m32c`), which counts no cycles.
//!
//! What the simulator does otherwise than the manual is left out here, each case with its reason in
//! [`Instructions::judgement`]; those cases are tests of their own in `crates/steelyard-emu/tests/m16c.rs`.

use super::Entry;
use crate::chip::{bare, Chip, Family};
use crate::images::{Beside, Images, Start};
use crate::layout;
use crate::protocol::{Layout, Reference};
use crate::references::gdb::Simulator;
use crate::rng::Rng;
use crate::stream::{run, Generator, Pair, Placed, Stream};
use std::ops::Range;
use steelyard_emu::m16c::cpu::{Cpu, Registers, B, C, O, RETURN_ADDRESS, S, U, Z};
use steelyard_emu::m16c::decode::{
    row_of, Decoded, Op, A0, A1, BIT_INDEXED, FB, FROM_IMMEDIATE, FROM_MEMORY, FROM_WORD, LONGEST, R0, R1, R2, R3, SB,
    SP, TO_MEMORY, WORD,
};
use steelyard_emu::m16c::isa::Row;
use steelyard_emu::m16c::operand::Operand;
use steelyard_emu::m16c::{self, M16c};
use steelyard_emu::observe::Nothing;
use steelyard_emu::processor::{Exit, Processor};
use steelyard_emu::{Description, Error, FaultKind};

pub const FAMILY: Entry = Entry::new::<Chip<M16>>(
    "m16c",
    &[Stream {
        name: "m16c",
        layout: M16::LAYOUT,
        reference: |_| reference(),
        run: |asked, reference| {
            let data = asked.catalogue.core("m16c")?;
            let chip = Chip::<M16>::new(&bare(data, std::slice::from_ref(&(0..MEMORY_BYTES)))?)?;
            let mut pair = Pair::new(chip, M16::LAYOUT);
            run(&mut pair, &mut Instructions::new(), reference, asked.seed, asked.instructions)
        },
    }],
);

fn reference() -> Result<Box<dyn Reference>, String> {
    Ok(Box::new(Simulator::start("m16c", &[])?))
}

/// Index of the first register of a bank; the order in a bank is that of the emulator's register file.
const BANKS: [usize; 2] = [0, 8];
/// The simulator has one in each bank; the manual's figure of the registers has it outside of the banks.
const SB_OF_BANK: [usize; 2] = [7, 15];
const USP: usize = 16;
const ISP: usize = 17;
const PC: usize = 18;
const FLG: usize = 19;

/// The whole address space is RAM: the simulator has no other memory.
const MEMORY_BYTES: u32 = 1 << 20;
/// Where instructions read and write; below it the simulator's console and system calls answer.
const DATA: Range<u32> = 0x1000..0xf000;
/// What far accesses reach beyond it.
const FAR_END: u32 = 0x3_0000;
const CODE: Range<u32> = 0xe_0000..0xe_ff00;
/// Vectors of `JMPS` and `JSRS`.
const SPECIAL: u32 = 0xf_fe00;
const FILLED_BYTES: usize = 1024;
const TRIES: u32 = 4000;

fn bank(registers: &Registers, index: usize) -> (bool, usize) {
    let second = index >= BANKS[1];
    (second == (registers.flags & B != 0), index % BANKS[1])
}

pub struct M16;

impl Family for M16 {
    type Cpu = Cpu;
    /// Without INTB, of which the simulator shows one half twice; `STC` brings its halves to light.
    const LAYOUT: Layout = layout!(little;
        2: "r0" 0, "r1" 1, "r2" 2, "r3" 3, "a0" 4, "a1" 5, "fb" 6, "sb" 7, "r0'" 8, "r1'" 9, "r2'" 10, "r3'" 11,
        "a0'" 12, "a1'" 13, "fb'" 14, "sb'" 15, "usp" 16, "isp" 17; 3: "pc" 18; 2: "flg" 20);

    fn chip(description: &Description) -> Result<M16c, Error> {
        m16c::chip(description)
    }

    fn register(cpu: &Cpu, index: usize) -> u32 {
        let registers = &cpu.registers;
        let user = registers.flags & U != 0;
        u32::from(match index {
            7 | 15 => registers.file[SB as usize],
            0..=15 => match bank(registers, index) {
                (true, number) => registers.file[number],
                (false, number) => registers.other_bank[number],
            },
            USP | ISP if user == (index == USP) => registers.file[SP as usize],
            USP | ISP => registers.other_sp,
            PC => return registers.pc,
            _ => return registers.flags,
        })
    }

    fn set_register(cpu: &mut Cpu, index: usize, value: u32) {
        let registers = &mut cpu.registers;
        let user = registers.flags & U != 0;
        match index {
            7 | 15 => registers.file[SB as usize] = value as u16,
            0..=15 => match bank(registers, index) {
                (true, number) => registers.file[number] = value as u16,
                (false, number) => registers.other_bank[number] = value as u16,
            },
            USP | ISP if user == (index == USP) => registers.file[SP as usize] = value as u16,
            USP | ISP => registers.other_sp = value as u16,
            PC => registers.pc = value,
            _ => registers.set_flags(value),
        }
    }

    /// One that repeats itself is done all the same.
    fn step(cpu: &mut Cpu) -> Exit {
        let limit = cpu.cycles() + 1;
        match cpu.run(&mut Nothing, limit) {
            Exit::Trap(trap) if trap.kind == FaultKind::CycleBudget => Exit::Limit,
            exit => exit,
        }
    }
}

impl Images for M16 {
    const RETURN_ADDRESS: u32 = RETURN_ADDRESS;

    const BESIDE: &'static [Start] = &[|_| {
        let mut beside = Beside::stepped(reference()?, Self::LAYOUT, &[0]);
        beside.how.placed.ignored = vec![(FLG, u32::MAX)];
        Ok(beside)
    }];
}

/// What is done with a candidate.
enum Judgement {
    Refused,
    Compared(Vec<(usize, u32)>),
}

/// A row with operands of some sort, and all first two bytes that it can have then.
struct Kind {
    row: &'static Row,
    /// What the operands are, by the marks of [`Decoded::form`].
    form: u8,
    starts: Vec<[u8; 2]>,
}

impl Kind {
    fn is_of(&self, row: &Row, form: u8) -> bool {
        std::ptr::eq(self.row, row) && self.form == form
    }

    fn name(&self) -> String {
        let marks = [
            (FROM_IMMEDIATE, " immediate"),
            (FROM_MEMORY, " from memory"),
            (FROM_WORD, " of a word"),
            (TO_MEMORY, " to memory"),
            (WORD, " as a word"),
        ];
        let marked = marks.iter().filter(|(mark, _)| self.form & mark != 0).map(|(_, name)| *name);
        format!("{}{}", self.row.mnemonic, marked.collect::<String>())
    }
}

struct Instructions {
    kinds: Vec<Kind>,
}

/// Whether bytes go to an address register as a word.
fn is_widened(row: &Row, decoded: &Decoded) -> bool {
    use Operand::{AddressDestination, DestinationWidened, ShortAddress};
    matches!(row.operands, [_, DestinationWidened | ShortAddress | AddressDestination])
        && decoded.form & (FROM_WORD | TO_MEMORY) == 0
        && matches!(decoded.dst, A0 | A1)
}

/// Instructions the simulator does not have or does not carry out.
fn left_out(row: &Row, decoded: &Decoded) -> bool {
    // To the simulator the sum is one of bytes.
    if is_widened(row, decoded) && decoded.op != Op::Move {
        return true;
    }
    matches!(
        decoded.op,
        // It builds the stack of an interrupt, and takes it apart, otherwise than the manual.
        Op::Break | Op::Interrupt | Op::InterruptOverflow | Op::Undefined | Op::ReturnInterrupt
        // "Unimplemented".
        | Op::LoadContext | Op::StoreContext
        | Op::Wait
        // It writes the lower half of a pair only, and another address.
        | Op::StorePc
    )
}

fn has(row: &Row, operands: &[Operand]) -> bool {
    row.operands.iter().any(|operand| operands.contains(operand))
}

impl Instructions {
    fn new() -> Self {
        let mut kinds: Vec<Kind> = Vec::new();
        for start in (0..=u16::MAX).map(u16::to_be_bytes) {
            let mut bytes = [0; LONGEST];
            bytes[..2].copy_from_slice(&start);
            let found = row_of(&bytes, CODE.start).filter(|(row, decoded)| !left_out(row, decoded));
            let Some((row, decoded)) = found else { continue };
            match kinds.iter_mut().find(|kind| kind.is_of(row, decoded.form)) {
                Some(kind) => kind.starts.push(start),
                None => kinds.push(Kind { row, form: decoded.form, starts: vec![start] }),
            }
        }
        Self { kinds }
    }

    /// Registers and memory an instruction wants, beyond what chance gives.
    fn prepare(pair: &mut Pair<Chip<M16>>, row: &Row, decoded: &Decoded, rng: &mut Rng) {
        let second = usize::from(pair.register(FLG) & B != 0);
        let numbered = |number: u8| BANKS[second] + usize::from(number);
        let word = decoded.form & WORD != 0;
        let set = |pair: &mut Pair<Chip<M16>>, number: u8, value: u32| pair.set(numbered(number), value & 0xffff);
        let data = |rng: &mut Rng| DATA.start + 64 + rng.below(DATA.end - DATA.start - 128);
        match decoded.op {
            Op::StringMove | Op::StringMoveDown | Op::StringStore => {
                set(pair, R3, rng.below(6));
                set(pair, R1, rng.below(256) | rng.below(2) << 8);
                for pointer in [A0, A1] {
                    let at = data(rng);
                    set(pair, pointer, at);
                }
            }
            // One product cannot overflow; the simulator would not notice.
            Op::ProductSum => {
                set(pair, R3, rng.below(2));
                set(pair, R0, rng.below(256));
                set(pair, R2, 0);
                for pointer in [A0, A1] {
                    let at = data(rng);
                    set(pair, pointer, at);
                }
            }
            Op::DecimalAdd | Op::DecimalAdc | Op::DecimalSub | Op::DecimalSbb => {
                for number in [R0, R1] {
                    let digits = (0..4).fold(0, |digits, _| digits << 4 | rng.below(10));
                    set(pair, number, digits);
                }
            }
            // It takes the lower half of the dividend for the whole, with its sign.
            Op::Divide | Op::DivideFloor => {
                let low = pair.register(numbered(R0));
                if word {
                    set(pair, R2, if low & 0x8000 != 0 { 0xffff } else { 0 });
                } else {
                    set(pair, R0, i32::from(low as u8 as i8) as u32);
                }
            }
            _ if has(row, &[Operand::CountRegister]) => {
                let bound = if word || has(row, &[Operand::Pair]) { 33 } else { 17 };
                let count = rng.below(bound) as i32 - bound as i32 / 2;
                let low = pair.register(numbered(R1)) & 0xff;
                set(pair, R1, low | (count as u32 & 0xff) << 8);
            }
            Op::FarLoadIndirect | Op::FarStoreIndirect => {
                set(pair, A1, rng.below(FAR_END >> 16));
            }
            // In bits its address has 16 of them.
            _ if has(row, BITS) && matches!(decoded.dst, FB | SB) && decoded.form & TO_MEMORY != 0 => {
                let at = 0x1100 + rng.below(0xe00);
                if decoded.dst == SB {
                    for index in SB_OF_BANK {
                        pair.set(index, at);
                    }
                } else {
                    set(pair, FB, at);
                }
            }
            _ => {}
        }
    }

    /// Whether the instruction can be compared in the present state, and what of it.
    fn judgement(pair: &Pair<Chip<M16>>, row: &Row, decoded: &Decoded, bytes: &[u8]) -> Judgement {
        let registers = pair.subject.cpu().registers;
        let file = |number: u8| registers.file[usize::from(number & 15)];
        let Decoded { op, form, src, dst, detail, imm, src_disp, dst_disp, .. } = *decoded;
        let word = form & WORD != 0;
        let refused = Judgement::Refused;
        let inside = |address: u32| DATA.contains(&address) && DATA.contains(&(address + 4));
        let near = |base: u8, disp: u16| inside(u32::from(file(base).wrapping_add(disp)));
        let pair_of = |low: u8, high: u8| u32::from(file(low)) | u32::from(file(high)) << 16;
        let sp = u32::from(file(SP));
        if !inside(sp.wrapping_sub(300)) || !inside(sp + 300) {
            return refused;
        }
        let bit = has(row, BITS);
        let jump_memory = has(row, &[Operand::JumpSource, Operand::JumpPairSource]);
        if form & FROM_MEMORY != 0 && !matches!(op, Op::Address | Op::PushAddress) {
            let far = u32::from(file(src)) + u32::from(src_disp) + (imm << 16);
            // Of 20-bit displacements it keeps 16.
            let reached = if jump_memory { inside(far) } else { near(src, src_disp) };
            if !reached {
                return refused;
            }
        }
        if form & TO_MEMORY != 0 {
            let reached = if bit && detail & BIT_INDEXED != 0 {
                // It takes the displacement for a number of bits.
                dst_disp == 0 && inside(u32::from(file(dst) >> 3))
            } else {
                near(dst, dst_disp)
            };
            if !reached {
                return refused;
            }
        }
        // bit,base:16[SB]: it forgets to multiply SB by 8.
        if has(row, &[Operand::Bit]) && dst == SB && bytes[1] & 15 == 14 {
            return refused;
        }
        let second = usize::from(registers.flags & B != 0);
        let mut ignored = Vec::new();
        // SB is the emulator's only one; what goes to it does not reach the other bank's in the simulator.
        let writes_sb = match op {
            Op::LoadControl | Op::PopControl => detail == 6,
            Op::PopMultiple => imm & 0x40 != 0,
            _ => false,
        };
        if writes_sb {
            ignored.push((SB_OF_BANK[1 - second], 0xffff));
        }
        match op {
            Op::FarLoad | Op::FarStore => {
                let at = imm.wrapping_add(u32::from(file(detail))) & 0xf_ffff;
                if !(DATA.start..FAR_END).contains(&at) || at + 4 >= FAR_END {
                    return refused;
                }
            }
            Op::FarLoadIndirect | Op::FarStoreIndirect => {
                let at = pair_of(A0, A1);
                if !(DATA.start..FAR_END).contains(&at) || at + 4 >= FAR_END {
                    return refused;
                }
            }
            Op::ExitReturn if !near(FB, 0) => return refused,
            // A program that jumps to itself has ended.
            Op::Jump if imm == pair.register(PC) => return refused,
            Op::PushMultiple | Op::PopMultiple if imm == 0 => return refused,
            Op::DecimalAdd | Op::DecimalAdc | Op::DecimalSub | Op::DecimalSbb
                if form & FROM_IMMEDIATE != 0 && (0..4).any(|place| imm >> (4 * place) & 15 > 9) =>
            {
                return refused;
            }
            Op::LoadControl | Op::PopControl => match detail {
                // To the simulator INTBH has eight bits.
                2 if form & FROM_IMMEDIATE == 0 || imm > 15 => return refused,
                3 => {
                    // Bits of FLG that are not there.
                    ignored.push((FLG, 0x8f00));
                    // Whether the stack popped from moves, or the one that U selects then, the manual does not say.
                    if op == Op::PopControl {
                        ignored.extend([(USP, 0xffff), (ISP, 0xffff)]);
                    }
                }
                _ => {}
            },
            _ => {}
        }
        if is_widened(row, decoded) {
            ignored.push((FLG, S));
        }
        match op {
            // The lowest number has no absolute value; the simulator sees none that is too large.
            Op::Abs => ignored.push((FLG, O)),
            // A product of bytes in A0 clears A1 there.
            Op::Multiply | Op::MultiplyUnsigned if form & TO_MEMORY == 0 && dst == A0 && !word => return refused,
            // Its limits of the quotient are one too large, and signed.
            Op::DivideUnsigned if word && file(R2) != 0 => ignored.push((FLG, O)),
            // It has the level four bits too low.
            Op::LoadLevel => ignored.push((FLG, 0x7700)),
            // A stack pointer is pushed as it was before, and stays what was popped; it has either two off.
            Op::PushControl | Op::PopControl if detail == 5 || detail == 4 && registers.flags & U == 0 => {
                return refused;
            }
            // R3R1 is R2R0 there.
            _ if has(row, &[Operand::JumpPairSource]) && form & FROM_MEMORY == 0 && src == R1 => return refused,
            // It leaves O alone.
            Op::ShiftArithmetic | Op::ShiftArithmeticBy => ignored.push((FLG, O)),
            Op::ProductSum => ignored.push((FLG, O)),
            // It leaves flags alone.
            Op::FarLoad | Op::FarLoadIndirect => ignored.push((FLG, S | Z)),
            // Flags by all 16 bits of the register whose lower byte it stores.
            Op::FarStore | Op::FarStoreIndirect if form & (FROM_MEMORY | FROM_WORD) == 0 && matches!(src, A0 | A1) => {
                ignored.push((FLG, S | Z));
            }
            _ => {}
        }
        // Nothing moves: it sets flags all the same.
        if has(row, &[Operand::CountRegister]) && file(R1) >> 8 == 0 {
            ignored.push((FLG, C | Z | S));
        }
        Judgement::Compared(ignored)
    }
}

/// A bit of a register or of memory.
const BITS: &[Operand] = &[Operand::Bit, Operand::ShortBit];

impl Generator<Chip<M16>> for Instructions {
    fn kinds(&self) -> Vec<String> {
        self.kinds.iter().map(Kind::name).collect()
    }

    fn memories(&self) -> Vec<Range<u32>> {
        vec![DATA.start..DATA.end, DATA.end..FAR_END]
    }

    fn fill(&mut self, pair: &mut Pair<Chip<M16>>, rng: &mut Rng) {
        let bytes: Vec<u8> = (0..FILLED_BYTES).map(|_| rng.byte()).collect();
        pair.write(DATA.start + rng.below(FAR_END - DATA.start - FILLED_BYTES as u32), &bytes);
        let vectors: Vec<u8> = (0..512).map(|_| rng.byte()).collect();
        pair.write(SPECIAL, &vectors);
        pair.set(FLG, (rng.below(2) * B) | (rng.below(2) * U) | (rng.below(64) & !B));
        for index in 0..BANKS[1] + 7 {
            pair.set(index, u32::from(rng.byte()) << 8 | u32::from(rng.byte()));
        }
        let sb = pair.register(SB_OF_BANK[0]);
        pair.set(SB_OF_BANK[1], sb);
    }

    fn place(&mut self, pair: &mut Pair<Chip<M16>>, rng: &mut Rng) -> Placed {
        let pc = pair.register(PC);
        if !CODE.contains(&pc) {
            pair.set(PC, CODE.start + rng.below(CODE.end - CODE.start));
        }
        for pointer in [USP, ISP] {
            let sp = pair.register(pointer);
            if !(DATA.start + 400..DATA.end - 400).contains(&sp) {
                pair.set(pointer, DATA.start + 400 + rng.below(DATA.end - DATA.start - 800));
            }
        }
        let mut tries = 0;
        let mut number = rng.below(self.kinds.len() as u32) as usize;
        loop {
            tries += 1;
            // Some kinds want a state that is not there: another one, and other registers.
            if tries % 64 == 0 {
                number = rng.below(self.kinds.len() as u32) as usize;
                let second = usize::from(pair.register(FLG) & B != 0);
                for register in [A0, A1, FB] {
                    pair.set(BANKS[second] + usize::from(register), rng.below(DATA.end));
                }
                let sb = rng.below(DATA.end);
                for index in SB_OF_BANK {
                    pair.set(index, sb);
                }
            }
            assert!(tries < TRIES, "no instruction suits the state");
            let kind = &self.kinds[number];
            let mut bytes = [0; LONGEST];
            bytes[..2].copy_from_slice(rng.pick::<[u8; 2]>(&kind.starts));
            for byte in &mut bytes[2..] {
                *byte = rng.byte();
            }
            let pc = pair.register(PC);
            let found = row_of(&bytes, pc).filter(|(row, decoded)| kind.is_of(row, decoded.form));
            let Some((row, decoded)) = found else { continue };
            Self::prepare(pair, row, &decoded, rng);
            let Judgement::Compared(ignored) = Self::judgement(pair, row, &decoded, &bytes) else { continue };
            let code = bytes[..usize::from(decoded.length)].to_vec();
            pair.write(pc, &code);
            return Placed { kind: Some(number), code, ignored, ..Placed::default() };
        }
    }
}
