//! gdb's simulators as references: a program of their own (`tools/simulators/`), driven over a pipe.
//!
//! # One more CPU
//!
//! 1. A module beside this one, `src/<cpu>.rs`, with
//!    * the register [`Layout`]: name, gdb's number (`include/gdb/sim-<cpu>.h` of gdb's sources, for MSP430 0 to 15 with
//!      four bytes each, for SPARC `set_regi` of `sim/erc32/func.c`) and size of each register that is compared,
//!    * a [`Subject`](crate::stream::Subject): the emulator's CPU behind registers in the layout's order, memory and steps,
//!    * a [`Generator`](crate::stream::Generator): fills memories and registers, places one random instruction in sight of
//!      the state, and names what the reference is known to get wrong, to be left out of the comparison,
//!    * a constant [`Cpu`](crate::stream::Cpu) that ties them together.
//! 2. That constant in [`CPUS`](crate::stream::CPUS).
//!
//! Then
//!
//! ```sh
//! tools/simulators/build.sh rl78                                  # once; kept in the user's cache
//! cargo run --release -p steelyard-diff -- gdb rl78 --instructions 1000000 --seed 7
//! cargo run --release -p steelyard-diff -- record rl78            # tests/data/rl78.recording, to be committed
//! cargo test --release -p steelyard-diff --test recordings        # replays it, without the simulator
//! ```
//!
//! `make soak` runs every CPU of the list. Compiled images and speed: [`stream::follow`](crate::stream::follow) and
//! [`Simulator::million_instructions_per_s`].

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

/// Bytes of a state before its registers: stop, instructions, clocks.
const STATE_HEADER_BYTES: usize = 13;

/// A register of the layout.
#[derive(Debug, Clone, Copy)]
pub struct Register {
    pub name: &'static str,
    /// gdb's number of it for this simulator.
    pub number: u16,
    /// 1 to 4, as the simulator has it.
    pub bytes: u8,
}

/// The registers that are set and compared, known by their index from then on.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    pub big_endian: bool,
    pub registers: &'static [Register],
}

impl Layout {
    /// Index of a register by its name.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.registers.iter().position(|register| register.name == name)
    }

    /// Of a state in an answer.
    pub fn state_bytes(&self) -> usize {
        STATE_HEADER_BYTES + self.registers.iter().map(|register| usize::from(register.bytes)).sum::<usize>()
    }
}

/// The simulator behind an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// 0 after an ordinary step, else gdb's number of the signal (4 illegal instruction, 5 breakpoint, 11 no such
    /// memory), 255 where the program ended.
    pub stop: u8,
    /// Carried out by the command so far.
    pub instructions: u32,
    /// Since the start; 0 where the simulator counts none. SPARC's counter has 32 bits.
    pub clocks: u64,
    /// In the layout's order.
    pub registers: Vec<u32>,
}

/// The answer to one command that has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// To a step.
    States(Vec<State>),
    /// To a run.
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

