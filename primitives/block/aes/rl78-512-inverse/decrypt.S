.macro unsubstitute
    mov c, a
    mov a, _aes_inverse_sbox[c]
.endm

#include "rl78_small_decrypt.inc"
