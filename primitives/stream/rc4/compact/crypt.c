#include "stream.h"

#include "rc4.h"

void stream_crypt(stream_context *ctx, uint8_t *out, const uint8_t *in, size_t length) {
    for (; length > 0; length--) {
        *out++ = *in++ ^ rc4_step(ctx, 0);
    }
}
