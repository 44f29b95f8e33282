#include "aes.h"

/* product = a b in GF(2^4), where product may be neither operand. */
static void multiply(aes_slice *product, const aes_slice *a, const aes_slice *b) {
    aes_slice z4 = (a[1] & b[3]) ^ (a[2] & b[2]) ^ (a[3] & b[1]);
    aes_slice z5 = (a[2] & b[3]) ^ (a[3] & b[2]);
    aes_slice z6 = a[3] & b[3];

    product[0] = (a[0] & b[0]) ^ z4;
    product[1] = (a[0] & b[1]) ^ (a[1] & b[0]) ^ z4 ^ z5;
    product[2] = (a[0] & b[2]) ^ (a[1] & b[1]) ^ (a[2] & b[0]) ^ z5 ^ z6;
    product[3] = (a[0] & b[3]) ^ (a[1] & b[2]) ^ (a[2] & b[1]) ^ (a[3] & b[0]) ^ z6;
}

/* With the norm n = (z^3 + z^2) hi^2 + lo (hi + lo) the inverse is (hi y + hi + lo) / n. */
void aes_invert(aes_slice *element) {
    const aes_slice *lo = element;
    const aes_slice *hi = element + 4;
    aes_slice sum[4];
    aes_slice norm[4];
    aes_slice inverse[4];

    for (uint8_t i = 0; i < 4; i++) {
        sum[i] = hi[i] ^ lo[i];
    }
    multiply(norm, lo, sum);
    aes_slice h13 = hi[1] ^ hi[3];
    aes_slice n0 = norm[0] ^ hi[2] ^ h13;
    aes_slice n1 = norm[1] ^ hi[2] ^ hi[3];
    aes_slice n2 = norm[2] ^ hi[0] ^ hi[2] ^ h13;
    aes_slice n3 = norm[3] ^ hi[0] ^ hi[3];

    /* The algebraic normal form of inversion in GF(2^4). */
    aes_slice n02 = n0 & n2;
    aes_slice n12 = n1 & n2;
    aes_slice n03 = n0 & n3;
    aes_slice n13 = n1 & n3;
    aes_slice n123 = n12 & n3;
    aes_slice all = n1 ^ n2 ^ n3;
    inverse[0] = n0 ^ all ^ n02 ^ n12 ^ (n02 & n1) ^ n123;
    inverse[1] = (n0 & n1) ^ n02 ^ n12 ^ n3 ^ n13 ^ (n03 & n1);
    inverse[2] = (n0 & n1) ^ n2 ^ n02 ^ n3 ^ n03 ^ (n02 & n3);
    inverse[3] = all ^ n03 ^ n13 ^ (n2 & n3) ^ n123;

    multiply(norm, hi, inverse);
    multiply(element, sum, inverse);
    for (uint8_t i = 0; i < 4; i++) {
        element[4 + i] = norm[i];
    }
}
