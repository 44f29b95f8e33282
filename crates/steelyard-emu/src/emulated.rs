//! A machine built from a CPU: images, calls, stack limits, snapshots, and faults as sentences.

use crate::bus::{Region, RegionKind, RegionSpace};
use crate::detail::{Detail, Detailed, Finished};
use crate::divergence::{Trace, Tracer};
use crate::either::Either;
use crate::elf::{self, Segment};
use crate::error::{refuse, Error};
use crate::fault::{Fault, FaultKind, Trap};
use crate::fence::{self, Fence, Permit};
use crate::ignored::Ignored;
use crate::machine::{Argument, CallResult, Machine, Observe, Series, Space, Start};
use crate::observe::{Nothing, StackPeak};
use crate::path::{Follower, Passed};
use crate::processor::{Exit, Instructions, Memories, Processor, Profiled, Settable};
use crate::profile::{Class, Spent, Totals};
use crate::secrets::{Leaked, Leaks};
use crate::symbols::Symbols;
use crate::value::Beside;

/// Name of the region for the caller's buffers, beyond the chip's own memories.
pub const LAB: &str = "lab";
/// Symbol of an image's first free RAM address, below which the stack must not grow.
pub const END_SYMBOL: &str = "_end";

/// One chip of a CPU family.
pub struct Emulated<P: Processor> {
    processor: P,
    regions: Vec<Region>,
    symbols: Symbols,
    stack_top: u32,
    snapshot: Option<(P::Registers, P::Beside)>,
    begin: Begin,
    /// What an executable has for the device's memories.
    segments: Vec<Segment>,
}

/// Where an image begins.
#[derive(Debug, Clone, Copy)]
enum Begin {
    /// Entry point of an executable.
    Entry(u32),
    /// Address of a raw image.
    Raw(u32),
}

/// A call whose call instruction was executed.
struct Entered {
    caller_sp: u32,
    /// Stack pointer at the call, below the arguments.
    call_sp: u32,
    cycles_before: u64,
    limit: u64,
    /// Cost of the call instruction.
    spent: Spent,
    /// What the call instruction met.
    trap: Option<Trap>,
}

/// What was observed of a run.
struct Seen {
    exit: Exit,
    instructions: u64,
    /// Lowest value of the stack pointer, or [`UNSEEN`].
    lowest: u32,
    totals: Totals,
    leaks: Option<Vec<Leaked>>,
    detail: Option<Box<Detailed>>,
}

impl Seen {
    /// A run of which nothing was observed.
    fn nothing(exit: Exit) -> Self {
        Seen { exit, instructions: 0, lowest: UNSEEN, totals: Totals::default(), leaks: None, detail: None }
    }
}

/// A function of an image that marks the bytes it is passed, an address and a size.
#[derive(Debug, Clone, Copy)]
struct Marker {
    address: u32,
    secret: bool,
}

impl Marker {
    /// Returns the secret bits of each byte.
    fn bits(self) -> u8 {
        if self.secret {
            u8::MAX
        } else {
            0
        }
    }
}

/// Names of the functions that mark memory, and whether it is secret then.
const MARKERS: [(&str, bool); 2] = [("steelyard_mark_secret", true), ("steelyard_mark_public", false)];

const FOLLOWS_NONE: &str = "this machine does not follow secrets";

/// Lowest stack pointer of a run whose stack was not observed: above every address.
const UNSEEN: u32 = u32::MAX;

impl<P: Processor> Emulated<P> {
    /// Builds a chip at reset from a processor with these regions; the stack begins at the end of the first RAM.
    pub fn new(processor: P, regions: &[Region]) -> Result<Self, Error> {
        let holds_stack = |region: &&Region| {
            region.kind == RegionKind::Ram && region.name != LAB && (P::EXTERNAL_STACK || !region.external)
        };
        let Some(ram) = regions.iter().find(holds_stack) else { return refuse("the chip has no RAM of its own") };
        let stack_top = empty_stack::<P>(ram.end() as u32);
        let regions = regions.to_vec();
        let (symbols, begin, segments) = (Symbols::default(), Begin::Raw(0), Vec::new());
        let mut emulated = Emulated { processor, regions, symbols, stack_top, snapshot: None, begin, segments };
        emulated.processor.reset(stack_top);
        Ok(emulated)
    }

