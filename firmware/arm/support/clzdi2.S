#include "core.h"

function __clzdi2
    cmp r1, #0
    movne r0, r1
    bne __clzsi2
    str lr, [sp, #-8]!
    bl __clzsi2
    add r0, r0, #32
    ldr lr, [sp], #8
    mov pc, lr
end_function __clzdi2
