//! RL78 beside gdb's simulator: every row of the instruction set, with and without the prefix.
//!
//! The simulator counts clocks, though not all of them as the manufacturer does: [`SIMULATED_CLOCKS`] says where, and
//! the emulator is given those numbers here, so that every clock of every instruction is compared.
//!
//! Where the simulator is wrong about a result it is left out, by the manual's tables and description of each
//! instruction:
//!
//! * the auxiliary carry (it looks for it in the wrong operand),
//! * flags of `addw sp` and `subw sp`, which change none, and CY of `movs`, `cmps` and `mach`,
//! * `push psw` and `pop psw`, which it puts into the wrong byte; `callt`, whose table it looks for among the data;
//!   `brk`, `halt` and `stop`, where it ends,
//! * the upper bits of ES, CS and the lowest of SP, which are always 0,
//! * a long read of its own of the accumulator and the dividend, whose last byte is the one before.

use super::Entry;
use crate::chip::{Chip, Family};
use crate::images::{Beside, Images, Start};
use crate::layout;
use crate::protocol::{Layout, Reference};
use crate::references::gdb::Simulator;
use crate::rng::Rng;
use crate::rows;
use crate::stream::{self, Asked, Generator, Outcome, Pair, Placed, Stream};
use serde_json::{json, Value};
use std::ops::Range;
use steelyard_emu::emulated::Emulated;
use steelyard_emu::processor::Processor;
use steelyard_emu::rl78::cpu::{Cpu, RETURN_ADDRESS};
use steelyard_emu::rl78::decode::{row_of, Decoded, BC, DE, HL, PREFIX, SP as BASE_SP, ZERO};
use steelyard_emu::rl78::isa::{Op, Row, ROWS};
use steelyard_emu::rl78::operand::{Mode, Operand};
use steelyard_emu::rl78::{self, timing::Core};
use steelyard_emu::Description;

pub const FAMILY: Entry =
    Entry::new::<Chip<Rl78>>("rl78", &[stream("rl78-g10"), stream("rl78-g13"), stream("rl78-g14")]);

const fn stream(name: &'static str) -> Stream {
    Stream { name, layout: Rl78::LAYOUT, reference, run }
}

fn reference(name: &str) -> Result<Box<dyn Reference>, String> {
    let option = name.strip_prefix("rl78-").ok_or_else(|| format!("gdb's simulator knows no `{name}`"))?;
    Ok(Box::new(Simulator::start("rl78", &[option])?))
}

fn run(asked: &Asked, reference: &mut dyn Reference) -> Result<Outcome, String> {
    let mut target = asked.catalogue.target(asked.name)?;
    Rl78::as_simulated(&mut target.description["core"])?;
    let chip = Chip::<Rl78>::new(&target.description()?)?;
    let mut instructions = Instructions::new(facts(&target.id), &chip.cpu().core);
    stream::run(&mut Pair::new(chip, Rl78::LAYOUT), &mut instructions, reference, asked.seed, asked.instructions)
}

/// Clocks as the simulator counts them, where that is not as the manufacturer lists them.
const SIMULATED_CLOCKS: &[(u8, &str)] = &[
    (0, "prefix flash_read hazard skipped skipped_prefix"),
    (1, "move_psw bit_psw bit_memory exchange_memory return_interrupt"),
    (3, "call_table"),
];
/// It knows no core with 8-bit arithmetic.
const SIMULATED_CLOCKS_S1: &[(u8, &str)] = &[
    (1, "load_word store_word push pop alu_word alu_word_load alu_stack_pointer shift_word"),
    (2, "alu_word_memory"),
    (3, "call"),
    (6, "return"),
];

const A: usize = 1;
const ES: usize = 32;
const CS: usize = 33;
const PC: usize = 34;
const SPL: usize = 35;
const SPH: usize = 36;
const PSW: usize = 37;

/// Where each lies; the program counter nowhere.
fn address_of_register(index: usize) -> u32 {
    match index {
        0..32 => 0xf_fef8 - 8 * (index as u32 / 8) + index as u32 % 8,
        PSW => 0xf_fffa,
        ES => 0xf_fffd,
        CS => 0xf_fffc,
        SPL => 0xf_fff8,
        _ => 0xf_fff9,
    }
}

