; Pointer interface
;   record    chaining value 0 to 63, block 64 to 191, work 192 to 455
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  sha-384 block: 45,296 cycles, 12 bytes of stack, 2,032 bytes of ROM
;   measured  sha-512 block: 45,296 cycles, 12 bytes of stack, 2,032 bytes of ROM
;   time      constant
;
; One round of FIPS 180-4, section 6.4.2, without loops. Words lie with their low byte first, those of the
; chaining value in reverse order. A rotation takes each byte of its result out of two adjoining bytes by one
; shift of AX; a shift that one byte's result shares with another goes on from where it was. Sums are made
; by words of 16 bits, their carries counted in E. The working variables lie in a frame that moves up by one
; word in each round: what was a becomes b without being moved. The message schedule moves up likewise; words
; 16 to 31 are copied onto words 0 to 15 after each 16 rounds, the working variables after each 8. The
; majority of a, b and c takes b ^ c from the round before, where it was a ^ b.

BLOCK = 64
LATER = 192
FRAME = 320

; Places in banks 3 and 1.
BANKS = 0xffe00
sum = BANKS + 0xe0
word = BANKS + 0xf0
constant = BANKS + 0xf2
kept0 = BANKS + 0xf4
kept1 = BANKS + 0xf5
kept2 = BANKS + 0xf6
rounds = BANKS + 0xf7

#include "rotations.inc"

; The record's offsets in a round, from the frame.
AT_NEW = 72
AT_A = 64
AT_B = 56
AT_C = 48
AT_D = 40
AT_E = 32
AT_F = 24
AT_G = 16
AT_H = 8
; a ^ b of the round before, which is b ^ c now; that of this round takes the place of h.
AT_OLD = 0

.macro majority k
    mov a, [hl+AT_A+\k]
    xor a, [hl+AT_B+\k]
    mov [hl+AT_H+\k], a
    and a, [hl+AT_OLD+\k]
    xor a, [hl+AT_B+\k]
.endm

.macro step pair, by
    movw ax, \pair
    addw ax, #\by
    movw \pair, ax
.endm

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type _hash_block_ax, @function
_hash_block_ax:
    push hl
    push ax
    movw de, ax
    addw ax, #BLOCK
    movw word, ax
    addw ax, #FRAME+AT_H-BLOCK
    movw hl, ax
    movw ax, #_sha512_constants
    movw constant, ax
; Eight bytes more than the chaining value, which come to where nothing is yet.
    mov b, #1
    call !copy
    movw ax, [sp+0]
    addw ax, #FRAME
    movw hl, ax
    mov b, #8
1:
    mov a, [hl+AT_B]
    xor a, [hl+AT_C]
    mov [hl+AT_OLD], a
    incw hl
    dec b
    bnz $1b
    br !start

; Copies B times 72 bytes from DE to HL.
copy:
.irp at, 0, 8, 16, 24, 32, 40, 48, 56, 64
.irp k, 0, 2, 4, 6
    movw ax, [de+\at+\k]
    movw [hl+\at+\k], ax
.endr
.endr
    step hl, 72
    step de, 72
    dec b
    skz
    br !copy
    ret

eight_rounds:
    movw ax, [sp+0]
    addw ax, #FRAME
    movw hl, ax
    addw ax, #64
    movw de, ax
    mov b, #1
    call !copy
start:
    mov rounds, #8
    movw ax, [sp+0]
    addw ax, #FRAME
    movw hl, ax
round:
    push hl
    movw hl, word
    movw ax, constant
    cmpw ax, #_sha512_constants+512
    skc
    br !no_schedule
    movw de, #0
.irp k, 0, 2, 4, 6
    small_sigma0 8, \k
    movw ax, bc
    plus_carry \k
    plus \k, [hl+0+\k]
    plus \k, [hl+72+\k]
    movw [hl+128+\k], ax
    small_sigma1 112, \k
    movw ax, bc
    plus \k, [hl+128+\k]
    movw [hl+128+\k], ax
.endr
no_schedule:
; No word of the constants is above 0xFFFA, so that the carry never makes 0 of one.
    movw de, constant
    movw ax, [de]
    addw ax, [hl+0]
    movw sum, ax
.irp k, 2, 4, 6
    movw ax, [de+\k]
    sknc
    incw ax
    addw ax, [hl+\k]
    movw sum+\k, ax
.endr
    movw ax, de
    addw ax, #8
    movw constant, ax
    movw ax, hl
    addw ax, #8
    movw word, ax
    pop hl

    movw de, #0
.irp k, 0, 2, 4, 6
    big_sigma1 AT_E, \k
    choice \k
    mov x, a
    choice \k+1
    plus_carry \k
    plus \k, bc
    plus \k, [hl+AT_H+\k]
    plus \k, sum+\k
    movw [hl+AT_NEW+\k], ax
.endr
    mov a, [hl+AT_NEW]
    add a, [hl+AT_D]
    mov [hl+AT_D], a
.irp k, 1, 2, 3, 4, 5, 6, 7
    mov a, [hl+AT_NEW+\k]
    addc a, [hl+AT_D+\k]
    mov [hl+AT_D+\k], a
.endr
    mov e, #0
.irp k, 0, 2, 4, 6
    big_sigma0 AT_A, \k
    majority \k
    mov x, a
    majority \k+1
    plus_carry \k
    plus \k, bc
    plus \k, [hl+AT_NEW+\k]
    movw [hl+AT_NEW+\k], ax
.endr
    step hl, 8
    dec rounds
    skz
    br !round

    movw ax, constant
    cmpw ax, #_sha512_constants+640
    bz $feed
    movw bc, ax
    movw ax, [sp+0]
    addw ax, #LATER
    cmpw ax, word
    skz
    br !eight_rounds
    xchw ax, bc
    cmpw ax, #_sha512_constants+512
    sknz
    br !eight_rounds
    movw ax, bc
    movw de, ax
    subw ax, #128
    movw hl, ax
    movw word, ax
; Sixteen bytes more than words 16 to 31, likewise.
    mov b, #2
    call !copy
    br !eight_rounds

feed:
    pop ax
    movw hl, ax
    addw ax, #FRAME+64+AT_H
    movw de, ax
    mov b, #8
1:
    clr1 cy
.irp k, 0, 1, 2, 3, 4, 5, 6, 7
    mov a, [de+\k]
    addc a, [hl+\k]
    mov [hl+\k], a
.endr
    step hl, 8
    step de, 8
    dec b
    bnz $1b
    pop hl
    ret
    .size _hash_block_ax, . - _hash_block_ax
