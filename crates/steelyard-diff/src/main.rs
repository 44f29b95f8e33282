//! `steelyard-diff`: see `--help`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use steelyard_diff::compiled;
use steelyard_diff::recording::Recorder;
use steelyard_diff::simulator::{Reference, Simulator};
use steelyard_diff::stream::{self, Cpu};

const HELP: &str = "\
Compares the emulator with simavr or one of gdb's simulators, or times both.

  steelyard-diff random TARGET    AVR: a random instruction stream, step by step, then programs at full speed
  steelyard-diff gdb CPU          a random instruction stream beside gdb's simulator of the CPU
  steelyard-diff record CPU       the same, the simulator's answers kept in DIR/CPU.recording
  steelyard-diff soak             the random streams of every AVR chip that simavr knows, and of every CPU
  steelyard-diff images JOBS      AVR: calls of compiled images
  steelyard-diff gdb-images JOBS  RL78, M16C, MSP430, ERC32: the same beside gdb's simulator
  steelyard-diff benchmark JOBS   AVR: million instructions per second
  steelyard-diff gdb-benchmark JOBS   RL78, M16C, MSP430, ERC32: the same

  --instructions N    length of a random stream (default 200000; of a recording 10000)
  --seed S            start of the random numbers (default 1)
  --targets DIR       folder of the target files (default targets)
  --recordings DIR    folder of the recordings (default crates/steelyard-diff/tests/data)

`python tests/targets/image_jobs.py DIR` writes DIR/images.json and DIR/bench.json, the JOBS.
`tools/simulators/build.sh` builds gdb's simulators.

Exit status: 0 no difference, 1 a difference, 2 usage, 3 without the reference.";

const INSTRUCTIONS: u64 = 200_000;
const RECORDED_INSTRUCTIONS: u64 = 10_000;

struct Options {
    words: Vec<String>,
    targets: PathBuf,
    recordings: PathBuf,
    instructions: Option<u64>,
    seed: u64,
}

/// Why nothing was compared: a wrong request, or a reference that is missing.
enum Failure {
    Usage(String),
    Environment(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Usage(message)
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.is_empty() || arguments.iter().any(|argument| argument == "--help") {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let (message, status) = match run(&arguments) {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) => return ExitCode::FAILURE,
        Err(Failure::Usage(message)) => (message, 2),
        Err(Failure::Environment(message)) => (message, 3),
    };
    eprintln!("steelyard-diff: {message}");
    ExitCode::from(status)
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        words: Vec::new(),
        targets: "targets".into(),
        recordings: "crates/steelyard-diff/tests/data".into(),
        instructions: None,
        seed: 1,
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{argument} needs a value"));
        let number = |text: &String| text.parse().map_err(|_| format!("`{text}` is no number"));
        match argument.as_str() {
            "--targets" => options.targets = value()?.into(),
            "--recordings" => options.recordings = value()?.into(),
            "--instructions" => options.instructions = Some(number(value()?)?),
            "--seed" => options.seed = number(value()?)?,
            other if other.starts_with('-') => return Err(format!("no option {other}; try --help")),
            other => options.words.push(other.to_owned()),
        }
    }
    Ok(options)
}

fn run(arguments: &[String]) -> Result<bool, Failure> {
    let options = options(arguments)?;
    let words: Vec<&str> = options.words.iter().map(String::as_str).collect();
    match words[..] {
        ["random", target] => avr::random_stream(&options, target),
        ["gdb", name] => beside_simulator(&options, cpu(name)?),
        ["record", name] => record(&options, cpu(name)?),
        ["gdb-images", jobs] => compiled_images(&options.targets, Path::new(jobs)),
        ["gdb-benchmark", jobs] => compiled_speed(&options.targets, Path::new(jobs)),
        ["images", jobs] => avr::images(&options.targets, Path::new(jobs)),
        ["soak"] => {
            let same = avr::every_stream(&options)?;
            stream::CPUS.iter().try_fold(same, |same, cpu| Ok(beside_simulator(&options, cpu)? && same))
        }
        ["benchmark", jobs] => avr::benchmark(&options.targets, Path::new(jobs)),
        _ => Err(Failure::Usage("that is no command; try --help".into())),
    }
}

