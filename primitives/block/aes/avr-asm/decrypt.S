#include "aes.h"

#define SCHEDULE_BYTES (16 * (PRIMITIVE_ROUNDS + 1))

/* Adds 4 times their sum to two bytes of a column: the inverse matrix is the forward one after this
   (FIPS 197, section 5.3.3). */
.macro unmix first, second
    ldd r18, Y+\first
    ldd r19, Y+\second
    mov r20, r18
    eor r20, r19
    xtime r20, r30
    xtime r20, r30
    eor r18, r20
    eor r19, r20
    std Y+\first, r18
    std Y+\second, r19
.endm

/* block_decrypt(ctx, out, in): FIPS 197, section 5.3, on the state in out; schedule and state are
   walked from their ends. */
function block_decrypt
    push r28
    push r29
    subi r24, lo8(-(SCHEDULE_BYTES))
    sbci r25, hi8(-(SCHEDULE_BYTES))
    mov r26, r24
    mov r27, r25
    mov r28, r22
    mov r29, r23
    mov r30, r20
    mov r31, r21
    adiw r28, 16
    adiw r30, 16
    ldi r24, 16
1:
    ld r0, -Z
    ld r18, -X
    eor r0, r18
    st -Y, r0
    dec r24
    brne 1b
    ldi r25, PRIMITIVE_ROUNDS
2:
    turn_row 1, 3
    turn_row 2, 2
    turn_row 3, 1
    ldi r31, hi8(aes_inverse_sbox)
    adiw r28, 16
    ldi r24, 16
3:
    ld r30, -Y
    lpm
    ld r18, -X
    eor r0, r18
    st Y, r0
    dec r24
    brne 3b
    dec r25
    breq 5f
    ldi r30, 0x1b
    ldi r24, 4
4:
    unmix 0, 2
    unmix 1, 3
    adiw r28, 4
    dec r24
    brne 4b
    sbiw r28, 16
    rcall aes_mix_columns
    sbiw r28, 16
    rjmp 2b
5:
    pop r29
    pop r28
    ret
end_function block_decrypt
