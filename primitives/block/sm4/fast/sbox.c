#include "sm4.h"

const ROM uint8_t sm4_sbox[256] = {
#define ROW(...) __VA_ARGS__,
#include "sbox.inc"
};
