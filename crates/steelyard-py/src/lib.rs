//! Python's view of the emulator, as `python/steelyard/_native.pyi` describes it.

mod batch;
mod files;
mod lines;
mod programs;

use batch::{Plan, Step};
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use steelyard_emu::detail::Detailed;
use steelyard_emu::memory_system::MemoryCounters;
use steelyard_emu::observe::Cause;
use steelyard_emu::profile::{Class, Totals};
use steelyard_emu::{
    instructions_from_json, machine_from_json, shadowed_from_json, Argument, Aspect, CallResult, Error, Fault, Leaked,
    Observe, Permit, Space, Start, Window, VERSION,
};

create_exception!(steelyard._native, ElfError, PyValueError, "The image is not one the machine can run.");
create_exception!(steelyard._native, MachineError, PyValueError, "The machine was described or used wrongly.");

fn raise(error: Error) -> PyErr {
    match error {
        Error::Elf(sentence) => ElfError::new_err(sentence),
        Error::Machine(sentence) => MachineError::new_err(sentence),
    }
}

fn refuse<T>(sentence: String) -> PyResult<T> {
    Err(MachineError::new_err(sentence))
}

fn parse_space(name: &str) -> PyResult<Space> {
    match name {
        "program" => Ok(Space::Program),
        "data" => Ok(Space::Data),
        "eeprom" => Ok(Space::Eeprom),
        _ => refuse(format!("no address space `{name}`; there are: program, data, eeprom")),
    }
}

fn observe(name: &str) -> PyResult<Observe> {
    match name {
        "none" => Ok(Observe::Nothing),
        "stack" => Ok(Observe::Stack),
        "profile" => Ok(Observe::Profile),
        "detail" => Ok(Observe::Detail),
        "secrets" => Ok(Observe::Secrets),
        _ => refuse(format!("no observation `{name}`; there are: none, stack, profile, detail, secrets")),
    }
}

/// Returns arguments (value, size in bytes) for a call; a negative value is passed in two's complement.
fn arguments(given: Vec<(i128, u32)>) -> Vec<Argument> {
    given.into_iter().map(|(value, size_bytes)| Argument { value: value as u64, size_bytes }).collect()
}

/// A place by address or by name.
#[derive(FromPyObject)]
enum Function {
    Address(u32),
    Name(String),
}

/// A function, its arguments (value, size in bytes), and the number of places written right before the call.
type BatchCall = (u32, Vec<(i128, u32)>, usize);

/// A batch's bytes, its cycles, and the fault that ended it: kind, message, and number of the item.
type BatchResult<'py> = (Bound<'py, PyBytes>, u64, Option<(&'static str, String, usize)>);

#[pyclass(module = "steelyard._native")]
struct Machine {
    inner: Box<dyn steelyard_emu::Machine>,
}

impl Machine {
    fn address_of(&self, name: &str) -> PyResult<u32> {
        match self.inner.symbols().get(name) {
            Some(symbol) => Ok(self.inner.address(symbol.address)),
            None => refuse(format!("the image has no symbol `{name}`")),
        }
    }

    fn function(&self, function: Function) -> PyResult<u32> {
        match function {
            Function::Address(address) => Ok(address),
            Function::Name(name) => self.address_of(&name),
        }
    }
}

/// A traced call.
#[pyclass(module = "steelyard._native", frozen)]
struct Trace {
    inner: steelyard_emu::Trace,
}

#[pymethods]
impl Trace {
    #[getter]
    fn instructions(&self) -> u64 {
        self.inner.instructions
    }

    #[getter]
    fn cycles(&self) -> u64 {
        self.inner.cycles
    }

    fn first_stretches<'py>(&self, py: Python<'py>, other: &Trace) -> PyResult<Bound<'py, PyDict>> {
        let stretches = PyDict::new(py);
        for aspect in Aspect::ALL {
            if let Some(stretch) = self.inner.first_stretch(&other.inner, aspect) {
                stretches.set_item(aspect.name(), stretch)?;
            }
        }
        Ok(stretches)
    }

    fn difference<'py>(&self, py: Python<'py>, other: &Trace, aspect: &str) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(aspect) = Aspect::ALL.into_iter().find(|known| known.name() == aspect) else {
            return refuse(format!("no aspect `{aspect}`; there are: flow, address, cycles"));
        };
        let Some(difference) = self.inner.difference(&other.inner, aspect) else { return Ok(None) };
        let dict = PyDict::new(py);
        dict.set_item("aspect", difference.aspect.name())?;
        dict.set_item("number", difference.number)?;
        dict.set_item("before", difference.before)?;
        dict.set_item("pc", <(Option<u32>, Option<u32>)>::from(difference.pc))?;
        dict.set_item("address", <(Option<u32>, Option<u32>)>::from(difference.address))?;
        dict.set_item("cycles", <(Option<u32>, Option<u32>)>::from(difference.cycles))?;
        Ok(Some(dict))
    }
}

