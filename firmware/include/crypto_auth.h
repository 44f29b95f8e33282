/* What SUPERCOP calls a MAC; a tree that has this header uses its own. */
#ifndef STEELYARD_CRYPTO_AUTH_H
#define STEELYARD_CRYPTO_AUTH_H

#ifdef __cplusplus
extern "C" {
#endif

int crypto_auth(unsigned char *tag, const unsigned char *message, unsigned long long bytes,
                const unsigned char *key);
int crypto_auth_verify(const unsigned char *tag, const unsigned char *message,
                       unsigned long long bytes, const unsigned char *key);

#ifdef __cplusplus
}
#endif

#endif
