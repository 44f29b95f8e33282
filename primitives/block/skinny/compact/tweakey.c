#include "tweakey.h"

const ROM uint8_t skinny_from[8] = {9, 15, 8, 13, 10, 14, 12, 11};

void skinny_load(uint8_t *cells, const uint8_t *in) {
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
#if SKINNY_NIBBLES
        *cells++ = in[i] >> 4;
        *cells++ = in[i] & 0xF;
#else
        *cells++ = in[i];
#endif
    }
}

void skinny_store(uint8_t *out, const uint8_t *cells) {
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
#if SKINNY_NIBBLES
        out[i] = (uint8_t)(cells[0] << 4 | cells[1]);
        cells += 2;
#else
        out[i] = *cells++;
#endif
    }
}

void skinny_start(skinny_tweakey *t, const block_context *ctx) {
    for (uint8_t i = 0; i < SKINNY_TWEAKEYS; i++) {
        skinny_load(t->cells + 16 * i, ctx->key + PRIMITIVE_BLOCK_BYTES * i);
    }
    t->rc = 1;
}

void skinny_next(skinny_tweakey *t) {
    uint8_t *cells = t->cells;
    uint8_t upper[8];

    for (uint8_t n = 0; n < SKINNY_TWEAKEYS; n++) {
        for (uint8_t i = 0; i < 8; i++) {
            uint8_t x = cells[skinny_from[i]];
            upper[i] = (uint8_t)(n == 0 ? x : (x << 1 & 0xE) | ((x >> 3 ^ x >> 2) & 1));
        }
        for (uint8_t i = 0; i < 8; i++) {
            cells[8 + i] = cells[i];
            cells[i] = upper[i];
        }
        cells += 16;
    }
    t->rc = (uint8_t)((t->rc << 1 & 0x3E) | ((t->rc >> 5 ^ t->rc >> 4 ^ 1) & 1));
}

void skinny_add(uint8_t *cells, const skinny_tweakey *t) {
    for (uint8_t i = 0; i < 8; i++) {
        cells[i] ^= t->cells[i];
#if SKINNY_NIBBLES
        cells[i] ^= t->cells[16 + i];
#endif
    }
    cells[0] = (uint8_t)(cells[0] ^ (t->rc & 0xF));
    cells[4] ^= t->rc >> 4;
    cells[8] ^= 2;
}
