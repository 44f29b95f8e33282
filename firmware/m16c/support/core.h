/* What the routines here share. By the ABI of M16C GCC the first two arguments of 16 bits are in r1 and r2, the third at
   3[sp] behind the return address, longer ones there as well; a result of 16 bits is in r0, a longer one in mem0; all
   registers but fb are free for a callee. */
#ifndef STEELYARD_M16C_CORE_H
#define STEELYARD_M16C_CORE_H

.macro function name
    .section .text.\name, "ax", @progbits
    .global _\name
    .type _\name, @function
_\name:
.endm

.macro end_function name
    .size _\name, . - _\name
.endm

#endif
