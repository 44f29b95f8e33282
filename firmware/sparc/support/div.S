#include "core.h"

/* int .div(int dividend, int divisor), towards zero. */
routine .div
    mov %o7, %o5
    xor %o0, %o1, %o4
    sra %o0, 31, %o2
    xor %o0, %o2, %o0
    sub %o0, %o2, %o0
    sra %o1, 31, %o2
    xor %o1, %o2, %o1
    call __steelyard_divide
    sub %o1, %o2, %o1
    sra %o4, 31, %o4
    xor %o0, %o4, %o0
    jmp %o5 + 8
    sub %o0, %o4, %o0
finish .div
