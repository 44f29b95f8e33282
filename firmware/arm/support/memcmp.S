#include "core.h"

function memcmp
    mov ip, r0
    mov r0, #0
1:
    subs r2, r2, #1
    movlo pc, lr
    ldrb r3, [ip], #1
    ldrb r0, [r1], #1
    subs r0, r3, r0
    beq 1b
    mov pc, lr
end_function memcmp
