/* What SUPERCOP calls a MAC whose key serves once; a tree that has this header uses its own. */
#ifndef STEELYARD_CRYPTO_ONETIMEAUTH_H
#define STEELYARD_CRYPTO_ONETIMEAUTH_H

#ifdef __cplusplus
extern "C" {
#endif

int crypto_onetimeauth(unsigned char *tag, const unsigned char *message, unsigned long long bytes,
                       const unsigned char *key);
int crypto_onetimeauth_verify(const unsigned char *tag, const unsigned char *message,
                              unsigned long long bytes, const unsigned char *key);

#ifdef __cplusplus
}
#endif

#endif
