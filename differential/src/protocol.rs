//! What a reference is asked and what it answers, as bytes: a batch of commands, carried out as a whole, and then its
//! answers. A simulator in a process of its own, a library in this process and the recording of either are driven
//! alike. `simulators/simulator.c` describes the commands 1 to 8, and 11, which is for the disassembler's tests; a
//! library also knows 9 and 10, which run to an address and for a number of clocks.

/// Bytes of a state before its registers: stop, instructions, clocks.
const STATE_HEADER_BYTES: usize = 13;

/// A register of the layout.
#[derive(Debug, Clone, Copy)]
pub struct Register {
    pub name: &'static str,
    /// The number by which the reference knows the register.
    pub number: u16,
    /// The register's size in the reference, 1 to 4.
    pub bytes: u8,
}

/// The registers that are set and compared. The driver knows each by its index.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    pub big_endian: bool,
    pub registers: &'static [Register],
}

impl Layout {
    /// Bytes that a state takes in an answer.
    pub fn state_bytes(&self) -> usize {
        STATE_HEADER_BYTES + self.registers.iter().map(|register| usize::from(register.bytes)).sum::<usize>()
    }
}

/// Makes a [`Layout`]: the byte order, then the size, name and number of each register.
#[macro_export]
macro_rules! layout {
    (@of little) => { false };
    (@of big) => { true };
    ($order:ident; $($bytes:literal: $($name:literal $number:literal),+);+) => {
        $crate::protocol::Layout {
            big_endian: $crate::layout!(@of $order),
            registers: &[$($($crate::protocol::Register { name: $name, number: $number, bytes: $bytes },)+)+],
        }
    };
}

/// The reference after an instruction or a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// 0 after an ordinary step, else gdb's number of the signal (4 illegal instruction, 5 breakpoint, 11 no such
    /// memory), 255 where the program ended.
    pub stop: u8,
    /// Instructions that the command has carried out so far.
    pub instructions: u32,
    /// Clocks since the start; 0 where the simulator counts none. SPARC's counter has 32 bits.
    pub clocks: u64,
    /// The registers in the layout's order.
    pub registers: Vec<u32>,
}

/// The answer to one command that has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The state after each instruction of a step.
    States(Vec<State>),
    /// The state at the end of a run.
    State(State),
    Bytes(Vec<u8>),
    /// FNV-1a, 64 bits.
    Digest(u64),
}

#[derive(Debug, Clone, Copy)]
enum Form {
    States,
    State,
    Bytes(usize),
    Digest,
}

/// Where a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// After this many instructions.
    Instructions(u32),
    /// Where the simulator stops by itself, as at a breakpoint.
    Stop,
    /// Before the instruction at this address.
    Address(u32),
    /// At the end of the instruction that uses up this many clocks.
    Clocks(u32),
}

/// Commands for a reference, carried out together.
#[derive(Debug, Default)]
pub struct Batch {
    bytes: Vec<u8>,
    forms: Vec<Form>,
}

impl Batch {
    fn command(&mut self, code: u8, fields: &[u32]) {
        self.bytes.push(code);
        for field in fields {
            self.bytes.extend(field.to_le_bytes());
        }
    }

    /// Tells which registers the commands mean, those of later batches too.
    pub fn layout(&mut self, layout: &Layout) {
        self.bytes.extend([1, u8::from(layout.big_endian)]);
        self.bytes.extend((layout.registers.len() as u16).to_le_bytes());
        for register in layout.registers {
            self.bytes.extend(register.number.to_le_bytes());
            self.bytes.push(register.bytes);
        }
    }

    /// Writes memory.
    pub fn write(&mut self, address: u32, bytes: &[u8]) {
        self.command(2, &[address, bytes.len() as u32]);
        self.bytes.extend(bytes);
    }

    /// Sets a register by its index in the layout.
    pub fn set(&mut self, index: usize, value: u32) {
        self.bytes.push(3);
        self.bytes.extend((index as u16).to_le_bytes());
        self.bytes.extend(value.to_le_bytes());
    }

    /// Executes instructions; the answer is the state after each.
    pub fn step(&mut self, instructions: u32) {
        self.command(4, &[instructions]);
        self.forms.push(Form::States);
    }

    /// Executes instructions at full speed; the answer is the state at the end.
    pub fn run(&mut self, until: Until) {
        match until {
            Until::Instructions(instructions) => self.command(5, &[instructions]),
            Until::Stop => self.command(8, &[]),
            Until::Address(address) => self.command(9, &[address]),
            Until::Clocks(clocks) => self.command(10, &[clocks]),
        }
        self.forms.push(Form::State);
    }

    /// Reads memory.
    pub fn read(&mut self, address: u32, length_bytes: u32) {
        self.command(6, &[address, length_bytes]);
        self.forms.push(Form::Bytes(length_bytes as usize));
    }

    /// Asks for the digest of a range of memory.
    pub fn digest(&mut self, address: u32, length_bytes: u32) {
        self.command(7, &[address, length_bytes]);
        self.forms.push(Form::Digest);
    }

    /// Appends the commands of another batch.
    pub fn append(&mut self, other: &Batch) {
        self.bytes.extend(&other.bytes);
        self.forms.extend(&other.forms);
    }

    /// The commands as a reference takes them.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Has a reference carry the batch out and takes the answer apart.
    pub fn ask(&self, layout: &Layout, reference: &mut dyn Reference) -> Result<Vec<Answer>, String> {
        let answer = reference.exchange(&self.bytes)?;
        let mut reader = Reader { bytes: &answer };
        let answers = self.forms.iter().map(|form| {
            Ok(match form {
                Form::States => {
                    let count = reader.number(4)?;
                    Answer::States((0..count).map(|_| reader.state(layout)).collect::<Result<_, _>>()?)
                }
                Form::State => Answer::State(reader.state(layout)?),
                Form::Bytes(length) => Answer::Bytes(reader.take(*length)?.to_vec()),
                Form::Digest => Answer::Digest(reader.number(8)?),
            })
        });
        answers.collect()
    }
}

/// FNV-1a, 64 bits.
pub fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

/// Takes little-endian numbers from the front of some bytes.
pub struct Reader<'a> {
    pub bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// The next bytes; the error says that there are fewer.
    pub fn take(&mut self, length: usize) -> Result<&'a [u8], String> {
        if length > self.bytes.len() {
            return Err("a batch or its answer is too short".into());
        }
        let (taken, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        Ok(taken)
    }

    /// The next bytes as a number.
    pub fn number(&mut self, bytes: usize) -> Result<u64, String> {
        Ok(self.take(bytes)?.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }

    fn state(&mut self, layout: &Layout) -> Result<State, String> {
        let [stop, instructions, clocks] = [self.number(1)?, self.number(4)?, self.number(8)?];
        let registers = layout.registers.iter().map(|register| Ok(self.number(usize::from(register.bytes))? as u32));
        Ok(State {
            stop: stop as u8,
            instructions: instructions as u32,
            clocks,
            registers: registers.collect::<Result<_, String>>()?,
        })
    }
}

/// What answers batches: a simulator, or the recording of one.
pub trait Reference {
    /// Carries out the bytes of a batch and gives the bytes of its answer.
    fn exchange(&mut self, batch: &[u8]) -> Result<Vec<u8>, String>;

    /// The process that does the work, as `/proc` names it.
    fn process(&self) -> String {
        "thread-self".into()
    }
}
