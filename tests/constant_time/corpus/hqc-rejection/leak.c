/* Values are drawn from a secret seed until enough of them are below a limit. */
#include <stdint.h>

#define LIMIT 200
#define COUNT 8

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = open[i];
    }
    uint8_t taken = 0;
    for (uint8_t i = 0; i < 32 && taken < COUNT; i++) {
        uint8_t drawn = secret[i] ^ open[i];
        if (drawn < LIMIT) {
            out[taken] ^= drawn;
            taken++;
        }
    }
}
