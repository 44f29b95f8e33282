; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 51
;   keeps     HL, bank 2
;   loses     AX, BC, DE, bank 1
;   measured  aes-128 encryption: 185,323 to 225,823 cycles, 10 bytes of stack, 424 bytes of ROM
;   measured  aes-128 decryption: 73,552 to 110,602 cycles, 12 bytes of stack, 480 bytes of ROM
;   measured  aes-128 both: 185,873 to 222,798 cycles, 12 bytes of stack, 627 bytes of ROM
;   time      depends on the data, since the S-box is searched for
;
; Decryption that fits 512 bytes with a table: the S-box of the key schedule is where a byte stands in the
; inverse S-box (FIPS 197, section 5.3.2), which is searched. Else the code is that of the variant with the
; least ROM: one loop makes the round key and adds it, MixColumns three times is its inverse.

#include "rl78_small_encrypt.inc"
