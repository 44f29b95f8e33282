/* The padding of a decrypted block is checked up to the first wrong byte. */
#include <stdint.h>

/* Bytes of padding at the end, 0 if it is wrong. */
static uint8_t padding(const uint8_t *text, uint8_t length) {
    uint8_t count = text[length - 1];
    if (count == 0 || count > 16) {
        return 0;
    }
    for (uint8_t i = 2; i <= count; i++) {
        if (text[length - i] != count) {
            return 0;
        }
    }
    return count;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint8_t count = padding(secret, 32);
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = open[i] ^ count;
    }
}
