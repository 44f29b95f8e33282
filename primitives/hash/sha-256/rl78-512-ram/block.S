; Pointer interface
;   record    chaining value 0 to 31 (H to A, high byte first), block 32 to 95 (overwritten), work 96 to 131
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  sha-256 block: 296,663 cycles, 12 bytes of stack, 504 bytes of ROM
;   time      constant
;
; FIPS 180-4, section 6.2.2. What a round does stands in a code of one byte for an operation on words in
; memory (rl78_interpreted.inc), which is interpreted. Words lie in one window, which moves down by a word
; after each round: the working variables from H to A, behind them the schedule's 16 words, so that the new
; A takes the place of the word that its round has used. Sums begin at a word's highest address, so the
; message's bytes keep their order.

#include "rl78_interpreted.inc"

/* Bank 3 holds the accumulator, low byte first, the number of bits, the operation, and the index of the
   constants. */
#define ACCUMULATOR 0xffee0
#define BITS 0xffee4
#define OPERATION 0xffee5
#define INDEX 0xffee6

#define COPY 100

    .section .text.hash_block_ax, "ax", @progbits
    .balign 16
operations:
    mov a, [hl]
    ret
    xor a, [hl]
    ret
    and a, [hl]
    ret
    addc a, [hl]
    mov [hl], a
    ret

    .global _hash_block_ax
    .type _hash_block_ax, @function
_hash_block_ax:
    push hl
    movw hl, ax
    push hl
    mov b, #32
1:
    mov a, [hl]
    mov [hl+COPY], a
    incw hl
    dec b
    bnz $1b
    pop hl
    clrw ax
2:
    movw INDEX, ax
    movw bc, ax
    movw ax, _sha256_k[bc]
    movw ACCUMULATOR, ax
    movw ax, _sha256_k+2[bc]
    movw ACCUMULATOR+2, ax
    movw de, #_sha256_round
3:
    mov a, [de]
    incw de
    cmp a, #SHIFT(0)
    bnc $5f
    push hl
    mov x, a
    and a, #7
    movw bc, #operations
    add c, a
    mov a, x
    shr a, 1
    or a, #3
    mov x, a
    clrb a
    addw ax, hl
    movw hl, ax
    .irp at, 0, 1, 2, 3
    mov a, ACCUMULATOR+\at
    call bc
    mov ACCUMULATOR+\at, a
    decw hl
    .endr
    pop hl
    br $3b
4:
    xch a, c
    xch a, b
    xch a, x
    br $6f
5:
    mov OPERATION, a
    and a, #0x0f
    bz $7f
    mov BITS, a
    movw bc, ACCUMULATOR
    movw ax, ACCUMULATOR+2
    btclr BITS.3, $4b
6:
    mov1 cy, a.7
    and1 cy, OPERATION.5
    rolwc bc, 1
    rolwc ax, 1
    dec BITS
    bnz $6b
    movw ACCUMULATOR+2, ax
    movw ax, bc
    movw ACCUMULATOR, ax
    br $3b
7:
    push hl
    mov b, #48
8:
    movw ax, [hl+4]
    movw [hl], ax
    incw hl
    incw hl
    dec b
    bnz $8b
    pop hl
    movw ax, INDEX
    addw ax, #4
    cmp0 a
    bz $2b
    movw ax, hl
    addw ax, #31
    movw hl, ax
    mov b, #8
9:
    clr1 cy
    mov c, #4
1:
    mov a, [hl+COPY]
    addc a, [hl]
    mov [hl], a
    decw hl
    dec c
    bnz $1b
    dec b
    bnz $9b
    pop hl
    ret
    .size _hash_block_ax, . - _hash_block_ax
