/* Reset code of every MSP430 image, at its first address; no vector table: interrupts stay disabled. */

    .section .reset, "ax", @progbits
    .global _start
    .type _start, @function
_start:
    mov #__stack, r1
    mov #__data_start, r12
    mov #__data_load_start, r13
    jmp .Lcopied
.Lcopy:
    mov @r13+, r14
    mov r14, 0(r12)
    incd r12
.Lcopied:
    cmp #__data_end, r12
    jlo .Lcopy
    mov #__bss_start, r12
    jmp .Lcleared
.Lclear:
    clr 0(r12)
    incd r12
.Lcleared:
    cmp #__bss_end, r12
    jlo .Lclear

/* Both compilers ask for these two where an image has .data or .bss. */
    .global __crt0_movedata
    .global __crt0_init_bss
__crt0_movedata:
__crt0_init_bss:
    .global harness_ready
    .type harness_ready, @function
harness_ready:
    jmp harness_ready
    .size harness_ready, . - harness_ready
