/* The same products by additions under a mask, which need no multiplication of the compiler's. */
#include <stdint.h>

static uint32_t limb(const uint8_t *from) {
    uint32_t word =
        from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
    return word & 0x1fffffff;
}

static uint32_t hide(uint32_t value) {
    volatile uint32_t hidden = value;
    return hidden;
}

/* Add to two words of 29 bits, of which the low one is kept below 2^30. */
static void add_product(uint32_t *high, uint32_t *low, uint32_t left, uint32_t right) {
    uint32_t top = 0;
    for (uint8_t i = 0; i < 29; i++) {
        uint32_t mask = 0 - hide(left & 1);
        *low += right & mask;
        *high += top & mask;
        *high += hide(*low >> 29);
        *low &= 0x1fffffff;
        left >>= 1;
        top = top << 1 | hide(right >> 28);
        right = right << 1 & 0x1fffffff;
    }
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 4; i++) {
        uint32_t high = 0, low = 0;
        add_product(&high, &low, limb(secret + 4 * i), limb(secret + 16 + 4 * i));
        add_product(&high, &low, limb(open + 4 * i), limb(secret + 28 - 4 * i));
        low |= high << 29;
        high >>= 3;
        for (uint8_t j = 0; j < 4; j++) {
            out[8 * i + j] = (uint8_t)low;
            out[8 * i + 4 + j] = (uint8_t)high;
            low >>= 8;
            high >>= 8;
        }
    }
}
