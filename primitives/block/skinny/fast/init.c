#include "block.h"

#include "cells.h"

/* SKINNY v1.1, section 2.3, the permutation P_T, which moves the lower two rows up as they are. */
static const ROM uint8_t from[8] = {9, 15, 8, 13, 10, 14, 12, 11};

static void permute(uint8_t *cells) {
    uint8_t upper[8];

    for (uint8_t i = 0; i < 8; i++) {
        upper[i] = cells[from[i]];
    }
    for (uint8_t i = 0; i < 8; i++) {
        cells[8 + i] = cells[i];
        cells[i] = upper[i];
    }
}

void block_init(block_context *ctx, const uint8_t *key) {
    uint8_t *k = ctx->round_keys;
    uint8_t first[16];
    uint8_t rc = 0;
#if SKINNY_NIBBLES
    uint8_t second[16];
    skinny_load(second, key + 8);
#endif

    skinny_load(first, key);
    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        for (uint8_t i = 0; i < 8; i++) {
#if SKINNY_NIBBLES
            k[i] = first[i] ^ second[i];
#else
            k[i] = first[i];
#endif
        }
        rc = SKINNY_NEXT_CONSTANT(rc);
        k[0] = (uint8_t)(k[0] ^ (rc & 0xF));
        k[4] ^= rc >> 4;
        k += 8;
        permute(first);
#if SKINNY_NIBBLES
        permute(second);
        for (uint8_t i = 0; i < 8; i++) {
            uint8_t x = second[i];
            second[i] = (uint8_t)((x << 1 & 0xE) | ((x >> 3 ^ x >> 2) & 1));
        }
#endif
    }
}
