/* What the runtime routines have in common. RV32E has the registers up to a5 alone. */

.macro function name
    .section .text.\name, "ax", %progbits
    .global \name
    .type \name, %function
    .balign 4
\name:
.endm

.macro end_function name
    .size \name, . - \name
.endm
