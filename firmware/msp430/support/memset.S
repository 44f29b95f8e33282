/* r14 bytes of r13 at r12, whose value is the result. */
#include "core.h"

function memset
    mov r12, r15
    tst r14
    jz .Ldone
.Lbytes:
    mov.b r13, 0(r15)
    inc r15
    dec r14
    jnz .Lbytes
.Ldone:
    ret
end_function memset
