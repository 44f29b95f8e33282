#include "block.h"

#include "inverse_tables.h"
#include "rotate.h"
#include "serpent.h"
#include "unlinear.h"

/* Undoes serpent_next_prekey. */
static void previous_prekey(uint32_t *prekeys, uint8_t i) {
    uint32_t last = prekeys[i & 7];

    prekeys[i & 7] = 0;
    serpent_next_prekey(prekeys, i);
    prekeys[i & 7] = rotl32(prekeys[i & 7] ^ last, 21);
}

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    block_context schedule = *ctx;
    uint32_t x[4];
    uint32_t round_key[4];

    serpent_load(x, in);
    for (uint8_t round = PRIMITIVE_ROUNDS;; round--) {
        if (round < PRIMITIVE_ROUNDS - 1) {
            unlinear(x);
        }
        if (round < PRIMITIVE_ROUNDS) {
            serpent_substitute(x, inverse_sboxes[round & 7]);
        }
        serpent_round_key(round_key, schedule.prekeys, round);
        serpent_add(x, round_key);
        if (round == 0) {
            break;
        }
        for (uint8_t i = 4; i > 0;) {
            i--;
            previous_prekey(schedule.prekeys, (uint8_t)(4 * round + i));
        }
    }
    serpent_store(out, x);
}
