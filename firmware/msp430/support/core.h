/* What the runtime routines have in common. They follow the MSP430 EABI (SLAA534): arguments and result from r12 on,
   r4 to r10 are the caller's. The names are those of its section 6.3, as GCC and LLVM call them. */

.macro function name
    .section .text.\name, "ax", @progbits
    .global \name
    .type \name, @function
    .balign 2
\name:
.endm

/* One more name of the routine that begins here. */
.macro also name
    .global \name
    .type \name, @function
\name:
.endm

.macro end_function name
    .size \name, . - \name
.endm

/* `mov @r13+, 0(r15)` of a word and of a byte, which LLVM's assembler does not know. */
.macro copy_word
    .word 0x4dbf, 0
.endm

.macro copy_byte
    .word 0x4dff, 0
.endm

/* Registers of the hardware multiplier; where it is the chip's data say (SLAU049F, 7.3). */
#define MPY    (HWMULT_ADDRESS + 0x00)
#define MPYS   (HWMULT_ADDRESS + 0x02)
#define MAC    (HWMULT_ADDRESS + 0x04)
#define OP2    (HWMULT_ADDRESS + 0x08)
#define RESLO  (HWMULT_ADDRESS + 0x0a)
#define RESHI  (HWMULT_ADDRESS + 0x0c)
#define SUMEXT (HWMULT_ADDRESS + 0x0e)
