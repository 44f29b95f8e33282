#include "aes.h"
#include "entries.h"

#define ROW(...) EACH(ENTRY, __VA_ARGS__)

const ROM uint32_t aes_last0[256] = {
#define ENTRY(s) (uint32_t)(s)
#include "aes_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_last1[256] = {
#define ENTRY(s) (uint32_t)(s) << 8
#include "aes_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_last2[256] = {
#define ENTRY(s) (uint32_t)(s) << 16
#include "aes_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_last3[256] = {
#define ENTRY(s) (uint32_t)(s) << 24
#include "aes_sbox.inc"
#undef ENTRY
};
