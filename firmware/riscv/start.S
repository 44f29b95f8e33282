/* Reset code of every RISC-V image, at its first address; no vector table: there are no interrupts. */

    .section .reset, "ax", %progbits
    .global _start
    .type _start, %function
_start:
    la sp, __stack
    la t0, __data_start
    la t1, __data_end
    la t2, __data_load_start
1:
    bgeu t0, t1, 2f
    lw a0, 0(t2)
    sw a0, 0(t0)
    addi t2, t2, 4
    addi t0, t0, 4
    j 1b
2:
    la t0, __bss_start
    la t1, __bss_end
3:
    bgeu t0, t1, harness_ready
    sw zero, 0(t0)
    addi t0, t0, 4
    j 3b

    .global harness_ready
    .type harness_ready, %function
harness_ready:
    j harness_ready
    .size harness_ready, . - harness_ready
