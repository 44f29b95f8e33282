/* What the routines here share. By the ABI of RL78 GCC arguments lie on the stack, the first at [sp+4] behind the
   return address; ax, bc, de and hl are free for a callee, a result of 16 bits is in r8, a place in memory. */
#ifndef STEELYARD_RL78_CORE_H
#define STEELYARD_RL78_CORE_H

#ifdef __RL78_G10__
r8 = 0xffec8
#else
r8 = 0xffef0
#endif

.macro function name
    .section .text.\name, "ax", @progbits
    .global _\name
    .type _\name, @function
_\name:
.endm

.macro end_function name
    .size _\name, . - _\name
.endm

/* Counts in bc what is to be done so often, as two counters of 8 bits: c of the round under way, b of the rounds. A
   loop then ends with `loop_back`; with nothing to do it is left for `none`. */
.macro loop_count none
    movw bc, ax
    or a, x
    bz $\none
    cmp0 c
    skz
    inc b
.endm

.macro loop_back start
    dec c
    bnz $\start
    dec b
    bnz $\start
.endm

#endif
