//! The recorded random streams of every CPU beside its simulator, replayed; and the machinery proven on a toy.

use std::ops::Range;
use std::path::Path;
use steelyard_diff::recording::{Recorder, Recording};
use steelyard_diff::rng::Rng;
use steelyard_diff::simulator::{digest, Layout, Reference, Register};
use steelyard_diff::stream::{follow, run, Following, Generator, Outcome, Pair, Placed, Subject, CPUS};

#[test]
fn every_cpu_agrees_with_the_recording_of_its_simulator() {
    for cpu in CPUS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(cpu.name).with_extension("recording");
        let file = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut recording = Recording::new(&file, cpu.layout.state_bytes()).unwrap();
        let (seed, instructions) = (recording.seed, recording.instructions);
        let outcome = (cpu.stream)(&mut recording, seed, instructions).unwrap();
        if let Some(difference) = &outcome.difference {
            let kind = difference.kind.map_or("memory", |kind| outcome.executions[kind].0.as_str());
            panic!("{}: {kind} {difference}", cpu.name);
        }
        assert!(!recording.strayed, "{}: another stream was recorded; record it again", cpu.name);
        assert_eq!(outcome.starved().collect::<Vec<_>>(), Vec::<&str>::new(), "{}", cpu.name);
    }
}

/// An accumulator and a counter over 16 bytes of memory: its one instruction adds the byte at the counter.
#[derive(Clone)]
struct Toy {
    accumulator: u32,
    counter: u32,
    clocks: u64,
    memory: [u8; 16],
    /// The sum is wrong where the byte is this.
    wrong_at: Option<u8>,
    /// The byte behind the counter is overwritten.
    writes: bool,
    cycles: u64,
}

const LAYOUT: Layout = Layout {
    big_endian: false,
    registers: &[
        Register { name: "accumulator", number: 0, bytes: 4 },
        Register { name: "counter", number: 1, bytes: 1 },
    ],
};
const ACCUMULATOR: usize = 0;
const COUNTER: usize = 1;
const HALVES: [Range<u32>; 2] = [0..8, 8..16];

fn toy() -> Toy {
    Toy { accumulator: 0, counter: 0, clocks: 0, memory: [0; 16], wrong_at: None, writes: false, cycles: 2 }
}

impl Subject for Toy {
    fn register(&self, index: usize) -> u32 {
        [self.accumulator, self.counter][index]
    }

    fn set_register(&mut self, index: usize, value: u32) {
        *[&mut self.accumulator, &mut self.counter][index] = value;
    }

    fn read(&self, address: u32, length_bytes: u32) -> Vec<u8> {
        self.memory[address as usize..(address + length_bytes) as usize].to_vec()
    }

    fn write(&mut self, address: u32, bytes: &[u8]) {
        self.memory[address as usize..][..bytes.len()].copy_from_slice(bytes);
    }

    fn step(&mut self) -> Result<(), String> {
        let byte = *self.memory.get(self.counter as usize).ok_or("no such memory")?;
        self.accumulator = self.accumulator.wrapping_add(u32::from(byte) + u32::from(self.wrong_at == Some(byte)));
        if self.writes {
            self.memory[self.counter as usize] ^= 1;
        }
        self.counter = (self.counter + 1) % 16;
        self.clocks += self.cycles;
        Ok(())
    }

    fn clocks(&self) -> u64 {
        self.clocks
    }
}

/// The toy behind the simulators' protocol.
struct Simulated(Toy);

impl Simulated {
    fn state(&self, instructions: u32) -> Vec<u8> {
        let mut bytes = vec![0];
        bytes.extend(instructions.to_le_bytes());
        bytes.extend(self.0.clocks.to_le_bytes());
        bytes.extend(self.0.accumulator.to_le_bytes());
        bytes.push(self.0.counter as u8);
        bytes
    }
}

impl Reference for Simulated {
    fn exchange(&mut self, batch: &[u8]) -> Result<Vec<u8>, String> {
        let mut rest = batch;
        let mut take = |bytes: usize| {
            let (taken, after) = rest.split_at(bytes);
            rest = after;
            taken.iter().rev().fold(0, |value: u32, byte| value << 8 | u32::from(*byte))
        };
        let mut answer = Vec::new();
        let mut left = batch.len();
        while left > 0 {
            let code = take(1);
            left -= 1 + match code {
                1 => {
                    assert_eq!((take(1), take(2)), (0, 2));
                    assert_eq!([(); 2].map(|()| (take(2), take(1))), [(0, 4), (1, 1)]);
                    9
                }
                2 => {
                    let (address, length) = (take(4), take(4));
                    for at in 0..length {
                        self.0.memory[(address + at) as usize] = take(1) as u8;
                    }
                    8 + length as usize
                }
                3 => {
                    let (index, value) = (take(2), take(4));
                    self.0.set_register(index as usize, value);
                    6
                }
                4 => {
                    assert_eq!(take(4), 1);
                    self.0.step()?;
                    answer.extend(1_u32.to_le_bytes());
                    answer.extend(self.state(1));
                    4
                }
                5 => {
                    let count = take(4);
                    (0..count).try_for_each(|_| self.0.step())?;
                    answer.extend(self.state(count));
                    4
                }
                6 => {
                    let (address, length) = (take(4), take(4));
                    answer.extend(self.0.read(address, length));
                    8
                }
                7 => {
                    let (address, length) = (take(4), take(4));
                    answer.extend(digest(&self.0.read(address, length)).to_le_bytes());
                    8
                }
                code => return Err(format!("no command {code}")),
            };
        }
        Ok(answer)
    }
}

#[derive(Default)]
struct Bytes {
    ignored: Vec<(usize, u32)>,
}