    /// Returns the processor, for a tester that inspects its state.
    pub fn processor(&self) -> &P {
        &self.processor
    }

    /// Returns the chip's memories.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// Returns the processor for modification.
    pub fn processor_mut(&mut self) -> &mut P {
        &mut self.processor
    }

    /// Returns the lowest address the stack may use from its present position: the start of its RAM, or the end of the
    /// image's static data if that lies below the stack.
    fn stack_limit(&self) -> u32 {
        let sp = self.processor.stack_pointer() + P::STACK_FREE_BYTES;
        // RAM regions that touch are one to the stack.
        let mut base = sp;
        while let Some(region) = self.regions.iter().find(|region| {
            let below = base.wrapping_sub(1);
            region.kind == RegionKind::Ram
                && region.contains(below)
                && (region.contains(sp.wrapping_sub(1)) || region.name != LAB)
        }) {
            base = region.base;
        }
        match self.symbols.get(END_SYMBOL).map(|end| P::address(end.address)) {
            Some(end) if end <= sp => base.max(end),
            _ => base,
        }
    }

    fn fault(&self, trap: Trap) -> Fault {
        let pc = self.processor.trapped_at(trap);
        let place = self.symbols.locate(pc);
        let message = self.processor.sentence(trap, &place).unwrap_or_else(|| self.sentence(trap, pc, &place));
        Fault { kind: trap.kind, message, pc, address: trap.address }
    }

    fn sentence(&self, trap: Trap, pc: u32, place: &str) -> String {
        let address = trap.address.unwrap_or(0);
        let hex = |address: u32| format!("0x{address:0digits$x}", digits = P::ADDRESS_DIGITS);
        match trap.kind {
            FaultKind::IllegalOpcode => self.processor.refusal(place),
            FaultKind::UnmappedAddress if address == pc => format!("the flow reached {place}, where nothing lies"),
            FaultKind::UnmappedAddress => format!("nothing answers at address {}, wanted at {place}", hex(address)),
            FaultKind::UnalignedAddress => self.processor.misalignment(address, place),
            FaultKind::StackOverflow => {
                let limit = hex(self.processor.stack_limit());
                format!("the stack reached {}, below {limit} where it must end, at {place}", hex(address))
            }
            FaultKind::CycleBudget => format!("the cycle budget ran out at {place}"),
            FaultKind::BadReturn => {
                let found = hex(self.processor.stack_pointer());
                format!("the function returned with the stack pointer at {found} instead of {}", hex(address))
            }
            FaultKind::Sleep => format!("the CPU sleeps at {place} and nothing would wake it"),
            FaultKind::WriteToFlash => format!("a store to flash at address {}, at {place}", hex(address)),
            FaultKind::StrayRead | FaultKind::StrayWrite => {
                let datum = self.symbols.locate_datum(P::DATA_BASE + address, &hex(address));
                fence::sentence(trap.kind, &datum, place)
            }
        }
    }

