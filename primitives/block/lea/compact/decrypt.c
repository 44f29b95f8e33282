#include "block.h"

#include "bytes.h"
#include "rotate.h"
#include "schedule.h"

/* LEA paper, section 2.5; runs the key schedule to its end, then back beside the data. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    lea_schedule s;
    uint32_t x[4];
    uint32_t k[6];

    lea_schedule_start(&s, ctx);
    do {
        lea_schedule_next(&s, k);
    } while (s.round != PRIMITIVE_ROUNDS);
    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load32_le(in + 4 * i);
    }
    do {
        uint32_t first = x[0];
        lea_schedule_back(&s, k);
        x[0] = x[3];
        x[3] = x[2];
        x[2] = x[1];
        x[1] = (rotl32(first, 23) - (x[0] ^ k[0])) ^ k[1];
        x[2] = (rotl32(x[2], 5) - (x[1] ^ k[2])) ^ k[3];
        x[3] = (rotl32(x[3], 3) - (x[2] ^ k[4])) ^ k[5];
    } while (s.round != 0);
    for (uint8_t i = 0; i < 4; i++) {
        store32_le(out + 4 * i, x[i]);
    }
}
