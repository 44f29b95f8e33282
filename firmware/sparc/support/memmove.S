#include "core.h"

/* void *memmove(void *to, const void *from, size_t length), from the end where the target lies behind the source. */
routine memmove
    tst %o2
    be 3f
    cmp %o0, %o1
    bgu 2f
    mov %o0, %o4
1:
    ldub [%o1], %o3
    subcc %o2, 1, %o2
    add %o1, 1, %o1
    stb %o3, [%o4]
    bne 1b
    add %o4, 1, %o4
    retl
    nop
2:
    subcc %o2, 1, %o2
    ldub [%o1 + %o2], %o3
    bne 2b
    stb %o3, [%o0 + %o2]
3:
    retl
    nop
finish memmove
