; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 47
;   keeps     HL, bank 2
;   loses     AX, BC, DE, bank 3
;   measured  camellia-128 encryption: 352,096 to 437,545 cycles, 24 bytes of stack, 430 bytes of ROM
;   measured  camellia-128 decryption: 876,597 to 954,415 cycles, 24 bytes of stack, 430 bytes of ROM
;   measured  camellia-128 both: 875,804 to 961,500 cycles, 24 bytes of stack, 441 bytes of ROM
;   time      depends on the data, since inverses are found by multiplying until a known one is met
;
; The least ROM at any speed. The S-box is the inverse in GF(2^8) between two affine maps, found by counting,
; and both directions read one list of rounds, of which decryption begins at the end. KL and KA turn in place
; by the 15 or 17 bits between two rotations of RFC 3713, section 2.2, so that every subkey is a half of one
; of them.

#include "rl78_small.inc"

    .section .text.block_encrypt_ax, "ax", @progbits
    .global _block_encrypt_ax
    .type _block_encrypt_ax, @function
_block_encrypt_ax:
    movw PLACE, #_camellia_list
    movw STEP, #1
    br !_camellia
    .size _block_encrypt_ax, . - _block_encrypt_ax
