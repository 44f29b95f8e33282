#include "state.inc"

#define SCHEDULE_BYTES (16 * (PRIMITIVE_ROUNDS + 1))

/* AddRoundKey, FIPS 197, section 5.1.4, on these bytes; X moves back. */
.macro add_key d, c, b, a
    .irp byte, \d, \c, \b, \a
    ld r0, -X
    eor \byte, r0
    .endr
.endm

.macro add_keys
    add_key r23, r22, r21, r20
    add_key r19, r18, r17, r16
    add_key r15, r14, r13, r12
    add_key r11, r10, r9, r8
.endm

/* 4 times the sum of two bytes is added to both: the inverse matrix is the forward one after this
   (FIPS 197, section 5.3.3). */
.macro unmix_two byte, other
    times_x_sum r30, \byte, \other
    xtime r30, r25
    eor \byte, r30
    eor \other, r30
.endm

.macro unmix a, b, c, d
    unmix_two \a, \c
    unmix_two \b, \d
    mix \a, \b, \c, \d
.endm

/* block_decrypt(ctx, out, in): FIPS 197, section 5.3; the schedule is walked from its end. */
function block_decrypt
    enter
    subi r26, lo8(-(SCHEDULE_BYTES))
    sbci r27, hi8(-(SCHEDULE_BYTES))
    add_keys
    ldi r31, hi8(aes_inverse_sbox)
1:
    row_by_none r8, r12, r16, r20
    row_by_one r21, r17, r13, r9
    row_by_two r10, r14, r18, r22
    row_by_one r11, r15, r19, r23
    add_keys
    dec r1
    brne 2f
    rjmp 3f
2:
    unmix r8, r9, r10, r11
    unmix r12, r13, r14, r15
    unmix r16, r17, r18, r19
    unmix r20, r21, r22, r23
    rjmp 1b
3:
    leave
end_function block_decrypt
