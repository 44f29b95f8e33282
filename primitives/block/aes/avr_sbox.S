/* FIPS 197, table 4, on a page of its own, so that an index is the low byte of an address. */
    .section .progmem.data.aes_sbox, "a", @progbits
    .balign 256
    .global aes_sbox
    .type aes_sbox, @object
aes_sbox:
#define ROW(...) .byte __VA_ARGS__
#include "aes_sbox.inc"
    .size aes_sbox, . - aes_sbox
