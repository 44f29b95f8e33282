#include "core.h"

/* unsigned .umul(unsigned left, unsigned right): the low word in %o0, the high one in %o1. Thirty-two steps and one to
   shift the last bit out. */
routine .umul
    wr %o0, %g0, %y
    andcc %g0, %g0, %o4
    .rept 32
    mulscc %o4, %o1, %o4
    .endr
    mulscc %o4, %g0, %o4
    /* The steps took the multiplicand for signed. */
    sra %o1, 31, %o5
    and %o0, %o5, %o5
    rd %y, %o0
    retl
    add %o4, %o5, %o1
finish .umul
