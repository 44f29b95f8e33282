#include "aes.h"

static uint8_t affine(uint8_t a) {
    uint8_t sum = a ^ 0x63;

    for (uint8_t i = 4; i > 0; i--) {
        a = (uint8_t)(a << 1 | a >> 7);
        sum ^= a;
    }
    return sum;
}

/* x + 1 generates the field's multiplicative group. While one element is multiplied by it and
 * another divided by it, from 1 on, they stay each other's inverse and pass through all of it. */
void aes_make_sbox(block_context *ctx, uint8_t inverse) {
    uint8_t element = 1;
    uint8_t reciprocal = 1;

    do {
        uint8_t image = affine(reciprocal);
        if (inverse) {
            ctx->sbox[image] = element;
        } else {
            ctx->sbox[element] = image;
        }
        element ^= xtime(element);
        /* Each bit of the quotient by x + 1 is the sum of the bits up to it. A byte with an odd sum
         * is divisible once the modulus is added, whose quotient is 0x09 below x^8. */
        reciprocal ^= (uint8_t)(reciprocal << 1);
        reciprocal ^= (uint8_t)(reciprocal << 2);
        reciprocal ^= (uint8_t)(reciprocal << 4);
        reciprocal = (uint8_t)(reciprocal ^ (0x09 & (0u - (reciprocal >> 7))));
    } while (element != 1);
    ctx->sbox[inverse ? 0x63 : 0] = inverse ? 0 : 0x63;
}
