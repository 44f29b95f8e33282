#include "block.h"

#include "aes.h"

/* FIPS 197, section 5.3.5: InvMixColumns of all round keys but the first and the last. The tables
 * begin with InvSubBytes, which SubBytes cancels. */
void block_init_decrypt(block_context *ctx, const uint8_t *key) {
    const uint32_t *end = ctx->round_keys + 4 * PRIMITIVE_ROUNDS;

    block_init(ctx, key);
    for (uint32_t *w = ctx->round_keys + 4; w != end; w++) {
        uint32_t mixed = aes_inverse_table0[aes_substitute(aes_row(*w, 0))];
        mixed ^= aes_inverse_table1[aes_substitute(aes_row(*w, 1))];
        mixed ^= aes_inverse_table2[aes_substitute(aes_row(*w, 2))];
        mixed ^= aes_inverse_table3[aes_substitute(aes_row(*w, 3))];
        *w = mixed;
    }
}
