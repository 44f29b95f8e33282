; Pointer interface
;   record    chaining value 0 to 31 (H to A, high byte first), block 32 to 95 (overwritten), work 96 to 123
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  sha-256 block: 383,286 cycles, 4 bytes of stack, 508 bytes of ROM
;   time      constant
;
; FIPS 180-4, section 6.2.2. What a round does stands in a code of one byte for an operation on words in
; memory (rl78_interpreted.inc), which is interpreted. Words lie in one window, which moves down by a word
; after each round: the working variables from H to A, behind them the schedule's 16 words, so that the new
; A takes the place of the word that its round has used. Sums begin at a word's highest address, so the
; message's bytes keep their order.
; What else must be kept is in the registers of banks 1 and 3, also the caller's HL and the last word of the
; chaining value's copy; nothing is called. So record and stack take no more than 128 bytes.

#define FOUR_OPERATIONS
#include "rl78_interpreted.inc"

/* Bank 3: the accumulator, low byte first, the number of bits, the operation, the caller's HL. Bank 1: the
   record, the index of the constants, the copy of the chaining value's last word. */
#define ACCUMULATOR 0xffee0
#define BITS 0xffee4
#define OPERATION 0xffee5
#define CALLER 0xffee6
#define RECORD 0xffef0
#define INDEX 0xffef2
#define LAST 0xffef4
/* Register C as memory. */
#define OPERATION_BITS 0xffefa

/* For indices that count up to 256 and down to 0. */
#define UP_ACCUMULATOR 0xfee0-252
#define DOWN_LAST 0xfef4-1

/* The other words' copy. */
#define COPY 96

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type _hash_block_ax, @function
_hash_block_ax:
    movw RECORD, ax
    xchw ax, hl
    movw CALLER, ax
    mov b, #28
1:
    mov a, [hl]
    mov [hl+COPY], a
    incw hl
    dec b
    bnz $1b
    movw ax, [hl]
    movw LAST, ax
    movw ax, [hl+2]
    movw LAST+2, ax
    clrw ax
round:
    movw INDEX, ax
    movw bc, ax
    movw ax, _sha256_k[bc]
    movw ACCUMULATOR, ax
    movw ax, _sha256_k+2[bc]
    movw ACCUMULATOR+2, ax
    movw de, #_sha256_round
interpret:
    movw hl, RECORD
    mov a, [de]
    incw de
    cmp a, #SHIFT(0)
    bnc $rotate
    mov c, a
    or a, #3
    mov x, a
    clrb a
    addw ax, hl
    movw hl, ax
    mov b, #252
1:
    mov a, UP_ACCUMULATOR[b]
    bt OPERATION_BITS.1, $3f
    bf OPERATION_BITS.0, $2f
    clrb a
2:
    xor a, [hl]
    br $5f
3:
    bt OPERATION_BITS.0, $4f
    and a, [hl]
    br $5f
4:
    addc a, [hl]
    mov [hl], a
5:
    mov UP_ACCUMULATOR[b], a
    decw hl
    inc b
    bnz $1b
    br $interpret
rotate:
    mov OPERATION, a
    and a, #0x0f
    bz $4f
    mov BITS, a
    movw bc, ACCUMULATOR
    movw ax, ACCUMULATOR+2
3:
    mov1 cy, a.7
    and1 cy, OPERATION.5
    rolwc bc, 1
    rolwc ax, 1
    dec BITS
    bnz $3b
    movw ACCUMULATOR+2, ax
    movw ax, bc
    movw ACCUMULATOR, ax
    br $interpret
4:
/* The new A goes to the word's place, the schedule's new word waits in the accumulator until the window
   has moved. */
    movw ax, [hl]
    movw [hl+32], ax
    movw ax, [hl+2]
    movw [hl+34], ax
    mov b, #46
5:
    movw ax, [hl+4]
    movw [hl], ax
    incw hl
    incw hl
    dec b
    bnz $5b
    movw ax, ACCUMULATOR+2
    xch a, x
    movw [hl], ax
    movw ax, ACCUMULATOR
    xch a, x
    movw [hl+2], ax
    movw ax, INDEX
    addw ax, #4
    cmp0 a
    bz $round
    movw ax, RECORD
    addw ax, #31
    movw hl, ax
    clr1 cy
    mov b, #4
7:
    mov a, DOWN_LAST[b]
    addc a, [hl]
    mov [hl], a
    decw hl
    dec b
    bnz $7b
    mov b, #7
8:
    clr1 cy
    mov c, #4
9:
    mov a, [hl+COPY]
    addc a, [hl]
    mov [hl], a
    decw hl
    dec c
    bnz $9b
    dec b
    bnz $8b
    movw hl, CALLER
    ret
    .size _hash_block_ax, . - _hash_block_ax
