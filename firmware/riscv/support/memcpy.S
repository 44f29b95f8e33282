#include "core.h"

/* Words while both ends are aligned, four at a time while they last, and bytes otherwise. */
function memcpy
    mv a5, a0
    or a3, a0, a1
    andi a3, a3, 3
    bnez a3, 4f
#ifdef __riscv_32e
    li t2, 16
1:
    bltu a2, t2, 3f
#else
    li a6, 16
    li a7, 4
1:
    bltu a2, a6, 3f
#endif
    lw a3, 0(a1)
    lw a4, 4(a1)
    lw t0, 8(a1)
    lw t1, 12(a1)
    sw a3, 0(a5)
    sw a4, 4(a5)
    sw t0, 8(a5)
    sw t1, 12(a5)
    addi a1, a1, 16
    addi a5, a5, 16
    addi a2, a2, -16
    j 1b
2:
    lw a3, 0(a1)
    sw a3, 0(a5)
    addi a1, a1, 4
    addi a5, a5, 4
    addi a2, a2, -4
3:
#ifdef __riscv_32e
    li a3, 4
    bgeu a2, a3, 2b
#else
    bgeu a2, a7, 2b
#endif
4:
    beqz a2, 6f
5:
    lbu a3, 0(a1)
    sb a3, 0(a5)
    addi a1, a1, 1
    addi a5, a5, 1
    addi a2, a2, -1
    bnez a2, 5b
6:
    ret
end_function memcpy
