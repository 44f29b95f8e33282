#include "rl78_small.inc"

    .section .text.block_decrypt_ax, "ax", @progbits
    .global _block_decrypt_ax
    .type _block_decrypt_ax, @function
_block_decrypt_ax:
    mov LEFT, #0x20+12
    br !_clefia_crypt
    .size _block_decrypt_ax, . - _block_decrypt_ax
