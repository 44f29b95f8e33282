/* r13:r12 by r15:r14: quotient in r13:r12, remainder in r15:r14. */
#include "core.h"

function __mspabi_divul
also steelyard_udivmod32
    push r10
    push r9
    clr r10
    clr r11
    mov #32, r9
.Lstep:
    rla r12
    rlc r13
    rlc r10
    rlc r11
    /* The remainder may have 33 bits for a moment. */
    jc .Ltake
    cmp r15, r11
    jlo .Lnext
    jne .Ltake
    cmp r14, r10
    jlo .Lnext
.Ltake:
    sub r14, r10
    subc r15, r11
    inc r12
.Lnext:
    dec r9
    jnz .Lstep
    mov r10, r14
    mov r11, r15
    pop r9
    pop r10
    ret
end_function __mspabi_divul
