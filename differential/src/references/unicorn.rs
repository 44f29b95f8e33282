//! Unicorn as a reference, through the library that its Python wheel brings.

use super::library::{InProcess, Library as Simulated};
use crate::protocol::{Reference, Until};
use libloading::Library;
use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::process::Command;
use std::sync::OnceLock;

const PAGE_BYTES: u32 = 0x1000;
const ALL_ACCESSES: u32 = 7;
/// gdb's number of the signal for an access where no memory lies.
const FAULT: u8 = 11;

/// `uc_ctl` with a value to be set: how many arguments it has, and what they mean.
const fn control(arguments: c_int, what: c_int) -> c_int {
    1 << 30 | arguments << 26 | what
}
const CPU_MODEL: c_int = control(1, 7);
const REMOVE_CACHE: c_int = control(2, 9);

/// Architectures by their numbers in `unicorn.h`.
pub const ARM: c_int = 1;
pub const SPARC: c_int = 6;
pub const RISCV: c_int = 8;

/// What is simulated, as `unicorn.h` and its headers number it.
#[derive(Debug, Clone, Copy)]
pub struct Model {
    pub architecture: c_int,
    pub mode: c_int,
    pub cpu: Option<c_int>,
    /// The program counter's number.
    pub pc: u16,
    /// Bits that an address to start at has besides the program counter: the mark of Thumb code.
    pub mark: u64,
}

type Engine = *mut c_void;
type Result0 = c_int;

/// The functions of the library that are used.
struct Functions {
    open: unsafe extern "C" fn(c_int, c_int, *mut Engine) -> Result0,
    close: unsafe extern "C" fn(Engine) -> Result0,
    ctl: unsafe extern "C" fn(Engine, c_int, ...) -> Result0,
    mem_map: unsafe extern "C" fn(Engine, u64, u64, u32) -> Result0,
    mem_read: unsafe extern "C" fn(Engine, u64, *mut u8, u64) -> Result0,
    mem_write: unsafe extern "C" fn(Engine, u64, *const u8, u64) -> Result0,
    reg_read: unsafe extern "C" fn(Engine, c_int, *mut u64) -> Result0,
    reg_write: unsafe extern "C" fn(Engine, c_int, *const u64) -> Result0,
    emu_start: unsafe extern "C" fn(Engine, u64, u64, u64, usize) -> Result0,
}

/// The library, loaded once.
fn functions() -> Result<&'static Functions, String> {
    static FUNCTIONS: OnceLock<Result<Functions, String>> = OnceLock::new();
    FUNCTIONS.get_or_init(load).as_ref().map_err(Clone::clone)
}

fn load() -> Result<Functions, String> {
    const WHERE: &str = "import importlib.util as u, pathlib as p; s = u.find_spec('unicorn'); \
        print(*p.Path(s.origin).parent.glob('lib/libunicorn.so*') if s else ())";
    let told = Command::new("python3").args(["-c", WHERE]).output().map(|told| told.stdout).unwrap_or_default();
    let told = String::from_utf8_lossy(&told).trim().to_owned();
    let path = if told.is_empty() { "libunicorn.so.2" } else { &told };
    let missing = |error| format!("Unicorn is missing ({error}); install the Python package `unicorn` for python3");
    // SAFETY: the library's initialisers do nothing but register its own tables.
    let library = unsafe { Library::new(path) }.map_err(missing)?;
    let library: &'static Library = Box::leak(Box::new(library));
    macro_rules! function {
        ($name:literal) => {
            // SAFETY: the types above are those of unicorn.h, version 2.
            *unsafe { library.get($name) }.map_err(missing)?
        };
    }
    Ok(Functions {
        open: function!(b"uc_open"),
        close: function!(b"uc_close"),
        ctl: function!(b"uc_ctl"),
        mem_map: function!(b"uc_mem_map"),
        mem_read: function!(b"uc_mem_read"),
        mem_write: function!(b"uc_mem_write"),
        reg_read: function!(b"uc_reg_read"),
        reg_write: function!(b"uc_reg_write"),
        emu_start: function!(b"uc_emu_start"),
    })
}

