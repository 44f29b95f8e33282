; Pointer interface
;   record    text 0 to 7, key 8 to 17 (kept), work 18 to 37
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  present-80 encryption: 15,178 cycles, 18 bytes of stack, 369 bytes of ROM
;   measured  present-80 decryption: 22,553 cycles, 18 bytes of stack, 484 bytes of ROM
;   measured  present-80 both: 22,553 cycles, 18 bytes of stack, 508 bytes of ROM
;   time      constant
;
; The bit layer (section 2, pLayer) moves bit i to 16 i modulo 63, and 16 to the third power is 1 modulo 63:
; its inverse is the layer taken twice. So both directions share it, the addition of the key, the
; substitution of nibbles through a table of which each direction has its copy in RAM, and the key schedule
; forwards; decryption has that backwards besides. The layer exchanges single bits within bytes, pairs of
; bits within words and nibbles between words.

#include "small.inc"

    .section .text.block_encrypt_ax, "ax", @progbits
    .global _block_encrypt_ax
    .type _block_encrypt_ax, @function
_block_encrypt_ax:
    push hl
    call !_present_begin
1:
    call !_present_add
    cmp a, #124
    bz $2f
    call !_present_substitute
    call !_present_permute
    call !_present_forward
    br $1b
2:
    pop hl
    ret
    .size _block_encrypt_ax, . - _block_encrypt_ax
