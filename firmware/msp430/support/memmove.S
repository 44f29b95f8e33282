/* r14 bytes from r13 to r12, which may overlap; the result is r12. */
#include "core.h"

function memmove
    mov r12, r15
    tst r14
    jz .Ldone
    cmp r12, r13
    jlo .Lfrom_end
.Lforwards:
    copy_byte
    inc r15
    dec r14
    jnz .Lforwards
    ret
.Lfrom_end:
    add r14, r13
    add r14, r15
.Lbackwards:
    dec r13
    dec r15
    mov.b @r13, 0(r15)
    dec r14
    jnz .Lbackwards
.Ldone:
    ret
end_function memmove
