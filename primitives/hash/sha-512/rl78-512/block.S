; Pointer interface
;   record    chaining value 0 to 63, block 64 to 191, work 192 to 369
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  sha-384 block: 7,594,547 cycles, 16 bytes of stack, 504 bytes of ROM
;   measured  sha-512 block: 7,594,547 cycles, 16 bytes of stack, 504 bytes of ROM
;   time      constant
;
; FIPS 180-4, section 6.4.2, in loops over bytes, the round constants computed anew for each block: see
; computed.inc. Numbers are doubled by words of 16 bits and added by four bytes in each turn of a loop.

#define FAST 1
#include "computed.inc"
