#include "hash.h"

#include "bytes.h"
#include "rotate.h"
#include "sm3.h"

/* The SM3 draft, sections 4.2 to 4.4; MAJ and CH in forms that need one operation less. */
#define T_FIRST         UINT32_C(0x79cc4519)
#define T_REST          UINT32_C(0x7a879d8a)
#define PARITY(x, y, z) ((x) ^ (y) ^ (z))
#define MAJ(x, y, z)    (((x) & (y)) | ((z) & ((x) | (y))))
#define CH(x, y, z)     ((z) ^ ((x) & ((y) ^ (z))))

static uint32_t turn(uint32_t x, uint8_t n) {
    return rotl32_variable(x, n);
}

/* P0 with 9 and 17, P1 with 15 and 23. */
static uint32_t spread(uint32_t x, uint8_t n) {
    return x ^ turn(x, n) ^ turn(x, (uint8_t)(n + 8));
}

/* The SM3 draft, sections 5.3.2 and 5.3.3; v holds A to H, the schedule runs four words ahead in
 * the room of sixteen, and the constant t turns by one bit each step. */
void sm3_compress(hash_context *ctx, const uint8_t *block) {
    uint32_t *w = ctx->block.words;
    uint32_t v[8];
    uint32_t t = T_FIRST;

    for (uint8_t i = 0; i < 8; i++) {
        v[i] = ctx->state[i];
    }
    for (uint8_t i = 0; i < 16; i++) {
        w[i] = load32_be(block + 4 * i);
    }
    for (uint8_t step = 0; step < 64; step++) {
        uint32_t word = w[step & 15];
        uint32_t *ahead = w + ((step + 4) & 15);
        uint32_t turned = turn(v[0], 12);
        uint32_t sum = turn(turned + v[4] + t, 7);
        uint32_t first = PARITY(v[0], v[1], v[2]);
        uint32_t second = PARITY(v[4], v[5], v[6]);

        if (step >= 12) {
            uint32_t x = *ahead ^ w[(step + 11) & 15] ^ turn(w[(step + 1) & 15], 15);
            *ahead = spread(x, 15) ^ turn(w[(step + 7) & 15], 7) ^ w[(step + 14) & 15];
        }
        if (step >= 16) {
            first = MAJ(v[0], v[1], v[2]);
            second = CH(v[4], v[5], v[6]);
        }
        first += v[3] + (sum ^ turned) + (word ^ *ahead);
        second += v[7] + sum + word;
        for (uint8_t i = 7; i > 0; i--) {
            v[i] = v[i - 1];
        }
        v[0] = first;
        v[2] = turn(v[2], 9);
        v[4] = spread(second, 9);
        v[6] = turn(v[6], 19);
        t = step == 15 ? ROTL32_SHIFTS(T_REST, 16) : turn(t, 1);
    }
    for (uint8_t i = 0; i < 8; i++) {
        ctx->state[i] ^= v[i];
    }
    if (++ctx->blocks_low == 0) {
        ctx->blocks_high++;
    }
}
