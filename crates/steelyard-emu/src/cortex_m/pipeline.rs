//! How long instructions take: one function per rule between neighbours.
//!
//! The numbers are the core's, from its data file, which names their sources; [`super::timing`] says what each means.

use super::decode::{Packed, MINDED};
use super::fetch::{Place, Queue, BUS_SHIFT, DEPTH};
use super::float;
use super::timing::{Costs, FloatOperation};
use crate::memory_system::{Delay, MemorySystem};

/// Stands for the register written last if there is none, or if no instruction waits for it.
pub const NO_REGISTER: u8 = 0x1e;
/// Stands for the register written last after a store, for which a load may wait.
pub const STORED: u8 = 0x1f;
/// Stands for it after a store right behind a load.
const STORED_BEHIND_LOAD: u8 = 0x1d;
/// Stands for it after a store of several registers.
const STORED_SEVERAL: u8 = 0x1c;
/// Bits of what the instruction before wrote that name the register.
const REGISTER: u8 = 0x1f;
/// Cycles from an `isb` to the execution of the next instruction, which is fetched again.
const REFILL: u64 = 2;
/// Added to the number of the register written last if a load wrote it.
const LOADED: u8 = 0x20;
/// Added after an access that wrote its base back.
const MOVED: u8 = 0x40;

/// What the instruction before left. It is kept in memory because a run rarely reads it and lacks machine registers.
#[derive(Clone, Copy)]
pub struct History {
    /// [`MINDED`] if the flow did not arrive in a straight line and this matters.
    behind_jump: u32,
    /// Address of the halfword before the last one fetched.
    fetched: u32,
    /// Place of the previous instruction.
    before: usize,
    /// Cycle in which the previous instruction began, after its waits for a product and as the first of a run; after a
    /// jump, the cycle in which it ended.
    began: u64,
}

impl History {
    /// State before the first fetch; `fetches` tells whether instructions wait for fetches.
    pub const fn start(fetches: bool) -> History {
        History {
            behind_jump: if fetches { MINDED } else { 0 },
            fetched: u32::MAX,
            before: usize::MAX,
            began: u64::MAX,
        }
    }
}

/// What the floating-point unit is still busy with.
#[derive(Debug, Clone, Copy)]
pub struct FloatHistory {
    /// Cycle from which the unit takes an instruction.
    free: u64,
    /// Cycle from which the unit takes an instruction that uses the result.
    ready: u64,
    /// The register that holds the result.
    result: u8,
}

impl FloatHistory {
    /// State at the start of a run.
    pub const IDLE: FloatHistory = FloatHistory { free: 0, ready: 0, result: 0 };

    /// Returns the cycle in which the unit takes an instruction whose turn has come: it waits for the unit, and for a
    /// result that it uses.
    pub fn takes(&self, op: Packed, addend_later: u8, now: u64) -> u64 {
        let uses = float::uses(op);
        let reads = |mask: u32| mask >> self.result & 1 == 1;
        let result = if reads(uses.sources) {
            self.ready
        } else if reads(uses.addend) {
            self.ready.saturating_sub(u64::from(addend_later))
        } else {
            0
        };
        now.max(self.free).max(result)
    }

    /// Data processing of the unit, which may go on while the core does; returns the cycle in which the core goes on.
    pub fn computes(&mut self, destination: u8, operation: FloatOperation, now: u64) -> u64 {
        let end = now + u64::from(operation.cycles);
        let free = end + u64::from(operation.busy);
        *self = FloatHistory { free, ready: free + u64::from(operation.result), result: destination };
        end
    }
}

/// Returns the cycles that an address waits: one made by the data processing right before, or any behind a store.
#[inline(always)]
pub fn address_wait(cost: &Costs, last: u8, base: u8, index: u8, after_store: u8) -> u64 {
    u64::from(if last == base || last == index {
        cost.address_dependency
    } else if last == STORED {
        after_store
    } else {
        0
    })
}

