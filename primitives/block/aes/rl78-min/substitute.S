#include "rl78.inc"

/* A = S(A) of FIPS 197, section 5.1.1; X and C are lost. Inverse: 1 and A are multiplied by 3 in turn,
   until one of them is 1; the other is the inverse of A then, and is 0 if A is. */
function aes_substitute
    oneb c
    br $2f
1:
    mov x, a
    xtime
    xor a, x
2:
    cmp a, #1
    xch a, c
    bnz $1b
/* The affine part; C is 1 at its start, and overflows in the fourth turn. */
    .global _aes_affine
_aes_affine:
    mov x, a
3:
    rol a, 1
    xor a, x
    shl c, 2
    bnc $3b
    xor a, #0x63
    ret
end_function aes_substitute