    /// Runs what is set up to its end; `before` was spent before it, with the stack pointer at `from` then.
    fn watch(&mut self, observe: Observe, cycle_limit: u64, before: Spent, from: u32) -> Seen {
        let first_sp = self.processor.stack_pointer();
        match observe {
            Observe::Detail if P::PLAIN => {
                let mut either = Either::Detail(Detail::new(&self.processor, &self.symbols));
                let exit = self.processor.run(&mut either, cycle_limit);
                let Either::Detail(detail) = either else { unreachable!("an observer stays what it is") };
                let finished = detail.finish(&self.processor, before, from);
                let Finished { detailed, mut totals, instructions, lowest } = finished;
                totals.mix[Class::Call as usize] += before.instructions;
                let detail = Some(Box::new(detailed));
                Seen { instructions, lowest, totals, detail, ..Seen::nothing(exit) }
            }
            Observe::Profile if P::PLAIN => {
                let profiled = self.processor.run_profiled(cycle_limit, &self.symbols, before);
                let Profiled { exit, mut totals, lowest } = profiled;
                totals.mix[Class::Call as usize] += before.instructions;
                Seen { instructions: totals.mix.iter().sum(), lowest, totals, ..Seen::nothing(exit) }
            }
            Observe::Stack if P::PLAIN => {
                let mut stack = StackPeak::new(first_sp);
                let exit = self.processor.run(&mut stack, cycle_limit);
                let instructions = stack.instructions + before.instructions;
                Seen { instructions, lowest: stack.lowest, ..Seen::nothing(exit) }
            }
            _ if P::PLAIN => Seen::nothing(self.processor.run(&mut Nothing, cycle_limit)),
            _ => {
                // One observer for all that a machine that follows secrets can observe: each takes long to compile.
                let mut leaks = Leaks::new(first_sp, self.processor.places());
                let exit = self.follow(&mut leaks, cycle_limit);
                if observe == Observe::Nothing {
                    return Seen::nothing(exit);
                }
                let instructions = leaks.stack.instructions + before.instructions;
                let found = leaks.found.iter().map(|found| found.leaked(self.processor.address_at(found.place)));
                let (lowest, found) = (leaks.stack.lowest, found.collect());
                let leaks = (observe == Observe::Secrets).then_some(found);
                Seen { instructions, lowest, leaks, ..Seen::nothing(exit) }
            }
        }
    }

    /// Runs on without looking at anything.
    fn go_on(&mut self, cycle_limit: u64) -> Exit {
        if P::PLAIN {
            return self.processor.run(&mut Nothing, cycle_limit);
        }
        let mut leaks = Leaks::new(self.processor.stack_pointer(), self.processor.places());
        self.processor.run(&mut leaks, cycle_limit)
    }

    /// Returns the functions of the image that mark memory, where secrets are followed.
    fn markers(&self) -> Vec<Marker> {
        if P::PLAIN {
            return Vec::new();
        }
        let marker = |(name, secret): (&str, bool)| {
            let address = P::address(self.symbols.get(name)?.address);
            self.processor.is_code(address).then_some(Marker { address, secret })
        };
        MARKERS.into_iter().filter_map(marker).collect()
    }

    /// Marks memory if the flow is at the start of one of these functions; returns it with the bytes.
    fn obey(&mut self, markers: &[Marker]) -> Option<(Marker, u32, u32)> {
        let pc = self.processor.pc();
        let is_at = |mask: u32| markers.iter().find(move |marker| marker.address & mask == pc);
        let marker = *is_at(u32::MAX).or_else(|| is_at(!1))?;
        let (address, length) = self.processor.passed();
        self.set_marks(address, length as usize, marker.bits());
        Some((marker, address, length))
    }

    /// Runs as [`Processor::run`] does, and obeys the functions that mark memory.
    fn follow(&mut self, observer: &mut Leaks, cycle_limit: u64) -> Exit {
        let markers = self.markers();
        if markers.is_empty() {
            return self.processor.run(observer, cycle_limit);
        }
        markers.iter().for_each(|marker| self.processor.plant_stop(marker.address));
        let exit = loop {
            let exit = self.processor.run(observer, cycle_limit);
            if exit != Exit::Stop {
                break exit;
            }
            let Some((marker, ..)) = self.obey(&markers) else { break exit };
            self.processor.lift_stop(marker.address);
            let next = self.processor.cycles() + 1;
            let exit = self.processor.run(observer, next);
            self.processor.plant_stop(marker.address);
            if let Exit::Trap(_) = exit {
                break exit;
            }
        };
        markers.iter().for_each(|marker| self.processor.lift_stop(marker.address));
        exit
    }

