#include "core.h"

/* unsigned long long __lshrdi3(unsigned long long value, int by), by 0 to 63; the upper word in %o0, the lower in %o1. */
routine __lshrdi3
    tst %o2
    be 2f
    mov 32, %o3
    subcc %o3, %o2, %o3
    ble 1f
    nop
    sll %o0, %o3, %o4
    srl %o1, %o2, %o1
    or %o1, %o4, %o1
    srl %o0, %o2, %o0
    retl
    nop
1:
    /* By 32 and more. */
    neg %o3
    srl %o0, %o3, %o1
    mov 0, %o0
2:
    retl
    nop
finish __lshrdi3
