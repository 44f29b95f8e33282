; Pointer interface
;   record    chaining value 0 to 31 (H to A, low byte first), block 32 to 95 (overwritten), work 96 to 119
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  sha-256 block: 21,675 cycles, 8 bytes of stack, 1,013 bytes of ROM
;   time      constant
;
; FIPS 180-4, section 6.2.2. The schedule takes the place of the block: a word is replaced by that of 16
; rounds later as soon as its round is done. A and E, of which rotations are taken, lie in register bank 1,
; where instructions reach them by short addresses, and what else is needed in bank 3: so record and stack
; take no more than 128 bytes.

#include "rl78.inc"

#define BLOCK 32
#define H 96
#define G 100
#define F 104
#define D 108
#define C 112
#define B 116

/* Bank 1 holds A and E, bank 3 what the functions use, the constants' index and the schedule's word's
   address. */
#define A 0xffef0
#define E 0xffef4
#define INDEX 0xffee4
#define WORD 0xffee6

/* HL = the address of the word so many behind the present one; DE is the record. */
.macro word_behind distance
    mov a, INDEX
    add a, #4*(16-\distance)
    and a, #0x3f
    mov x, a
    clrb a
    addw ax, de
    movw hl, ax
.endm

function hash_block_ax
    push hl
    movw de, ax
    addw ax, #BLOCK
    movw WORD, ax
    movw hl, ax
/* The message's words have their high byte first. */
    mov INDEX, #16
1:
    movw ax, [hl]
    xch a, x
    movw bc, ax
    movw ax, [hl+2]
    xch a, x
    movw [hl], ax
    movw ax, bc
    movw [hl+2], ax
    forward 4
    dec INDEX
    bnz $1b
    clrb INDEX+1
    movw ax, de
    movw hl, ax
    addw ax, #H
    movw de, ax
    copy A, 28
    copy E, 12
/* H to F, then D to B. */
    inc INDEX
7:
    mov b, #6
8:
    movw ax, [hl]
    movw [de], ax
    incw hl
    incw hl
    incw de
    incw de
    dec b
    bnz $8b
    forward 4
    btclr INDEX.0, $7b
    forward -32
2:
/* H + K + W. */
    movw de, WORD
    movw bc, INDEX
    movw ax, [de]
    add_word H
    store H
    movw ax, [de+2]
    carry
    add_word H+2
    movw de, ax
    movw ax, _sha256_k[bc]
    add_word H
    store H
    movw ax, _sha256_k+2[bc]
    carry
    addw ax, de
    store H+2
    sum_1 E, T
    add_to_registers H
    add_choice E, F, G
    copy H, G
    copy G, F
    copy F, E
    movw ax, de
    add_word D
    store E
    movw ax, bc
    carry
    add_word D+2
    store E+2
    movw ax, bc
    store D+2
    sum_0 A, T
    addw ax, de
    movw de, ax
    movw ax, bc
    carry
    add_word D+2
    movw bc, ax
    copy D, C
    majority_byte A, B, C
    mov x, a
    majority_byte A+1, B+1, C+1
    addw ax, de
    movw de, ax
    majority_byte A+2, B+2, C+2
    addc a, c
    mov x, a
    majority_byte A+3, B+3, C+3
    addc a, b
    movw bc, ax
    copy C, B
    copy B, A
    movw ax, bc
    store A+2
    movw ax, de
    store A
    movw ax, hl
    addw ax, #BLOCK
    movw de, ax
/* The schedule's word of the round 16 on takes the place of this round's: section 6.2.2, step 1. */
    mov a, INDEX
    cmp a, #4*48
    bnc $3f
    word_behind 15
    small_0 0
    movw hl, WORD
    add_to 0
    word_behind 2
    small_1 0
    movw hl, WORD
    add_to 0
    word_behind 7
    load_bc 2
    load 0
    movw hl, WORD
    add_to 0
    movw ax, de
    subw ax, #BLOCK
    movw hl, ax
3:
    mov a, INDEX
    add a, #4
    mov INDEX, a
    and a, #0x3f
    mov x, a
    clrb a
    addw ax, de
    movw WORD, ax
    cmp0 INDEX
    skz
    br $!2b
/* H to F and E, then D to B and A. */
    movw ax, hl
    addw ax, #H
    movw de, ax
    inc INDEX
4:
    mov b, #3
5:
    movw ax, [de]
    addw ax, [hl]
    movw [hl], ax
    movw ax, [de+2]
    carry
    addw ax, [hl+2]
    movw [hl+2], ax
    forward 4
    .rept 4
    incw de
    .endr
    dec b
    bnz $5b
    load_bc E+2
    load E
    add_to 0
    forward 4
    copy E, A
    btclr INDEX.0, $4b
    pop hl
    ret
end_function hash_block_ax
