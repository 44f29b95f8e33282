#include "core.h"

/* int memcmp(const void *left, const void *right, size_t length) */
routine memcmp
    tst %o2
    be 2f
    mov 0, %o5
1:
    ldub [%o0], %o3
    ldub [%o1], %o4
    add %o0, 1, %o0
    subcc %o3, %o4, %o5
    bne 2f
    add %o1, 1, %o1
    subcc %o2, 1, %o2
    bne 1b
    nop
2:
    retl
    mov %o5, %o0
finish memcmp
