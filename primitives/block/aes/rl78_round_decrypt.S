#define TEMP  hl
#define MORE  hl+44
#define TWICE d
#define ODD   d

#include "rl78_unround.inc"

.macro key_byte column, row
    .if \column == 3
    xor a, LAST+\row
    .else
    xor a, [KEY+4*\column+\row]
    .endif
.endm

/* A step of the last words z of the round keys alone (FIPS 197, section 5.2): z(n) = z(n-4) + f(z(n-1)).
   The words of round key n are z(n), z(n) + z(n-1), z(n) + z(n-2) and z(n) + z(n-1) + z(n-2) + z(n-3),
   from the last to the first. z(n) takes the place of z(n-4); B and C hold bytes 0 and 2 of z(n-1), and
   then of z(n). HL = the record + 4. */
#define WORD hl+28
.macro next_word at, before, constant
    mov a, _aes_sbox[b]
    xor a, [WORD+\at+3]
    mov [WORD+\at+3], a
    mov a, _aes_sbox[c]
    xor a, [WORD+\at+1]
    mov [WORD+\at+1], a
    mov a, [WORD+\before+1]
    mov b, a
    mov a, [WORD+\before+3]
    mov c, a
    mov a, _aes_sbox[b]
    xor a, \constant
    xor a, [WORD+\at]
    mov [WORD+\at], a
    mov b, a
    mov a, _aes_sbox[c]
    xor a, [WORD+\at+2]
    mov [WORD+\at+2], a
    mov c, a
.endm

.macro add_key byte, key, slot
    mov a, [hl+\byte]
    xor a, \key
    mov \slot, a
.endm

/* Words 3, 2 and 1 of the round key before this one (FIPS 197, section 5.2), and word 0. */
.macro key_back row
    mov a, LAST+\row
    xor a, [KEY+8+\row]
    mov LAST+\row, a
    mov a, [KEY+8+\row]
    xor a, [KEY+4+\row]
    mov [KEY+8+\row], a
    mov a, [KEY+4+\row]
    xor a, [KEY+\row]
    mov [KEY+4+\row], a
.endm

.macro first_back row, index
    mov a, _aes_sbox[\index]
    xor a, [KEY+\row]
    mov [KEY+\row], a
.endm

function block_decrypt_ax
    save_bank
    mov b, #4
1:
    mov a, [hl+28]
    mov [hl+36], a
    xor a, [hl+20]
    mov [hl+44], a
    mov a, [hl+28]
    xor a, [hl+24]
    mov [hl+32], a
    xor a, [hl+20]
    xor a, [hl+16]
    mov [hl+40], a
    incw hl
    dec b
    bnz $1b
    mov a, [WORD+4]
    mov b, a
    mov a, [WORD+6]
    mov c, a
    mov x, #1
4:
    next_word 8, 4, x
    addw ax, ax
    next_word 12, 8, x
    addw ax, ax
    next_word 0, 12, x
    addw ax, ax
    next_word 4, 0, x
    addw ax, ax
    cmp0 x
    skz
    br $!4b
    next_word 8, 4, #0x1b
    next_word 12, 8, #0x36
    mov x, #0x6c
    movw de, #LAST+3
    mov b, #4
/* The words of the last round key, from z(7) to z(10). */
5:
    decw hl
    mov a, [hl+44]
    mov [de], a
    xor a, [hl+40]
    mov [hl+40], a
    xor a, [hl+36]
    xor a, [hl+32]
    mov [hl+32], a
    mov a, [de]
    xor a, [hl+36]
    mov [hl+36], a
    decw de
    dec b
    bnz $5b
    add_key 0, [KEY], SLOT0
    add_key 1, [KEY+1], SLOT1+1
    add_key 2, [KEY+2], SLOT2+2
    add_key 3, [KEY+3], SLOT3+3
    add_key 4, [KEY+4], SLOT1
    add_key 5, [KEY+5], SLOT2+1
    add_key 6, [KEY+6], SLOT3+2
    add_key 7, [KEY+7], SLOT0+3
    add_key 8, [KEY+8], SLOT2
    add_key 9, [KEY+9], SLOT3+1
    add_key 10, [KEY+10], SLOT0+2
    add_key 11, [KEY+11], SLOT1+3
    add_key 12, LAST, SLOT3
    add_key 13, LAST+1, SLOT0+1
    add_key 14, LAST+2, SLOT1+2
    add_key 15, LAST+3, SLOT2+3
    mov e, #10
    br $!3f
2:
    unround
3:
    key_back 0
    key_back 1
    key_back 2
    key_back 3
    movw bc, LAST
    mov a, x
    shr a, 1
    sknc
    xor a, #0x8d
    mov x, a
    mov a, _aes_sbox[b]
    xor a, x
    xor a, [KEY]
    mov [KEY], a
    mov a, _aes_sbox[c]
    movw bc, LAST+2
    xor a, [KEY+3]
    mov [KEY+3], a
    first_back 1, c
    first_back 2, b
    movw bc, SLOT0+2
    dec e
    skz
    br $!2b
    last_round _aes_inverse_sbox
    restore_bank
    ret
end_function block_decrypt_ax
