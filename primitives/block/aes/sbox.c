#include "aes.h"

const ROM uint8_t aes_sbox[256] = {
#define ROW(...) __VA_ARGS__,
#include "aes_sbox.inc"
};
