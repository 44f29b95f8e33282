#ifndef STEELYARD_AES_H
#define STEELYARD_AES_H

/* Registers of the calling convention that avr-gcc and LLVM share: arguments in r25:24, r23:22 and
   r21:20; r18 to r27, r30, r31 and r0 may be overwritten, r1 is 0. All code uses instructions that
   every core has, and is timed alike for all data: a branch taken costs what it skips. */

.macro function name
    .section .text.\name, "ax", @progbits
    .global \name
    .type \name, @function
\name:
.endm

.macro end_function name
    .size \name, . - \name
.endm

/* One row of the state at Y turned left (FIPS 197, section 5.1.2); overwrites r18 to r21. */
.macro turn_row row, places
    ldd r18, Y+\row
    ldd r19, Y+\row+4
    ldd r20, Y+\row+8
    ldd r21, Y+\row+12
    std Y+\row+4*((4-\places)&3), r18
    std Y+\row+4*((5-\places)&3), r19
    std Y+\row+4*((6-\places)&3), r20
    std Y+\row+4*((7-\places)&3), r21
.endm

/* FIPS 197, section 4.2: \byte times x; \polynomial holds 0x1b. */
.macro xtime byte, polynomial
    lsl \byte
    brcc 99f
    eor \byte, \polynomial
99:
.endm

#endif
