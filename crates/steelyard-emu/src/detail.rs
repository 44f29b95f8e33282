//! Profile of a run by call path and instruction.
//!
//! A node of the tree is a function, reached by one path of calls. While the flow stays in the function of the present
//! node, an instruction costs two additions; only calls, returns and jumps to another function look at the tree.
//!
//! Nobody tells what the program means by a jump, and hand-written assembly means many things: it calls to make room on
//! the stack, pushes an address and returns to it, jumps back into its caller. A return is therefore known by where it
//! goes, right behind a call that waits for it. Whatever the flow does, every cycle belongs to exactly one node.

use crate::observe::{Cause, Observer};
use crate::processor::{Executed, Processor};
use crate::profile::{Class, Spent, Totals};
use crate::symbols::Symbols;
use crate::tally::Tally;
use std::collections::BTreeMap;

/// Address of the call instruction, which belongs to no code of the image.
pub const CALL_ADDRESS: u32 = u32::MAX;
/// Bytes of memory that share counters of their loads and stores.
pub const BLOCK_BYTES: u32 = 16;

/// Maximum distance in bytes from a call instruction to where its function returns: a SPARC passes over the delay slot
/// and may pass over the word that names the size of a returned structure.
const RETURN_WITHIN_BYTES: u32 = 12;
/// Maximum length in bytes of a call instruction with its delay slot.
const CALL_BYTES: u32 = 8;
/// A call beyond this depth goes on in the nearest node of the same function above it.
const MAX_DEPTH: u32 = 256;
/// A tree of this size grows only by functions right below its first node.
const MAX_NODES: usize = 1 << 14;
/// A program may call forever without returning; the older half of so many waiting calls is forgotten.
const MAX_FRAMES: usize = 1 << 16;

/// Set in [`Place::gate`] of calls and returns.
const TURNS: u32 = 1 << 31;
/// Gate of no place at all.
const NO_GATE: u32 = u32::MAX;
/// Gate of a place that was not met yet.
const UNMET: u32 = u32::MAX - 1;
/// Number of the code outside every function; with [`TURNS`] it is none of the two gates above.
const OUTSIDE: u32 = TURNS - 3;

const PAGE_BITS: u32 = 16;
const PAGE_BLOCKS: usize = (1 << PAGE_BITS) / BLOCK_BYTES as usize;
/// A page without counters.
const NO_PAGE: u16 = u16::MAX;

/// A function reached by one path of calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Number of the node that called it; `None` of the function that was called from outside.
    pub parent: Option<usize>,
    /// Start of the function; of code without a symbol, where it was entered first.
    pub address: u32,
    pub calls: u64,
    /// Deepest stack while the flow was in it, in bytes below the stack pointer at the outermost call.
    pub stack_bytes: u32,
}

/// Cost of an instruction in a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    pub node: usize,
    pub address: u32,
    pub executions: u64,
    pub cycles: u64,
    /// Cycles of these by cause.
    pub causes: [u64; Cause::ALL.len()],
}

/// Accesses to a block of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub address: u32,
    pub loads: u64,
    pub stores: u64,
}

/// What was spent where. The cycles of its lines are those of the call, the executions its instructions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Detailed {
    /// In the order they were reached; the first is the called function.
    pub nodes: Vec<Node>,
    /// In order of node and address. The first is the call instruction, at [`CALL_ADDRESS`].
    pub lines: Vec<Line>,
    /// In order of address.
    pub heat: Vec<Block>,
}

/// What a run leaves behind.
pub struct Finished {
    pub detailed: Detailed,
    pub totals: Totals,
    pub instructions: u64,
    /// Lowest value of the stack pointer.
    pub lowest: u32,
}

/// A place of a decoded instruction.
#[derive(Clone, Copy)]
struct Place {
    /// Number of its function; with [`TURNS`] if it is a call or return.
    gate: u32,
    /// Its number within the function, in the order they were met.
    local: u32,
    address: u32,
    class: Class,
}

