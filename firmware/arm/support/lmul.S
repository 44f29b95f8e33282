#include "core.h"

function __aeabi_lmul
    mul ip, r0, r3
    mla ip, r1, r2, ip
    umull r3, r1, r0, r2
    add r1, r1, ip
    mov r0, r3
    mov pc, lr
end_function __aeabi_lmul
