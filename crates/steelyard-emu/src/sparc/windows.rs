//! The register windows.
//!
//! The processor works on the 32 registers of the current window; this module holds the others. Each window has its
//! locals and ins, because its outs are the ins of the next window down. CANSAVE and CANRESTORE count the windows with
//! live data as in V9, which for one invalid window equals the WIM of V8.

use crate::value::Value;

/// Number of windows, the same on every modelled core.
pub const WINDOWS: usize = 8;
/// Words of a window in memory: locals, then ins.
pub const WINDOW_WORDS: usize = 16;

const OUTS: usize = 8;
const LOCALS: usize = 16;
const INS: usize = 24;
/// Position of a window's stack pointer, which is `%fp` of the window below.
const STACK_POINTER: usize = 8 + 6;

/// The windows that are not current, and which of them hold data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Windows<W> {
    file: [[W; WINDOW_WORDS]; WINDOWS],
    /// Number of the current window; `save` decreases it.
    pub current: usize,
    /// Number of `save` that may follow without a spill.
    pub can_save: u32,
    /// Number of `restore` that may follow without a fill.
    pub can_restore: u32,
}

impl<W: Value<Plain = u32>> Default for Windows<W> {
    fn default() -> Self {
        let mut windows =
            Windows { file: [[W::of(0); WINDOW_WORDS]; WINDOWS], current: 0, can_save: 0, can_restore: 0 };
        windows.claim();
        windows
    }
}

fn below(window: usize) -> usize {
    (window + WINDOWS - 1) % WINDOWS
}

fn above(window: usize) -> usize {
    (window + 1) % WINDOWS
}

impl<W: Value<Plain = u32>> Windows<W> {
    /// Marks all windows except the current one as empty, as an operating system's flush does.
    pub fn claim(&mut self) {
        // One window must stay free for a trap handler.
        self.can_save = WINDOWS as u32 - 2;
        self.can_restore = 0;
    }

    /// Writes the current window's registers back to the file.
    fn settle(&mut self, registers: &[W]) {
        self.file[self.current].copy_from_slice(&registers[LOCALS..LOCALS + WINDOW_WORDS]);
        self.file[below(self.current)][8..].copy_from_slice(&registers[OUTS..OUTS + 8]);
    }

    /// Makes a window the current one and loads its registers.
    pub fn switch(&mut self, registers: &mut [W], window: usize) {
        self.settle(registers);
        self.current = window % WINDOWS;
        registers[LOCALS..LOCALS + WINDOW_WORDS].copy_from_slice(&self.file[self.current]);
        registers[OUTS..OUTS + 8].copy_from_slice(&self.file[below(self.current)][8..]);
    }

    /// Goes to the next window down, which must be free.
    pub fn save(&mut self, registers: &mut [W]) {
        self.file[self.current].copy_from_slice(&registers[LOCALS..LOCALS + WINDOW_WORDS]);
        self.current = below(self.current);
        registers.copy_within(OUTS..OUTS + 8, INS);
        registers[LOCALS..LOCALS + 8].copy_from_slice(&self.file[self.current][..8]);
        registers[OUTS..OUTS + 8].copy_from_slice(&self.file[below(self.current)][8..]);
        self.can_save -= 1;
        self.can_restore += 1;
    }

    /// Goes to the next window up, which must hold data.
    pub fn restore(&mut self, registers: &mut [W]) {
        self.settle(registers);
        registers.copy_within(INS..INS + 8, OUTS);
        self.current = above(self.current);
        registers[LOCALS..LOCALS + WINDOW_WORDS].copy_from_slice(&self.file[self.current]);
        self.can_save += 1;
        self.can_restore -= 1;
    }

    /// Gives up the oldest window; returns its stack pointer, where its words belong, and the words.
    pub fn spill(&mut self, registers: &[W]) -> (W, [W; WINDOW_WORDS]) {
        self.settle(registers);
        let oldest = (self.current + self.can_restore as usize) % WINDOWS;
        self.can_restore -= 1;
        self.can_save += 1;
        (self.file[below(oldest)][STACK_POINTER], self.file[oldest])
    }

    /// Restores the window above the current one.
    pub fn fill(&mut self, words: [W; WINDOW_WORDS]) {
        self.file[above(self.current)] = words;
        self.can_restore += 1;
        self.can_save -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outs_become_ins_and_back() {
        let mut registers: Vec<u32> = (0..32).collect();
        let mut windows = Windows::default();
        windows.save(&mut registers);
        assert_eq!(registers[INS..], [8, 9, 10, 11, 12, 13, 14, 15]);
        assert_eq!(registers[..8], [0, 1, 2, 3, 4, 5, 6, 7]);
        registers[INS] = 100;
        registers[OUTS] = 200;
        windows.restore(&mut registers);
        assert_eq!(registers[OUTS..OUTS + 8], [100, 9, 10, 11, 12, 13, 14, 15]);
        assert_eq!(registers[LOCALS..], (16..32).collect::<Vec<u32>>());
        windows.save(&mut registers);
        assert_eq!(registers[OUTS], 200);
    }

    #[test]
    fn eight_windows_are_a_ring() {
        let mut registers = vec![0_u32; 32];
        let mut windows = Windows::default();
        for window in (0..WINDOWS).rev() {
            windows.claim();
            registers[LOCALS] = window as u32;
            windows.save(&mut registers);
        }
        assert_eq!((windows.current, registers[LOCALS]), (0, 7));
    }

    #[test]
    fn the_oldest_window_goes_first_and_comes_back_last() {
        let mut registers = vec![0_u32; 32];
        let mut windows = Windows::default();
        for depth in 0..6 {
            registers[LOCALS] = depth;
            registers[OUTS + 6] = 1000 + depth;
            windows.save(&mut registers);
        }
        assert_eq!((windows.can_save, windows.can_restore), (0, 6));
        let (address, words) = windows.spill(&registers);
        assert_eq!((address, words[0]), (1000, 0));
        let (address, words_next) = windows.spill(&registers);
        assert_eq!((address, words_next[0]), (1001, 1));
        for depth in (2..6).rev() {
            windows.restore(&mut registers);
            assert_eq!(registers[LOCALS], depth);
        }
        assert_eq!(windows.can_restore, 0);
        windows.fill(words_next);
        windows.restore(&mut registers);
        assert_eq!(registers[LOCALS], 1);
    }
}
