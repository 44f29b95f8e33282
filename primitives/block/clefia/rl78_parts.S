#include "rl78_parts.inc"

; L from the key, in its place, and T after the 12 rounds of that (RFC 6114, section 6).
    .section .text.clefia_make_l, "ax", @progbits
    .global _clefia_make_l
    .type _clefia_make_l, @function
_clefia_make_l:
    push hl
    mov c, #8
1:
    movw ax, [hl+KEY]
    movw [hl+L], ax
    incw hl
    incw hl
    dec c
    bnz $1b
    movw ax, hl
    addw ax, #L-16
    movw hl, ax
; The offsets stand for round keys.
    movw ax, #OFFSET1*256+OFFSET0
    movw ROUND_KEY, ax
    movw ROUND_KEY+4, ax
    movw ax, #OFFSET2
    movw ROUND_KEY+2, ax
    movw ROUND_KEY+6, ax
    movw T_WORD, #0x8514
    mov LEFT, #6
    br $3f
2:
    exchange
3:
    call !_clefia_round
    call !_clefia_next_round
    dec LEFT
    bnz $2b
    forth
    pop hl
    ret
    .size _clefia_make_l, . - _clefia_make_l

; The half of the key at HL + AX is added to the second and the fourth word, the offsets to all.
    .section .text.clefia_whiten, "ax", @progbits
    .global _clefia_whiten
    .type _clefia_whiten, @function
.macro add_offset n
    .if \n == 0
    xor a, #OFFSET0
    .endif
    .if \n == 1
    xor a, #OFFSET1
    .endif
    .if \n == 2
    xor a, #OFFSET2
    .endif
.endm
_clefia_whiten:
    addw ax, hl
    movw de, ax
    .irp n, 0, 1, 2
    .irp word, 0, 8
    mov a, [hl+\word+\n]
    add_offset \n
    mov [hl+\word+\n], a
    .endr
    .endr
    .irp n, 0, 1, 2, 3
    mov a, [de+\n]
    xor a, [hl+4+\n]
    add_offset \n
    mov [hl+4+\n], a
    mov a, [de+4+\n]
    xor a, [hl+12+\n]
    add_offset \n
    mov [hl+12+\n], a
    .endr
    ret
    .size _clefia_whiten, . - _clefia_whiten

; A round with the next T, or with the T and R that are there (RFC 6114, section 4.2), from the first word on
; or from the second one.
.macro one_round name, halves, from
    .section .text.\name, "ax", @progbits
    .global _\name
    .global _\halves
    .type _\name, @function
_\name:
    step
_\halves:
    look \from, ROUND_KEY, _clefia_s0, _clefia_s1, T_HIGH, T_LOW, d, e, 0, 0, 0
    matrix0
    put \from+4
    look \from+8, ROUND_KEY+4, _clefia_s1, _clefia_s0, T_HIGH, T_LOW, T_LOW, T_HIGH, 0x93, 0xde, 0
    matrix1
    put (\from+12)&15
    ret
    .size _\name, . - _\name
.endm

    one_round clefia_round, clefia_halves, 0
    one_round clefia_next_round, clefia_next_halves, 4

; L after eight times DoubleSwap is what decryption begins with.
    .section .text.clefia_swap, "ax", @progbits
    .global _clefia_swap
    .type _clefia_swap, @function
_clefia_swap:
    swap L, L+8
    ret
    .size _clefia_swap, . - _clefia_swap
