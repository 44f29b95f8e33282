//! Files of a temporary folder, written and removed in one go while other Python threads run.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

fn write(folder: &Path, files: &[(String, PyBackedBytes)]) -> io::Result<()> {
    let mut made = HashSet::new();
    for (name, content) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            if made.insert(parent.to_owned()) {
                fs::create_dir_all(parent)?;
            }
        }
        fs::write(path, content)?;
    }
    Ok(())
}

/// Returns an `OSError` with number and text, of which Python makes the subclass of that number.
pub fn raise(error: io::Error) -> PyErr {
    let text = error.to_string();
    let reason = text.split(" (os error").next().unwrap_or_default().to_owned();
    PyOSError::new_err((error.raw_os_error().unwrap_or_default(), reason))
}

#[pyfunction]
pub fn write_files(py: Python<'_>, folder: PathBuf, files: Vec<(String, PyBackedBytes)>) -> PyResult<()> {
    py.detach(|| write(&folder, &files)).map_err(raise)
}

#[pyfunction]
pub fn remove_folder(py: Python<'_>, folder: PathBuf) -> PyResult<()> {
    py.detach(|| fs::remove_dir_all(folder)).map_err(raise)
}
