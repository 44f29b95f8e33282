/* RFC 8439, section 2.4. */
#include <wolfssl/wolfcrypt/chacha.h>

static word32 word_of(const byte *in) {
    return (word32)in[0] | (word32)in[1] << 8 | (word32)in[2] << 16 | (word32)in[3] << 24;
}

int wc_Chacha_SetKey(ChaCha *chacha, const byte *key, word32 length) {
    static const byte constant[16] = {'e', 'x', 'p', 'a', 'n', 'd', ' ', '3',
                                      '2', '-', 'b', 'y', 't', 'e', ' ', 'k'};
    if (length != 32)
        return -1;
    for (int i = 0; i < 4; i++)
        chacha->state[i] = word_of(constant + 4 * i);
    for (int i = 0; i < 8; i++)
        chacha->state[4 + i] = word_of(key + 4 * i);
    return 0;
}

int wc_Chacha_SetIV(ChaCha *chacha, const byte *iv, word32 counter) {
    chacha->state[12] = counter;
    for (int i = 0; i < 3; i++)
        chacha->state[13 + i] = word_of(iv + 4 * i);
    chacha->used = 64;
    return 0;
}

static void quarter(word32 *x, int a, int b, int c, int d) {
    static const byte turns[4] = {16, 12, 8, 7};
    for (int step = 0; step < 4; step++) {
        int to = step % 2 ? c : a, other = step % 2 ? d : b, turned = step % 2 ? b : d;
        x[to] += x[other];
        x[turned] ^= x[to];
        x[turned] = x[turned] << turns[step] | x[turned] >> (32 - turns[step]);
    }
}

static void next_block(ChaCha *chacha) {
    word32 x[16];
    memcpy(x, chacha->state, sizeof x);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 4; i++)
            quarter(x, i, 4 + i, 8 + i, 12 + i);
        for (int i = 0; i < 4; i++)
            quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
    }
    for (int i = 0; i < 16; i++) {
        word32 sum = x[i] + chacha->state[i];
        for (int j = 0; j < 4; j++)
            chacha->stream[4 * i + j] = (byte)(sum >> 8 * j);
    }
    chacha->state[12]++;
    chacha->used = 0;
}

int wc_Chacha_Process(ChaCha *chacha, byte *out, const byte *in, word32 length) {
    for (; length > 0; length--) {
        if (chacha->used == 64)
            next_block(chacha);
        *out++ = *in++ ^ chacha->stream[chacha->used++];
    }
    return 0;
}
