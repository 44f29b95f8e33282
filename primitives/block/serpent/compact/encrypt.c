#include "block.h"

#include "serpent.h"

/* Specification, "The Cipher". In the last round a round key takes the linear transformation's
 * place. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    block_context schedule = *ctx;
    uint32_t x[4];
    uint32_t round_key[4];

    serpent_load(x, in);
    for (uint8_t round = 0;; round++) {
        for (uint8_t i = 0; i < 4; i++) {
            serpent_next_prekey(schedule.prekeys, (uint8_t)(4 * round + i));
        }
        serpent_round_key(round_key, schedule.prekeys, round);
        serpent_add(x, round_key);
        if (round == PRIMITIVE_ROUNDS) {
            break;
        }
        serpent_substitute(x, serpent_sboxes[round & 7]);
        if (round < PRIMITIVE_ROUNDS - 1) {
            serpent_linear(x);
        }
    }
    serpent_store(out, x);
}
