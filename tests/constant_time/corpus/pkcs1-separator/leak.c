/* The padding of a decrypted RSA block: two fixed bytes, at least eight others, and a zero. */
#include <stdint.h>

/* Place of the message, 0 if the padding is wrong. */
static uint8_t message_at(const uint8_t *block, uint8_t length) {
    if (block[0] != 0 || block[1] != 2) {
        return 0;
    }
    uint8_t at = 2;
    while (at < length && block[at] != 0) {
        at++;
    }
    if (at == length || at < 10) {
        return 0;
    }
    return at + 1;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint8_t at = message_at(secret, 32);
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = open[i] ^ at;
    }
}
