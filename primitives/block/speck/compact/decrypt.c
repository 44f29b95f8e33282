#include "block.h"

#include "schedule.h"

#if WORD_BYTES == 2

#include "pair.h"

static void speck_unround(uint8_t *x, uint8_t *y, const uint8_t *k) {
    uint16_t a = pair_load(x);
    uint16_t b = pair_load(y) ^ a;

    b = (uint16_t)(b >> 2 | b << 14);
    a = (uint16_t)((a ^ pair_load(k)) - b);
    pair_store(x, (uint16_t)(a << 7 | a >> 9));
    pair_store(y, b);
}

#else

static void speck_unround(uint8_t *x, uint8_t *y, const uint8_t *k) {
    uint8_t mixed = x[0] ^ y[0];
    uint8_t first = mixed;
    uint8_t last = 0;
    uint8_t borrow = 0;

    for (uint8_t i = 0; i < WORD_BYTES; i++) {
        uint8_t next = i == WORD_BYTES - 1 ? first : x[i + 1] ^ y[i + 1];
        y[i] = (uint8_t)(mixed >> 3 | next << 5);
        mixed = next;
        uint16_t difference = (uint16_t)((x[i] ^ k[i]) - y[i] - borrow);
        borrow = (uint8_t)(difference >> 15);
        x[i] = last;
        last = (uint8_t)difference;
    }
    x[0] = last;
}

#endif

/* Runs the key schedule to its end, then back beside the data. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    speck_schedule s;

    speck_schedule_start(&s, ctx);
    while (s.round[0] != PRIMITIVE_ROUNDS - 1) {
        speck_schedule_next(&s);
    }
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        out[i] = in[i];
    }
    for (;;) {
        speck_unround(out + WORD_BYTES, out, s.k);
        if (s.round[0] == 0) {
            return;
        }
        s.round[0]--;
        s.at = s.at == WORD_BYTES ? PRIMITIVE_KEY_BYTES - WORD_BYTES : (uint8_t)(s.at - WORD_BYTES);
        speck_unround(s.k + s.at, s.k, s.round);
    }
}