const PSW_Z: u32 = 0x40;
const PSW_BANK_1: u32 = 0x20;
const PSW_AC: u32 = 0x10;
const PSW_BANK_0: u32 = 0x08;
const PSW_CY: u32 = 0x01;

/// Places of random instructions; a batch goes on for at most some thousand bytes from the last of them.
const CODE: Range<u32> = 0x400..0x800;
const FLASH: u32 = 0x1000;
/// Offset from 0xF0000.
const STACK: Range<u32> = 0xfd00..0xfe00;
const ACCUMULATOR: u32 = 0xf_fff0;

/// What differs between the chips.
#[derive(Clone, Copy)]
struct Facts {
    /// Offsets from 0xF0000 of RAM, and of the mirror of the flash.
    ram: (u32, u32),
    mirror: (u32, u32),
    multiplies: bool,
    banks: bool,
}

fn facts(target: &str) -> Facts {
    let (ram, mirror) = ((0xef00, 0xfe00), (0x2000, 0x8000));
    match target {
        "rl78-g10" => Facts { ram: (0xfce0, 0xfe00), mirror: (0x8000, 0x9000), multiplies: false, banks: false },
        "rl78-g13" => Facts { ram, mirror, multiplies: false, banks: true },
        _ => Facts { ram, mirror, multiplies: true, banks: true },
    }
}

pub struct Rl78;

impl Family for Rl78 {
    type Cpu = Cpu;
    /// Registers by number: the banks from 0 to 3, each from X to H, then those of the CPU.
    const LAYOUT: Layout = layout!(little;
        1: "x" 0, "a" 1, "c" 2, "b" 3, "e" 4, "d" 5, "l" 6, "h" 7,
        "x'" 8, "a'" 9, "c'" 10, "b'" 11, "e'" 12, "d'" 13, "l'" 14, "h'" 15,
        "x''" 16, "a''" 17, "c''" 18, "b''" 19, "e''" 20, "d''" 21, "l''" 22, "h''" 23,
        "x'''" 24, "a'''" 25, "c'''" 26, "b'''" 27, "e'''" 28, "d'''" 29, "l'''" 30, "h'''" 31,
        "es" 33, "cs" 34; 4: "pc" 35; 1: "spl" 36, "sph" 37, "psw" 32);

    fn chip(description: &Description) -> Result<Emulated<Cpu>, steelyard_emu::Error> {
        rl78::chip(description)
    }

    fn register(cpu: &Cpu, index: usize) -> u32 {
        match index {
            PC => cpu.pc(),
            index => u32::from(cpu.peek(address_of_register(index), 1).map_or(0, |bytes| bytes[0])),
        }
    }

    fn set_register(cpu: &mut Cpu, index: usize, value: u32) {
        match index {
            PC => cpu.set_pc(value),
            index => {
                cpu.poke(address_of_register(index), &[value as u8]);
            }
        }
    }
}

impl Images for Rl78 {
    const RETURN_ADDRESS: u32 = RETURN_ADDRESS;
    /// Its RAM is not zero at the start.
    const INITIAL: &'static [&'static str] = &["flash", "ram"];

    const BESIDE: &'static [Start] = &[|target| {
        let mut beside = Beside::stepped(reference(&target.id)?, Self::LAYOUT, &[0xff]);
        beside.how.placed.clocks = true;
        // It lets a program write the flags of MDUC, which A then shows.
        beside.how.placed.ignored = vec![(PSW, u32::MAX), (A, 0x06)];
        Ok(beside)
    }];

    fn as_simulated(core: &mut Value) -> Result<(), String> {
        let of_core = if core["id"] == "rl78-s1" { SIMULATED_CLOCKS_S1 } else { &[] };
        for (clocks, names) in SIMULATED_CLOCKS.iter().chain(of_core) {
            for name in names.split(' ') {
                let listed =
                    core["clocks"].get_mut(name).ok_or_else(|| format!("the core lists no clocks of {name}"))?;
                *listed = json!(clocks);
            }
        }
        Ok(())
    }
}

/// A row, and whether the prefix stands in front of it.
struct Kind {
    row: &'static Row,
    prefixed: bool,
}

/// Draws from every kind in turn.
struct Instructions {
    chip: Facts,
    core: Core,
    kinds: Vec<Kind>,
    /// Those still to come before all come again.
    order: Vec<usize>,
    filled: bool,
}

