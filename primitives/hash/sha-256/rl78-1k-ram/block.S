; Pointer interface
;   record    chaining value 0 to 31 (H to A, low byte first), block 32 to 95 (overwritten), work 96 to 215
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  sha-256 block: 17,784 cycles, 6 bytes of stack, 962 bytes of ROM
;   time      constant
;
; FIPS 180-4, section 6.2.2. The working variables lie in front of the schedule's 16 words, in a window that
; slides upwards by a word in each round (rl78_slide.inc), so that nothing is moved and no index wraps. The
; window goes back after 22 rounds and twice after 21. The chaining value is kept in a copy.

#include "rl78.inc"
#include "rl78_slide.inc"

/* In bank 3 beside the functions' room: the exclusive or of B and C. In bank 1: the index of the
   constants, and where among them the window goes back. */
#define M 0xffee4
#define INDEX 0xffef0
#define LIMIT 0xffef2

/* The window goes back after 22 rounds and twice after 21. */
.equ SPAN, 22
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
/* The message's words have their high byte first. */
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
    mov a, #4*SPAN
3:
    mov LIMIT, a
    mov a, INDEX
4:
    cmp a, #4*48
    skc
    br $!5f
    schedule 0
5:
    movw bc, INDEX
    round 0, 0, T, M
    movw ax, T
    movw M, ax
    movw ax, T+2
    movw M+2, ax
    forward 4
    mov a, INDEX
    add a, #4
    mov INDEX, a
    cmp a, LIMIT
    skz
    br $!4b
    forward -4*SPAN
    cmp0 INDEX
    bz $7f
    mov b, #6
6:
    copy 4, 4*SPAN
    copy 8, 4*SPAN+4
    copy 12, 4*SPAN+8
    copy 16, 4*SPAN+12
    forward 16
    dec b
    bnz $6b
    forward 4-96
    mov a, LIMIT
    add a, #4*(SPAN-1)
    br $!3b
7:
    mov b, #8
8:
    load 4*SPAN
    add_word COPY
    store 0
    load 4*SPAN+2
    carry
    add_word COPY+2
    store 2
    forward 4
    dec b
    bnz $8b
    pop hl
    ret
end_function hash_block_ax
