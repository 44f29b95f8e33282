//! Random instruction streams, generated from the emulator's own instruction table.
//!
//! Every instruction is placed at the program counter just before it runs, so that operands can be chosen in
//! sight of the state: pointers lie in memory, jumps lead into the flash, returns find an address on the stack.
//! Whatever the next instruction cannot use as it is gets set in both machines alike.

use crate::lockstep::{Difference, Pair, State, Subject, SPL};
use crate::rng::Rng;
use std::ops::Range;
use steelyard_emu::avr::table::{Op, Row, ROWS, RUNS};
use steelyard_emu::profile::Class;

/// Instructions run before memories and registers are filled anew.
const PROGRAM_INSTRUCTIONS: u64 = 512;
/// Words of a program that runs at full speed, and for how many cycles at most.
const PROGRAM_WORDS: u32 = 256;
const PROGRAM_CYCLES: u32 = 512;
/// Words left free at the end of the flash, so that an instruction and its successor fit.
const FLASH_MARGIN_WORDS: u32 = 8;
/// Bytes of RAM kept free around the stack pointer.
const STACK_MARGIN_BYTES: u16 = 16;
const SPH: u16 = SPL + 1;

/// What the generator must know of a chip.
pub struct Chip {
    pub flash_words: u32,
    pub ram: Range<u16>,
    /// Data addresses of I/O registers behind which simavr has no peripheral.
    pub plain_io: Vec<u16>,
    pub rampz: Option<u16>,
    /// Rows of the instruction table the core executes.
    pub rows: Vec<&'static Row>,
}

/// What a stream came to.
pub struct Outcome {
    /// Executions by the row's number in the table.
    pub executions: Vec<u64>,
    pub difference: Option<Difference>,
}

impl Outcome {
    pub fn instructions(&self) -> u64 {
        self.executions.iter().sum()
    }

    /// Rows of the chip that never ran.
    pub fn starved<'a>(&'a self, chip: &'a Chip) -> impl Iterator<Item = &'static str> + 'a {
        chip.rows.iter().filter(|row| self.executions[row.index()] == 0).map(|row| row.name)
    }
}

/// Runs `instructions` random instructions; the first difference ends it.
pub fn run<S: Subject>(pair: &mut Pair<S>, chip: &Chip, seed: u64, instructions: u64) -> Outcome {
    let mut stream = Stream { chip, rng: Rng::new(seed) };
    let mut executions = vec![0; ROWS.len()];
    // Also the reset values simavr's peripherals gave their registers: none of them is touched.
    pair.copy_to_reference();
    for number in 0..instructions {
        if number % PROGRAM_INSTRUCTIONS == 0 {
            stream.fill(pair);
        }
        let row = *stream.rng.pick(&chip.rows);
        stream.place(pair, row);
        if let Err(difference) = pair.step() {
            return Outcome { executions, difference: Some(difference) };
        }
        executions[row.index()] += 1;
    }
    Outcome { executions, difference: None }
}

/// Programs of random instructions that both machines run at full speed, compared at the end of each: the
/// emulator executes runs of instructions at one go, which a stream of single steps never shows.
pub fn run_programs<S: Subject>(pair: &mut Pair<S>, chip: &Chip, seed: u64, programs: u64) -> Outcome {
    let mut stream = Stream { chip, rng: Rng::new(seed) };
    let mut executions = vec![0; ROWS.len()];
    pair.copy_to_reference();
    for _ in 0..programs {
        stream.fill(pair);
        let rows = stream.place_program(pair);
        let cycles = 1 + u64::from(stream.rng.below(PROGRAM_CYCLES));
        if let Err(difference) = pair.run(cycles) {
            return Outcome { executions, difference: Some(difference) };
        }
        for row in rows {
            executions[row.index()] += 1;
        }
    }
    Outcome { executions, difference: None }
}

struct Stream<'a> {
    chip: &'a Chip,
    rng: Rng,
}

/// Fields of an instruction by their letter in its pattern.
#[derive(Default)]
struct Fields(Vec<(char, u16)>);

impl Fields {
    fn set(&mut self, letter: char, value: u16) {
        self.0.retain(|(known, _)| *known != letter);
        self.0.push((letter, value));
    }

    fn get(&self, letter: char) -> u16 {
        self.0.iter().find(|(known, _)| *known == letter).map_or(0, |(_, value)| *value)
    }
}

