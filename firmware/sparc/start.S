/* Reset code of every SPARC image, at its first address; no trap table: traps are faults of the emulator, but for those
   of the register windows, which it answers itself. */

    .section .reset, "ax", %progbits
    .global _start
    .type _start, %function
_start:
    /* Room for a window and the arguments, as every caller leaves it. */
    set __stack - 96, %sp
    set __data_start, %o0
    set __data_end, %o1
    set __data_load_start, %o2
1:
    cmp %o0, %o1
    bgeu 2f
    nop
    ld [%o2], %o3
    add %o2, 4, %o2
    st %o3, [%o0]
    ba 1b
    add %o0, 4, %o0
2:
    set __bss_start, %o0
    set __bss_end, %o1
3:
    cmp %o0, %o1
    bgeu harness_ready
    nop
    st %g0, [%o0]
    ba 3b
    add %o0, 4, %o0

    .global harness_ready
    .type harness_ready, %function
harness_ready:
    ba harness_ready
    nop
    .size harness_ready, . - harness_ready
