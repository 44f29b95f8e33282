//! What the fetch unit thinks of a branch: targets it remembers, directions by address and history, and a stack of
//! return addresses.

use super::timing::Prediction;

/// Bytes fetched at once, to which remembered targets belong.
const FETCH_BYTES: u32 = 4;

const HINTS: usize = 64;

/// A branch or jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Branch,
    /// The target is in the instruction.
    Jump,
    /// The target is in a register.
    Indirect,
    Return,
}

/// A branch that was executed.
#[derive(Debug, Clone, Copy)]
pub struct Executed {
    pub kind: Kind,
    /// Of its last halfword.
    pub address: u32,
    pub taken: bool,
    pub target: u32,
    /// Where it is known only to the fetch unit: whether the target lies before the branch.
    pub backward: bool,
    /// What it leaves for a return to come; `None` for what is no call.
    pub link: Option<u32>,
}

/// How the fetch unit did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guess {
    Right,
    /// Right, when it had decoded the branch.
    Late,
    Wrong,
}

#[derive(Clone, Copy)]
struct Entry {
    address: u32,
    target: u32,
    used: u64,
}

/// Instructions have even addresses.
const FREE: Entry = Entry { address: 1, target: 0, used: 0 };

/// What a core remembers of its branches.
#[derive(Clone)]
pub struct Branches {
    prediction: Option<Prediction>,
    entries: Vec<Entry>,
    counters: Vec<u8>,
    history: u32,
    returns: Vec<u32>,
    clock: u64,
    /// Where the entry of an address was last, so that most searches are one comparison.
    hints: [u16; HINTS],
}

impl Branches {
    /// Nothing is remembered yet.
    pub fn new(prediction: Option<&Prediction>) -> Self {
        let size = |of: fn(&Prediction) -> u32| prediction.map_or(0, of) as usize;
        Branches {
            prediction: prediction.copied(),
            entries: vec![FREE; size(|prediction| prediction.targets)],
            counters: vec![0; size(|prediction| prediction.directions)],
            history: 0,
            returns: Vec::with_capacity(size(|prediction| prediction.returns)),
            clock: 0,
            hints: [0; HINTS],
        }
    }

    /// Forgets every branch.
    pub fn flush(&mut self) {
        *self = Branches::new(self.prediction.as_ref());
    }

    /// A branch was executed: how it had been guessed. What is learnt is known to the next one.
    pub fn executed(&mut self, branch: Executed) -> Guess {
        let Some(prediction) = self.prediction else { return Guess::Right };
        let returned = if branch.kind == Kind::Return { self.returns.last().copied() } else { None };
        let known = self.entry(branch.address).is_some();
        let guess = if prediction.targets == 0 {
            match branch.kind {
                Kind::Branch if branch.taken == branch.backward => Guess::Right,
                Kind::Jump => Guess::Right,
                Kind::Return if returned == Some(branch.target) => Guess::Right,
                _ => Guess::Wrong,
            }
        } else {
            self.looked_up(&prediction, &branch, returned)
        };
        if returned.is_some() && (prediction.decodes || prediction.targets == 0 || known) {
            self.returns.pop();
        }
        if let (Some(link), true) = (branch.link, prediction.returns > 0) {
            if self.returns.len() == prediction.returns as usize {
                self.returns.remove(0);
            }
            self.returns.push(link);
        }
        guess
    }

    fn entry(&mut self, address: u32) -> Option<usize> {
        let hint = &mut self.hints[(address >> 1) as usize % HINTS];
        if self.entries.get(usize::from(*hint)).is_some_and(|entry| entry.address == address) {
            return Some(usize::from(*hint));
        }
        let found = self.entries.iter().position(|entry| entry.address == address);
        if let Some(place) = found {
            *hint = place as u16;
        }
        found
    }

    fn looked_up(&mut self, prediction: &Prediction, branch: &Executed, returned: Option<u32>) -> Guess {
        self.clock += 1;
        let found = self.entry(branch.address);
        let counter = self.counter(prediction, branch.address);
        let thought_taken = branch.kind != Kind::Branch || self.counters[counter] & 1 == 1;
        let guess = match found {
            Some(entry) => {
                let target = returned.unwrap_or(self.entries[entry].target);
                if thought_taken != branch.taken || branch.taken && target != branch.target {
                    Guess::Wrong
                } else {
                    Guess::Right
                }
            }
            None if prediction.decodes && thought_taken => match branch.kind {
                Kind::Branch if branch.taken => Guess::Late,
                Kind::Jump => Guess::Late,
                Kind::Return if returned == Some(branch.target) => Guess::Late,
                _ => Guess::Wrong,
            },
            None if branch.taken => Guess::Wrong,
            None => Guess::Right,
        };
        if branch.kind == Kind::Branch && (found.is_some() || prediction.decodes) {
            let old = self.counters[counter];
            let taken = u8::from(branch.taken);
            self.counters[counter] = match prediction.counter_bits {
                1 => taken,
                // The upper bit is the last outcome, the lower one that of most of it, the upper and the lower bit.
                _ => taken << 1 | u8::from((old >> 1) + (old & 1) + taken >= 2),
            };
            self.history = (self.history >> 1) | u32::from(branch.taken) << prediction.history_bits >> 1;
        }
        if let (Some(entry), true) = (found, branch.taken) {
            self.entries[entry].used = self.clock;
        }
        let learns = branch.taken && (guess == Guess::Late || guess == Guess::Wrong);
        if learns {
            self.learn(branch);
        }
        guess
    }

    fn counter(&self, prediction: &Prediction, address: u32) -> usize {
        let bits = prediction.directions.ilog2();
        let mask = prediction.directions - 1;
        let word = (address & !(FETCH_BYTES - 1)) >> prediction.address_low_bit;
        let folded = word >> bits & ((1 << prediction.address_fold_bits) - 1);
        let (length, hashed) = (u32::from(prediction.history_bits), u32::from(prediction.history_hash_bits));
        let history = if length == hashed {
            self.history
        } else {
            // The upper bits of a product with a constant near the square root of 3/4 of its range.
            let factor = (3_f64.sqrt() / 2.0 * f64::from(1_u32 << length)) as u32;
            (factor * self.history) >> (length - hashed) & ((1 << hashed) - 1)
        };
        ((word ^ folded ^ history << (bits - hashed.min(bits))) & mask) as usize
    }

    /// Remembers a target: in the entry of the same fetched word, else instead of the one unused for longest.
    fn learn(&mut self, branch: &Executed) {
        let same = self.entries.iter().position(|entry| {
            entry.address != FREE.address && entry.address / FETCH_BYTES == branch.address / FETCH_BYTES
        });
        let oldest = || (0..self.entries.len()).min_by_key(|&entry| self.entries[entry].used);
        if let Some(place) = same.or_else(oldest) {
            self.entries[place] = Entry { address: branch.address, target: branch.target, used: self.clock };
        }
    }
}
