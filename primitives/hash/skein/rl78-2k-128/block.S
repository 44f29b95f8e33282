; Pointer interface
;   record    work 0 to 31, block 32 to 63 (kept), tweak 64 to 79, chaining value 80 to 111
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3, the tweak
;   measured  skein-256-256 block: 12,761 cycles, 16 bytes of stack, 2,042 bytes of ROM
;   time      constant
;
; One block of unique block iteration (Skein 1.3, section 3.4): the chaining value becomes Threefish of the
; block under the chaining value and the tweak, plus the block. Bytes stand as in the specification, lowest
; first.
;
; Eight rounds are written out, so that whole bytes of a turn are addresses; the bits of a turn come by one
; shift of two neighbouring bytes for each byte, and sums are stored on the way. The second and the fourth
; word move to a free place in each mix, two of three of which are banks 0 and 1, where X can be loaded; half
; of the first word is in registers. So a word of the state is free for the parity of the key; key and parity
; move down by a word for each subkey, and the second word of the tweak takes the first in.

#include "rl78_mix.inc"

#define B 32
; The record; the word that closes the ring of the key has room of the state that is not needed.
#define PARITY  8
#define TWEAK   64
#define KEY     80
#define B_OF_BANK_3 0xffee3

    .section .rodata.skein_parity, "a", @progbits
_skein_parity:
    .byte 0x22, 0x1a, 0xfc, 0xa9, 0xda, 0x1b, 0xd1, 0x1b

; An addition of a word of key or tweak to an odd word or to an even one beyond the first.
.macro inject place, from
    movw ax, [hl + \from]
    odd addw, ax, \place, 0
    .if \place > 255
    movw \place, ax
    .else
    movw [hl + \place], ax
    .endif
    .irp at, 2, 3, 4, 5, 6, 7
    mov a, [hl + \from + \at]
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
    mov b, #16
2:
    movw ax, [hl+B]
    movw [hl], ax
    incw hl
    incw hl
    dec b
    bnz $2b
    pop hl
    push hl
1:
    mov a, [hl+B+8]
    mov BANK_0 - 0xf0000[b], a
    mov a, _skein_parity[b]
    xor a, [hl+KEY]
    xor a, [hl+KEY+8]
    xor a, [hl+KEY+16]
    xor a, [hl+KEY+24]
    mov [hl+PARITY], a
    incw hl
    inc b
    bf B_OF_BANK_3.3, $1b
    pop hl
    movw ax, [hl+4]
    movw bc, ax
    movw ax, [hl+6]
    movw de, ax
    clrw ax
    push ax
    call !step
rounds:
    two_rounds 14, 16, 52, 57
    two_rounds 23, 40, 5, 37
    call !step
    two_rounds 25, 33, 46, 12
    two_rounds 58, 22, 32, 32
    call !step
    mov a, [sp]
    cmp a, #19
    skz
    br !rounds
    movw ax, bc
    movw [hl+4], ax
    movw ax, de
    movw [hl+6], ax
    .irp at, 0, 2, 4, 6
    movw ax, BANK_0+\at
    movw [hl+8+\at], ax
    .endr
    mov b, #B
3:
    mov a, [hl]
    xor a, [hl+B]
    mov [hl+KEY], a
    incw hl
    dec b
    bnz $3b
    pop ax
    sel rb0
    pop hl
    ret

; On the stack behind the return address: the number of the step, and 0.
step:
    movw ax, [hl]
    addw ax, [hl+KEY]
    movw [hl], ax
    mov a, [hl+KEY+2]
    addc a, [hl+2]
    mov [hl+2], a
    mov a, [hl+KEY+3]
    addc a, [hl+3]
    mov [hl+3], a
    mov a, [hl+KEY+4]
    addc c, a
    mov a, [hl+KEY+5]
    addc b, a
    mov a, [hl+KEY+6]
    addc e, a
    mov a, [hl+KEY+7]
    addc d, a
    inject BANK_0, KEY+8
    inject 16, KEY+16
    inject 24, KEY+24
    inject BANK_0, TWEAK
    inject 16, TWEAK+8
    movw ax, [sp+4]
    addw ax, [hl+24]
    movw [hl+24], ax
    .irp at, 26, 27, 28, 29, 30, 31
    mov a, [hl+\at]
    addc a, #0
    mov [hl+\at], a
    .endr
    push hl
    mov a, #2
    mov [sp+7], a
4:
    .irp at, 0, 2
    movw ax, [hl+KEY+\at]
    push ax
    movw ax, [hl+KEY+8+\at]
    movw [hl+KEY+\at], ax
    movw ax, [hl+KEY+16+\at]
    movw [hl+KEY+8+\at], ax
    movw ax, [hl+KEY+24+\at]
    movw [hl+KEY+16+\at], ax
    movw ax, [hl+PARITY+\at]
    movw [hl+KEY+24+\at], ax
    pop ax
    movw [hl+PARITY+\at], ax
    movw ax, [hl+TWEAK+8+\at]
    push ax
    xor a, [hl+TWEAK+1+\at]
    xch a, x
    xor a, [hl+TWEAK+\at]
    xch a, x
    movw [hl+TWEAK+8+\at], ax
    pop ax
    movw [hl+TWEAK+\at], ax
    .endr
    incw hl
    incw hl
    incw hl
    incw hl
    mov a, [sp+7]
    dec a
    mov [sp+7], a
    bnz $4b
    pop hl
    movw ax, [sp+4]
    incw ax
    movw [sp+4], ax
    ret
    .size _hash_block_ax, . - _hash_block_ax
