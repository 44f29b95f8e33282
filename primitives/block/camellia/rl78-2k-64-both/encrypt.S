; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 47
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  camellia-128 encryption: 4,138 cycles, 14 bytes of stack, 1,537 bytes of ROM
;   measured  camellia-128 decryption: 4,238 cycles, 14 bytes of stack, 1,544 bytes of ROM
;   measured  camellia-128 both: 4,238 cycles, 14 bytes of stack, 1,935 bytes of ROM
;   time      constant
;
; The method of rl78-1k with less of it in subroutines and loops, and with SBOX2 in a table.

#include "rl78_turning_encrypt.inc"
