#include "gcm.h"

#include <string.h>

/* SP 800-38D, section 6.3, algorithm 1, from the last bit of y to the first, so that it is the
 * product that is shifted and the hash key stays as it is. */
void gcm_multiply(const aead_context *ctx, uint8_t *y) {
    uint8_t z[16];

    memset(z, 0, 16);
    for (uint8_t i = 16; i > 0; i--) {
        uint8_t byte = y[i - 1];

        for (uint8_t bit = 0; bit < 8; bit++) {
            uint8_t carry = 0;
            uint8_t add = (uint8_t) - (byte & 1);
            uint8_t reduce = (uint8_t)(0xE1 & -(z[15] & 1));

            for (uint8_t j = 0; j < 16; j++) {
                uint8_t shifted = (uint8_t)(z[j] >> 1 | carry);
                carry = (uint8_t)(z[j] << 7);
                z[j] = shifted ^ (ctx->hash_key[j] & add);
            }
            z[0] ^= reduce;
            byte >>= 1;
        }
    }
    memcpy(y, z, 16);
}
