#include "hash.h"

/* The state after the permutation of the initial value, NIST SP 800-232, appendix A. */
void hash_init(hash_context *ctx) {
    ctx->state.words[0] = UINT64_C(0x9b1e5494e934d681);
    ctx->state.words[1] = UINT64_C(0x4bc3a01e333751d2);
    ctx->state.words[2] = UINT64_C(0xae65396c6b34b81a);
    ctx->state.words[3] = UINT64_C(0x3c7fd4a4d56a4db3);
    ctx->state.words[4] = UINT64_C(0x1a5c464906c5976d);
    ctx->used_bytes = 0;
}
