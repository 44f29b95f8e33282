; Pointer interface
;   record    chaining value 0 to 31 (H to A, low byte first), block 32 to 95 (overwritten), work 96 to 121
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  sha-256 block: 18,783 cycles, 6 bytes of stack, 2,009 bytes of ROM
;   time      constant
;
; FIPS 180-4, section 6.2.2. The working variables are two rings of four words, so after the four rounds of
; the loop each is back at its place, and nothing is moved. After 16 rounds the schedule's next 16 words
; take the places of the block's. The registers of banks 1 and 3 hold one word of each ring and 8 bytes to
; work in; the index of the constants lies in the byte of the stack that a call leaves out (the address
; takes 3 of 4 bytes): so record and stack take no more than 128 bytes.

#include "rl78.inc"

/* The rings of four words but for A and E of a loop's begin, which lie in bank 1; the address of the
   schedule's word. */
.equ at_E3, 96
.equ at_E2, 100
.equ at_E1, 104
.equ at_A3, 108
.equ at_A2, 112
.equ at_A1, 116
.equ at_word, 120

#define A0 0xffef0
#define E0 0xffef4
/* Bank 3: the functions' room and the exclusive or of B and C, by turns. The schedule has the second half
   for the word's number and address. */
#define M 0xffee4
#define NUMBER 0xffee4
#define WORD 0xffee6

/* The index of the constants is the byte of the return address's room that a call does not write. */
#define INDEX [sp+5]

/* A = the majority of three bytes. m holds the exclusive or of b and c, t takes that of a and b. */
.macro next_majority_byte a, b, t, m
    byte mov, \a
    byte xor, \b
    store_byte \t
    byte and, \m
    byte xor, \b
.endm

/* Step 3 of FIPS 180-4, section 6.2.2. The new A goes to the place of D, the new E to that of H. */
.macro round number, a, b, c, d, e, f, g, h, t, m
    movw ax, [hl+at_word]
    movw de, ax
    mov a, INDEX
    mov c, a
    clrb b
    movw ax, [de+4*\number]
    add_word \h
    store \h
    movw ax, [de+4*\number+2]
    carry
    add_word \h+2
    movw de, ax
    movw ax, _sha256_k+4*\number[bc]
    add_word \h
    store \h
    movw ax, _sha256_k+4*\number+2[bc]
    carry
    addw ax, de
    store \h+2
    sum_1 \e, \t
    add_to_registers \h
    add_choice \e, \f, \g
    movw ax, de
    add_word \d
    store \h
    movw ax, bc
    carry
    add_word \d+2
    store \h+2
    movw ax, bc
    store \d+2
    sum_0 \a, \t
    addw ax, de
    movw de, ax
    movw ax, bc
    carry
    add_word \d+2
    movw bc, ax
    next_majority_byte \a, \b, \t, \m
    mov x, a
    next_majority_byte \a+1, \b+1, \t+1, \m+1
    addw ax, de
    store \d
    next_majority_byte \a+2, \b+2, \t+2, \m+2
    addc a, c
    mov x, a
    next_majority_byte \a+3, \b+3, \t+3, \m+3
    addc a, b
    store \d+2
.endm

/* HL = the address of the word so many behind the present one; DE is the block. */
.macro word_behind distance
    mov a, NUMBER
    add a, #4*(16-\distance)
    and a, #0x3f
    mov x, a
    clrb a
    addw ax, de
    movw hl, ax
.endm

.macro difference b, c
    load \b
    xor_bytes \c+1, \c
    store M
    load \b+2
    xor_bytes \c+3, \c+2
    store M+2
.endm

function hash_block_ax
    push hl
    movw hl, ax
    forward 32
/* The message's words have their high byte first. */
    mov T, #4
1:
    turn 0
    turn 4
    turn 8
    turn 12
    forward 16
    dec T
    bnz $1b
    forward -96
    copy at_E3, 0
    copy at_E2, 4
    copy at_E1, 8
    copy E0, 12
    copy at_A3, 16
    copy at_A2, 20
    copy at_A1, 24
    copy A0, 28
    clrb a
    mov INDEX, a
2:
    movw ax, hl
    addw ax, #32
    movw [hl+at_word], ax
    difference at_A1, at_A2
3:
    round 0, A0, at_A1, at_A2, at_A3, E0, at_E1, at_E2, at_E3, T, M
    round 1, at_A3, A0, at_A1, at_A2, at_E3, E0, at_E1, at_E2, M, T
    round 2, at_A2, at_A3, A0, at_A1, at_E2, at_E3, E0, at_E1, T, M
    round 3, at_A1, at_A2, at_A3, A0, at_E1, at_E2, at_E3, E0, M, T
    movw ax, [hl+at_word]
    addw ax, #16
    movw [hl+at_word], ax
    mov a, INDEX
    add a, #16
    mov INDEX, a
    bz $5f
    and a, #0x30
    skz
    br $!3b
    mov NUMBER, a
    movw ax, hl
    addw ax, #32
    movw de, ax
    movw WORD, ax
4:
    word_behind 15
    small_0 0
    movw hl, WORD
    add_to 0
    word_behind 2
    small_1 0, FROM_DE+at_word-32
    movw hl, WORD
    add_to 0
    word_behind 7
    load_bc 2
    load 0
    movw hl, WORD
    add_to 0
    movw ax, WORD
    addw ax, #4
    movw WORD, ax
    mov a, NUMBER
    add a, #4
    mov NUMBER, a
    cmp a, #64
    skz
    br $!4b
    movw ax, de
    subw ax, #32
    movw hl, ax
    br $!2b
5:
/* H to F and E, then D to B and A. */
    movw ax, hl
    addw ax, #at_E3
    movw de, ax
    oneb T
6:
    mov b, #3
7:
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
    bnz $7b
    load_bc E0+2
    load E0
    add_to 0
    forward 4
    copy E0, A0
    btclr T.0, $6b
    pop hl
    ret
end_function hash_block_ax
