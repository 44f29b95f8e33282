; RFC 3713, section 2.4.4: SBOX3 is SBOX1 rotated.
.macro turned values:vararg
    .irp value, \values
    .byte (\value << 7 | \value >> 1) & 0xff
    .endr
.endm

    .section .rodata.camellia_sbox3, "a", @progbits
    .global _camellia_sbox3
_camellia_sbox3:
#define ROW(...) turned __VA_ARGS__
#include "sbox.inc"
    .size _camellia_sbox3, . - _camellia_sbox3
