#include "hash.h"

void hash_init(hash_context *ctx) {
    for (uint8_t i = 0; i < 25; i++) {
        ctx->state.lanes[i] = 0;
    }
    ctx->used_bytes = 0;
}
