/* r13:r12 shifted left by r14 places. */
#include "core.h"

function __mspabi_slll
    and #63, r14
    cmp #16, r14
    jlo .Lrest
    mov r12, r13
    clr r12
    sub #16, r14
.Lrest:
    tst r14
    jz .Ldone
.Lstep:
    rla r12
    rlc r13
    dec r14
    jnz .Lstep
.Ldone:
    ret
end_function __mspabi_slll
