; On the stack.
#define w0 [sp+0]
#define number [sp+2]


#include "rl78.inc"
#include "rl78_back.inc"
; S(n) ^ n in the high nibble, for the key.
_present_top:
    .byte 0xc0, 0x40, 0x40, 0x80, 0xd0, 0x50, 0xc0, 0xa0, 0xb0, 0x70, 0x50, 0x30, 0x80, 0xa0, 0xf0, 0xd0

    .section .text.block_decrypt_ax, "ax", @progbits
    .global _block_decrypt_ax
    .type _block_decrypt_ax, @function
_block_decrypt_ax:
    push hl
    movw hl, ax
    push hl
    subw sp, #4
    mov c, #8
3:
    mov a, [hl+8]
    mov w1-1-0xf0000[c], a
    incw hl
    dec c
    bnz $3b
    mov a, [hl+9]
    mov x, a
    mov a, [hl+8]
    movw w0, ax
    clrb a
1:
    add a, #4
    mov number, a
    xor a, w2
    mov w2, a
    forward _present_top, 1
    movw w4, ax
    mov a, number
    cmp a, #124
    bnz $1b
    movw ax, [sp+4]
    movw hl, ax
    text load
2:
    round
    mov a, number
    sub a, #4
    mov number, a
    skz
    br $!2b
    addw sp, #4
    pop hl
    text store
    pop hl
    ret
    .size _block_decrypt_ax, . - _block_decrypt_ax
