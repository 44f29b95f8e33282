//! The recorded random streams beside gdb's simulators, replayed; and the driver proven on a toy.

use differential::chip::Catalogue;
use differential::families::FAMILIES;
use differential::layout;
use differential::protocol::{Layout, Reference, Until};
use differential::references::library::{InProcess, Library};
use differential::references::recording::{Recorder, Recording};
use differential::rng::Rng;
use differential::stream::{follow, run, Asked, Following, Generator, Outcome, Pair, Placed, Subject};
use std::ops::Range;
use std::path::PathBuf;

fn path_of(stream: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/recordings").join(stream).with_extension("recording")
}

#[test]
fn every_recorded_stream_is_as_its_simulator_had_it() {
    let catalogue = Catalogue::default();
    let streams = FAMILIES.iter().flat_map(|family| family.streams);
    let mut kinds = std::collections::BTreeMap::new();
    for stream in streams.filter(|stream| path_of(stream.name).exists()) {
        let name = stream.name;
        let file = std::fs::read(path_of(name)).unwrap();
        let mut recording = Recording::new(&file, stream.layout.state_bytes()).unwrap();
        let Recording { seed, instructions, .. } = recording;
        let outcome = (stream.run)(&Asked { catalogue: &catalogue, name, seed, instructions }, &mut recording).unwrap();
        assert_eq!(outcome.difference(), None, "{name}");
        assert!(!recording.strayed, "{name}: another stream was recorded; record it again");
        assert_eq!(outcome.starved().collect::<Vec<_>>(), Vec::<&str>::new(), "{name}");
        kinds.insert(name, outcome.executions.into_iter().map(|(name, _)| name).collect::<Vec<_>>());
    }
    let folder = path_of("any").parent().unwrap().read_dir().unwrap();
    assert_eq!(kinds.len(), folder.count(), "a recording of no stream");
    // Without `sel`; with six instructions more.
    let [g10, g13, g14] = ["rl78-g10", "rl78-g13", "rl78-g14"].map(|name| kinds[name].len());
    assert_eq!((g10 + 1, g13 + 6), (g13, g14));
    assert!(g13 > 400, "{g13}");
    assert!(kinds["m16c"].len() > 200, "{}", kinds["m16c"].len());
    for operation in ["Move", "ProductSum word", "LongArithmeticBy", "BitMove to memory", "DecimalSbb immediate"] {
        assert!(kinds["m16c"].iter().any(|name| name == operation), "{operation}");
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

const LAYOUT: Layout = layout!(little; 4: "accumulator" 0; 1: "counter" 1);
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

    fn pc(&self) -> u32 {
        self.counter
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

    fn run_to(&mut self, address: u32) -> Result<(), String> {
        while self.counter != address {
            self.step()?;
        }
        Ok(())
    }

    fn clocks(&self) -> u64 {
        self.clocks
    }
}

/// The toy as a simulator.
struct Simulated(Toy);

impl Library for Simulated {
    fn register(&mut self, number: u16) -> u32 {
        self.0.register(number.into())
    }

    fn set_register(&mut self, number: u16, value: u32) {
        self.0.set_register(number.into(), value);
    }

    fn read(&mut self, address: u32, length_bytes: usize) -> Vec<u8> {
        Subject::read(&self.0, address, length_bytes as u32)
    }

    fn write(&mut self, address: u32, bytes: &[u8]) {
        self.0.write(address, bytes);
    }

    fn clocks(&self) -> u64 {
        self.0.clocks
    }

    fn run(&mut self, until: Until) -> u8 {
        match until {
            Until::Instructions(count) => (0..count).for_each(|_| self.0.step().unwrap()),
            Until::Address(address) => self.0.run_to(address).unwrap(),
            other => panic!("{other:?}"),
        }
        0
    }
}

fn simulated() -> InProcess<Simulated> {
    InProcess::new(Simulated(toy()))
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
        Placed { kind: Some(0), code: vec![value], ignored: self.ignored.clone(), clocks: true, ..Placed::default() }
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
    let outcome = stream(&toy(), &mut Bytes::default(), &mut simulated());
    assert!(outcome.difference.is_none(), "{:?}", outcome.difference);
    assert_eq!(outcome.executions, [("add".to_owned(), 2_000)]);
}

#[test]
fn a_planted_fault_of_each_sort_is_seen() {
    let wrong_sum = Toy { wrong_at: Some(0x7F), ..toy() };
    let text = difference(&wrong_sum, &mut simulated());
    assert!(text.starts_with("7f accumulator 0x"), "{text}");
    let text = difference(&Toy { cycles: 3, ..toy() }, &mut simulated());
    assert!(text.contains("3 clocks, reference 2"), "{text}");
    let text = difference(&Toy { writes: true, ..toy() }, &mut simulated());
    assert!(text.starts_with("memory 0x"), "{text}");
}

#[test]
fn bits_left_out_of_the_comparison_are_the_emulators_from_then_on() {
    let mut generator = Bytes { ignored: vec![(ACCUMULATOR, u32::MAX)] };
    let outcome = stream(&Toy { wrong_at: Some(0x7F), ..toy() }, &mut generator, &mut simulated());
    assert!(outcome.difference.is_none(), "{:?}", outcome.difference);
}

#[test]
fn a_recording_answers_like_the_reference_and_shows_the_same_fault() {
    let mut recorder = Recorder::new(Box::new(simulated()), LAYOUT.state_bytes());
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
    assert_eq!(difference(&wrong_sum, &mut recording), difference(&wrong_sum, &mut simulated()));
    let mut recording = Recording::new(&file, LAYOUT.state_bytes()).unwrap();
    let text = difference(&Toy { writes: true, ..toy() }, &mut recording);
    assert_eq!(text, "memory 0x0 to 0x8 differs (before: behind the last 512 instructions)");

    let damaged = [&file[..60], &[0xFF; 8], &file[68..]].concat();
    assert!(Recording::new(&damaged, LAYOUT.state_bytes()).is_err());
    assert_eq!(Recording::new(b"else", 1).unwrap_err(), "that is no recording");
}

#[test]
fn a_stream_other_than_the_recorded_one_is_noticed() {
    let mut recorder = Recorder::new(Box::new(simulated()), LAYOUT.state_bytes());
    assert_eq!(difference(&toy(), &mut recorder), "");
    let mut recording = Recording::new(&recorder.finish(7, 2_000).unwrap(), LAYOUT.state_bytes()).unwrap();
    let mut pair = Pair::new(toy(), LAYOUT);
    run(&mut pair, &mut Bytes::default(), &mut recording, 8, 2_000).unwrap();
    assert!(recording.strayed);
}

#[test]
fn a_program_is_followed_to_its_end_and_a_fault_in_it_is_seen() {
    // The counter comes round: an end that is 15 steps away, whatever is compared on the way.
    let subject = |wrong_at| Toy { memory: [1; 16], wrong_at, ..toy() };
    let followed = |wrong_at, flag_copies, every_instructions| {
        let placed = Placed { clocks: true, flag_copies, ..Placed::default() };
        let mut pair = Pair::new(subject(wrong_at), LAYOUT);
        let mut reference = InProcess::new(Simulated(subject(None)));
        follow(&mut pair, &mut reference, &HALVES, &Following { every_instructions, placed }, 15).unwrap()
    };
    assert_eq!(followed(None, 0, Some(4)).unwrap(), 15);
    followed(None, 0, None).unwrap();
    assert_eq!(followed(Some(1), 0, Some(4)).unwrap_err().details, ["accumulator 0x8, reference 0x4"]);
    // Taken for copies of flags, those two are let go and the next are the first that differ in more.
    assert_eq!(followed(Some(1), 0xc, Some(4)).unwrap_err().details, ["accumulator 0x10, reference 0x8"]);
    assert_eq!(followed(Some(1), 0, None).unwrap_err().details, ["accumulator 0x1e, reference 0xf"]);
}
