/* RFC 8439, section 2.8. */
#include <wolfssl/wolfcrypt/chacha.h>
#include <wolfssl/wolfcrypt/poly1305.h>

int wc_ChaCha20Poly1305_Encrypt(const byte *key, const byte *iv, const byte *ad, word32 ad_length,
                                const byte *in, word32 length, byte *out, byte *tag);
int wc_ChaCha20Poly1305_Decrypt(const byte *key, const byte *iv, const byte *ad, word32 ad_length,
                                const byte *in, word32 length, const byte *tag, byte *out);

static void padded(Poly1305 *poly, const byte *in, word32 length) {
    static const byte zeros[16];
    wc_Poly1305Update(poly, in, length);
    wc_Poly1305Update(poly, zeros, (16 - length % 16) % 16);
}

static void begin(ChaCha *chacha, Poly1305 *poly, const byte *key, const byte *iv) {
    byte first[64] = {0};
    wc_Chacha_SetKey(chacha, key, 32);
    wc_Chacha_SetIV(chacha, iv, 0);
    wc_Chacha_Process(chacha, first, first, 64);
    wc_Poly1305SetKey(poly, first, 32);
}

static void finish(Poly1305 *poly, const byte *ad, word32 ad_length, const byte *sealed,
                   word32 length, byte *tag) {
    byte lengths[16] = {0};
    padded(poly, ad, ad_length);
    padded(poly, sealed, length);
    for (int i = 0; i < 4; i++) {
        lengths[i] = (byte)(ad_length >> 8 * i);
        lengths[8 + i] = (byte)(length >> 8 * i);
    }
    wc_Poly1305Update(poly, lengths, 16);
    wc_Poly1305Final(poly, tag);
}

int wc_ChaCha20Poly1305_Encrypt(const byte *key, const byte *iv, const byte *ad, word32 ad_length,
                                const byte *in, word32 length, byte *out, byte *tag) {
    ChaCha chacha;
    Poly1305 poly;
    begin(&chacha, &poly, key, iv);
    wc_Chacha_Process(&chacha, out, in, length);
    finish(&poly, ad, ad_length, out, length, tag);
    return 0;
}

int wc_ChaCha20Poly1305_Decrypt(const byte *key, const byte *iv, const byte *ad, word32 ad_length,
                                const byte *in, word32 length, const byte *tag, byte *out) {
    ChaCha chacha;
    Poly1305 poly;
    byte found[16];
    begin(&chacha, &poly, key, iv);
    finish(&poly, ad, ad_length, in, length, found);
    if (memcmp(found, tag, 16) != 0)
        return -1;
    wc_Chacha_Process(&chacha, out, in, length);
    return 0;
}
