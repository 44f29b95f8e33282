/* r12 by r13: quotient in r12, remainder in r14. */
#include "core.h"

function __mspabi_divu
also steelyard_udivmod16
    clr r14
    mov #16, r15
.Lstep:
    rla r12
    rlc r14
    /* The remainder may have 17 bits for a moment. */
    jc .Ltake
    cmp r13, r14
    jlo .Lnext
.Ltake:
    sub r13, r14
    inc r12
.Lnext:
    dec r15
    jnz .Lstep
    ret
end_function __mspabi_divu
