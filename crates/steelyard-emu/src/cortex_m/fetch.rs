//! How a core fetches ahead of its execution: a queue of words between the bus and the decoder.
//!
//! A word is requested in one cycle, arrives in the next and is decoded in the one after; its instruction is executed
//! from the third cycle behind the request on. Requests follow each other while the queue has room. An instruction
//! leaves the queue when the one before it begins; behind one of several cycles it leaves when it begins itself. Data
//! have precedence on a bus that both use. Words from the system bus are requested a cycle later and at most every
//! second cycle, because that bus registers the addresses of fetches.
//!
//! Code and data below 0x20000000 may come over one port. Where its memory makes the core wait, the port takes an
//! address when the word or datum before it is there. The next address is out by then and keeps its turn, also at a
//! jump. A branch that is decided as it is decoded asks for its target in that cycle.
//!
//! A request counts as made in the first cycle in which its instruction can be executed.

use crate::memory_system::MemorySystem;
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
pub const DEPTH: u64 = 3;
/// A queue of fewer bytes may be too short for instructions of one cycle even when it is full.
const STEADY_BYTES: u32 = 12;
/// Number of requests kept, at least the words of a queue and one more.
const REQUESTS: usize = 8;
/// Number of cycles kept in which data went over the bus of the code.
const KEPT: usize = 16;
/// First address of the system bus.
const SYSTEM: u32 = 0x2000_0000;
/// The port of code and data.
const CODE: u32 = 0;

/// Returns the number of the bus on which an address lies.
#[inline(always)]
fn bus(address: u32) -> u32 {
    if address < SYSTEM {
        CODE
    } else {
        address >> BUS_SHIFT
    }
}

/// Where an instruction lies, up to the address behind it, and whether it may jump as soon as it is decoded.
#[derive(Clone, Copy)]
pub struct Place {
    pub first: u32,
    pub behind: u32,
    pub jumps_early: bool,
}

/// Shift of the bits of an address that tell memories apart.
pub const BUS_SHIFT: u32 = 28;

/// The queue of a core's words at one point of its flow.
#[derive(Clone, Copy)]
pub struct Queue {
    system: FetchData,
    /// Bytes that the queue holds; 0 if the core has none.
    bytes: u32,
    /// Address of the next word to request, and the cycle from which it may be.
    next: u32,
    from: u64,
    interval: u64,
    delay: u64,
    /// Whether data are in the way of words from the memory of code.
    shares: bool,
    /// Bus of the code.
    bus: u32,
    /// Cycle in which the port of code and data takes the next request, where memory makes it wait.
    port: u64,
    /// When instructions in the last words can be executed, by the words' numbers.
    ready: [u64; REQUESTS],
    /// The last cycles in which data went over the bus of the code.
    taken: [u64; KEPT],
    /// Cycle in which the instruction before began.
    before: u64,
    /// The instruction last executed, the cycle in which it left the queue, and the one in which it was decoded.
    place: Place,
    left: u64,
    decoded: u64,
    /// Requests before this cycle do not depend on what the instruction last executed does.
    horizon: u64,
    /// Cycle in which the port took the last address of data.
    data: u64,
    /// Cycle in which the address of the instruction's data could be out.
    arrived: u64,
    /// Whether the queue is full, and stays so until a jump, until data are in the way, or until two instructions begin
    /// in one cycle: words arrive as fast as instructions use them up.
    full: bool,
}

impl Queue {
    /// Creates the queue of a core; without data nothing waits for it. `shares` tells whether code and data below
    /// 0x20000000 come over one port.
    pub fn new(data: Option<FetchData>, shares: bool) -> Self {
        Queue {
            system: data.unwrap_or(FetchData { words: 0, system_interval: 1, system_delay: 0 }),
            bytes: data.map_or(0, |data| 4 * u32::from(data.words)),
            next: 0,
            from: 0,
            interval: 1,
            delay: 0,
            shares,
            bus: u32::MAX,
            port: 0,
            ready: [0; REQUESTS],
            taken: [u64::MAX; KEPT],
            before: 0,
            place: Place { first: 0, behind: 0, jumps_early: false },
            left: 0,
            decoded: 0,
            horizon: 0,
            data: 0,
            arrived: 0,
            full: false,
        }
    }

    /// The flow goes to a target, whose first instruction would be executed in this cycle.
    #[inline(always)]
    pub fn jump<M: MemorySystem>(&mut self, memory: &mut M, target: u32, now: u64) {
        let now = if self.place.jumps_early && !M::IMMEDIATE { now.min(self.decoded + DEPTH) } else { now };
        if !M::IMMEDIATE {
            self.requests_until(memory, now.min(self.horizon));
        }
        let system = target >= SYSTEM;
        self.bus = bus(target);
        self.interval = if system { u64::from(self.system.system_interval) } else { 1 };
        self.delay = if system { u64::from(self.system.system_delay) } else { 0 };
        self.next = target & !3;
        self.place = Place { first: self.next, behind: self.next, jumps_early: false };
        self.from = if M::IMMEDIATE || system { now } else { now.max(self.port) };
        self.full = false;
    }

