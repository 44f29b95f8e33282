#include "aes.h"
#include "column.h"

#define ROW(...) EACH(ENTRY, __VA_ARGS__)

/* FIPS 197, sections 5.1.1 and 5.1.3. */
const ROM uint32_t aes_table0[256] = {
#define ENTRY(s) AES_COLUMN(s, 0x01000001u, 0x01010100u)
#include "aes_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_table1[256] = {
#define ENTRY(s) AES_COLUMN(s, 0x00000101u, 0x01010001u)
#include "aes_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_table2[256] = {
#define ENTRY(s) AES_COLUMN(s, 0x00010100u, 0x01000101u)
#include "aes_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_table3[256] = {
#define ENTRY(s) AES_COLUMN(s, 0x01010000u, 0x00010101u)
#include "aes_sbox.inc"
#undef ENTRY
};
