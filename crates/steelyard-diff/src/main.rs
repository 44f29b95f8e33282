//! `steelyard-diff`: see `--help`.

use std::process::ExitCode;

#[cfg(not(have_simavr))]
fn main() -> ExitCode {
    eprintln!("steelyard-diff was built without simavr: install libsimavr-dev and pkg-config, and build again");
    ExitCode::from(3)
}

#[cfg(have_simavr)]
fn main() -> ExitCode {
    with_simavr::main()
}

#[cfg(have_simavr)]
mod with_simavr {
    use std::path::{Path, PathBuf};
    use std::process::ExitCode;
    use steelyard_diff::chip::{Emulator, Target};
    use steelyard_diff::lockstep::Pair;
    use steelyard_diff::simavr::Simavr;
    use steelyard_diff::{bench, jobs, random};
    use steelyard_emu::avr::table::row_of;

    const HELP: &str = "\
Compares the emulator with simavr, or times both.

  steelyard-diff random TARGET    a random instruction stream, step by step, then programs at full speed
  steelyard-diff soak             the same on every chip that simavr knows
  steelyard-diff images JOBS      calls of compiled images
  steelyard-diff benchmark JOBS   million instructions per second

  --instructions N   length of a random stream (default 200000)
  --seed S           start of the random numbers (default 1)
  --targets DIR      folder of the target files (default targets)

`python tests/targets/image_jobs.py DIR` writes DIR/images.json and DIR/bench.json, the JOBS.

Exit status: 0 no difference, 1 a difference, 2 usage, 3 without simavr.";

    /// Chips of the catalogue that simavr knows.
    const CHIPS: [&str; 3] = ["atmega128", "atmega328p", "attiny45"];

    const INSTRUCTIONS: u64 = 200_000;
    /// So many steps of the random stream for each program that then runs at full speed.
    const INSTRUCTIONS_PER_PROGRAM: u64 = 1_000;

    pub fn main() -> ExitCode {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        if arguments.is_empty() || arguments.iter().any(|argument| argument == "--help") {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        match run(&arguments) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(message) => {
                eprintln!("steelyard-diff: {message}");
                ExitCode::from(2)
            }
        }
    }

    struct Options {
        words: Vec<String>,
        targets: PathBuf,
        instructions: u64,
        seed: u64,
    }

    fn options(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options { words: Vec::new(), targets: "targets".into(), instructions: INSTRUCTIONS, seed: 1 };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| format!("{argument} needs a value"));
            let number = |text: &String| text.parse().map_err(|_| format!("`{text}` is no number"));
            match argument.as_str() {
                "--targets" => options.targets = value()?.into(),
                "--instructions" => options.instructions = number(value()?)?,
                "--seed" => options.seed = number(value()?)?,
                other if other.starts_with('-') => return Err(format!("no option {other}; try --help")),
                other => options.words.push(other.to_owned()),
            }
        }
        Ok(options)
    }

    fn run(arguments: &[String]) -> Result<bool, String> {
        let options = options(arguments)?;
        let words: Vec<&str> = options.words.iter().map(String::as_str).collect();
        match words[..] {
            ["random", target] => random_stream(&options, target),
            ["images", jobs] => images(&options.targets, Path::new(jobs)),
            ["soak"] => CHIPS.into_iter().try_fold(true, |same, id| Ok(random_stream(&options, id)? && same)),
            ["benchmark", jobs] => benchmark(&options.targets, Path::new(jobs)),
            _ => Err("that is no command; try --help".into()),
        }
    }

    fn random_stream(options: &Options, id: &str) -> Result<bool, String> {
        let target = Target::load(&options.targets, id)?;
        let reference = Simavr::new(id, 0).ok_or_else(|| format!("simavr does not know `{id}`"))?;
        let emulator = Emulator::new(&target)?;
        let chip = emulator.chip(&target, &reference)?;
        let mut pair = Pair::new(emulator, reference);
        let outcome = random::run(&mut pair, &chip, options.seed, options.instructions);
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
        let programs = options.instructions.div_ceil(INSTRUCTIONS_PER_PROGRAM);
        if let Some(difference) = random::run_programs(&mut pair, &chip, options.seed, programs).difference {
            println!("{programs} programs at full speed, difference: {difference}");
            return Ok(false);
        }
        println!("{programs} programs at full speed, difference 0");
        Ok(starved == 0)
    }

    fn images(targets: &Path, path: &Path) -> Result<bool, String> {
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

    fn benchmark(targets: &Path, path: &Path) -> Result<bool, String> {
        for job in jobs::read(path)? {
            println!("{}", job.name);
            let figures = bench::run(targets, &job)?;
            let [simavr, free, ..] = &figures[..] else { return Err("nothing was timed".into()) };
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
