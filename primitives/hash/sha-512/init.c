#include "hash.h"

#include "initial.h"

/* Read as volatile: clang makes a plain copying loop a memcpy, which reads RAM even where the table
 * is in flash. */
void hash_init(hash_context *ctx) {
    const volatile ROM uint64_t *from = initial;

    for (uint8_t i = 0; i < 8; i++) {
        ctx->state[i] = *from++;
    }
    ctx->blocks_low = 0;
    ctx->blocks_high = 0;
    ctx->used_bytes = 0;
}
