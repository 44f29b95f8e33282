#include "rl78_small.inc"

    .section .text.block_decrypt_ax, "ax", @progbits
    .global _block_decrypt_ax
    .type _block_decrypt_ax, @function
_block_decrypt_ax:
    movw PLACE, #_camellia_list_end
    movw STEP, #-1
    br !_camellia
    .size _block_decrypt_ax, . - _block_decrypt_ax
