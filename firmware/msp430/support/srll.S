/* r13:r12 shifted right by r14 places. */
#include "core.h"

function __mspabi_srll
    and #63, r14
    cmp #16, r14
    jlo .Lrest
    mov r13, r12
    clr r13
    sub #16, r14
.Lrest:
    tst r14
    jz .Ldone
.Lstep:
    clrc
    rrc r13
    rrc r12
    dec r14
    jnz .Lstep
.Ldone:
    ret
end_function __mspabi_srll
