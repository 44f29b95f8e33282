/* Reads "s|o key nonce ad input tag" in hexadecimal ("-" for nothing), writes result, tag and the value
 * returned; every buffer has its exact size. */
#include "aead.h"
#include "driver.h"

int main(void) {
    static char fields[5][LINE_BYTES];
    char operation;
    while (scanf(" %c %262143s %262143s %262143s %262143s %262143s", &operation, fields[0], fields[1],
                 fields[2], fields[3], fields[4]) == 6) {
        size_t sizes[5];
        unsigned char *bytes[5];
        for (int i = 0; i < 5; i++) {
            bytes[i] = from_hex(fields[i], &sizes[i]);
        }
        aead_context *ctx = exact(sizeof *ctx);
        unsigned char *out = exact(sizes[3]);
        int returned = 0;
        aead_init(ctx, bytes[0]);
        if (operation == 's') {
            aead_seal(ctx, out, bytes[4], bytes[1], bytes[2], sizes[2], bytes[3], sizes[3]);
        } else {
            returned = aead_open(ctx, out, bytes[4], bytes[1], bytes[2], sizes[2], bytes[3], sizes[3]);
        }
        print_hex(out, sizes[3]);
        print_hex(bytes[4], sizes[4]);
        printf("%d\n", returned != 0);
        free(out);
        free(ctx);
        for (int i = 0; i < 5; i++) {
            free(bytes[i]);
        }
    }
    return 0;
}
