#include "hash.h"

#include "ascon.h"

/* NIST SP 800-232, section 5.1. */
void hash_init(hash_context *ctx) {
    ctx->state.words[0] = UINT64_C(0x0000080100cc0002);
    for (uint8_t i = 1; i < 5; i++) {
        ctx->state.words[i] = 0;
    }
    ascon_permute(ctx->state.words);
    ctx->used_bytes = 0;
}
