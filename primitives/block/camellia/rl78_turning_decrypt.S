#include "speed.inc"
#include "rl78.inc"

; Rotates the string at DE to the right by 15 bits: two bytes to the right and a bit to the left.
.macro right_15
    movw ax, [de+14]
    movw bc, ax
    mov a, x
    rolc a, 1
    .irp i, 12, 10, 8, 6, 4, 2, 0
    movw ax, [de+\i]
    xch a, x
    rolwc ax, 1
    xch a, x
    movw [de+\i+2], ax
    .endr
    movw ax, bc
    xch a, x
    rolwc ax, 1
    xch a, x
    movw [de], ax
.endm

function camellia_right_15
    right_15
    ret
end_function camellia_right_15

; By 17 bits: two bytes and a bit to the right, from the first to the last; BC has the pair that the next
; result overwrites.
.macro right_17
    mov a, [de+13]
    rorc a, 1
    movw ax, [de+14]
    movw bc, ax
    .irp i, 0, 2, 4, 6, 8, 10, 12, 14
    .if \i < 14
    movw ax, [de+\i]
    xchw ax, bc
    .else
    movw ax, bc
    .endif
    xch a, x
    rorc a, 1
    xch a, x
    rorc a, 1
    movw [de+\i], ax
    .endr
.endm

function camellia_right_17
    right_17
    ret
end_function camellia_right_17

function camellia_right_17_two_rounds
    turn right_17
; Two rounds, first with the right half of the string at DE.
1:
    movw ax, de
    addw ax, #8
    xchw ax, de
    br !_camellia_two_rounds_with
    .global _camellia_right_15_two_rounds
_camellia_right_15_two_rounds:
    turn right_15
    br $1b
end_function camellia_right_17_two_rounds

function camellia_back_fl_layer
    movw ax, de
    addw ax, #8
    xchw ax, de
    br !_camellia_fl_layer
end_function camellia_back_fl_layer

function block_decrypt_ax
    push hl
    make_ka
    movw de, KA
    call !_camellia_right_17
    call !_camellia_add
    movw de, KL
    call !_camellia_right_17_two_rounds
    movw de, KA
    call !_camellia_right_17_two_rounds
    movw de, KL
    call !_camellia_right_17_two_rounds
    movw de, KL
    call !_camellia_right_17
    call !_camellia_back_fl_layer
    movw de, KA
    call !_camellia_right_17
    call !_camellia_right_17_two_rounds
    movw de, KA
    call !_camellia_right_15
    movw de, KL
    call !_camellia_right_17
    movw ax, de
    addw ax, #8
    movw de, ax
    movw ax, KA
    call !_camellia_two_rounds_with
    movw de, KL
    call !_camellia_right_15_two_rounds
    movw de, KA
    call !_camellia_right_15
    call !_camellia_back_fl_layer
    movw de, KA
    call !_camellia_right_15_two_rounds
    movw de, KL
    call !_camellia_right_15
    call !_camellia_right_15_two_rounds
    movw de, KA
    call !_camellia_right_15_two_rounds
    movw de, KL
    call !_camellia_right_15
    swap_and_add
    pop hl
    ret
end_function block_decrypt_ax