/// A pipeline in which an instruction begins when the one before it has ended; `QUEUED` tells whether the core has a
/// queue of words fetched ahead, which every instruction then minds.
pub struct Pipeline<'a, const QUEUED: bool> {
    cost: &'a Costs,
    history: &'a mut History,
    queue: &'a mut Queue,
    /// Cycles before `now` in which the access under way began.
    early: u64,
    /// Whether its address follows the one before it at once.
    follows: bool,
    /// Cycle by which it would begin earlier if it did not follow the load.
    late: u64,
    alu: u64,
    load: u64,
    load_pipelined: u64,
    address_dependency: u64,
    load_use: u64,
    store_before_load: u64,
    pub now: u64,
    /// Cycle in which the instruction's turn came.
    pub turn: u64,
    /// Cycle in which the instruction began, after its waits for a product and as the first of a run.
    began: u64,
    /// What the instruction before wrote: a register, or one with [`LOADED`], or what it stored, and either with
    /// [`MOVED`].
    last: u8,
    /// Base written back by the last access that did.
    moved: u8,
    /// Address of the last access of data.
    address: u32,
    /// Place of the instruction behind a multiplication that somebody may wait for.
    behind_product: usize,
    /// Whether somebody may.
    minds_products: bool,
    /// Bits of an address that name the row of code that is fetched at once.
    row_mask: u32,
}

impl<'a, const QUEUED: bool> Pipeline<'a, QUEUED> {
    /// Begins with nothing under way; `row_bytes` is the number of bytes fetched at once, 0 if no instruction waits for
    /// fetches.
    pub fn new(cost: &'a Costs, history: &'a mut History, queue: &'a mut Queue, row_bytes: u32, now: u64) -> Self {
        Pipeline {
            cost,
            history,
            queue,
            early: 0,
            follows: false,
            late: 0,
            alu: u64::from(cost.alu),
            load: u64::from(cost.load),
            load_pipelined: u64::from(cost.load_pipelined),
            address_dependency: u64::from(cost.address_dependency),
            load_use: u64::from(cost.load_use),
            store_before_load: u64::from(cost.store_before_load),
            now,
            turn: now,
            began: now,
            last: NO_REGISTER,
            address: 0,
            moved: NO_REGISTER,
            behind_product: usize::MAX,
            minds_products: cost.product_store > 0 || cost.long_product_factor > 0,
            row_mask: if row_bytes > 0 { !(row_bytes - 1) } else { 0 },
        }
    }

    /// The instruction's turn comes.
    #[inline(always)]
    pub fn begin(&mut self) {
        (self.turn, self.began) = (self.now, self.now);
    }

    /// The next instruction's turn will come.
    #[inline(always)]
    pub fn end(&mut self, place: usize) {
        (self.history.before, self.history.began) = (place, self.began);
    }

    /// Whether an instruction may wait, skip or fetch.
    #[inline(always)]
    pub fn minds(&self, op: &Packed) -> bool {
        QUEUED || op.is_minded(self.history.behind_jump)
    }

    /// Fetches the rows of code of an instruction from its first to its last halfword. In a straight line the row before
    /// the last half was fetched by now.
    #[inline(always)]
    pub fn fetch<M: MemorySystem>(&mut self, system: &mut M, first: u32, last_half: u32) {
        if self.history.behind_jump != 0 {
            self.history.behind_jump = 0;
            let (fetched, row) = (self.history.fetched & self.row_mask, last_half & self.row_mask);
            if row == fetched {
                return;
            }
            if first & self.row_mask != row && first & self.row_mask != fetched {
                self.now += fetch_first(system, first, self.now);
            }
        }
        self.now += u64::from(system.fetch(last_half, self.now));
    }

    /// An instruction waits for its last halfword in the queue of words fetched ahead.
    #[inline(always)]
    pub fn dequeues<M: MemorySystem>(&mut self, system: &mut M, op: &Packed, first: u32, last_half: u32) {
        // Behind a load, an access begins a cycle before the load's last one has been counted.
        self.follows = self.has_loaded() && op.is_access();
        self.early = u64::from(self.follows);
        let begins = self.now - self.early;
        let place = Place { first, behind: last_half.wrapping_add(2), jumps_early: op.jumps_early() };
        let executed = self.queue.execute(system, place, begins);
        self.now = executed + self.early;
        self.late = self.early.min(executed - begins);
    }

