#include "stream.h"

#include "bytes.h"
#include "rotate.h"
#include "salsa20.h"

/* One of the four assignments of a quarter round. */
static void step(uint32_t *to, uint32_t one, uint32_t other, uint8_t n) {
    *to ^= rotl32_variable(one + other, n);
}

/* The Salsa20 specification: four quarter rounds down the columns of x and four along its
 * rows, each beginning on the diagonal. */
void salsa20_block(stream_context *ctx) {
    uint32_t x[16];

    for (uint8_t i = 0; i < 16; i++) {
        x[i] = ctx->input[i];
    }
    for (uint8_t rounds = 80; rounds > 0; rounds--) {
        uint8_t start = (uint8_t)(-rounds & 3);
        uint8_t rows = (uint8_t)(-rounds & 4);
        uint32_t *word[4];

        for (uint8_t i = 0; i < 4; i++) {
            uint8_t along = (uint8_t)((start + i) & 3);
            word[i] = x + (rows ? 4 * start + along : 4 * along + start);
        }
        step(word[1], *word[0], *word[3], 7);
        step(word[2], *word[1], *word[0], 9);
        step(word[3], *word[2], *word[1], 13);
        step(word[0], *word[3], *word[2], 18);
    }
    for (uint8_t i = 0; i < 16; i++) {
        store32_le(ctx->stream + 4 * i, x[i] + ctx->input[i]);
    }
    if (++ctx->input[8] == 0) {
        ctx->input[9]++;
    }
}
