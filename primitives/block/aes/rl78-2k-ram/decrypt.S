#define TEMP  hl+16
#define MORE  hl+32
#define TWICE x
#define ODD   [MORE+10]

#include "rl78_unround.inc"

/* FIPS 197, section 5.2, for the last words z of the round keys alone: z(n) = z(n-4) + f(z(n-1)), after
   which the words of round key n are z(n), z(n) + z(n-1), z(n) + z(n-2) and z(n) + z(n-1) + z(n-2) +
   z(n-3). HL = z(n-4). B and C hold bytes 0 and 2 of z(n-1), and then of z(n). */
.macro next_word at, constant
    mov a, _aes_sbox[b]
    xor a, [hl+\at+3]
    mov [hl+\at+19], a
    mov a, _aes_sbox[c]
    xor a, [hl+\at+1]
    mov [hl+\at+17], a
    mov a, [hl+\at+13]
    mov b, a
    mov a, [hl+\at+15]
    mov c, a
    mov a, _aes_sbox[b]
    xor a, \constant
    xor a, [hl+\at]
    mov [hl+\at+16], a
    mov b, a
    mov a, _aes_sbox[c]
    xor a, [hl+\at+2]
    mov [hl+\at+18], a
    mov c, a
.endm

/* HL = z(n-3). */
.macro key_byte column, row
    xor a, [hl+12+\row]
    .if \column == 2 || \column == 0
    xor a, [hl+8+\row]
    .endif
    .if \column < 2
    xor a, [hl+4+\row]
    .endif
    .if \column == 0
    xor a, [hl+\row]
    .endif
.endm

.macro add_key column, row, slot
    mov a, [de+4*\column+\row]
    key_byte \column, \row
    mov \slot, a
.endm

.macro unlast_byte index, column, row, pair
    mov a, _aes_inverse_sbox[\index]
    .ifnb \pair
    movw bc, \pair
    .endif
    key_byte \column, \row
    mov [de+4*\column+\row], a
.endm

.macro unlast_column column, slot, pair
    unlast_byte c, \column, 2
    unlast_byte b, \column, 3, \slot
    unlast_byte c, \column, 0
    unlast_byte b, \column, 1, \pair
.endm

function block_decrypt_ax
    movw de, ax
    xchw ax, hl
    movw [hl+112], ax
    mov b, #4
1:
    mov a, [hl+28]
    mov [hl+44], a
    xor a, [hl+20]
    mov [hl+36], a
    mov a, [hl+28]
    xor a, [hl+24]
    mov [hl+40], a
    xor a, [hl+20]
    xor a, [hl+16]
    mov [hl+32], a
    incw hl
    dec b
    bnz $1b
    movw ax, hl
    addw ax, #28
    movw hl, ax
    mov a, [hl+12]
    mov b, a
    mov a, [hl+14]
    mov c, a
    mov x, #1
2:
    next_word 0, x
    addw ax, ax
    next_word 4, x
    addw ax, ax
    next_word 8, x
    addw ax, ax
    next_word 12, x
    addw ax, ax
    mov a, l
    add a, #16
    mov l, a
    sknc
    inc h
    cmp0 x
    skz
    br $!2b
    next_word 0, #0x1b
    next_word 4, #0x36
    movw ax, hl
    addw ax, #8
    movw hl, ax
    add_key 0, 0, SLOT0
    add_key 0, 1, SLOT1+1
    add_key 0, 2, SLOT2+2
    add_key 0, 3, SLOT3+3
    add_key 1, 0, SLOT1
    add_key 1, 1, SLOT2+1
    add_key 1, 2, SLOT3+2
    add_key 1, 3, SLOT0+3
    add_key 2, 0, SLOT2
    add_key 2, 1, SLOT3+1
    add_key 2, 2, SLOT0+2
    add_key 2, 3, SLOT1+3
    add_key 3, 0, SLOT3
    add_key 3, 1, SLOT0+1
    add_key 3, 2, SLOT1+2
    add_key 3, 3, SLOT2+3
    br $!4f
3:
    unround
4:
    decw hl
    decw hl
    decw hl
    decw hl
    movw bc, SLOT0+2
    mov a, l
    sub a, e
    cmp a, #32
    skz
    br $!3b
    unlast_column 0, SLOT0, SLOT1+2
    unlast_column 1, SLOT1, SLOT2+2
    unlast_column 2, SLOT2, SLOT3+2
    unlast_column 3, SLOT3
    movw ax, [de+112]
    movw hl, ax
    ret
end_function block_decrypt_ax
