/* What SUPERCOP calls a key encapsulation; a tree that has this header uses its own. */
#ifndef STEELYARD_CRYPTO_KEM_H
#define STEELYARD_CRYPTO_KEM_H

#ifdef __cplusplus
extern "C" {
#endif

int crypto_kem_keypair(unsigned char *public_key, unsigned char *secret_key);
int crypto_kem_enc(unsigned char *ciphertext, unsigned char *secret,
                   const unsigned char *public_key);
int crypto_kem_dec(unsigned char *secret, const unsigned char *ciphertext,
                   const unsigned char *secret_key);

#ifdef __cplusplus
}
#endif

#endif
