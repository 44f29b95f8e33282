/* Secret bytes are sorted by insertion. */
#include <stdint.h>

static void sort(uint8_t *bytes, uint8_t count) {
    for (uint8_t i = 1; i < count; i++) {
        uint8_t inserted = bytes[i], at = i;
        while (at > 0 && bytes[at - 1] > inserted) {
            bytes[at] = bytes[at - 1];
            at--;
        }
        bytes[at] = inserted;
    }
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = secret[i] ^ open[i];
    }
    sort(out, 16);
    sort(out + 16, 16);
}
