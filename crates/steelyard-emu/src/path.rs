//! The way of a secret from marked memory to an instruction that depends on it.
//!
//! The call is run again one instruction at a time. Behind each one, what became secret is linked to what it came from:
//! loaded bytes, or registers that the instruction names. What a link says of registers is read off numbers, secret bits
//! and the text of the instruction, so that it may name another of several secrets that meet; a way always ends at the
//! wanted instruction, and begins with a load of marked memory wherever such a load was linked.

use crate::observe::{Leak, Observer};
use crate::processor::{Exit, Processor};
use crate::value::Beside;
use std::collections::HashMap;

/// Most entries of a way.
const ENTRIES: usize = 12;

/// An instruction through which a secret went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    /// Byte address of the instruction.
    pub pc: u32,
    /// Its text, empty where the family has none.
    pub text: String,
    /// What it accessed, if it moved the secret from or to memory, or if the address is what depends on the secret.
    pub address: Option<u32>,
}

/// What became secret by an instruction.
#[derive(Debug, Clone, Copy)]
struct Link {
    pc: u32,
    place: u32,
    address: Option<u32>,
    /// Number of the link that it came from; `None` for a load of marked memory.
    from: Option<usize>,
}

/// An access of the instruction under way.
#[derive(Debug, Clone, Copy)]
struct Access {
    address: u32,
    size_bytes: u32,
    store: bool,
}

/// Observer of the instruction under way.
#[derive(Debug, Default)]
struct Watch {
    accesses: Vec<Access>,
    leaks: Vec<(u32, Leak)>,
    place: Option<u32>,
}

impl Observer for Watch {
    const DETAILS: bool = true;

    fn retired(&mut self, pc: u32, _cycles: u32) {
        self.place = Some(pc);
    }

    fn accessed(&mut self, _pc: u32, address: u32, size_bytes: u32, store: bool) {
        self.accesses.push(Access { address, size_bytes, store });
    }

    fn leaked(&mut self, pc: u32, leak: Leak) {
        self.leaks.push((pc, leak));
    }
}

/// Registers that an instruction names, by their places.
#[derive(Debug, Clone, Default)]
struct Names {
    all: Vec<usize>,
    /// Those that make an address.
    pointers: Vec<usize>,
}

impl Names {
    fn of(text: &str, registers: &[String]) -> Self {
        let operands = text.split_once(char::is_whitespace).map_or("", |(_, operands)| operands);
        let mut names = Names::default();
        let mut depth = 0_u32;
        let mut word = String::new();
        let mut is_pointer = false;
        for letter in operands.chars().chain([' ']) {
            if letter.is_ascii_alphanumeric() {
                word.push(letter.to_ascii_lowercase());
                continue;
            }
            names.take(&std::mem::take(&mut word), registers, is_pointer || depth > 0);
            match letter {
                '[' | '(' => depth += 1,
                ']' | ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            is_pointer = letter == '@';
        }
        names
    }

    /// Takes a word that may name registers: one, a half of one, two written as one, or a pointer of an AVR.
    fn take(&mut self, word: &str, registers: &[String], is_pointer: bool) {
        let is = |name: &str, wanted: &str| name.trim_start_matches('%') == wanted;
        let half = word.strip_suffix(['l', 'h']).unwrap_or(word);
        let pointer: Option<[&str; 2]> = match word {
            "x" => Some(["r26", "r27"]),
            "y" => Some(["r28", "r29"]),
            "z" => Some(["r30", "r31"]),
            _ => None,
        };
        let before = self.all.len();
        for (place, name) in registers.iter().enumerate() {
            let in_pair = word.len() == 2 && name.len() == 1 && word.contains(name.as_str());
            if is(name, word) || is(name, half) || in_pair {
                self.all.push(place);
            }
        }
        let named = self.all.len();
        if let (Some(pair), true) = (pointer, named == before) {
            self.all.extend((0..registers.len()).filter(|&place| pair.contains(&registers[place].as_str())));
        }
        if is_pointer || self.all.len() > named {
            self.pointers.extend_from_slice(&self.all[before..]);
        }
    }
}

/// Follows secrets through a call.
pub struct Follower<P: Processor> {
    /// Secret bits of memory at the start, as far as the program did not store.
    marked: P::Beside,
    /// What the program stored: where a secret byte came from, `None` if it is public.
    stored: HashMap<u32, Option<usize>>,
    links: Vec<Link>,
    /// The link of each register.
    of_register: Vec<Option<usize>>,
    names: Vec<String>,
    named: HashMap<u32, Names>,
    before: Vec<(u32, u32)>,
    after: Vec<(u32, u32)>,
}

impl<P: Processor> Follower<P> {
    pub fn new(processor: &P) -> Self {
        let mut before = Vec::new();
        processor.held(&mut before);
        Follower {
            marked: processor.parts().beside.clone(),
            stored: HashMap::new(),
            links: Vec::new(),
            of_register: vec![None; before.len()],
            names: processor.settable().into_iter().map(|register| register.name).collect(),
            named: HashMap::new(),
            after: before.clone(),
            before,
        }
    }

    /// Bytes were marked.
    pub fn marked(&mut self, address: u32, length: u32, secret: u8) {
        (0..length).for_each(|offset| {
            self.stored.remove(&address.wrapping_add(offset));
        });
        self.marked.fill(address..address.saturating_add(length), secret);
    }

