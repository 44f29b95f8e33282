#include "block.h"

#include "seed.h"

/* RFC 4269, decryption: from the last round to the first. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    block_context schedule = *ctx;
    uint32_t x[4];
    uint32_t round_key[2];

    seed_load(x, in);
    for (uint8_t round = PRIMITIVE_ROUNDS; round > 0;) {
        round--;
        if (round & 1) {
            seed_turn_right(schedule.key + 8);
        } else {
            seed_turn_left(schedule.key);
        }
        seed_round_key(round_key, schedule.key, round);
        seed_add_f(round & 1 ? x : x + 2, round & 1 ? x + 2 : x, round_key);
    }
    seed_store_exchanged(out, x);
}
