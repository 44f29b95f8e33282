//! openMSP430, a core of the MSP430's instruction set, beside its own RTL.

use crate::chip::{words, Chip, Family};
use crate::layout;
use crate::protocol::{Layout, Reference};
use crate::rng::Rng;
use crate::stream::{Asked, Outcome, Pair};
use crate::traced::images::Called;
use crate::traced::{compare, traced};
use serde_json::json;
use std::ops::Range;
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::msp430;
use steelyard_emu::msp430::cpu::Cpu;
use steelyard_emu::msp430::isa::{Feature, Op, Operand, Row, Size, ROWS};
use steelyard_emu::{emulated::Emulated, Description, Error};

/// A core of which the program counter and the clocks are seen; a program stores the other registers at its end.
pub struct Traced;

impl Family for Traced {
    type Cpu = Cpu<Immediate>;
    const LAYOUT: Layout = layout!(little; 4: "pc" 0);

    fn chip(description: &Description) -> Result<Emulated<Self::Cpu>, Error> {
        msp430::chip(description, Immediate)
    }

    fn register(cpu: &Self::Cpu, _: usize) -> u32 {
        cpu.registers[PC as usize]
    }

    fn set_register(cpu: &mut Self::Cpu, _: usize, value: u32) {
        cpu.registers[PC as usize] = value;
    }
}

const PC: u16 = 0;
const SP: u16 = 1;
const SR: u16 = 2;
const CG: u16 = 3;
/// `jmp $`
const IDLE: u16 = 0x3fff;
/// `mov #N, Rn`, without the register; the number follows.
const LOAD: u16 = 0x4030;
/// `mov Rn, &EDE` and `mov &EDE, Rn`, without the register; the address follows.
const STORE_AT: u16 = 0x4082;
const LOAD_FROM: u16 = 0x4210;
/// `mov @sp+, Rn`, without the register: of the program counter, `ret`.
const POP: u16 = 0x4130;

impl Called for Traced {
    const CALLER: Range<u32> = 0xff80..0xfff0;

    fn caller(cpu: &Self::Cpu, stack_pointer: u32, function: u32) -> (Vec<u8>, usize, Vec<u8>) {
        let numbered = || [SP, SR].into_iter().chain(4..16);
        let value = |register| if register == SP { stack_pointer } else { cpu.registers[usize::from(register)] };
        let mut code: Vec<u16> = numbered().flat_map(|register| [LOAD | register, value(register) as u16]).collect();
        // `call #N`
        code.extend([0x12b0, function as u16]);
        (bytes(&code), numbered().count(), bytes(&[IDLE]))
    }
}

