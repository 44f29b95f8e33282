/* r23:22 = r25:24 / r23:22, r25:24 = r25:24 % r23:22, signed, towards zero. */
#include "core.h"

.macro negate high, low
    com \high
    neg \low
    sbci \high, 0xff
.endm

function __divmodhi4
    bst r25, 7
    mov r0, r25
    eor r0, r23
    brtc 1f
    negate r25, r24
1:
    tst r23
    brpl 2f
    negate r23, r22
2:
    call_function __udivmodhi4
    tst r0
    brpl 3f
    negate r23, r22
3:
    brtc 4f
    negate r25, r24
4:
    ret
end_function __divmodhi4
