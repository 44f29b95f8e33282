/* s: the public key and, apart, the signature by this key and nonce, verified. e and d: a message
 * encrypted for a public key, a ciphertext decrypted by a private one. Returns what failed. */
#include "signature.h"

#include "driver.h"
#include "pke.h"

static void sign(request *r) {
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

void answer(request *r) {
    const field *data = &r->in[DATA];
    if (r->operation == 's') {
        sign(r);
        return;
    }
    r->out.size = r->operation == 'e' ? data->size + PRIMITIVE_OVERHEAD_BYTES
                                      : data->size - PRIMITIVE_OVERHEAD_BYTES;
    r->out.bytes = reserve(r->out.size, r->skew ? r->skew % 7u + 1 : 0);
    r->returned =
        r->operation == 'e'
            ? pke_encrypt(r->in[KEY].bytes, r->out.bytes, r->in[IV].bytes, data->bytes, data->size)
            : pke_decrypt(r->in[KEY].bytes, r->out.bytes, data->bytes, r->out.size);
}
