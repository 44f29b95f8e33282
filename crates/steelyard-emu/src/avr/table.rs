//! The instruction table: one row per instruction, from which the decoder is built.
//!
//! Section numbers are those of the AVR Instruction Set Manual, Microchip DS40002198. Mnemonics that the manual
//! gives as other spellings of one encoding (`LSL` is `ADD Rd,Rd`, `BREQ` is `BRBS 1,k`, `LD Rd,Y` is
//! `LDD Rd,Y+0`) have no row of their own.
//!
//! Letters of a pattern: `d` `r` registers (16 and up where the field has three or four bits), `D` `R` register
//! pairs, `w` one of the upper four pairs, `K` immediate, `b` bit of a byte, `s` bit of SREG, `A` I/O address,
//! `q` displacement, `k` signed word offset, `a` absolute word address (its low 16 bits are the second word),
//! `m` no bits: a data address in the second word.

use crate::profile::Class;
use std::sync::OnceLock;

/// Parts of the instruction set that only some cores have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    Base,
    JmpCall,
    Mul,
    Movw,
    Lpmx,
    Elpm,
    Elpmx,
    Spm,
    Break,
}

impl Feature {
    /// Features that a core's data may list; every core has `base`.
    pub const NAMED: [(&'static str, Feature); 8] = [
        ("jmp-call", Feature::JmpCall),
        ("mul", Feature::Mul),
        ("movw", Feature::Movw),
        ("lpmx", Feature::Lpmx),
        ("elpm", Feature::Elpm),
        ("elpmx", Feature::Elpmx),
        ("spm", Feature::Spm),
        ("break", Feature::Break),
    ];
}

/// One instruction of the table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    pub op: Op,
    /// Key of the instruction in the cycle table of a core's data.
    pub name: &'static str,
    /// Bits of the first word, most significant first; blanks only aid reading.
    pub pattern: &'static str,
    /// Section of the manual that describes the instruction.
    pub section: &'static str,
    pub feature: Feature,
    pub class: Class,
}

/// Number of operations in the longest run.
pub const LONGEST_RUN: usize = 4;