/// Commands for the simulator, carried out at one go.
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

    /// Which registers the rest, and the batches that follow, mean.
    pub fn layout(&mut self, layout: &Layout) {
        self.bytes.extend([1, u8::from(layout.big_endian)]);
        self.bytes.extend((layout.registers.len() as u16).to_le_bytes());
        for register in layout.registers {
            self.bytes.extend(register.number.to_le_bytes());
            self.bytes.push(register.bytes);
        }
    }

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

    /// Executes instructions; answered by the state after each.
    pub fn step(&mut self, instructions: u32) {
        self.command(4, &[instructions]);
        self.forms.push(Form::States);
    }

    /// Executes instructions; answered by the state after the last.
    pub fn run(&mut self, instructions: u32) {
        self.command(5, &[instructions]);
        self.forms.push(Form::State);
    }

    pub fn read(&mut self, address: u32, length_bytes: u32) {
        self.command(6, &[address, length_bytes]);
        self.forms.push(Form::Bytes(length_bytes as usize));
    }

    /// Asks for the digest of a range of the memory.
    pub fn digest(&mut self, address: u32, length_bytes: u32) {
        self.command(7, &[address, length_bytes]);
        self.forms.push(Form::Digest);
    }

    /// Runs at the simulator's full speed until it stops by itself; answered by the state.
    pub fn go(&mut self) {
        self.command(8, &[]);
        self.forms.push(Form::State);
    }

    /// What another batch asks for, after this.
    pub fn append(&mut self, other: &Batch) {
        self.bytes.extend(&other.bytes);
        self.forms.extend(&other.forms);
    }

    /// As sent.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Takes an answer apart.
    pub fn answers(&self, layout: &Layout, answer: &[u8]) -> Result<Vec<Answer>, String> {
        let mut reader = Reader { bytes: answer };
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

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], String> {
        if length > self.bytes.len() {
            return Err("the reference's answer is too short".into());
        }
        let (taken, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        Ok(taken)
    }

    fn number(&mut self, bytes: usize) -> Result<u64, String> {
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
    /// The answer to the bytes of a batch.
    fn exchange(&mut self, batch: &[u8]) -> Result<Vec<u8>, String>;
}

/// A simulator in a process of its own.
pub struct Simulator {
    process: Child,
    commands: Option<ChildStdin>,
    answers: ChildStdout,
}

impl Simulator {
    /// Starts the simulator of that name of `tools/simulators/build.sh`, with options of its own like `g13`.
    pub fn start(name: &str, options: &[&str]) -> Result<Self, String> {
        Self::start_program(&program(name)?, options)
    }

    /// Starts the simulator in that file.
    pub fn start_program(program: &Path, options: &[&str]) -> Result<Self, String> {
        let mut process = Command::new(program)
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Some simulators announce every option and comment on bad opcodes there.
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| {
                format!("{}: {error}; tools/simulators/build.sh builds the simulators", program.display())
            })?;
        let pipes = (process.stdin.take(), process.stdout.take());
        let (Some(commands), Some(answers)) = pipes else { return Err("the simulator has no pipes".into()) };
        Ok(Self { process, commands: Some(commands), answers })
    }

    /// Of the operating system.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// The simulator's own speed over so many instructions from its present state, nothing compared.
    pub fn million_instructions_per_s(&mut self, layout: &Layout, instructions: u32) -> Result<f64, String> {
        let mut batch = Batch::default();
        batch.run(instructions);
        let start = Instant::now();
        let answer = self.exchange(batch.bytes())?;
        let seconds = start.elapsed().as_secs_f64();
        match &batch.answers(layout, &answer)?[..] {
            [Answer::State(state)] if state.stop == 0 => Ok(f64::from(instructions) / seconds / 1e6),
            other => Err(format!("the simulator stopped early: {other:?}")),
        }
    }
}

/// Where `tools/simulators/build.sh` puts the simulator of that name.
pub fn program(name: &str) -> Result<PathBuf, String> {
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = cache.or_else(home).ok_or("neither XDG_CACHE_HOME nor HOME is set")?;
    Ok(cache.join("steelyard/simulators").join(name).join("simulator"))
}

impl Reference for Simulator {
    fn exchange(&mut self, batch: &[u8]) -> Result<Vec<u8>, String> {
        let ended = |error: std::io::Error| format!("the simulator ended: {error}");
        let commands = self.commands.as_mut().ok_or("the simulator has ended")?;
        commands.write_all(&(batch.len() as u32).to_le_bytes()).map_err(ended)?;
        commands.write_all(batch).and_then(|()| commands.flush()).map_err(ended)?;
        let mut length = [0; 4];
        self.answers.read_exact(&mut length).map_err(ended)?;
        let mut answer = vec![0; u32::from_le_bytes(length) as usize];
        self.answers.read_exact(&mut answer).map_err(ended)?;
        Ok(answer)
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        // It ends when its commands do.
        self.commands = None;
        let _ = self.process.wait();
    }
}
