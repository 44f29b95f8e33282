#include "rl78_key.inc"

#define SAVED 0xffef0
#define A2    0xffef2
#define A3    0xffef3
#define V     0xffef4
#define T2    0xffef5
#define EVEN  0xffef6
#define ODD   0xffef7
#define CONSTANT_BYTE 0xffefd
#define STATE hl+32
#define TEXT  hl+44

.macro enter row
    mov a, [TEXT+\row]
    xor a, [hl+\row]
    mov [STATE+5*\row], a
.endm

/* Words 3 to 1 of the round key before this one, in one row; the byte of word 3 is an index too. */
.macro key_back fourth, third, second, first, index
    mov a, \fourth
    xor a, \third
    mov \fourth, a
    mov \index, a
    mov a, \third
    xor a, \second
    mov \third, a
    mov a, \first
    xor a, \second
    mov \second, a
.endm

.macro first_back first, index
    mov a, _aes_sbox[\index]
    xor a, \first
    mov \first, a
.endm

function block_decrypt_ax
    xchw ax, hl
    movw SAVED, ax
    mov d, #1
    mov b, #8
1:
    movw ax, [hl]
    movw [TEXT], ax
    movw ax, [hl+16]
    movw [hl], ax
    incw hl
    incw hl
    dec b
    bnz $1b
    movw ax, hl
    addw ax, #-16
    movw hl, ax
    mov e, #10
2:
    next_key
    dec e
    bnz $2b
    mov e, #4
4:
    enter 0
    enter 1
    enter 2
    enter 3
    incw hl
    incw hl
    incw hl
    incw hl
    dec e
    bnz $4b
    movw ax, hl
    addw ax, #-18
    movw hl, ax
5:
    incw hl
    incw hl
    mov a, d
    shr a, 1
    sknc
    xor a, #0x8d
    mov d, a
    key_back [hl+12], [hl+8], [hl+4], [hl], c
    key_back [hl+13], [hl+9], [hl+5], [hl+1], b
    key_back [hl+15], [hl+11], [hl+7], [hl+3], x
    first_back [hl+3], c
    mov a, x
    mov c, a
    mov a, _aes_sbox[b]
    xor a, d
    xor a, [hl]
    mov [hl], a
    key_back [hl+14], [hl+10], [hl+6], [hl+2], b
    first_back [hl+2], c
    first_back [hl+1], b
/* What left the state on the right belongs to its left end. */
    mov a, [STATE+17]
    mov [STATE+1], a
    movw ax, [STATE+18]
    movw [STATE+2], ax
    movw ax, [STATE+22]
    movw [STATE+6], ax
    mov a, [STATE+27]
    mov [STATE+11], a
    mov e, #8
    cmp CONSTANT_BYTE, #1
    sknz
    br $!8f
    mov e, #4
    movw ax, hl
    addw ax, #14
    movw hl, ax
/* InvSubBytes, AddRoundKey and InvMixColumns of a column, as EVEN = x (a0 + a2 + 2 (u + v)) and ODD = EVEN
   + 2 (u + v) within the doublings of MixColumns. Its results lie to the right, where the columns are
   done: so the last column is the first. */
7:
    movw ax, [STATE]
    movw bc, ax
    decw hl
    mov a, _aes_inverse_sbox[c]
    xor a, [hl+1]
    mov A2, a
    mov a, _aes_inverse_sbox[b]
    xor a, [hl+2]
    mov A3, a
    xor a, A2
    mov V, a
    movw ax, [STATE-1]
    movw bc, ax
    decw hl
    mov a, _aes_inverse_sbox[c]
    xor a, [hl]
    mov x, a
    mov a, _aes_inverse_sbox[b]
    xor a, [hl+1]
    mov c, a
    xor a, x
    mov b, a
    xor a, V
    xtime
    mov T2, a
    xor a, x
    xor a, A2
    xtime
    mov EVEN, a
    xor a, T2
    mov ODD, a
    xor a, c
    xor a, A2
    xtime
    xor a, x
    xor a, V
    mov [STATE+5], a
    mov a, b
    xor a, EVEN
    xtime
    xor a, c
    xor a, V
    mov [STATE], a
    mov a, V
    xor a, EVEN
    xtime
    xor a, b
    xor a, A3
    mov [STATE+10], a
    mov a, A3
    xor a, x
    xor a, ODD
    xtime
    xor a, b
    xor a, A2
    mov [STATE+15], a
    decw hl
    decw hl
    dec e
    skz
    br $!7b
    br $!5b
8:
    movw ax, [STATE]
    movw bc, ax
    mov a, _aes_inverse_sbox[c]
    xor a, [hl]
    mov [hl], a
    mov a, _aes_inverse_sbox[b]
    xor a, [hl+1]
    mov [hl+1], a
    incw hl
    incw hl
    dec e
    bnz $8b
    movw hl, SAVED
    ret
end_function block_decrypt_ax
