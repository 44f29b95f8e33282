/* FIPS 180-4, section 6.2. */
#include <wolfssl/wolfcrypt/sha256.h>

static word32 turned(word32 x, int count) {
    return x >> count | x << (32 - count);
}

int wc_InitSha256_ex(wc_Sha256 *sha, void *heap, int device) {
    static const word32 start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    (void)heap;
    memcpy(sha->state, start, sizeof start);
    sha->total = 0;
    return device == -2 ? 0 : -1;
}

static void absorb(wc_Sha256 *sha) {
    static const word32 constants[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};
    word32 w[64], x[8];
    for (int i = 0; i < 16; i++) {
        w[i] = 0;
        for (int j = 0; j < 4; j++)
            w[i] = w[i] << 8 | sha->block[4 * i + j];
    }
    for (int i = 16; i < 64; i++) {
        word32 a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) +
               (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    memcpy(x, sha->state, sizeof x);
    for (int i = 0; i < 64; i++) {
        word32 e = x[4], a = x[0];
        word32 one = x[7] + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
                     ((e & x[5]) ^ (~e & x[6])) + constants[i] + w[i];
        word32 two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) +
                     ((a & x[1]) ^ (a & x[2]) ^ (x[1] & x[2]));
        for (int j = 7; j > 0; j--)
            x[j] = x[j - 1];
        x[4] += one;
        x[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        sha->state[i] += x[i];
}

int wc_Sha256Update(wc_Sha256 *sha, const byte *in, word32 length) {
    for (; length > 0; length--) {
        sha->block[sha->total++ % 64] = *in++;
        if (sha->total % 64 == 0)
            absorb(sha);
    }
    return 0;
}

int wc_Sha256Final(wc_Sha256 *sha, byte *digest) {
    static const byte end = 0x80, zero = 0;
    word32 bits = sha->total * 8;
    wc_Sha256Update(sha, &end, 1);
    while (sha->total % 64 != 56)
        wc_Sha256Update(sha, &zero, 1);
    for (int i = 0; i < 8; i++) {
        byte part = (byte)(i < 4 ? 0 : bits >> (56 - 8 * i));
        wc_Sha256Update(sha, &part, 1);
    }
    for (int i = 0; i < 32; i++)
        digest[i] = (byte)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
    return 0;
}
