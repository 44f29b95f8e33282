//! Where two runs of the same code on other data part: in the flow, in the addresses of data, or in the cycles.
//!
//! A trace keeps digests of all events from the start, after every stretch of instructions, and the events of one
//! stretch if asked for. Two traces tell in which stretch they begin to differ; traces of the same runs again, with the
//! events of that stretch, tell at which instruction.

use crate::observe::Observer;
use crate::processor::Processor;

/// Instructions from one digest to the next.
pub const STRETCH: u64 = 4096;

/// What may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aspect {
    /// Which instructions are executed.
    Flow,
    /// Where they load from and store to.
    Address,
    /// How long they take.
    Cycles,
}

impl Aspect {
    /// Every aspect, in order of its number.
    pub const ALL: [Aspect; 3] = [Aspect::Flow, Aspect::Address, Aspect::Cycles];

    /// Returns the name used in results.
    pub fn name(self) -> &'static str {
        match self {
            Aspect::Flow => "flow",
            Aspect::Address => "address",
            Aspect::Cycles => "cycles",
        }
    }
}

/// Digests by aspect.
type Digests = [u64; 3];

/// An access of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Access {
    address: u32,
    size_bytes: u32,
    store: bool,
}

/// An instruction that has ended, with its accesses up to a place in their list.
#[derive(Debug, Clone, Copy)]
struct Event {
    pc: u32,
    cycles: u32,
    accesses_end: usize,
}

/// The events of a stretch.
#[derive(Debug, Clone, Default)]
struct Kept {
    /// Address of the last instruction before it.
    before: Option<u32>,
    events: Vec<Event>,
    accesses: Vec<Access>,
}

impl Kept {
    fn accesses_of(&self, index: usize) -> &[Access] {
        let Some(event) = self.events.get(index) else { return &[] };
        let begin = index.checked_sub(1).map_or(0, |before| self.events[before].accesses_end);
        &self.accesses[begin..event.accesses_end]
    }

    /// Returns the address of the instruction before one of the stretch.
    fn address_before(&self, index: usize) -> Option<u32> {
        index.checked_sub(1).map_or(self.before, |before| self.events.get(before).map(|event| event.pc))
    }
}

/// What was traced of a run.
#[derive(Debug, Clone)]
pub struct Trace {
    pub instructions: u64,
    /// Those of the instructions, without the call instruction.
    pub cycles: u64,
    /// After each stretch, and after the last instruction.
    digests: Vec<Digests>,
    /// Number of the stretch whose events are kept, and these.
    kept: Option<(u64, Kept)>,
}

/// An instruction at which two runs begin to differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub aspect: Aspect,
    /// Number of the instruction in either run, from 0.
    pub number: u64,
    /// Address of the last instruction before it, which is common to both runs.
    pub before: Option<u32>,
    /// Its address in each run; they differ in the flow only. `None` where the run has ended.
    pub pc: [Option<u32>; 2],
    /// The first address of data in which they differ; `None` where there is no such access.
    pub address: [Option<u32>; 2],
    /// Its cycles in each run.
    pub cycles: [Option<u32>; 2],
}

impl Trace {
    /// Returns the number of the first stretch after which the digests of an aspect differ.
    ///
    /// Runs whose flow has parted differ in everything from there on.
    pub fn first_stretch(&self, other: &Trace, aspect: Aspect) -> Option<u64> {
        let digest = |trace: &Trace, stretch: usize| trace.digests.get(stretch).map(|all| all[aspect as usize]);
        let stretches = self.digests.len().max(other.digests.len());
        (0..stretches).find(|&stretch| digest(self, stretch) != digest(other, stretch)).map(|stretch| stretch as u64)
    }

