//! gdb's simulators as references: programs of their own, built by `simulators/build.sh` and driven over a pipe.

use crate::protocol::Reference;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A simulator in a process of its own.
pub struct Simulator {
    process: Child,
    commands: Option<ChildStdin>,
    answers: ChildStdout,
}

impl Simulator {
    /// Starts the simulator of that name of `simulators/build.sh`, with options of its own like `g13`.
    pub fn start(name: &str, options: &[&str]) -> Result<Self, String> {
        let program = program(name)?;
        let mut process = Command::new(&program)
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Some simulators announce every option and comment on bad opcodes there.
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}; run differential/simulators/build.sh {name}", program.display()))?;
        let pipes = (process.stdin.take(), process.stdout.take());
        let (Some(commands), Some(answers)) = pipes else { return Err("the simulator has no pipes".into()) };
        Ok(Self { process, commands: Some(commands), answers })
    }
}

/// Where `simulators/build.sh` puts the simulator of that name.
fn program(name: &str) -> Result<PathBuf, String> {
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = cache.or_else(home).ok_or("neither XDG_CACHE_HOME nor HOME is set")?;
    Ok(cache.join("steelyard/simulators").join(name).join("simulator"))
}

impl Reference for Simulator {
    fn exchange(&mut self, batch: &[u8]) -> Result<Vec<u8>, String> {
        let ended = |error: std::io::Error| format!("the simulator ended: {error}");
        let commands = self.commands.as_mut().ok_or("the simulator has ended")?;
        commands.write_all(&(batch.len() as u32).to_le_bytes()).map_err(ended)?;
        commands.write_all(batch).and_then(|()| commands.flush()).map_err(ended)?;
        let mut length = [0; 4];
        self.answers.read_exact(&mut length).map_err(ended)?;
        let mut answer = vec![0; u32::from_le_bytes(length) as usize];
        self.answers.read_exact(&mut answer).map_err(ended)?;
        Ok(answer)
    }

    fn process(&self) -> String {
        self.process.id().to_string()
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        // It ends when its commands do.
        self.commands = None;
        let _ = self.process.wait();
    }
}
