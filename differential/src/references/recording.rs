//! A reference's answers in a small file, so that a test needs no simulator.
//!
//! The file: a magic line, the stream's seed (8 bytes) and instructions (8), then, compressed by DEFLATE, for every batch the digest of its commands (8 bytes), the
//! answer's length (4) and the answer, each byte of it XORed with the one a state before, since little changes.

use crate::protocol::{digest, Reference};
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::Compression;
use std::io::{Read, Write};

const MAGIC: &[u8] = b"steelyard recording 1\n";

/// XORs each byte with the one `period_bytes` before it; `undo` turns that back.
fn differences(bytes: &[u8], period_bytes: usize) -> Vec<u8> {
    let before = |at: usize| at.checked_sub(period_bytes).map_or(0, |earlier| bytes[earlier]);
    (0..bytes.len()).map(|at| bytes[at] ^ before(at)).collect()
}

fn undo(mut bytes: Vec<u8>, period_bytes: usize) -> Vec<u8> {
    for at in period_bytes..bytes.len() {
        bytes[at] ^= bytes[at - period_bytes];
    }
    bytes
}

/// A reference that keeps what it was asked and what it answered.
pub struct Recorder {
    reference: Box<dyn Reference>,
    period_bytes: usize,
    records: Vec<u8>,
}

impl Recorder {
    /// `period_bytes`: after how many bytes an answer resembles itself, the size of a state.
    pub fn new(reference: Box<dyn Reference>, period_bytes: usize) -> Self {
        Self { reference, period_bytes, records: Vec::new() }
    }

    /// The file's bytes, for a stream from that seed.
    pub fn finish(self, seed: u64, instructions: u64) -> std::io::Result<Vec<u8>> {
        let header = [MAGIC, &seed.to_le_bytes(), &instructions.to_le_bytes()].concat();
        let mut encoder = DeflateEncoder::new(header, Compression::best());
        encoder.write_all(&self.records)?;
        encoder.finish()
    }
}

impl Reference for Recorder {
    fn exchange(&mut self, batch: &[u8]) -> Result<Vec<u8>, String> {
        let answer = self.reference.exchange(batch)?;
        self.records.extend(digest(batch).to_le_bytes());
        self.records.extend((answer.len() as u32).to_le_bytes());
        self.records.extend(differences(&answer, self.period_bytes));
        Ok(answer)
    }
}

/// A reference that answers from a file what was recorded there.
#[derive(Debug)]
pub struct Recording {
    records: Vec<u8>,
    position: usize,
    period_bytes: usize,
    /// Start of the recorded stream's random numbers.
    pub seed: u64,
    /// Length of the recorded stream.
    pub instructions: u64,
    /// Whether a batch was not the recorded one. The answer is given all the same: the comparison shows what differs.
    pub strayed: bool,
}

impl Recording {
    pub fn new(file: &[u8], period_bytes: usize) -> Result<Self, String> {
        let mut rest = file.strip_prefix(MAGIC).ok_or("that is no recording")?;
        let mut numbers = [[0; 8]; 2];
        for number in &mut numbers {
            rest.read_exact(number).map_err(|error| format!("the recording is damaged: {error}"))?;
        }
        let [seed, instructions] = numbers.map(u64::from_le_bytes);
        let mut records = Vec::new();
        DeflateDecoder::new(rest)
            .read_to_end(&mut records)
            .map_err(|error| format!("the recording is damaged: {error}"))?;
        Ok(Self { records, position: 0, period_bytes, seed, instructions, strayed: false })
    }

    fn take(&mut self, length: usize) -> Result<&[u8], String> {
        let start = self.position;
        self.position += length;
        self.records.get(start..self.position).ok_or_else(|| "the recording ends before the stream".into())
    }
}

impl Reference for Recording {
    fn exchange(&mut self, batch: &[u8]) -> Result<Vec<u8>, String> {
        let recorded = self.take(8)?.to_vec();
        self.strayed |= recorded != digest(batch).to_le_bytes();
        let length = self.take(4)?.iter().rev().fold(0, |value, byte| value << 8 | usize::from(*byte));
        let answer = self.take(length)?.to_vec();
        Ok(undo(answer, self.period_bytes))
    }
}
