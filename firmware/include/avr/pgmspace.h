/* The part of <avr/pgmspace.h> that tables in flash need. Elsewhere than on an AVR they are plain
   constants, so that one source compiles for every chip. Everything is inline: its bytes are those
   of the code that uses it. */
#ifndef STEELYARD_AVR_PGMSPACE_H
#define STEELYARD_AVR_PGMSPACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __AVR__

/* GCC gives each table a section of its own, so that an image has only those it uses. LLVM has no
   such attribute: all tables of one file share a section. */
#ifdef __clang__
#define PROGMEM __attribute__((section(".progmem.data")))
#else
#define PROGMEM __attribute__((__progmem__))
#endif

/* Flash is read by assembly, because GCC 5.4 looks through the cast of a known table's address to a
   pointer to __flash, and reads RAM; and because clang makes a memcpy, which reads RAM, of a loop
   that copies from __flash. It is volatile as in avr-libc 2.0, so that cycles are those of a
   program with it. LAST reads a byte at Z, STEP also moves Z to the next. */
#ifdef __AVR_HAVE_LPMX__
#define STEELYARD_LAST(to) "lpm " to ", Z\n\t"
#define STEELYARD_STEP(to) "lpm " to ", Z+\n\t"
#else
#define STEELYARD_LAST(to) "lpm\n\tmov " to ", r0\n\t"
#define STEELYARD_STEP(to) STEELYARD_LAST(to) "adiw r30, 1\n\t"
#endif

/* Four bytes and the two operands that clang has for them, since none of its operands has 32 bits.
 */
typedef union {
    uint16_t half[2];
    uint32_t whole;
} steelyard_dword;

#ifdef __clang__
#define STEELYARD_OUT(class, value) class((value).half[0]), class((value).half[1])
#define STEELYARD_THIRD             "%A1"
#define STEELYARD_FOURTH            "%B1"
#else
#define STEELYARD_OUT(class, value) class((value).whole)
#define STEELYARD_THIRD             "%C0"
#define STEELYARD_FOURTH            "%D0"
#endif

#define STEELYARD_INLINE static __inline__ __attribute__((__always_inline__))

STEELYARD_INLINE uint8_t steelyard_pgm_byte(uint16_t at) {
    uint8_t value;
    __asm__ volatile(STEELYARD_LAST("%0") : "=r"(value) : "z"(at) : "r0", "cc");
    return value;
}

STEELYARD_INLINE uint16_t steelyard_pgm_word(uint16_t at) {
    uint16_t value;
    __asm__ volatile(STEELYARD_STEP("%A0") STEELYARD_LAST("%B0")
                     : "=r"(value), "+z"(at)
                     :
                     : "r0", "cc");
    return value;
}

STEELYARD_INLINE uint32_t steelyard_pgm_dword(uint16_t at) {
    steelyard_dword value;
    __asm__ volatile(STEELYARD_STEP("%A0") STEELYARD_STEP("%B0") STEELYARD_STEP(STEELYARD_THIRD)
                         STEELYARD_LAST(STEELYARD_FOURTH)
                     : STEELYARD_OUT("=r", value), "+z"(at)
                     :
                     : "r0", "cc");
    return value.whole;
}

#define pgm_read_byte_near(address)  steelyard_pgm_byte((uint16_t)(address))
#define pgm_read_word_near(address)  steelyard_pgm_word((uint16_t)(address))
#define pgm_read_dword_near(address) steelyard_pgm_dword((uint16_t)(address))
#define pgm_read_ptr_near(address)   ((void *)pgm_read_word_near(address))

/* memcpy whose source is in flash. */
static __inline__ void *memcpy_P(void *to, const void *from, size_t length) {
    uint8_t *next = (uint8_t *)to;
    const uint8_t *at = (const uint8_t *)from;
    while (length--) {
        *next++ = pgm_read_byte_near(at++);
    }
    return to;
}