fn bytes(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

const MEMORY: Range<u32> = 0x0200..0x4200;
const CODE_MEMORY: Range<u32> = 0x5c00..0x1_0000;
const CODE: u32 = 0x8000;
/// Where a program finds its registers and leaves them, by twice their number.
const REGISTERS: u16 = 0x0300;
/// What is filled before a program; its operands.
const DATA: Range<u32> = 0x0400..0x0c00;
/// Where a decimal operand lies, below the others.
const DECIMAL: u16 = 0x0380;
const STACK: Range<u32> = 0x2f00..0x3000;
/// The stack pointer between units: what lies above it may be read too.
const TOP: u16 = 0x2f80;
const COMPARED: [Range<u32>; 2] = [0x0300..DATA.end, STACK];
const MULTIPLIER: u32 = 0x0130;
/// Carry, zero, negative and overflow.
const FLAGS: u32 = 0x107;
const UNITS: usize = 500;

/// What is made next: an instruction that goes on behind itself, or several that come back there.
#[derive(Clone, Copy)]
enum Unit {
    Row(&'static Row),
    /// `mov`, with the program counter as its destination.
    Branch,
    /// What changes the status register or the stack pointer, which no other unit has as a destination.
    Special,
    Multiply,
}

/// `bic` and `bis` of one flag in the status register; `add #2, sp` and `sub #2, sp`.
const SPECIAL: [u16; 8] = [0xc312, 0xc322, 0xc222, 0xd312, 0xd322, 0xd222, 0x5321, 0x8321];

impl Unit {
    fn all() -> Vec<Unit> {
        let rows = ROWS.iter().filter(|row| row.feature == Feature::Base).map(Unit::Row);
        rows.chain([Unit::Branch, Unit::Special, Unit::Multiply]).collect()
    }

    fn name(self) -> String {
        match self {
            Unit::Row(row) => row.mnemonic.into(),
            Unit::Branch => "br".into(),
            Unit::Special => "special".into(),
            Unit::Multiply => "multiplier".into(),
        }
    }
}

/// An operand as an instruction has it: mode, register, and the word of its own.
#[derive(Clone, Copy)]
struct Chosen {
    mode: u16,
    register: u16,
    own: Option<Own>,
}

#[derive(Clone, Copy)]
enum Own {
    Word(u16),
    /// An address, which the program counter is taken from.
    Relative(u16),
}

struct Program {
    rng: Rng,
    code: Vec<u16>,
    /// A register that the instruction needs as it is.
    taken: Option<u16>,
}

impl Program {
    fn here(&self) -> u16 {
        CODE as u16 + 2 * self.code.len() as u16
    }

    fn load(&mut self, register: u16, value: u16) {
        self.code.extend([LOAD | register, value]);
    }

    /// Writes a number to memory.
    fn store(&mut self, value: u16, address: u16) {
        let register = self.general();
        self.load(register, value);
        self.code.extend([STORE_AT | register << 8, address]);
    }

    fn general(&mut self) -> u16 {
        loop {
            let register = 4 + self.rng.below(12) as u16;
            if self.taken != Some(register) {
                return register;
            }
        }
    }

    /// An address of data; of what is only read, in the memory of code too.
    fn address(&mut self, size: Size, read_only: bool) -> u16 {
        let memory = if read_only && self.rng.once_in(4) { CODE_MEMORY } else { DATA };
        let address = memory.start + self.rng.below(memory.end - memory.start - 2);
        (if size == Size::Byte { address } else { address & !1 }) as u16
    }

    /// A place in memory, of a mode from indexed to autoincrement, that has this address.
    fn at(&mut self, address: u16, modes: u32, from_stack: bool) -> Chosen {
        let mode = 1 + self.rng.below(modes) as u16;
        match (mode, self.rng.below(4)) {
            (1, 0) => return Chosen { mode, register: PC, own: Some(Own::Relative(address)) },
            (1, 1) => return Chosen { mode, register: SR, own: Some(Own::Word(address)) },
            (1, 2) if from_stack => {
                return Chosen { mode, register: SP, own: Some(Own::Word(address.wrapping_sub(TOP))) }
            }
            _ => {}
        }
        let register = self.general();
        let index = if mode == 1 { self.rng.word() as u16 } else { 0 };
        self.load(register, address.wrapping_sub(index));
        self.taken = Some(register);
        Chosen { mode, register, own: (mode == 1).then_some(Own::Word(index)) }
    }

    /// A register, one of its special ones, or a constant of the generator.
    fn register(&mut self) -> Chosen {
        match self.rng.below(8) {
            0 => Chosen { mode: 0, register: self.rng.below(2) as u16, own: None },
            1 => Chosen { mode: 2 + self.rng.bit() as u16, register: SR, own: None },
            2 => Chosen { mode: self.rng.below(4) as u16, register: CG, own: None },
            3 => Chosen { mode: 0, register: SR, own: None },
            _ => Chosen { mode: 0, register: self.general(), own: None },
        }
    }

    fn source(&mut self, size: Size) -> Chosen {
        match self.rng.below(6) {
            0 | 1 => self.register(),
            2 => {
                let number = self.rng.value() as u16;
                Chosen { mode: 3, register: PC, own: Some(Own::Word(number)) }
            }
            _ => {
                let address = self.address(size, true);
                self.at(address, 3, true)
            }
        }
    }

    fn destination(&mut self, row: &Row) -> Chosen {
        if self.rng.once_in(2) {
            let address = self.address(row.op.size, row.op.op.only_compares());
            return self.at(address, 1, true);
        }
        Chosen { mode: 0, register: self.general(), own: None }
    }

    /// Appends an instruction and the words of its operands.
    fn emit(&mut self, instruction: u16, operands: &[Chosen]) {
        self.code.push(instruction);
        for own in operands.iter().filter_map(|operand| operand.own) {
            let word = match own {
                Own::Word(word) => word,
                Own::Relative(address) => address.wrapping_sub(self.here()),
            };
            self.code.push(word);
        }
    }

    /// An instruction of one operand, without its opcode.
    fn one(operand: Chosen) -> u16 {
        operand.mode << 4 | operand.register
    }

    fn row(&mut self, row: &Row) {
        let opcode = row.pattern.value as u16;
        match (row.operands, row.op.op) {
            ([Operand::JumpTarget], _) => {
                let over = self.rng.below(4) as u16;
                self.code.push(opcode | over);
                for _ in 0..over {
                    // `inv Rn`
                    let register = self.general();
                    self.code.push(0xe330 | register);
                }
            }
            (_, Op::Reti) => {
                let flags = (self.rng.word() as u32 & FLAGS) as u16;
                let [pushed, target] = [self.general(), self.here() + 14];
                self.load(pushed, target);
                // `push Rn`; `push #N`
                self.code.extend([0x1200 | pushed, 0x4030 | pushed, flags, 0x1200 | pushed, opcode]);
                debug_assert_eq!(self.here(), target);
            }
            (_, Op::Call) => self.call(opcode),
            (_, Op::Push) => {
                let source = self.source(row.op.size);
                self.emit(opcode | Self::one(source), &[source]);
                self.taken = None;
                let register = self.general();
                self.code.push(POP | register);
            }
            ([Operand::Single], _) => {
                let place = if self.rng.once_in(2) {
                    Chosen { mode: 0, register: self.general(), own: None }
                } else {
                    let address = self.address(row.op.size, false);
                    self.at(address, 3, true)
                };
                self.emit(opcode | Self::one(place), &[place]);
            }
            (_, op) => {
                let (mut source, destination) = match op {
                    Op::Dadd | Op::DaddByte => self.digits(),
                    _ => (self.source(row.op.size), self.destination(row)),
                };
                if (source.mode, source.register, destination.mode) == (0, PC, 1) {
                    // Where the program counter points to while an instruction of several words runs is left open.
                    source.register = 4;
                }
                let fields = source.register << 8 | destination.mode << 7 | source.mode << 4 | destination.register;
                self.emit(opcode | fields, &[source, destination]);
                if matches!(op, Op::Dadd | Op::DaddByte) {
                    // `bic #100h, sr`: the overflow of decimal digits is left open.
                    self.code.extend([0xc032, 0x100]);
                }
            }
        }
    }

    /// Operands of decimal digits; what becomes of others is left open.
    fn digits(&mut self) -> (Chosen, Chosen) {
        let mut number = || (0..4).fold(0, |number, _| number << 4 | self.rng.below(10) as u16);
        let [first, second] = [number(), number()];
        let in_memory = self.rng.bit() == 1;
        let source = self.holding(first);
        self.taken = Some(source.register);
        if in_memory {
            self.store(second, DECIMAL);
            return (source, self.at(DECIMAL, 1, true));
        }
        let register = self.general();
        self.load(register, second);
        (source, Chosen { mode: 0, register, own: None })
    }

    /// An operand of any mode that has this value. Whether `call` takes an index from the stack pointer before or behind
    /// its push is not the same on this core and in the guide.
    fn holding(&mut self, value: u16) -> Chosen {
        match self.rng.below(3) {
            0 => Chosen { mode: 3, register: PC, own: Some(Own::Word(value)) },
            1 => {
                let register = self.general();
                self.load(register, value);
                Chosen { mode: 0, register, own: None }
            }
            _ => {
                let address = self.address(Size::Word, false);
                self.store(value, address);
                self.at(address, 3, false)
            }
        }
    }

    /// Places what follows at an address: as many words as it takes to get there, behind a jump over them.
    fn reach(&mut self, target: u16) {
        while self.here() < target {
            self.code.push(IDLE);
        }
    }

    /// `call`; the function is a return.
    fn call(&mut self, opcode: u16) {
        let function = self.here() + 24;
        let target = self.holding(function);
        self.emit(opcode | Self::one(target), &[target]);
        // `jmp` over the function.
        let over = (function - self.here()) / 2;
        self.code.push(0x3c00 | over);
        self.reach(function);
        self.code.push(POP | PC);
    }

    fn branch(&mut self) {
        let behind = self.here() + 24;
        let target = self.holding(behind);
        self.emit(0x4000 | target.register << 8 | target.mode << 4 | PC, &[target]);
        self.reach(behind);
    }

    /// The first operand at the address of a mode, the second one, the results.
    fn multiply(&mut self) {
        let [first, second] = [self.general(), self.general()];
        let mode = MULTIPLIER as u16 + 2 * self.rng.below(4) as u16;
        self.code.extend([STORE_AT | first << 8, mode, STORE_AT | second << 8, MULTIPLIER as u16 + 8]);
        for result in 0..3 {
            let register = self.general();
            self.code.extend([LOAD_FROM | register, MULTIPLIER as u16 + 10 + 2 * result]);
        }
    }

    /// Registers from memory, units, and the registers to memory.
    fn draw(&mut self, units: &[Unit], outcome: &mut Outcome) {
        self.code.clear();
        let saved = || [SR].into_iter().chain(4..16);
        self.load(SP, TOP);
        // What is accumulated begins at 0 everywhere: `mov #0, &MPY`, `mov #0, &OP2`.
        self.code.extend([0x4382, MULTIPLIER as u16, 0x4382, MULTIPLIER as u16 + 8]);
        self.code.extend(saved().flat_map(|register| [LOAD_FROM | register, REGISTERS + 2 * register]));
        for _ in 0..UNITS {
            self.taken = None;
            let number = self.rng.below(units.len() as u32) as usize;
            match units[number] {
                Unit::Row(row) => self.row(row),
                Unit::Branch => self.branch(),
                Unit::Special => {
                    let instruction = *self.rng.pick(&SPECIAL);
                    self.code.push(instruction);
                }
                Unit::Multiply => self.multiply(),
            }
            outcome.executions[number].1 += 1;
            if matches!(units[number], Unit::Special) {
                self.load(SP, TOP);
            }
        }
        self.code.extend(saved().flat_map(|register| [STORE_AT | register << 8, REGISTERS + 2 * register]));
        // The last store is done by then.
        self.code.push(0x4303);
    }
}

/// Compares programs, instruction by instruction, until so many were executed; the first difference ends that.
pub fn run(asked: &Asked, reference: &mut dyn Reference) -> Result<Outcome, String> {
    let memory = |name: &str, kind: &str, range: &Range<u32>| json!({"name": name, "space": "data", "kind": kind, "base": range.start, "size": range.end - range.start});
    let description = json!({
        "core": asked.catalogue.core(asked.name)?,
        "memory": [memory("io", "io", &(0..0x200)), memory("ram", "ram", &MEMORY), memory("code", "flash", &CODE_MEMORY)],
        "core_options": {"multiplier_address": MULTIPLIER},
        "clock_hz": 1_000_000,
    });
    let chip = Chip::<Traced>::new(&Description::from_json(&description.to_string()).map_err(words)?)?;
    let mut pair = Pair::new(chip, Traced::LAYOUT);
    let mut program = Program { rng: Rng::new(asked.seed), code: Vec::new(), taken: None };
    let units = Unit::all();
    let mut outcome = Outcome::of(units.iter().map(|unit| unit.name()));
    while outcome.instructions < asked.instructions && outcome.difference.is_none() {
        program.draw(&units, &mut outcome);
        let end = u32::from(program.here());
        pair.write(CODE, &bytes(&[&program.code[..], &[IDLE]].concat()));
        let data: Vec<u8> = DATA.map(|_| program.rng.word() as u8).collect();
        pair.write(DATA.start, &data);
        for register in 4..16 {
            let value = program.rng.value() as u16;
            pair.write(u32::from(REGISTERS + 2 * register), &value.to_le_bytes());
        }
        let flags = (program.rng.word() as u32 & FLAGS) as u16;
        pair.write(u32::from(REGISTERS + 2 * SR), &flags.to_le_bytes());
        pair.set(0, CODE);
        let ours = traced(&mut pair.subject, end)?;
        outcome.instructions += ours.len() as u64;
        outcome.difference = compare(&mut pair, CODE, &ours, &COMPARED, reference)?;
    }
    Ok(outcome)
}