const UNKNOWN: Place = Place { gate: UNMET, local: 0, address: CALL_ADDRESS, class: Class::Other };

#[derive(Clone, Copy, Default)]
struct Cell {
    executions: u64,
    cycles: u64,
    causes: [u64; Cause::ALL.len()],
}

struct Branch {
    parent: u32,
    depth: u32,
    function: u32,
    address: u32,
    calls: u64,
    /// Lowest stack pointer.
    lowest: u32,
    /// By [`Place::local`]; those of the present node are in [`Detail::cells`].
    cells: Vec<Cell>,
    children: Vec<u32>,
}

/// A call that waits for its return.
#[derive(Clone, Copy)]
struct Frame {
    /// Address of the call instruction; `None` of the call from outside.
    call: Option<u32>,
    /// Node in which the flow is.
    node: u32,
}

/// What the instruction before makes of the present one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Nothing,
    Call,
    Return,
}

/// Observer of call paths, instructions and memory.
pub struct Detail<'a> {
    symbols: &'a Symbols,
    /// Whether the instruction behind a call or return is still executed before the flow turns.
    delays: bool,
    /// By place.
    places: Vec<Place>,
    /// Places by [`Place::local`], by function.
    members: BTreeMap<u32, Vec<u32>>,
    nodes: Vec<Branch>,
    frames: Vec<Frame>,
    /// Cells of the present node.
    cells: Vec<Cell>,
    present: u32,
    /// Gate of the places at which nothing but counting is to be done.
    gate: u32,
    turn: Turn,
    /// Address of the call or return that turns the flow.
    turn_address: u32,
    /// Whether the instruction in its delay slot is still to come.
    slot: bool,
    /// Whether the instruction under way met causes or moved the stack pointer.
    eventful: bool,
    causes: [u32; Cause::ALL.len()],
    /// Lowest stack pointer of the instruction under way.
    dip: u32,
    /// Stack pointer before the instruction under way, and behind it.
    stack_pointer: u32,
    next_stack_pointer: u32,
    /// Number of the page of counters, by the upper half of the address.
    page_of: Vec<u16>,
    pages: Vec<(u32, Vec<[u64; 2]>)>,
    /// What a profile by function counts besides.
    tally: Tally,
}

impl<'a> Detail<'a> {
    /// Starts behind the call instruction of a processor's call.
    pub fn new<P: Processor>(processor: &P, symbols: &'a Symbols) -> Self {
        let stack_pointer = processor.stack_pointer();
        let mut detail = Detail {
            symbols,
            delays: P::DELAYS,
            places: vec![UNKNOWN; processor.places()],
            members: BTreeMap::new(),
            nodes: Vec::new(),
            frames: Vec::new(),
            cells: Vec::new(),
            present: 0,
            gate: NO_GATE,
            turn: Turn::Nothing,
            turn_address: 0,
            slot: false,
            eventful: false,
            causes: [0; Cause::ALL.len()],
            dip: u32::MAX,
            stack_pointer,
            next_stack_pointer: stack_pointer,
            page_of: vec![NO_PAGE; 1 << (32 - PAGE_BITS)],
            pages: Vec::new(),
            tally: Tally::new(stack_pointer, processor.places()),
        };
        let first = processor.pc();
        let function = detail.function_at(first);
        let node = detail.child(None, function, first);
        detail.frames.push(Frame { call: None, node });
        detail.nodes[0].calls = 1;
        detail.gate = function;
        detail
    }

