//! Translation of instructions into code of the host, which computes the same registers, memory and times.
//!
//! Code is entered where everything is ready, and on a chip whose memory answers at once. Whatever is rare leaves it
//! before the instruction: a fault, a peripheral, a store to code, control registers, atomic operations, the cycle
//! limit. The interpreter, which is the definition, then executes it.

mod emit;
mod frame;
mod plan;

use super::cpu::Cpu;
use super::decode::Op;
use super::pipeline::Pipeline;
use super::run::{Flow, Registers};
use crate::memory_system::MemorySystem;
use crate::observe::Observer;
use crate::program::Window;
use crate::translate::host::{Entry, Host};
use crate::value::HeldWord;
use emit::{Book, Part, Setting};
use frame::Frame;
use plan::{Planner, UNIT};
use std::sync::Mutex;

/// Executions of a jump's target after which it is translated: translating an instruction takes about as long as
/// interpreting it so often.
const WARM: u32 = 4000;

/// What is known of a place where code may be entered.
#[derive(Clone, Copy)]
enum Spot {
    Interpreted(u32),
    Translated(Entry),
    /// Nothing can be translated from here.
    Refused,
}

/// All code of a processor.
pub struct Translator {
    /// Executions of a jump's target after which it is translated.
    pub warm: u32,
    host: Option<Mutex<Host>>,
    spots: Vec<Spot>,
    book: Book,
    /// Executions of each end.
    pub counts: Vec<u64>,
    /// Cycles of each place beyond those planned.
    pub extras: Vec<u64>,
    /// State of the program that was translated.
    edits: u64,
}

impl Default for Translator {
    fn default() -> Self {
        Translator {
            warm: WARM,
            host: None,
            spots: Vec::new(),
            book: Book::default(),
            counts: Vec::new(),
            extras: Vec::new(),
            edits: 0,
        }
    }
}

impl Clone for Translator {
    /// Code belongs to one processor: another one translates anew.
    fn clone(&self) -> Self {
        Translator { warm: self.warm, ..Translator::default() }
    }
}

impl Translator {
    /// Forgets all code; what it counted must have been observed.
    fn forget(&mut self, edits: u64) {
        *self = Translator { edits, ..self.clone() };
    }

    /// Gives an observer what was counted, and begins anew.
    pub fn observed<O: Observer>(&mut self, observer: &mut O) {
        for (count, end) in self.counts.iter_mut().zip(&self.book.ends) {
            let times = std::mem::take(count);
            if times == 0 {
                continue;
            }
            let Some((&(last, _), others)) = self.book.blocks[end.block].split_last() else { continue };
            for &(place, cycles) in others {
                observer.retired_often(place, times, times * u64::from(cycles));
            }
            observer.retired_often(last, times, times * u64::from(end.cycles));
            if end.taken {
                observer.taken_often(times);
            }
        }
        for (extra, &place) in self.extras.iter_mut().zip(&self.book.extras) {
            let cycles = std::mem::take(extra);
            if cycles > 0 {
                observer.retired_often(place, 0, cycles);
            }
        }
    }
}

/// Whether a processor's program may be translated.
pub fn suits<M: MemorySystem, W: HeldWord, O: Observer>() -> bool {
    M::IMMEDIATE && W::PLAIN && O::SUMS
}

/// Executes what is translated from where the flow is. The next instruction is the interpreter's; returns whether any
/// was executed.
#[inline(always)]
pub fn go<M: MemorySystem, W: HeldWord, O: Observer>(
    cpu: &mut Cpu<M, W>,
    observer: &mut O,
    registers: &mut Registers<W>,
    pipeline: &mut Pipeline,
    flow: &mut Flow,
    limit: u64,
) -> bool {
    if cpu.program.edits == cpu.translator.edits {
        match cpu.translator.spots.get_mut(flow.place as usize) {
            Some(Spot::Translated(_)) if is_ready(pipeline) => {}
            Some(Spot::Interpreted(times)) if *times < cpu.translator.warm => {
                *times += 1;
                return false;
            }
            Some(Spot::Interpreted(_)) | None => {}
            _ => return false,
        }
    }
    enter(cpu, observer, registers, pipeline, flow, limit)
}

/// Whether nothing is under way.
fn is_ready(pipeline: &Pipeline) -> bool {
    let latest = pipeline.ready[..32].iter().fold(pipeline.unit_free, |latest, ready| latest.max(*ready));
    latest <= pipeline.now
}

