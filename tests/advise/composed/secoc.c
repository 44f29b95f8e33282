/* SecOC, profile 1: data identifier, payload and freshness value under CMAC, 24 bits of it sent. */
#include <string.h>

#include "mac_compute.h"

static mac_context mac;
static uint8_t covered[2 + 60 + 8];

/* out: payload, one byte of freshness, MAC of 3. */
void protect(uint8_t *out, const uint8_t *payload, uint8_t length, const uint8_t *keys,
             const uint8_t *header) {
    uint8_t tag[16];

    memcpy(covered, header, 2);
    memcpy(covered + 2, payload, length);
    memcpy(covered + 2 + length, header + 2, 8);
    mac_init(&mac, keys);
    mac_compute(&mac, tag, covered, 10 + (size_t)length);
    memcpy(out, payload, length);
    out[length] = header[9];
    memcpy(out + length + 1, tag, 3);
}
