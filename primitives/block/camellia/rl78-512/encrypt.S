; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 47
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  camellia-128 encryption: 105,696 to 122,798 cycles, 16 bytes of stack, 501 bytes of ROM
;   measured  camellia-128 decryption: 133,072 to 150,871 cycles, 16 bytes of stack, 501 bytes of ROM
;   measured  camellia-128 both: 131,882 to 151,721 cycles, 16 bytes of stack, 512 bytes of ROM
;   time      depends on the data, since inverses are found by multiplying until a known one is met
;
; A table of the S-box, 256 bytes, leaves too little for the rest, so it is the inverse in GF(2^8) between
; two affine maps: the argument times a power of 2 that is below 35 has its inverse in a table. Both
; directions read one list of rounds, of which decryption begins at the end. KL and KA turn in place by the
; 15 or 17 bits between two rotations of RFC 3713, section 2.2, byte by byte where that is possible.

#include "rl78_small.inc"

    .section .text.block_encrypt_ax, "ax", @progbits
    .global _block_encrypt_ax
    .type _block_encrypt_ax, @function
_block_encrypt_ax:
    movw PLACE, #_camellia_list
    movw STEP, #1
    br !_camellia
    .size _block_encrypt_ax, . - _block_encrypt_ax
