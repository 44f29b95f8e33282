//! Programs run to their end while other Python threads run.

use crate::files;
use pyo3::create_exception;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use steelyard_programs::{can_confine as confines, end_all, run, Failure, Limits, Places, Program};

create_exception!(steelyard._native, ConfinementError, PyOSError, "The kernel does not confine a program.");

#[pyfunction]
#[pyo3(signature = (command, folder, environment, places, *, memory_bytes, file_bytes, cpu_s, wall_s))]
#[allow(clippy::too_many_arguments)]
pub fn run_program<'py>(
    py: Python<'py>,
    command: Vec<OsString>,
    folder: PathBuf,
    environment: Vec<(OsString, OsString)>,
    places: Option<(Vec<PathBuf>, Vec<PathBuf>)>,
    memory_bytes: u64,
    file_bytes: u64,
    cpu_s: u64,
    wall_s: f64,
) -> PyResult<(i32, Bound<'py, PyBytes>, Bound<'py, PyBytes>, bool)> {
    let places = places.map(|(readable, writable)| Places { readable, writable });
    let limits = Limits { memory_bytes, file_bytes, cpu_s, wall: Duration::from_secs_f64(wall_s) };
    let mut raised = None;
    let ended = py.detach(|| {
        let program =
            Program { command: &command, folder: &folder, environment: &environment, places: places.as_ref(), limits };
        run(&program, || {
            raised = Python::attach(|py| py.check_signals()).err();
            raised.is_some()
        })
    });
    match ended {
        Ok(ended) => {
            Ok((ended.status, PyBytes::new(py, &ended.printed), PyBytes::new(py, &ended.complaints), ended.in_time))
        }
        Err(failure) => Err(raised.unwrap_or_else(|| raise(failure))),
    }
}

fn raise(failure: Failure) -> PyErr {
    match failure {
        Failure::Start(error) => files::raise(error),
        Failure::Confinement(sentence) => ConfinementError::new_err(sentence),
        Failure::Interrupted => PyKeyboardInterrupt::new_err(()),
    }
}

#[pyfunction]
pub fn end_programs(py: Python<'_>) {
    py.detach(end_all);
}

#[pyfunction]
pub fn can_confine(py: Python<'_>) -> PyResult<bool> {
    py.detach(confines).map_err(raise)
}
