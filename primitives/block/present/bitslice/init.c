#include "block.h"

#include "planes.h"
#include "schedule.h"

void block_init(block_context *ctx, const uint8_t *key) {
    uint16_t *k = ctx->round_keys;
    uint8_t keys[PRIMITIVE_KEY_BYTES];

    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        keys[i] = key[i];
    }
    for (uint8_t round = 1;; round++) {
        present_load(k, keys);
        if ((round & 1) == 0) {
            for (uint8_t i = 0; i < 4; i++) {
                k[i] = present_transpose(k[i]);
            }
        }
        if (round > PRIMITIVE_ROUNDS) {
            return;
        }
        k += 4;
        present_schedule_next(keys, round);
    }
}
