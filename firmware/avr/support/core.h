/* What the routines here share. Registers by the AVR C ABI: arguments from r25 down, the first byte
 * of a value in the lower register; r18..r27, r30, r31, r0 and T are free for a callee, r1 is zero
 * at every call and return. */
#ifndef STEELYARD_AVR_CORE_H
#define STEELYARD_AVR_CORE_H

.macro function name
    .section .text.\name, "ax", @progbits
    .global \name
    .type \name, @function
\name:
.endm

.macro end_function name
    .size \name, . - \name
.endm

/* Cores of at most 8 KiB of flash have the relative call only, and reach all of it. */
.macro call_function name
#ifdef __AVR_HAVE_JMP_CALL__
    call \name
#else
    rcall \name
#endif
.endm

/* Copies a register pair; movw is missing from the oldest cores. */
.macro move_pair to_high, to_low, from_high, from_low
#ifdef __AVR_HAVE_MOVW__
    movw \to_low, \from_low
#else
    mov \to_low, \from_low
    mov \to_high, \from_high
#endif
.endm

#endif
