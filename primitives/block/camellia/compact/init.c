#include "block.h"

#include "camellia.h"
#include "two_rounds.h"

void block_init(block_context *ctx, const uint8_t *key) {
    for (uint8_t i = 0; i < 16; i++) {
        ctx->strings[KL][i] = key[i];
        ctx->strings[KA][i] = key[i];
#if PRIMITIVE_KEY_BYTES == 24
        ctx->strings[KR][i] = i < 8 ? key[16 + i] : (uint8_t)~key[8 + i];
#elif PRIMITIVE_KEY_BYTES == 32
        ctx->strings[KR][i] = key[16 + i];
#endif
    }
#if PRIMITIVE_KEY_BYTES > 16
    add(ctx->strings[KA], ctx->strings[KR]);
#endif
    two_rounds(ctx->strings[KA], 0);
    add(ctx->strings[KA], ctx->strings[KL]);
    two_rounds(ctx->strings[KA], 2);
#if PRIMITIVE_KEY_BYTES > 16
    for (uint8_t i = 0; i < 16; i++) {
        ctx->strings[KB][i] = ctx->strings[KA][i];
    }
    add(ctx->strings[KB], ctx->strings[KR]);
    two_rounds(ctx->strings[KB], 4);
#endif
}
