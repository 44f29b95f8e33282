; RFC 3713, section 2.4.4: SBOX2 is SBOX1 rotated.
.macro turned values:vararg
    .irp value, \values
    .byte (\value << 1 | \value >> 7) & 0xff
    .endr
.endm

    .section .rodata.camellia_sbox2, "a", @progbits
    .global _camellia_sbox2
_camellia_sbox2:
#define ROW(...) turned __VA_ARGS__
#include "sbox.inc"
    .size _camellia_sbox2, . - _camellia_sbox2
