#include "core.h"

function __popcountdi2
    push {r4, r5, r6, lr}
    movs r4, r1
    bl __popcountsi2
    movs r5, r0
    movs r0, r4
    bl __popcountsi2
    adds r0, r0, r5
    pop {r4, r5, r6, pc}
end_function __popcountdi2
