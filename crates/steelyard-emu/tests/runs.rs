//! Runs of instructions that are executed at one go: nothing may show that they are.

use crate::common::{bytes_of, chip, CORES, RAM};
use steelyard_emu::avr::isa::{Op, ROWS, RUNS};
use steelyard_emu::avr::Avr;
use steelyard_emu::observe::Nothing;
use steelyard_emu::processor::Exit;

/// Word address at which every run starts.
const START: u16 = 0x0124;
/// Choices of operands for each run.
const VARIANTS: u32 = 6;

/// Operand bits and register contents, the same every time (SplitMix64).
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// Steps one by one until this many cycles are used up.
fn step_for(avr: &mut Avr, cycles: u64) -> Exit {
    let end = avr.processor().cycles + cycles;
    while avr.processor().cycles < end {
        let limit = avr.processor().cycles + 1;
        match avr.processor_mut().run(&mut Nothing, limit) {
            Exit::Limit => {}
            exit => return exit,
        }
    }
    Exit::Limit
}

fn run_for(avr: &mut Avr, cycles: u64) -> Exit {
    let limit = avr.processor().cycles + cycles;
    avr.processor_mut().run(&mut Nothing, limit)
}

#[test]
fn a_run_at_one_go_is_its_instructions_one_by_one() {
    let mut seed = 1;
    let mut traps = 0;
    for (core, _) in CORES {
        let (mut stepped, mut at_one_go) = (chip(core), chip(core));
        let has = |op: &Op| stepped.processor().program.core().cycles[*op as usize].is_some();
        let runs: Vec<_> = RUNS.iter().filter(|run| run.iter().all(has)).collect();
        for run in runs {
            for variant in 0..VARIANTS {
                let words: Vec<u16> = run
                    .iter()
                    .map(|op| {
                        let (mask, value) = ROWS[*op as usize].fixed_bits();
                        value | random(&mut seed) as u16 & !mask
                    })
                    .collect();
                let mut registers = [0; 32];
                registers.fill_with(|| random(&mut seed) as u8);
                // The last variants leave pointers where nothing answers.
                if variant < VARIANTS - 2 {
                    for high in [27, 29, 31] {
                        registers[high] = (RAM >> 8) as u8 + 4;
                    }
                }
                let sreg = random(&mut seed) as u8;
                for cycles in 1..=2 * run.len() as u64 + 1 {
                    for avr in [&mut stepped, &mut at_one_go] {
                        let cpu = avr.processor_mut();
                        cpu.program.write(usize::from(START) * 2, &bytes_of(&words));
                        cpu.registers = registers;
                        cpu.sreg = sreg;
                        cpu.sp = RAM + 0x400;
                        cpu.pc = START;
                    }
                    let exits = [step_for(&mut stepped, cycles), run_for(&mut at_one_go, cycles)];
                    traps += u32::from(matches!(exits[0], Exit::Trap(_)));
                    let [ours, theirs] = [at_one_go.processor(), stepped.processor()];
                    let states = [ours, theirs].map(|cpu| (cpu.registers, cpu.sreg, cpu.sp, cpu.pc, cpu.cycles));
                    assert_eq!(states[0], states[1], "{core}: {run:?} {words:04x?} for {cycles} cycles");
                    assert_eq!(exits[1], exits[0], "{core}: {run:?} {words:04x?} for {cycles} cycles");
                }
                assert!(
                    stepped.processor().bus.bytes() == at_one_go.processor().bus.bytes(),
                    "{core}: {run:?} {words:04x?}"
                );
            }
        }
    }
    assert!(traps > 100, "only {traps} of the runs ended in the middle");
}

#[test]
fn a_stop_or_new_code_within_a_run_ends_it_there() {
    const INC_R16: u16 = 0x9503;
    for run in RUNS {
        let mut avr = chip("avr51");
        let words: Vec<u16> = run.iter().map(|op| ROWS[*op as usize].fixed_bits().1).collect();
        let ready = |avr: &mut Avr| {
            let cpu = avr.processor_mut();
            cpu.registers = [(RAM >> 8) as u8 + 4; 32];
            cpu.sreg = 0;
            cpu.bus.set_bytes(&[0; 0x1_0000]);
            cpu.sp = RAM + 0x400;
            cpu.pc = START;
        };
        avr.processor_mut().program.write(usize::from(START) * 2, &bytes_of(&words));
        for inside in 1..run.len() as u16 {
            ready(&mut avr);
            avr.processor_mut().program.plant_stop(START + inside);
            assert_eq!(run_for(&mut avr, 100), Exit::Stop, "{run:?}");
            assert_eq!(avr.processor().pc, START + inside, "{run:?}");
            avr.processor_mut().program.clear_stop();
            let mut changed = words.clone();
            changed[usize::from(inside)] = INC_R16;
            ready(&mut avr);
            avr.processor_mut().program.write(usize::from(START + inside) * 2, &bytes_of(&[INC_R16]));
            avr.processor_mut().program.plant_stop(START + inside + 1);
            assert_eq!(run_for(&mut avr, 100), Exit::Stop, "{run:?}");
            let with_new_code = avr.processor().registers;
            let mut fresh = chip("avr51");
            fresh.processor_mut().program.write(usize::from(START) * 2, &bytes_of(&changed));
            ready(&mut fresh);
            fresh.processor_mut().program.plant_stop(START + inside + 1);
            assert_eq!(step_for(&mut fresh, 100), Exit::Stop, "{run:?}");
            assert_eq!(with_new_code, fresh.processor().registers, "{run:?}");
            avr.processor_mut().program.clear_stop();
            avr.processor_mut().program.write(usize::from(START) * 2, &bytes_of(&words));
        }
    }
}

#[test]
fn only_the_last_of_a_run_may_leave_the_line() {
    use steelyard_emu::profile::Class;
    for run in RUNS {
        assert!(run.len() >= 2);
        for op in &run[..run.len() - 1] {
            let row = &ROWS[*op as usize];
            assert_eq!(row.words(), 1, "{run:?}");
            let leaves = matches!(row.class, Class::Branch | Class::Jump | Class::Call | Class::Return | Class::Other);
            assert!(!leaves, "{run:?}");
        }
    }
}
