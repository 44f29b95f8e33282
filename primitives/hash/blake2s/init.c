#include "hash.h"

#include "blake2s.h"

void blake2s_initial(uint32_t *words) {
    words[0] = UINT32_C(0x6a09e667);
    words[1] = UINT32_C(0xbb67ae85);
    words[2] = UINT32_C(0x3c6ef372);
    words[3] = UINT32_C(0xa54ff53a);
    words[4] = UINT32_C(0x510e527f);
    words[5] = UINT32_C(0x9b05688c);
    words[6] = UINT32_C(0x1f83d9ab);
    words[7] = UINT32_C(0x5be0cd19);
}

/* RFC 7693, sections 2.5 and 3.3: no key, fan-out and depth 1. */
void hash_init(hash_context *ctx) {
    blake2s_initial(ctx->state);
    ctx->state[0] ^= UINT32_C(0x01010000) ^ PRIMITIVE_DIGEST_BYTES;
    ctx->bytes_low = 0;
    ctx->bytes_high = 0;
    ctx->used_bytes = 0;
}
