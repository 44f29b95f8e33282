/* Reset code of every AVR image. It stands at address 0 without a vector table: interrupts stay disabled. */

#define SREG  0x3f
#define SPH   0x3e
#define SPL   0x3d
#define RAMPZ 0x3b

    .section .reset, "ax", @progbits
    .global _start
_start:
    clr r1
    out SREG, r1
    ldi r28, lo8(__stack)
    ldi r29, hi8(__stack)
    out SPH, r29
    out SPL, r28

/* Both compilers ask for these two where an image has .data or .bss; defining them here keeps the
   run-time library's own out of the image. */
    .global __do_copy_data
__do_copy_data:
    ldi r26, lo8(__data_start)
    ldi r27, hi8(__data_start)
    ldi r17, hi8(__data_end)
    ldi r30, lo8(__data_load_start)
    ldi r31, hi8(__data_load_start)
#ifdef __AVR_HAVE_ELPM__
    ldi r16, hh8(__data_load_start)
    out RAMPZ, r16
#endif
    rjmp 2f
1:
/* The forms without operands are the only ones that every core has. */
#ifdef __AVR_HAVE_ELPM__
    elpm
#else
    lpm
#endif
    st X+, r0
    adiw r30, 1
#ifdef __AVR_HAVE_ELPM__
    brcc 2f
    inc r16
    out RAMPZ, r16
#endif
2:
    cpi r26, lo8(__data_end)
    cpc r27, r17
    brne 1b
#ifdef __AVR_HAVE_ELPM__
    out RAMPZ, r1
#endif

    .global __do_clear_bss
__do_clear_bss:
    ldi r26, lo8(__bss_start)
    ldi r27, hi8(__bss_start)
    ldi r17, hi8(__bss_end)
    rjmp 2f
1:
    st X+, r1
2:
    cpi r26, lo8(__bss_end)
    cpc r27, r17
    brne 1b

    .global harness_ready
harness_ready:
    rjmp harness_ready
