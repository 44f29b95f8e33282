#include "camellia.h"

#include "extract.h"
#include "plan.h"

/* Adds the rotated product of the left half and the subkey to the right half. */
static void add_to_right(uint8_t *x, const uint8_t *subkey) {
    for (uint8_t i = 0; i < 4; i++) {
        uint8_t next = (i + 1) & 3;
        x[4 + i] ^= (uint8_t)((x[i] & subkey[i]) << 1 | (x[next] & subkey[next]) >> 7);
    }
}

static void add_to_left(uint8_t *x, const uint8_t *subkey) {
    for (uint8_t i = 0; i < 4; i++) {
        x[i] ^= x[4 + i] | subkey[4 + i];
    }
}

/* Whitening of the halves of d by the subkeys number and number + 1. */
static void whiten(const block_context *ctx, uint8_t *d, uint8_t number) {
    uint8_t subkey[8];

    for (uint8_t half = 0; half < 2; half++) {
        extract(subkey, ctx->strings[plan[number][0]], plan[number][1]);
        for (uint8_t i = 0; i < 8; i++) {
            *d++ ^= subkey[i];
        }
        number++;
    }
}

void camellia_crypt(const block_context *ctx, uint8_t *out, const uint8_t *in, uint8_t backwards) {
    uint8_t d[16];
    uint8_t subkey[8];

    for (uint8_t i = 0; i < 16; i++) {
        d[i] = in[i];
    }
    whiten(ctx, d, backwards ? CAMELLIA_SUBKEYS - 2 : 0);
    for (uint8_t step = 0; step < CAMELLIA_SUBKEYS - 4; step++) {
        uint8_t number = (uint8_t)(backwards ? CAMELLIA_SUBKEYS - 3 - step : 2 + step);
        uint8_t half = step & 1;
        extract(subkey, ctx->strings[plan[number][0]], plan[number][1]);
        /* Six rounds, FL on the left half, its inverse on the right half. */
        if ((step & 7) < 6) {
            camellia_add_f(d + (half ? 0 : 8), d + (half ? 8 : 0), subkey);
        } else if (half) {
            add_to_left(d + 8, subkey);
            add_to_right(d + 8, subkey);
        } else {
            add_to_right(d, subkey);
            add_to_left(d, subkey);
        }
    }
    for (uint8_t i = 0; i < 16; i++) {
        out[i] = d[i ^ 8];
    }
    whiten(ctx, out, backwards ? 0 : CAMELLIA_SUBKEYS - 2);
}