    /// Returns the first instruction of the kept stretch at which the runs differ in an aspect; `None` if both do not
    /// keep the same stretch, or do not differ in it.
    pub fn difference(&self, other: &Trace, aspect: Aspect) -> Option<Difference> {
        let (Some((stretch, one)), Some((same, two))) = (&self.kept, &other.kept) else { return None };
        if stretch != same {
            return None;
        }
        let kept = [one, two];
        let event = |run: usize, index: usize| kept[run].events.get(index);
        let pc = |run: usize, index: usize| event(run, index).map(|event| event.pc);
        let cycles = |run: usize, index: usize| event(run, index).map(|event| event.cycles);
        let differs = |&index: &usize| match aspect {
            Aspect::Flow => pc(0, index) != pc(1, index),
            Aspect::Address => one.accesses_of(index) != two.accesses_of(index),
            Aspect::Cycles => cycles(0, index) != cycles(1, index),
        };
        let index = (0..one.events.len().max(two.events.len())).find(differs)?;
        let accesses = kept.map(|kept| kept.accesses_of(index));
        let place = (0..).find(|&place| {
            let [one, two] = accesses.map(|accesses| accesses.get(place));
            one != two || one.is_none()
        })?;
        Some(Difference {
            aspect,
            number: stretch * STRETCH + index as u64,
            before: one.address_before(index),
            pc: [pc(0, index), pc(1, index)],
            address: accesses.map(|accesses| accesses.get(place).map(|access| access.address)),
            cycles: [cycles(0, index), cycles(1, index)],
        })
    }
}

/// Returns a digest with a number added to what it stands for; the multiplier is 2^64 divided by the golden ratio.
fn mixed(digest: u64, number: u64) -> u64 {
    let mixed = (digest.rotate_left(25) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

/// Observer that traces.
pub struct Tracer {
    now: Digests,
    /// Place of the last instruction.
    last: Option<u32>,
    /// The stretch to keep.
    wanted: Option<u64>,
    trace: Trace,
}

impl Tracer {
    /// Starts; the events of a stretch, by its number, are kept.
    pub fn new(stretch: Option<u64>) -> Self {
        let kept = stretch.map(|number| (number, Kept::default()));
        let trace = Trace { instructions: 0, cycles: 0, digests: Vec::new(), kept };
        Tracer { now: [0; 3], last: None, wanted: stretch, trace }
    }

    /// Returns the trace of a run that has ended on this processor.
    pub fn finish<P: Processor>(mut self, processor: &P) -> Trace {
        self.trace.digests.push(self.now);
        if let Some((_, kept)) = &mut self.trace.kept {
            kept.before = kept.before.map(|place| processor.address_at(place));
            kept.events.iter_mut().for_each(|event| event.pc = processor.address_at(event.pc));
        }
        self.trace
    }

    #[inline(always)]
    fn kept(&mut self) -> Option<&mut Kept> {
        match &mut self.trace.kept {
            Some((_, kept)) if self.wanted == Some(self.trace.instructions / STRETCH) => Some(kept),
            _ => None,
        }
    }
}

impl Observer for Tracer {
    const DETAILS: bool = true;

    fn accessed(&mut self, pc: u32, address: u32, size_bytes: u32, store: bool) {
        let what = u64::from(address) | u64::from(size_bytes) << 32 | u64::from(store) << 63;
        let digest = &mut self.now[Aspect::Address as usize];
        *digest = mixed(mixed(*digest, pc.into()), what);
        if let Some(kept) = self.kept() {
            kept.accesses.push(Access { address, size_bytes, store });
        }
    }

    fn retired(&mut self, pc: u32, cycles: u32) {
        let [flow, _, time] = &mut self.now;
        *flow = mixed(*flow, pc.into());
        *time = mixed(*time, cycles.into());
        let last = self.last.replace(pc);
        if let Some(kept) = self.kept() {
            if kept.events.is_empty() {
                kept.before = last;
            }
            kept.events.push(Event { pc, cycles, accesses_end: kept.accesses.len() });
        }
        self.trace.cycles += u64::from(cycles);
        self.trace.instructions += 1;
        if self.trace.instructions % STRETCH == 0 {
            self.trace.digests.push(self.now);
        }
    }
}
