#include "block.h"

#include "bytes.h"
#include "rotate.h"
#include "sm4.h"

/* The system parameter FK. */
static const ROM uint32_t fk[4] = {0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc};

/* Specification, key expansion. Byte j of CK[i] is 7 (4i + j). */
void block_init(block_context *ctx, const uint8_t *key) {
    uint32_t k[4];
    uint8_t seven_times = 0;

    for (uint8_t i = 0; i < 4; i++) {
        k[i] = load32_be(key + 4 * i) ^ fk[i];
    }
    for (uint8_t i = 0; i < PRIMITIVE_ROUNDS; i++) {
        uint32_t t = k[(i + 1) & 3] ^ k[(i + 2) & 3] ^ k[(i + 3) & 3];
        uint32_t ck = 0;
        for (uint8_t j = 0; j < 4; j++) {
            ck = ck << 8 | seven_times;
            seven_times = (uint8_t)(seven_times + 7);
        }
        t = sm4_substitute(t ^ ck);
        k[i & 3] ^= t ^ rotl32(t, 13) ^ rotl32(t, 23);
        ctx->round_keys[i] = k[i & 3];
    }
}
