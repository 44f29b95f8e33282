#include "core.h"

/* As __aeabi_llsl, the other way. */
function __aeabi_llsr
    mov ip, r1
    movs r3, r1
    lsrs r1, r2
    lsrs r0, r2
    subs r2, r2, #32
    lsrs r3, r2
    orrs r0, r3
    mov r3, ip
    rsbs r2, r2, #0
    lsls r3, r2
    orrs r0, r3
    bx lr
end_function __aeabi_llsr
