//! An observer that keeps all that it is told of instructions, and calls under its eyes.

use super::values::Random;
use std::ops::Range;
use steelyard_emu::emulated::Emulated;
use steelyard_emu::observe::{Cause, Leak, Observer};
use steelyard_emu::processor::{Exit, Processor};
use steelyard_emu::{Argument, Machine, Observe, Space};

const MAX_CYCLES: u64 = 2_000;

/// Causes of an instruction's cycles.
pub type Causes = Vec<(Cause, u32)>;
/// What leaks, by the distance of its instruction from somewhere.
pub type Leaks = [(u32, Leak)];

/// What an instruction at a place did.
#[derive(Debug, Default)]
pub struct Witness {
    pub leaks: Vec<(u32, Leak)>,
    pub stalls: Vec<(u32, Cause, u32)>,
    /// Place, address, bytes, and whether it was a store.
    pub accesses: Vec<(u32, u32, u32, bool)>,
    pub retired: Vec<(u32, u32)>,
    /// Stalls of the instruction under way.
    under_way: Vec<(u32, u32)>,
}

impl Witness {
    pub fn cycles(&self) -> u64 {
        self.retired.iter().map(|&(_, cycles)| u64::from(cycles)).sum()
    }

    /// Bytes that were loaded, or stored.
    pub fn bytes(&self, stored: bool) -> u64 {
        let of_kind = self.accesses.iter().filter(|&&(_, _, _, store)| store == stored);
        of_kind.map(|&(_, _, size_bytes, _)| u64::from(size_bytes)).sum()
    }

    /// Number of loads, or of stores.
    pub fn count(&self, stored: bool) -> u64 {
        self.accesses.iter().filter(|&&(_, _, _, store)| store == stored).count() as u64
    }

    /// Cycles of an instruction, and their causes, at the first execution.
    pub fn spent_at(&self, place: u32) -> (u32, Causes) {
        let (_, cycles) = *self.retired.iter().find(|&&(at, _)| at == place).expect("it was executed");
        let here = self.stalls.iter().filter(|&&(at, _, _)| at == place);
        (cycles, here.map(|&(_, cause, cycles)| (cause, cycles)).collect())
    }
}

impl Observer for Witness {
    const DETAILS: bool = true;

    fn retired(&mut self, pc: u32, cycles: u32) {
        let waited = std::mem::take(&mut self.under_way);
        assert!(waited.iter().all(|&(at, _)| at == pc), "{waited:?} are no waits of {pc:#x}");
        assert!(waited.iter().map(|&(_, cycles)| cycles).sum::<u32>() <= cycles, "{waited:?} of {cycles} at {pc:#x}");
        self.retired.push((pc, cycles));
    }

    fn stalled(&mut self, pc: u32, cause: Cause, cycles: u32) {
        assert!(cycles > 0, "no cycles are no wait");
        self.under_way.push((pc, cycles));
        self.stalls.push((pc, cause, cycles));
    }

    fn accessed(&mut self, pc: u32, address: u32, size_bytes: u32, store: bool) {
        self.accesses.push((pc, address, size_bytes, store));
    }

    fn leaked(&mut self, pc: u32, leak: Leak) {
        self.leaks.push((pc, leak));
    }
}

/// Calls a function whose arguments are in registers; returns what was seen, how it ended, and the cycles behind the
/// call instruction.
pub fn witnessed<P: Processor>(chip: &mut Emulated<P>, function: u32, arguments: &[Argument]) -> (Witness, Exit, u64) {
    let cpu = chip.processor_mut();
    let stack_pointer = cpu.stack_pointer();
    let on_the_stack = cpu.place(arguments).unwrap();
    let below = stack_pointer.wrapping_sub(on_the_stack.len() as u32) & !(P::STACK_ALIGNMENT - 1);
    cpu.write(Space::Data, below.wrapping_add(P::STACK_FREE_BYTES), &on_the_stack).unwrap();
    cpu.set_stack_pointer(below).unwrap();
    cpu.call(function).unwrap();
    let before = cpu.cycles();
    let mut witness = Witness::default();
    let exit = cpu.run(&mut witness, before + MAX_CYCLES);
    let cycles = cpu.cycles() - before;
    cpu.called();
    cpu.set_stack_pointer(stack_pointer).unwrap();
    (witness, exit, cycles)
}

/// Runs pieces of code twice: what is told of single instructions sums up to what a profile of the call says, cycles and
/// accesses, which `count` counts as the family does.
pub fn assert_sums<P: Processor>(
    chip: &mut Emulated<P>,
    code_address: u32,
    memory: Range<u32>,
    arguments: &[Argument],
    count: fn(&Witness, bool) -> u64,
    mut code: impl FnMut(&mut Random) -> Vec<u8>,
) {
    let mut random = Random(7);
    let mut ended_well = 0;
    chip.snapshot();
    for run in 0..1_000 {
        let code = code(&mut random);
        let bytes: Vec<u8> = memory.clone().map(|_| random.word() as u8).collect();
        let set_up = |chip: &mut Emulated<P>| {
            chip.restore().unwrap();
            chip.write(Space::Program, code_address, &code).unwrap();
            chip.write(Space::Data, memory.start, &bytes).unwrap();
        };
        set_up(chip);
        let started = chip.processor().cycles();
        let result = chip.call(code_address, arguments, MAX_CYCLES, Observe::Profile).unwrap();
        if result.fault.is_some() {
            continue;
        }
        assert_eq!(chip.processor().cycles() - started, result.cycles);
        set_up(chip);
        let started = chip.processor().cycles();
        let (witness, exit, cycles) = witnessed(chip, code_address, arguments);
        let of_the_call = chip.processor().cycles() - started - cycles;
        assert_eq!(exit, Exit::Stop, "run {run}: {code:02x?}");
        assert_eq!(witness.cycles(), cycles, "run {run}: {code:02x?}: {witness:?}");
        assert_eq!(witness.cycles() + of_the_call, result.cycles, "run {run}: {code:02x?}");
        let counted = [count(&witness, false), count(&witness, true)];
        assert_eq!(counted, [result.totals.loads, result.totals.stores], "run {run}: {code:02x?}: {witness:?}");
        assert_eq!(witness.retired.len() as u64 + 1, result.instructions, "run {run}: {code:02x?}");
        ended_well += 1;
    }
    assert!(ended_well > 50, "only {ended_well} of the pieces return");
}
