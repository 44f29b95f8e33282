/* SNEP: counter mode, then a CBC-MAC of 8 bytes over the counter and the ciphertext, zeros behind
 * it. */
#include <string.h>

#include "modes.h"

static block_context encryption;
static block_context authentication;
static uint8_t covered[8 + 32];

/* out: ciphertext, MAC of 8. header: the counter of 8 bytes. */
void protect(uint8_t *out, const uint8_t *payload, uint8_t length, const uint8_t *keys,
             const uint8_t *header) {
    uint8_t state[8];
    size_t whole = (8 + (size_t)length + 7) & ~(size_t)7;

    block_init(&encryption, keys);
    block_init(&authentication, keys + 16);
    memcpy(state, header, 8);
    ctr_encrypt(&encryption, state, out, payload, length);
    memset(covered, 0, sizeof covered);
    memcpy(covered, header, 8);
    memcpy(covered + 8, out, length);
    memset(state, 0, 8);
    cbc_encrypt(&authentication, state, covered, covered, whole);
    memcpy(out + length, state, 8);
}
