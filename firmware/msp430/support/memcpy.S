/* r14 bytes from r13 to r12, whose value is the result. */
#include "core.h"

function memcpy
    mov r12, r15
    tst r14
    jz .Ldone
    mov r12, r11
    bis r13, r11
    bis r14, r11
    bit #1, r11
    jnz .Lbytes
.Lwords:
    copy_word
    incd r15
    decd r14
    jnz .Lwords
    ret
.Lbytes:
    copy_byte
    inc r15
    dec r14
    jnz .Lbytes
.Ldone:
    ret
end_function memcpy
