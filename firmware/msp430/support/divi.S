/* r12 by r13 with sign, towards zero; the quotient. */
#include "core.h"

function __mspabi_divi
    push r10
    mov r12, r10
    xor r13, r10
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
    tst r10
    jge .Ldone
    inv r12
    inc r12
.Ldone:
    pop r10
    ret
end_function __mspabi_divi
