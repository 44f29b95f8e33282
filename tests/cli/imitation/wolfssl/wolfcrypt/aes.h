#ifndef IMITATION_AES_H
#define IMITATION_AES_H

#include <wolfssl/wolfcrypt/types.h>

typedef struct Aes {
    byte schedule[240];
    byte sbox[256];
    byte inverse[256];
    byte reg[16];
    word32 rounds;
} Aes;

int wc_AesInit(Aes *aes, void *heap, int device);
int wc_AesSetKey(Aes *aes, const byte *key, word32 length, const byte *iv, int direction);
int wc_AesEncryptDirect(Aes *aes, byte *out, const byte *in);
int wc_AesDecryptDirect(Aes *aes, byte *out, const byte *in);
int wc_AesCbcEncrypt(Aes *aes, byte *out, const byte *in, word32 length);
int wc_AesCbcDecrypt(Aes *aes, byte *out, const byte *in, word32 length);
int wc_AesCtrEncrypt(Aes *aes, byte *out, const byte *in, word32 length);
int wc_AesGcmSetKey(Aes *aes, const byte *key, word32 length);
int wc_AesGcmEncrypt(Aes *aes, byte *out, const byte *in, word32 length, const byte *iv,
                     word32 iv_length, byte *tag, word32 tag_length, const byte *ad,
                     word32 ad_length);
int wc_AesGcmDecrypt(Aes *aes, byte *out, const byte *in, word32 length, const byte *iv,
                     word32 iv_length, const byte *tag, word32 tag_length, const byte *ad,
                     word32 ad_length);
int wc_AesCcmSetKey(Aes *aes, const byte *key, word32 length);
int wc_AesCcmEncrypt(Aes *aes, byte *out, const byte *in, word32 length, const byte *iv,
                     word32 iv_length, byte *tag, word32 tag_length, const byte *ad,
                     word32 ad_length);
int wc_AesCcmDecrypt(Aes *aes, byte *out, const byte *in, word32 length, const byte *iv,
                     word32 iv_length, const byte *tag, word32 tag_length, const byte *ad,
                     word32 ad_length);

#endif
