/* What files lwc_crypto_aead.c of NIST's benchmarking tree include: an AEAD as a table. */
#ifndef STEELYARD_LWC_CRYPTO_AEAD_H
#define STEELYARD_LWC_CRYPTO_AEAD_H

#include "crypto_aead.h"

typedef struct {
    const char *variant_name;
    const char *impl_name;
    int KeyBytes;
    int NonceBytes;
    int ABytes;
    __typeof__(&crypto_aead_encrypt) encrypt;
    __typeof__(&crypto_aead_decrypt) decrypt;
} aead_ctx;

extern aead_ctx lwc_aead_cipher;

#endif
