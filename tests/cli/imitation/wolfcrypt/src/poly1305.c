/* RFC 8439, section 2.5, on numbers of 17 bytes. */
#include <wolfssl/wolfcrypt/poly1305.h>

int wc_Poly1305SetKey(Poly1305 *poly, const byte *key, word32 length) {
    if (length != 32)
        return -1;
    memset(poly, 0, sizeof *poly);
    memcpy(poly->r, key, 16);
    memcpy(poly->s, key + 16, 16);
    for (int i = 3; i < 16; i += 4)
        poly->r[i] &= 15;
    for (int i = 4; i < 16; i += 4)
        poly->r[i] &= 252;
    return 0;
}

static void carry(word32 *number) {
    word32 over = 0;
    for (int i = 0; i < 16; i++) {
        over += number[i];
        number[i] = over & 255;
        over >>= 8;
    }
    over += number[16];
    number[16] = over & 3;
    over = 5 * (over >> 2);
    for (int i = 0; i < 16; i++) {
        over += number[i];
        number[i] = over & 255;
        over >>= 8;
    }
    number[16] += over;
}

static void absorb(Poly1305 *poly, word32 length) {
    word32 product[17];
    poly->block[length] = 1;
    memset(poly->block + length + 1, 0, 16 - length);
    for (int i = 0; i < 17; i++)
        poly->sum[i] += poly->block[i];
    for (int i = 0; i < 17; i++) {
        product[i] = 0;
        for (int j = 0; j < 17; j++) {
            /* 2 ** 136 is 320 modulo 2 ** 130 - 5. */
            word32 factor = j <= i ? poly->r[i - j] : 320 * (word32)poly->r[i + 17 - j];
            product[i] += poly->sum[j] * factor;
        }
    }
    memcpy(poly->sum, product, sizeof product);
    carry(poly->sum);
    poly->held = 0;
}

int wc_Poly1305Update(Poly1305 *poly, const byte *in, word32 length) {
    for (; length > 0; length--) {
        poly->block[poly->held++] = *in++;
        if (poly->held == 16)
            absorb(poly, 16);
    }
    return 0;
}

int wc_Poly1305Final(Poly1305 *poly, byte *tag) {
    word32 reduced[17], over = 5;
    if (poly->held > 0)
        absorb(poly, poly->held);
    carry(poly->sum);
    for (int i = 0; i < 17; i++) {
        over += poly->sum[i];
        reduced[i] = over & 255;
        over >>= 8;
    }
    /* At least 2 ** 130 with 5 added: as large as the modulus. */
    const word32 *least = reduced[16] >= 4 ? reduced : poly->sum;
    over = 0;
    for (int i = 0; i < 16; i++) {
        over += least[i] + poly->s[i];
        tag[i] = (byte)over;
        over >>= 8;
    }
    return 0;
}
