; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 47
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  camellia-128 encryption: 4,031 cycles, 10 bytes of stack, 1,937 bytes of ROM
;   measured  camellia-128 decryption: 4,122 cycles, 10 bytes of stack, 1,947 bytes of ROM
;   measured  camellia-128 both: 4,122 cycles, 10 bytes of stack, 2,490 bytes of ROM
;   time      constant
;
; The method of rl78-1k with less of it in subroutines and loops, and with SBOX2 and SBOX3 in tables.

#include "rl78_turning_encrypt.inc"