impl Generator<Toy> for Bytes {
    fn kinds(&self) -> Vec<String> {
        vec!["add".into()]
    }

    fn memories(&self) -> Vec<Range<u32>> {
        HALVES.to_vec()
    }

    fn fill(&mut self, pair: &mut Pair<Toy>, rng: &mut Rng) {
        pair.write(0, &(0..16).map(|_| rng.word() as u8).collect::<Vec<u8>>());
        pair.set(ACCUMULATOR, 0);
    }

    fn place(&mut self, pair: &mut Pair<Toy>, rng: &mut Rng) -> Placed {
        let value = rng.byte();
        let counter = pair.register(COUNTER);
        pair.write(counter, &[value]);
        Placed { kind: 0, code: vec![value], ignored: self.ignored.clone(), clocks: true, ..Placed::default() }
    }
}

fn stream(subject: &Toy, generator: &mut Bytes, reference: &mut dyn Reference) -> Outcome {
    run(&mut Pair::new(subject.clone(), LAYOUT), generator, reference, 7, 2_000).unwrap()
}

fn difference(subject: &Toy, reference: &mut dyn Reference) -> String {
    stream(subject, &mut Bytes::default(), reference).difference.map_or_else(String::new, |found| found.to_string())
}

#[test]
fn a_stream_without_fault_shows_no_difference() {
    let outcome = stream(&toy(), &mut Bytes::default(), &mut Simulated(toy()));
    assert!(outcome.difference.is_none(), "{:?}", outcome.difference);
    assert_eq!(outcome.executions, [("add".to_owned(), 2_000)]);
}

#[test]
fn a_planted_fault_of_each_sort_is_seen() {
    let wrong_sum = Toy { wrong_at: Some(0x7F), ..toy() };
    let text = difference(&wrong_sum, &mut Simulated(toy()));
    assert!(text.starts_with("7f accumulator 0x"), "{text}");
    let text = difference(&Toy { cycles: 3, ..toy() }, &mut Simulated(toy()));
    assert!(text.contains("3 clocks, reference 2"), "{text}");
    let text = difference(&Toy { writes: true, ..toy() }, &mut Simulated(toy()));
    assert!(text.starts_with("memory 0x"), "{text}");
}

#[test]
fn bits_left_out_of_the_comparison_are_the_emulators_from_then_on() {
    let mut generator = Bytes { ignored: vec![(ACCUMULATOR, u32::MAX)] };
    let outcome = stream(&Toy { wrong_at: Some(0x7F), ..toy() }, &mut generator, &mut Simulated(toy()));
    assert!(outcome.difference.is_none(), "{:?}", outcome.difference);
}

#[test]
fn a_recording_answers_like_the_reference_and_shows_the_same_fault() {
    let mut recorder = Recorder::new(Simulated(toy()), LAYOUT.state_bytes());
    let text = difference(&toy(), &mut recorder);
    assert_eq!(text, "");
    let file = recorder.finish(7, 2_000).unwrap();
    assert!(file.len() < 20_000, "{} bytes", file.len());

    let mut recording = Recording::new(&file, LAYOUT.state_bytes()).unwrap();
    assert_eq!((recording.seed, recording.instructions), (7, 2_000));
    assert_eq!(difference(&toy(), &mut recording), "");
    assert!(!recording.strayed);

    let wrong_sum = Toy { wrong_at: Some(0x7F), ..toy() };
    let mut recording = Recording::new(&file, LAYOUT.state_bytes()).unwrap();
    assert_eq!(difference(&wrong_sum, &mut recording), difference(&wrong_sum, &mut Simulated(toy())));
    let mut recording = Recording::new(&file, LAYOUT.state_bytes()).unwrap();
    let text = difference(&Toy { writes: true, ..toy() }, &mut recording);
    assert_eq!(text, "memory 0x0 to 0x8 differs (before: behind the last 512 instructions)");

    let damaged = [&file[..60], &[0xFF; 8], &file[68..]].concat();
    assert!(Recording::new(&damaged, LAYOUT.state_bytes()).is_err());
    assert_eq!(Recording::new(b"else", 1).unwrap_err(), "that is no recording");
}

#[test]
fn a_stream_other_than_the_recorded_one_is_noticed() {
    let mut recorder = Recorder::new(Simulated(toy()), LAYOUT.state_bytes());
    assert_eq!(difference(&toy(), &mut recorder), "");
    let mut recording = Recording::new(&recorder.finish(7, 2_000).unwrap(), LAYOUT.state_bytes()).unwrap();
    let mut pair = Pair::new(toy(), LAYOUT);
    run(&mut pair, &mut Bytes::default(), &mut recording, 8, 2_000).unwrap();
    assert!(recording.strayed);
}

#[test]
fn a_program_is_followed_to_its_end_and_a_fault_in_it_is_seen() {
    let end = |subject: &Toy| subject.accumulator >= 100_000;
    let subject = |wrong_at| Toy { memory: [1; 16], wrong_at, ..toy() };
    let followed = |wrong_at, flag_copies| {
        let how = Following { every_instructions: 16, clocks: true, ignored: &[], flag_copies };
        let mut pair = Pair::new(subject(wrong_at), LAYOUT);
        follow(&mut pair, &mut Simulated(subject(None)), &HALVES, how, end).unwrap()
    };
    assert_eq!(followed(None, 0).unwrap(), 100_000);
    assert_eq!(followed(Some(1), 0).unwrap_err().details, ["accumulator 0x20, reference 0x10"]);
    // Taken for copies of flags, those two are let go and the next are the first that differ in more.
    assert_eq!(followed(Some(1), 0x30).unwrap_err().details, ["accumulator 0x40, reference 0x20"]);
}