    /// Returns what was spent; the call instruction spent `call`, with the stack pointer from `before` on.
    pub fn finish<P: Processor>(mut self, processor: &P, call: Spent, before: u32) -> Finished {
        self.leave();
        let Spent { cycles, instructions: executions } = call;
        let mut lines = vec![Line { node: 0, address: CALL_ADDRESS, executions, cycles, causes: Default::default() }];
        // A run from one address to another has no call instruction.
        lines.retain(|line| line.executions > 0);
        let mut instructions = call.instructions;
        for (number, node) in self.nodes.iter().enumerate() {
            let start = lines.len();
            let places = self.members.get(&node.function).map_or(&[][..], Vec::as_slice);
            for (&place, cell) in places.iter().zip(&node.cells) {
                if cell.executions == 0 {
                    continue;
                }
                let Cell { executions, cycles, causes } = *cell;
                let address = self.places[place as usize].address;
                lines.push(Line { node: number, address, executions, cycles, causes });
                self.tally.retired_often(place, executions, cycles);
                instructions += executions;
            }
            lines[start..].sort_by_key(|line| line.address);
        }
        let below = |lowest: u32| before.saturating_sub(lowest);
        let node = |(number, branch): (usize, &Branch)| Node {
            parent: (number > 0).then_some(branch.parent as usize),
            address: branch.address,
            calls: branch.calls,
            stack_bytes: below(branch.lowest),
        };
        let nodes = self.nodes.iter().enumerate().map(node).collect();
        let totals = self.tally.finish(processor, self.symbols, call);
        Finished {
            detailed: Detailed { nodes, lines, heat: self.heat() },
            totals,
            instructions,
            lowest: self.tally.lowest,
        }
    }

    fn heat(&self) -> Vec<Block> {
        let mut heat = Vec::new();
        for (page, blocks) in &self.pages {
            for (number, &[loads, stores]) in blocks.iter().enumerate() {
                if loads + stores > 0 {
                    let address = (page << PAGE_BITS) + number as u32 * BLOCK_BYTES;
                    heat.push(Block { address, loads, stores });
                }
            }
        }
        heat.sort_by_key(|block| block.address);
        heat
    }

    fn function_at(&self, address: u32) -> u32 {
        self.symbols.function_at(address).map_or(OUTSIDE, |function| function as u32)
    }

    /// Whether a function begins at an address; code without a symbol has no beginning.
    fn begins_at(&self, function: u32, address: u32) -> bool {
        self.symbols.functions().get(function as usize).is_some_and(|function| function.start == address)
    }

    /// Returns the node of a function below another, which may be new.
    fn child(&mut self, parent: Option<u32>, function: u32, address: u32) -> u32 {
        let Some(mut parent) = parent else { return self.grow(0, 0, function, address) };
        if let Some(known) = self.known_child(parent, function) {
            return known;
        }
        if self.nodes[parent as usize].depth >= MAX_DEPTH || self.nodes.len() >= MAX_NODES {
            if let Some(same) = self.ancestor(parent, function) {
                return same;
            }
            if self.nodes.len() >= MAX_NODES {
                parent = 0;
                if let Some(known) = self.known_child(parent, function) {
                    return known;
                }
            }
        }
        let depth = self.nodes[parent as usize].depth + 1;
        let child = self.grow(parent, depth, function, address);
        self.nodes[parent as usize].children.push(child);
        child
    }

    fn known_child(&self, parent: u32, function: u32) -> Option<u32> {
        let children = &self.nodes[parent as usize].children;
        children.iter().copied().find(|&child| self.nodes[child as usize].function == function)
    }

    /// Returns the nearest node of a function on a node's path, itself included.
    fn ancestor(&self, mut node: u32, function: u32) -> Option<u32> {
        loop {
            let branch = &self.nodes[node as usize];
            if branch.function == function {
                return Some(node);
            }
            if node == 0 {
                return None;
            }
            node = branch.parent;
        }
    }

    fn grow(&mut self, parent: u32, depth: u32, function: u32, address: u32) -> u32 {
        let address = self.symbols.functions().get(function as usize).map_or(address, |function| function.start);
        let lowest = self.stack_pointer;
        let (cells, children) = (Vec::new(), Vec::new());
        self.nodes.push(Branch { parent, depth, function, address, calls: 0, lowest, cells, children });
        self.nodes.len() as u32 - 1
    }

