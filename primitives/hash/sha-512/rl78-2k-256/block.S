; Pointer interface
;   record    chaining value 0 to 63, block 64 to 191, work 192 to 247
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  sha-384 block: 55,140 cycles, 6 bytes of stack, 2,029 bytes of ROM
;   measured  sha-512 block: 55,140 cycles, 6 bytes of stack, 2,029 bytes of ROM
;   time      constant
;
; One round of FIPS 180-4, section 6.4.2, without loops. Words lie with their low byte first, those of the
; chaining value in reverse order. Chaining value, schedule and
; working variables are 256 bytes and the return address 4; so h, to which all is added, is bank 3. The new
; word of the schedule takes the place of the oldest one, at addresses that are computed modulo 128.

; Places in banks 3 and 1. Offset counts the bytes of the constants.
BANKS = 0xffe00
sum = BANKS + 0xe0
block = BANKS + 0xf0
offset = BANKS + 0xf2
kept0 = BANKS + 0xf4
kept1 = BANKS + 0xf5
kept2 = BANKS + 0xf6
carry = BANKS + 0xf7
SUM_NEAR = 0xfee0

; Offsets from the block.
AT_G = 128
AT_F = 136
AT_E = 144
AT_D = 152
AT_C = 160
AT_B = 168
AT_A = 176

#include "rotations.inc"

.macro majority k
    mov a, [hl+AT_B+\k]
    xor a, [hl+AT_C+\k]
    mov kept1, a
    mov a, [hl+AT_A+\k]
    xor a, [hl+AT_B+\k]
    and a, kept1
    xor a, [hl+AT_B+\k]
.endm

; AX = address of the schedule's word number \ahead from the oldest one on.
.macro schedule ahead
    mov a, offset
.if \ahead
    add a, #8*\ahead
.endif
    and a, #0x78
    mov x, a
    clrb a
    addw ax, block
.endm

; Adds BC to word k / 2 of the schedule's word at DE.
.macro to_schedule k
.if \k
    mov1 cy, carry.0
    mov a, [de+\k]
    addc a, c
.else
    mov a, [de]
    add a, c
.endif
    mov [de+\k], a
    mov a, [de+\k+1]
    addc a, b
    mov [de+\k+1], a
.if \k < 6
    mov1 carry.0, cy
.endif
.endm

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type _hash_block_ax, @function
_hash_block_ax:
    push hl
    movw hl, ax
    addw ax, #64
    movw block, ax
    clrw ax
    movw offset, ax
.irp k, 0, 2, 4, 6
    movw ax, [hl+\k]
    movw sum+\k, ax
.endr
    mov b, #28
1:
    movw ax, [hl+8]
    movw [hl+64+AT_G], ax
    incw hl
    incw hl
    dec b
    bnz $1b

round:
    movw ax, offset
    addw ax, #_sha512_constants
    movw de, ax
    schedule 0
    movw hl, ax
    clrw bc
; No word of the constants is above 0xFFFA.
.irp k, 0, 2, 4, 6
    movw ax, [de+\k]
.if \k
    addw ax, bc
    clrw bc
.endif
    addw ax, [hl+\k]
.if \k < 6
    sknc
    inc c
.endif
    addw ax, sum+\k
.if \k < 6
    sknc
    inc c
.endif
    movw sum+\k, ax
.endr
    movw ax, offset
    cmpw ax, #512
    skc
    br !no_schedule
    movw ax, hl
    movw de, ax
    schedule 9
    movw hl, ax
    mov a, [de]
    add a, [hl]
    mov [de], a
.irp k, 1, 2, 3, 4, 5, 6, 7
    mov a, [de+\k]
    addc a, [hl+\k]
    mov [de+\k], a
.endr
    schedule 1
    movw hl, ax
.irp k, 0, 2, 4, 6
    small_sigma0 0, \k
    to_schedule \k
.endr
    schedule 14
    movw hl, ax
.irp k, 0, 2, 4, 6
    small_sigma1 0, \k
    to_schedule \k
.endr
no_schedule:
    movw hl, block
    movw de, #0
.irp k, 0, 2, 4, 6
    big_sigma1 AT_E, \k
    choice \k
    mov x, a
    choice \k+1
    plus_carry \k
    plus \k, bc
    plus \k, sum+\k
    movw sum+\k, ax
.endr
    mov a, sum
    add a, [hl+AT_D]
    mov [hl+AT_D], a
.irp k, 1, 2, 3, 4, 5, 6, 7
    mov a, sum+\k
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
    plus \k, sum+\k
    movw sum+\k, ax
.endr
.irp k, 0, 2, 4, 6
    movw bc, sum+\k
    movw ax, [hl+AT_G+\k]
    movw sum+\k, ax
.irp to, AT_G, AT_F, AT_E, AT_D, AT_C, AT_B
    movw ax, [hl+\to+8+\k]
    movw [hl+\to+\k], ax
.endr
    movw ax, bc
    movw [hl+AT_A+\k], ax
.endr
    movw ax, offset
    addw ax, #8
    movw offset, ax
    cmpw ax, #640
    skz
    br !round

    movw ax, block
    subw ax, #64
    movw hl, ax
    movw de, #SUM_NEAR
    mov c, #8
1:
    mov b, #8
    clr1 cy
2:
    mov a, [de]
    addc a, [hl]
    mov [hl], a
    incw de
    incw hl
    dec b
    bnz $2b
    movw ax, hl
    addw ax, #64+AT_G-8
    movw de, ax
    dec c
    bnz $1b
    pop hl
    ret
    .size _hash_block_ax, . - _hash_block_ax
