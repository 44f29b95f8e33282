#include "stream.h"

#include "bytes.h"

/* The Salsa20 specification: the constants stand on the diagonal, with half of the key, the
 * nonce and the block counter, and the other half between them. */
void stream_init(stream_context *ctx, const uint8_t *key, const uint8_t *iv) {
    uint32_t *word = ctx->input;

    for (uint8_t i = 0; i < 4; i++) {
        word[1 + i] = load32_le(key + 4 * i);
        word[11 + i] = load32_le(key + 16 + 4 * i);
    }
    word[0] = UINT32_C(0x61707865);
    word[5] = UINT32_C(0x3320646e);
    word[6] = load32_le(iv);
    word[7] = load32_le(iv + 4);
    word[8] = 0;
    word[9] = 0;
    word[10] = UINT32_C(0x79622d32);
    word[15] = UINT32_C(0x6b206574);
    ctx->used_bytes = 64;
}
