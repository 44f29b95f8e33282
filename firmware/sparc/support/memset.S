#include "core.h"

/* void *memset(void *to, int value, size_t length) */
routine memset
    tst %o2
    be 2f
    mov %o0, %o4
1:
    subcc %o2, 1, %o2
    stb %o1, [%o4]
    bne 1b
    add %o4, 1, %o4
2:
    retl
    nop
finish memset
