#include "small.inc"

; The last entry first.
    .section .rodata.present_inverse, "a", @progbits
_present_inverse:
    .byte 10, 9, 7, 0, 3, 6, 4, 11, 13, 2, 1, 12, 8, 15, 14, 5

; An old word's high three bits go below the one before.
.macro back to, low, high:vararg
    movw bc, \low
    shlw bc, 3
    movw ax, \high
    shrw ax, 13
    addw ax, bc
    movw \to, ax
.endm

    .section .text.block_decrypt_ax, "ax", @progbits
    .global _block_decrypt_ax
    .type _block_decrypt_ax, @function
_block_decrypt_ax:
    push hl
    call !_present_begin
1:
    call !_present_forward
    cmp a, #124
    bnz $1b
    movw de, #_present_inverse
    call !_present_copy
2:
    call !_present_add
    cmp0 a
    bz $3f
    call !_present_permute
    call !_present_permute
    call !_present_substitute
    mov a, w4+1
    high
    mov x, w4
    movw de, ax
    shlw ax, 3
    movw bc, ax
    movw ax, w3
    shrw ax, 13
    addw ax, bc
    push ax
    back w4, w3, w2
    back w3, w2, w1
    back w2, w1, w0
    mov a, number
    xor a, w2
    mov w2, a
    mov a, number
    sub a, #4
    mov number, a
    movw ax, w0
    shlw ax, 3
    movw bc, ax
    movw ax, de
    shrw ax, 13
    addw ax, bc
    movw w1, ax
    pop ax
    movw w0, ax
    br $2b
3:
    pop hl
    ret
    .size _block_decrypt_ax, . - _block_decrypt_ax
