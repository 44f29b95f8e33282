; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 47
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  clefia-128 encryption: 6,902 cycles, 16 bytes of stack, 1,632 bytes of ROM
;   measured  clefia-128 decryption: 7,427 cycles, 16 bytes of stack, 1,793 bytes of ROM
;   measured  clefia-128 both: 7,427 cycles, 16 bytes of stack, 2,048 bytes of ROM
;   time      constant
;
; Two rounds stand in line for both directions, on words in the text's place (RFC 6114, section 5), whose
; halves change places after them. First they make L of a copy of the key in its place (section 6). Decryption
; takes L to its end by DoubleSwap and back by its inverse, which is the same with the halves exchanged.

#include "rl78_parts.inc"

    .section .text.block_encrypt_ax, "ax", @progbits
    .global _block_encrypt_ax
    .type _block_encrypt_ax, @function
_block_encrypt_ax:
    push hl
    movw hl, ax
    call !_clefia_make_l
    movw ax, #KEY
    call !_clefia_whiten
    mov LEFT, #-18
    br !first
rounds:
    exchange
    call !_clefia_swap
first:
    keys 0
    call !_clefia_round
    inc LEFT
    keys 8
    call !_clefia_next_round
    inc LEFT
    skz
    br !rounds
    forth
    movw ax, #KEY+8
    call !_clefia_whiten
    pop hl
    ret
    .size _block_encrypt_ax, . - _block_encrypt_ax
