/* FIPS 197, table 4. */
    .section .rodata.aes_sbox, "a", @progbits
    .global _aes_sbox
    .type _aes_sbox, @object
_aes_sbox:
#define ROW(...) .byte __VA_ARGS__
#include "aes_sbox.inc"
    .size _aes_sbox, . - _aes_sbox
