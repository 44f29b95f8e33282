; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 47
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  camellia-128 encryption: 4,478 cycles, 16 bytes of stack, 1,006 bytes of ROM
;   measured  camellia-128 decryption: 4,578 cycles, 16 bytes of stack, 1,013 bytes of ROM
;   measured  camellia-128 both: 4,578 cycles, 16 bytes of stack, 1,404 bytes of ROM
;   time      constant
;
; The work is KA (RFC 3713, section 2.2), made anew on every call. Every subkey is a half of KL or of KA, for
; both turn along with the rounds: by 15 bits up to 60, then by 17, which is two bytes and one bit in either
; case. After the last turn KL is the key again. Decryption turns them the other way.

#include "rl78_turning_encrypt.inc"
