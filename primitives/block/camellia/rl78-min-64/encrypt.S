; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 47
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  camellia-128 encryption: 350,978 to 442,225 cycles, 16 bytes of stack, 441 bytes of ROM
;   measured  camellia-128 decryption: 870,734 to 966,557 cycles, 16 bytes of stack, 441 bytes of ROM
;   measured  camellia-128 both: 873,958 to 958,653 cycles, 16 bytes of stack, 452 bytes of ROM
;   time      depends on the data, since inverses are found by multiplying until a known one is met
;
; The variant rl78-min with bank 1 for the S-box, for which that one keeps registers on the stack: the least
; ROM that gets by with 64 bytes of RAM.

#include "rl78_small.inc"

    .section .text.block_encrypt_ax, "ax", @progbits
    .global _block_encrypt_ax
    .type _block_encrypt_ax, @function
_block_encrypt_ax:
    movw PLACE, #_camellia_list
    movw STEP, #1
    br !_camellia
    .size _block_encrypt_ax, . - _block_encrypt_ax
