//! A simulator that is a library, behind the protocol.

use crate::protocol::{digest, Reader, Reference, Until};

/// A simulator in this process. Registers have the numbers of the layout.
pub trait Library {
    fn register(&mut self, number: u16) -> u32;
    fn set_register(&mut self, number: u16, value: u32);
    fn read(&mut self, address: u32, length_bytes: usize) -> Vec<u8>;
    fn write(&mut self, address: u32, bytes: &[u8]);
    /// Clocks since the start, or 0.
    fn clocks(&self) -> u64 {
        0
    }
    /// Executes instructions; gives the stop of [`State`](crate::protocol::State).
    fn run(&mut self, until: Until) -> u8;
}

/// The simulator as a reference.
pub struct InProcess<L> {
    pub library: L,
    /// Number and size of each register.
    layout: Vec<(u16, usize)>,
}

impl<L: Library> InProcess<L> {
    pub fn new(library: L) -> Self {
        Self { library, layout: Vec::new() }
    }

    fn put_state(&mut self, stop: u8, instructions: u32, answer: &mut Vec<u8>) {
        answer.push(stop);
        answer.extend(instructions.to_le_bytes());
        answer.extend(self.library.clocks().to_le_bytes());
        for &(number, bytes) in &self.layout {
            answer.extend(&self.library.register(number).to_le_bytes()[..bytes]);
        }
    }
}

impl<L: Library> Reference for InProcess<L> {
    fn exchange(&mut self, batch: &[u8]) -> Result<Vec<u8>, String> {
        let mut batch = Reader { bytes: batch };
        let mut answer = Vec::new();
        while !batch.bytes.is_empty() {
            let code = batch.number(1)?;
            let mut word = || batch.number(4).map(|value| value as u32);
            match code {
                1 => {
                    batch.take(1)?;
                    let count = batch.number(2)?;
                    let one = |_| Ok((batch.number(2)? as u16, batch.number(1)? as usize));
                    self.layout = (0..count).map(one).collect::<Result<_, String>>()?;
                }
                2 => {
                    let (address, length) = (word()?, word()?);
                    self.library.write(address, batch.take(length as usize)?);
                }
                3 => {
                    let (index, value) = (batch.number(2)? as usize, batch.number(4)? as u32);
                    let (number, _) = *self.layout.get(index).ok_or("the layout has no such register")?;
                    self.library.set_register(number, value);
                }
                4 => {
                    let wanted = word()?;
                    let count_at = answer.len();
                    answer.extend([0; 4]);
                    let mut done = 0_u32;
                    let mut stop = 0;
                    while done < wanted && stop == 0 {
                        stop = self.library.run(Until::Instructions(1));
                        done += 1;
                        self.put_state(stop, done, &mut answer);
                    }
                    answer[count_at..count_at + 4].copy_from_slice(&done.to_le_bytes());
                }
                6 | 7 => {
                    let (address, length) = (word()?, word()?);
                    let bytes = self.library.read(address, length as usize);
                    match code {
                        6 => answer.extend(bytes),
                        _ => answer.extend(digest(&bytes).to_le_bytes()),
                    }
                }
                5 | 8 | 9 | 10 => {
                    let until = match code {
                        5 => Until::Instructions(word()?),
                        8 => Until::Stop,
                        9 => Until::Address(word()?),
                        _ => Until::Clocks(word()?),
                    };
                    let instructions = if let Until::Instructions(count) = until { count } else { 0 };
                    let stop = self.library.run(until);
                    self.put_state(stop, instructions, &mut answer);
                }
                other => return Err(format!("no command {other}")),
            }
        }
        Ok(answer)
    }
}
