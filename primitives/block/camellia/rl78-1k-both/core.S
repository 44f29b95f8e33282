#include "rl78.inc"
#include "rl78_f.inc"
#include "rl78_fl.inc"
#include "rl78_strings.inc"
#include "pointers.inc"

#define ADD_TIMES 2

; The address of the next subkey of the list, in AX alone.
function camellia_subkey
    mov b, LISTED
    inc LISTED
    mov a, _camellia_list[b]
    shrw ax, 8
    addw ax, RECORD
    ret
end_function camellia_subkey

; Two rounds on the block at HL with the next subkey of the list and that which is DISTANCE behind.
function camellia_two_rounds
    call !_camellia_subkey
    .global _camellia_two_rounds_from
; The first subkey is at AX.
_camellia_two_rounds_from:
    movw de, ax
    addw ax, DISTANCE
    .global _camellia_two_rounds_with
; The subkeys are at DE and AX.
_camellia_two_rounds_with:
    two_rounds
end_function camellia_two_rounds

; Adds the 16 bytes at DE to those at HL, KL or those AX behind the record.
function camellia_add_kl
    movw ax, #16
    .global _camellia_add
; Those at AX in the record.
_camellia_add:
    addw ax, RECORD
    movw de, ax
    push hl
    mov c, #ADD_TIMES
1:
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    .if \i * ADD_TIMES < 16
    with_both \i, \i, xor
    store_a \i
    .endif
    .endr
    movw ax, de
    addw ax, #16/ADD_TIMES
    movw de, ax
    movw ax, hl
    addw ax, #16/ADD_TIMES
    movw hl, ax
    dec c
    bnz $1b
    pop hl
    ret
end_function camellia_add_kl

; RFC 3713, sections 2.4.2 and 2.4.3, on the block at HL, with subkeys as two rounds have.
function camellia_fl_layer
    call !_camellia_subkey
    movw de, ax
    addw ax, DISTANCE
    push ax
    call $!1f
    call $!2f
    pop de
    push hl
    movw hl, SECOND
    call $!2f
    call $!1f
    pop hl
    ret
1:
    fl_right
    ret
2:
    fl_left
    ret
end_function camellia_fl_layer

; Makes of the string at HL the one that is rotated to the right by a bit more, with its start again behind
; its end.
function camellia_turn
    mov a, [hl+15]
    rorc a, 1
    .irp i, 0, 2, 4, 6, 8, 10, 12, 14
    movw ax, [hl+\i]
    xch a, x
    rorc a, 1
    xch a, x
    rorc a, 1
    movw [hl+\i+STRIDE], ax
    .if \i < STRIDE-16
    movw [hl+\i+STRIDE+16], ax
    .endif
    .endr
    movw ax, hl
    addw ax, #STRIDE
    movw hl, ax
    ret
end_function camellia_turn

; Makes KA and what is rotated of both strings, of the record at AX, where HL points to in the end.
function camellia_start
    movw RECORD, ax
    addw ax, #16
    movw hl, ax
    movw de, ax
    call $!1f
    movw ax, de
    addw ax, #KA_0-16
    set_block
    .irp i, 0, 2, 4, 6, 8, 10, 12, 14
    movw ax, [de+\i]
    movw [hl+\i], ax
    .endr
    movw DISTANCE, #8
    movw ax, #_camellia_sigma
    call !_camellia_two_rounds_from
    call !_camellia_add_kl
    movw ax, #_camellia_sigma+16
    call !_camellia_two_rounds_from
    call $!1f
    movw ax, RECORD
    set_block
    ret
1:
    call !_camellia_turn
    call !_camellia_turn
    call !_camellia_turn
    br !_camellia_turn
end_function camellia_start

; All rounds and layers. The list says where the first subkey of each is; it is the left one in encryption up
; to the ninth round, which takes its subkeys from both strings, and the right one behind it. Decryption has
; it the other way round, but the strings, too.
function camellia_rounds
    call $!1f
    call !_camellia_fl_layer
    call !_camellia_two_rounds
    call !_camellia_subkey
    movw de, ax
    call !_camellia_subkey
    call !_camellia_two_rounds_with
    movw DISTANCE, #-8
    call !_camellia_two_rounds
    call !_camellia_fl_layer
1:
    call !_camellia_two_rounds
    call !_camellia_two_rounds
    br !_camellia_two_rounds
end_function camellia_rounds

; Exchanges the halves of the block at HL.
function camellia_swap
    .irp i, 0, 2, 4, 6
    movw ax, [hl+\i]
    movw bc, ax
    movw ax, [hl+\i+8]
    movw [hl+\i], ax
    movw ax, bc
    movw [hl+\i+8], ax
    .endr
    ret
end_function camellia_swap

    .section .rodata.camellia_list, "a", @progbits
    .global _camellia_list
_camellia_list:
    .byte KA_0, KL_1+2, KA_1+2, KA_2+4, KL_3+6, KA_3+6, KL_4, KA_4+8, KL_3+10, KL_2+12, KA_2+12, KL_1+14
    .byte KL_1+6, KA_2+4, KL_2+4, KL_3+2, KA_4, KL_4, KA_3+6, KL_3+14, KA_2+12, KA_1+10, KL_1+10, KA_0+8
    .size _camellia_list, . - _camellia_list
