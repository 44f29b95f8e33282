/* Reads "e|d key iv data" in hexadecimal ("-" for nothing), writes the result; every buffer has its exact size. */
#include "driver.h"

#if defined(WITH_MODE)
#include "mode.h"
#else
#include "block.h"
#endif

int main(void) {
    request r;
    while (read_request(&r)) {
        block_context *ctx = exact(sizeof *ctx);
        unsigned char *out = exact(r.data_bytes);
#if defined(WITH_INIT_DECRYPT)
        if (r.operation == 'd') {
            block_init_decrypt(ctx, r.key);
        } else {
            block_init(ctx, r.key);
        }
#else
        block_init(ctx, r.key);
#endif
#if defined(WITH_MODE)
        (r.operation == 'd' ? mode_decrypt : mode_encrypt)(ctx, r.iv, out, r.data, r.data_bytes);
#else
        (r.operation == 'd' ? block_decrypt : block_encrypt)(ctx, out, r.data);
#endif
        print_hex(out, r.data_bytes);
        free(out);
        free(ctx);
        free_request(&r);
    }
    return 0;
}
