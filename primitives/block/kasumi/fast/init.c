#include "block.h"

#include "bytes.h"
#include "rom.h"

#define LEFT(x, n) ((uint16_t)((x) << (n) | (x) >> (16 - (n))))

/* Key schedule of 3GPP TS 35.202: the constants. */
static const ROM uint16_t constants[8] = {
    0x0123, 0x4567, 0x89AB, 0xCDEF, 0xFEDC, 0xBA98, 0x7654, 0x3210,
};

/* Key schedule of 3GPP TS 35.202: which key word, rotated how far. */
void block_init(block_context *ctx, const uint8_t *key) {
    uint16_t *to = ctx->round_keys;
    uint16_t k[8];
    uint16_t prime[8];

    for (uint8_t i = 0; i < 8; i++) {
        k[i] = load16_be(key + 2 * i);
        prime[i] = k[i] ^ constants[i];
    }
    for (uint8_t i = 0; i < PRIMITIVE_ROUNDS; i++) {
        to[0] = LEFT(k[i & 7], 1);
        to[1] = prime[(i + 2) & 7];
        to[2] = LEFT(k[(i + 1) & 7], 5);
        to[3] = prime[(i + 4) & 7];
        to[4] = LEFT(k[(i + 5) & 7], 8);
        to[5] = prime[(i + 3) & 7];
        to[6] = LEFT(k[(i + 6) & 7], 13);
        to[7] = prime[(i + 7) & 7];
        to += KASUMI_ROUND_KEYS;
    }
}
