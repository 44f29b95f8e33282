//! Million instructions a second of a compiled block cipher on the MSP430F1611, and on gdb's simulator, in one run, the
//! best of many calls:
//!
//! ```sh
//! cargo run --release -p steelyard-diff --example msp430_speed -- aes.elf
//! ```

use std::time::Instant;
use steelyard_diff::msp430::{subject, MSP430};
use steelyard_diff::simulator::{program, Batch, Reference, Simulator};
use steelyard_emu::processor::Processor;
use steelyard_emu::{Argument, Machine, Observe, Space};

const REPETITIONS: u32 = 200;
const MAX_CYCLES: u64 = 100_000_000;
/// Buffers, where the subject has RAM and the image nothing.
const BUFFERS: u32 = 0x0400;
/// The simulator knows no memory below it.
const FIRST: u32 = 0x0500;
const RAM_END: u32 = 0x3900;

fn main() -> Result<(), String> {
    let path = std::env::args().nth(1).ok_or("give the ELF file of a block cipher's image")?;
    let elf = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
    let mut chip = subject("msp430").0;
    let words = |error: steelyard_emu::Error| error.to_string();
    chip.load_elf(&elf).map_err(words)?;
    let address = |chip: &dyn Machine, name: &str| {
        chip.symbols().get(name).map(|symbol| symbol.address).ok_or(format!("no symbol `{name}`"))
    };
    let context = address(&chip, "harness_context")?;
    let ready = address(&chip, "harness_ready")?;
    let encrypt = address(&chip, "block_encrypt")?;
    chip.run_until(ready, MAX_CYCLES).map_err(words)?;
    chip.set_stack_pointer(RAM_END).map_err(words)?;
    let buffer = FIRST.max(BUFFERS);
    let pointer = |value: u32| Argument { value: value.into(), size_bytes: 2 };
    let of_init = [pointer(context), pointer(buffer)];
    let init = address(&chip, "block_init")?;
    chip.call(init, &of_init, MAX_CYCLES, Observe::Nothing).map_err(words)?;
    let arguments = [pointer(context), pointer(buffer), pointer(buffer + 16)];
    let instructions = chip.call(encrypt, &arguments, MAX_CYCLES, Observe::Stack).map_err(words)?.instructions;
    for (name, observe) in [("cycles", Observe::Nothing), ("and stack", Observe::Stack), ("and mix", Observe::Profile)]
    {
        let mut best = f64::INFINITY;
        for _ in 0..REPETITIONS {
            let start = Instant::now();
            chip.call(encrypt, &arguments, MAX_CYCLES, observe).map_err(words)?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{name:<10} {:>7.1} million instructions/s", instructions as f64 / best / 1e6);
    }

    // The same call on the simulator, up to the instruction before its return.
    let mut simulator = Simulator::start_program(&program(MSP430.simulator)?, MSP430.options)?;
    let mut best = 0.0_f64;
    for _ in 0..REPETITIONS {
        let mut batch = Batch::default();
        batch.layout(&MSP430.layout);
        let memory = chip.read(Space::Data, FIRST, 0xff00 - FIRST as usize).map_err(words)?;
        batch.write(FIRST, &memory);
        let registers = chip.processor().registers();
        for (index, value) in registers.iter().take(16).enumerate() {
            batch.set(index, *value);
        }
        for (index, value) in [(0, encrypt), (1, RAM_END - 2), (12, context), (13, buffer), (14, buffer + 16)] {
            batch.set(index, value);
        }
        simulator.exchange(batch.bytes())?;
        best = best.max(simulator.million_instructions_per_s(&MSP430.layout, instructions as u32 - 2)?);
    }
    println!("{:<10} {best:>7.1} million instructions/s", "simulator");
    Ok(())
}
