/* What SUPERCOP calls a core function; a tree that has this header uses its own. */
#ifndef STEELYARD_CRYPTO_CORE_H
#define STEELYARD_CRYPTO_CORE_H

#ifdef __cplusplus
extern "C" {
#endif

int crypto_core(unsigned char *output, const unsigned char *input, const unsigned char *key,
                const unsigned char *constant);

#ifdef __cplusplus
}
#endif

#endif
