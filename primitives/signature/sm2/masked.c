#include "masked.h"

#include "bytes.h"
#include "hash.h"

uint8_t sm2_mask_message(uint8_t *out, uint8_t *digest, const sm2_point *point, const uint8_t *in,
                         size_t length, uint8_t to_message) {
    hash_context checked;
    hash_context begun; /* x || y absorbed, the same for every block of the key stream */
    hash_context block;
    uint8_t y_bytes[32];
    uint8_t stream[PRIMITIVE_DIGEST_BYTES];
    uint32_t counter = 0;
    uint8_t any = 0;
    {
        limb x[LIMBS];
        limb y[LIMBS];
        sm2_leave(x, y, point);
        sm2_store(stream, x);
        sm2_store(y_bytes, y);
    }
    hash_init(&begun);
    hash_update(&begun, stream, sizeof stream);
    checked = begun;
    hash_update(&begun, y_bytes, sizeof y_bytes);
    while (length > 0) {
        uint8_t count = (uint8_t)(length < sizeof stream ? length : sizeof stream);
        store32_be(stream, ++counter);
        block = begun;
        hash_update(&block, stream, 4);
        hash_final(&block, stream);
        if (!to_message) {
            hash_update(&checked, in, count);
        }
        for (uint8_t i = 0; i < count; i++) {
            any |= stream[i];
            out[i] = (uint8_t)(in[i] ^ stream[i]);
        }
        if (to_message) {
            hash_update(&checked, out, count);
        }
        in += count;
        out += count;
        length -= count;
    }
    hash_update(&checked, y_bytes, sizeof y_bytes);
    hash_final(&checked, digest);
    return any;
}
