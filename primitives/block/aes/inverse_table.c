#include "aes.h"
#include "column.h"

#define ROW(...) EACH(ENTRY, __VA_ARGS__)

/* FIPS 197, sections 5.3.2 and 5.3.3. */
const ROM uint32_t aes_inverse_table0[256] = {
#define ENTRY(s) AES_INVERSE_COLUMN(s, 0x01010101u, 0x00010001u, 0x01000001u, 0x01010100u)
#include "inverse_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_inverse_table1[256] = {
#define ENTRY(s) AES_INVERSE_COLUMN(s, 0x01010101u, 0x01000100u, 0x00000101u, 0x01010001u)
#include "inverse_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_inverse_table2[256] = {
#define ENTRY(s) AES_INVERSE_COLUMN(s, 0x01010101u, 0x00010001u, 0x00010100u, 0x01000101u)
#include "inverse_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_inverse_table3[256] = {
#define ENTRY(s) AES_INVERSE_COLUMN(s, 0x01010101u, 0x01000100u, 0x01010000u, 0x00010101u)
#include "inverse_sbox.inc"
#undef ENTRY
};