fn left_out(row: &Row) -> bool {
    matches!(row.op.0, Op::PushPsw | Op::PopPsw | Op::Callt | Op::Brk | Op::Sleep)
}

/// Where the instruction has an operand in memory.
fn mode(row: &Row) -> Option<Mode> {
    row.operands.iter().find_map(|operand| match *operand {
        Operand::At(mode) | Operand::Bit(mode) => Some(mode),
        _ => None,
    })
}

impl Instructions {
    fn new(chip: Facts, core: &Core) -> Self {
        let rows = ROWS.iter().filter(|row| core.has(row.feature) && !left_out(row));
        let kinds = rows.flat_map(|row| {
            let prefixed = row.operands.iter().any(|operand| operand.takes_prefix());
            [false, true].into_iter().take(1 + usize::from(prefixed)).map(move |prefixed| Kind { row, prefixed })
        });
        Self { chip, core: core.clone(), kinds: kinds.collect(), order: Vec::new(), filled: false }
    }

    fn next_kind(&mut self, rng: &mut Rng) -> usize {
        if self.order.is_empty() {
            self.order = (0..self.kinds.len()).collect();
            for place in (1..self.order.len()).rev() {
                self.order.swap(place, rng.below(place as u32 + 1) as usize);
            }
        }
        self.order.pop().unwrap_or_default()
    }

    /// An instruction of a kind with random operands, none that the comparison cannot bear, and what it decodes to.
    fn bytes(&self, kind: usize, address: u32, rng: &mut Rng) -> ([u8; 5], Decoded) {
        let Kind { row, prefixed } = self.kinds[kind];
        loop {
            let mut bytes = [(); 5].map(|()| rng.byte());
            let start = usize::from(prefixed);
            bytes[..start].fill(PREFIX);
            let opcode = (rows::random(row, rng) << (32 - row.pattern.bits)).to_be_bytes();
            let behind = operand_at(row, prefixed);
            bytes[start..behind].copy_from_slice(&opcode[..behind - start]);
            let found = row_of(&bytes, address, &self.core).filter(|(found, _)| std::ptr::eq(*found, row));
            let Some((_, decoded)) = found else { continue };
            let low = decoded.offset as u8;
            let sfr = decoded.base == ZERO && decoded.index_mask == 0 && decoded.offset >= 0xff20 && !decoded.far;
            // The multiplier, SP byte by byte, PSW with its neighbour, PMC; on a core that multiplies also the store that
            // does so.
            let forbidden = if decoded.is_word() { 0xef } else { 0xf0 };
            let beyond = sfr
                && mode(row).is_some()
                && match low {
                    0xfa | 0xfc | 0xfd => decoded.is_word(),
                    0xf8 => !decoded.is_word(),
                    low => low >= forbidden,
                };
            let fixed = decoded.base == BASE_SP || sfr || decoded.offset >= 0xfe20;
            let odd = decoded.is_word() && decoded.index_mask == 0 && fixed && low & 1 == 1;
            if !beyond && !odd {
                return (bytes, decoded);
            }
        }
    }

    fn bank(pair: &Pair<Chip<Rl78>>) -> usize {
        let psw = pair.register(PSW);
        usize::from(psw & PSW_BANK_0 != 0) + 2 * usize::from(psw & PSW_BANK_1 != 0)
    }

    fn set_pair(pair: &mut Pair<Chip<Rl78>>, number: u8, value: u32) {
        let index = 8 * Self::bank(pair) + 2 * usize::from(number);
        pair.set(index, value & 0xff);
        pair.set(index + 1, value >> 8 & 0xff);
    }

    fn pair_value(pair: &Pair<Chip<Rl78>>, number: u8) -> u32 {
        let index = 8 * Self::bank(pair) + 2 * usize::from(number);
        pair.register(index) | pair.register(index + 1) << 8
    }

