#include "aes.h"

/* block_encrypt(ctx, out, in): FIPS 197, section 5.1, on the state in out. */
function block_encrypt
    push r28
    push r29
    mov r26, r24
    mov r27, r25
    mov r28, r22
    mov r29, r23
    mov r30, r20
    mov r31, r21
    ldi r24, 16
1:
    ld r0, Z+
    st Y+, r0
    dec r24
    brne 1b
    ldi r25, PRIMITIVE_ROUNDS
    ldi r31, hi8(aes_sbox)
2:
    sbiw r28, 16
    ldi r24, 16
3:
    ld r30, Y
    ld r0, X+
    eor r30, r0
    lpm
    st Y+, r0
    dec r24
    brne 3b
    sbiw r28, 16
    turn_row 1, 1
    turn_row 2, 2
    turn_row 3, 3
    dec r25
    breq 4f
    rcall aes_mix_columns
    rjmp 2b
4:
    ldi r24, 16
5:
    ld r0, X+
    ld r18, Y
    eor r0, r18
    st Y+, r0
    dec r24
    brne 5b
    pop r29
    pop r28
    ret
end_function block_encrypt
