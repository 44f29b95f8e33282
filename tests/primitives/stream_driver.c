/* Reads "e|d key iv data" in hexadecimal ("-" for nothing), writes the result; every buffer has its exact size. */
#include "driver.h"
#include "stream.h"

int main(void) {
    request r;
    while (read_request(&r)) {
        stream_context *ctx = exact(sizeof *ctx);
        unsigned char *out = exact(r.data_bytes);
        stream_init(ctx, r.key, r.iv);
        stream_crypt(ctx, out, r.data, r.data_bytes);
        print_hex(out, r.data_bytes);
        free(out);
        free(ctx);
        free_request(&r);
    }
    return 0;
}
