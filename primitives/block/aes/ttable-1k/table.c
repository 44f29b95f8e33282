#include "aes.h"
#include "column.h"

#define ROW(...) EACH(ENTRY, __VA_ARGS__)

/* FIPS 197, sections 5.1.1 and 5.1.3. */
const ROM uint32_t aes_table[256] = {
#define ENTRY(s) AES_COLUMN(s, 0x01000001u, 0x01010100u)
#include "aes_sbox.inc"
#undef ENTRY
};
