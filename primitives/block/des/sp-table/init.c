#include "block.h"

#include "bytes.h"
#include "des.h"
#include "permutations.h"

/* Shifts to the left so far, FIPS 46-3, appendix 1; the last is a full turn. */
static const ROM uint8_t turns[16] = {1, 2, 4, 6, 8, 10, 12, 14, 15, 17, 19, 21, 23, 25, 27, 0};

/* Two words for each round: in their bytes the six bits for the S-boxes 1, 3, 5, 7 and for the
 * S-boxes 2, 4, 6, 8. Backwards for the middle of the three passes. */
static void expand(uint32_t *k, const uint8_t *key, uint8_t backwards) {
    uint8_t bits[56];

    for (uint8_t i = 0; i < 56; i++) {
        uint8_t place = pc1[i];
        bits[i] = key[place >> 3] >> (7 - (place & 7)) & 1;
    }
    for (uint8_t i = 0; i < 16; i++) {
        const uint8_t turn = turns[backwards ? 15 - i : i];
        uint8_t sixes[8];
        uint8_t n = 0;
        for (uint8_t box = 0; box < 8; box++) {
            uint8_t end = box < 4 ? 28 : 56;
            uint8_t six = 0;
            for (uint8_t j = 6; j > 0; j--) {
                uint8_t place = (uint8_t)(pc2[n] + turn);
                n++;
                if (place >= end) {
                    place = (uint8_t)(place - 28);
                }
                six = (uint8_t)(six << 1 | bits[place]);
            }
            sixes[(box & 1) << 2 | box >> 1] = six;
        }
        *k++ = load32_be(sixes);
        *k++ = load32_be(sixes + 4);
    }
}

void block_init(block_context *ctx, const uint8_t *key) {
#if DES_WHITENED
    for (uint8_t i = 0; i < 2; i++) {
        ctx->before[i] = load32_be(key + 4 * i);
        ctx->after[i] = load32_be(key + 16 + 4 * i);
    }
    expand(ctx->subkeys, key + 8, 0);
#else
    expand(ctx->subkeys, key, 0);
#if DES_PASSES == 3
    expand(ctx->subkeys + 32, key + 8, 1);
    expand(ctx->subkeys + 64, key + DES_THIRD_KEY, 0);
#endif
#endif
}
