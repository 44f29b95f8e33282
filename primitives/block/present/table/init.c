#include "block.h"

#include "schedule.h"

void block_init(block_context *ctx, const uint8_t *key) {
    uint8_t *k = ctx->round_keys;
    uint8_t keys[PRIMITIVE_KEY_BYTES];

    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        keys[i] = key[i];
    }
    for (uint8_t round = 1;; round++) {
        for (uint8_t i = 8; i-- > 0;) {
            *k++ = keys[i];
        }
        if (round > PRIMITIVE_ROUNDS) {
            return;
        }
        present_schedule_next(keys, round);
    }
}