    /// Data are requested at an address, and wait for the port.
    #[inline(always)]
    pub fn requests<M: MemorySystem>(&mut self, system: &mut M, address: u32) {
        if QUEUED {
            self.now += self.queue.data(system, address, self.now - self.early, self.follows);
        }
    }

    /// The cycle in which the memory system has the data that are requested now.
    #[inline(always)]
    fn requested(&self) -> u64 {
        if QUEUED {
            self.now - self.early + DEPTH
        } else {
            self.now
        }
    }

    /// Returns the cycles for which a delay of data at an address holds the pipeline up.
    #[inline(always)]
    fn held_up<M: MemorySystem>(&mut self, address: u32, delay: Delay) -> u64 {
        let stall = u64::from(delay.stall);
        if QUEUED && !M::IMMEDIATE {
            self.queue.holds_up(address, stall);
        }
        stall
    }

    /// Reads data; returns the cycles that they come late.
    #[inline(always)]
    pub fn reads<M: MemorySystem>(&mut self, system: &mut M, address: u32, size_bytes: u32) -> u64 {
        let delay = system.load(address, size_bytes, self.requested());
        self.held_up::<M>(address, delay)
    }

    /// Writes data; returns the cycles for which memory holds the store up.
    #[inline(always)]
    pub fn writes<M: MemorySystem>(&mut self, system: &mut M, address: u32, size_bytes: u32) -> u64 {
        let delay = system.store(address, size_bytes, self.requested());
        self.held_up::<M>(address, delay)
    }

    /// Writes a word in the same instruction as the one before it; returns the cycles for which memory holds it up.
    #[inline(always)]
    pub fn writes_on<M: MemorySystem>(&mut self, system: &mut M, address: u32) -> u64 {
        let delay = system.store_on(address, 4, self.requested());
        self.held_up::<M>(address, delay)
    }

    /// What was fetched ahead is fetched again, as an `isb` demands.
    #[inline(always)]
    pub fn fetches_again<M: MemorySystem>(&mut self, system: &mut M, next: u32) {
        if QUEUED {
            self.now += REFILL;
            self.queue.jump(system, next, self.now);
        }
    }

    /// The first of three unaligned long instructions waits, behind an instruction of more than one cycle.
    #[inline(always)]
    pub fn runs_unaligned(&mut self) {
        if QUEUED {
            return;
        }
        let cycles = unaligned_wait(self.cost, self.turn, self.history.began);
        if cycles > 0 {
            self.now += cycles;
            self.began = self.now;
        }
    }

    /// What uses the register loaded right before it waits.
    #[inline(always)]
    pub fn uses(&mut self, reads: u16) {
        if self.has_loaded() && reads >> (self.last & 15) & 1 == 1 {
            self.now += self.load_use;
        }
    }

    /// The condition fails.
    #[inline(always)]
    pub fn skips(&mut self) {
        self.stands(self.cost.skipped);
        self.began = self.turn;
    }

    /// Data processing.
    #[inline(always)]
    pub fn processes(&mut self, destination: u8) {
        self.last = destination;
        self.now += self.alu;
    }

    /// A result with a time of its own.
    #[inline(always)]
    pub fn spends(&mut self, destination: u8, cycles: u64) {
        self.last = destination;
        self.now += cycles;
    }

    /// What writes no register that somebody may wait for.
    #[inline(always)]
    pub fn stands(&mut self, cycles: u8) {
        self.last = NO_REGISTER;
        self.now += u64::from(cycles);
    }

    /// `it`, which costs nothing behind the instruction that it is folded into.
    #[inline(always)]
    pub fn rules(&mut self, place: usize) {
        let folded = self.history.before.wrapping_add(1) == place;
        self.now += u64::from(if folded { self.cost.it_folded } else { self.cost.it });
    }

    /// Whether the instruction before loaded.
    #[inline(always)]
    fn has_loaded(&self) -> bool {
        self.last & LOADED != 0
    }

    /// Whether the instruction before stored, and wrote no base back.
    #[inline(always)]
    pub fn is_behind_store(&self) -> bool {
        matches!(self.last, STORED | STORED_BEHIND_LOAD | STORED_SEVERAL)
    }

