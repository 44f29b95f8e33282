#include "core.h"

function __popcountdi2
    stmfd sp!, {r1, lr}
    bl __popcountsi2
    ldr r3, [sp]
    str r0, [sp]
    mov r0, r3
    bl __popcountsi2
    ldmfd sp!, {r1, lr}
    add r0, r0, r1
    mov pc, lr
end_function __popcountdi2
