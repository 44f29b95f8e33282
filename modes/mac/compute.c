#include "mac_compute.h"

void mac_compute(mac_context *ctx, uint8_t *tag, const uint8_t *in, size_t length) {
    mac_update(ctx, in, length);
    mac_final(ctx, tag);
}
