//! Values that emit code which computes them later.
//!
//! What instructions do stays written once, over the traits of [`crate::value`]; with these values it becomes code of
//! the host computer.

use crate::value::{Half, Truth, Value};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, types, InstBuilder};
use cranelift_frontend::FunctionBuilder;
use std::cell::RefCell;
use std::fmt;

/// Code under way.
pub type Code<'f> = RefCell<FunctionBuilder<'f>>;

/// A number: known already, or computed by the code.
#[derive(Clone, Copy)]
pub enum Emitted<'a, 'f, T> {
    Known(T),
    Later(&'a Code<'f>, ir::Value),
}

/// Whether something holds: known already, or computed by the code as 0 or 1 in eight bits.
#[derive(Clone, Copy)]
pub enum EmittedTruth<'a, 'f> {
    Known(bool),
    Later(&'a Code<'f>, ir::Value),
}

impl<T: fmt::Debug> fmt::Debug for Emitted<'_, '_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Emitted::Known(plain) => write!(formatter, "{plain:?}"),
            Emitted::Later(_, value) => write!(formatter, "{value}"),
        }
    }
}

impl<'a, 'f> EmittedTruth<'a, 'f> {
    /// Returns the value in the code.
    pub fn value(self, code: &'a Code<'f>) -> ir::Value {
        match self {
            EmittedTruth::Known(holds) => code.borrow_mut().ins().iconst(types::I8, i64::from(holds)),
            EmittedTruth::Later(_, value) => value,
        }
    }

