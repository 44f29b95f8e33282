; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 59
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  aes-128 encryption: 3,604 cycles, 4 bytes of stack, 578 bytes of ROM
;   measured  aes-128 decryption: 4,118 cycles, 4 bytes of stack, 1,704 bytes of ROM
;   measured  aes-128 both: 4,118 cycles, 4 bytes of stack, 2,026 bytes of ROM
;   time      constant
;
; Encryption: the round key takes the place of the text, the state lies in work, in the order in which
; columns need it: row r of column c goes to column c - r, three bytes to the left for each row. What falls
; out on the left is copied to the right end before the next round (FIPS 197, section 5.1.2). Decryption has
; the state in banks 1 and 3, makes the last round key first and then steps back.

#include "rl78_column_encrypt.inc"
