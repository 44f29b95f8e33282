//! Programs beside the RTL of a core, which `rtl/` builds: the cycle at which each instruction begins.
//!
//! Of the registers the program counter alone is seen; a program stores the others at its end.

pub mod images;

use crate::chip::{Chip, Family, MAX_CYCLES};
use crate::protocol::{digest, Answer, Reference};
use crate::references::gdb::Simulator;
use crate::stream::{Difference, Pair, Subject};
use std::ops::Range;
use steelyard_emu::observe::Observer;
use steelyard_emu::processor::{Exit, Processor};

/// The RTL of the core of that name.
pub fn reference(name: &str) -> Result<Box<dyn Reference>, String> {
    let missing = |_| format!("its RTL is not built; run differential rtl {} --source DIR", folder(name));
    Ok(Box::new(Simulator::start(name, &[]).map_err(missing)?))
}

/// The folder of `rtl/` that builds the core of that name.
fn folder(name: &str) -> &str {
    name.split_once('-').map_or(name, |(folder, _)| folder)
}

/// The address of each instruction and the cycles until the next one's turn. Only a run as a whole knows what is under
/// way behind an instruction.
#[derive(Default)]
struct Trace(Vec<(u32, u32)>);

impl Observer for Trace {
    fn retired(&mut self, place: u32, cycles: u32) {
        self.0.push((place, cycles));
    }
}

/// Instructions that the reference is asked for together.
const CHUNK: usize = 1 << 20;

/// Runs to an address; the address of each instruction and its cycles.
pub fn traced<F: Family>(chip: &mut Chip<F>, end: u32) -> Result<Vec<(u32, u32)>, String> {
    let mut trace = Trace::default();
    let cpu = chip.cpu_mut();
    let limit = cpu.cycles() + MAX_CYCLES;
    cpu.plant_stop(end);
    let exit = cpu.run(&mut trace, limit);
    let address = |place: u32| cpu.executed(place as usize).map(|executed| executed.address);
    let instructions = trace.0.iter().map(|&(place, cycles)| Some((address(place)?, cycles))).collect();
    // What lies before the end is decoded anew from here on.
    cpu.clear_stop();
    match exit {
        Exit::Stop => Option::ok_or(instructions, "a program changes itself".into()),
        _ => Err(format!("a program ended in {exit:?}")),
    }
}

/// The first difference in addresses and cycles of a program that both begin, then in memories.
pub fn compare<F: Family>(
    pair: &mut Pair<Chip<F>>,
    start: u32,
    ours: &[(u32, u32)],
    memories: &[Range<u32>],
    reference: &mut dyn Reference,
) -> Result<Option<Difference>, String> {
    let differs = |code, details| Difference { kind: None, code, details: vec![details], before: Vec::new() };
    let (mut at, mut clocks) = (start, 0);
    let mut digests = Vec::new();
    for (number, chunk) in ours.chunks(CHUNK).enumerate() {
        let mut batch = pair.take_batch();
        batch.step(chunk.len() as u32);
        if (number + 1) * CHUNK >= ours.len() {
            memories.iter().for_each(|range| batch.digest(range.start, range.end - range.start));
        }
        let mut answers = batch.ask(&F::LAYOUT, reference)?.into_iter();
        let Some(Answer::States(states)) = answers.next() else {
            return Err("the reference answers otherwise than asked".into());
        };
        for (index, &(address, cycles)) in chunk.iter().enumerate() {
            let Some(state) = states.get(index).filter(|state| state.stop == 0 && at == address) else {
                let index = number * CHUNK + index;
                let details = format!("instruction {index} lies at {address:#x}, the reference's at {at:#x}");
                return Ok(Some(differs(Vec::new(), details)));
            };
            if state.clocks - clocks != u64::from(cycles) {
                let code = pair.subject.read(address.wrapping_sub(8), 12);
                let spent = state.clocks - clocks;
                return Ok(Some(differs(code, format!("{address:#x}: {cycles} clocks, reference {spent}"))));
            }
            (at, clocks) = (state.registers[0], state.clocks);
        }
        digests.extend(answers);
    }
    let same = |(range, answer): (&Range<u32>, &Answer)| {
        let bytes = pair.subject.read(range.start, range.end - range.start);
        matches!(answer, Answer::Digest(theirs) if *theirs == digest(&bytes))
    };
    let same = digests.len() == memories.len() && memories.iter().zip(&digests).all(same);
    Ok((!same).then(|| differs(Vec::new(), "memory behind a program".into())))
}
