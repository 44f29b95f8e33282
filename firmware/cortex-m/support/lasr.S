#include "core.h"

/* A sign would fill the low word where the other two shifts give 0: hence two ways. */
function __aeabi_lasr
    movs r3, r1
    asrs r1, r2
    cmp r2, #32
    bhs 1f
    lsrs r0, r2
    rsbs r2, r2, #0
    adds r2, r2, #32
    lsls r3, r2
    orrs r0, r3
    bx lr
1:
    subs r2, r2, #32
    asrs r3, r2
    movs r0, r3
    bx lr
end_function __aeabi_lasr
