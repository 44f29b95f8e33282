#include "block.h"

#include "constants.h"

/* PRINCE paper, the S-box and its inverse. */
static const ROM uint8_t sboxes[32] = {
    0xB, 0xF, 0x3, 0x2, 0xA, 0xC, 0x9, 0x1, 0x6, 0x7, 0x8, 0x0, 0xE, 0x5, 0xD, 0x4,
    0xB, 0x7, 0x3, 0x2, 0xF, 0xD, 0x8, 0x9, 0xA, 0x6, 0x4, 0x0, 0x5, 0xE, 0xC, 0x1,
};

static void substitute(uint8_t *x, uint8_t box) {
    for (uint8_t i = 0; i < 8; i++) {
        x[i] = (uint8_t)(sboxes[box | x[i] >> 4] << 4 | sboxes[box | (x[i] & 0xF)]);
    }
}

static uint8_t turned(uint8_t x) {
    return (uint8_t)(x << 4 | x >> 4);
}

/* M', section 2: every nibble of the result is the sum of the four of its column but for one bit of
 * each. The masks put it back in; those of the middle columns are the others rotated. */
static void mix(uint8_t *x) {
    static const ROM uint8_t masks[2][4] = {{0x82, 0x44, 0x28, 0x11}, {0x41, 0x22, 0x14, 0x88}};

    for (uint8_t i = 0; i < 8; i = (uint8_t)(i + 2)) {
        uint8_t middle = i == 2 || i == 4;
        uint8_t v[4] = {x[i], turned(x[i]), x[i + 1], turned(x[i + 1])};
        uint8_t sum = v[0] ^ v[1] ^ v[2] ^ v[3];
        x[i] = sum;
        x[i + 1] = sum;
        for (uint8_t j = 0; j < 4; j++) {
            x[i] = (uint8_t)(x[i] ^ (v[j] & masks[middle][j]));
            x[i + 1] = (uint8_t)(x[i + 1] ^ (v[j] & masks[middle][j ^ 2]));
        }
    }
}

/* Byte j of the result takes its upper half from byte 5j and its lower half from byte 5j + shift:
 * the rotation of the rows for 2, the way back for 6. */
static void shift_rows(uint8_t *x, uint8_t shift) {
    uint8_t t[8];

    for (uint8_t i = 0; i < 8; i++) {
        t[i] = x[i];
    }
    for (uint8_t i = 0; i < 8; i++) {
        uint8_t at = (uint8_t)(5 * i);
        x[i] = (uint8_t)((t[at & 7] & 0xF0) | (t[(at + shift) & 7] & 0x0F));
    }
}

static void add(uint8_t *x, const uint8_t *k) {
    for (uint8_t i = 0; i < 8; i++) {
        x[i] ^= k[i];
    }
}

static void add_round(uint8_t *x, const block_context *ctx, uint8_t round) {
    add(x, ctx->core);
    for (uint8_t i = 0; i < 8; i++) {
        x[i] ^= prince_constants[round][i];
    }
}

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    for (uint8_t i = 0; i < 8; i++) {
        out[i] = in[i];
    }
    add(out, ctx->before);
    for (uint8_t round = 0; round < PRIMITIVE_ROUNDS; round++) {
        if (round < PRIMITIVE_ROUNDS / 2) {
            if (round > 0) {
                shift_rows(out, 2);
            }
            add_round(out, ctx, round);
            substitute(out, 0);
            mix(out);
        } else {
            substitute(out, 16);
            add_round(out, ctx, round);
            if (round < PRIMITIVE_ROUNDS - 1) {
                shift_rows(out, 6);
                mix(out);
            }
        }
    }
    add(out, ctx->after);
}
