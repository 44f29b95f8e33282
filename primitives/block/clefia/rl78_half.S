#include "rl78_small.inc"

.macro xtime
    shl a, 1
    sknc
    xor a, #0x1d
.endm

    .section .rodata.clefia_tables, "a", @progbits
; SS0, SS1 with what the matrix makes of them, SS2 above SS3 (RFC 6114, section 4.3).
upper:
    .byte 0xef, 0x6c, 0xcb, 0xa7, 0x83, 0x7e, 0x24, 0xfd, 0xb5, 0x12, 0x48, 0x00, 0x5a, 0x91, 0xd9, 0x36
lower:
    .byte 0xc6, 0x84, 0x00, 0x9d, 0x42, 0x5b, 0x7a, 0x63, 0x19, 0xbc, 0xfe, 0xdf, 0x38, 0xe7, 0xa5, 0x21
second:
    .byte 0xba, 0x82, 0x56, 0xed, 0xa3, 0x64, 0x45, 0xce, 0xf0, 0x77, 0x28, 0x39, 0x1b, 0x0f, 0xdc, 0x91
; What the linear maps around S1's inversion make of the bits from the highest down.
maps:
    .byte 0xd1, 0x7a, 0x1d, 0x98, 0x6e, 0x0a, 0xe5, 0xea
    .byte 0xb0, 0x9f, 0x51, 0x8f, 0xf3, 0xdf, 0x93, 0xa8

; F0 or, from INDEX 4 on, F1 of the word at HL and its key, added to the next one, where HL points at last.
    .section .text.clefia_half, "ax", @progbits
    .global _clefia_half
    .type _clefia_half, @function
_clefia_half:
    movw de, #OUT-0xf0000
1:
    mov c, INDEX
    mov a, ROUND_KEY-0xf0000[c]
    xor a, [hl]
    mov1 cy, INDEX.0
    xor1 cy, INDEX.2
    bc $2f
    mov b, a
    and a, #15
    mov c, a
    mov a, lower[c]
    mov x, a
    mov a, b
    shr a, 4
    mov c, a
    mov a, upper[c]
    xor a, x
    mov b, a
    and a, #15
    mov c, a
    mov a, second[c]
    and a, #15
    mov x, a
    mov a, b
    shr a, 4
    mov c, a
    mov a, second[c]
    and a, #0xf0
    or a, x
    br $5f
; S1: while C goes round to x^8, B goes from 1 to its inverse, but for a factor.
2:
    mov b, a
    clrb c
    call !linear
    mov c, a
    clrb b
    cmp0 a
    bz $4f
    oneb b
    mov a, #0x1d
3:
    shl b, 1
    sknc
    xor b, a
    shl c, 1
    sknc
    xor c, a
    cmp c, a
    bnz $3b
4:
    mov c, #8
    call !linear
5:
    mov [de], a
    incw de
    incw hl
    inc INDEX
    mov a, INDEX
    and a, #3
    bnz $1b
; M1 is M0 with x^3 in x^2's place and the middle bytes exchanged (RFC 6114, section 4.4).
    movw ax, OUT+1
    bt INDEX.2, $6f
    xch a, x
6:
    movw de, ax
    mov a, OUT
    mov x, a
    xor a, OUT+3
    xor a, d
    xor a, e
    call !times_x
    mov b, a
    call !times_more
    mov c, a
    mov a, OUT+3
    xor a, d
    call !times_more
    xor a, OUT+3
    xor a, e
    call !times_x
    xor x, a
    xor a, b
    xor e, a
    xor a, b
    xor a, c
    xor d, a
    xor a, b
    xor a, OUT+3
    xor a, [hl+3]
    mov [hl+3], a
    mov a, x
    xor a, [hl]
    mov [hl], a
    movw ax, de
    bt INDEX.2, $7f
    xch a, x
7:
    xor a, [hl+2]
    mov [hl+2], a
    mov a, x
    xor a, [hl+1]
    mov [hl+1], a
    ret
times_more:
    bt INDEX.2, $times_x
    xtime
times_x:
    xtime
    ret
linear:
    mov x, #0x69
1:
    mov a, maps[c]
    shl b, 1
    sknc
    xor x, a
    inc c
    cmp0 b
    bnz $1b
    mov a, x
    ret
    .size _clefia_half, . - _clefia_half
