/* The part of <avr/io.h> that code without peripherals needs: the CPU's own registers, for C and
   for assembly. Chips are not told apart, so there is no other register. */
#ifndef STEELYARD_AVR_IO_H
#define STEELYARD_AVR_IO_H

#ifndef __AVR__
#error "avr/io.h: only an AVR has these registers; put its use between #ifdef __AVR__ and #endif"
#endif

/* Where the data space shows the first I/O register: behind the 32 numbered registers, except on
   the cores whose architecture has a number from 100 on. */
#if __AVR_ARCH__ >= 100
#define __SFR_OFFSET 0
#else
#define __SFR_OFFSET 0x20
#endif

#ifdef __ASSEMBLER__
#define _SFR_IO8(address)  ((address) + __SFR_OFFSET)
#define _SFR_IO_ADDR(name) ((name)-__SFR_OFFSET)
#else
#include <stdint.h>
#define _SFR_IO8(address)  (*(volatile uint8_t *)((address) + __SFR_OFFSET))
#define _SFR_IO16(address) (*(volatile uint16_t *)((address) + __SFR_OFFSET))
#define _SFR_IO_ADDR(name) ((uint16_t) & (name)-__SFR_OFFSET)
#define SP                 _SFR_IO16(0x3d)
#endif

#define SREG _SFR_IO8(0x3f)
#define SPH  _SFR_IO8(0x3e)
#define SPL  _SFR_IO8(0x3d)
#ifdef __AVR_HAVE_ELPM__
#define RAMPZ _SFR_IO8(0x3b)
#endif

#define SREG_I 7
#define SREG_T 6
#define SREG_H 5
#define SREG_S 4
#define SREG_V 3
#define SREG_N 2
#define SREG_Z 1
#define SREG_C 0

#define _BV(bit) (1 << (bit))

#endif
