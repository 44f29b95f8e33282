/* r13:r12 by r15:r14 with sign; the remainder, with the sign of the dividend. */
#include "core.h"

function __mspabi_remli
    push r10
    mov r13, r10
    tst r13
    jge .Lfirst
    inv r12
    inv r13
    inc r12
    adc r13
.Lfirst:
    tst r15
    jge .Lsecond
    inv r14
    inv r15
    inc r14
    adc r15
.Lsecond:
    call #steelyard_udivmod32
    mov r14, r12
    mov r15, r13
    tst r10
    jge .Ldone
    inv r12
    inv r13
    inc r12
    adc r13
.Ldone:
    pop r10
    ret
end_function __mspabi_remli
