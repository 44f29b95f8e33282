; Pointer interface
;   record    chaining value 0 to 63, block 64 to 191, work 192 to 369
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  sha-384 block: 22,832,067 cycles, 12 bytes of stack, 378 bytes of ROM
;   measured  sha-512 block: 22,832,067 cycles, 12 bytes of stack, 378 bytes of ROM
;   time      constant
;
; FIPS 180-4, section 6.4.2, in loops over bytes, the round constants computed anew for each block: see
; computed.inc. Numbers of 20 bytes are added by one loop; another steps back over them one by one.

#define FAST 0
#include "computed.inc"
