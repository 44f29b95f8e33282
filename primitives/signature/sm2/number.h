/* Numbers of 256 bits, least significant limb first, in a time that depends on no value. Outputs
 * may be inputs. */
#ifndef SM2_NUMBER_H
#define SM2_NUMBER_H

#include <limits.h>
#include <stdint.h>

#include "inline.h"
#include "rom.h"

/* The widest limb whose product the machine makes itself. */
#ifndef LIMB_BITS
#if defined(__AVR__)
#define LIMB_BITS 8
#elif UINT_MAX == 0xFFFFu
#define LIMB_BITS 16
#else
#define LIMB_BITS 32
#endif
#endif

#if LIMB_BITS == 8
typedef uint8_t limb;
typedef uint16_t wide;
#define WORD(x)                                                                                    \
    (limb)((x)&0xFF), (limb)((x) >> 8 & 0xFF), (limb)((x) >> 16 & 0xFF), (limb)((x) >> 24 & 0xFF)
#elif LIMB_BITS == 16
typedef uint16_t limb;
typedef uint32_t wide;
#define WORD(x) (limb)((x)&0xFFFF), (limb)((x) >> 16 & 0xFFFF)
#else
typedef uint32_t limb;
typedef uint64_t wide;
#define WORD(x) (limb)(x)
#endif

#define LIMBS (256 / LIMB_BITS)

/* A number as standards print it: 32-bit words, the most significant first. */
#define NUMBER(a, b, c, d, e, f, g, h)                                                             \
    { WORD(h), WORD(g), WORD(f), WORD(e), WORD(d), WORD(c), WORD(b), WORD(a) }

/* The prime p of the field and the order n of the base point. */
extern const ROM limb sm2_prime[LIMBS];
extern const ROM limb sm2_order[LIMBS];

/* 1 in Montgomery form, 2^256 modulo p. */
extern const ROM limb sm2_one[LIMBS];

/* x, which a compiler that knew it to be 0 or all ones would branch on. */
ALWAYS_INLINE limb sm2_mask(limb x) {
    volatile limb unknown = x;
    return unknown;
}

/* 32 bytes, big-endian. */
void sm2_load(limb *r, const uint8_t *bytes);
void sm2_store(uint8_t *bytes, const limb *a);

void sm2_copy(limb *r, const limb *a);
void sm2_copy_rom(limb *r, const ROM limb *a);

/* r = a where mask is all ones, r where it is 0. */
void sm2_select(limb *r, const limb *a, limb mask);

/* All ones where a is 0, otherwise 0. */
limb sm2_is_zero(const limb *a);

/* All ones where a < m, otherwise 0. */
limb sm2_is_below(const limb *a, const ROM limb *m);

/* Bit i of a, 0 to 255; the time depends on i. */
uint8_t sm2_bit(const limb *a, uint8_t i);

/* Sums and differences of numbers below m. */
void sm2_add(limb *r, const limb *a, const limb *b, const ROM limb *m);
void sm2_subtract(limb *r, const limb *a, const limb *b, const ROM limb *m);

/* Takes carry * 2^256 + r, below 2 m, modulo m. */
void sm2_reduce_once(limb *r, limb carry, const ROM limb *m);

/* The 2 LIMBS limbs of a product; t is neither a nor b. */
void sm2_product(limb *t, const limb *a, const limb *b);
void sm2_product_square(limb *t, const limb *a);

/* Montgomery products a b / 2^256 modulo p and modulo n. */
void sm2_field_multiply(limb *r, const limb *a, const limb *b);
void sm2_field_square(limb *r, const limb *a);
void sm2_order_multiply(limb *r, const limb *a, const limb *b);

/* Into the Montgomery form, a 2^256 modulo p, and out of it. */
void sm2_field_enter(limb *r, const limb *a);
void sm2_field_leave(limb *r, const limb *a);

/* The inverse of a, in Montgomery form as a is, modulo p or (modulo_order not 0) modulo n; 0 where
 * a is. */
void sm2_invert(limb *r, const limb *a, uint8_t modulo_order);

#endif
