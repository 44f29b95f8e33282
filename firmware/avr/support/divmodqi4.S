/* r24 = r24 / r22, r25 = r24 % r22, signed, towards zero. */
#include "core.h"

function __divmodqi4
    bst r24, 7
    mov r0, r24
    eor r0, r22
    sbrc r24, 7
    neg r24
    sbrc r22, 7
    neg r22
    call_function __udivmodqi4
    sbrc r0, 7
    neg r24
    brtc 1f
    neg r25
1:
    ret
end_function __divmodqi4