    /// Refuses what this machine does not observe.
    fn observes(observe: Observe) -> Result<(), Error> {
        match observe {
            Observe::Secrets if P::PLAIN => refuse(FOLLOWS_NONE),
            Observe::Profile | Observe::Detail if !P::PLAIN => {
                refuse("a machine that follows secrets makes no profile")
            }
            _ => Ok(()),
        }
    }

    /// Sets up a call and executes the call instruction.
    fn enter(&mut self, function: u32, arguments: &[Argument], max_cycles: u64) -> Result<Entered, Error> {
        if !self.processor.is_code(function) {
            return refuse(format!("0x{function:x} is no address of a function"));
        }
        let caller_sp = self.processor.stack_pointer();
        self.processor.set_stack_limit(self.stack_limit());
        let stack = self.processor.place(arguments)?;
        let call_sp = caller_sp.wrapping_sub(stack.len() as u32) & !(P::STACK_ALIGNMENT - 1);
        self.write(Space::Data, call_sp.wrapping_add(P::STACK_FREE_BYTES), &stack)?;
        self.processor.set_stack_pointer(call_sp)?;
        let cycles_before = self.processor.cycles();
        let limit = cycles_before.saturating_add(max_cycles);
        self.processor.take_counters();
        let trap = self.processor.call(function).err();
        let spent = Spent { cycles: self.processor.cycles() - cycles_before, instructions: 1 };
        Ok(Entered { caller_sp, call_sp, cycles_before, limit, spent, trap })
    }

    /// Ends a call that was entered; returns its cost.
    fn leave(&mut self, entered: &Entered, seen: Seen) -> Result<CallResult, Error> {
        let Entered { caller_sp, call_sp, .. } = *entered;
        let trap = match seen.exit {
            Exit::Trap(trap) => Some(trap),
            Exit::Limit => Some(Trap::of(FaultKind::CycleBudget)),
            Exit::Stop if self.processor.stack_pointer() != call_sp => Some(Trap::at(FaultKind::BadReturn, call_sp)),
            Exit::Stop => None,
        };
        let fault = trap.map(|trap| self.fault(trap));
        self.processor.called();
        if fault.is_none() {
            self.processor.set_stack_pointer(caller_sp)?;
        }
        Ok(CallResult {
            fault,
            cycles: self.processor.cycles() - entered.cycles_before,
            instructions: seen.instructions,
            stack_bytes: call_sp.saturating_sub(seen.lowest),
            argument_bytes: caller_sp.wrapping_sub(call_sp),
            totals: seen.totals,
            return_value: self.processor.return_value(),
            memory: self.processor.take_counters(),
            leaks: seen.leaks,
            detail: seen.detail,
        })
    }

    /// Writes the segments as a programmer or a debugger does.
    fn store(&mut self) -> Result<(), Error> {
        self.segments.iter().try_for_each(|segment| self.processor.store(segment)).map_err(does_not_fit)
    }

    /// Leaves memory as start-up code would, so that a function can be called without it. Cleared memory may lie where
    /// initial values were stored.
    fn initialise(&mut self) -> Result<(), Error> {
        self.segments.iter().try_for_each(|segment| self.processor.initialise(segment)).map_err(does_not_fit)?;
        let Emulated { processor, regions, segments, .. } = self;
        segments.iter().try_for_each(|segment| clear(processor, regions, segment)).map_err(does_not_fit)
    }

    /// Resets the CPU and sets it to where a run begins.
    fn begin(&mut self, begin: Begin) -> Result<(), Error> {
        self.processor.reset(self.stack_top);
        match begin {
            Begin::Entry(address) if self.processor.is_code(address) => self.processor.set_pc(address),
            Begin::Entry(address) => return refuse(format!("0x{address:x} is no address of an instruction")),
            Begin::Raw(address) => self.processor.begin(address)?,
        }
        Ok(())
    }

