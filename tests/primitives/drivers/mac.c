/* m: the tag in one call; u: by updates, one for each piece. */
#include <string.h>

#include "driver.h"
#include "mac_compute.h"

void answer(request *r) {
    mac_context *ctx = (mac_context *)(void *)reserve(sizeof *ctx, 0);
    r->out.size = PRIMITIVE_TAG_BYTES;
    r->out.bytes = reserve(r->out.size, r->skew ? r->skew % 7u + 1 : 0);
    mac_init(ctx, r->in[KEY].bytes);
    if (r->operation == 'm') {
        mac_compute(ctx, r->out.bytes, r->in[DATA].bytes, r->in[DATA].size);
    } else {
        for (size_t i = 0; i <= r->cuts; i++) {
            size_t start = cut_start(r, i), size = cut_start(r, i + 1) - start;
            uint8_t *piece = reserve(size, r->skew);
            memcpy(piece, r->in[DATA].bytes + start, size);
            mac_update(ctx, piece, size);
            release(piece, size, r->skew);
        }
        mac_final(ctx, r->out.bytes);
    }
    release((uint8_t *)ctx, sizeof *ctx, 0);
}
