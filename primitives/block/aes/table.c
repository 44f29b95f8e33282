#include "aes.h"
#include "column.h"

#define ROW(...) EACH(ENTRY, __VA_ARGS__)

/* FIPS 197, sections 5.1.1 and 5.1.3. */
const ROM uint32_t aes_table0[256] = {
#define ENTRY(s) AES_COLUMN(s, 2, 1, 1, 3)
#include "aes_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_table1[256] = {
#define ENTRY(s) AES_COLUMN(s, 3, 2, 1, 1)
#include "aes_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_table2[256] = {
#define ENTRY(s) AES_COLUMN(s, 1, 3, 2, 1)
#include "aes_sbox.inc"
#undef ENTRY
};

const ROM uint32_t aes_table3[256] = {
#define ENTRY(s) AES_COLUMN(s, 1, 1, 3, 2)
#include "aes_sbox.inc"
#undef ENTRY
};
