#include "core.h"

function __ctzdi2
    push {r4, lr}
    cmp r0, #0
    beq 1f
    bl __ctzsi2
    pop {r4, pc}
1:
    movs r0, r1
    bl __ctzsi2
    adds r0, r0, #32
    pop {r4, pc}
end_function __ctzdi2
