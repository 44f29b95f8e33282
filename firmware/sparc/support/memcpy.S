#include "core.h"

/* void *memcpy(void *to, const void *from, size_t length): words where both are aligned, else bytes. */
routine memcpy
    or %o0, %o1, %o3
    or %o3, %o2, %o3
    andcc %o3, 3, %g0
    mov %o0, %o4
    bne 3f
    tst %o2
    be 2f
    nop
1:
    ld [%o1], %o3
    subcc %o2, 4, %o2
    add %o1, 4, %o1
    st %o3, [%o4]
    bne 1b
    add %o4, 4, %o4
2:
    retl
    nop
3:
    be 2b
    nop
4:
    ldub [%o1], %o3
    subcc %o2, 1, %o2
    add %o1, 1, %o1
    stb %o3, [%o4]
    bne 4b
    add %o4, 1, %o4
    retl
    nop
finish memcpy
