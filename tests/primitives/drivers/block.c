/* e, d: one block without a mode, a message with one. */
#include "block.h"

#include <string.h>

#include "driver.h"

#if defined(WITH_MODES)
typedef void mode_call(const block_context *ctx, uint8_t *iv, uint8_t *out, const uint8_t *in,
                       size_t length);
/* Encryption and decryption of each mode, in the order of their names. */
extern mode_call *const mode_calls[][2];
#endif

void answer(request *r) {
    block_context *ctx = (block_context *)(void *)reserve(sizeof *ctx, 0);
#if defined(WITH_INIT_DECRYPT)
    if (r->inverse) {
        block_init_decrypt(ctx, r->in[KEY].bytes);
    } else {
        block_init(ctx, r->in[KEY].bytes);
    }
#else
    block_init(ctx, r->in[KEY].bytes);
#endif
    output_like_data(r);
    if (r->mode == 0) {
        (r->operation == 'd' ? block_decrypt : block_encrypt)(ctx, r->out.bytes, r->in[DATA].bytes);
    }
#if defined(WITH_MODES)
    for (size_t i = 0; r->mode > 0 && i <= r->cuts; i++) {
        size_t start = cut_start(r, i), size = cut_start(r, i + 1) - start;
        uint8_t *piece = reserve(size, r->skew);
        memcpy(piece, r->in[DATA].bytes + start, size);
        uint8_t *out = r->in_place ? piece : reserve(size, r->skew);
        mode_calls[r->mode - 1][r->operation == 'd'](ctx, r->in[IV].bytes, out, piece, size);
        memcpy(r->out.bytes + start, out, size);
        if (!r->in_place) {
            must_equal(piece, r->in[DATA].bytes + start, size, "input");
            release(out, size, r->skew);
        }
        release(piece, size, r->skew);
    }
#endif
    release((uint8_t *)ctx, sizeof *ctx, 0);
}