    /// The instruction began later than it was executed from on, because it waited for what is before it.
    #[inline(always)]
    pub fn begins(&mut self, cycle: u64) {
        self.before = cycle;
    }

    /// Data are requested at an address in a cycle; returns the cycles that they wait for the port. `follows` tells
    /// whether their address is out as soon as the port has taken the one of the data before them.
    #[inline(always)]
    pub fn data<M: MemorySystem>(&mut self, memory: &mut M, address: u32, cycle: u64, follows: bool) -> u64 {
        let there = bus(address);
        if there != self.bus || there == CODE && !self.shares {
            return 0;
        }
        let turn = cycle + DEPTH;
        if M::IMMEDIATE || there != CODE {
            if !M::IMMEDIATE {
                self.requests_until(memory, self.horizon);
            }
            self.taken[turn as usize % KEPT] = turn;
            self.drains();
            return 0;
        }
        self.requests_until(memory, if follows { turn.min(self.arrived.max(self.data + 1)) } else { turn });
        let taken = turn.max(self.port);
        self.port = taken + 1;
        self.from = self.from.max(taken + 1);
        self.data = taken;
        taken - turn
    }

    /// Memory holds the data just requested at an address up.
    #[inline(always)]
    pub fn holds_up(&mut self, address: u32, cycles: u64) {
        if self.bus == CODE && self.shares && bus(address) == CODE {
            self.port += cycles;
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
    fn request<M: MemorySystem>(&mut self, memory: &mut M, at: u64) {
        let ported = !M::IMMEDIATE && self.bus == CODE;
        let at = if ported { at.max(self.port) } else { at };
        let wait = u64::from(memory.fetch(self.next, at));
        self.ready[(self.next >> 2) as usize % REQUESTS] = at + wait + self.delay;
        self.next = self.next.wrapping_add(4);
        self.from = at + self.interval;
        if ported {
            self.port = self.from + wait;
        }
    }

    /// Returns the cycle in which an instruction is executed that lies from `first` to before `behind` and would be
    /// executed now, and requests what there is room for until then.
    #[inline(always)]
    pub fn execute<M: MemorySystem>(&mut self, memory: &mut M, place: Place, now: u64) -> u64 {
        if M::IMMEDIATE && self.full && now == self.before + 1 {
            // At most one word is used up. The next one is requested in the cycle behind, as soon as there is room.
            let next = (place.behind & !3).wrapping_add(self.bytes);
            if next != self.next {
                self.ready[(self.next >> 2) as usize % REQUESTS] = self.before + DEPTH;
                self.next = next;
            }
            self.before = now;
            return now;
        }
        self.fills(memory, place, now)
    }

    #[inline(never)]
    fn fills<M: MemorySystem>(&mut self, memory: &mut M, place: Place, now: u64) -> u64 {
        let Place { first, behind, .. } = place;
        self.drains();
        if !M::IMMEDIATE {
            self.requests_until(memory, self.horizon);
        }
        // The instruction leaves the queue when the one before it begins; until then it takes room.
        while (self.next.wrapping_sub(behind) as i32) < 0 {
            let has_room = self.next.wrapping_sub(first & !3) < self.bytes;
            let at = self.free(if has_room { 0 } else { self.before + DEPTH });
            self.request(memory, at);
        }
        let ready = self.ready[(behind.wrapping_sub(2) >> 2) as usize % REQUESTS];
        let left = if now > self.before + 1 { now } else { self.before };
        let now = now.max(ready);
        self.arrived = ready + DEPTH;
        self.decoded = self.before.max(ready.saturating_sub(1));
        self.left = left.max(ready.saturating_sub(1));
        self.place = place;
        self.horizon = now + DEPTH;
        // Where memory makes words wait, what the instruction does is known before they are requested.
        let all = M::IMMEDIATE && self.requests_until(memory, self.horizon);
        self.full = all && self.interval == 1 && self.delay == 0 && self.bytes >= STEADY_BYTES;
        self.before = now;
        now
    }

    /// Requests the words for which there is room, before a cycle; returns whether the queue is full then.
    #[inline(always)]
    fn requests_until<M: MemorySystem>(&mut self, memory: &mut M, cycle: u64) -> bool {
        let Place { first, behind, .. } = self.place;
        while self.next.wrapping_sub(behind & !3) < self.bytes {
            let had_room = self.next.wrapping_sub(first & !3) < self.bytes;
            let at = self.free(if had_room { 0 } else { self.left + DEPTH });
            if at >= cycle {
                self.from = at;
                return false;
            }
            self.request(memory, at);
        }
        true
    }
}