/// Passes the instruction set to a macro: the rows, and the runs of instructions that the interpreter executes in one
/// step, longest first. The runs are those that compiled primitives execute most; dispatch costs more than most
/// instructions do. All but the last instruction of a run take one word and continue with the next word.
macro_rules! with_instruction_set {
    ($callback:ident) => {
        $callback! {
            rows {
                Add    "add"      "0000 11rd dddd rrrr" "6.2 ADD"      Base    Alu;
                Adc    "adc"      "0001 11rd dddd rrrr" "6.1 ADC"      Base    Alu;
                Adiw   "adiw"     "1001 0110 KKww KKKK" "6.3 ADIW"     Base    Alu;
                Sub    "sub"      "0001 10rd dddd rrrr" "6.119 SUB"    Base    Alu;
                Subi   "subi"     "0101 KKKK dddd KKKK" "6.120 SUBI"   Base    Alu;
                Sbc    "sbc"      "0000 10rd dddd rrrr" "6.93 SBC"     Base    Alu;
                Sbci   "sbci"     "0100 KKKK dddd KKKK" "6.94 SBCI"    Base    Alu;
                Sbiw   "sbiw"     "1001 0111 KKww KKKK" "6.98 SBIW"    Base    Alu;
                And    "and"      "0010 00rd dddd rrrr" "6.4 AND"      Base    Alu;
                Andi   "andi"     "0111 KKKK dddd KKKK" "6.5 ANDI"     Base    Alu;
                Or     "or"       "0010 10rd dddd rrrr" "6.82 OR"      Base    Alu;
                Ori    "ori"      "0110 KKKK dddd KKKK" "6.83 ORI"     Base    Alu;
                Eor    "eor"      "0010 01rd dddd rrrr" "6.54 EOR"     Base    Alu;
                Com    "com"      "1001 010d dddd 0000" "6.44 COM"     Base    Alu;
                Neg    "neg"      "1001 010d dddd 0001" "6.80 NEG"     Base    Alu;
                Inc    "inc"      "1001 010d dddd 0011" "6.61 INC"     Base    Alu;
                Dec    "dec"      "1001 010d dddd 1010" "6.49 DEC"     Base    Alu;
                Cp     "cp"       "0001 01rd dddd rrrr" "6.45 CP"      Base    Alu;
                Cpc    "cpc"      "0000 01rd dddd rrrr" "6.46 CPC"     Base    Alu;
                Cpi    "cpi"      "0011 KKKK dddd KKKK" "6.47 CPI"     Base    Alu;
                Mov    "mov"      "0010 11rd dddd rrrr" "6.75 MOV"     Base    Alu;
                Movw   "movw"     "0000 0001 DDDD RRRR" "6.76 MOVW"    Movw    Alu;
                Ldi    "ldi"      "1110 KKKK dddd KKKK" "6.69 LDI"     Base    Alu;
                Swap   "swap"     "1001 010d dddd 0010" "6.121 SWAP"   Base    Shift;
                Lsr    "lsr"      "1001 010d dddd 0110" "6.74 LSR"     Base    Shift;
                Ror    "ror"      "1001 010d dddd 0111" "6.92 ROR"     Base    Shift;
                Asr    "asr"      "1001 010d dddd 0101" "6.6 ASR"      Base    Shift;
                Mul    "mul"      "1001 11rd dddd rrrr" "6.77 MUL"     Mul     Multiply;
                Muls   "muls"     "0000 0010 dddd rrrr" "6.78 MULS"    Mul     Multiply;
                Mulsu  "mulsu"    "0000 0011 0ddd 0rrr" "6.79 MULSU"   Mul     Multiply;
                Fmul   "fmul"     "0000 0011 0ddd 1rrr" "6.55 FMUL"    Mul     Multiply;
                Fmuls  "fmuls"    "0000 0011 1ddd 0rrr" "6.56 FMULS"   Mul     Multiply;
                Fmulsu "fmulsu"   "0000 0011 1ddd 1rrr" "6.57 FMULSU"  Mul     Multiply;
                Rjmp   "rjmp"     "1100 kkkk kkkk kkkk" "6.90 RJMP"    Base    Jump;
                Ijmp   "ijmp"     "1001 0100 0000 1001" "6.59 IJMP"    Base    Jump;
                Jmp    "jmp"      "1001 010a aaaa 110a" "6.62 JMP"     JmpCall Jump;
                Rcall  "rcall"    "1101 kkkk kkkk kkkk" "6.87 RCALL"   Base    Call;
                Icall  "icall"    "1001 0101 0000 1001" "6.58 ICALL"   Base    Call;
                Call   "call"     "1001 010a aaaa 111a" "6.32 CALL"    JmpCall Call;
                Ret    "ret"      "1001 0101 0000 1000" "6.88 RET"     Base    Return;
                Reti   "reti"     "1001 0101 0001 1000" "6.89 RETI"    Base    Return;
                Cpse   "cpse"     "0001 00rd dddd rrrr" "6.48 CPSE"    Base    Branch;
                Sbrc   "sbrc"     "1111 110d dddd 0bbb" "6.100 SBRC"   Base    Branch;
                Sbrs   "sbrs"     "1111 111d dddd 0bbb" "6.101 SBRS"   Base    Branch;
                Sbic   "sbic"     "1001 1001 AAAA Abbb" "6.96 SBIC"    Base    Branch;
                Sbis   "sbis"     "1001 1011 AAAA Abbb" "6.97 SBIS"    Base    Branch;
                Brbs   "brbs"     "1111 00kk kkkk ksss" "6.10 BRBS"    Base    Branch;
                Brbc   "brbc"     "1111 01kk kkkk ksss" "6.9 BRBC"     Base    Branch;
                Lds    "lds"      "1001 000d dddd 0000 m" "6.70 LDS"   Base    Load;
                LdX    "ld_x"     "1001 000d dddd 1100" "6.66 LD"      Base    Load;
                LdXInc "ld_x_inc" "1001 000d dddd 1101" "6.66 LD"      Base    Load;
                LdXDec "ld_x_dec" "1001 000d dddd 1110" "6.66 LD"      Base    Load;
                LddY   "ldd_y"    "10q0 qq0d dddd 1qqq" "6.67 LD"      Base    Load;
                LdYInc "ld_y_inc" "1001 000d dddd 1001" "6.67 LD"      Base    Load;
                LdYDec "ld_y_dec" "1001 000d dddd 1010" "6.67 LD"      Base    Load;
                LddZ   "ldd_z"    "10q0 qq0d dddd 0qqq" "6.68 LD"      Base    Load;
                LdZInc "ld_z_inc" "1001 000d dddd 0001" "6.68 LD"      Base    Load;
                LdZDec "ld_z_dec" "1001 000d dddd 0010" "6.68 LD"      Base    Load;
                Sts    "sts"      "1001 001d dddd 0000 m" "6.117 STS"  Base    Store;
                StX    "st_x"     "1001 001d dddd 1100" "6.114 ST"     Base    Store;
                StXInc "st_x_inc" "1001 001d dddd 1101" "6.114 ST"     Base    Store;
                StXDec "st_x_dec" "1001 001d dddd 1110" "6.114 ST"     Base    Store;
                StdY   "std_y"    "10q0 qq1d dddd 1qqq" "6.115 ST"     Base    Store;
                StYInc "st_y_inc" "1001 001d dddd 1001" "6.115 ST"     Base    Store;
                StYDec "st_y_dec" "1001 001d dddd 1010" "6.115 ST"     Base    Store;
                StdZ   "std_z"    "10q0 qq1d dddd 0qqq" "6.116 ST"     Base    Store;
                StZInc "st_z_inc" "1001 001d dddd 0001" "6.116 ST"     Base    Store;
                StZDec "st_z_dec" "1001 001d dddd 0010" "6.116 ST"     Base    Store;
                Lpm    "lpm"      "1001 0101 1100 1000" "6.72 LPM"     Base    LoadProgram;
                LpmZ   "lpm_z"    "1001 000d dddd 0100" "6.72 LPM"     Lpmx    LoadProgram;
                LpmZInc "lpm_z_inc" "1001 000d dddd 0101" "6.72 LPM"   Lpmx    LoadProgram;
                Elpm   "elpm"     "1001 0101 1101 1000" "6.53 ELPM"    Elpm    LoadProgram;
                ElpmZ  "elpm_z"   "1001 000d dddd 0110" "6.53 ELPM"    Elpmx   LoadProgram;
                ElpmZInc "elpm_z_inc" "1001 000d dddd 0111" "6.53 ELPM" Elpmx  LoadProgram;
                Spm    "spm"      "1001 0101 1110 1000" "6.112 SPM"    Spm     Other;
                In     "in"       "1011 0AAd dddd AAAA" "6.60 IN"      Base    Io;
                Out    "out"      "1011 1AAd dddd AAAA" "6.84 OUT"     Base    Io;
                Push   "push"     "1001 001d dddd 1111" "6.86 PUSH"    Base    Stack;
                Pop    "pop"      "1001 000d dddd 1111" "6.85 POP"     Base    Stack;
                Sbi    "sbi"      "1001 1010 AAAA Abbb" "6.95 SBI"     Base    Io;
                Cbi    "cbi"      "1001 1000 AAAA Abbb" "6.33 CBI"     Base    Io;
                Bset   "bset"     "1001 0100 0sss 1000" "6.30 BSET"    Base    Bit;
                Bclr   "bclr"     "1001 0100 1sss 1000" "6.7 BCLR"     Base    Bit;
                Bst    "bst"      "1111 101d dddd 0bbb" "6.31 BST"     Base    Bit;
                Bld    "bld"      "1111 100d dddd 0bbb" "6.8 BLD"      Base    Bit;
                Nop    "nop"      "0000 0000 0000 0000" "6.81 NOP"     Base    Other;
                Sleep  "sleep"    "1001 0101 1000 1000" "6.111 SLEEP"  Base    Other;
                Wdr    "wdr"      "1001 0101 1010 1000" "6.123 WDR"    Base    Other;
                Break  "break"    "1001 0101 1001 1000" "6.13 BREAK"   Break   Other;
            }
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

pub(super) use with_instruction_set;

macro_rules! define_instruction_set {
    (
        rows { $($op:ident $name:literal $pattern:literal $section:literal $feature:ident $class:ident;)* }
        runs { $($run:ident $first:ident $($then:ident)+;)* }
    ) => {
        /// A decoded operation; each one before `Illegal` is the index of its row in [`ROWS`].
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
        }

        /// What the interpreter executes at an address: one operation, or a run of them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Step {
            $($op,)*
            $($run,)*
            /// No operation to execute.
            Nothing,
        }

        impl Step {
            /// Returns the step for an operation and those after it.
            pub fn of(ops: [Op; LONGEST_RUN]) -> Step {
                match ops {
                    $([Op::$first, $(Op::$then,)+ ..] => Step::$run,)*
                    $([Op::$op, ..] => Step::$op,)*
                    [Op::Illegal | Op::Outside | Op::Stop, ..] => Step::Nothing,
                }
            }
        }

        /// Runs of operations that are executed in one step.
        pub const RUNS: &[&[Op]] = &[$(&[Op::$first, $(Op::$then),+],)*];

        /// Every instruction of the classic, enhanced, tiny and AVRxt cores.
        pub const ROWS: &[Row] = &[
            $(Row {
                op: Op::$op,
                name: $name,
                pattern: $pattern,
                section: $section,
                feature: Feature::$feature,
                class: Class::$class,
            },)*
        ];
    };
}

with_instruction_set!(define_instruction_set);

impl Row {
    /// Returns the index of the row in [`ROWS`].
    pub fn index(&self) -> usize {
        self.op as usize
    }

    /// Returns the row of an operation, `None` for one that is no instruction.
    pub fn of(op: Op) -> Option<&'static Row> {
        ROWS.get(op as usize)
    }

    /// Returns mask and value of the fixed bits of the first word.
    pub fn fixed_bits(&self) -> (u16, u16) {
        self.letters().fold((0, 0), |(mask, value), letter| {
            let fixed = letter == '0' || letter == '1';
            (mask << 1 | u16::from(fixed), value << 1 | u16::from(letter == '1'))
        })
    }

    /// Returns the bits of a letter's field gathered from a word, and their number.
    pub fn field(&self, letter: char, word: u16) -> (u16, u32) {
        let mut gathered = 0;
        let mut width = 0;
        for (position, name) in self.letters().enumerate() {
            if name == letter {
                gathered = gathered << 1 | (word >> (15 - position) & 1);
                width += 1;
            }
        }
        (gathered, width)
    }

    /// Returns the length of the instruction in words.
    pub fn words(&self) -> u8 {
        if self.pattern.contains(['a', 'm']) {
            2
        } else {
            1
        }
    }

    fn letters(&self) -> impl Iterator<Item = char> {
        self.pattern.chars().filter(|letter| !letter.is_whitespace()).take(16)
    }
}