    fn combined(
        self,
        other: Self,
        known: fn(bool, bool) -> bool,
        later: fn(&mut FunctionBuilder<'f>, ir::Value, ir::Value) -> ir::Value,
    ) -> Self {
        let code = match (self, other) {
            (EmittedTruth::Known(x), EmittedTruth::Known(y)) => return EmittedTruth::Known(known(x, y)),
            (EmittedTruth::Later(code, _), _) | (_, EmittedTruth::Later(code, _)) => code,
        };
        let (x, y) = (self.value(code), other.value(code));
        EmittedTruth::Later(code, later(&mut code.borrow_mut(), x, y))
    }
}

impl Truth for EmittedTruth<'_, '_> {
    fn and(self, other: Self) -> Self {
        self.combined(other, |x, y| x & y, |code, x, y| code.ins().band(x, y))
    }
    fn or(self, other: Self) -> Self {
        self.combined(other, |x, y| x | y, |code, x, y| code.ins().bor(x, y))
    }
    fn xor(self, other: Self) -> Self {
        self.combined(other, |x, y| x ^ y, |code, x, y| code.ins().bxor(x, y))
    }
    fn not(self) -> Self {
        self.xor(EmittedTruth::Known(true))
    }
}

macro_rules! emitted {
    ($($unsigned:ident $type:ident),*) => {$(
        impl<'a, 'f> Emitted<'a, 'f, $unsigned> {
            /// Returns the value in the code.
            pub fn value(self, code: &'a Code<'f>) -> ir::Value {
                match self {
                    Emitted::Known(plain) => code.borrow_mut().ins().iconst(types::$type, plain as i64),
                    Emitted::Later(_, value) => value,
                }
            }

            /// Returns the code in which either is computed, `None` if both are known.
            fn code(self, other: Self) -> Option<&'a Code<'f>> {
                match (self, other) {
                    (Emitted::Later(code, _), _) | (_, Emitted::Later(code, _)) => Some(code),
                    _ => None,
                }
            }

            fn combined(
                self,
                other: Self,
                known: fn($unsigned, $unsigned) -> $unsigned,
                later: fn(&mut FunctionBuilder<'f>, ir::Value, ir::Value) -> ir::Value,
            ) -> Self {
                if let (Emitted::Known(x), Emitted::Known(y)) = (self, other) {
                    return Emitted::Known(known(x, y));
                }
                let Some(code) = self.code(other) else { return self };
                let (x, y) = (self.value(code), other.value(code));
                Emitted::Later(code, later(&mut code.borrow_mut(), x, y))
            }

            fn compared(self, other: Self, how: IntCC, known: fn($unsigned, $unsigned) -> bool) -> EmittedTruth<'a, 'f> {
                if let (Emitted::Known(x), Emitted::Known(y)) = (self, other) {
                    return EmittedTruth::Known(known(x, y));
                }
                let Some(code) = self.code(other) else { return EmittedTruth::Known(false) };
                let (x, y) = (self.value(code), other.value(code));
                let holds = code.borrow_mut().ins().icmp(how, x, y);
                EmittedTruth::Later(code, holds)
            }
        }

        impl<'a, 'f> Value for Emitted<'a, 'f, $unsigned> {
            type Plain = $unsigned;
            type Truth = EmittedTruth<'a, 'f>;

            fn of(plain: $unsigned) -> Self {
                Emitted::Known(plain)
            }
            fn add(self, other: Self) -> Self {
                self.combined(other, Value::add, |code, x, y| code.ins().iadd(x, y))
            }
            fn sub(self, other: Self) -> Self {
                self.combined(other, Value::sub, |code, x, y| code.ins().isub(x, y))
            }
            fn mul(self, other: Self) -> Self {
                self.combined(other, Value::mul, |code, x, y| code.ins().imul(x, y))
            }
            fn and(self, other: Self) -> Self {
                self.combined(other, Value::and, |code, x, y| code.ins().band(x, y))
            }
            fn or(self, other: Self) -> Self {
                self.combined(other, Value::or, |code, x, y| code.ins().bor(x, y))
            }
            fn xor(self, other: Self) -> Self {
                self.combined(other, Value::xor, |code, x, y| code.ins().bxor(x, y))
            }
            fn not(self) -> Self {
                self.xor(Emitted::Known($unsigned::MAX))
            }
            fn shl(self, amount: Self) -> Self {
                self.combined(amount, Value::shl, |code, x, y| code.ins().ishl(x, y))
            }
            fn shr(self, amount: Self) -> Self {
                self.combined(amount, Value::shr, |code, x, y| code.ins().ushr(x, y))
            }
            fn sar(self, amount: Self) -> Self {
                self.combined(amount, Value::sar, |code, x, y| code.ins().sshr(x, y))
            }
            // The host's divisions refuse a divisor of 0 and a quotient that does not fit: they get another divisor.
            fn quotient(self, divisor: Self) -> Self {
                let by_zero = divisor.equals(Emitted::Known(0));
                let divisor = Self::chosen(by_zero, Emitted::Known(1), divisor);
                let quotient = self.combined(divisor, Value::quotient, |code, x, y| code.ins().udiv(x, y));
                Self::chosen(by_zero, Emitted::Known($unsigned::MAX), quotient)
            }
            fn remainder(self, divisor: Self) -> Self {
                let by_zero = divisor.equals(Emitted::Known(0));
                let divisor = Self::chosen(by_zero, Emitted::Known(1), divisor);
                let remainder = self.combined(divisor, Value::remainder, |code, x, y| code.ins().urem(x, y));
                Self::chosen(by_zero, self, remainder)
            }
            fn quotient_signed(self, divisor: Self) -> Self {
                let by_zero = divisor.equals(Emitted::Known(0));
                let negates = divisor.equals(Emitted::Known($unsigned::MAX));
                let divisor = Self::chosen(by_zero.or(negates), Emitted::Known(1), divisor);
                let quotient = self.combined(divisor, Value::quotient_signed, |code, x, y| code.ins().sdiv(x, y));
                let quotient = Self::chosen(negates, Emitted::Known(0).sub(self), quotient);
                Self::chosen(by_zero, Emitted::Known($unsigned::MAX), quotient)
            }
            fn remainder_signed(self, divisor: Self) -> Self {
                let by_zero = divisor.equals(Emitted::Known(0));
                let negates = divisor.equals(Emitted::Known($unsigned::MAX));
                let divisor = Self::chosen(by_zero.or(negates), Emitted::Known(1), divisor);
                let remainder = self.combined(divisor, Value::remainder_signed, |code, x, y| code.ins().srem(x, y));
                Self::chosen(by_zero, self, remainder)
            }
            fn leading_zeros(self) -> Self {
                match self {
                    Emitted::Known(plain) => Emitted::Known(Value::leading_zeros(plain)),
                    Emitted::Later(code, value) => Emitted::Later(code, code.borrow_mut().ins().clz(value)),
                }
            }
            fn swapped(self) -> Self {
                match self {
                    Emitted::Known(plain) => Emitted::Known(plain.swapped()),
                    // The host's instruction has no form for one byte.
                    Emitted::Later(..) if types::$type == types::I8 => self,
                    Emitted::Later(code, value) => Emitted::Later(code, code.borrow_mut().ins().bswap(value)),
                }
            }
            fn sign_extended(self, bits: u32) -> Self {
                let above = Emitted::Known(($unsigned::BITS - bits) as $unsigned);
                self.shl(above).sar(above)
            }
            fn equals(self, other: Self) -> Self::Truth {
                self.compared(other, IntCC::Equal, |x, y| x == y)
            }
            fn below(self, other: Self) -> Self::Truth {
                self.compared(other, IntCC::UnsignedLessThan, |x, y| x < y)
            }
            fn less(self, other: Self) -> Self::Truth {
                self.compared(other, IntCC::SignedLessThan, |x, y| x.less(y))
            }
            fn chosen(truth: Self::Truth, if_true: Self, if_false: Self) -> Self {
                match truth {
                    EmittedTruth::Known(holds) => if holds { if_true } else { if_false },
                    EmittedTruth::Later(code, truth) => {
                        let (x, y) = (if_true.value(code), if_false.value(code));
                        Emitted::Later(code, code.borrow_mut().ins().select(truth, x, y))
                    }
                }
            }
            fn from_truth(truth: Self::Truth) -> Self {
                match truth {
                    EmittedTruth::Known(holds) => Emitted::Known($unsigned::from(holds)),
                    EmittedTruth::Later(code, truth) if types::$type == types::I8 => Emitted::Later(code, truth),
                    EmittedTruth::Later(code, truth) => {
                        Emitted::Later(code, code.borrow_mut().ins().uextend(types::$type, truth))
                    }
                }
            }
        }
    )*};
}

emitted!(u8 I8, u16 I16, u32 I32, u64 I64);

macro_rules! halves {
    ($($half:ident $half_type:ident $wide:ident $wide_type:ident),*) => {$(
        impl<'a, 'f> Half for Emitted<'a, 'f, $half> {
            type Wide = Emitted<'a, 'f, $wide>;

            fn wide(self) -> Self::Wide {
                match self {
                    Emitted::Known(plain) => Emitted::Known(plain.wide()),
                    Emitted::Later(code, value) => {
                        Emitted::Later(code, code.borrow_mut().ins().uextend(types::$wide_type, value))
                    }
                }
            }
            fn wide_signed(self) -> Self::Wide {
                match self {
                    Emitted::Known(plain) => Emitted::Known(plain.wide_signed()),
                    Emitted::Later(code, value) => {
                        Emitted::Later(code, code.borrow_mut().ins().sextend(types::$wide_type, value))
                    }
                }
            }
            fn low_half(wide: Self::Wide) -> Self {
                match wide {
                    Emitted::Known(plain) => Emitted::Known($half::low_half(plain)),
                    Emitted::Later(code, value) => {
                        Emitted::Later(code, code.borrow_mut().ins().ireduce(types::$half_type, value))
                    }
                }
            }
            fn high_half(wide: Self::Wide) -> Self {
                Self::low_half(wide.shr(Emitted::Known($half::BITS as $wide)))
            }
            fn joined(high: Self, low: Self) -> Self::Wide {
                high.wide().shl(Emitted::Known($half::BITS as $wide)).or(low.wide())
            }
        }
    )*};
}

halves!(u8 I8 u16 I16, u16 I16 u32 I32, u32 I32 u64 I64);
