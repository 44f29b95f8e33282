#include "stream.h"

#include "bytes.h"

/* RFC 8439, section 2.3: constants, key, block counter, nonce. */
void stream_init(stream_context *ctx, const uint8_t *key, const uint8_t *iv) {
    uint32_t *word = ctx->input;

    *word++ = UINT32_C(0x61707865);
    *word++ = UINT32_C(0x3320646e);
    *word++ = UINT32_C(0x79622d32);
    *word++ = UINT32_C(0x6b206574);
    for (uint8_t i = 0; i < 8; i++) {
        *word++ = load32_le(key);
        key += 4;
    }
    *word++ = 0;
    for (uint8_t i = 0; i < 3; i++) {
        *word++ = load32_le(iv);
        iv += 4;
    }
    ctx->used_bytes = 64;
}
