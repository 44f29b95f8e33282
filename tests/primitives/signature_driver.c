/* Reads "s key nonce digest" in hexadecimal, writes the public key and the signature, or "-" where
 * one of them fails or does not verify; every buffer has its exact size. */
#include "driver.h"
#include "signature.h"

int main(void) {
    request r;
    while (read_request(&r)) {
        signature_context *ctx = exact(sizeof *ctx);
        unsigned char *public_key = exact(PRIMITIVE_PUBLIC_KEY_BYTES);
        unsigned char *signature = exact(PRIMITIVE_SIGNATURE_BYTES);
        int failed =
            signature_init(ctx, public_key, r.key) | signature_sign(ctx, signature, r.data, r.iv);
        failed |= signature_verify(public_key, signature, r.data);
        print_hex(public_key, failed ? 0 : PRIMITIVE_PUBLIC_KEY_BYTES);
        print_hex(signature, failed ? 0 : PRIMITIVE_SIGNATURE_BYTES);
        free(signature);
        free(public_key);
        free(ctx);
        free_request(&r);
    }
    return 0;
}
