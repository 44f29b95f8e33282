/* What the runtime routines have in common. They run on every core from ARMv4 on: a return is `mov pc, lr`. */

    .syntax unified
    .arm

.macro function name
    .section .text.\name, "ax", %progbits
    .global \name
    .type \name, %function
    .balign 4
\name:
.endm

/* One more name of the routine that begins here. */
.macro also name
    .global \name
    .type \name, %function
\name:
.endm

.macro end_function name
    .size \name, . - \name
.endm
