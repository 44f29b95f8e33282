/* What SUPERCOP and NIST call an AEAD; a tree that has this header uses its own. */
#ifndef STEELYARD_CRYPTO_AEAD_H
#define STEELYARD_CRYPTO_AEAD_H

#ifdef __cplusplus
extern "C" {
#endif

int crypto_aead_encrypt(unsigned char *sealed, unsigned long long *sealed_bytes,
                        const unsigned char *message, unsigned long long message_bytes,
                        const unsigned char *ad, unsigned long long ad_bytes,
                        const unsigned char *secret_nonce, const unsigned char *nonce,
                        const unsigned char *key);
int crypto_aead_decrypt(unsigned char *message, unsigned long long *message_bytes,
                        unsigned char *secret_nonce, const unsigned char *sealed,
                        unsigned long long sealed_bytes, const unsigned char *ad,
                        unsigned long long ad_bytes, const unsigned char *nonce,
                        const unsigned char *key);

#ifdef __cplusplus
}
#endif

#endif
