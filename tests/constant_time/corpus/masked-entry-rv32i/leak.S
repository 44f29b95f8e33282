/* A pass over a table as GCC published it for RV32I at -O3: the mask has become a branch around what it masks.
 * The eight entries are words of `open`; of a secret index, the words' first and third bytes are combined. */

    .text
    .global probe
    .type probe, @function
probe:
    li t0, 32
1:
    lbu a3, 0(a1)
    andi a3, a3, 7
    li a4, 0
    li a5, 0
    mv t1, a2
2:
    sub t2, a4, a3
    bnez t2, 3f
    lbu t2, 0(t1)
    or a5, a5, t2
    lbu t2, 2(t1)
    xor a5, a5, t2
3:
    addi t1, t1, 4
    addi a4, a4, 1
    li t2, 8
    bne a4, t2, 2b
    sb a5, 0(a0)
    addi a0, a0, 1
    addi a1, a1, 1
    addi t0, t0, -1
    bnez t0, 1b
    ret
    .size probe, . - probe
