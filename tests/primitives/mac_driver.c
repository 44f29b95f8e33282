/* Reads "m key - data" in hexadecimal ("-" for nothing), writes the tag; every buffer has its exact size. */
#include "driver.h"
#include "mac_compute.h"

int main(void) {
    request r;
    while (read_request(&r)) {
        mac_context *ctx = exact(sizeof *ctx);
        unsigned char *out = exact(PRIMITIVE_TAG_BYTES);
        mac_init(ctx, r.key);
        mac_compute(ctx, out, r.data, r.data_bytes);
        print_hex(out, PRIMITIVE_TAG_BYTES);
        free(out);
        free(ctx);
        free_request(&r);
    }
    return 0;
}
