/* r12 by r13 with sign; the remainder, with the sign of the dividend. */
#include "core.h"

function __mspabi_remi
    push r10
    mov r12, r10
    tst r12
    jge .Lfirst
    inv r12
    inc r12
.Lfirst:
    tst r13
    jge .Lsecond
    inv r13
    inc r13
.Lsecond:
    call #steelyard_udivmod16
    mov r14, r12
    tst r10
    jge .Ldone
    inv r12
    inc r12
.Ldone:
    pop r10
    ret
end_function __mspabi_remi
