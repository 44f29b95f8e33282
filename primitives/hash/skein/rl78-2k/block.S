; Pointer interface
;   record    work 0 to 31, block 32 to 63 (kept), tweak 64 to 79, chaining value 80 to 111, work 112 to 183
;   keeps     HL, bank 2, the tweak
;   loses     AX, BC, DE, banks 1 and 3
;   measured  skein-256-256 block: 11,183 cycles, 10 bytes of stack, 2,038 bytes of ROM
;   time      constant
;
; One block of unique block iteration (Skein 1.3, section 3.4): the chaining value becomes Threefish of the
; block under the chaining value and the tweak, plus the block. Bytes stand as in the specification, lowest
; first.
;
; Eight rounds are written out, so that whole bytes of a turn are addresses; the bits of a turn come by one
; shift of two neighbouring bytes for each byte, and sums are stored on the way. The second and the fourth
; word move to a free place in each mix, two of three of which are banks 0 and 1, where X can be loaded; half
; of the first word is in registers. Key and tweak stand a second time behind themselves: a subkey is a place
; in them.

#include "rl78_mix.inc"

#define B 32
; The record, with the rings of key and tweak that follow it: five words of the key and four of them again,
; three of the tweak and the first again.
#define TWEAK   64
#define KEY     80
#define TWEAKS  152
; Offsets of the words that come next, and the number of the step, in room of the state that is not needed.
#define KEY_AT   8
#define TWEAK_AT 10
#define STEP     12
#define B_OF_BANK_3 0xffee3

    .section .rodata.skein_parity, "a", @progbits
_skein_parity:
    .byte 0x22, 0x1a, 0xfc, 0xa9, 0xda, 0x1b, 0xd1, 0x1b

; An addition of a word of key or tweak, at DE, to an odd word or to an even one beyond the first.
.macro inject place, from
    movw ax, [de + \from]
    odd addw, ax, \place, 0
    .if \place > 255
    movw \place, ax
    .else
    movw [hl + \place], ax
    .endif
    .irp at, 2, 3, 4, 5, 6, 7
    mov a, [de + \from + \at]
    odd addc, a, \place, \at
    store_odd \place, \at
    .endr
.endm

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type _hash_block_ax, @function
_hash_block_ax:
    push hl
    sel rb3
    movw ax, 0xffef8
    movw hl, ax
    push ax
    clrb b
1:
    mov a, _skein_parity[b]
    xor a, [hl+KEY]
    xor a, [hl+KEY+8]
    xor a, [hl+KEY+16]
    xor a, [hl+KEY+24]
    mov [hl+KEY+32], a
    mov a, [hl+TWEAK]
    mov [hl+TWEAKS], a
    mov [hl+TWEAKS+24], a
    mov x, a
    mov a, [hl+TWEAK+8]
    mov [hl+TWEAKS+8], a
    xor a, x
    mov [hl+TWEAKS+16], a
    mov a, [hl+B+8]
    mov BANK_0 - 0xf0000[b], a
    incw hl
    inc b
    bf B_OF_BANK_3.3, $1b
    pop hl
    push hl
    mov b, #8
2:
    .rept 2
    movw ax, [hl+B]
    movw [hl], ax
    movw ax, [hl+KEY]
    movw [hl+KEY+40], ax
    incw hl
    incw hl
    .endr
    dec b
    bnz $2b
    pop hl
    movw ax, [hl+4]
    movw bc, ax
    movw ax, #KEY
    movw [hl+KEY_AT], ax
    movw ax, #TWEAKS
    movw [hl+TWEAK_AT], ax
    clrw ax
    movw [hl+STEP], ax
    call !first
rounds:
    two_rounds 14, 16, 52, 57
    two_rounds 23, 40, 5, 37
    call !step
    two_rounds 25, 33, 46, 12
    two_rounds 58, 22, 32, 32
    call !step
    mov a, [hl+STEP]
    cmp a, #19
    skz
    br !rounds
    movw ax, bc
    movw [hl+4], ax
    .irp at, 0, 2, 4, 6
    movw ax, BANK_0+\at
    movw [hl+8+\at], ax
    .endr
    mov b, #B/2
3:
    .rept 2
    mov a, [hl]
    xor a, [hl+B]
    mov [hl+KEY], a
    incw hl
    .endr
    dec b
    bnz $3b
    sel rb0
    pop hl
    ret

step:
    movw ax, de
    movw [hl+6], ax
first:
    movw ax, [hl+KEY_AT]
    addw ax, hl
    movw de, ax
    movw ax, [de]
    addw ax, [hl+0]
    movw [hl], ax
    mov a, [de+2]
    addc a, [hl+2]
    mov [hl+2], a
    mov a, [de+3]
    addc a, [hl+3]
    mov [hl+3], a
    mov a, [de+4]
    addc c, a
    mov a, [de+5]
    addc b, a
    mov a, [de+6]
    addc a, [hl+6]
    mov [hl+6], a
    mov a, [de+7]
    addc a, [hl+7]
    mov [hl+7], a
    inject BANK_0, 8
    inject 16, 16
    inject 24, 24
    movw ax, [hl+TWEAK_AT]
    addw ax, hl
    movw de, ax
    inject BANK_0, 0
    inject 16, 8
    movw ax, [hl+STEP]
    addw ax, [hl+24]
    movw [hl+24], ax
    .irp at, 26, 27, 28, 29, 30, 31
    mov a, [hl+\at]
    addc a, #0
    mov [hl+\at], a
    .endr
    incw [hl+STEP]
    movw ax, [hl+KEY_AT]
    addw ax, #8
    cmpw ax, #KEY+40
    sknz
    movw ax, #KEY
    movw [hl+KEY_AT], ax
    movw ax, [hl+TWEAK_AT]
    addw ax, #8
    cmpw ax, #TWEAKS+24
    sknz
    movw ax, #TWEAKS
    movw [hl+TWEAK_AT], ax
    movw ax, [hl+6]
    movw de, ax
    ret
    .size _hash_block_ax, . - _hash_block_ax