fn cpu(name: &str) -> Result<&'static Cpu, String> {
    stream::CPUS.iter().find(|cpu| cpu.name == name).ok_or_else(|| {
        let names: Vec<&str> = stream::CPUS.iter().map(|cpu| cpu.name).collect();
        format!("no CPU `{name}`; there are {}", names.join(", "))
    })
}

fn beside_simulator(options: &Options, cpu: &Cpu) -> Result<bool, Failure> {
    let mut simulator = Simulator::start(cpu.simulator, cpu.options).map_err(Failure::Environment)?;
    judge(cpu, &mut simulator, options.seed, options.instructions.unwrap_or(INSTRUCTIONS))
}

fn compiled_images(targets: &Path, path: &Path) -> Result<bool, Failure> {
    let mut same = true;
    for job in compiled::read(path)? {
        match compiled::compare(targets, &job) {
            Ok(agreement) => {
                let fault = agreement.fault.map_or(String::new(), |fault| format!("; then {fault}"));
                println!(
                    "{}: difference 0 ({} instructions; cycles of the calls {:?}{fault})",
                    job.name, agreement.instructions, agreement.call_cycles
                );
            }
            Err(message) => {
                same = false;
                println!("{}: difference: {message}", job.name);
            }
        }
    }
    Ok(same)
}

fn compiled_speed(targets: &Path, path: &Path) -> Result<bool, Failure> {
    for job in compiled::read(path)? {
        let speed = compiled::speed(targets, &job)?;
        let (ours, theirs) = (speed.emulator_million_per_s, speed.simulator_million_per_s);
        println!(
            "{}: {} instructions, emulator {ours:.1}, gdb's simulator {theirs:.1} million instructions/s: {:.1} times",
            job.name,
            speed.instructions,
            ours / theirs
        );
    }
    Ok(true)
}

fn record(options: &Options, cpu: &Cpu) -> Result<bool, Failure> {
    let simulator = Simulator::start(cpu.simulator, cpu.options).map_err(Failure::Environment)?;
    let mut recorder = Recorder::new(simulator, cpu.layout.state_bytes());
    let instructions = options.instructions.unwrap_or(RECORDED_INSTRUCTIONS);
    if !judge(cpu, &mut recorder, options.seed, instructions)? {
        return Ok(false);
    }
    let path = options.recordings.join(cpu.name).with_extension("recording");
    let written = recorder.finish(options.seed, instructions).and_then(|bytes| std::fs::write(&path, bytes));
    written.map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{}", path.display());
    Ok(true)
}

fn judge(cpu: &Cpu, reference: &mut dyn Reference, seed: u64, instructions: u64) -> Result<bool, Failure> {
    let outcome = (cpu.stream)(reference, seed, instructions)?;
    for (name, executions) in &outcome.executions {
        println!("{name:<20} {executions:>9}");
    }
    let starved = outcome.starved().count();
    let kinds = outcome.executions.len();
    let executed = outcome.instructions();
    println!("{}, seed {seed}: {executed} instructions, {} of {kinds} kinds executed", cpu.name, kinds - starved);
    if let Some(difference) = outcome.difference {
        let kind = difference.kind.map_or("memory", |kind| outcome.executions[kind].0.as_str());
        println!("difference: {kind} {difference}");
        return Ok(false);
    }
    println!("difference 0");
    Ok(starved == 0)
}

#[cfg(not(have_simavr))]
mod avr {
    use super::{Failure, Options};
    use std::path::Path;

    fn missing() -> Result<bool, Failure> {
        let text = "steelyard-diff was built without simavr: install libsimavr-dev and pkg-config, and build again";
        Err(Failure::Environment(text.into()))
    }

    pub fn every_stream(_: &Options) -> Result<bool, Failure> {
        missing()
    }

    pub fn random_stream(_: &Options, _: &str) -> Result<bool, Failure> {
        missing()
    }

