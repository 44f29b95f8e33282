#include "core.h"

/* int .mul(int left, int right): the low word in %o0, the high one in %o1. */
routine .mul
    wr %o0, %g0, %y
    andcc %g0, %g0, %o4
    .rept 32
    mulscc %o4, %o1, %o4
    .endr
    mulscc %o4, %g0, %o4
    /* The steps took the multiplier for unsigned. */
    sra %o0, 31, %o5
    and %o1, %o5, %o5
    rd %y, %o0
    retl
    sub %o4, %o5, %o1
finish .mul
