/* XTEA with functions of its own, as a library might have them. */
#include "xtea.h"

#include <string.h>

static const uint32_t delta = 0x9e3779b9;

static uint32_t get(const uint8_t *in) {
    return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
}

static void put(uint8_t *out, uint32_t word) {
    for (int i = 3; i >= 0; i--, word >>= 8) {
        out[i] = (uint8_t)word;
    }
}

static uint32_t mixed(uint32_t half) {
    return (half << 4 ^ half >> 5) + half;
}

int xtea_set_key(struct xtea *xtea, const uint8_t *key, size_t bytes) {
    if (bytes != 16) {
        return -1;
    }
    for (int i = 0; i < 4; i++) {
        xtea->key[i] = get(key + 4 * i);
    }
    return 0;
}

void xtea_encrypt(const struct xtea *xtea, uint8_t *block) {
    uint32_t left = get(block), right = get(block + 4), sum = 0;
    for (int round = 0; round < 32; round++) {
        left += mixed(right) ^ (sum + xtea->key[sum & 3]);
        sum += delta;
        right += mixed(left) ^ (sum + xtea->key[sum >> 11 & 3]);
    }
    put(block, left);
    put(block + 4, right);
}

void xtea_decrypt(const struct xtea *xtea, uint8_t *block) {
    uint32_t left = get(block), right = get(block + 4), sum = 32 * delta;
    for (int round = 0; round < 32; round++) {
        right -= mixed(left) ^ (sum + xtea->key[sum >> 11 & 3]);
        sum -= delta;
        left -= mixed(right) ^ (sum + xtea->key[sum & 3]);
    }
    put(block, left);
    put(block + 4, right);
}

void xtea_set_counter(struct xtea *xtea, const uint8_t *counter) {
    memcpy(xtea->counter, counter, sizeof xtea->counter);
}

void xtea_ctr(struct xtea *xtea, const uint8_t *in, uint8_t *out, size_t bytes) {
    uint8_t stream[8];
    for (size_t done = 0; done < bytes; done++) {
        if (done % 8 == 0) {
            memcpy(stream, xtea->counter, sizeof stream);
            xtea_encrypt(xtea, stream);
            for (int i = 7; i >= 0 && ++xtea->counter[i] == 0; i--) {
            }
        }
        out[done] = in[done] ^ stream[done % 8];
    }
}
