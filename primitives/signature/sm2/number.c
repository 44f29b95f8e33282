#include "number.h"

#include <string.h>

const ROM limb sm2_prime[LIMBS] = NUMBER(0xFFFFFFFEuL, 0xFFFFFFFFuL, 0xFFFFFFFFuL, 0xFFFFFFFFuL,
                                         0xFFFFFFFFuL, 0x00000000uL, 0xFFFFFFFFuL, 0xFFFFFFFFuL);
const ROM limb sm2_order[LIMBS] = NUMBER(0xFFFFFFFEuL, 0xFFFFFFFFuL, 0xFFFFFFFFuL, 0xFFFFFFFFuL,
                                         0x7203DF6BuL, 0x21C6052BuL, 0x53BBF409uL, 0x39D54123uL);

const ROM limb sm2_one[LIMBS] = NUMBER(0x00000001uL, 0x00000000uL, 0x00000000uL, 0x00000000uL,
                                       0x00000000uL, 0xFFFFFFFFuL, 0x00000000uL, 0x00000001uL);

#define LIMB_BYTES (LIMB_BITS / 8)

void sm2_load(limb *r, const uint8_t *bytes) {
    uint8_t i;
    memset(r, 0, LIMBS * sizeof(limb));
    for (i = 0; i < 32; i++) {
        uint8_t at = i / LIMB_BYTES;
        r[at] = (limb)(r[at] | (limb)((limb)bytes[31 - i] << (i % LIMB_BYTES * 8)));
    }
}

void sm2_store(uint8_t *bytes, const limb *a) {
    uint8_t i;
    for (i = 0; i < 32; i++) {
        bytes[31 - i] = (uint8_t)(a[i / LIMB_BYTES] >> (i % LIMB_BYTES * 8));
    }
}

void sm2_copy(limb *r, const limb *a) {
    memcpy(r, a, LIMBS * sizeof(limb));
}

void sm2_copy_rom(limb *r, const ROM limb *a) {
    uint8_t i;
    for (i = 0; i < LIMBS; i++) {
        r[i] = a[i];
    }
}

void sm2_select(limb *r, const limb *a, limb mask) {
    uint8_t i;
    mask = sm2_mask(mask);
    for (i = 0; i < LIMBS; i++) {
        r[i] = (limb)(r[i] ^ ((r[i] ^ a[i]) & mask));
    }
}

limb sm2_is_zero(const limb *a) {
    limb any = 0;
    uint8_t i;
    for (i = 0; i < LIMBS; i++) {
        any |= a[i];
    }
    return (limb)((((wide)any - 1u) >> LIMB_BITS) & (limb)-1);
}

/* r = a - m without a reduction, 1 where that borrows. */
static limb take_modulus(limb *r, const limb *a, const ROM limb *m) {
    limb borrow = 0;
    uint8_t i;
    for (i = 0; i < LIMBS; i++) {
        wide t = (wide)((wide)a[i] - m[i] - borrow);
        r[i] = (limb)t;
        borrow = (limb)(t >> LIMB_BITS & 1u);
    }
    return borrow;
}

limb sm2_is_below(const limb *a, const ROM limb *m) {
    limb difference[LIMBS];
    return (limb)(0u - take_modulus(difference, a, m));
}

uint8_t sm2_bit(const limb *a, uint8_t i) {
    return (uint8_t)((limb)(a[i / LIMB_BITS] >> (i % LIMB_BITS)) & 1u);
}

void sm2_reduce_once(limb *r, limb carry, const ROM limb *m) {
    limb difference[LIMBS];
    limb borrow = take_modulus(difference, r, m);
    sm2_select(r, difference, (limb)(0u - (carry | (borrow ^ 1u))));
}

void sm2_add(limb *r, const limb *a, const limb *b, const ROM limb *m) {
    wide carry = 0;
    uint8_t i;
    for (i = 0; i < LIMBS; i++) {
        carry = (wide)(carry + a[i] + b[i]);
        r[i] = (limb)carry;
        carry >>= LIMB_BITS;
    }
    sm2_reduce_once(r, (limb)carry, m);
}

void sm2_subtract(limb *r, const limb *a, const limb *b, const ROM limb *m) {
    limb borrow = 0;
    limb mask;
    wide carry = 0;
    uint8_t i;
    for (i = 0; i < LIMBS; i++) {
        wide t = (wide)((wide)a[i] - b[i] - borrow);
        r[i] = (limb)t;
        borrow = (limb)(t >> LIMB_BITS & 1u);
    }
    mask = sm2_mask((limb)(0u - borrow));
    for (i = 0; i < LIMBS; i++) {
        carry = (wide)(carry + r[i] + (m[i] & mask));
        r[i] = (limb)carry;
        carry >>= LIMB_BITS;
    }
}
