; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 229
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  camellia-128 encryption: 4,279 cycles, 24 bytes of stack, 986 bytes of ROM
;   measured  camellia-128 decryption: 4,285 cycles, 24 bytes of stack, 998 bytes of ROM
;   measured  camellia-128 both: 4,285 cycles, 24 bytes of stack, 1,021 bytes of ROM
;   time      constant
;
; The method of rl78-1k-ram for both directions in 1 KB: what these have in common is the order of rounds and
; layers, and they differ in a list of the places of subkeys.

#include "rl78.inc"
#define SHIFT 0
#include "rl78_strings.inc"
#include "pointers.inc"

function block_encrypt_ax
    push hl
    call !_camellia_start
    clrb LISTED
    call !_camellia_add_kl
    call !_camellia_rounds
    movw ax, #KA_1+6
    call !_camellia_add
    call !_camellia_swap
    pop hl
    ret
end_function block_encrypt_ax
