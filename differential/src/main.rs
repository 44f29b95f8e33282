//! `differential`: see `--help`.

use differential::chip::Catalogue;
use differential::families::{Entry, FAMILIES};
use differential::images::{Failure, Job};
use differential::protocol::Reference;
use differential::references::recording::Recorder;
use differential::stream::{Asked, Stream};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

const HELP: &str = "\
Compares the emulator with independent simulators, or times both.

  differential stream NAME...     random instructions: of a CPU like `rl78-g13`, or of all of a family like `rl78`
  differential soak               the same for every CPU; for those beside their RTL, with --source and Verilator
  differential record NAME...     the same, the reference's answers kept in DIR/NAME.recording
  differential rtl CORE --source DIR   builds a core's own RTL from a checkout under Verilator, and streams beside it
  differential images JOBS        calls of compiled images
  differential speed JOBS         million instructions per second on the last call of each job

  --instructions N    length of a stream (default 200000; of a soak 10000000, of a recording 10000)
  --seed S            start of the random numbers (default 1)
  --targets DIR       folder of the target files (default targets of this checkout)
  --source DIR        checkout of the core's RTL; of a soak CORE=DIR, as often as there are cores
  --recordings DIR    folder of the recordings (default tests/recordings of the tester)

`python differential/jobs.py` writes JOBS. The references are simavr (found when the tester is built), Unicorn (its Python
package), gdb's simulators (differential/simulators/build.sh) and RTL under Verilator (differential/rtl).

Exit status: 0 no difference, 1 a difference, 2 usage, 3 a reference is missing and nothing else differs.";

struct Options {
    words: Vec<String>,
    catalogue: Catalogue,
    recordings: PathBuf,
    sources: Vec<String>,
    instructions: Option<u64>,
    seed: u64,
}

/// What a command came to, the worst last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Same,
    /// A reference is missing.
    Missing,
    Different,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.is_empty() || arguments.iter().any(|argument| argument == "--help") {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    match options(&arguments).and_then(|options| run(&options)) {
        Ok(Verdict::Same) => ExitCode::SUCCESS,
        Ok(Verdict::Different) => ExitCode::FAILURE,
        Ok(Verdict::Missing) => ExitCode::from(3),
        Err(message) => {
            eprintln!("differential: {message}");
            ExitCode::from(2)
        }
    }
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        words: Vec::new(),
        catalogue: Catalogue::default(),
        recordings: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings"),
        sources: Vec::new(),
        instructions: None,
        seed: 1,
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{argument} needs a value"));
        let number = |text: &String| text.parse().map_err(|_| format!("`{text}` is no number"));
        match argument.as_str() {
            "--targets" => options.catalogue = Catalogue(value()?.into()),
            "--source" => options.sources.push(value()?.clone()),
            "--recordings" => options.recordings = value()?.into(),
            "--instructions" => options.instructions = Some(number(value()?)?),
            "--seed" => options.seed = number(value()?)?,
            other if other.starts_with('-') => return Err(format!("no option {other}; try --help")),
            other => options.words.push(other.to_owned()),
        }
    }
    Ok(options)
}

fn run(options: &Options) -> Result<Verdict, String> {
    let words: Vec<&str> = options.words.iter().map(String::as_str).collect();
    match words[..] {
        ["stream", ref names @ ..] if !names.is_empty() => worst(streams(names)?, |one| stream(options, one, 200_000)),
        ["record", ref names @ ..] if !names.is_empty() => worst(streams(names)?, |one| record(options, one)),
        ["rtl", core] => {
            let source = options.sources.last().ok_or("rtl needs --source DIR, a checkout of the core's RTL")?;
            rtl(options, core, source, 1_000_000)
        }
        ["soak"] => soak(options, 10_000_000),
        ["images", jobs] => worst(Job::read(Path::new(jobs))?, |job| images(options, &job)),
        ["speed", jobs] => worst(Job::read(Path::new(jobs))?, |job| speed(options, &job)),
        _ => Err("that is no command; try --help".into()),
    }
}

/// The worst of what becomes of these.
fn worst<T>(
    these: impl IntoIterator<Item = T>,
    mut each: impl FnMut(T) -> Result<Verdict, String>,
) -> Result<Verdict, String> {
    these.into_iter().try_fold(Verdict::Same, |worst, one| Ok(worst.max(each(one)?)))
}

fn family(name: &str) -> Result<&'static Entry, String> {
    FAMILIES.iter().find(|family| family.name == name).ok_or_else(|| format!("nothing compares the family {name}"))
}

/// The streams of these names of CPUs or families.
fn streams(names: &[&str]) -> Result<Vec<&'static Stream>, String> {
    let every = || FAMILIES.iter().flat_map(|family| family.streams.iter().map(move |stream| (family.name, stream)));
    let mut found = Vec::new();
    for name in names {
        let before = found.len();
        found.extend(every().filter(|(family, one)| family == name || one.name == *name).map(|(_, one)| one));
        if found.len() == before {
            let known: Vec<&str> = every().map(|(_, stream)| stream.name).collect();
            return Err(format!("no CPU or family `{name}`; there are {}", known.join(", ")));
        }
    }
    Ok(found)
}

fn missing(name: &str, why: &str) -> Verdict {
    println!("{name}: left out: {why}");
    Verdict::Missing
}

fn stream(options: &Options, stream: &Stream, instructions: u64) -> Result<Verdict, String> {
    let instructions = options.instructions.unwrap_or(instructions);
    let mut reference = match (stream.reference)(stream.name) {
        Ok(reference) => reference,
        Err(why) => return Ok(missing(stream.name, &why)),
    };
    judge(options, stream, instructions, reference.as_mut())
}

