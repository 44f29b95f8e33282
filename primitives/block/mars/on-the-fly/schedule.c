#include "mars.h"

#include "bytes.h"
#include "rotate.h"

void mars_start(uint32_t *t, const block_context *ctx) {
    for (uint8_t i = 0; i < MARS_TEMPORARY_WORDS; i++) {
        t[i] = i < PRIMITIVE_KEY_BYTES / 4 ? load32_le(ctx->key + 4 * i) : 0;
    }
    t[PRIMITIVE_KEY_BYTES / 4] = PRIMITIVE_KEY_BYTES / 4;
}

/* The place distance words before place i, going round. */
static uint8_t before(uint8_t i, uint8_t distance) {
    return (uint8_t)(i >= distance ? i - distance : i + MARS_TEMPORARY_WORDS - distance);
}

/* Steps 2 and 3: the linear transformation and four rounds of stirring. */
void mars_pass(uint32_t *t, uint8_t pass) {
    for (uint8_t i = 0; i < MARS_TEMPORARY_WORDS; i++) {
        t[i] ^= rotl32(t[before(i, 7)] ^ t[before(i, 2)], 3) ^ (uint8_t)(4 * i + pass);
    }
    for (uint8_t rounds = 4; rounds > 0; rounds--) {
        for (uint8_t i = 0; i < MARS_TEMPORARY_WORDS; i++) {
            t[i] = rotl32(t[i] + mars_s(t[before(i, 1)]), 9);
        }
    }
}

/* Every fourth word of T, going round. */
uint32_t mars_key(const uint32_t *t, uint8_t number) {
    return t[4 * (number % 10) % MARS_TEMPORARY_WORDS];
}
