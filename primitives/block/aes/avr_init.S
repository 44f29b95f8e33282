#include "avr.inc"

#define KEY_WORDS      (PRIMITIVE_KEY_BYTES / 4)
#define SCHEDULE_WORDS (4 * (PRIMITIVE_ROUNDS + 1))

/* SubWord for one byte (FIPS 197, section 5.2). */
.macro substitute to, from
    mov r30, \from
    lpm
    mov \to, r0
.endm

/* The next byte of the schedule: \byte of the word before, added to that a key length before. */
.macro schedule byte
    ld r0, Y+
    eor \byte, r0
    std Y+PRIMITIVE_KEY_BYTES-1, \byte
.endm

/* block_init(ctx, key): FIPS 197, section 5.2, KeyExpansion. Y is a key length behind, the word
   before in r18 to r21, rcon in r22, the words up to the next substituted one counted in r24. */
function block_init
    push r28
    push r29
    mov r28, r24
    mov r29, r25
    mov r26, r22
    mov r27, r23
    ldi r24, PRIMITIVE_KEY_BYTES
1:
    ld r18, X+
    st Y+, r18
    dec r24
    brne 1b
    sbiw r28, PRIMITIVE_KEY_BYTES
    ldd r18, Y+PRIMITIVE_KEY_BYTES-4
    ldd r19, Y+PRIMITIVE_KEY_BYTES-3
    ldd r20, Y+PRIMITIVE_KEY_BYTES-2
    ldd r21, Y+PRIMITIVE_KEY_BYTES-1
    ldi r22, 1
    ldi r26, 0x1b
    ldi r31, hi8(aes_sbox)
    ldi r24, 1
    ldi r25, SCHEDULE_WORDS - KEY_WORDS
2:
    dec r24
    brne 3f
    mov r23, r18
    substitute r18, r19
    eor r18, r22
    substitute r19, r20
    substitute r20, r21
    substitute r21, r23
    xtime r22, r26
    ldi r24, KEY_WORDS
3:
#if PRIMITIVE_KEY_BYTES > 24
    cpi r24, KEY_WORDS - 4
    brne 4f
    substitute r18, r18
    substitute r19, r19
    substitute r20, r20
    substitute r21, r21
4:
#endif
    schedule r18
    schedule r19
    schedule r20
    schedule r21
    dec r25
    brne 2b
    pop r29
    pop r28
    ret
end_function block_init
