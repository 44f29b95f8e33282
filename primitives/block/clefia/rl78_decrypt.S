#include "rl78_parts.inc"

; The T before this one, and R from that.
.macro step_back
    movw ax, T_WORD
    shlw ax, 1
    sknc
    xor a, #0xa8
    xch a, x
    sknc
    xor a, #0x31
    xch a, x
    movw T_WORD, ax
    shlw ax, 1
    sknc
    inc x
    movw R_WORD, ax
.endm

    .section .text.block_decrypt_ax, "ax", @progbits
    .global _block_decrypt_ax
    .type _block_decrypt_ax, @function
_block_decrypt_ax:
    push hl
    movw hl, ax
    call !_clefia_make_l
    mov LEFT, #8
1:
    call !_clefia_swap
    dec LEFT
    bnz $1b
    movw T_WORD, #0x87c1
    movw ax, #KEY+8
    call !_clefia_whiten
    back
    clrb LEFT
    br !first
rounds:
    exchange
    swap L+8, L
first:
    dec LEFT
    keys 8
    step_back
    call !_clefia_next_halves
    dec LEFT
    keys 0
    step_back
    call !_clefia_halves
    cmp LEFT, #0x100-18
    skz
    br !rounds
    movw ax, #KEY
    call !_clefia_whiten
    pop hl
    ret
    .size _block_decrypt_ax, . - _block_decrypt_ax
