#include "block.h"

#include "sm4.h"

/* Specification, decryption: the round keys from the last to the first. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    block_context schedule = *ctx;
    uint32_t x[4];

    sm4_load(x, in);
    for (uint8_t number = PRIMITIVE_ROUNDS; number > 0;) {
        number--;
        sm4_round(x, schedule.window[0]);
        sm4_key_round(schedule.window, number);
    }
    sm4_store_reversed(out, x);
}
