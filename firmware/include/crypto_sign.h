/* What SUPERCOP calls a signature; a tree that has this header uses its own. */
#ifndef STEELYARD_CRYPTO_SIGN_H
#define STEELYARD_CRYPTO_SIGN_H

#ifdef __cplusplus
extern "C" {
#endif

int crypto_sign_keypair(unsigned char *public_key, unsigned char *secret_key);
int crypto_sign(unsigned char *signed_message, unsigned long long *signed_message_bytes,
                const unsigned char *message, unsigned long long bytes,
                const unsigned char *secret_key);
int crypto_sign_open(unsigned char *message, unsigned long long *bytes,
                     const unsigned char *signed_message, unsigned long long signed_bytes,
                     const unsigned char *public_key);

#ifdef __cplusplus
}
#endif

#endif
