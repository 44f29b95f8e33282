/* The affine part of the S-box is its own inverse's inverse: four times makes the identity. */
.macro affine
    oneb c
    call !_aes_affine
.endm

.macro unsubstitute
    affine
    affine
    affine
    call !_aes_substitute
    affine
    affine
    affine
.endm

#include "rl78_small_decrypt.inc"
