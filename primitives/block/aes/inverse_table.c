#include "aes.h"
#include "column.h"

#define ROW(...) EACH(ENTRY, __VA_ARGS__)

/* FIPS 197, sections 5.3.2 and 5.3.3. */
const ROM uint32_t aes_inverse_table0[256] = {
#define ENTRY(s) AES_COLUMN(s, 14, 9, 13, 11)
#include "inverse_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_inverse_table1[256] = {
#define ENTRY(s) AES_COLUMN(s, 11, 14, 9, 13)
#include "inverse_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_inverse_table2[256] = {
#define ENTRY(s) AES_COLUMN(s, 13, 11, 14, 9)
#include "inverse_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_inverse_table3[256] = {
#define ENTRY(s) AES_COLUMN(s, 9, 13, 11, 14)
#include "inverse_sbox.inc"
#undef ENTRY
};
