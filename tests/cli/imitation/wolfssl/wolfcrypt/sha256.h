#ifndef IMITATION_SHA256_H
#define IMITATION_SHA256_H

#include <wolfssl/wolfcrypt/types.h>

typedef struct wc_Sha256 {
    word32 state[8];
    byte block[64];
    word32 total;
} wc_Sha256;

int wc_InitSha256_ex(wc_Sha256 *sha, void *heap, int device);
int wc_Sha256Update(wc_Sha256 *sha, const byte *in, word32 length);
int wc_Sha256Final(wc_Sha256 *sha, byte *digest);

#endif
