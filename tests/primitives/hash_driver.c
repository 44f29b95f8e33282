/* Reads "d - - data" in hexadecimal ("-" for nothing), writes the digest; every buffer has its exact size. */
#include "digest.h"
#include "driver.h"

int main(void) {
    request r;
    while (read_request(&r)) {
        hash_context *ctx = exact(sizeof *ctx);
        unsigned char *out = exact(PRIMITIVE_DIGEST_BYTES);
        hash_digest(ctx, out, r.data, r.data_bytes);
        print_hex(out, PRIMITIVE_DIGEST_BYTES);
        free(out);
        free(ctx);
        free_request(&r);
    }
    return 0;
}