/// The first word of an instruction with the given fields.
fn encode(row: &Row, fields: &Fields) -> u16 {
    let letters: Vec<char> = row.pattern.chars().filter(|c| !c.is_whitespace()).take(16).collect();
    let mut word = 0;
    for (position, letter) in letters.iter().enumerate() {
        let bit = match letter {
            '0' => 0,
            '1' => 1,
            _ => {
                let lower = letters[position + 1..].iter().filter(|other| *other == letter).count();
                fields.get(*letter) >> lower & 1
            }
        };
        word = word << 1 | bit;
    }
    word
}

/// The register pair an addressing mode points with, and whether it changes the pair.
fn pointer(op: Op) -> Option<(usize, Step)> {
    Some(match op {
        Op::LdX | Op::StX => (26, Step::None),
        Op::LdXInc | Op::StXInc => (26, Step::After),
        Op::LdXDec | Op::StXDec => (26, Step::Before),
        Op::LddY | Op::StdY => (28, Step::None),
        Op::LdYInc | Op::StYInc => (28, Step::After),
        Op::LdYDec | Op::StYDec => (28, Step::Before),
        Op::LddZ | Op::StdZ => (30, Step::None),
        Op::LdZInc | Op::StZInc => (30, Step::After),
        Op::LdZDec | Op::StZDec => (30, Step::Before),
        _ => return None,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    None,
    Before,
    After,
}

impl Stream<'_> {
    /// New contents for registers and RAM, in both machines.
    fn fill<S: Subject>(&mut self, pair: &mut Pair<S>) {
        for address in self.chip.ram.clone() {
            pair.poke(address, self.rng.byte());
        }
        let mut registers = [0; 32];
        registers.fill_with(|| self.rng.byte());
        let state = State {
            pc: self.target() * 2,
            registers,
            sreg: self.rng.word() as u8,
            sp: self.stack_pointer(),
            cycles: 0,
        };
        pair.set_state(&state);
    }

    /// Writes the instruction at the program counter, with operands it can execute.
    fn place<S: Subject>(&mut self, pair: &mut Pair<S>, row: &'static Row) {
        let mut state = pair.state();
        let mut fields = self.fields(row);
        let mut second = 0;
        if state.pc / 2 >= self.chip.flash_words - FLASH_MARGIN_WORDS {
            state.pc = self.target() * 2;
        }
        if self.rng.once_in(4) {
            state.sreg = self.rng.word() as u8;
        }
        self.freshen(row, &fields, &mut state);
        match row.op {
            Op::Rjmp | Op::Rcall | Op::Brbs | Op::Brbc => fields.set('k', self.offset(row, state.pc)),
            Op::Jmp | Op::Call => {
                fields.set('a', 0);
                second = self.target() as u16;
            }
            Op::Ijmp | Op::Icall => set_pair(&mut state, 30, self.target() as u16),
            Op::Lds | Op::Sts => second = self.address(row.op == Op::Sts, true),
            Op::Lpm | Op::LpmZ | Op::LpmZInc => {
                let bytes = (self.chip.flash_words * 2).min(0x1_0000);
                set_pair(&mut state, 30, self.rng.below(bytes) as u16);
            }
            Op::Elpm | Op::ElpmZ | Op::ElpmZInc => self.aim_elpm(pair, &mut state),
            Op::In => fields.set('A', self.io(0x40) - 0x20),
            Op::Sbic | Op::Sbis | Op::Sbi | Op::Cbi => fields.set('A', self.io(0x20) - 0x20),
            Op::Out => {
                let address = self.io(0x40);
                fields.set('A', address - 0x20);
                self.keep_valid(address, fields.get('d'), &mut state);
            }
            _ => {}
        }
        if let Some((base, step)) = pointer(row.op) {
            if step != Step::None {
                // Loading or storing the pointer that is being changed is undefined (DS40002198, LD and ST).
                while fields.get('d') & 0x1E == base as u16 {
                    fields.set('d', self.rng.below(32) as u16);
                }
            }
            self.aim(base, step, row.class == Class::Store, fields.get('q'), &mut state);
        }
        if matches!(row.op, Op::LpmZInc | Op::ElpmZInc) {
            while fields.get('d') & 0x1E == 30 {
                fields.set('d', self.rng.below(32) as u16);
            }
        }
        if matches!(row.class, Class::Call | Class::Return | Class::Stack) {
            self.settle_stack(pair, row, &mut state);
        }
        pair.set_state(&state);
        let mut words = vec![encode(row, &fields)];
        if row.words() == 2 {
            words.push(second);
        }
        // What a skip may jump over: an instruction of one or two words.
        let successor = *self.rng.pick(&self.chip.rows);
        words.push(encode(successor, &self.fields(successor)));
        words.push(self.rng.word() as u16);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        pair.write_flash(state.pc, &bytes);
    }

    /// A program whose instructions can do no harm wherever the flow comes from, mostly runs that the emulator
    /// executes at one go; returns its rows. Pointers and the stack start in the middle of RAM, and
    /// nothing but a step of theirs moves them. The state's program counter is set to its start.
    fn place_program<S: Subject>(&mut self, pair: &mut Pair<S>) -> Vec<&'static Row> {
        let harmless = |row: &&Row| {
            matches!(row.class, Class::Alu | Class::Shift | Class::Multiply | Class::Stack | Class::Bit)
                || matches!(row.op, Op::Brbs | Op::Brbc | Op::Lpm | Op::LpmZ | Op::LpmZInc)
                || pointer(row.op).is_some()
        };
        let known: Vec<&'static Row> = self.chip.rows.iter().copied().filter(harmless).collect();
        let of = |op: Op| known.iter().copied().find(|row| row.op == op);
        let runs: Vec<Vec<&'static Row>> =
            RUNS.iter().filter_map(|run| run.iter().copied().map(of).collect()).collect();
        let mut rows = Vec::new();
        while rows.len() < PROGRAM_WORDS as usize {
            if self.rng.once_in(4) {
                rows.push(*self.rng.pick(&known));
            } else {
                rows.extend(self.rng.pick(&runs));
            }
        }
        let mut words = Vec::new();
        for (position, row) in rows.iter().enumerate() {
            let mut fields = self.fields(row);
            match row.op {
                // Loops would spend the cycles in few places.
                Op::Brbs | Op::Brbc => {
                    let room = (rows.len() - 1 - position).min(8) as u32;
                    fields.set('k', self.rng.below(room + 1) as u16);
                }
                _ => {}
            }
            for (letter, registers) in [('d', 26), ('D', 13), ('w', 1)] {
                let width = row.pattern.chars().filter(|c| *c == letter).count();
                let first = if letter == 'd' && width < 5 { 16 } else { 0 };
                if width > 0 && row.class != Class::Store {
                    fields.set(letter, self.rng.below(registers - first) as u16);
                }
            }
            words.push(encode(row, &fields));
        }
        // Behind the program it starts anew.
        let back = 0x1000 - (words.len() as u16 + 1);
        words.push(ROWS[Op::Rjmp as usize].fixed_bits().1 | back);
        let start = self.rng.below(self.chip.flash_words - words.len() as u32 - FLASH_MARGIN_WORDS);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        pair.write_flash(start * 2, &bytes);
        let ram = &self.chip.ram;
        let middle = ram.start + (ram.end - ram.start) / 2;
        let mut state = pair.state();
        state.pc = start * 2;
        state.sp = middle;
        for base in [26, 28, 30] {
            set_pair(&mut state, base, middle - 32 + self.rng.below(64) as u16);
        }
        pair.set_state(&state);
        rows
    }

    fn fields(&mut self, row: &Row) -> Fields {
        let mut fields = Fields::default();
        for letter in row.pattern.chars().filter(char::is_ascii_alphabetic) {
            let value = if letter == 'K' { u16::from(self.rng.byte()) } else { self.rng.word() as u16 };
            let width = row.pattern.chars().take_while(|c| *c != 'm').filter(|c| *c == letter).count();
            fields.set(letter, if width < 16 { value & ((1 << width) - 1) } else { value });
        }
        if row.pattern.contains('a') {
            fields.set('a', 0);
        }
        fields
    }

    /// Now and then the operands get new values, so that results do not settle.
    fn freshen(&mut self, row: &Row, fields: &Fields, state: &mut State) {
        if !self.rng.once_in(2) {
            return;
        }
        for (letter, low_bits, base, step) in
            [('d', 5, 0, 1), ('r', 5, 0, 1), ('D', 4, 0, 2), ('R', 4, 0, 2), ('w', 2, 24, 2)]
        {
            let width = row.pattern.chars().filter(|c| *c == letter).count();
            if width == 0 {
                continue;
            }
            let base = if width < low_bits { 16 } else { base };
            let register = base + usize::from(fields.get(letter)) * step;
            for offset in 0..step {
                state.registers[register + offset] = self.rng.byte();
            }
        }
    }

    /// A word address to jump to.
    fn target(&mut self) -> u32 {
        self.rng.below(self.chip.flash_words - FLASH_MARGIN_WORDS)
    }

    /// A relative offset that stays inside the flash.
    fn offset(&mut self, row: &Row, pc: u32) -> u16 {
        let width = row.pattern.chars().filter(|c| *c == 'k').count() as u32;
        let half = 1i64 << (width - 1);
        loop {
            let offset = i64::from(self.rng.below(2 * half as u32)) - half;
            let target = i64::from(pc / 2) + 1 + offset;
            if (0..i64::from(self.chip.flash_words - FLASH_MARGIN_WORDS)).contains(&target) {
                return (offset & (2 * half - 1)) as u16;
            }
        }
    }

    fn stack_pointer(&mut self) -> u16 {
        let ram = &self.chip.ram;
        let (low, high) = (ram.start + STACK_MARGIN_BYTES, ram.end - STACK_MARGIN_BYTES);
        low + self.rng.below(u32::from(high - low)) as u16
    }

    /// A data address below 0x20 + `span` of a plain I/O register.
    fn io(&mut self, span: u16) -> u16 {
        let known: Vec<u16> = self.chip.plain_io.iter().copied().filter(|address| *address < 0x20 + span).collect();
        *self.rng.pick(&known)
    }

    /// A data address that can be read, or also written: mostly RAM, at times a register or plain I/O.
    fn address(&mut self, store: bool, pointers_too: bool) -> u16 {
        match self.rng.below(10) {
            0 => self.rng.below(if pointers_too { 32 } else { 26 }) as u16,
            1 => loop {
                let address = *self.rng.pick(&self.chip.plain_io);
                let special = [SPL, SPH].contains(&address) || Some(address) == self.chip.rampz;
                if !(store && special) {
                    return address;
                }
            },
            _ => {
                let ram = &self.chip.ram;
                ram.start + self.rng.below(u32::from(ram.end - ram.start)) as u16
            }
        }
    }

    fn readable(&self, address: u16) -> bool {
        self.chip.ram.contains(&address) || address < 26
    }

    /// Makes the pointer lead to memory; one that already does may stay.
    fn aim(&mut self, base: usize, step: Step, store: bool, displacement: u16, state: &mut State) {
        let current = u16::from_le_bytes([state.registers[base], state.registers[base + 1]]);
        let effective = match step {
            Step::Before => current.wrapping_sub(1),
            _ => current.wrapping_add(displacement),
        };
        if self.readable(effective) && !self.rng.once_in(4) {
            return;
        }
        let mut address = self.address(store, step == Step::None);
        // simavr puts the pointer back after ST X, so a store into X itself is lost there; the manual knows no
        // such exception (DS40002198, 6.114 ST).
        while store && base == 26 && (26..28).contains(&address) {
            address = self.address(store, true);
        }
        let value = match step {
            Step::Before => address.wrapping_add(1),
            _ => address.wrapping_sub(displacement),
        };
        set_pair(state, base, value);
    }

    fn aim_elpm<S: Subject>(&mut self, pair: &mut Pair<S>, state: &mut State) {
        let Some(rampz) = self.chip.rampz else { return };
        let last = self.chip.flash_words * 2 - 1;
        let address = self.rng.below(last);
        pair.poke(rampz, (address >> 16) as u8);
        set_pair(state, 30, address as u16);
    }

    /// Chooses what OUT writes where not every value is meaningful: the stack pointer and RAMPZ.
    fn keep_valid(&mut self, address: u16, register: u16, state: &mut State) {
        let value = &mut state.registers[usize::from(register)];
        if Some(address) == self.chip.rampz {
            *value &= 1;
        } else if address == SPL || address == SPH {
            let [low, high] = state.sp.to_le_bytes();
            let next = |value: u8| u16::from_le_bytes(if address == SPL { [value, high] } else { [low, value] });
            if !self.chip.ram.contains(&next(*value)) {
                *value = if address == SPL { low } else { high };
            }
        }
    }

    /// Room on the stack, and an address to return to.
    fn settle_stack<S: Subject>(&mut self, pair: &mut Pair<S>, row: &Row, state: &mut State) {
        let ram = &self.chip.ram;
        let room = ram.start + STACK_MARGIN_BYTES..ram.end - STACK_MARGIN_BYTES;
        if !room.contains(&state.sp) {
            state.sp = self.stack_pointer();
        }
        if row.class == Class::Return {
            let [low, high] = (self.target() as u16).to_le_bytes();
            pair.poke(state.sp + 1, high);
            pair.poke(state.sp + 2, low);
        }
    }
}

fn set_pair(state: &mut State, base: usize, value: u16) {
    [state.registers[base], state.registers[base + 1]] = value.to_le_bytes();
}
