/* FIPS 197, table 6, on a page of its own. */
    .section .progmem.data.aes_inverse_sbox, "a", @progbits
    .balign 256
    .global aes_inverse_sbox
    .type aes_inverse_sbox, @object
aes_inverse_sbox:
#define ROW(...) .byte __VA_ARGS__
#include "inverse_sbox.inc"
    .size aes_inverse_sbox, . - aes_inverse_sbox
