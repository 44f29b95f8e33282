#include "poly1305.h"

/* The product is kept below 2^130 + 2^127 or so: what stands above bit 130 comes back times five,
 * that is, once at its place less 130 bits and once at its place less 128. */
void poly1305_block(mac_context *ctx, const uint8_t *block, uint8_t high) {
    uint8_t *h = ctx->accumulator;
    uint8_t product[33];
    uint32_t column = 0;
    uint16_t carry = 0;

    for (uint8_t i = 0; i < 16; i++) {
        carry = (uint16_t)(carry + h[i] + block[i]);
        h[i] = (uint8_t)carry;
        carry >>= 8;
    }
    h[16] = (uint8_t)(h[16] + high + (uint8_t)carry);
    for (uint8_t k = 0; k < 33; k++) {
        uint8_t first = k < 16 ? 0 : (uint8_t)(k - 15);
        uint8_t last = k < 16 ? k : 16;

        for (uint8_t i = first; i <= last; i++) {
            column += (uint16_t)((uint16_t)h[i] * ctx->r[k - i]);
        }
        product[k] = (uint8_t)column;
        column >>= 8;
    }
    carry = 0;
    for (uint8_t i = 0; i < 17; i++) {
        uint8_t low = i < 16 ? product[i] : product[16] & 3;
        uint8_t four = i == 0 ? product[16] & 0xFC : product[16 + i];
        uint8_t above = i < 16 ? product[17 + i] : 0;
        uint8_t one = (uint8_t)(product[16 + i] >> 2 | (uint8_t)(above << 6));

        carry = (uint16_t)(carry + low + four + one);
        h[i] = (uint8_t)carry;
        carry >>= 8;
    }
}
