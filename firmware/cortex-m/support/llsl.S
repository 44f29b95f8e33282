#include "core.h"

/* A shift by a register of 32 or more gives 0, so that both ways of the low word into the high one may be taken. */
function __aeabi_llsl
    mov ip, r0
    movs r3, r0
    lsls r0, r2
    lsls r1, r2
    subs r2, r2, #32
    lsls r3, r2
    orrs r1, r3
    mov r3, ip
    rsbs r2, r2, #0
    lsrs r3, r2
    orrs r1, r3
    bx lr
end_function __aeabi_llsl