    /// Makes the operand lie where both can reach it.
    fn aim(&self, pair: &mut Pair<Chip<Rl78>>, kind: usize, bytes: &mut [u8; 5], decoded: &Decoded, rng: &mut Rng) {
        let Kind { row, prefixed } = self.kinds[kind];
        let Some(mode) = mode(row) else { return };
        let reads_only = decoded.transfers().1 == 0;
        let step = if decoded.is_word() { 2 } else { 1 };
        let within = |(start, end): (u32, u32), rng: &mut Rng| start + rng.below((end - start) / step) * step;
        // The part of RAM below the stack, which calls may write, serves as well.
        let mut target = within(self.chip.ram, rng);
        let mut segment = 0x0f;
        if reads_only && rng.once_in(3) {
            target = within(self.chip.mirror, rng);
        } else if reads_only && decoded.far && rng.once_in(2) {
            segment = 0;
            target = within((0x100, FLASH - 0x200), rng);
        }
        if decoded.far {
            pair.set(ES, segment);
        }
        if mode == Mode::WordBc && decoded.far {
            // No carry into the upper bits of ES: there the simulator is wrong.
            let below = rng.below(target);
            Self::set_pair(pair, BC, below);
        }
        let bc = Self::pair_value(pair, BC);
        let index = bc >> decoded.index_shift & u32::from(decoded.index_mask);
        let operand = operand_at(row, prefixed);
        let word_at = |bytes: &mut [u8; 5], value: u32| {
            bytes[operand] = value as u8;
            bytes[operand + 1] = (value >> 8) as u8;
        };
        match mode {
            Mode::De | Mode::DeByte | Mode::Hl | Mode::HlByte | Mode::HlB | Mode::HlC => {
                let sum = u32::from(decoded.offset) + index;
                // Not below 0, and no carry into the upper bits of ES.
                Self::set_pair(pair, decoded.base, target.checked_sub(sum).unwrap_or((sum & 1) + target) & 0xffff);
            }
            Mode::WordBc => word_at(bytes, target.wrapping_sub(bc) & 0xffff),
            Mode::WordB | Mode::WordC => word_at(bytes, target.wrapping_sub(index) & 0xffff),
            Mode::Absolute => word_at(bytes, target),
            Mode::Saddr | Mode::Sfr | Mode::Psw | Mode::StackPointer | Mode::SpByte => {}
        }
    }

    /// A place for the flow to go to.
    fn somewhere(rng: &mut Rng) -> u32 {
        CODE.start + rng.below(CODE.end - CODE.start)
    }

    /// What else an instruction needs.
    fn prepare(&self, pair: &mut Pair<Chip<Rl78>>, kind: usize, bytes: &mut [u8; 5], decoded: &Decoded, rng: &mut Rng) {
        let address = pair.register(PC);
        let target = Self::somewhere(rng);
        match self.kinds[kind].row.operands.last() {
            // Behind itself, so that the flow does not leave the places of instructions.
            Some(Operand::Near) => bytes[usize::from(decoded.length) - 1] = rng.below(0x40) as u8,
            Some(Operand::Target20) => bytes[1..4].copy_from_slice(&target.to_le_bytes()[..3]),
            Some(Operand::Target16) => bytes[1..3].copy_from_slice(&target.to_le_bytes()[..2]),
            Some(Operand::Relative) => {
                let distance = target.wrapping_sub(address + 3);
                bytes[1..3].copy_from_slice(&distance.to_le_bytes()[..2]);
            }
            _ => {}
        }
        match decoded.op {
            Op::BrAx | Op::CallReg => {
                pair.set(CS, 0);
                Self::set_pair(pair, decoded.source, target);
            }
            Op::Ret | Op::Reti => {
                let stack = 0xf_0000 | pair.register(SPL) | pair.register(SPH) << 8;
                let psw = if decoded.op == Op::Reti { self.psw(rng) } else { 0 };
                pair.write(stack, &[target as u8, (target >> 8) as u8, 0, psw]);
            }
            Op::Mach | Op::Machu => {
                let [low, middle, high] = [(); 3].map(|()| rng.byte());
                pair.write(ACCUMULATOR, &[low, middle, high, high]);
            }
            Op::Divhu | Op::Divwu => {
                // Divisors of every size, zero among them.
                let width = rng.below(33);
                let divisor = if width == 0 { 0 } else { (rng.word() as u32) >> (32 - width) };
                Self::set_pair(pair, DE, divisor & 0xffff);
                if decoded.op == Op::Divwu {
                    Self::set_pair(pair, HL, divisor >> 16);
                }
            }
            _ => {}
        }
    }

    fn psw(&self, rng: &mut Rng) -> u8 {
        let banks = if self.chip.banks { 0 } else { (PSW_BANK_0 | PSW_BANK_1) as u8 };
        rng.byte() & !banks
    }
}

