; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 51
;   keeps     HL, bank 2
;   loses     AX, BC, DE, bank 1
;   measured  aes-128 encryption: 525,318 to 649,079 cycles, 10 bytes of stack, 177 bytes of ROM
;   measured  aes-128 decryption: 652,514 to 818,636 cycles, 12 bytes of stack, 256 bytes of ROM
;   measured  aes-128 both: 667,287 to 816,392 cycles, 12 bytes of stack, 403 bytes of ROM
;   time      depends on the data, since the inverse in the S-box is searched
;
; The S-box is computed (FIPS 197, section 5.1.1): no table. A loop steps through the multiples by powers of
; 3 of the byte and of 1 together, until one of them is 1. One loop makes the round key and adds it: a byte
; of the key goes to the text and to the byte of the key four places on. MixColumns four times is the
; identity, and so is the affine part of the S-box: decryption does both three times.

#include "rl78_small_encrypt.inc"