    /// What uses an address made by the instruction right before it waits; behind a store on the same bus it waits
    /// `after_store`.
    #[inline(always)]
    fn waits_for_address(&mut self, base: u8, index: u8, same_bus: bool, after_store: u64) {
        if self.last == base || self.last == index {
            self.now += self.address_dependency;
        } else if self.last >= STORED_SEVERAL {
            self.now += waits_behind_access(
                self.last,
                self.has_moved(base, index),
                same_bus,
                self.address_dependency,
                after_store,
            );
        }
    }

    /// The address of a load of several registers.
    #[inline(always)]
    pub fn addresses_loads(&mut self, address: u32, base: u8, index: u8) {
        let same_bus = self.reaches(address);
        self.waits_for_address(base, index, same_bus, self.store_before_load);
        self.begins();
    }

    /// The address of a store of several registers, or of a table.
    #[inline(always)]
    pub fn addresses(&mut self, address: u32, base: u8, index: u8) {
        let same_bus = self.reaches(address);
        self.waits_for_address(base, index, same_bus, 0);
        self.begins();
    }

    /// The access begins now, after its waits for what is before it.
    #[inline(always)]
    fn begins(&mut self) {
        if QUEUED {
            self.queue.begins(self.now - self.early);
        }
    }

    /// Whether an access goes to the bus of the one before.
    #[inline(always)]
    fn reaches(&mut self, address: u32) -> bool {
        (std::mem::replace(&mut self.address, address) ^ address) >> BUS_SHIFT == 0
    }

    /// Whether the access right before wrote one of these registers back as its base.
    #[inline(always)]
    fn has_moved(&self, base: u8, index: u8) -> bool {
        self.last >= MOVED && (self.moved == base || self.moved == index)
    }

    /// Returns the cycles of an access of one register: behind a load that made no part of its address it is quicker.
    #[inline(always)]
    fn access(&mut self, address: u32, base: u8, index: u8, alone: u64, behind_load: u64, after_store: u64) -> u64 {
        let same_bus = self.reaches(address);
        if !self.has_loaded() {
            self.waits_for_address(base, index, same_bus, after_store);
            self.begins();
            return alone;
        }
        let loaded = self.last & REGISTER;
        let free = loaded != base && loaded != index && !self.has_moved(base, index);
        if free && (same_bus || after_store == 0) {
            behind_load
        } else {
            if QUEUED {
                self.now -= self.late;
                self.early = 0;
                self.follows = false;
                self.begins();
            }
            alone
        }
    }

    /// Returns the cycles of a load of one register.
    #[inline(always)]
    pub fn load_cycles(&mut self, address: u32, base: u8, index: u8) -> u64 {
        self.access(address, base, index, self.load, self.load_pipelined, self.store_before_load)
    }

    /// Returns the cycles of an exclusive store, which takes the time of a load.
    #[inline(always)]
    pub fn exclusive_cycles(&mut self, address: u32, base: u8, index: u8) -> u64 {
        self.access(address, base, index, self.load, self.load_pipelined, 0)
    }

    /// Returns the cycles of a store of one register; with a register as offset it may be slower.
    #[inline(always)]
    pub fn store_cycles(&mut self, address: u32, base: u8, index: u8, by_register: bool) -> u64 {
        let (alone, behind_load) = if by_register {
            (self.cost.store_register, self.cost.store_register_pipelined)
        } else {
            (self.cost.store, self.cost.store)
        };
        self.access(address, base, index, u64::from(alone), u64::from(behind_load), 0)
    }

    /// A load of one register.
    #[inline(always)]
    pub fn loads(&mut self, destination: u8, cycles: u64) {
        self.now += cycles;
        self.last = destination | LOADED;
    }

    /// A store of one register.
    #[inline(always)]
    pub fn stores(&mut self, cycles: u64) {
        self.now += cycles;
        self.last = if self.has_loaded() { STORED_BEHIND_LOAD } else { STORED };
    }

    /// One of several registers is loaded or stored.
    #[inline(always)]
    pub fn transfers(&mut self, stall: u64) {
        self.now += 1 + stall;
        self.follows = true;
    }

