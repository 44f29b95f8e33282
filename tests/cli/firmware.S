@ Firmware for a Cortex-M3 that times itself: its vector table, its code, its results at the start of the RAM.
    .syntax unified
    .thumb
    .word 0x20001000
    .word start

    .thumb_func
    .global start
start:
    ldr r0, =0xe000edfc         @ DEMCR: the debug unit's counters
    ldr r1, =1 << 24
    str r1, [r0]
    ldr r0, =0xe0001000         @ DWT
    movs r2, #0
    str r2, [r0, #4]            @ CYCCNT
    str r2, [r0, #8]            @ CPICNT
    str r2, [r0, #20]           @ LSUCNT
    str r2, [r0, #24]           @ FOLDCNT
    ldr r3, =0xe000e010         @ SysTick
    ldr r4, =0xffffff
    str r4, [r3, #4]            @ from its greatest value
    str r2, [r3, #8]
    movs r4, #5
    str r4, [r3]
    ldr r1, =1 << 21 | 1 << 20 | 1 << 17 | 1
    ldr r6, [r3, #8]
    str r1, [r0]                @ the first instruction that is counted

    movs r5, #3
1:
    mul r4, r5, r5
    udiv r4, r4, r5
    subs r5, #1
    bne 1b

    ldr r1, [r0, #4]
    ldr r2, [r0, #8]
    ldr r4, [r0, #20]
    ldr r5, [r0, #24]
    ldr r7, [r3, #8]
    subs r6, r6, r7             @ it counts down
    ldr r0, =0x20000000
    stm r0!, {r1, r2, r4, r5, r6}
    .global done
done:
    b done
    .ltorg

    .section .results, "aw", %nobits
    .global results
    .type results, %object
    .size results, 20
results:
    .space 20
