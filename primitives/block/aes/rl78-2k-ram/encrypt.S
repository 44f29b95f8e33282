; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 113
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  aes-128 encryption: 3,604 cycles, 4 bytes of stack, 578 bytes of ROM
;   measured  aes-128 decryption: 3,654 cycles, 4 bytes of stack, 1,691 bytes of ROM
;   measured  aes-128 both: 3,654 cycles, 4 bytes of stack, 2,013 bytes of ROM
;   time      constant
;
; Decryption keeps the last word of each round key, 56 bytes, and no other: all words of a round key are
; sums of four of them (FIPS 197, section 5.2), so that making them costs half as much, and nothing has to
; be stepped back. Encryption needs no more than 64 bytes of RAM, so it is that of the variant for both
; directions within 2 KB.

#include "rl78_column_encrypt.inc"