    /// Sets the secret bits of each of these bytes.
    fn set_marks(&mut self, address: u32, length: usize, secret: u8) {
        if !P::PLAIN {
            self.processor.parts_mut().beside.fill(address..address.saturating_add(length as u32), secret);
        }
    }

    fn forget_image(&mut self) {
        self.snapshot = None;
        self.processor.set_fence(None);
        self.processor.erase();
        self.symbols = Symbols::default();
        self.segments.clear();
    }
}

/// Returns the stack pointer of an empty stack in memory that ends before an address.
fn empty_stack<P: Processor>(end: u32) -> u32 {
    (end & !(P::STACK_ALIGNMENT - 1)).wrapping_sub(P::STACK_FREE_BYTES)
}

/// Clears the memory behind a segment's data. A segment that begins outside RAM only names registers or flash.
fn clear<P: Processor>(processor: &mut P, regions: &[Region], segment: &Segment) -> Result<(), Error> {
    let linked = segment.virtual_address.wrapping_add(segment.data.len() as u32);
    let mut address = P::address(linked);
    let mut left = segment.cleared_bytes;
    if P::space(linked) != Space::Data {
        return Ok(());
    }
    while left > 0 {
        let ram = |region: &&Region| {
            region.space != RegionSpace::Program && region.kind == RegionKind::Ram && region.contains(address)
        };
        let Some(region) = regions.iter().find(ram) else {
            if left == segment.cleared_bytes {
                return Ok(());
            }
            return refuse(format!("its static data are {left} bytes longer than the RAM in which they begin"));
        };
        let bytes = u64::from(left).min(region.end() - u64::from(address)) as u32;
        processor.write(Space::Data, address, &vec![0; bytes as usize])?;
        address = address.wrapping_add(bytes);
        left -= bytes;
    }
    Ok(())
}

fn does_not_fit(error: Error) -> Error {
    Error::Elf(format!("the image does not fit the chip: {error}"))
}

impl<P: Processor> Machine for Emulated<P> {
    fn load_elf(&mut self, image: &[u8]) -> Result<(), Error> {
        let image = elf::parse(image, P::ELF_MACHINE, P::NAME)?;
        self.forget_image();
        self.begin = Begin::Entry(P::RESET_ADDRESS.unwrap_or(image.entry));
        self.segments = image.segments;
        self.store()?;
        self.initialise()?;
        self.symbols = P::symbols(image.symbols);
        self.processor.reset(self.stack_top);
        Ok(())
    }

    fn load_raw(&mut self, address: u32, image: &[u8]) -> Result<(), Error> {
        self.forget_image();
        self.begin = P::RESET_ADDRESS.map_or(Begin::Raw(address), Begin::Entry);
        self.processor.write(P::space(address), P::address(address), image).map_err(does_not_fit)?;
        self.processor.reset(self.stack_top);
        Ok(())
    }

    fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    fn address(&self, linked_address: u32) -> u32 {
        P::address(linked_address)
    }

    fn space(&self, linked_address: u32) -> Space {
        P::space(linked_address)
    }

    fn run_until(&mut self, address: u32, max_cycles: u64) -> Result<(), Error> {
        if !self.processor.is_code(address) {
            return refuse(format!("0x{address:x} is no address of an instruction"));
        }
        self.store()?;
        self.begin(self.begin)?;
        self.processor.set_stack_limit(0);
        self.processor.plant_stop(address);
        let limit = self.processor.cycles().saturating_add(max_cycles);
        let exit = self.go_on(limit);
        self.processor.clear_stop();
        let trap = match exit {
            Exit::Stop => return Ok(()),
            Exit::Trap(trap) => trap,
            Exit::Limit => Trap::of(FaultKind::CycleBudget),
        };
        refuse(format!("the start-up code failed: {}", self.fault(trap).message))
    }

