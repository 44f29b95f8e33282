#include "state.inc"

/* AddRoundKey, FIPS 197, section 5.1.4, on these bytes; X moves on. */
.macro add_key a, b, c, d
    .irp byte, \a, \b, \c, \d
    ld r0, X+
    eor \byte, r0
    .endr
.endm

.macro add_keys
    add_key r8, r9, r10, r11
    add_key r12, r13, r14, r15
    add_key r16, r17, r18, r19
    add_key r20, r21, r22, r23
.endm

/* block_encrypt(ctx, out, in): FIPS 197, section 5.1. */
function block_encrypt
    enter
    add_keys
    ldi r31, hi8(aes_sbox)
1:
    row_by_none r8, r12, r16, r20
    row_by_one r9, r13, r17, r21
    row_by_two r10, r14, r18, r22
    row_by_one r23, r19, r15, r11
    dec r1
    brne 2f
    rjmp 3f
2:
    mix r8, r9, r10, r11
    mix r12, r13, r14, r15
    mix r16, r17, r18, r19
    mix r20, r21, r22, r23
    add_keys
    rjmp 1b
3:
    add_keys
    leave
end_function block_encrypt
