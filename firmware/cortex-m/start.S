/* Reset code of every Cortex-M image, behind the two vectors that reset reads; no other vectors: exceptions are faults
 * of the emulator. */

    .syntax unified
    .thumb
    .section .reset, "ax", %progbits
    .balign 4
    .word __stack
    .word _start

    .global _start
    .type _start, %function
    .thumb_func
_start:
    ldr r0, =__stack
    mov sp, r0
    ldr r0, =__data_start
    ldr r1, =__data_end
    ldr r2, =__data_load_start
1:
    cmp r0, r1
    bhs 2f
    ldmia r2!, {r3}
    stmia r0!, {r3}
    b 1b
2:
    ldr r0, =__bss_start
    ldr r1, =__bss_end
    movs r2, #0
3:
    cmp r0, r1
    bhs harness_ready
    stmia r0!, {r2}
    b 3b

    .global harness_ready
    .type harness_ready, %function
    .thumb_func
harness_ready:
    b harness_ready
    .size harness_ready, . - harness_ready
    .ltorg
