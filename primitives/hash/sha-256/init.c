#include "hash.h"

#include "rom.h"

/* FIPS 180-4, sections 5.3.2 and 5.3.3. */
static const ROM uint32_t initial[8] = {
#if PRIMITIVE_DIGEST_BYTES == 28
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
#else
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
#endif
};

/* Read as volatile: clang makes a plain copying loop a memcpy, which reads RAM even where the table
 * is in flash. */
void hash_init(hash_context *ctx) {
    const volatile ROM uint32_t *from = initial;

    for (uint8_t i = 0; i < 8; i++) {
        ctx->state[i] = *from++;
    }
    ctx->blocks_low = 0;
    ctx->blocks_high = 0;
    ctx->used_bytes = 0;
}