    /// Remembers what lies at a place.
    #[cold]
    #[inline(never)]
    fn meet(&mut self, place: usize, executed: Option<Executed>) {
        if place >= self.places.len() {
            self.places.resize((place + 1).next_power_of_two(), UNKNOWN);
        }
        let (address, class) = executed.map_or((CALL_ADDRESS, Class::Other), |known| (known.address, known.class));
        let function = self.function_at(address);
        let members = self.members.entry(function).or_default();
        let local = members.len() as u32;
        members.push(place as u32);
        let turns = if matches!(class, Class::Call | Class::Return) { TURNS } else { 0 };
        self.places[place] = Place { gate: function | turns, local, address, class };
    }

    fn is_met(&self, place: usize) -> bool {
        self.places.get(place).is_some_and(|place| place.gate != UNMET)
    }

    /// Puts the cells of the present node back.
    fn leave(&mut self) {
        self.nodes[self.present as usize].cells = std::mem::take(&mut self.cells);
    }

    /// Goes on in the node of the innermost frame.
    fn enter(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        if frame.node != self.present {
            let node = frame.node;
            self.leave();
            self.present = node;
            self.cells = std::mem::take(&mut self.nodes[node as usize].cells);
        }
    }

    /// Counts an instruction that is not just one more of the present node.
    #[inline(never)]
    fn turned(&mut self, place: u32, cycles: u32) {
        if !self.is_met(place as usize) {
            self.meet(place as usize, None);
        }
        let Place { gate, local, address, class } = self.places[place as usize];
        let function = gate & !TURNS;
        let own = self.nodes[self.present as usize].function;
        if self.slot && function == own {
            self.slot = false;
        } else {
            if self.turn != Turn::Nothing || function != own {
                self.follow(address, function);
            }
            self.slot = false;
            self.turn = match class {
                Class::Call => Turn::Call,
                Class::Return => Turn::Return,
                _ => Turn::Nothing,
            };
            if self.turn != Turn::Nothing {
                self.turn_address = address;
                self.slot = self.delays;
            }
        }
        self.gate = if self.turn == Turn::Nothing { function } else { NO_GATE };
        if local as usize >= self.cells.len() {
            self.cells.resize(self.members[&function].len(), Cell::default());
        }
        self.count(local as usize, cycles);
    }

    #[inline(always)]
    fn count(&mut self, local: usize, cycles: u32) {
        let cell = &mut self.cells[local];
        cell.executions += 1;
        cell.cycles += u64::from(cycles);
        if self.eventful {
            self.eventful = false;
            for (sum, met) in cell.causes.iter_mut().zip(&mut self.causes) {
                *sum += u64::from(std::mem::take(met));
            }
            let lowest = &mut self.nodes[self.present as usize].lowest;
            *lowest = (*lowest).min(std::mem::replace(&mut self.dip, u32::MAX));
        }
    }

    /// Finds the node of an instruction to which the flow did not come within a function.
    fn follow(&mut self, address: u32, function: u32) {
        let own = self.nodes[self.present as usize].function;
        let behind = address.wrapping_sub(self.turn_address);
        match self.turn {
            Turn::Call if function == own && (1..=CALL_BYTES).contains(&behind) => {}
            Turn::Call => self.call(address, function),
            Turn::Return | Turn::Nothing => {
                let stays = self.returns(address, function) || function == own;
                if !stays {
                    self.jump(address, function);
                }
            }
        }
        self.enter();
    }

    fn call(&mut self, address: u32, function: u32) {
        if self.frames.len() >= MAX_FRAMES {
            self.frames.drain(1..MAX_FRAMES / 2);
        }
        let node = self.child(Some(self.present), function, address);
        let called = &mut self.nodes[node as usize];
        called.calls += 1;
        called.lowest = called.lowest.min(self.stack_pointer);
        self.frames.push(Frame { call: Some(self.turn_address), node });
    }

