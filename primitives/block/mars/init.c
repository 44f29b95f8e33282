#include "block.h"

#include "bytes.h"
#include "mars.h"
#include "rotate.h"
#include "run_mask.h"

#define TEMPORARY_WORDS 15

/* The place distance words before place i, going round. */
static uint8_t before(uint8_t i, uint8_t distance) {
    return (uint8_t)(i >= distance ? i - distance : i + TEMPORARY_WORDS - distance);
}

/* Steps 2 and 3: the linear transformation and four rounds of stirring. */
static void transform(uint32_t *t, uint8_t pass) {
    for (uint8_t i = 0; i < TEMPORARY_WORDS; i++) {
        t[i] ^= rotl32(t[before(i, 7)] ^ t[before(i, 2)], 3) ^ (uint8_t)(4 * i + pass);
    }
    for (uint8_t rounds = 4; rounds > 0; rounds--) {
        for (uint8_t i = 0; i < TEMPORARY_WORDS; i++) {
            t[i] = rotl32(t[i] + mars_s(t[before(i, 1)]), 9);
        }
    }
}

/* Paper, "Key expansion", with the tweak of AES round 2. */
void block_init(block_context *ctx, const uint8_t *key) {
    uint32_t t[TEMPORARY_WORDS] = {0};
    uint32_t *keys = ctx->keys;

    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES / 4; i++) {
        t[i] = load32_le(key + 4 * i);
    }
    t[PRIMITIVE_KEY_BYTES / 4] = PRIMITIVE_KEY_BYTES / 4;
    for (uint8_t pass = 0; pass < 4; pass++) {
        transform(t, pass);
        for (uint8_t i = 0, from = 0; i < 10; i++) {
            *keys++ = t[from];
            from = before(from, TEMPORARY_WORDS - 4);
        }
    }
    keys = ctx->keys + 5;
    for (uint8_t multipliers = PRIMITIVE_ROUNDS; multipliers > 0; multipliers--) {
        uint32_t word = *keys | 3;
        /* The four patterns B are the S-box's entries from 265 on. */
        uint32_t pattern =
            rotl32_variable(mars_sbox[265 + ((uint8_t)*keys & 3)], (uint8_t)keys[-1]);
        *keys = word ^ (pattern & run_mask(word));
        keys += 2;
    }
}
