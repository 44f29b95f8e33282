//! Two machines that differ only in what stands for a value.

use std::ops::Range;
use steelyard_emu::{Argument, Machine, Observe, Space};

const MAX_CYCLES: u64 = 2_000;

/// Numbers that look random.
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.word() as usize % bound
    }
}

/// Runs pieces of code on both machines and compares all that is seen of each: cycles, instructions, stack, result, fault,
/// and a range of memory.
pub fn assert_alike(
    [plain, shadowed]: [&mut dyn Machine; 2],
    code_address: u32,
    memory: Range<u32>,
    arguments: &[Argument],
    mut code: impl FnMut(&mut Random) -> Vec<u8>,
) {
    let mut random = Random(1);
    let mut ended_well = 0;
    for run in 0..2_000 {
        let code = code(&mut random);
        let bytes: Vec<u8> = memory.clone().map(|_| random.word() as u8).collect();
        let mut outcome = |machine: &mut dyn Machine| {
            machine.write(Space::Program, code_address, &code).unwrap();
            machine.write(Space::Data, memory.start, &bytes).unwrap();
            let stack = machine.stack_pointer();
            let result = machine.call(code_address, arguments, MAX_CYCLES, Observe::Stack).unwrap();
            machine.set_stack_pointer(stack).unwrap();
            ended_well += u32::from(result.fault.is_none());
            (format!("{result:?}"), machine.read(Space::Data, memory.start, bytes.len()).unwrap())
        };
        assert_eq!(outcome(plain), outcome(shadowed), "run {run}: {code:02x?}");
    }
    assert!(ended_well > 100, "only {ended_well} of the pieces return");
}
