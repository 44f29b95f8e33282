#include "block.h"

#include "aes.h"
#include "inverse_shift_rows.h"

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t s[16];
    const uint8_t *round_key = ctx->round_keys + 16 * PRIMITIVE_ROUNDS;
    uint8_t round = PRIMITIVE_ROUNDS;

    for (uint8_t i = 0; i < 16; i++) {
        s[i] = *in++ ^ *round_key++;
    }
    for (;;) {
        shift_and_substitute(s);
        round_key -= 32;
        if (--round == 0) {
            break;
        }
        /* AddRoundKey and InvMixColumns, FIPS 197, sections 5.3.4 and 5.3.3: the inverse matrix is
         * the forward one after 4(a0 + a2) has been added to a0 and a2, and 4(a1 + a3) to a1 and
         * a3. */
        for (uint8_t *column = s; column != s + 16; column += 4) {
            uint8_t a0 = column[0] ^ *round_key++;
            uint8_t a1 = column[1] ^ *round_key++;
            uint8_t a2 = column[2] ^ *round_key++;
            uint8_t a3 = column[3] ^ *round_key++;
            uint8_t all = a0 ^ a1 ^ a2 ^ a3;
            uint8_t even = xtime(xtime(a0 ^ a2));
            uint8_t odd = xtime(xtime(a1 ^ a3));

            a0 ^= even;
            a1 ^= odd;
            a2 ^= even;
            a3 ^= odd;
            column[0] = (uint8_t)(a0 ^ all ^ xtime(a0 ^ a1));
            column[1] = (uint8_t)(a1 ^ all ^ xtime(a1 ^ a2));
            column[2] = (uint8_t)(a2 ^ all ^ xtime(a2 ^ a3));
            column[3] = (uint8_t)(a3 ^ all ^ xtime(a3 ^ a0));
        }
    }
    for (uint8_t i = 0; i < 16; i++) {
        *out++ = s[i] ^ *round_key++;
    }
}