    /// Executes an instruction; returns the way if it is the wanted leak, and why the run ends if it does.
    pub fn step(&mut self, processor: &mut P, wanted: (u32, &str)) -> (Option<Vec<Passed>>, Option<Exit>) {
        let mut watch = Watch::default();
        let limit = processor.cycles() + 1;
        let exit = Some(processor.run(&mut watch, limit)).filter(|exit| *exit != Exit::Limit);
        self.after.clear();
        processor.held(&mut self.after);
        let found = watch
            .leaks
            .iter()
            .find(|(place, leak)| leak.name() == wanted.1 && processor.address_at(*place) == wanted.0);
        if let Some(&(place, leak)) = found {
            let from = self.cause(processor, &watch, place, leak);
            let address = leak.accessed().map(|(first, _)| first);
            return (Some(self.way(processor, Link { pc: wanted.0, place, address, from })), exit);
        }
        if let Some(place) = watch.place {
            self.link(processor, &watch, place);
        }
        std::mem::swap(&mut self.before, &mut self.after);
        (None, exit)
    }

    /// Returns the first secret byte that the instruction loaded: its address, and the link that it came from.
    fn loaded(&self, watch: &Watch) -> Option<(u32, Option<usize>)> {
        let loads = watch.accesses.iter().filter(|access| !access.store);
        let mut bytes = loads.flat_map(|load| (0..load.size_bytes).map(|offset| load.address.wrapping_add(offset)));
        bytes.find_map(|address| match self.stored.get(&address) {
            Some(link) => link.map(|link| (address, Some(link))),
            None => (self.marked.bits(address) != 0).then_some((address, None)),
        })
    }

    fn names(&mut self, processor: &P, place: u32) -> Names {
        let names = &self.names;
        let text = || processor.text_at(place).unwrap_or_default();
        self.named.entry(place).or_insert_with(|| Names::of(&text(), names)).clone()
    }

    /// Returns the latest link of the secret ones among these registers.
    fn latest(&self, registers: impl Iterator<Item = usize>) -> Option<usize> {
        registers
            .filter(|&register| self.before[register].1 != 0)
            .filter_map(|register| self.of_register[register])
            .max()
    }

    /// Returns the link of what an instruction read from registers, `held` being a number and its secret bits that came
    /// out of it.
    fn read(&self, names: &Names, held: Option<(u32, u32)>) -> Option<usize> {
        let same = |&register: &usize| Some(self.before[register]) == held;
        self.latest(names.all.iter().copied())
            .or_else(|| self.latest(self.names.len()..self.before.len()))
            .or_else(|| self.latest((0..self.before.len()).filter(same)))
            .or_else(|| self.links.len().checked_sub(1))
    }

    /// Links what became secret by an instruction.
    fn link(&mut self, processor: &P, watch: &Watch, place: u32) {
        let changed: Vec<usize> = (0..self.after.len()).filter(|&at| self.before[at] != self.after[at]).collect();
        let becomes = changed.iter().copied().find(|&register| self.after[register].1 != 0);
        let stores = watch.accesses.iter().filter(|access| access.store);
        let stored: Vec<u32> =
            stores.flat_map(|store| (0..store.size_bytes).map(|offset| store.address.wrapping_add(offset))).collect();
        let beside = processor.parts().beside;
        let stored_secret = stored.iter().copied().find(|&address| beside.bits(address) != 0);
        let loaded = self.loaded(watch);
        let mut link = None;
        if becomes.is_some() || stored_secret.is_some() || loaded.is_some() {
            let (address, from) = match loaded {
                Some((address, from)) => (Some(address), from),
                None => {
                    let names = self.names(processor, place);
                    let reached = stored_secret.or_else(|| watch.accesses.first().map(|access| access.address));
                    let pointers = names.pointers.iter().copied().filter(|_| stored_secret.is_none());
                    let held = becomes.map(|register| self.after[register]);
                    (reached, self.latest(pointers).or_else(|| self.read(&names, held)))
                }
            };
            link = Some(self.links.len());
            self.links.push(Link { pc: processor.address_at(place), place, address, from });
        }
        let mut written = changed;
        if loaded.is_some() && written.is_empty() && stored.is_empty() {
            // The register held the same secret before.
            let names = self.names(processor, place);
            written.extend(names.all.iter().filter(|register| !names.pointers.contains(register)));
        }
        for register in written {
            self.of_register[register] = link.filter(|_| self.after[register].1 != 0);
        }
        for address in stored {
            self.stored.insert(address, link.filter(|_| beside.bits(address) != 0));
        }
    }

    /// Returns the link of what the leak depends on.
    fn cause(&mut self, processor: &P, watch: &Watch, place: u32, leak: Leak) -> Option<usize> {
        let names = self.names(processor, place);
        if leak.accessed().is_some() {
            let pointers = self.latest(names.pointers.iter().copied());
            return pointers.or_else(|| self.read(&names, None));
        }
        match self.loaded(watch) {
            Some((_, Some(link))) => Some(link),
            Some((address, None)) => {
                let pc = processor.address_at(place);
                self.links.push(Link { pc, place, address: Some(address), from: None });
                self.links.len().checked_sub(1)
            }
            None => self.read(&names, None),
        }
    }

    /// Returns the way to a last link, shortened in its middle.
    fn way(&self, processor: &P, last: Link) -> Vec<Passed> {
        let mut way = vec![last];
        while let Some(link) = way[way.len() - 1].from {
            way.push(self.links[link]);
        }
        if way.len() > ENTRIES {
            way.drain(ENTRIES / 2..way.len() - ENTRIES / 2);
        }
        let passed = |link: &Link| Passed {
            pc: link.pc,
            text: processor.text_at(link.place).unwrap_or_default(),
            address: link.address,
        };
        way.iter().rev().map(passed).collect()
    }
}
