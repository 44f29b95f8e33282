    .section .rodata.camellia_sbox, "a", @progbits
    .global _camellia_sbox
_camellia_sbox:
#define ROW(...) .byte __VA_ARGS__
#include "sbox.inc"
    .size _camellia_sbox, . - _camellia_sbox
