#include "block.h"

#include "sm4.h"

/* Specification, encryption. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    block_context schedule = *ctx;
    uint32_t x[4];

    sm4_load(x, in);
    for (uint8_t number = 0; number < PRIMITIVE_ROUNDS; number++) {
        sm4_key_round(schedule.window, number);
        sm4_round(x, schedule.window[3]);
    }
    sm4_store_reversed(out, x);
}
