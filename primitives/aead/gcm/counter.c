#include "gcm.h"

#include <string.h>

void gcm_counter(const aead_context *ctx, uint8_t *out, const uint8_t *nonce, const uint8_t *in,
                 size_t length) {
    uint8_t counter[16];
    uint8_t stream[16];

    memcpy(counter, nonce, 12);
    memset(counter + 12, 0, 3);
    counter[15] = 1;
    while (length > 0) {
        uint8_t n = (uint8_t)(length < 16 ? length : 16);

        for (uint8_t i = 16; i > 12 && ++counter[i - 1] == 0; i--) {
        }
        block_encrypt(&ctx->cipher, stream, counter);
        for (uint8_t i = 0; i < n; i++) {
            *out++ = *in++ ^ stream[i];
        }
        length -= n;
    }
}
