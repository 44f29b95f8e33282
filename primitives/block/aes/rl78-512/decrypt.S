#include "rl78_mix.inc"

#define SAVED 0xffef4

function block_decrypt_ax
    movw RECORD, ax
    xchw ax, hl
    movw SAVED, ax
    mov e, #8
1:
    movw ax, [hl+16]
    movw [hl+32], ax
    incw hl
    incw hl
    dec e
    bnz $1b
    oneb x
    mov e, #10
2:
    rewind
    mov a, x
    xor a, [hl+32]
    mov [hl+32], a
    mov a, x
    xtime
    mov x, a
    mov a, [hl+44]
    mov c, a
    incw hl
    incw hl
    incw hl
    mov b, #4
/* Rows 3 to 0 of the next round key (section 5.2): C holds the old byte of the last word, one row on. */
3:
    mov a, _aes_sbox[c]
    xor a, [hl+32]
    mov [hl+32], a
    xor a, [hl+36]
    mov [hl+36], a
    xor a, [hl+40]
    mov [hl+40], a
    xor a, [hl+44]
    xch a, [hl+44]
    mov c, a
    decw hl
    dec b
    bnz $3b
    dec e
    bnz $2b
    incw hl
    mov e, #16
4:
    mov a, [hl]
    xor a, [hl+32]
    mov [hl], a
    incw hl
    dec e
    bnz $4b
5:
    rewind
    mov a, x
    shr a, 1
    sknc
    xor a, #0x8d
    mov x, a
    mov a, [hl+44]
    xor a, [hl+40]
    mov c, a
    incw hl
    incw hl
    incw hl
    mov e, #4
/* Rows 3 to 0 of the round key before this one: C holds its byte of the last word, one row on. */
6:
    mov a, [hl+44]
    xor a, [hl+40]
    mov [hl+44], a
    mov b, a
    mov a, [hl+40]
    xor a, [hl+36]
    mov [hl+40], a
    mov a, [hl+36]
    xor a, [hl+32]
    mov [hl+36], a
    mov a, _aes_sbox[c]
    xor a, [hl+32]
    mov [hl+32], a
    mov a, b
    mov c, a
    decw hl
    dec e
    bnz $6b
    incw hl
    mov a, x
    xor a, [hl+32]
    mov [hl+32], a
    mov c, #3
7:
    incw hl
    mov a, c
    mov e, a
8:
    mov a, [hl+12]
    xch a, [hl+8]
    xch a, [hl+4]
    xch a, [hl]
    mov [hl+12], a
    dec e
    bnz $8b
    dec c
    bnz $7b
    rewind
    mov e, #16
9:
    mov a, [hl]
    mov c, a
    mov a, _aes_inverse_sbox[c]
    xor a, [hl+32]
    mov [hl], a
    incw hl
    dec e
    bnz $9b
    dec x
    bz $12f
    inc x
    rewind
    mov c, #4
/* InvMixColumns (section 5.3.3): MixColumns, after each byte has got 4 times the sum of its column's bytes
   in rows of the same parity. */
10:
    mov e, #2
11:
    mov a, [hl]
    xor a, [hl+2]
    xtime
    xtime
    mov d, a
    xor a, [hl]
    mov [hl], a
    mov a, d
    xor a, [hl+2]
    mov [hl+2], a
    incw hl
    dec e
    bnz $11b
    decw hl
    decw hl
    mix_columns $10b, d
    br $!5b
12:
    movw hl, SAVED
    ret
end_function block_decrypt_ax