    pub fn images(_: &Path, _: &Path) -> Result<bool, Failure> {
        missing()
    }

    pub fn benchmark(_: &Path, _: &Path) -> Result<bool, Failure> {
        missing()
    }
}

#[cfg(have_simavr)]
mod avr {
    use super::{Failure, Options, INSTRUCTIONS};
    use std::path::Path;
    use steelyard_diff::chip::{Emulator, Target};
    use steelyard_diff::lockstep::Pair;
    use steelyard_diff::simavr::Simavr;
    use steelyard_diff::{bench, jobs, random};
    use steelyard_emu::avr::table::row_of;

    /// Chips of the catalogue that simavr knows.
    const CHIPS: [&str; 3] = ["atmega128", "atmega328p", "attiny45"];

    /// So many steps of the random stream for each program that then runs at full speed.
    const INSTRUCTIONS_PER_PROGRAM: u64 = 1_000;

    pub fn every_stream(options: &Options) -> Result<bool, Failure> {
        CHIPS.into_iter().try_fold(true, |same, id| Ok(random_stream(options, id)? && same))
    }

    pub fn random_stream(options: &Options, id: &str) -> Result<bool, Failure> {
        let instructions = options.instructions.unwrap_or(INSTRUCTIONS);
        let target = Target::load(&options.targets, id)?;
        let reference = Simavr::new(id, 0).ok_or_else(|| format!("simavr does not know `{id}`"))?;
        let emulator = Emulator::new(&target)?;
        let chip = emulator.chip(&target, &reference)?;
        let mut pair = Pair::new(emulator, reference);
        let outcome = random::run(&mut pair, &chip, options.seed, instructions);
        for row in &chip.rows {
            println!("{:<10} {:>9}", row.name, outcome.executions[row.index()]);
        }
        let starved = outcome.starved(&chip).count();
        println!(
            "{id}, seed {}: {} instructions, {} of {} table rows executed",
            options.seed,
            outcome.instructions(),
            chip.rows.len() - starved,
            chip.rows.len()
        );
        if let Some(difference) = outcome.difference {
            let name = row_of(difference.words[0]).map_or("no instruction", |row| row.name);
            println!("difference: {name} {difference}");
            return Ok(false);
        }
        println!("difference 0");
        let programs = instructions.div_ceil(INSTRUCTIONS_PER_PROGRAM);
        if let Some(difference) = random::run_programs(&mut pair, &chip, options.seed, programs).difference {
            println!("{programs} programs at full speed, difference: {difference}");
            return Ok(false);
        }
        println!("{programs} programs at full speed, difference 0");
        Ok(starved == 0)
    }

    pub fn images(targets: &Path, path: &Path) -> Result<bool, Failure> {
        let mut same = true;
        for job in jobs::read(path)? {
            match jobs::compare(targets, &job) {
                Ok(agreement) => {
                    let fault = agreement.fault.map_or(String::new(), |fault| format!("; then {fault}"));
                    println!(
                        "{}: difference 0 ({} instructions; cycles of the calls {:?}{fault})",
                        job.name, agreement.instructions, agreement.call_cycles
                    );
                }
                Err(message) => {
                    same = false;
                    println!("{}: difference: {message}", job.name);
                }
            }
        }
        Ok(same)
    }

    pub fn benchmark(targets: &Path, path: &Path) -> Result<bool, Failure> {
        for job in jobs::read(path)? {
            println!("{}", job.name);
            let figures = bench::run(targets, &job)?;
            let [simavr, free, ..] = &figures[..] else { return Err(Failure::Usage("nothing was timed".into())) };
            let (simavr, free) = (simavr.million_instructions_per_s, free.million_instructions_per_s);
            for figure in &figures {
                let speed = figure.million_instructions_per_s;
                println!(
                    "  {:<34} {speed:>7.1} million instructions/s {:>6.2} x simavr {:>6.2} x simavr in long bursts",
                    figure.name,
                    speed / simavr,
                    speed / free
                );
            }
        }
        Ok(true)
    }
}