#[pymethods]
impl Machine {
    #[new]
    #[pyo3(signature = (description_json, *, shadow = false))]
    fn new(description_json: &str, shadow: bool) -> PyResult<Self> {
        let build = if shadow { shadowed_from_json } else { machine_from_json };
        Ok(Machine { inner: build(description_json).map_err(raise)? })
    }

    fn mark(&mut self, address: u32, length: usize, secret: bool) -> PyResult<()> {
        self.inner.mark(address, length, secret).map_err(raise)
    }

    fn marks<'py>(&self, py: Python<'py>, address: u32, length: usize) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.marks(address, length))
    }

    fn load_elf(&mut self, image: &[u8]) -> PyResult<()> {
        self.inner.load_elf(image).map_err(raise)
    }

    fn load_raw(&mut self, address: u32, image: &[u8]) -> PyResult<()> {
        self.inner.load_raw(address, image).map_err(raise)
    }

    fn place(&self, place: Function) -> PyResult<(&'static str, u32, u32)> {
        let (linked, size) = match place {
            Function::Address(address) => (address, 0),
            Function::Name(name) => match self.inner.symbols().get(&name) {
                Some(symbol) => (symbol.address, symbol.size_bytes),
                None => return refuse(format!("the image has no symbol `{name}`")),
            },
        };
        let space = match self.inner.space(linked) {
            Space::Program => "program",
            Space::Data => "data",
            Space::Eeprom => "eeprom",
        };
        Ok((space, self.inner.address(linked), size))
    }

    #[pyo3(signature = (start, stop, *, max_cycles, observe = "profile", writes = Vec::new(), registers = Vec::new()))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords of the Python method")]
    fn run<'py>(
        &mut self,
        py: Python<'py>,
        start: Option<u32>,
        stop: u32,
        max_cycles: u64,
        observe: &str,
        writes: Vec<(u32, Vec<u8>)>,
        registers: Vec<(usize, u32)>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let observe = self::observe(observe)?;
        let start = Start { from: start, writes, registers };
        let result = py.detach(|| self.inner.run(&start, stop, max_cycles, observe)).map_err(raise)?;
        call_result(py, &result, self.inner.least_result_bytes())
    }

    fn symbols<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let symbols = PyDict::new(py);
        for symbol in self.inner.symbols().iter() {
            symbols.set_item(&symbol.name, (self.inner.address(symbol.address), symbol.size_bytes))?;
        }
        Ok(symbols)
    }

    fn functions(&self) -> Vec<(String, u32, u32)> {
        let functions = self.inner.symbols().functions().iter();
        let placed = |address| self.inner.address(address);
        functions.map(|one| (one.name.clone(), placed(one.start), one.end - one.start)).collect()
    }

    fn run_until(&mut self, py: Python<'_>, symbol: &str, max_cycles: u64) -> PyResult<()> {
        let address = self.address_of(symbol)?;
        py.detach(|| self.inner.run_until(address, max_cycles)).map_err(raise)
    }

    fn disassembled(&self, address: u32) -> Option<(String, u32)> {
        self.inner.disassembled(address)
    }

    fn read<'py>(&self, py: Python<'py>, space: &str, address: u32, length: usize) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.inner.read(parse_space(space)?, address, length).map_err(raise)?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn write(&mut self, space: &str, address: u32, data: &[u8]) -> PyResult<()> {
        self.inner.write(parse_space(space)?, address, data).map_err(raise)
    }

    fn snapshot(&mut self) {
        self.inner.snapshot();
    }

    fn restore(&mut self) -> PyResult<()> {
        self.inner.restore().map_err(raise)
    }

    #[pyo3(signature = (function, arguments, *, max_cycles, observe = "profile"))]
    fn call<'py>(
        &mut self,
        py: Python<'py>,
        function: Function,
        arguments: Vec<(i128, u32)>,
        max_cycles: u64,
        observe: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let address = self.function(function)?;
        let observe = self::observe(observe)?;
        let arguments = self::arguments(arguments);
        let result = py.detach(|| self.inner.call(address, &arguments, max_cycles, observe)).map_err(raise)?;
        call_result(py, &result, self.inner.least_result_bytes())
    }

    #[pyo3(signature = (function, arguments, *, max_cycles, stretch = None))]
    fn trace<'py>(
        &mut self,
        py: Python<'py>,
        function: Function,
        arguments: Vec<(i128, u32)>,
        max_cycles: u64,
        stretch: Option<u64>,
    ) -> PyResult<(Bound<'py, PyDict>, Trace)> {
        let address = self.function(function)?;
        let arguments = self::arguments(arguments);
        let traced = py.detach(|| self.inner.trace(address, &arguments, max_cycles, stretch)).map_err(raise)?;
        let (result, inner) = traced;
        Ok((call_result(py, &result, self.inner.least_result_bytes())?, Trace { inner }))
    }

    fn path(
        &mut self,
        py: Python<'_>,
        function: Function,
        arguments: Vec<(i128, u32)>,
        max_cycles: u64,
        leak_pc: u32,
        kind: &str,
    ) -> PyResult<Vec<(u32, String, Option<u32>)>> {
        let address = self.function(function)?;
        let arguments = self::arguments(arguments);
        let way = py.detach(|| self.inner.path(address, &arguments, max_cycles, (leak_pc, kind))).map_err(raise)?;
        Ok(way.into_iter().map(|passed| (passed.pc, passed.text, passed.address)).collect())
    }

    #[pyo3(signature = (function, arguments, *, max_cycles, window_cycles))]
    fn series<'py>(
        &mut self,
        py: Python<'py>,
        function: Function,
        arguments: Vec<(i128, u32)>,
        max_cycles: u64,
        window_cycles: u64,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyList>)> {
        let address = self.function(function)?;
        let arguments = self::arguments(arguments);
        let series = py.detach(|| self.inner.series(address, &arguments, max_cycles, window_cycles)).map_err(raise)?;
        let windows = PyList::empty(py);
        for window in &series.windows {
            windows.append(self::window(py, window)?)?;
        }
        Ok((call_result(py, &series.call, self.inner.least_result_bytes())?, windows))
    }

    fn batch<'py>(
        &mut self,
        py: Python<'py>,
        places: Vec<(u32, usize)>,
        contents: &[u8],
        calls: Vec<BatchCall>,
        outputs: Vec<(u32, usize)>,
        max_cycles: u64,
    ) -> PyResult<BatchResult<'py>> {
        let step = |(function, values, places)| Step { function, arguments: arguments(values), places };
        let plan = Plan { places, steps: calls.into_iter().map(step).collect(), outputs, max_cycles };
        let batch = py.detach(|| plan.run(&mut *self.inner, contents)).map_err(raise)?;
        let fault = batch.fault.map(|(fault, item)| (fault.kind.name(), fault.message, item));
        Ok((PyBytes::new(py, &batch.bytes), batch.cycles, fault))
    }

    fn registers(&self) -> Vec<(String, u32)> {
        self.inner.settable().into_iter().map(|register| (register.name, register.bits)).collect()
    }

    fn ignore(&mut self, places: Option<Vec<(u32, u64)>>) -> PyResult<()> {
        self.inner.ignore(places.as_deref()).map_err(raise)
    }

    fn ignored(&self) -> u64 {
        self.inner.ignored()
    }

    fn fence(&mut self, permits: Option<Vec<(u32, u32, bool)>>) -> PyResult<()> {
        let permit = |(base, size_bytes, write)| Permit { base, size_bytes, write };
        let permits = permits.map(|permits| permits.into_iter().map(permit).collect::<Vec<Permit>>());
        self.inner.fence(permits.as_deref()).map_err(raise)
    }

    #[getter]
    fn stack_pointer(&self) -> u32 {
        self.inner.stack_pointer()
    }

    #[setter]
    fn set_stack_pointer(&mut self, pointer: u32) -> PyResult<()> {
        self.inner.set_stack_pointer(pointer).map_err(raise)
    }

    fn empty_stack(&self, end: u32) -> u32 {
        self.inner.empty_stack(end)
    }

    fn empty_caches(&mut self) {
        self.inner.empty_caches();
    }
}

