#include "core.h"

/* A shift by a register of 32 or more gives 0, so that both ways of the low word into the high one may be taken. */
function __aeabi_llsl
    subs r3, r2, #32
    rsb ip, r2, #32
    movmi r1, r1, lsl r2
    movpl r1, r0, lsl r3
    orrmi r1, r1, r0, lsr ip
    mov r0, r0, lsl r2
    mov pc, lr
end_function __aeabi_llsl
