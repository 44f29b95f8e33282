//! Runs of operations that are executed in one step.
//!
//! What each run executes stands once more in [`super::run`], where the loop is compiled for it.

/// Number of operations in the longest run.
pub const LONGEST_RUN: usize = 4;

// The runs are those that compiled primitives execute most, longest first; dispatch costs more than most instructions do.
// All but the last instruction of a run take one word and continue with the next word.
/// Declares the operations of the rows, in their order, and the runs among them.
macro_rules! operations {
    ($($op:ident)*) => {
        super::runs::with_runs! {
            operations { $($op)* }
            runs {
                AddAdcAddAdc Add Adc Add Adc;
                AddAdcAdcAdc Add Adc Adc Adc;
                AddAdcLdXStdZ Add Adc LdX StdZ;
                AddAdcLddZAdd Add Adc LddZ Add;
                AdiwCpCpcBrbs Adiw Cp Cpc Brbs;
                SbcAndiEorStdZ Sbc Andi Eor StdZ;
                OrOrLsrRor Or Or Lsr Ror;
                EorAddAddAdd Eor Add Add Add;
                EorEorEorEor Eor Eor Eor Eor;
                EorEorEorStX Eor Eor Eor StX;
                EorEorMovAdd Eor Eor Mov Add;
                EorLsrLsrLsr Eor Lsr Lsr Lsr;
                IncMovwMovEor Inc Movw Mov Eor;
                DecCpiMovwBrbc Dec Cpi Movw Brbc;
                MovEorAddAdc Mov Eor Add Adc;
                MovEorSubiSbci Mov Eor Subi Sbci;
                MovEorMovAdd Mov Eor Mov Add;
                MovEorMovEor Mov Eor Mov Eor;
                MovwAddAdcMovw Movw Add Adc Movw;
                MovwOrOrCpi Movw Or Or Cpi;
                MovwCpCpcBrbs Movw Cp Cpc Brbs;
                MovwMovSwapAndi Movw Mov Swap Andi;
                MovwLdZIncEorStXInc Movw LdZInc Eor StXInc;
                MovwLdZIncMovwLdXInc Movw LdZInc Movw LdXInc;
                LdiSubiSbciLpmZ Ldi Subi Sbci LpmZ;
                LsrRorRorRor Lsr Ror Ror Ror;
                RorRorRorRor Ror Ror Ror Ror;
                MulAddAdcEor Mul Add Adc Eor;
                LdXMovwLdZIncEor LdX Movw LdZInc Eor;
                LddYLddYLddYLddY LddY LddY LddY LddY;
                LddZAdiwLdXSbiw LddZ Adiw LdX Sbiw;
                LddZLddZLddZLddZ LddZ LddZ LddZ LddZ;
                StXIncCpCpcBrbc StXInc Cp Cpc Brbc;
                StdYStdYLddYLdi StdY StdY LddY Ldi;
                StdYStdYStdYStdY StdY StdY StdY StdY;
                LpmZLddYStdYLddY LpmZ LddY StdY LddY;
                AddSbcAndi Add Sbc Andi;
                AdiwLdXSbiw Adiw LdX Sbiw;
                SubSbcSbc Sub Sbc Sbc;
                SubMovAndi Sub Mov Andi;
                SubiSbciLpmZ Subi Sbci LpmZ;
                SbcAndiAdd Sbc Andi Add;
                SbcAndiEor Sbc Andi Eor;
                SbcMovAndi Sbc Mov Andi;
                SbciLpmZStdY Sbci LpmZ StdY;
                OrOrDec Or Or Dec;
                EorEorEor Eor Eor Eor;
                EorMovAdd Eor Mov Add;
                EorMovwLddZ Eor Movw LddZ;
                EorMovwStZInc Eor Movw StZInc;
                EorLsrLsr Eor Lsr Lsr;
                IncLdiCpi Inc Ldi Cpi;
                CpCpcBrbs Cp Cpc Brbs;
                CpCpcBrbc Cp Cpc Brbc;
                CpiMovwBrbc Cpi Movw Brbc;
                MovEorStdZ Mov Eor StdZ;
                MovMovMov Mov Mov Mov;
                MovSwapAndi Mov Swap Andi;
                MovwAdiwAdiw Movw Adiw Adiw;
                MovwSbiwLdX Movw Sbiw LdX;
                MovwAndiAndi Movw Andi Andi;
                MovwEorEor Movw Eor Eor;
                MovwMovEor Movw Mov Eor;
                MovwMovwLdXInc Movw Movw LdXInc;
                MovwLsrRor Movw Lsr Ror;
                MovwLdYIncMovw Movw LdYInc Movw;
                MovwLdZIncEor Movw LdZInc Eor;
                MovwStXAdd Movw StX Add;
                MovwStXIncMovw Movw StXInc Movw;
                MovwStdYMovw Movw StdY Movw;
                LdiCpiBrbs Ldi Cpi Brbs;
                SwapAndiEor Swap Andi Eor;
                LsrLsrLsr Lsr Lsr Lsr;
                RorRorRor Ror Ror Ror;
                MulAddMul Mul Add Mul;
                MulMovwMul Mul Movw Mul;
                LdXMovwSbiw LdX Movw Sbiw;
                LdYIncMovwAdd LdYInc Movw Add;
                LddZEorEor LddZ Eor Eor;
                LddZMovEor LddZ Mov Eor;
                LddZLdXEor LddZ LdX Eor;
                LdZIncEorStXInc LdZInc Eor StXInc;
                StdYMovwLdYInc StdY Movw LdYInc;
                StdYLddYLdi StdY LddY Ldi;
                StdZAdiwAdiw StdZ Adiw Adiw;
                StdZStdZStdZ StdZ StdZ StdZ;
                LpmZLddYStdY LpmZ LddY StdY;
                LpmZStdYLddY LpmZ StdY LddY;
                PushPushPush Push Push Push;
                PopPopPop Pop Pop Pop;
                AddAdc Add Adc;
                AdcSubi Adc Subi;
                AdiwAdiw Adiw Adiw;
                SubiSbci Subi Sbci;
                AndAnd And And;
                AndBrbs And Brbs;
                OrOr Or Or;
                EorAdd Eor Add;
                EorEor Eor Eor;
                EorMov Eor Mov;
                EorStZInc Eor StZInc;
                CpCpc Cp Cpc;
                CpiBrbc Cpi Brbc;
                MovAdd Mov Add;
                MovEor Mov Eor;
                MovMov Mov Mov;
                MovwAdiw Movw Adiw;
                MovwMovw Movw Movw;
                MovwBrbs Movw Brbs;
                MovwLdXInc Movw LdXInc;
                MovwLddZ Movw LddZ;
                MovwStdZ Movw StdZ;
                LddYLdi LddY Ldi;
                LddYLddY LddY LddY;
                LddZMovw LddZ Movw;
                LddZLddZ LddZ LddZ;
                StdYLddY StdY LddY;
                StdYStdY StdY StdY;
                StdZStdZ StdZ StdZ;
                LpmZStdY LpmZ StdY;
            }
        }
    };
}

/// Declares operations with runs among them.
macro_rules! with_runs {
    (
        operations { $($op:ident)* }
        runs { $($run:ident $first:ident $($then:ident)+;)* }
    ) => {
        /// What the interpreter executes at an address: an operation, whose number is the index of its row, or a run.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Op {
            $($op,)*
            /// The core has no such instruction.
            Illegal,
            /// The address lies beyond the flash.
            Outside,
            /// Planted end of a run.
            Stop,
            $($run,)*
        }

        impl Op {
            /// Returns the run that operations begin with, or the first of them.
            pub fn with_those_behind(ops: [Op; super::runs::LONGEST_RUN]) -> Op {
                match ops {
                    $([Op::$first, $(Op::$then,)+ ..] => Op::$run,)*
                    [op, ..] => op,
                }
            }
        }

        /// Runs of operations that are executed in one step.
        pub const RUNS: &[&[Op]] = &[$(&[Op::$first, $(Op::$then),+],)*];
    };
}

pub(super) use {operations, with_runs};
