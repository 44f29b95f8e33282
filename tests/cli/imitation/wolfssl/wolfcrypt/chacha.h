#ifndef IMITATION_CHACHA_H
#define IMITATION_CHACHA_H

#include <wolfssl/wolfcrypt/types.h>

typedef struct ChaCha {
    word32 state[16];
    byte stream[64];
    word32 used;
} ChaCha;

int wc_Chacha_SetKey(ChaCha *chacha, const byte *key, word32 length);
int wc_Chacha_SetIV(ChaCha *chacha, const byte *iv, word32 counter);
int wc_Chacha_Process(ChaCha *chacha, byte *out, const byte *in, word32 length);

#endif
