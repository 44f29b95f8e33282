//! Python's view of an image's lines.

use crate::ElfError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// A function of an address: its name, file, line and column, as far as they are known.
type Frame = (Option<String>, Option<String>, Option<u32>, Option<u32>);

// What was read is kept behind a shared reference, which one thread at a time may do.
#[pyclass(module = "steelyard._native")]
pub struct Lines(Mutex<steelyard_lines::Lines>);

#[pymethods]
impl Lines {
    #[new]
    fn new(image: &[u8]) -> PyResult<Self> {
        Ok(Lines(Mutex::new(steelyard_lines::Lines::new(image).map_err(ElfError::new_err)?)))
    }

    fn frames(&self, address: u64) -> PyResult<Vec<Frame>> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let frames = lines.frames(address).map_err(ElfError::new_err)?;
        Ok(frames.into_iter().map(|frame| (frame.function, frame.file, frame.line, frame.column)).collect())
    }
}
