#include "aes.h"
#include "column.h"

#define ROW(...) EACH(ENTRY, __VA_ARGS__)

const ROM uint32_t aes_last0[256] = {
#define ENTRY(s) AES_COLUMN(s, 1, 0, 0, 0)
#include "aes_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_last1[256] = {
#define ENTRY(s) AES_COLUMN(s, 0, 1, 0, 0)
#include "aes_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_last2[256] = {
#define ENTRY(s) AES_COLUMN(s, 0, 0, 1, 0)
#include "aes_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_last3[256] = {
#define ENTRY(s) AES_COLUMN(s, 0, 0, 0, 1)
#include "aes_sbox.inc"
#undef ENTRY
};
