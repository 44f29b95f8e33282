/* An uplink of LoRaWAN 1.0 as TS001-1.0.4, sections 4.3.3 and 4.4, has it, over the catalogue's AES
 * and CMAC. */
#include <string.h>

#include "mac_compute.h"
#include "modes.h"

static block_context cipher;
static mac_context mac;
static uint8_t frame[16 + 9 + 242];

static void block_of(uint8_t *to, uint8_t first, uint8_t last) {
    memset(to, 0, 16);
    to[0] = first;
    memcpy(to + 6, frame + 16 + 1, 4);
    to[10] = frame[16 + 6];
    to[11] = frame[16 + 7];
    to[15] = last;
}

/* out: header of 9 bytes, encrypted payload, MIC of 4. */
void protect(uint8_t *out, const uint8_t *payload, uint8_t length, const uint8_t *keys,
             const uint8_t *header) {
    uint8_t counter[16];
    uint8_t tag[16];

    block_init(&cipher, keys);
    memcpy(frame + 16, header, 9);
    block_of(counter, 0x01, 1);
    ctr_encrypt(&cipher, counter, frame + 25, payload, length);
    block_of(frame, 0x49, (uint8_t)(9 + length));
    mac_init(&mac, keys + 16);
    mac_compute(&mac, tag, frame, 25 + (size_t)length);
    memcpy(out, frame + 16, 9 + (size_t)length);
    memcpy(out + 9 + length, tag, 4);
}
