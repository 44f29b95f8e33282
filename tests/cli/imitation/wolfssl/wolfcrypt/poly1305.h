#ifndef IMITATION_POLY1305_H
#define IMITATION_POLY1305_H

#include <wolfssl/wolfcrypt/types.h>

typedef struct Poly1305 {
    word32 sum[17];
    byte r[17];
    byte s[16];
    byte block[17];
    word32 held;
} Poly1305;

int wc_Poly1305SetKey(Poly1305 *poly, const byte *key, word32 length);
int wc_Poly1305Update(Poly1305 *poly, const byte *in, word32 length);
int wc_Poly1305Final(Poly1305 *poly, byte *tag);

#endif
