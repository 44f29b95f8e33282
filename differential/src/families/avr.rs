//! AVR beside simavr, from the rows of the emulator's instruction set.
//!
//! Every instruction is placed at the program counter just before it runs, so that operands can be chosen in
//! sight of the state: pointers lie in memory, jumps lead into the flash, returns find an address on the stack.
//! Whatever the next instruction cannot use as it is gets set in both machines alike.

use super::Entry;
use crate::chip::{words, Target};
use crate::images::{Beside, Call, Compiled, Go, Start};
use crate::layout;
use crate::protocol::{Layout, Reference, Until};
use crate::references::simavr;
use crate::rng::Rng;
use crate::rows;
use crate::stream::{self, Asked, Following, Generator, Outcome, Pair, Placed, Stream, Subject};
use std::ops::Range;
use steelyard_emu::avr::isa::{Code, Op, Operand, Row, ROWS, RUNS};
use steelyard_emu::avr::program::{Program, MAX_WORDS};
use steelyard_emu::avr::{self, abi, Avr};
use steelyard_emu::observe::Nothing;
use steelyard_emu::processor::Exit;
use steelyard_emu::profile::Class;
use steelyard_emu::{FaultKind, Machine};

/// Chips of the catalogue that simavr knows.
pub const FAMILY: Entry =
    Entry::new::<Emulator>("avr", &[stream("atmega128"), stream("atmega328p"), stream("attiny45"), stream("atmega2560")]);

const fn stream(name: &'static str) -> Stream {
    Stream {
        name,
        layout: LAYOUT,
        reference: |name| simavr::start(name, 0, 1),
        run: |asked, reference| {
            let Asked { seed, instructions, .. } = *asked;
            let target = asked.catalogue.target(asked.name)?;
            let outcome = steps(&target, seed, instructions, reference)?;
            if outcome.difference.is_some() {
                return Ok(outcome);
            }
            let programs = programs(&target, seed, instructions.div_ceil(INSTRUCTIONS_PER_PROGRAM), reference)?;
            Ok(Outcome { difference: programs.difference, ..outcome })
        },
    }
}

/// So many steps of the random stream for each program that then runs at full speed.
const INSTRUCTIONS_PER_PROGRAM: u64 = 1_000;
/// Words of a program that runs at full speed, and for how many cycles at most.
const PROGRAM_WORDS: u32 = 256;
const PROGRAM_CYCLES: u32 = 512;
/// Words left free at the end of the flash, so that an instruction and its successor fit.
const FLASH_MARGIN_WORDS: u32 = 8;
/// Bytes of RAM kept free around the stack pointer.
const STACK_MARGIN_BYTES: u16 = 16;
/// Data address of the stack pointer on every core simavr knows; its high byte and SREG follow.
const SPL: u16 = 0x5D;
const SPH: u16 = SPL + 1;
/// Where linkers put the data space.
pub const DATA: u32 = 0x80_0000;
/// simavr gets RAM up to the end of the data space, so that it has the lab memory too.
const ALL_RAM: u16 = 0xFFFF;

const LAYOUT: Layout = layout!(little;
    1: "r0" 0, "r1" 1, "r2" 2, "r3" 3, "r4" 4, "r5" 5, "r6" 6, "r7" 7, "r8" 8, "r9" 9, "r10" 10, "r11" 11, "r12" 12,
    "r13" 13, "r14" 14, "r15" 15, "r16" 16, "r17" 17, "r18" 18, "r19" 19, "r20" 20, "r21" 21, "r22" 22, "r23" 23,
    "r24" 24, "r25" 25, "r26" 26, "r27" 27, "r28" 28, "r29" 29, "r30" 30, "r31" 31, "sreg" 32; 2: "sp" 33; 4: "pc" 34);
pub const SREG: usize = 32;
pub const SP: usize = 33;
pub const PC: usize = 34;

/// The emulator, stepped one instruction at a time.
pub struct Emulator(Avr);

impl Emulator {
    fn new(target: &Target) -> Result<Self, String> {
        avr::chip(&target.description()?).map(Self).map_err(words)
    }
}

