; Reset code of every RL78 image: the vector at address 0, the code behind it. No other vector is there, since
; interrupts stay disabled.

    .section .reset, "ax", @progbits
    .short __start
    .global __start
    .type __start, @function
__start:
; The smallest core has one register bank only.
#ifndef __RL78_G10__
    sel rb0
#endif
    movw sp, #___stack

; The initial values lie in the first 64 KB of the flash, which a pointer with ES = 0 reaches.
    mov es, #0
    movw hl, #___data_load_start
    movw de, #___data_start
    br $2f
1:
    mov a, es:[hl]
    mov [de], a
    incw hl
    incw de
2:
    movw ax, de
    cmpw ax, #___data_end
    bnz $1b

    movw de, #___bss_start
    clrb a
    br $4f
3:
    clrb a
    mov [de], a
    incw de
4:
    movw ax, de
    cmpw ax, #___bss_end
    bnz $3b

    .global _harness_ready
    .type _harness_ready, @function
_harness_ready:
    br $_harness_ready
    .size _harness_ready, . - _harness_ready
    .size __start, . - __start