/* memcmp whose right side is in flash. */
static __inline__ int memcmp_P(const void *left, const void *right, size_t length) {
    const uint8_t *one = (const uint8_t *)left, *other = (const uint8_t *)right;
    for (; length--; one++, other++) {
        int difference = *one - pgm_read_byte_near(other);
        if (difference != 0) {
            return difference;
        }
    }
    return 0;
}

/* Beyond the 64 KiB that a pointer reaches, RAMPZ has the upper byte of an address. */
#ifdef __AVR_HAVE_ELPM__

typedef uint32_t uint_farptr_t;

#ifdef __AVR_HAVE_ELPMX__
#define STEELYARD_FAR_LAST(to) "elpm " to ", Z\n\t"
#define STEELYARD_FAR_STEP(to) "elpm " to ", Z+\n\t"
#else
#define STEELYARD_FAR_LAST(to) "elpm\n\tmov " to ", r0\n\t"
#define STEELYARD_FAR_STEP(to)                                                                     \
    STEELYARD_FAR_LAST(to) "adiw r30, 1\n\tadc %[page], r1\n\tout 0x3b, %[page]\n\t"
#endif
#define STEELYARD_PAGE "out 0x3b, %[page]\n\t"

/* The address of a static object. */
#define pgm_get_far_address(object)                                                                \
    (__extension__({                                                                               \
        steelyard_dword at_;                                                                       \
        __asm__("ldi %A0, lo8(%[place])\n\tldi %B0, hi8(%[place])\n\t"                             \
                "ldi " STEELYARD_THIRD ", hh8(%[place])\n\tldi " STEELYARD_FOURTH ", 0"            \
                : STEELYARD_OUT("=&d", at_)                                                        \
                : [place] "i"(&(object)));                                                         \
        at_.whole;                                                                                 \
    }))

STEELYARD_INLINE uint8_t pgm_read_byte_far(uint_farptr_t address) {
    uint8_t value, page = (uint8_t)(address >> 16);
    uint16_t at = (uint16_t)address;
    __asm__ volatile(STEELYARD_PAGE STEELYARD_FAR_LAST("%0")
                     : "=r"(value)
                     : "z"(at), [page] "r"(page)
                     : "r0", "cc");
    return value;
}

STEELYARD_INLINE uint16_t pgm_read_word_far(uint_farptr_t address) {
    uint16_t value, at = (uint16_t)address;
    uint8_t page = (uint8_t)(address >> 16);
    __asm__ volatile(STEELYARD_PAGE STEELYARD_FAR_STEP("%A0") STEELYARD_FAR_LAST("%B0")
                     : "=&r"(value), "+z"(at), [page] "+r"(page)
                     :
                     : "r0", "cc");
    return value;
}

STEELYARD_INLINE uint32_t pgm_read_dword_far(uint_farptr_t address) {
    steelyard_dword value;
    uint16_t at = (uint16_t)address;
    uint8_t page = (uint8_t)(address >> 16);
    __asm__ volatile(STEELYARD_PAGE STEELYARD_FAR_STEP("%A0") STEELYARD_FAR_STEP("%B0")
                         STEELYARD_FAR_STEP(STEELYARD_THIRD) STEELYARD_FAR_LAST(STEELYARD_FOURTH)
                     : STEELYARD_OUT("=&r", value), "+z"(at), [page] "+r"(page)
                     :
                     : "r0", "cc");
    return value.whole;
}

#endif

#else

#include <string.h>

#define PROGMEM

#define pgm_read_byte_near(address)  (*(const uint8_t *)(address))
#define pgm_read_word_near(address)  (*(const uint16_t *)(address))
#define pgm_read_dword_near(address) (*(const uint32_t *)(address))
#define pgm_read_ptr_near(address)   (*(void *const *)(address))
#define memcpy_P                     memcpy
#define memcmp_P                     memcmp

#endif

#define pgm_read_byte(address)  pgm_read_byte_near(address)
#define pgm_read_word(address)  pgm_read_word_near(address)
#define pgm_read_dword(address) pgm_read_dword_near(address)
#define pgm_read_ptr(address)   pgm_read_ptr_near(address)

#endif