    fn run(&mut self, start: &Start, to: u32, max_cycles: u64, observe: Observe) -> Result<CallResult, Error> {
        Self::observes(observe)?;
        match start.from {
            Some(address) => self.begin(Begin::Entry(address))?,
            None => {
                self.store()?;
                self.begin(self.begin)?;
            }
        }
        if !self.processor.is_code(to) {
            return refuse(format!("0x{to:x} is no address of an instruction"));
        }
        for (address, content) in &start.writes {
            self.processor.preset(*address, content)?;
        }
        let settable = self.processor.settable();
        for &(place, value) in &start.registers {
            match settable.get(place) {
                Some(register) if u64::from(value) >> register.bits == 0 => self.processor.set(place, value)?,
                _ => return refuse(format!("0x{value:x} is no value of a register with the number {place}")),
            }
        }
        self.processor.set_stack_limit(0);
        self.processor.plant_stop(to);
        let first_sp = self.processor.stack_pointer();
        let cycles_before = self.processor.cycles();
        self.processor.take_counters();
        let limit = cycles_before.saturating_add(max_cycles);
        let Seen { exit, instructions, lowest, totals, leaks, detail } =
            self.watch(observe, limit, Spent::default(), first_sp);
        self.processor.clear_stop();
        let trap = match exit {
            Exit::Stop => None,
            Exit::Trap(trap) => Some(trap),
            Exit::Limit => Some(Trap::of(FaultKind::CycleBudget)),
        };
        Ok(CallResult {
            fault: trap.map(|trap| self.fault(trap)),
            cycles: self.processor.cycles() - cycles_before,
            instructions,
            stack_bytes: first_sp.saturating_sub(lowest),
            argument_bytes: 0,
            totals,
            return_value: self.processor.return_value(),
            memory: self.processor.take_counters(),
            leaks,
            detail,
        })
    }

    fn disassembled(&self, address: u32) -> Option<(String, u32)> {
        self.processor.text(address)
    }

    fn read(&self, space: Space, address: u32, length: usize) -> Result<Vec<u8>, Error> {
        self.processor.read(space, address, length)
    }

    fn write(&mut self, space: Space, address: u32, data: &[u8]) -> Result<(), Error> {
        self.processor.write(space, address, data)?;
        if space == Space::Data {
            self.set_marks(address, data.len(), 0);
        }
        Ok(())
    }

    fn snapshot(&mut self) {
        self.processor.snapshot_memory();
        self.snapshot = Some((self.processor.registers(), self.processor.parts().beside.clone()));
    }

    fn restore(&mut self) -> Result<(), Error> {
        let Some((registers, beside)) = &self.snapshot else {
            return refuse("there is no snapshot to go back to");
        };
        self.processor.set_registers(registers);
        self.processor.restore_memory();
        self.processor.parts_mut().beside.clone_from(beside);
        Ok(())
    }

    fn stack_pointer(&self) -> u32 {
        self.processor.stack_pointer()
    }

    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error> {
        self.processor.set_stack_pointer(pointer)
    }

    fn empty_stack(&self, end: u32) -> u32 {
        empty_stack::<P>(end)
    }

    fn least_result_bytes(&self) -> usize {
        P::LEAST_RESULT_BYTES
    }

    fn empty_caches(&mut self) {
        self.processor.empty_caches();
    }

    fn fence(&mut self, permits: Option<&[Permit]>) -> Result<(), Error> {
        self.processor.set_fence(permits.map(Fence::new).transpose()?);
        Ok(())
    }

    fn settable(&self) -> Vec<Settable> {
        self.processor.settable()
    }

    fn ignore(&mut self, places: Option<&[(u32, u64)]>) -> Result<(), Error> {
        self.processor.ignore(places.map(Ignored::new))
    }

    fn ignored(&self) -> u64 {
        self.processor.parts().memory.ignored()
    }

