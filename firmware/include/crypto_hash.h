/* What SUPERCOP and NIST call a hash; a tree that has this header uses its own. */
#ifndef STEELYARD_CRYPTO_HASH_H
#define STEELYARD_CRYPTO_HASH_H

#ifdef __cplusplus
extern "C" {
#endif

int crypto_hash(unsigned char *digest, const unsigned char *message,
                unsigned long long message_bytes);

#ifdef __cplusplus
}
#endif

#endif
