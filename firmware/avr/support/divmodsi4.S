/* r21:18 = r25:22 / r21:18, r25:22 = r25:22 % r21:18, signed, towards zero. */
#include "core.h"

.macro negate byte3, byte2, byte1, byte0
    com \byte3
    com \byte2
    com \byte1
    neg \byte0
    sbci \byte1, 0xff
    sbci \byte2, 0xff
    sbci \byte3, 0xff
.endm

function __divmodsi4
    bst r25, 7
    mov r0, r25
    eor r0, r21
    push r0
    brtc 1f
    negate r25, r24, r23, r22
1:
    tst r21
    brpl 2f
    negate r21, r20, r19, r18
2:
    call_function __udivmodsi4
    pop r0
    tst r0
    brpl 3f
    negate r21, r20, r19, r18
3:
    brtc 4f
    negate r25, r24, r23, r22
4:
    ret
end_function __divmodsi4
