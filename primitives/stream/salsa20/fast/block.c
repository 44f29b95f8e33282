#include "stream.h"

#include "bytes.h"
#include "rotate.h"
#include "salsa20.h"

/* The Salsa20 specification: four additions, rotations and exclusive ors, each into the word
 * after the two that it reads. */
#define QUARTER(a, b, c, d)                                                                        \
    do {                                                                                           \
        uint32_t sum = x[a] + x[d];                                                                \
        uint32_t vb = x[b] ^ rotl32(sum, 7);                                                       \
        x[b] = vb;                                                                                 \
        sum = vb + x[a];                                                                           \
        uint32_t vc = x[c] ^ rotl32(sum, 9);                                                       \
        x[c] = vc;                                                                                 \
        sum = vc + vb;                                                                             \
        uint32_t vd = x[d] ^ rotl32(sum, 13);                                                      \
        x[d] = vd;                                                                                 \
        sum = vd + vc;                                                                             \
        x[a] ^= rotl32(sum, 18);                                                                   \
    } while (0)

void salsa20_block(stream_context *ctx) {
    uint32_t x[16];

    for (uint8_t i = 0; i < 16; i++) {
        x[i] = ctx->input[i];
    }
    for (uint8_t rounds = 10; rounds > 0; rounds--) {
        QUARTER(0, 4, 8, 12);
        QUARTER(5, 9, 13, 1);
        QUARTER(10, 14, 2, 6);
        QUARTER(15, 3, 7, 11);
        QUARTER(0, 1, 2, 3);
        QUARTER(5, 6, 7, 4);
        QUARTER(10, 11, 8, 9);
        QUARTER(15, 12, 13, 14);
    }
    for (uint8_t i = 0; i < 16; i++) {
        store32_le(ctx->stream + 4 * i, x[i] + ctx->input[i]);
    }
    if (++ctx->input[8] == 0) {
        ctx->input[9]++;
    }
}
