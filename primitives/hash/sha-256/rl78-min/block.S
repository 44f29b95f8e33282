; Pointer interface
;   record    chaining value 0 to 31 (H to A, high byte first), block 32 to 95 (overwritten), work 96 to 215
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  sha-256 block: 16,101,738 cycles, 20 bytes of stack, 337 bytes of ROM
;   time      constant
;
; FIPS 180-4, sections 4.2.2 and 6.2.2. What a round does stands in a code of one byte for an operation on
; words in memory (rl78_interpreted.inc), which is interpreted. Words lie in one window, which moves down by
; a word after each round: the working variables from H to A, behind them the schedule's 16 words, so that
; the new A takes the place of the word that its round has used. Sums begin at a word's highest address, so
; the message's bytes keep their order.
; Each constant, the fraction of a prime's cube root, is found in that code too, with numbers of 10 bytes:
; with the root y found so far and the rest x of the prime, another unit belongs to the root if x is at
; least 3y(y+1)+1; for the next bit x becomes 8x and y becomes 2y. Kept are x, -y and -y squared, so that no
; constant but -1 is needed beside them.

#define CUBE_ROOTS
#include "rl78_interpreted.inc"

/* Bank 3 holds the address of the accumulator, the last prime, the bytes of a number, the number of bits,
   the operation and the rounds left. */
#define ACCUMULATOR 0xffee0
#define PRIME 0xffee2
#define WIDTH 0xffee4
#define BITS 0xffee5
#define OPERATION 0xffee6
#define ROUNDS 0xffee7

#define CUBE 100
#define COPY 184

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

interpret:
    mov a, [de]
    incw de
    cmp a, #SHIFT(0)
    bnc $5f
    push de
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
    movw de, ACCUMULATOR
    mov x, WIDTH
4:
    mov a, [de]
    call bc
    mov [de], a
    decw hl
    incw de
    dec x
    bnz $4b
    pop hl
    pop de
    br $interpret
5:
    mov OPERATION, a
    and a, #0x0f
    bz $7f
    mov BITS, a
    push de
    movw de, ACCUMULATOR
    movw ax, [de]
    movw bc, ax
    movw ax, [de+2]
6:
    mov1 cy, a.7
    and1 cy, OPERATION.5
    rolwc bc, 1
    rolwc ax, 1
    dec BITS
    bnz $6b
    movw [de+2], ax
    movw ax, bc
    movw [de], ax
    pop de
    br $interpret
7:
    ret

    .global _hash_block_ax
    .type _hash_block_ax, @function
_hash_block_ax:
    push hl
    movw hl, ax
    push hl
    addw ax, #CUBE+72
    movw ACCUMULATOR, ax
    mov b, #32
1:
    mov a, [hl]
    mov [hl+COPY], a
    mov a, #0xff
    mov [hl+CUBE+12], a
    incw hl
    dec b
    bnz $1b
    pop hl
    onew ax
    movw PRIME, ax
    mov ROUNDS, #64
round:
    push hl
    movw ax, hl
    addw ax, #CUBE
    movw hl, ax
    mov WIDTH, #10
    movw de, #_sha256_clear
    call !interpret
    movw de, PRIME
1:
    incw de
    onew bc
2:
    incw bc
    movw ax, de
3:
    subw ax, bc
    bz $4f
    bnc $3b
    br $2b
4:
    movw ax, de
    cmpw ax, bc
    bnz $1b
    movw PRIME, ax
    xch a, x
    movw [hl+46], ax
    mov BITS, #33
    movw de, #_sha256_try
5:
    call !interpret
    mov a, [hl+50]
    bt a.7, $6f
    call !interpret
    movw de, #_sha256_try
    br $5b
6:
    movw de, #_sha256_double
    dec BITS
    bnz $5b
    movw de, #_sha256_negate
    call !interpret
    pop hl
    mov WIDTH, #4
    call !interpret
    push hl
    mov b, #96
8:
    mov a, [hl+4]
    mov [hl], a
    incw hl
    dec b
    bnz $8b
    pop hl
    dec ROUNDS
    bnz $round
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
