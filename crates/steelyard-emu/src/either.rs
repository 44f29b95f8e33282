//! One observer for the two that take every detail, since the loops of all families are compiled for each observer.

use crate::detail::Detail;
use crate::divergence::Tracer;
use crate::observe::{Cause, Observer};
use crate::processor::Executed;

/// A profile by call path, or a trace.
pub enum Either<'a> {
    Detail(Detail<'a>),
    Tracer(Tracer),
}

impl Observer for Either<'_> {
    const DETAILS: bool = true;

    #[inline(always)]
    fn ends(&mut self, pc: u32, stack_pointer: u32, executed: impl FnOnce() -> Option<Executed>) {
        if let Either::Detail(detail) = self {
            detail.ends(pc, stack_pointer, executed);
        }
    }

    #[inline(always)]
    fn retired(&mut self, pc: u32, cycles: u32) {
        match self {
            Either::Detail(detail) => detail.retired(pc, cycles),
            Either::Tracer(tracer) => tracer.retired(pc, cycles),
        }
    }

    #[inline(always)]
    fn skipped(&mut self, pc: u32) {
        if let Either::Detail(detail) = self {
            detail.skipped(pc);
        }
    }

    #[inline(always)]
    fn taken(&mut self, pc: u32) {
        if let Either::Detail(detail) = self {
            detail.taken(pc);
        }
    }

    #[inline(always)]
    fn stalled(&mut self, pc: u32, cause: Cause, cycles: u32) {
        if let Either::Detail(detail) = self {
            detail.stalled(pc, cause, cycles);
        }
    }

    #[inline(always)]
    fn accessed(&mut self, pc: u32, address: u32, size_bytes: u32, store: bool) {
        match self {
            Either::Detail(detail) => detail.accessed(pc, address, size_bytes, store),
            Either::Tracer(tracer) => tracer.accessed(pc, address, size_bytes, store),
        }
    }

    #[inline(always)]
    fn stack(&mut self, stack_pointer: u32) {
        if let Either::Detail(detail) = self {
            detail.stack(stack_pointer);
        }
    }
}
