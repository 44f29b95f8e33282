/* r25:24 = r25:24 * r23:22, 16 bits. */
#include "core.h"

function __mulhi3
#ifdef __AVR_HAVE_MUL__
    mul r24, r22
    movw r20, r0
    mul r24, r23
    add r21, r0
    mul r25, r22
    add r21, r0
    clr r1
#else
    clr r20
    clr r21
1:
    lsr r25
    ror r24
    brcc 2f
    add r20, r22
    adc r21, r23
2:
    lsl r22
    rol r23
    sbiw r24, 0
    brne 1b
#endif
    move_pair r25, r24, r21, r20
    ret
end_function __mulhi3
