#include "rl78_small.inc"

#define WAY OUT+1

    .section .text.block_decrypt_ax, "ax", @progbits
    .global _block_decrypt_ax
    .type _block_decrypt_ax, @function
_block_decrypt_ax:
    oneb WAY
    br !_clefia_crypt
    .size _block_decrypt_ax, . - _block_decrypt_ax
