#include "treyfer.h"

const ROM uint8_t treyfer_sbox[256] = {
#define ROW(...) __VA_ARGS__,
#include "aes_sbox.inc"
};
