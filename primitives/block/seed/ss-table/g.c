#include "seed.h"

#include "entries.h"
#include "rom.h"

/* RFC 4269: SS0 to SS3, the S-boxes with the masks of G already applied. */
#define MASKED(s, m0, m1, m2, m3)                                                                  \
    ((uint32_t)((s) & (m0)) | (uint32_t)((s) & (m1)) << 8 | (uint32_t)((s) & (m2)) << 16 |         \
     (uint32_t)((s) & (m3)) << 24)
#define ROW(...) EACH(ENTRY, __VA_ARGS__)

static const ROM uint32_t ss0[256] = {
#define ENTRY(s) MASKED(s, 0xfc, 0xf3, 0xcf, 0x3f)
#include "s1.inc"
#undef ENTRY
};

static const ROM uint32_t ss1[256] = {
#define ENTRY(s) MASKED(s, 0xf3, 0xcf, 0x3f, 0xfc)
#include "s2.inc"
#undef ENTRY
};

static const ROM uint32_t ss2[256] = {
#define ENTRY(s) MASKED(s, 0xcf, 0x3f, 0xfc, 0xf3)
#include "s1.inc"
#undef ENTRY
};

static const ROM uint32_t ss3[256] = {
#define ENTRY(s) MASKED(s, 0x3f, 0xfc, 0xf3, 0xcf)
#include "s2.inc"
#undef ENTRY
};

uint32_t seed_g(uint32_t x) {
    return ss0[(uint8_t)x] ^ ss1[(uint8_t)(x >> 8)] ^ ss2[(uint8_t)(x >> 16)] ^ ss3[x >> 24];
}