/// Returns the row whose pattern the word matches, on any core.
pub fn row_of(word: u16) -> Option<&'static Row> {
    static ROW_BY_WORD: OnceLock<Vec<Option<&'static Row>>> = OnceLock::new();
    ROW_BY_WORD.get_or_init(row_by_word)[usize::from(word)]
}

fn row_by_word() -> Vec<Option<&'static Row>> {
    let mut table = vec![None; 0x1_0000];
    for row in ROWS {
        let (mask, value) = row.fixed_bits();
        // Every choice of the free bits, counted down through the subsets of a mask.
        let free = !mask;
        let mut choice = free;
        loop {
            table[usize::from(value | choice)] = Some(row);
            if choice == 0 {
                break;
            }
            choice = (choice - 1) & free;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_sixteen_bits_and_never_overlap() {
        for row in ROWS {
            assert_eq!(row.letters().count(), 16, "{}", row.name);
        }
        let fixed: Vec<_> = ROWS.iter().map(Row::fixed_bits).collect();
        for word in 0..=u16::MAX {
            let matching = fixed.iter().filter(|(mask, value)| word & mask == *value);
            assert!(matching.count() <= 1, "word {word:04x} matches two rows");
        }
    }

    #[test]
    fn a_row_is_found_by_any_of_its_words() {
        for row in ROWS {
            let (mask, value) = row.fixed_bits();
            assert_eq!(row_of(value).map(|found| found.name), Some(row.name));
            assert_eq!(row_of(value | !mask).map(|found| found.name), Some(row.name));
        }
        assert!(row_of(0xffff).is_none(), "an erased flash word is no instruction");
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = ROWS.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ROWS.len());
    }
}
