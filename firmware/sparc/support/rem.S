#include "core.h"

/* int .rem(int dividend, int divisor), with the dividend's sign. */
routine .rem
    mov %o7, %o5
    sra %o0, 31, %o4
    xor %o0, %o4, %o0
    sub %o0, %o4, %o0
    sra %o1, 31, %o2
    xor %o1, %o2, %o1
    call __steelyard_divide
    sub %o1, %o2, %o1
    xor %o1, %o4, %o1
    jmp %o5 + 8
    sub %o1, %o4, %o0
finish .rem
