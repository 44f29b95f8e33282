#include "block.h"

#include "aes.h"

/* SubBytes and ShiftRows (FIPS 197, sections 5.1.1 and 5.1.2), row after row. */
static inline void substitute_and_shift(const uint8_t *sbox, uint8_t *s) {
    uint8_t t;

    s[0] = sbox[s[0]];
    s[4] = sbox[s[4]];
    s[8] = sbox[s[8]];
    s[12] = sbox[s[12]];

    t = sbox[s[1]];
    s[1] = sbox[s[5]];
    s[5] = sbox[s[9]];
    s[9] = sbox[s[13]];
    s[13] = t;

    t = sbox[s[2]];
    s[2] = sbox[s[10]];
    s[10] = t;
    t = sbox[s[6]];
    s[6] = sbox[s[14]];
    s[14] = t;

    t = sbox[s[15]];
    s[15] = sbox[s[11]];
    s[11] = sbox[s[7]];
    s[7] = sbox[s[3]];
    s[3] = t;
}

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t s[16];
    const uint8_t *round_key = ctx->round_keys;
    uint8_t round = PRIMITIVE_ROUNDS;

    for (uint8_t i = 0; i < 16; i++) {
        s[i] = *in++ ^ *round_key++;
    }
    for (;;) {
        substitute_and_shift(ctx->sbox, s);
        if (--round == 0) {
            break;
        }
        /* MixColumns and AddRoundKey, FIPS 197, sections 5.1.3 and 5.1.4. */
        for (uint8_t *column = s; column != s + 16; column += 4) {
            uint8_t a0 = column[0];
            uint8_t a1 = column[1];
            uint8_t a2 = column[2];
            uint8_t a3 = column[3];
            uint8_t all = a0 ^ a1 ^ a2 ^ a3;

            column[0] = (uint8_t)(a0 ^ all ^ xtime(a0 ^ a1) ^ *round_key++);
            column[1] = (uint8_t)(a1 ^ all ^ xtime(a1 ^ a2) ^ *round_key++);
            column[2] = (uint8_t)(a2 ^ all ^ xtime(a2 ^ a3) ^ *round_key++);
            column[3] = (uint8_t)(a3 ^ all ^ xtime(a3 ^ a0) ^ *round_key++);
        }
    }
    for (uint8_t i = 0; i < 16; i++) {
        *out++ = s[i] ^ *round_key++;
    }
}