fn fault<'py>(py: Python<'py>, fault: Option<&Fault>) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(fault) = fault else { return Ok(None) };
    let dict = PyDict::new(py);
    dict.set_item("kind", fault.kind.name())?;
    dict.set_item("message", &fault.message)?;
    dict.set_item("pc", fault.pc)?;
    dict.set_item("address", fault.address)?;
    Ok(Some(dict))
}

/// Sets what a call and a window of it have in common.
fn set_totals(dict: &Bound<'_, PyDict>, totals: &Totals) -> PyResult<()> {
    let py = dict.py();
    let mix = PyDict::new(py);
    for (class, count) in Class::ALL.iter().zip(totals.mix) {
        mix.set_item(class.name(), count)?;
    }
    dict.set_item("mix", mix)?;
    dict.set_item("loads", totals.loads)?;
    dict.set_item("stores", totals.stores)?;
    dict.set_item("register_reads", totals.register_reads)?;
    dict.set_item("register_writes", totals.register_writes)
}

fn window<'py>(py: Python<'py>, window: &Window) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("cycles", window.cycles)?;
    dict.set_item("instructions", window.totals.mix.iter().sum::<u64>())?;
    set_totals(&dict, &window.totals)?;
    Ok(dict)
}

fn call_result<'py>(py: Python<'py>, result: &CallResult, least_result_bytes: usize) -> PyResult<Bound<'py, PyDict>> {
    let functions = PyList::empty(py);
    for profile in &result.totals.functions {
        let dict = PyDict::new(py);
        dict.set_item("name", &profile.name)?;
        dict.set_item("cycles", profile.cycles)?;
        dict.set_item("instructions", profile.instructions)?;
        functions.append(dict)?;
    }
    let dict = PyDict::new(py);
    dict.set_item("fault", fault(py, result.fault.as_ref())?)?;
    dict.set_item("cycles", result.cycles)?;
    dict.set_item("instructions", result.instructions)?;
    dict.set_item("stack_bytes", result.stack_bytes)?;
    dict.set_item("argument_bytes", result.argument_bytes)?;
    set_totals(&dict, &result.totals)?;
    dict.set_item("memory", result.memory.map(|memory| memory_counters(py, &memory)).transpose()?)?;
    dict.set_item("branches", result.totals.branches)?;
    dict.set_item("branches_taken", result.totals.branches_taken)?;
    dict.set_item("functions", functions)?;
    dict.set_item("return_value", result.return_value)?;
    dict.set_item("least_result_bytes", least_result_bytes)?;
    dict.set_item("leaks", result.leaks.as_deref().map(|leaks| self::leaks(py, leaks)).transpose()?)?;
    dict.set_item("detail", result.detail.as_ref().map(|detailed| detail(py, detailed)).transpose()?)?;
    Ok(dict)
}

