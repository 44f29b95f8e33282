//! Branch prediction of the fetch unit: remembered targets, directions by address and history, and a stack of return
//! addresses.

use super::timing::Prediction;

/// Number of bytes fetched at once; each remembered target belongs to one such block.
const FETCH_BYTES: u32 = 4;

const HINTS: usize = 64;

/// Kind of a branch or jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Branch,
    /// Jump whose target is in the instruction.
    Jump,
    /// Jump whose target is in a register.
    Indirect,
    Return,
}

/// A branch that was executed.
#[derive(Debug, Clone, Copy)]
pub struct Executed {
    pub kind: Kind,
    /// Address of the branch's last halfword.
    pub address: u32,
    pub taken: bool,
    pub target: u32,
    /// Whether the target lies at or before the branch, as far as the fetch unit knows it.
    pub backward: bool,
    /// Return address that a call leaves; `None` if the branch is no call.
    pub link: Option<u32>,
}

/// How the fetch unit predicted a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guess {
    Right,
    /// Right, but only after the branch was decoded.
    Late,
    Wrong,
}

#[derive(Clone, Copy)]
struct Entry {
    address: u32,
    target: u32,
    used: u64,
}

/// An unused entry; instructions have even addresses only.
const FREE: Entry = Entry { address: 1, target: 0, used: 0 };

/// State of branch prediction.
#[derive(Clone)]
pub struct Branches {
    prediction: Option<Prediction>,
    entries: Vec<Entry>,
    counters: Vec<u8>,
    history: u32,
    returns: Vec<u32>,
    clock: u64,
    /// Last position of an address's entry, so that most searches need one comparison.
    hints: [u16; HINTS],
}

impl Branches {
    /// Creates an empty state.
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

    /// Forgets all branches.
    pub fn flush(&mut self) {
        *self = Branches::new(self.prediction.as_ref());
    }

    /// Records an executed branch and returns how it was predicted; the next branch uses what is learnt.
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

    /// Remembers a target, in the entry of the same fetch block or in the least recently used one.
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

#[cfg(test)]
mod tests {
    use super::*;

    const E31: Prediction = Prediction {
        targets: 28,
        directions: 512,
        counter_bits: 1,
        history_bits: 8,
        history_hash_bits: 3,
        address_fold_bits: 2,
        address_low_bit: 2,
        returns: 6,
        decodes: true,
    };
    const E31_2016: Prediction = Prediction {
        targets: 40,
        directions: 128,
        counter_bits: 2,
        history_bits: 7,
        history_hash_bits: 7,
        address_fold_bits: 0,
        address_low_bit: 1,
        returns: 2,
        decodes: false,
    };

    fn branch(address: u32, taken: bool) -> Executed {
        Executed { kind: Kind::Branch, address, taken, target: 0x100, backward: true, link: None }
    }

    fn counter(prediction: &Prediction, address: u32, history: u32) -> usize {
        let branches = Branches { history, ..Branches::new(Some(prediction)) };
        branches.counter(prediction, address)
    }

    #[test]
    fn address_and_history_choose_a_counter() {
        // Word 0x1234 of 9 bits: 0x34; the two bits above them are 01. 221 * 0xff = 0xdc23, bits 7 to 5: 1.
        assert_eq!(counter(&E31, 4 * 0x1234, 0), 0x34 ^ 1);
        assert_eq!(counter(&E31, 4 * 0x1234 + 2, 0xff), 0x34 ^ 1 ^ 1 << 6);
        // 221 * 0x55 = 0x4961, bits 7 to 5: 3.
        assert_eq!(counter(&E31, 0, 0x55), 3 << 6);
        // Half the address of the word, seven bits, and the whole history.
        assert_eq!(counter(&E31_2016, 0x1236, 0), 0x1a);
        assert_eq!(counter(&E31_2016, 0x1234, 0x7f), 0x1a ^ 0x7f);
    }

    #[test]
    fn the_latest_outcome_is_the_highest_bit_of_the_history() {
        let mut branches = Branches::new(Some(&E31));
        for taken in [true, false, true] {
            branches.executed(branch(0x40, taken));
        }
        assert_eq!(branches.history, 0b1010_0000);
        let mut branches = Branches::new(Some(&E31_2016));
        // Without a remembered target a branch has no direction and leaves no trace but that target.
        branches.executed(branch(0x40, false));
        branches.executed(branch(0x40, true));
        assert_eq!(branches.history, 0);
        branches.executed(branch(0x40, true));
        assert_eq!(branches.history, 0b100_0000);
    }

    #[test]
    fn a_counter_of_two_bits_follows_the_majority() {
        let simple = Prediction { history_bits: 0, history_hash_bits: 0, ..E31_2016 };
        let mut branches = Branches::new(Some(&simple));
        let guesses: Vec<Guess> = [true, true, true, true, false, true, false, false, false]
            .into_iter()
            .map(|taken| branches.executed(branch(0x40, taken)))
            .collect();
        use Guess::{Right, Wrong};
        // Unknown, two to be learnt, known, one exception, known, an exception, another one, learnt.
        assert_eq!(guesses, [Wrong, Wrong, Wrong, Right, Wrong, Right, Wrong, Wrong, Right]);
    }

    #[test]
    fn a_branch_is_seen_late_where_decoding_shows_it() {
        let jump = Executed { kind: Kind::Jump, ..branch(0x40, true) };
        for (prediction, first) in [(E31, Guess::Late), (E31_2016, Guess::Wrong)] {
            let mut branches = Branches::new(Some(&prediction));
            assert_eq!(branches.executed(jump), first);
            assert_eq!(branches.executed(jump), Guess::Right);
            branches.flush();
            assert_eq!(branches.executed(jump), first);
            // Two branches of one fetched word have one entry.
            assert_eq!(branches.executed(Executed { address: 0x42, ..jump }), first);
            assert_eq!(branches.executed(jump), first);
        }
    }

    #[test]
    fn without_targets_the_sign_of_the_offset_decides() {
        let by_sign = Prediction {
            targets: 0,
            directions: 0,
            counter_bits: 0,
            history_bits: 0,
            history_hash_bits: 0,
            address_fold_bits: 0,
            address_low_bit: 0,
            returns: 1,
            decodes: false,
        };
        let mut branches = Branches::new(Some(&by_sign));
        let ahead = Executed { backward: false, ..branch(0x40, true) };
        assert_eq!(branches.executed(branch(0x40, true)), Guess::Right);
        assert_eq!(branches.executed(branch(0x40, false)), Guess::Wrong);
        assert_eq!(branches.executed(ahead), Guess::Wrong);
        assert_eq!(branches.executed(Executed { taken: false, ..ahead }), Guess::Right);
        let call = Executed { kind: Kind::Jump, link: Some(0x100), ..ahead };
        let back = Executed { kind: Kind::Return, ..ahead };
        assert_eq!(branches.executed(call), Guess::Right);
        assert_eq!(branches.executed(back), Guess::Right);
        assert_eq!(branches.executed(back), Guess::Wrong, "nothing is remembered any more");
    }
}
