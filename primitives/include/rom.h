/* ROM: qualifier that keeps a constant table in program memory where plain const would be
 * copied to RAM (AVR cores whose flash is not in the data space). Use it as
 *     static const ROM uint8_t table[256] = {...};
 * and index it like any array; do not take the address of such a table into a plain pointer. */
#ifndef STEELYARD_ROM_H
#define STEELYARD_ROM_H

/* Architectures 100 (AVRrc) and 103 (AVRxt) map flash into the data space. */
#if defined(__AVR_ARCH__) && __AVR_ARCH__ != 100 && __AVR_ARCH__ != 103
#define ROM __flash
#else
#define ROM
#endif

#endif