impl Subject for Emulator {
    fn register(&self, index: usize) -> u32 {
        let cpu = self.0.processor();
        match index {
            SREG => cpu.sreg.into(),
            SP => cpu.sp.into(),
            PC => self.pc(),
            number => cpu.registers[number].into(),
        }
    }

    fn set_register(&mut self, index: usize, value: u32) {
        let cpu = self.0.processor_mut();
        match index {
            SREG => cpu.sreg = value as u8,
            SP => cpu.sp = value as u16,
            PC => cpu.pc = (value / 2) as u16,
            number => cpu.registers[number] = value as u8,
        }
    }

    fn pc(&self) -> u32 {
        u32::from(self.0.processor().pc) * 2
    }

    fn read(&self, address: u32, length_bytes: u32) -> Vec<u8> {
        let (bytes, start) = match address.checked_sub(DATA) {
            Some(address) => (self.0.processor().bus.bytes(), address as usize),
            None => (self.0.processor().program.bytes(), address as usize),
        };
        bytes[start..start + length_bytes as usize].to_vec()
    }

    fn write(&mut self, address: u32, bytes: &[u8]) {
        let cpu = self.0.processor_mut();
        let Some(address) = address.checked_sub(DATA) else {
            cpu.program.write(address as usize, bytes);
            return;
        };
        for (address, byte) in (address as u16..).zip(bytes) {
            assert!(cpu.set_datum(address, *byte), "data address {address:#06x} cannot be set");
        }
    }

    fn step(&mut self) -> Result<(), String> {
        let cpu = self.0.processor_mut();
        match cpu.run(&mut Nothing, cpu.cycles + 1) {
            // SLEEP is complete when it ends a run, and the next step goes on behind it.
            Exit::Trap(trap) if trap.kind != FaultKind::Sleep => Err(format!("{} at {:x?}", trap.kind.name(), trap.address)),
            _ => Ok(()),
        }
    }

    fn run_to(&mut self, address: u32) -> Result<(), String> {
        while self.pc() != address {
            self.step()?;
        }
        Ok(())
    }

    fn clocks(&self) -> u64 {
        self.0.processor().cycles
    }
}

impl Compiled for Emulator {
    const EXACT: bool = true;
    const DATA: u32 = DATA;
    const BESIDE: &'static [Start] =
        &[|target| beside(target, "simavr", 1), |target| beside(target, "simavr in long bursts", 1_000_000)];

    fn load(target: &Target, image: &[u8]) -> Result<Self, String> {
        let mut emulator = Self::new(target)?;
        emulator.0.load_elf(image).map_err(words)?;
        let cpu = emulator.0.processor_mut();
        // The image's own limit is checked by the call the comparison ends with.
        cpu.stack_limit = 0;
        let code_end = code_bytes(&cpu.program);
        if cpu.program.bytes()[code_end - CALL_SITE_BYTES..code_end].iter().any(|byte| *byte != 0xFF) {
            return Err("the image leaves no room for a call at the end of the flash, or of its first 128 KB".into());
        }
        Ok(emulator)
    }

    /// Also the I/O registers, to which simavr's peripherals gave values.
    fn initial(target: &Target) -> Vec<Range<u32>> {
        let io_end = target.memories(&["io"]).iter().map(|io| io.end).max().unwrap_or_default();
        [target.memories(&["flash"]), data_behind_registers(io_end).into()].concat()
    }

    /// The whole data space behind the registers; SP and SREG, which the CPU holds, are registers here.
    fn written(_: &Target) -> Vec<Range<u32>> {
        data_behind_registers(u32::from(ALL_RAM) + 1).into()
    }

    /// The return address lies where each of them had the call.
    fn alike(ram: Range<u32>, _: u32, sp: u32) -> Vec<Range<u32>> {
        if ram.contains(&sp) {
            vec![ram.start..sp - 1, sp + 1..ram.end]
        } else {
            vec![ram]
        }
    }

