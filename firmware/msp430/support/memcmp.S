/* The difference of the first bytes that differ among r14 at r12 and r13. */
#include "core.h"

function memcmp
    tst r14
    jz .Lequal
.Lbytes:
    mov.b @r12+, r15
    mov.b @r13+, r11
    sub r11, r15
    jnz .Ldone
    dec r14
    jnz .Lbytes
.Lequal:
    clr r15
.Ldone:
    mov r15, r12
    ret
end_function memcmp
