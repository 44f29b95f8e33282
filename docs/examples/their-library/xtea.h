#ifndef XTEA_H
#define XTEA_H

#include <stddef.h>
#include <stdint.h>

struct xtea {
    uint32_t key[4];
    uint8_t counter[8];
};

int xtea_set_key(struct xtea *xtea, const uint8_t *key, size_t bytes);
void xtea_encrypt(const struct xtea *xtea, uint8_t *block);
void xtea_decrypt(const struct xtea *xtea, uint8_t *block);
void xtea_set_counter(struct xtea *xtea, const uint8_t *counter);
void xtea_ctr(struct xtea *xtea, const uint8_t *in, uint8_t *out, size_t bytes);

#endif
