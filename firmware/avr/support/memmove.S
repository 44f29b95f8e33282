#include "core.h"

/* Upwards where the destination lies below the source, downwards otherwise. */
function memmove
    move_pair r27, r26, r25, r24
    move_pair r31, r30, r23, r22
    cp r24, r22
    cpc r25, r23
    brcs 2f
    add r26, r20
    adc r27, r21
    add r30, r20
    adc r31, r21
    rjmp 4f
1:
    ld r0, Z+
    st X+, r0
2:
    subi r20, 1
    sbci r21, 0
    brcc 1b
    ret
3:
    ld r0, -Z
    st -X, r0
4:
    subi r20, 1
    sbci r21, 0
    brcc 3b
    ret
end_function memmove
