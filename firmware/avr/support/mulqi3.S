/* r24 = r24 * r22, 8 bits. */
#include "core.h"

function __mulqi3
#ifdef __AVR_HAVE_MUL__
    mul r24, r22
    mov r24, r0
    clr r1
#else
    clr r0
1:
    sbrc r24, 0
    add r0, r22
    lsl r22
    lsr r24
    brne 1b
    mov r24, r0
#endif
    ret
end_function __mulqi3
