; Pointer interface
;   record    chaining value 0 to 31 (H to A, low byte first), block 32 to 95 (overwritten), work 96 to 223
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  sha-256 block: 16,778 cycles, 6 bytes of stack, 2,045 bytes of ROM
;   time      constant
;
; FIPS 180-4, section 6.2.2. The working variables lie in front of the schedule's 16 words, in a window that
; slides upwards by a word in each round (rl78_slide.inc), so that nothing is moved and no index wraps. Two
; rounds are unrolled, and the last 16 rounds, which need no new words, have code of their own. The window
; goes back once, after 24 rounds. The chaining value is kept in a copy.

#include "rl78.inc"
#include "rl78_slide.inc"

/* Bank 3 holds beside the functions' room the exclusive or of B and C, bank 1 the index of the constants. */
#define M 0xffee4
#define INDEX 0xffef0

.equ SPAN, 24
.equ COPY, 96+4*SPAN

function hash_block_ax
    push hl
    movw hl, ax
    first_difference M
    mov b, #4
1:
    copy COPY, 0
    copy COPY+4, 4
    forward 8
    dec b
    bnz $1b
    movw INDEX, #4
2:
    turn 0
    turn 4
    turn 8
    turn 12
    forward 16
    dec INDEX
    bnz $2b
    forward -96
3:
    schedule 0
    schedule 4
    movw bc, INDEX
    round 0, 0, T, M
    movw bc, INDEX
    round 4, 4, M, T
    forward 8
    mov a, INDEX
    add a, #8
    mov INDEX, a
    cmp a, #4*48
    bz $5f
    cmp a, #4*24
    skz
    br $!3b
    forward -4*SPAN
    mov b, #6
4:
    copy 0, 4*SPAN
    copy 4, 4*SPAN+4
    copy 8, 4*SPAN+8
    copy 12, 4*SPAN+12
    forward 16
    dec b
    bnz $4b
    forward -96
    br $!3b
5:
    movw bc, INDEX
    round 0, 0, T, M
    movw bc, INDEX
    round 4, 4, M, T
    forward 8
    mov a, INDEX
    add a, #8
    mov INDEX, a
    skz
    br $!5b
    forward -4*40
    mov b, #8
8:
    load 4*40
    add_word COPY
    store 0
    load 4*40+2
    carry
    add_word COPY+2
    store 2
    forward 4
    dec b
    bnz $8b
    pop hl
    ret
end_function hash_block_ax