    fn stack_pointer(&self) -> u32 {
        self.0.processor().sp.into()
    }

    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), String> {
        self.0.set_stack_pointer(pointer).map_err(words)
    }

    /// Writes the call a compiler would use, CALL where the core has it, where code ends.
    fn enter(pair: &mut Pair<Self>, function: u32, call: &Call) -> Result<u32, String> {
        let placement = abi::place(&call.arguments()).map_err(words)?;
        if !placement.stack.is_empty() {
            return Err(format!("{}: more arguments than registers", call.function));
        }
        let row = |op: Op| ROWS[op as usize].fixed_bits().1;
        let code_end = code_bytes(&pair.subject.0.processor().program);
        let start = (code_end - CALL_SITE_BYTES) as u32;
        let code = if code_end > 0x2000 {
            vec![row(Op::Call), (function / 2) as u16]
        } else {
            vec![row(Op::Rcall) | (function / 2).wrapping_sub(start / 2 + 1) as u16 & 0x0FFF]
        };
        let code: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
        pair.write(start, &code);
        // The compiler's zero register.
        pair.set(1, 0);
        for (register, value) in placement.registers {
            pair.set(register, value.into());
        }
        pair.set(PC, start);
        Ok(start + code.len() as u32)
    }
}

/// Bytes of flash in which instructions may lie.
fn code_bytes(program: &Program) -> usize {
    program.bytes().len().min(2 * MAX_WORDS)
}

/// Room for the planted call where code ends, and what stands behind it where speed is measured.
const CALL_SITE_BYTES: usize = 8;
const SLEEP: &[u8] = &[0x88, 0x95];

fn beside(target: &Target, name: &'static str, burst_cycles: u64) -> Result<Beside, String> {
    let placed = Placed { clocks: true, ..Placed::default() };
    Ok(Beside {
        name,
        reference: simavr::start(&target.id, ALL_RAM, burst_cycles)?,
        layout: LAYOUT,
        how: Following { every_instructions: Some(1), placed },
        stack: true,
        go: Go::Breakpoint(SLEEP, None),
    })
}

fn data_behind_registers(end: u32) -> [Range<u32>; 2] {
    let spl = u32::from(SPL);
    [DATA + 0x20..DATA + spl, DATA + spl + 3..DATA + end]
}

/// What the generator must know of a chip.
struct Chip {
    /// Words in which instructions may lie.
    flash_words: u32,
    ram: Range<u16>,
    /// Data addresses of I/O registers behind which simavr has no peripheral.
    plain_io: Vec<u16>,
    rampz: Option<u16>,
    eind: Option<u16>,
    flash_bytes: u32,
    /// Rows of the instruction table the core executes.
    rows: Vec<&'static Row>,
}

impl Chip {
    fn new(emulator: &Emulator, target: &Target) -> Result<Self, String> {
        let cpu = emulator.0.processor();
        let core = cpu.program.core();
        let own = |ram: &Range<u32>| ram.contains(&u32::from(cpu.sp));
        let ram = target.memories(&["ram"]).into_iter().find(own).ok_or_else(|| format!("{}: it has no RAM", target.id))?;
        // Behind neither machine's back: no peripheral in simavr, no memory controller in the emulator.
        let controllers = [cpu.nvm.options.eecr, cpu.nvm.options.spmcsr];
        let mut plain_io = simavr::plain_io(&target.id)?;
        plain_io.retain(|address| !controllers.contains(&Some(*address)));
        Ok(Self {
            flash_words: (code_bytes(&cpu.program) / 2) as u32,
            flash_bytes: cpu.program.bytes().len() as u32,
            ram: ram.start as u16..ram.end as u16,
            plain_io,
            rampz: core.address.rampz,
            eind: core.address.eind,
            rows: ROWS.iter().filter(|row| core.cycles[row.op as usize].is_some()).collect(),
        })
    }
}

/// Runs single random instructions of a chip; the first difference ends it.
pub fn steps(
    target: &Target,
    seed: u64,
    instructions: u64,
    reference: &mut dyn Reference,
) -> Result<Outcome, String> {
    let emulator = Emulator::new(target)?;
    let mut generator = Instructions { chip: Chip::new(&emulator, target)?, shared: false };
    stream::run(&mut Pair::new(emulator, LAYOUT), &mut generator, reference, seed, instructions)
}

