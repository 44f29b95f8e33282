/* FIPS 197, table 6. */
    .section .rodata.aes_inverse_sbox, "a", @progbits
    .balign 2
    .global _aes_inverse_sbox
    .type _aes_inverse_sbox, @object
_aes_inverse_sbox:
#define ROW(...) .byte __VA_ARGS__
#include "inverse_sbox.inc"
    .size _aes_inverse_sbox, . - _aes_inverse_sbox
