/* What SUPERCOP calls a stream cipher; a tree that has this header uses its own. */
#ifndef STEELYARD_CRYPTO_STREAM_H
#define STEELYARD_CRYPTO_STREAM_H

#ifdef __cplusplus
extern "C" {
#endif

int crypto_stream(unsigned char *output, unsigned long long bytes, const unsigned char *nonce,
                  const unsigned char *key);
int crypto_stream_xor(unsigned char *output, const unsigned char *input, unsigned long long bytes,
                      const unsigned char *nonce, const unsigned char *key);

#ifdef __cplusplus
}
#endif

#endif
