/* r13:r12 shifted right with its sign by r14 places. */
#include "core.h"

function __mspabi_sral
    and #63, r14
    cmp #16, r14
    jlo .Lrest
    mov r13, r12
    bit #0x8000, r13
    subc r13, r13
    inv r13
    sub #16, r14
.Lrest:
    tst r14
    jz .Ldone
.Lstep:
    rra r13
    rrc r12
    dec r14
    jnz .Lstep
.Ldone:
    ret
end_function __mspabi_sral
