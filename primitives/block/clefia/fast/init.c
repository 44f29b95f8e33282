#include "block.h"

#include "clefia.h"

void block_init(block_context *ctx, const uint8_t *key) {
    clefia_schedule schedule;
    uint8_t *round_keys = ctx->round_keys;

    clefia_begin(&schedule, key);
    clefia_whitening(ctx->whitening, schedule.key);
    for (uint8_t i = 0; i < PRIMITIVE_ROUNDS / 2; i++) {
        clefia_next_keys(round_keys, &schedule, i);
        round_keys += 16;
    }
}
