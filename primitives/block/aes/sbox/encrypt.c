#include "block.h"

#include "aes.h"
#include "shift_rows.h"

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t s[16];
    const uint8_t *round_key = ctx->round_keys;
    uint8_t round = PRIMITIVE_ROUNDS;

    for (uint8_t i = 0; i < 16; i++) {
        s[i] = *in++ ^ *round_key++;
    }
    for (;;) {
        substitute_and_shift(s);
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
