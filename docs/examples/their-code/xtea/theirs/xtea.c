/* XTEA with an interface of its own: Needham and Wheeler, "Tea extensions", 1997. */
#include <stdint.h>

static uint32_t load(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void store(uint8_t *bytes, uint32_t word) {
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(word >> (24 - 8 * i));
    }
}

static uint32_t mixed(uint32_t word) {
    return ((word << 4) ^ (word >> 5)) + word;
}

int xtea(uint8_t *out, const uint8_t *in, const uint8_t *key, int rounds, int direction) {
    const uint32_t delta = 0x9E3779B9;
    uint32_t left = load(in), right = load(in + 4), sum = 0;
    if (direction > 0) {
        for (int i = 0; i < rounds; i++) {
            left += mixed(right) ^ (sum + load(key + 4 * (sum & 3)));
            sum += delta;
            right += mixed(left) ^ (sum + load(key + 4 * (sum >> 11 & 3)));
        }
    } else {
        sum = delta * (uint32_t)rounds;
        for (int i = 0; i < rounds; i++) {
            right -= mixed(left) ^ (sum + load(key + 4 * (sum >> 11 & 3)));
            sum -= delta;
            left -= mixed(right) ^ (sum + load(key + 4 * (sum & 3)));
        }
    }
    store(out, left);
    store(out + 4, right);
    return 1;
}
