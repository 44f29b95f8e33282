#include "hash.h"

#include "rom.h"
#include "skein.h"

/* The chaining value after the configuration block, as the Skein specification
 * lists it. */
static const ROM uint64_t initial[SKEIN_WORDS] = {
#if SKEIN_WORDS == 4
    UINT64_C(0xfc9da860d048b449),
    UINT64_C(0x2fca66479fa7d833),
    UINT64_C(0xb33bc3896656840f),
    UINT64_C(0x6a54e920fde8da69),
#else
    UINT64_C(0x4903adff749c51ce), UINT64_C(0x0d95de399746df03), UINT64_C(0x8fd1934127c79bce),
    UINT64_C(0x9a255629ff352cb1), UINT64_C(0x5db62599df6ca7b0), UINT64_C(0xeabe394ca9d5c3f4),
    UINT64_C(0x991112c71a75b523), UINT64_C(0xae18a40b660fcc33),
#endif
};

/* Read as volatile: clang makes a plain copying loop a memcpy, which reads RAM even where the table
 * is in flash. */
void hash_init(hash_context *ctx) {
    const volatile ROM uint64_t *from = initial;

    for (uint8_t i = 0; i < SKEIN_WORDS; i++) {
        ctx->chain[i] = *from++;
    }
    skein_start(ctx);
    ctx->used_bytes = 0;
}
