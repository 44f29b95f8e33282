/* s: the public key and, apart, the signature by this key and nonce, verified. Returns what failed.
 */
#include "signature.h"

#include "driver.h"

void answer(request *r) {
    signature_context *ctx = (signature_context *)(void *)reserve(sizeof *ctx, 0);
    r->out.size = PRIMITIVE_PUBLIC_KEY_BYTES;
    r->out.bytes = reserve(r->out.size, r->skew ? r->skew % 7u + 1 : 0);
    r->tag.size = PRIMITIVE_SIGNATURE_BYTES;
    r->tag.bytes = reserve(r->tag.size, r->skew);
    r->returned = signature_init(ctx, r->out.bytes, r->in[KEY].bytes);
    r->returned |= signature_sign(ctx, r->tag.bytes, r->in[DATA].bytes, r->in[IV].bytes);
    r->returned |= signature_verify(r->out.bytes, r->tag.bytes, r->in[DATA].bytes);
    release((uint8_t *)ctx, sizeof *ctx, 0);
}
