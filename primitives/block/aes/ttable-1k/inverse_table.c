#include "aes.h"
#include "column.h"

#define ROW(...) EACH(ENTRY, __VA_ARGS__)

/* FIPS 197, sections 5.3.2 and 5.3.3. */
const ROM uint32_t aes_inverse_table[256] = {
#define ENTRY(s) AES_INVERSE_COLUMN(s, 0x01010101u, 0x00010001u, 0x01000001u, 0x01010100u)
#include "inverse_sbox.inc"
#undef ENTRY
};
