/* Reset code of every ARM image, at its first address; no vector table: exceptions are faults of the emulator. */

    .syntax unified
    .arm
    .section .reset, "ax", %progbits
    .global _start
    .type _start, %function
_start:
    ldr sp, =__stack
    ldr r0, =__data_start
    ldr r1, =__data_end
    ldr r2, =__data_load_start
1:
    cmp r0, r1
    ldrlo r3, [r2], #4
    strlo r3, [r0], #4
    blo 1b
    ldr r0, =__bss_start
    ldr r1, =__bss_end
    mov r2, #0
2:
    cmp r0, r1
    strlo r2, [r0], #4
    blo 2b

    .global harness_ready
    .type harness_ready, %function
harness_ready:
    b harness_ready
    .size harness_ready, . - harness_ready
    .ltorg
