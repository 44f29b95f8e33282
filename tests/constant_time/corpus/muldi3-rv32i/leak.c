/* A sum of products of 64 bits, as in the multiplication of field elements of 29-bit limbs. */
#include <stdint.h>

static uint32_t limb(const uint8_t *from) {
    uint32_t word =
        from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
    return word & 0x1fffffff;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 4; i++) {
        uint64_t sum = (uint64_t)limb(secret + 4 * i) * limb(secret + 16 + 4 * i);
        sum += (uint64_t)limb(open + 4 * i) * limb(secret + 28 - 4 * i);
        for (uint8_t j = 0; j < 8; j++) {
            out[8 * i + j] = (uint8_t)sum;
            sum >>= 8;
        }
    }
}