    /// Whether the flow came right behind a call that waits; it and all later ones have ended then.
    fn returns(&mut self, address: u32, function: u32) -> bool {
        let waits = |frame: &Frame| {
            let Some(call) = frame.call else { return false };
            // A return that lies between them had a condition that did not hold.
            let passed = self.turn == Turn::Return && (call.saturating_add(1)..address).contains(&self.turn_address);
            !passed && (1..=RETURN_WITHIN_BYTES).contains(&address.wrapping_sub(call))
        };
        let Some(innermost) = self.frames.iter().rposition(waits) else { return false };
        // The first frame waits for nobody.
        let caller = self.frames[innermost - 1].node;
        if self.nodes[caller as usize].function != function {
            return false;
        }
        self.frames.truncate(innermost);
        true
    }

    /// The flow goes to another function without a call. At its beginning that is a call at the end of the present
    /// one, elsewhere the way back to a caller or into code that functions share.
    fn jump(&mut self, address: u32, function: u32) {
        let begins = self.begins_at(function, address);
        if !begins {
            let back = self.frames.iter().rposition(|frame| self.nodes[frame.node as usize].function == function);
            if let Some(back) = back {
                return self.frames.truncate(back + 1);
            }
        }
        // What the first node gives way to stays below it, because the tree has one root.
        let parent = if self.present == 0 { 0 } else { self.nodes[self.present as usize].parent };
        let root = self.frames.len() == 1 && self.nodes[0].function == function;
        let node = if root { 0 } else { self.child(Some(parent), function, address) };
        let reached = &mut self.nodes[node as usize];
        if begins || reached.calls == 0 {
            reached.calls += 1;
        }
        reached.lowest = reached.lowest.min(self.stack_pointer);
        if let Some(frame) = self.frames.last_mut() {
            frame.node = node;
        }
    }

    #[cold]
    #[inline(never)]
    fn add_page(&mut self, page: u32) -> usize {
        self.pages.push((page, vec![[0; 2]; PAGE_BLOCKS]));
        let number = self.pages.len() - 1;
        self.page_of[page as usize] = number as u16;
        number
    }
}

impl Observer for Detail<'_> {
    const DETAILS: bool = true;

    #[inline(always)]
    fn ends(&mut self, place: u32, stack_pointer: u32, executed: impl FnOnce() -> Option<Executed>) {
        if !self.is_met(place as usize) {
            self.meet(place as usize, executed());
        }
        self.next_stack_pointer = stack_pointer;
    }

    #[inline(always)]
    fn retired(&mut self, place: u32, cycles: u32) {
        match self.places.get(place as usize) {
            Some(known) if known.gate == self.gate && (known.local as usize) < self.cells.len() => {
                self.count(known.local as usize, cycles);
            }
            _ => self.turned(place, cycles),
        }
        self.stack_pointer = self.next_stack_pointer;
    }

    #[inline(always)]
    fn skipped(&mut self, place: u32) {
        self.tally.skipped(place);
    }

    #[inline(always)]
    fn taken(&mut self, place: u32) {
        self.tally.taken(place);
    }

    #[inline(always)]
    fn stalled(&mut self, _place: u32, cause: Cause, cycles: u32) {
        self.causes[cause as usize] += cycles;
        self.eventful = true;
    }

    #[inline(always)]
    fn accessed(&mut self, _place: u32, address: u32, _size_bytes: u32, store: bool) {
        let page = address >> PAGE_BITS;
        let mut number = self.page_of[page as usize] as usize;
        if number >= self.pages.len() {
            number = self.add_page(page);
        }
        let block = address as usize % (1 << PAGE_BITS) / BLOCK_BYTES as usize;
        self.pages[number].1[block][usize::from(store)] += 1;
    }

    #[inline(always)]
    fn stack(&mut self, stack_pointer: u32) {
        self.tally.stack(stack_pointer);
        self.dip = self.dip.min(stack_pointer);
        self.next_stack_pointer = stack_pointer;
        self.eventful = true;
    }
}
