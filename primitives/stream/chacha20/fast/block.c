#include "stream.h"

#include "bytes.h"
#include "chacha20.h"
#include "rotate.h"

/* RFC 8439, section 2.1. */
#define QUARTER(a, b, c, d)                                                                        \
    do {                                                                                           \
        uint32_t va = x[a] + x[b];                                                                 \
        uint32_t vd = x[d] ^ va;                                                                   \
        vd = rotl32(vd, 16);                                                                       \
        uint32_t vc = x[c] + vd;                                                                   \
        uint32_t vb = x[b] ^ vc;                                                                   \
        vb = rotl32(vb, 12);                                                                       \
        va += vb;                                                                                  \
        x[a] = va;                                                                                 \
        vd ^= va;                                                                                  \
        vd = rotl32(vd, 8);                                                                        \
        x[d] = vd;                                                                                 \
        vc += vd;                                                                                  \
        x[c] = vc;                                                                                 \
        vb ^= vc;                                                                                  \
        x[b] = rotl32(vb, 7);                                                                      \
    } while (0)

/* RFC 8439, section 2.3. */
void chacha20_block(stream_context *ctx) {
    uint32_t x[16];

    for (uint8_t i = 0; i < 16; i++) {
        x[i] = ctx->input[i];
    }
    for (uint8_t rounds = 10; rounds > 0; rounds--) {
        QUARTER(0, 4, 8, 12);
        QUARTER(1, 5, 9, 13);
        QUARTER(2, 6, 10, 14);
        QUARTER(3, 7, 11, 15);
        QUARTER(0, 5, 10, 15);
        QUARTER(1, 6, 11, 12);
        QUARTER(2, 7, 8, 13);
        QUARTER(3, 4, 9, 14);
    }
    for (uint8_t i = 0; i < 16; i++) {
        store32_le(ctx->stream + 4 * i, x[i] + ctx->input[i]);
    }
    ctx->input[12]++;
}