    /// Several registers were stored.
    #[inline(always)]
    pub fn has_stored(&mut self, base_cycles: u8) {
        self.now += u64::from(base_cycles);
        self.last = STORED_SEVERAL;
    }

    /// Whether the instruction right before wrote a register.
    #[inline(always)]
    pub fn has_written(&self, register: u8) -> bool {
        self.last & REGISTER == register
    }

    /// The access wrote its base back.
    #[inline(always)]
    pub fn moves(&mut self, base: u8) {
        self.last |= MOVED;
        self.moved = base;
    }

    /// Returns the cycle, and what the instruction before wrote.
    #[inline(always)]
    pub fn state(&self) -> (u64, u8) {
        (self.now, self.last & !MOVED)
    }

    /// An instruction that was timed elsewhere ended in this cycle and wrote this.
    #[inline(always)]
    pub fn ended(&mut self, now: u64, last: u8) {
        self.now = now;
        self.last = last;
    }

    /// Memory holds an access up.
    #[inline(always)]
    pub fn stalls(&mut self, cycles: u64) {
        self.now += cycles;
    }

    /// Returns the place of the previous instruction.
    #[inline(always)]
    pub fn before(&self) -> usize {
        self.history.before
    }

    /// Whether the instruction is right behind a multiplication that somebody may wait for.
    #[inline(always)]
    pub fn is_behind_product(&self, place: usize) -> bool {
        place == self.behind_product
    }

    /// Waiting for the product made right before is no part of what an instruction itself takes.
    #[inline(always)]
    pub fn waits_for_product(&mut self, cycles: u64) {
        self.now += cycles;
        self.began += cycles;
    }

    /// A multiplication, whose product the instruction at the next place may wait for.
    #[inline(always)]
    pub fn multiplies(&mut self, next: usize) {
        if self.minds_products {
            self.behind_product = next;
        }
    }

    /// The chunk of code ended: its last place is the first one of the next chunk.
    #[inline(always)]
    pub fn enters_chunk(&mut self, place: usize, entry: usize) {
        if self.behind_product == place {
            self.behind_product = entry;
        }
    }

    /// The flow leaves a straight line behind this halfword.
    #[inline(always)]
    pub fn leaves_line(&mut self, last_half: u32) {
        self.history.behind_jump = MINDED;
        self.history.fetched = last_half;
    }

    /// A jump, pipeline refill included.
    #[inline(always)]
    pub fn jumps(&mut self, cycles: u8) {
        self.now += u64::from(cycles);
    }

    /// The target of a jump is reached; a long instruction at no multiple of four costs more there.
    #[inline(always)]
    pub fn arrives<M: MemorySystem>(&mut self, system: &mut M, target: u32, is_unaligned_wide: bool) {
        if QUEUED {
            self.queue.jump(system, target, self.now);
        } else if is_unaligned_wide {
            self.now += u64::from(self.cost.target_unaligned_wide);
        }
        self.last = NO_REGISTER;
        self.behind_product = usize::MAX;
        self.began = self.now;
    }
}

/// Returns the cycles that an address waits behind an access that stored or wrote its base back. It is not inlined,
/// because many places ask.
#[inline(never)]
fn waits_behind_access(last: u8, moved: bool, same_bus: bool, address_dependency: u64, after_store: u64) -> u64 {
    let waits = match last & !MOVED {
        STORED => true,
        STORED_BEHIND_LOAD => !same_bus,
        STORED_SEVERAL => same_bus,
        _ => false,
    };
    if moved {
        address_dependency
    } else if waits {
        after_store
    } else {
        0
    }
}

/// Returns the cycles that the first of three unaligned long instructions waits behind one that began earlier. It is
/// not inlined, so that other instructions do not prepare its operands.
#[cold]
#[inline(never)]
fn unaligned_wait(cost: &Costs, turn: u64, began: u64) -> u64 {
    if turn.saturating_sub(began) > 1 {
        u64::from(cost.unaligned_run)
    } else {
        0
    }
}

/// Returns the cycles that an instruction across two rows waits for the first row.
#[cold]
#[inline(never)]
fn fetch_first<M: MemorySystem>(system: &mut M, address: u32, now: u64) -> u64 {
    u64::from(system.fetch(address, now))
}
