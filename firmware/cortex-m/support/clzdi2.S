#include "core.h"

function __clzdi2
    push {r4, lr}
    cmp r1, #0
    bne 1f
    bl __clzsi2
    adds r0, r0, #32
    pop {r4, pc}
1:
    movs r0, r1
    bl __clzsi2
    pop {r4, pc}
end_function __clzdi2
