/* e, d: a message. */
#include "stream.h"

#include <string.h>

#include "driver.h"

void answer(request *r) {
    stream_context *ctx = (stream_context *)(void *)reserve(sizeof *ctx, 0);
    stream_init(ctx, r->in[KEY].bytes, r->in[IV].size > 0 ? r->in[IV].bytes : NULL);
    output_like_data(r);
    for (size_t i = 0; i <= r->cuts; i++) {
        size_t start = cut_start(r, i), size = cut_start(r, i + 1) - start;
        uint8_t *piece = reserve(size, r->skew);
        memcpy(piece, r->in[DATA].bytes + start, size);
        uint8_t *out = r->in_place ? piece : reserve(size, r->skew);
        stream_crypt(ctx, out, piece, size);
        memcpy(r->out.bytes + start, out, size);
        if (!r->in_place) {
            must_equal(piece, r->in[DATA].bytes + start, size, "input");
            release(out, size, r->skew);
        }
        release(piece, size, r->skew);
    }
    release((uint8_t *)ctx, sizeof *ctx, 0);
}
