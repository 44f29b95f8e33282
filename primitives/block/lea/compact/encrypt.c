#include "block.h"

#include "bytes.h"
#include "rotate.h"
#include "schedule.h"

/* LEA paper, section 2.4. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    lea_schedule s;
    uint32_t x[4];
    uint32_t k[6];

    lea_schedule_start(&s, ctx);
    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load32_le(in + 4 * i);
    }
    do {
        uint32_t first = x[0];
        lea_schedule_next(&s, k);
        x[0] = rotl32((first ^ k[0]) + (x[1] ^ k[1]), 9);
        x[1] = rotl32((x[1] ^ k[2]) + (x[2] ^ k[3]), 27);
        x[2] = rotl32((x[2] ^ k[4]) + (x[3] ^ k[5]), 29);
        x[3] = first;
    } while (s.round != PRIMITIVE_ROUNDS);
    for (uint8_t i = 0; i < 4; i++) {
        store32_le(out + 4 * i, x[i]);
    }
}
