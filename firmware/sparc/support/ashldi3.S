#include "core.h"

/* long long __ashldi3(long long value, int by), by 0 to 63; the upper word in %o0, the lower in %o1. */
routine __ashldi3
    tst %o2
    be 2f
    mov 32, %o3
    subcc %o3, %o2, %o3
    ble 1f
    nop
    srl %o1, %o3, %o4
    sll %o0, %o2, %o0
    or %o0, %o4, %o0
    sll %o1, %o2, %o1
    retl
    nop
1:
    /* By 32 and more. */
    neg %o3
    sll %o1, %o3, %o0
    mov 0, %o1
2:
    retl
    nop
finish __ashldi3
