#include "aes.h"

/* Into the basis of aes_invert and out of it; the way out goes through the affine map. */
void aes_substitute(aes_slice *state) {
    aes_slice x0 = state[0];
    aes_slice x2 = state[2];
    aes_slice x3 = state[3];
    aes_slice x5 = state[5];
    aes_slice x7 = state[7];
    aes_slice x17 = state[1] ^ x7;
    aes_slice x167 = x17 ^ state[6];

    state[0] = x0 ^ x2;
    state[1] = x2 ^ x5 ^ x167;
    state[2] = x3;
    state[3] = x3 ^ x167;
    state[6] = state[4] ^ x167;
    state[4] = x5 ^ x17;
    state[5] = x2 ^ x3;
    state[7] = x5 ^ x7;

    aes_invert(state);

    x3 = state[3];
    x5 = state[5];
    aes_slice x46 = state[4] ^ state[6];
    aes_slice x12 = state[1] ^ state[2];
    aes_slice x03 = state[0] ^ x3;
    aes_slice x467 = x46 ^ state[7];
    aes_slice x12467 = x12 ^ x467;

    state[3] = x5 ^ state[4] ^ x03 ^ x12;
    state[1] = (aes_slice) ~(state[0] ^ state[1]);
    state[0] = (aes_slice) ~(x12467 ^ x03);
    state[2] ^= x03;
    state[4] = x467 ^ x03;
    state[5] = (aes_slice)~x12467;
    state[6] = (aes_slice) ~(x5 ^ x46);
    state[7] = x3 ^ x5 ^ x12467;
}
