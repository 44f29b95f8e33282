#include "aes.h"

/* New \byte: itself, the sum of the column in r0, and x times the sum of it and the \next. */
.macro mix byte, next
    mov r23, \byte
    eor r23, \next
    xtime r23, r30
    eor \byte, r0
    eor \byte, r23
.endm

/* MixColumns (FIPS 197, section 5.1.3) on the state at Y, which ends 16 bytes higher.
   Overwrites r0, r18 to r24 and r30. */
function aes_mix_columns
    ldi r30, 0x1b
    ldi r24, 4
1:
    ld r18, Y
    ldd r19, Y+1
    ldd r20, Y+2
    ldd r21, Y+3
    mov r22, r18
    mov r0, r18
    eor r0, r19
    eor r0, r20
    eor r0, r21
    mix r18, r19
    mix r19, r20
    mix r20, r21
    mix r21, r22
    st Y+, r18
    st Y+, r19
    st Y+, r20
    st Y+, r21
    dec r24
    brne 1b
    ret
end_function aes_mix_columns