fn detail<'py>(py: Python<'py>, detailed: &Detailed) -> PyResult<Bound<'py, PyDict>> {
    let nodes = detailed.nodes.iter().map(|node| {
        let parent = node.parent.map_or(-1, |parent| parent as i64);
        (parent, node.address, node.calls, node.stack_bytes)
    });
    let spent = detailed.lines.iter().map(|line| {
        let causes = PyTuple::new(py, line.causes)?;
        (line.node, line.address, line.executions, line.cycles, causes).into_pyobject(py)
    });
    let heat = detailed.heat.iter().map(|block| (block.address, block.loads, block.stores));
    let dict = PyDict::new(py);
    dict.set_item("causes", Cause::ALL.map(Cause::name))?;
    dict.set_item("nodes", nodes.collect::<Vec<_>>())?;
    dict.set_item("spent", spent.collect::<PyResult<Vec<_>>>()?)?;
    dict.set_item("heat", heat.collect::<Vec<_>>())?;
    Ok(dict)
}

fn leaks<'py>(py: Python<'py>, leaks: &[Leaked]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for leak in leaks {
        let dict = PyDict::new(py);
        dict.set_item("kind", leak.kind)?;
        dict.set_item("address", leak.address)?;
        dict.set_item("times", leak.times)?;
        dict.set_item("lowest", leak.accessed.map(|(lowest, _)| lowest))?;
        dict.set_item("highest", leak.accessed.map(|(_, highest)| highest))?;
        list.append(dict)?;
    }
    Ok(list)
}