/// Programs of random instructions that both machines run at full speed, compared at the end of each: the
/// emulator executes runs of instructions at one go, which a stream of single steps never shows.
pub fn programs(target: &Target, seed: u64, programs: u64, reference: &mut dyn Reference) -> Result<Outcome, String> {
    let emulator = Emulator::new(target)?;
    let mut instructions = Instructions { chip: Chip::new(&emulator, target)?, shared: false };
    let mut rng = Rng::new(seed);
    let mut pair = Pair::new(emulator, LAYOUT);
    let mut outcome = Outcome::of(instructions.kinds());
    let memories = instructions.memories();
    for _ in 0..programs {
        instructions.fill(&mut pair, &mut rng);
        let rows = instructions.place_program(&mut pair, &mut rng);
        let cycles = 1 + rng.below(PROGRAM_CYCLES);
        let placed = Placed { clocks: true, ..Placed::default() };
        pair.run(placed, Until::Clocks(cycles), |emulator| {
            let cpu = emulator.0.processor_mut();
            let limit = cpu.cycles + u64::from(cycles);
            match cpu.run(&mut Nothing, limit) {
                Exit::Limit => Ok(()),
                exit => Err(format!("{exit:?}")),
            }
        });
        outcome.difference = pair.catch_up(reference, &memories)?;
        if outcome.difference.is_some() {
            break;
        }
        for row in rows {
            let known = instructions.chip.rows.iter().zip(&mut outcome.executions);
            known.filter(|(known, _)| known.op == row.op).for_each(|(_, (_, count))| *count += 1);
        }
    }
    Ok(outcome)
}

/// Draws from the rows of a chip.
struct Instructions {
    chip: Chip,
    /// Whether the reference has the emulator's memories.
    shared: bool,
}

impl Generator<Emulator> for Instructions {
    fn kinds(&self) -> Vec<String> {
        self.chip.rows.iter().map(|row| row.time()).collect()
    }

    fn memories(&self) -> Vec<Range<u32>> {
        data_behind_registers(self.chip.ram.end.into()).into()
    }

    fn fill(&mut self, pair: &mut Pair<Emulator>, rng: &mut Rng) {
        if !self.shared {
            self.shared = true;
            // Also the values that simavr's peripherals gave their registers: none of them is touched.
            let flash = 0..self.chip.flash_bytes;
            pair.share_memories(&[std::slice::from_ref(&flash), &self.memories()].concat());
        }
        let ram: Vec<u8> = self.chip.ram.clone().map(|_| rng.byte()).collect();
        pair.write(DATA + u32::from(self.chip.ram.start), &ram);
        (0..32).for_each(|register| pair.set(register, rng.byte().into()));
        pair.set(PC, self.target(rng) * 2);
        pair.set(SREG, u32::from(rng.word() as u8));
        pair.set(SP, self.stack_pointer(rng).into());
    }

    fn place(&mut self, pair: &mut Pair<Emulator>, rng: &mut Rng) -> Placed {
        let number = rng.below(self.chip.rows.len() as u32) as usize;
        let code = self.make(pair, self.chip.rows[number], rng);
        Placed { kind: Some(number), code, clocks: true, ..Placed::default() }
    }
}

/// The first word of an instruction with another number in an operand's bits.
fn set(code: &mut Code, operand: Operand, number: u32) {
    code.first = rows::with(code.first.into(), operand.field(), number) as u16;
}

/// The bytes of an instruction of a row.
fn bytes(row: &Row, code: Code) -> Vec<u8> {
    [code.first, code.second].iter().take(row.words().into()).flat_map(|word| word.to_le_bytes()).collect()
}

