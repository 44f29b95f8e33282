//! How a core fetches ahead of its execution: a queue of words between the bus and the decoder.
//!
//! A word is requested in one cycle, arrives in the next and is decoded in the one after; its instruction is executed
//! from the third cycle behind the request on. Requests follow each other while the queue has room. Data have
//! precedence on a bus that both use. Words from the system bus are requested a cycle later and at most every second
//! cycle, because that bus registers the addresses of fetches.
//!
//! Where memory makes fetches wait, its own rules stand for the queue ([`crate::memory_system::MemorySystem::waits`]).
//!
//! A request counts as made in the first cycle in which its instruction can be executed.

use serde::Deserialize;

/// The table `fetch` of a core's data file.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FetchData {
    /// Words of four bytes that the queue holds, 1 to 4.
    pub words: u8,
    /// Cycles between two requests on the system bus.
    pub system_interval: u8,
    /// Cycles that a word takes longer over the system bus.
    pub system_delay: u8,
}

/// Cycles from the request of a word to the execution of its instruction.
const DEPTH: u64 = 3;
/// A queue of fewer bytes may be too short for instructions of one cycle even when it is full.
const STEADY_BYTES: u32 = 12;
/// Number of requests kept, at least the words of a queue and one more.
const REQUESTS: usize = 8;
/// Number of cycles kept in which data went over the bus of the code.
const KEPT: usize = 16;
/// Shift of the bits of an address that tell the buses apart.
pub const BUS_SHIFT: u32 = 28;
/// First address of the system bus.
const SYSTEM: u32 = 0x2000_0000;

/// The queue of a core's words at one point of its flow.
#[derive(Clone, Copy)]
pub struct Queue {
    data: FetchData,
    /// Bytes that the queue holds; 0 if the core has none.
    bytes: u32,
    /// Whether data are in the way of words from flash.
    shares: bool,
    /// Address of the next word to request, and the cycle from which it may be.
    next: u32,
    from: u64,
    interval: u64,
    delay: u64,
    /// Bus of the code.
    bus: u32,
    /// When instructions in the last words can be executed, by the words' numbers.
    ready: [u64; REQUESTS],
    /// The last cycles in which data went over the bus of the code.
    taken: [u64; KEPT],
    /// Cycle in which the instruction before began.
    before: u64,
    /// Whether the queue is full, and stays so until a jump, until data are in the way, or until two instructions begin
    /// in one cycle: words arrive as fast as instructions use them up.
    full: bool,
}

impl Queue {
    /// Creates the queue of a core; without data nothing waits for it.
    ///
    /// `shares` tells whether data and words of the flash come over one port without a buffer of rows between.
    pub fn new(data: Option<FetchData>, shares: bool) -> Self {
        Queue {
            data: data.unwrap_or(FetchData { words: 0, system_interval: 1, system_delay: 0 }),
            bytes: data.map_or(0, |data| 4 * u32::from(data.words)),
            shares,
            next: 0,
            from: 0,
            interval: 1,
            delay: 0,
            bus: u32::MAX,
            ready: [0; REQUESTS],
            taken: [u64::MAX; KEPT],
            before: 0,
            full: false,
        }
    }

    /// The flow goes to a target, whose first instruction would be executed in this cycle.
    #[inline(always)]
    pub fn jump(&mut self, target: u32, now: u64) {
        let system = target >= SYSTEM;
        self.bus = if system || self.shares { target >> BUS_SHIFT } else { u32::MAX };
        self.interval = if system { u64::from(self.data.system_interval) } else { 1 };
        self.delay = if system { u64::from(self.data.system_delay) } else { 0 };
        self.next = target & !3;
        self.from = now;
        self.full = false;
    }

    /// Data are requested at an address in a cycle.
    #[inline(always)]
    pub fn data(&mut self, address: u32, cycle: u64) {
        if address >> BUS_SHIFT == self.bus {
            self.taken[(cycle + DEPTH) as usize % KEPT] = cycle + DEPTH;
            self.drains();
        }
    }

    /// The queue is not known to stay full any longer.
    #[inline(always)]
    fn drains(&mut self) {
        if self.full {
            self.full = false;
            self.from = self.ready[(self.next.wrapping_sub(4) >> 2) as usize % REQUESTS] + 1;
        }
    }

    /// Returns the first cycle in which the next word can be requested, from a cycle on.
    #[inline(always)]
    fn free(&self, from: u64) -> u64 {
        let late = self.interval - 1;
        let mut at = from.max(self.from);
        while self.taken[(at + late) as usize % KEPT] == at + late {
            at += 1;
        }
        at
    }

    #[inline(always)]
    fn request(&mut self, at: u64) {
        self.ready[(self.next >> 2) as usize % REQUESTS] = at + self.delay;
        self.next = self.next.wrapping_add(4);
        self.from = at + self.interval;
    }

    /// Returns the cycle in which an instruction is executed that lies from `first` to before `behind` and would be
    /// executed now, and requests what there is room for until then.
    #[inline(always)]
    pub fn execute(&mut self, first: u32, behind: u32, now: u64) -> u64 {
        if self.full && now > self.before {
            // At most one word is used up. The next one is requested in the cycle behind, as soon as there is room.
            let next = (behind & !3).wrapping_add(self.bytes);
            if next != self.next {
                self.ready[(self.next >> 2) as usize % REQUESTS] = self.before + DEPTH;
                self.next = next;
            }
            self.before = now;
            return now;
        }
        self.fills(first, behind, now)
    }

    #[inline(never)]
    fn fills(&mut self, first: u32, behind: u32, now: u64) -> u64 {
        self.drains();
        // The instruction leaves the queue when the one before it begins; until then it takes room.
        while (self.next.wrapping_sub(behind) as i32) < 0 {
            let has_room = self.next.wrapping_sub(first & !3) < self.bytes;
            let at = self.free(if has_room { 0 } else { self.before + DEPTH });
            self.request(at);
        }
        let ready = self.ready[(behind.wrapping_sub(2) >> 2) as usize % REQUESTS];
        let now = now.max(ready);
        let decoded = self.before.max(ready.saturating_sub(1));
        self.full = self.interval == 1 && self.delay == 0 && self.bytes >= STEADY_BYTES;
        while self.next.wrapping_sub(behind & !3) < self.bytes {
            let had_room = self.next.wrapping_sub(first & !3) < self.bytes;
            let at = self.free(if had_room { 0 } else { decoded + DEPTH });
            if at >= now + DEPTH {
                self.from = at;
                self.full = false;
                break;
            }
            self.request(at);
        }
        self.before = now;
        now
    }
}
