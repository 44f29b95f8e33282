/* Reads requests in hexadecimal, "-" for nothing; every buffer has its exact size.
 *   s key nonce digest         writes the public key and the signature, or "-" twice where one of
 * them fails or does not verify e public-key nonce message writes the ciphertext, or "-" d key -
 * ciphertext         writes the message, or "-" */
#include "driver.h"
#include "pke.h"
#include "signature.h"

static void sign(const request *r) {
    signature_context *ctx = exact(sizeof *ctx);
    unsigned char *public_key = exact(PRIMITIVE_PUBLIC_KEY_BYTES);
    unsigned char *signature = exact(PRIMITIVE_SIGNATURE_BYTES);
    int failed =
        signature_init(ctx, public_key, r->key) | signature_sign(ctx, signature, r->data, r->iv);
    failed |= signature_verify(public_key, signature, r->data);
    print_hex(public_key, failed ? 0 : PRIMITIVE_PUBLIC_KEY_BYTES);
    print_hex(signature, failed ? 0 : PRIMITIVE_SIGNATURE_BYTES);
    free(signature);
    free(public_key);
    free(ctx);
}

int main(void) {
    request r;
    while (read_request(&r)) {
        if (r.operation == 's') {
            sign(&r);
        } else {
            size_t overhead = PRIMITIVE_OVERHEAD_BYTES;
            int encrypts = r.operation == 'e';
            size_t size = encrypts ? r.data_bytes + overhead : r.data_bytes - overhead;
            unsigned char *out = exact(size);
            int failed = encrypts ? pke_encrypt(r.key, out, r.iv, r.data, r.data_bytes)
                                  : pke_decrypt(r.key, out, r.data, size);
            print_hex(out, failed ? 0 : size);
            free(out);
        }
        free_request(&r);
    }
    return 0;
}