#[inline(never)]
fn enter<M: MemorySystem, W: HeldWord, O: Observer>(
    cpu: &mut Cpu<M, W>,
    observer: &mut O,
    registers: &mut Registers<W>,
    pipeline: &mut Pipeline,
    flow: &mut Flow,
    limit: u64,
) -> bool {
    if cpu.program.edits != cpu.translator.edits {
        cpu.translator.observed(observer);
        cpu.translator.forget(cpu.program.edits);
    }
    let mut frame: Option<Frame> = None;
    loop {
        if pipeline.now >= limit || !is_ready(pipeline) {
            break;
        }
        let places = cpu.program.ops.len();
        let translator = &mut cpu.translator;
        if translator.spots.len() < places {
            translator.spots.resize(places, Spot::Interpreted(0));
        }
        let warm = translator.warm;
        let entry = match &mut translator.spots[flow.place as usize] {
            Spot::Translated(entry) => *entry,
            Spot::Refused => break,
            Spot::Interpreted(times) if *times < warm => {
                *times += 1;
                break;
            }
            // What was never reached is not translated.
            Spot::Interpreted(_) if cpu.program.ops[flow.place as usize].op == Op::Undecoded => break,
            Spot::Interpreted(_) => {
                let likely = match &frame {
                    Some(frame) => frame.registers,
                    None => std::array::from_fn(|number| registers[number].plain()),
                };
                // The counters may move.
                if let Some(frame) = frame.take() {
                    give_back(&frame, registers, observer);
                }
                let entry = translate(cpu, &flow.window, flow.place, likely);
                let spot = entry.map_or(Spot::Refused, Spot::Translated);
                cpu.translator.spots[flow.place as usize] = spot;
                let Some(entry) = entry else { break };
                entry
            }
        };
        let frame = match &mut frame {
            Some(frame) => frame,
            empty => {
                let mut filled = Frame::new(cpu);
                for (to, from) in filled.registers.iter_mut().zip(registers.iter()) {
                    *to = from.plain();
                }
                empty.insert(filled)
            }
        };
        let left = i64::try_from(limit - pipeline.now).unwrap_or(i64::MAX);
        (frame.left, frame.retired) = (left, flow.retired);
        let number = frame.run(entry);
        pipeline.now += (left - frame.left) as u64;
        flow.retired = frame.retired;
        let target = frame.target;
        let exit = &cpu.translator.book.exits[number as usize];
        let now = pipeline.now + exit.part.as_ref().map_or(0, |part| u64::from(part.cycles));
        for &(register, cycles) in &exit.lags {
            let ready = now + u64::from(cycles);
            match register {
                UNIT => pipeline.unit_free = ready,
                _ => pipeline.ready[usize::from(register)] = ready,
            }
        }
        if let Some(Part { block, executed, .. }) = exit.part {
            pipeline.now = now;
            flow.retired += executed as u64;
            for &(place, cycles) in &cpu.translator.book.blocks[block][..executed] {
                observer.retired_often(place, 1, u64::from(cycles));
            }
            flow.place = exit.place.unwrap_or(flow.place);
            break;
        }
        let jump = exit.jump;
        flow.place = match exit.place {
            Some(place) => place,
            None => {
                let place = flow.window.place(target);
                if target & 2 != 0 && cpu.core.cost.straddling_target > 0 && cpu.is_long(&flow.window, place) {
                    pipeline.straddles();
                    observer.retired_often(jump, 0, u64::from(cpu.core.cost.straddling_target));
                }
                place
            }
        };
    }
    match &frame {
        Some(frame) => {
            give_back(frame, registers, observer);
            true
        }
        None => false,
    }
}

fn give_back<W: HeldWord, O: Observer>(frame: &Frame, registers: &mut Registers<W>, observer: &mut O) {
    for (to, from) in registers.iter_mut().zip(&frame.registers) {
        *to = W::of(*from);
    }
    if frame.lowest < u32::MAX {
        observer.stack(frame.lowest);
    }
}

/// Translates what is reached from a place.
fn translate<M: MemorySystem, W: HeldWord>(
    cpu: &mut Cpu<M, W>,
    window: &Window,
    place: u32,
    likely: [u32; 32],
) -> Option<Entry> {
    let cost = cpu.core.cost;
    // Targets whose length had to be found. They were never reached, so that nothing is translated from there.
    let mut cold = Vec::new();
    let plan = loop {
        let ops = &cpu.program.ops[..];
        let mut unknown = Vec::new();
        let straddles = |target: u32| {
            if window.address(target) & 2 == 0 {
                return false;
            }
            if ops[target as usize].op == Op::Undecoded && !cold.contains(&target) {
                unknown.push(target);
            }
            ops[target as usize].halves == 2
        };
        let plan = Planner {
            cost: &cost,
            predicts: cpu.core.prediction.is_some(),
            ops,
            cold: &cold,
            place: &|address| window.holds(address).then(|| window.place(address)),
            straddles,
        }
        .plan(place);
        if unknown.is_empty() {
            break plan;
        }
        for &target in &unknown {
            cpu.is_long(window, target);
        }
        cold.extend(unknown);
    };
    if plan.blocks.is_empty() {
        return None;
    }
    let bases = cpu.memory.direct_bases();
    let memory = &cpu.memory;
    let span = |address: u32| {
        let base = memory.region(address)?.base;
        bases.iter().position(|one| *one == base)
    };
    let translator = &mut cpu.translator;
    let host = match &mut translator.host {
        Some(host) => host,
        empty => empty.insert(Mutex::new(Host::new()?)),
    };
    let host = host.get_mut().ok()?;
    let setting = Setting {
        cost: &cost,
        predicts: cpu.core.prediction.is_some(),
        address: &|place| window.address(place),
        window: window.key,
        bases,
        likely,
        span: &span,
        convention: host.convention()?,
    };
    let book = &mut translator.book;
    let entry = host.add(|code, frame| emit::emit(code, frame, &plan, &setting, book))?;
    translator.counts.resize(translator.book.ends.len(), 0);
    translator.extras.resize(translator.book.extras.len(), 0);
    Some(entry)
}
