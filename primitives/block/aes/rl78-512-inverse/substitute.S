#include "rl78.inc"

#define WANTED 0xffef6

/* A = S(A): where A stands in the inverse S-box, of which two bytes are read at once. X and C are lost. */
function aes_substitute
    mov WANTED, a
    clrb c
1:
    movw ax, _aes_inverse_sbox[c]
    cmp a, WANTED
    bz $2f
    mov a, x
    dec c
    dec c
    cmp a, WANTED
    bnz $1b
    inc c
2:
    inc c
    mov a, c
    ret
end_function aes_substitute
