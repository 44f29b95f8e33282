/* IEEE 802.15.4, level ENC-MIC-64: CCM* under a nonce of source address, frame counter and level.
 */
#include <string.h>

#include "aead.h"

static aead_context aead;

/* out: header of 15 bytes (9 of MAC header, 6 of auxiliary security header), payload, MIC of 8. */
void protect(uint8_t *out, const uint8_t *payload, uint8_t length, const uint8_t *keys,
             const uint8_t *header) {
    uint8_t nonce[13];

    aead_init(&aead, keys);
    memcpy(nonce, keys + 16, 8);
    memcpy(nonce + 8, header + 10, 4);
    nonce[12] = header[9] & 7;
    memcpy(out, header, 15);
    aead_seal(&aead, out + 15, out + 15 + length, nonce, out, 15, payload, length);
}