/// One simulated CPU with its memories.
pub struct Unicorn {
    functions: &'static Functions,
    engine: Engine,
    model: Model,
}

/// Starts Unicorn with RAM over these ranges, rounded to pages.
pub fn start(model: Model, memories: &[Range<u32>]) -> Result<Box<dyn Reference>, String> {
    Ok(Box::new(InProcess::new(Unicorn::new(model, memories)?)))
}

// Every unsafe block below rests on one invariant: `engine` comes from `uc_open`, which succeeded, and is closed only in
// `drop`; the functions are those of the library that made it, and every pointer handed over is to memory that outlives
// the call and has the length told.

impl Unicorn {
    pub fn new(model: Model, memories: &[Range<u32>]) -> Result<Self, String> {
        let functions = functions()?;
        let mut engine = std::ptr::null_mut();
        let done = |what: &str, result: Result0| match result {
            0 => Ok(()),
            code => Err(format!("Unicorn cannot {what}: its error {code}")),
        };
        // SAFETY: the pointer is to a local.
        done("start", unsafe { (functions.open)(model.architecture, model.mode, &mut engine) })?;
        let unicorn = Self { functions, engine, model };
        if let Some(cpu) = model.cpu {
            // SAFETY: the invariant above.
            done("be that CPU", unsafe { (functions.ctl)(engine, CPU_MODEL, cpu) })?;
        }
        for range in memories {
            let start = range.start & !(PAGE_BYTES - 1);
            let length = u64::from((range.end - start).next_multiple_of(PAGE_BYTES));
            // SAFETY: the invariant above.
            done("have that memory", unsafe { (functions.mem_map)(engine, start.into(), length, ALL_ACCESSES) })?;
        }
        Ok(unicorn)
    }
}

impl Simulated for Unicorn {
    fn register(&mut self, number: u16) -> u32 {
        let mut value = 0;
        // SAFETY: the invariant above.
        unsafe { (self.functions.reg_read)(self.engine, number.into(), &mut value) };
        value as u32
    }

    fn set_register(&mut self, number: u16, value: u32) {
        // SAFETY: the invariant above.
        unsafe { (self.functions.reg_write)(self.engine, number.into(), &u64::from(value)) };
    }

    fn read(&mut self, address: u32, length_bytes: usize) -> Vec<u8> {
        let mut bytes = vec![0; length_bytes];
        // SAFETY: the invariant above.
        unsafe { (self.functions.mem_read)(self.engine, address.into(), bytes.as_mut_ptr(), length_bytes as u64) };
        bytes
    }

    fn write(&mut self, address: u32, bytes: &[u8]) {
        let (address, length) = (u64::from(address), bytes.len() as u64);
        // SAFETY: the invariant above.
        unsafe {
            (self.functions.mem_write)(self.engine, address, bytes.as_ptr(), length);
            // What was translated from these bytes.
            (self.functions.ctl)(self.engine, REMOVE_CACHE, address, address + length);
        }
    }

    fn run(&mut self, until: Until) -> u8 {
        let (end, count) = match until {
            Until::Instructions(count) => (0, count as usize),
            Until::Address(address) => (u64::from(address), 0),
            Until::Stop | Until::Clocks(_) => return FAULT,
        };
        let start = u64::from(self.register(self.model.pc)) | self.model.mark;
        // SAFETY: the invariant above.
        let result = unsafe { (self.functions.emu_start)(self.engine, start, end, 0, count) };
        if result == 0 {
            0
        } else {
            FAULT
        }
    }
}

impl Drop for Unicorn {
    fn drop(&mut self) {
        // SAFETY: the invariant above; nothing uses the engine afterwards.
        unsafe { (self.functions.close)(self.engine) };
    }
}
