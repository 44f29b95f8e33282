#include "schedule.h"

#include "sparx.h"

void sparx_schedule_start(sparx_schedule *s, const block_context *ctx) {
    for (uint8_t i = 0; i < 8; i++) {
        s->k[i] = ctx->key[i];
    }
    s->at = 0;
    s->counter = 0;
}

void sparx_schedule_next(sparx_schedule *s) {
    uint16_t *pair = s->k + s->at;

    sparx_a(pair);
    SPARX_KEY(s, 2) = (uint16_t)(SPARX_KEY(s, 2) + pair[0]);
    SPARX_KEY(s, 3) = (uint16_t)(SPARX_KEY(s, 3) + pair[1]);
    s->counter++;
    SPARX_KEY(s, 7) = (uint16_t)(SPARX_KEY(s, 7) + s->counter);
    s->at = (uint8_t)(s->at - 2) & 7;
}

void sparx_a(uint16_t *pair) {
    uint16_t x = (uint16_t)(SPARX_LEFT(pair[0], 9) + pair[1]);

    pair[0] = x;
    pair[1] = SPARX_LEFT(pair[1], 2) ^ x;
}

void sparx_load_block(uint16_t *x, const uint8_t *in) {
    for (uint8_t i = 0; i < 4; i++) {
        x[i] = sparx_load(in + 2 * i);
    }
}

void sparx_store_block(uint8_t *out, const uint16_t *x) {
    for (uint8_t i = 0; i < 4; i++) {
        sparx_store(out + 2 * i, x[i]);
    }
}

void sparx_whiten(const sparx_schedule *s, uint16_t *x) {
    for (uint8_t i = 0; i < 4; i++) {
        x[i] ^= SPARX_KEY(s, i);
    }
}

void sparx_mix(uint16_t *to, const uint16_t *from) {
    uint16_t t = from[0] ^ from[1];

    t = SPARX_LEFT(t, 8);
    to[0] ^= from[0] ^ t;
    to[1] ^= from[1] ^ t;
}