    fn mark(&mut self, address: u32, length: usize, secret: bool) -> Result<(), Error> {
        if P::PLAIN {
            return refuse(FOLLOWS_NONE);
        }
        self.read(Space::Data, address, length)?;
        self.set_marks(address, length, if secret { u8::MAX } else { 0 });
        Ok(())
    }

    fn marks(&self, address: u32, length: usize) -> Vec<u8> {
        let beside = self.processor.parts().beside;
        (0..length).map(|offset| beside.bits(address.wrapping_add(offset as u32))).collect()
    }

    fn series(
        &mut self,
        function: u32,
        arguments: &[Argument],
        max_cycles: u64,
        window_cycles: u64,
    ) -> Result<Series, Error> {
        if window_cycles == 0 {
            return refuse("a window has at least one cycle");
        }
        Self::observes(Observe::Profile)?;
        let entered = self.enter(function, arguments, max_cycles)?;
        let (exit, windows) = match entered.trap {
            None if !P::PLAIN => unreachable!("refused above"),
            None => self.processor.run_in_windows(entered.limit, window_cycles, entered.spent)?,
            Some(trap) => (Exit::Trap(trap), Vec::new()),
        };
        Ok(Series { call: self.leave(&entered, Seen::nothing(exit))?, windows })
    }

    fn call(
        &mut self,
        function: u32,
        arguments: &[Argument],
        max_cycles: u64,
        observe: Observe,
    ) -> Result<CallResult, Error> {
        Self::observes(observe)?;
        let entered = self.enter(function, arguments, max_cycles)?;
        let seen = match entered.trap {
            None => self.watch(observe, entered.limit, entered.spent, entered.call_sp),
            Some(trap) => {
                let lowest = if observe == Observe::Nothing { UNSEEN } else { self.processor.stack_pointer() };
                let leaks = (observe == Observe::Secrets).then(Vec::new);
                Seen { lowest, leaks, ..Seen::nothing(Exit::Trap(trap)) }
            }
        };
        self.leave(&entered, seen)
    }

    fn trace(
        &mut self,
        function: u32,
        arguments: &[Argument],
        max_cycles: u64,
        stretch: Option<u64>,
    ) -> Result<(CallResult, Trace), Error> {
        if !P::PLAIN {
            return refuse("a machine that follows secrets is not traced");
        }
        self.processor.parts_mut().program.renumber();
        self.processor.empty_caches();
        let entered = self.enter(function, arguments, max_cycles)?;
        let mut either = Either::Tracer(Tracer::new(stretch));
        let exit = match entered.trap {
            None if P::PLAIN => self.processor.run(&mut either, entered.limit),
            None => Exit::Limit,
            Some(trap) => Exit::Trap(trap),
        };
        let Either::Tracer(tracer) = either else { unreachable!("an observer stays what it is") };
        let trace = tracer.finish(&self.processor);
        Ok((self.leave(&entered, Seen::nothing(exit))?, trace))
    }

    fn path(
        &mut self,
        function: u32,
        arguments: &[Argument],
        max_cycles: u64,
        leak: (u32, &str),
    ) -> Result<Vec<Passed>, Error> {
        if P::PLAIN {
            return refuse(FOLLOWS_NONE);
        }
        let entered = self.enter(function, arguments, max_cycles)?;
        let markers = self.markers();
        let mut follower = Follower::new(&self.processor);
        let mut found = None;
        let mut exit = entered.trap.map(Exit::Trap);
        while exit.is_none() && found.is_none() && self.processor.cycles() < entered.limit {
            if let Some((marker, address, length)) = self.obey(&markers) {
                follower.marked(address, length, marker.bits());
            }
            (found, exit) = follower.step(&mut self.processor, leak);
        }
        self.leave(&entered, Seen::nothing(exit.unwrap_or(Exit::Limit)))?;
        match found {
            Some(way) => Ok(way),
            None => refuse(format!("the call met no {} that depends on a secret at 0x{:x}", leak.1, leak.0)),
        }
    }
}
