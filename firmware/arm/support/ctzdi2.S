#include "core.h"

function __ctzdi2
    cmp r0, #0
    bne __ctzsi2
    mov r0, r1
    str lr, [sp, #-8]!
    bl __ctzsi2
    add r0, r0, #32
    ldr lr, [sp], #8
    mov pc, lr
end_function __ctzdi2
