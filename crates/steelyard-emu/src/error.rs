//! Errors before a program runs.

use std::fmt;

/// A refusal in one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The machine cannot run this image.
    Elf(String),
    /// The machine was described or used wrongly.
    Machine(String),
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Elf(sentence) | Error::Machine(sentence) => formatter.write_str(sentence),
        }
    }
}

impl std::error::Error for Error {}

/// Shorthand for [`Error::Machine`].
pub(crate) fn refuse<T>(sentence: impl Into<String>) -> Result<T, Error> {
    Err(Error::Machine(sentence.into()))
}
