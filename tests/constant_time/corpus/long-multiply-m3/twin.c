/* The same row by additions under a mask, in two words of 31 bits. */
#include <stdint.h>

static uint32_t load(const uint8_t *from) {
    return (from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24) &
           0x7fffffff;
}

/* Its own function, so that no compiler tests the bit by a branch. */
static uint8_t top_bit(uint32_t value) {
    volatile uint8_t byte = (uint8_t)(value >> 24);
    return byte >> 7;
}

/* The product's low word; its high one becomes the carry, which is added first. */
static uint32_t multiply(uint32_t left, uint32_t right, uint32_t *carry) {
    uint32_t low = *carry, high = 0, top = 0;
    for (uint8_t i = 0; i < 31; i++) {
        volatile uint8_t bit = left & 1;
        uint32_t mask = 0 - (uint32_t)bit;
        low += right & mask;
        high += (top & mask) + top_bit(low);
        low &= 0x7fffffff;
        left >>= 1;
        right <<= 1;
        top = top << 1 | top_bit(right);
        right &= 0x7fffffff;
    }
    *carry = high;
    return low;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint32_t factor = load(open) ^ load(secret + 28), carry = 0;
    for (uint8_t i = 0; i < 32; i += 4) {
        uint32_t word = multiply(load(secret + i), factor, &carry);
        for (uint8_t j = 0; j < 4; j++) {
            out[i + j] = (uint8_t)(word >> 8 * j);
        }
    }
}
