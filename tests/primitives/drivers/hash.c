/* h: the digest in one call; u: by updates, one for each piece. */
#include <string.h>

#include "digest.h"
#include "driver.h"

void answer(request *r) {
    hash_context *ctx = (hash_context *)(void *)reserve(sizeof *ctx, 0);
    r->out.size = PRIMITIVE_DIGEST_BYTES;
    r->out.bytes = reserve(r->out.size, r->skew ? r->skew % 7u + 1 : 0);
    if (r->operation == 'h') {
        hash_digest(ctx, r->out.bytes, r->in[DATA].bytes, r->in[DATA].size);
    } else {
        hash_init(ctx);
        for (size_t i = 0; i <= r->cuts; i++) {
            size_t start = cut_start(r, i), size = cut_start(r, i + 1) - start;
            uint8_t *piece = reserve(size, r->skew);
            memcpy(piece, r->in[DATA].bytes + start, size);
            hash_update(ctx, piece, size);
            release(piece, size, r->skew);
        }
        hash_final(ctx, r->out.bytes);
    }
    release((uint8_t *)ctx, sizeof *ctx, 0);
}
