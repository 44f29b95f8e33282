//! What an observer that takes details sees of a piece of code.

use super::values::Random;
use steelyard_emu::observe::{Cause, Leak, Nothing, Observer};
use steelyard_emu::processor::{Exit, Processor};
use steelyard_emu::value::Beside;
use steelyard_emu::Space;

/// Cycles after which a run is cut.
const LIMIT: u64 = 10_000;

/// The waits of a piece of code: offset of the instruction, cause and cycles.
pub type Stalls = &'static [(u32, Cause, u32)];

const STACK_POINTERS: [&str; 3] = ["sp", "x2", "%sp"];

/// An access of data: first address, number of bytes, and whether it is a store.
pub type Access = (u32, u32, bool);

/// Everything told of a run, by the place of the instruction.
#[derive(Default)]
pub struct Seen {
    pub leaks: Vec<(u32, Leak)>,
    pub stalls: Vec<(u32, Cause, u32)>,
    pub accesses: Vec<(u32, Access)>,
    pub cycles: u64,
    pub instructions: u64,
    /// Cycles with a cause of the instruction under way.
    waits: u32,
}

impl Observer for Seen {
    const DETAILS: bool = true;

    fn retired(&mut self, pc: u32, cycles: u32) {
        let waits = std::mem::take(&mut self.waits);
        assert!(waits <= cycles, "{waits} of the {cycles} cycles at place {pc} have a cause");
        self.cycles += u64::from(cycles);
        self.instructions += 1;
    }

    fn stalled(&mut self, pc: u32, cause: Cause, cycles: u32) {
        self.waits += cycles;
        self.stalls.push((pc, cause, cycles));
    }

    fn accessed(&mut self, pc: u32, address: u32, size_bytes: u32, store: bool) {
        self.accesses.push((pc, (address, size_bytes, store)));
    }

    fn leaked(&mut self, pc: u32, leak: Leak) {
        self.leaks.push((pc, leak));
    }
}

/// Puts a piece of code at an address, which may carry a mark, and makes its end the end of the run.
fn prepare<P: Processor>(processor: &mut P, code: u32, bytes: &[u8], registers: &[(&str, u32)]) {
    let stack = registers.iter().find(|(name, _)| STACK_POINTERS.contains(name)).expect("a stack pointer").1;
    processor.reset(stack);
    processor.write(Space::Program, code & !1, bytes).unwrap();
    processor.plant_stop(code + bytes.len() as u32);
    processor.set_pc(code);
    for (name, value) in registers {
        let place = processor.settable().iter().position(|one| one.name == *name).expect("a register");
        processor.set(place, *value).unwrap();
    }
    processor.empty_caches();
}

/// Runs a piece of code with registers set. What is seen is by the offset of the instruction from the first, in bytes;
/// `None` if the run does not end at the end of the code.
pub fn watch<P: Processor>(processor: &mut P, code: u32, bytes: &[u8], registers: &[(&str, u32)]) -> Option<Seen> {
    prepare(processor, code, bytes, registers);
    let mut seen = Seen::default();
    let began = processor.cycles();
    let exit = processor.run(&mut seen, began + LIMIT);
    let offset = |pc: u32| processor.executed(pc as usize).expect("an instruction").address - (code & !1);
    seen.leaks.iter_mut().for_each(|(pc, _)| *pc = offset(*pc));
    seen.stalls.iter_mut().for_each(|(pc, ..)| *pc = offset(*pc));
    seen.accesses.iter_mut().for_each(|(pc, _)| *pc = offset(*pc));
    processor.clear_stop();
    matches!(exit, Exit::Stop).then_some(seen)
}

/// Watches pieces of code that look random: the causes of none of their instructions take more cycles than it does, and
/// watching changes no cycle.
pub fn assert_causes_fit<P: Processor>(
    processor: &mut P,
    code: u32,
    registers: &[(&str, u32)],
    mut pieces: impl FnMut(&mut Random) -> Vec<u8>,
) {
    let mut random = Random(7);
    let mut instructions = 0;
    processor.snapshot_memory();
    for _ in 0..500 {
        let bytes = pieces(&mut random);
        let mut seen = Seen::default();
        let (exit, cycles) = spent(processor, &mut seen, code, &bytes, registers);
        assert_eq!((exit, cycles), spent(processor, &mut Nothing, code, &bytes, registers), "{bytes:02x?}");
        if exit == Exit::Stop {
            assert_eq!(cycles, seen.cycles, "{bytes:02x?}");
        }
        instructions += seen.instructions;
    }
    assert!(instructions > 100, "only {instructions} instructions of the pieces end");
}

/// Runs a piece of code from the snapshot of memory on; returns how it ends and its cycles.
fn spent<P: Processor, O: Observer>(
    processor: &mut P,
    observer: &mut O,
    code: u32,
    bytes: &[u8],
    registers: &[(&str, u32)],
) -> (Exit, u64) {
    processor.restore_memory();
    prepare(processor, code, bytes, registers);
    let began = processor.cycles();
    let exit = processor.run(observer, began + LIMIT);
    processor.clear_stop();
    (exit, processor.cycles() - began)
}

/// Makes bytes secret that a program finds in memory, and all others public.
pub fn keep_secret<P: Processor>(processor: &mut P, address: u32, length: u32) {
    let beside = processor.parts_mut().beside;
    *beside = P::Beside::default();
    beside.fill(address..address + length, 0xff);
}

/// The secret bits of four bytes.
pub fn secret_bits<P: Processor>(processor: &P, address: u32) -> [u8; 4] {
    [0, 1, 2, 3].map(|offset| processor.parts().beside.bits(address + offset))
}

/// The name of a leak, without its address.
pub fn name(leak: Leak) -> &'static str {
    match leak {
        Leak::Branch => "branch",
        Leak::Target => "target",
        Leak::Condition => "condition",
        Leak::Load { .. } => "load",
        Leak::Store { .. } => "store",
        Leak::Multiply => "multiply",
        Leak::Divide => "divide",
        Leak::Shift => "shift",
        Leak::Stack => "stack",
    }
}

/// A piece of code, its text, and the leaks that it has if the first word of RAM is secret.
pub struct Case<'a> {
    pub text: &'a str,
    pub code: Vec<u8>,
    pub leaks: &'a [(u32, &'a str)],
}

/// Checks the leaks of pieces of code, and that none of them has one when nothing is secret.
pub fn assert_leaks<P: Processor>(processor: &mut P, code: u32, ram: u32, registers: &[(&str, u32)], cases: &[Case]) {
    for Case { text, code: bytes, leaks } in cases {
        for secret in [true, false] {
            keep_secret(processor, ram, if secret { 4 } else { 0 });
            processor.write(Space::Data, ram, &SECRET).unwrap();
            let seen = watch(processor, code, bytes, registers).unwrap_or_else(|| panic!("{text} does not end"));
            let found: Vec<_> = seen.leaks.iter().map(|&(pc, leak)| (pc, name(leak))).collect();
            let wanted = if secret { leaks } else { &[][..] };
            assert_eq!(found, wanted, "{text}, secret: {secret}");
        }
    }
}

/// The word that is secret, as little-endian bytes; bit 2 is 0 in either order of its bytes.
pub const SECRET: [u8; 4] = [0x43, 0x9a, 0xbc, 0x83];