/// What builds the RTL of a core.
fn build_of(core: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl").join(core).join("build.sh")
}

/// The core whose RTL is the stream's reference.
fn core_of(stream: &Stream) -> Option<&'static str> {
    stream.name.split('-').next().filter(|core| build_of(core).exists())
}

/// Runs every stream. A machine without Verilator or a checkout of the RTL leaves out the streams beside it, and says so.
fn soak(options: &Options, instructions: u64) -> Result<Verdict, String> {
    let every = || FAMILIES.iter().flat_map(|family| family.streams);
    let simulated = every().filter(|one| core_of(one).is_none());
    let verdict = worst(simulated, |one| stream(options, one, instructions))?;
    let cores: BTreeSet<&str> = every().filter_map(core_of).collect();
    let named = |core: &str| options.sources.iter().find_map(|source| source.strip_prefix(core)?.strip_prefix('='));
    let beside_rtl = worst(cores, |core| match named(core) {
        Some(source) => rtl(options, core, source, instructions),
        None => Ok(missing(core, &format!("no checkout of its RTL is named; --source {core}=DIR names one"))),
    })?;
    Ok(if beside_rtl == Verdict::Missing { verdict } else { verdict.max(beside_rtl) })
}

/// Builds the RTL of a core from the checkout and runs its streams.
fn rtl(options: &Options, core: &str, source: &str, instructions: u64) -> Result<Verdict, String> {
    let build = build_of(core);
    if !build.exists() {
        return Err(format!("no RTL of `{core}` is known; there are ibex and openmsp430"));
    }
    let built = Command::new(&build).arg(source).stdout(Stdio::null()).stderr(Stdio::inherit()).status();
    let status = built.map_err(|error| format!("{}: {error}", build.display()))?;
    match status.code() {
        Some(0) => {}
        Some(3) => return Ok(missing(core, "Verilator is not installed")),
        _ => return Err(format!("the RTL of {core} could not be built")),
    }
    let every = FAMILIES.iter().flat_map(|family| family.streams);
    worst(every.filter(|one| core_of(one) == Some(core)), |one| stream(options, one, instructions))
}

fn judge(
    options: &Options,
    stream: &Stream,
    instructions: u64,
    reference: &mut dyn Reference,
) -> Result<Verdict, String> {
    let Options { catalogue, seed, .. } = options;
    let outcome = (stream.run)(&Asked { catalogue, name: stream.name, seed: *seed, instructions }, reference)?;
    for (name, executions) in &outcome.executions {
        println!("{name:<20} {executions:>9}");
    }
    let (starved, kinds) = (outcome.starved().count(), outcome.executions.len());
    let executed = outcome.instructions;
    let difference = outcome.difference();
    println!(
        "{}, seed {seed}: {executed} instructions, {} of {kinds} kinds executed, difference{}",
        stream.name,
        kinds - starved,
        difference.as_ref().map_or(" 0".into(), |text| format!(": {text}"))
    );
    Ok(if difference.is_none() && starved == 0 { Verdict::Same } else { Verdict::Different })
}

fn record(options: &Options, stream: &Stream) -> Result<Verdict, String> {
    let reference = match (stream.reference)(stream.name) {
        Ok(reference) => reference,
        Err(why) => return Ok(missing(stream.name, &why)),
    };
    let mut recorder = Recorder::new(reference, stream.layout.state_bytes());
    let instructions = options.instructions.unwrap_or(10_000);
    let verdict = judge(options, stream, instructions, &mut recorder)?;
    if verdict == Verdict::Same {
        let path = options.recordings.join(stream.name).with_extension("recording");
        let written = recorder.finish(options.seed, instructions).and_then(|bytes| std::fs::write(&path, bytes));
        written.map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(verdict)
}

fn images(options: &Options, job: &Job) -> Result<Verdict, String> {
    let target = options.catalogue.target(&job.target)?;
    match (family(&target.family)?.compare)(&target, job) {
        Ok(agreement) => {
            let fault = agreement.fault.map_or(String::new(), |fault| format!("; then {fault}"));
            println!(
                "{}: difference 0 ({} instructions; cycles of the calls {:?}{fault})",
                job.name, agreement.instructions, agreement.call_cycles
            );
            Ok(Verdict::Same)
        }
        Err(Failure::Missing(why)) => Ok(missing(&job.name, &why)),
        Err(Failure::Different(message)) => {
            println!("{}: difference: {message}", job.name);
            Ok(Verdict::Different)
        }
    }
}

fn speed(options: &Options, job: &Job) -> Result<Verdict, String> {
    let target = options.catalogue.target(&job.target)?;
    let speeds = (family(&target.family)?.speeds)(&target, job)?;
    println!("{} ({} instructions), million instructions/s", job.name, speeds.instructions);
    let references: Vec<f64> = speeds.references.iter().map(|one| one.million_per_s(speeds.instructions)).collect();
    for way in speeds.references.iter().chain(&speeds.emulator) {
        let speed = way.million_per_s(speeds.instructions);
        let times = references.iter().map(|reference| format!("{:>7.2} x", speed / reference));
        println!("  {:<54} {speed:>8.1}{}", way.name, times.collect::<String>());
    }
    speeds.left_out.iter().for_each(|why| println!("  left out: {why}"));
    Ok(if references.is_empty() { Verdict::Missing } else { Verdict::Same })
}