fn memory_counters<'py>(py: Python<'py>, counters: &MemoryCounters) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("icache_accesses", counters.icache_accesses)?;
    dict.set_item("icache_misses", counters.icache_misses)?;
    dict.set_item("dcache_accesses", counters.dcache_accesses)?;
    dict.set_item("dcache_misses", counters.dcache_misses)?;
    dict.set_item("dcache_writebacks", counters.dcache_writebacks)?;
    dict.set_item("uncached_accesses", counters.uncached_accesses)?;
    dict.set_item("writes_past", counters.writes_past)?;
    dict.set_item("stall_cycles", counters.stall_cycles)?;
    Ok(dict)
}

/// An instruction: mnemonic, pattern, operands, section of the manual, class of the mix.
type Instruction = (&'static str, String, Vec<String>, &'static str, &'static str);

#[pyfunction]
fn instructions(description_json: &str) -> PyResult<Vec<Instruction>> {
    let listed = instructions_from_json(description_json).map_err(raise)?;
    Ok(listed.into_iter().map(|row| (row.mnemonic, row.pattern, row.operands, row.section, row.class.name())).collect())
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Machine>()?;
    module.add_class::<lines::Lines>()?;
    module.add_class::<Trace>()?;
    module.add_function(wrap_pyfunction!(instructions, module)?)?;
    module.add_function(wrap_pyfunction!(files::write_files, module)?)?;
    module.add_function(wrap_pyfunction!(files::remove_folder, module)?)?;
    module.add_function(wrap_pyfunction!(programs::run_program, module)?)?;
    module.add_function(wrap_pyfunction!(programs::end_programs, module)?)?;
    module.add_function(wrap_pyfunction!(programs::can_confine, module)?)?;
    module.add("ConfinementError", module.py().get_type::<programs::ConfinementError>())?;
    module.add("ElfError", module.py().get_type::<ElfError>())?;
    module.add("MachineError", module.py().get_type::<MachineError>())?;
    module.add("EMULATOR_VERSION", VERSION)?;
    // The typed dictionaries of the stub are plain ones when the program runs.
    for name in ["FunctionProfile", "Fault", "MemoryCounters", "Leak", "Difference", "Events", "Detail", "CallResult"] {
        module.add(name, module.py().get_type::<PyDict>())?;
    }
    Ok(())
}
