#include "eax.h"

#include <string.h>

void eax_counter(const aead_context *ctx, uint8_t *out, const uint8_t *start, const uint8_t *in,
                 size_t length) {
    uint8_t counter[PRIMITIVE_BLOCK_BYTES];
    uint8_t stream[PRIMITIVE_BLOCK_BYTES];

    memcpy(counter, start, sizeof counter);
    while (length > 0) {
        uint8_t n = (uint8_t)(length < PRIMITIVE_BLOCK_BYTES ? length : PRIMITIVE_BLOCK_BYTES);

        block_encrypt(&ctx->cipher, stream, counter);
        for (uint8_t i = 0; i < n; i++) {
            *out++ = *in++ ^ stream[i];
        }
        for (uint8_t i = PRIMITIVE_BLOCK_BYTES; i > 0 && ++counter[i - 1] == 0; i--) {
        }
        length -= n;
    }
}