/// Returns the number of the first byte that is no part of the opcode.
fn operand_at(row: &Row, prefixed: bool) -> usize {
    let operand_bytes = row.pattern.mask.trailing_zeros() / 8;
    (row.pattern.bits / 8 - operand_bytes) as usize + usize::from(prefixed)
}

impl Generator<Chip<Rl78>> for Instructions {
    fn kinds(&self) -> Vec<String> {
        let name = |kind: &Kind| {
            let prefix = if kind.prefixed { "es: " } else { "" };
            format!("{prefix}{} {:?}", kind.row.mnemonic, kind.row.operands)
        };
        self.kinds.iter().map(name).collect()
    }

    fn memories(&self) -> Vec<Range<u32>> {
        let mut memories = vec![0xf_0000 + self.chip.ram.0..0xf_fee0, 0xf_ff00..0xf_fff0];
        if self.chip.multiplies {
            memories.push(ACCUMULATOR..ACCUMULATOR + 4);
        }
        memories
    }

    fn fill(&mut self, pair: &mut Pair<Chip<Rl78>>, rng: &mut Rng) {
        if !self.filled {
            self.filled = true;
            // No interrupt of the simulator's timer has a handler.
            let mut flash: Vec<u8> = (0..FLASH).map(|_| rng.byte()).collect();
            flash[0x2c..0x2e].fill(0);
            pair.write(0, &flash);
            let ram: Vec<u8> = (0xf_0000 + self.chip.ram.0..0xf_fef8).map(|_| rng.byte()).collect();
            pair.write(0xf_0000 + self.chip.ram.0, &ram);
            let registers: Vec<u8> = (0xf_ff00..0xf_fff0).map(|_| rng.byte()).collect();
            pair.write(0xf_ff00, &registers);
            if self.chip.multiplies {
                pair.write(ACCUMULATOR, &[0; 4]);
            }
        }
        let psw = self.psw(rng);
        pair.set(PSW, psw.into());
        for index in 0..if self.chip.banks { 32 } else { 8 } {
            pair.set(index, rng.byte().into());
        }
        pair.set(PC, Self::somewhere(rng));
        pair.set(SPL, STACK.start & 0xff);
        pair.set(SPH, STACK.start >> 8);
    }

    fn place(&mut self, pair: &mut Pair<Chip<Rl78>>, rng: &mut Rng) -> Placed {
        let kind = self.next_kind(rng);
        let address = pair.register(PC);
        let address = if CODE.contains(&address) {
            address
        } else {
            let address = Self::somewhere(rng);
            pair.set(PC, address);
            address
        };
        let stack = pair.register(SPL) | pair.register(SPH) << 8;
        if !STACK.contains(&stack) || stack & 1 == 1 {
            let stack = STACK.start + 2 * rng.below((STACK.end - STACK.start) / 2);
            pair.set(SPL, stack & 0xff);
            pair.set(SPH, stack >> 8);
        }
        if rng.once_in(4) {
            let bank = Self::bank(pair);
            pair.set(8 * bank + rng.below(8) as usize, rng.byte().into());
        }
        let (mut bytes, decoded) = self.bytes(kind, address, rng);
        self.aim(pair, kind, &mut bytes, &decoded, rng);
        self.prepare(pair, kind, &mut bytes, &decoded, rng);
        let mut code = bytes[..usize::from(decoded.length)].to_vec();
        if decoded.op == Op::Skip {
            let skipped = rng.below(self.kinds.len() as u32) as usize;
            let (more, behind) = self.bytes(skipped, address + 2, rng);
            code.extend(&more[..usize::from(behind.length)]);
        }
        pair.write(address, &code);
        let mut ignored = vec![(PSW, PSW_AC), (ES, 0xf0), (CS, 0xf0), (SPL, 1)];
        if !self.chip.banks {
            ignored.push((PSW, PSW_BANK_0 | PSW_BANK_1));
        }
        match decoded.op {
            Op::AddSp => ignored.push((PSW, PSW_Z | PSW_CY)),
            Op::Movs | Op::Cmps | Op::Mach => ignored.push((PSW, PSW_CY)),
            _ => {}
        }
        // Where the auxiliary carry is an operand it is compared.
        if matches!(decoded.op, Op::MovReg | Op::Nop | Op::Reti | Op::Machu) {
            ignored.remove(0);
        }
        Placed { kind: Some(kind), code, ignored, clocks: true, ..Placed::default() }
    }
}