/// The register pair an operand points with, and whether it changes the pair.
fn pointer(operand: Operand) -> Option<(usize, Step)> {
    Some(match operand {
        Operand::X => (26, Step::None),
        Operand::XInc => (26, Step::After),
        Operand::XDec => (26, Step::Before),
        Operand::YDisplaced => (28, Step::None),
        Operand::YInc => (28, Step::After),
        Operand::YDec => (28, Step::Before),
        Operand::Z | Operand::ZDisplaced => (30, Step::None),
        Operand::ZInc => (30, Step::After),
        Operand::ZDec => (30, Step::Before),
        _ => return None,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    None,
    Before,
    After,
}

/// The first of the registers that an operand names, and their number.
fn registers(operand: Operand, code: Code) -> Option<(usize, usize)> {
    let first = operand.number(code) as usize;
    Some(match operand {
        Operand::RdPair | Operand::RrPair | Operand::RdWord => (first, 2),
        Operand::Rd | Operand::RdHigh | Operand::RdMiddle | Operand::Stored => (first, 1),
        Operand::Rr | Operand::RrHigh | Operand::RrMiddle => (first, 1),
        _ => return None,
    })
}

impl Instructions {
    /// Writes the instruction at the program counter, with operands it can execute.
    fn make(&self, pair: &mut Pair<Emulator>, row: &'static Row, rng: &mut Rng) -> Vec<u8> {
        let mut code = draw(row, rng);
        if pair.register(PC) / 2 >= self.chip.flash_words - FLASH_MARGIN_WORDS {
            pair.set(PC, self.target(rng) * 2);
        }
        if rng.once_in(4) {
            pair.set(SREG, u32::from(rng.word() as u8));
        }
        if rng.once_in(2) {
            freshen(pair, row, code, rng);
        }
        for operand in row.operands {
            self.prepare(pair, row, *operand, &mut code, rng);
        }
        match row.op {
            Op::Ijmp | Op::Icall | Op::Eijmp | Op::Eicall => {
                set_pair(pair, 30, self.target(rng) as u16);
                if let Some(eind) = self.chip.eind {
                    pair.write(DATA + u32::from(eind), &[0]);
                }
            }
            Op::Lpm | Op::LpmZ | Op::LpmZInc => {
                let bytes = (self.chip.flash_words * 2).min(0x1_0000);
                set_pair(pair, 30, rng.below(bytes) as u16);
            }
            Op::Elpm | Op::ElpmZ | Op::ElpmZInc => self.aim_elpm(pair, rng),
            _ => {}
        }
        if matches!(row.class, Class::Call | Class::Return | Class::Stack) {
            self.settle_stack(pair, row, rng);
        }
        let own = bytes(row, code);
        // What a skip may jump over: an instruction of one or two words.
        let successor = *rng.pick(&self.chip.rows);
        let behind = bytes(successor, draw(successor, rng));
        let more = (rng.word() as u16).to_le_bytes();
        pair.write(pair.register(PC), &[&own[..], &behind, &more].concat());
        own
    }

    /// Gives an operand a number, or what it names a value, with which the instruction can be executed.
    fn prepare(&self, pair: &mut Pair<Emulator>, row: &Row, operand: Operand, code: &mut Code, rng: &mut Rng) {
        match operand {
            Operand::Branch | Operand::RelativeJump => set(code, operand, self.distance(operand, pair.register(PC), rng)),
            Operand::Jump => code.second = self.target(rng) as u16,
            Operand::DataAddress => code.second = self.address(row.class == Class::Store, true, rng),
            Operand::IoLow => set(code, operand, u32::from(self.io(0x20, rng)) - 0x20),
            Operand::Io => {
                let address = self.io(0x40, rng);
                set(code, operand, u32::from(address) - 0x20);
                if row.op == Op::Out {
                    self.keep_valid(pair, address, Operand::Stored.number(*code) as usize);
                }
            }
            _ => {}
        }
        let Some((base, step)) = pointer(operand) else { return };
        if step != Step::None {
            // Loading or storing the pointer that is being changed is undefined (DS40002198, LD and ST).
            while Operand::Rd.number(*code) as usize & 0x1E == base {
                set(code, Operand::Rd, rng.below(32));
            }
        }
        if row.class != Class::LoadProgram {
            self.aim(pair, base, step, row.class == Class::Store, operand.number(*code) as u16, rng);
        }
    }

    /// A program whose instructions can do no harm wherever the flow comes from, mostly runs that the emulator
    /// executes at one go; returns its rows. Pointers and the stack start in the middle of RAM, and
    /// nothing but a step of theirs moves them. The state's program counter is set to its start.
    fn place_program(&self, pair: &mut Pair<Emulator>, rng: &mut Rng) -> Vec<&'static Row> {
        let harmless = |row: &&Row| {
            matches!(row.class, Class::Alu | Class::Shift | Class::Multiply | Class::Stack | Class::Bit)
                || matches!(row.op, Op::Brbs | Op::Brbc | Op::Lpm | Op::LpmZ | Op::LpmZInc)
                || row.operands.iter().any(|operand| pointer(*operand).is_some() && row.class != Class::LoadProgram)
        };
        let known: Vec<&'static Row> = self.chip.rows.iter().copied().filter(harmless).collect();
        let of = |op: Op| known.iter().copied().find(|row| row.op == op);
        let runs: Vec<Vec<&'static Row>> =
            RUNS.iter().filter_map(|run| run.iter().copied().map(of).collect()).collect();
        let mut rows = Vec::new();
        while rows.len() < PROGRAM_WORDS as usize {
            if rng.once_in(4) {
                rows.push(*rng.pick(&known));
            } else {
                rows.extend(rng.pick(&runs));
            }
        }
        let mut words = Vec::new();
        for (position, row) in rows.iter().enumerate() {
            let mut code = draw(row, rng);
            for operand in row.operands {
                match operand {
                    // Loops would spend the cycles in few places.
                    Operand::Branch => {
                        let room = (rows.len() - 1 - position).min(8) as u32;
                        set(&mut code, *operand, rng.below(room + 1));
                    }
                    // Pointers stay as they are.
                    Operand::Rd => set(&mut code, *operand, rng.below(26)),
                    Operand::RdHigh => set(&mut code, *operand, rng.below(10)),
                    Operand::RdPair => set(&mut code, *operand, rng.below(13)),
                    Operand::RdWord => set(&mut code, *operand, 0),
                    _ => {}
                }
            }
            words.push(code.first);
        }
        // Behind the program it starts anew.
        let back = 0x1000 - (words.len() as u16 + 1);
        words.push(ROWS[Op::Rjmp as usize].fixed_bits().1 | back);
        let start = rng.below(self.chip.flash_words - words.len() as u32 - FLASH_MARGIN_WORDS);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        pair.write(start * 2, &bytes);
        let ram = &self.chip.ram;
        let middle = ram.start + (ram.end - ram.start) / 2;
        pair.set(PC, start * 2);
        pair.set(SP, middle.into());
        for base in [26, 28, 30] {
            set_pair(pair, base, middle - 32 + rng.below(64) as u16);
        }
        rows
    }

    /// A word address to jump to.
    fn target(&self, rng: &mut Rng) -> u32 {
        rng.below(self.chip.flash_words - FLASH_MARGIN_WORDS)
    }

    /// The bits of a distance in words that stays inside the flash.
    fn distance(&self, operand: Operand, pc: u32, rng: &mut Rng) -> u32 {
        let width: u32 = operand.field().iter().map(|(_, count, _)| count).sum();
        let half = 1i64 << (width - 1);
        loop {
            let distance = i64::from(rng.below(2 * half as u32)) - half;
            let target = i64::from(pc / 2) + 1 + distance;
            if (0..i64::from(self.chip.flash_words - FLASH_MARGIN_WORDS)).contains(&target) {
                return distance as u32;
            }
        }
    }

    fn stack_pointer(&self, rng: &mut Rng) -> u16 {
        let ram = &self.chip.ram;
        let (low, high) = (ram.start + STACK_MARGIN_BYTES, ram.end - STACK_MARGIN_BYTES);
        low + rng.below(u32::from(high - low)) as u16
    }

    /// A data address below 0x20 + `span` of a plain I/O register.
    fn io(&self, span: u16, rng: &mut Rng) -> u16 {
        let known: Vec<u16> = self.chip.plain_io.iter().copied().filter(|address| *address < 0x20 + span).collect();
        *rng.pick(&known)
    }

    /// A data address that can be read, or also written: mostly RAM, at times a register or plain I/O.
    fn address(&self, store: bool, pointers_too: bool, rng: &mut Rng) -> u16 {
        match rng.below(10) {
            0 => rng.below(if pointers_too { 32 } else { 26 }) as u16,
            1 => loop {
                let address = *rng.pick(&self.chip.plain_io);
                let special = [SPL, SPH].contains(&address) || Some(address) == self.chip.rampz;
                if !(store && special) {
                    return address;
                }
            },
            _ => {
                let ram = &self.chip.ram;
                ram.start + rng.below(u32::from(ram.end - ram.start)) as u16
            }
        }
    }

    fn readable(&self, address: u16) -> bool {
        self.chip.ram.contains(&address) || address < 26
    }

    /// Makes the pointer lead to memory; one that already does may stay.
    fn aim(
        &self,
        pair: &mut Pair<Emulator>,
        base: usize,
        step: Step,
        store: bool,
        displacement: u16,
        rng: &mut Rng,
    ) {
        let current = (pair.register(base) | pair.register(base + 1) << 8) as u16;
        let effective = match step {
            Step::Before => current.wrapping_sub(1),
            _ => current.wrapping_add(displacement),
        };
        if self.readable(effective) && !rng.once_in(4) {
            return;
        }
        let mut address = self.address(store, step == Step::None, rng);
        // simavr puts the pointer back after ST X, so a store into X itself is lost there; the manual knows no
        // such exception (DS40002198, 6.114 ST).
        while store && base == 26 && (26..28).contains(&address) {
            address = self.address(store, true, rng);
        }
        let value = match step {
            Step::Before => address.wrapping_add(1),
            _ => address.wrapping_sub(displacement),
        };
        set_pair(pair, base, value);
    }

    fn aim_elpm(&self, pair: &mut Pair<Emulator>, rng: &mut Rng) {
        let Some(rampz) = self.chip.rampz else { return };
        let last = self.chip.flash_bytes - 1;
        let address = rng.below(last);
        pair.write(DATA + u32::from(rampz), &[(address >> 16) as u8]);
        set_pair(pair, 30, address as u16);
    }

    /// Chooses what OUT writes where not every value is meaningful: the stack pointer and RAMPZ.
    fn keep_valid(&self, pair: &mut Pair<Emulator>, address: u16, register: usize) {
        let (value, sp) = (pair.register(register), pair.register(SP));
        let (now, next) = match address {
            SPL => (sp & 0xff, sp & 0xff00 | value),
            SPH => (sp >> 8, sp & 0xff | value << 8),
            _ if Some(address) == self.chip.rampz => {
                let mask = (self.chip.flash_bytes.next_power_of_two() - 1) >> 16;
                return pair.set(register, value & mask);
            }
            _ => return,
        };
        if !self.chip.ram.contains(&(next as u16)) {
            pair.set(register, now);
        }
    }

    /// Room on the stack, and an address to return to.
    fn settle_stack(&self, pair: &mut Pair<Emulator>, row: &Row, rng: &mut Rng) {
        let ram = &self.chip.ram;
        let room = ram.start + STACK_MARGIN_BYTES..ram.end - STACK_MARGIN_BYTES;
        if !room.contains(&(pair.register(SP) as u16)) {
            pair.set(SP, self.stack_pointer(rng).into());
        }
        if row.class == Class::Return {
            let [high, low] = (self.target(rng) as u16).to_be_bytes();
            let extended = [0, high, low];
            let address = if self.chip.eind.is_some() { &extended[..] } else { &extended[1..] };
            pair.write(DATA + pair.register(SP) + 1, address);
        }
    }
}

fn set_pair(pair: &mut Pair<Emulator>, base: usize, value: u16) {
    pair.set(base, u32::from(value & 0xff));
    pair.set(base + 1, u32::from(value >> 8));
}

/// An instruction of a row with random operands.
fn draw(row: &Row, rng: &mut Rng) -> Code {
    let word = rows::random(row, rng);
    let (first, second) = match row.words() {
        2 => ((word >> 16) as u16, word as u16),
        _ => (word as u16, 0),
    };
    let mut code = Code { first, second };
    for operand in row.operands {
        match operand {
            Operand::Immediate | Operand::ShortImmediate => set(&mut code, *operand, rng.byte().into()),
            Operand::Jump => set(&mut code, *operand, 0),
            _ => {}
        }
    }
    code
}

/// Gives the operands new values, so that results do not settle.
fn freshen(pair: &mut Pair<Emulator>, row: &Row, code: Code, rng: &mut Rng) {
    let named = row.operands.iter().filter_map(|operand| registers(*operand, code));
    for register in named.flat_map(|(first, count)| first..first + count) {
        pair.set(register, rng.byte().into());
    }
}
