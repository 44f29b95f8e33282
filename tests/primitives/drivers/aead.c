/* s: seal, with the tag apart; o: open, with what it returned. The context serves any number of
 * messages. */
#include "aead.h"

#include <string.h>

#include "driver.h"

void answer(request *r) {
    aead_context *ctx = (aead_context *)(void *)reserve(sizeof *ctx, 0);
    aead_context *before = (aead_context *)(void *)reserve(sizeof *before, 0);
    aead_init(ctx, r->in[KEY].bytes);
    memcpy(before, ctx, sizeof *ctx);
    output_like_data(r);
    if (r->operation == 's') {
        r->tag.size = PRIMITIVE_TAG_BYTES;
        r->tag.bytes = reserve(PRIMITIVE_TAG_BYTES, r->skew);
        aead_seal(ctx, r->out.bytes, r->tag.bytes, r->in[IV].bytes, r->in[AD].bytes, r->in[AD].size,
                  r->in[DATA].bytes, r->in[DATA].size);
        if (r->tag.size == 0) {
            release(r->tag.bytes, 0, r->skew);
        }
    } else {
        r->returned =
            aead_open(ctx, r->out.bytes, r->in[TAG].bytes, r->in[IV].bytes, r->in[AD].bytes,
                      r->in[AD].size, r->in[DATA].bytes, r->in[DATA].size);
    }
    must_equal(ctx, before, sizeof *ctx, "context");
    release((uint8_t *)before, sizeof *before, 0);
    release((uint8_t *)ctx, sizeof *ctx, 0);
}
