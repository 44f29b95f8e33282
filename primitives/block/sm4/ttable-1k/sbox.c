#include "entries.h"
#include "sm4.h"

const ROM uint32_t sm4_table[256] = {
#define TURNED(s, n) ((uint32_t)(s) << (n) | (uint32_t)(s) >> (32 - (n)))
#define ENTRY(s)     ((s) ^ TURNED(s, 2) ^ TURNED(s, 10) ^ TURNED(s, 18) ^ TURNED(s, 24))
#define ROW(...)     EACH(ENTRY, __VA_ARGS__)
#include "sbox.inc"
#undef ROW
};

const ROM uint8_t sm4_sbox[256] = {
#define ROW(...) __VA_ARGS__,
#include "sbox.inc"
};
