/* What the runtime routines have in common. They run on every core from ARMv6-M on: Thumb of sixteen bits. */

    .syntax unified
    .thumb

.macro function name
    .section .text.\name, "ax", %progbits
    .balign 4
also \name
.endm

/* One more name of the routine that begins here. */
.macro also name
    .global \name
    .type \name, %function
    .thumb_func
\name:
.endm

.macro end_function name
    .size \name, . - \name
.endm

/* A pair of registers with the other sign. */
.macro negate low, high
    mvns \low, \low
    mvns \high, \high
    adds \low, \low, #1
    bcc .Lnegated\@
    adds \high, \high, #1
.Lnegated\@:
.endm
