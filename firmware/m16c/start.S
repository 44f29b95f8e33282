; Reset code of every M16C image, and the fixed vector that leads to it. No other vector is there, since interrupts stay
; disabled. The string instructions take their source in r1h and a0, so that flash above 64 KB is reached.

    .section .vector, "a", @progbits
    .long __start

    .section .reset, "ax", @progbits
    .global __start
    .type __start, @function
__start:
    ldc #___stack, isp

    mov.w #%lo16(___data_load_start), a0
    mov.b #%hi8(___data_load_start), r1h
    mov.w #___data_start, a1
    mov.w #___data_bytes, r3
    smovf.b

    mov.b #0, r0l
    mov.w #___bss_start, a1
    mov.w #___bss_bytes, r3
    sstr.b

    .global _harness_ready
    .type _harness_ready, @function
_harness_ready:
    jmp.b _harness_ready
    .size _harness_ready, . - _harness_ready
    .size __start, . - __start
