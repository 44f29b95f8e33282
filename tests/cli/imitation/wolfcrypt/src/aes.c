/* FIPS 197, SP 800-38A, C and D, in as few lines as they take. */
#include <wolfssl/wolfcrypt/aes.h>

static byte twice(byte a) {
    return (byte)(a << 1 ^ (a >> 7) * 0x1b);
}

static byte times(byte a, byte b) {
    byte product = 0;
    for (; b != 0; b >>= 1, a = twice(a)) {
        if (b & 1)
            product ^= a;
    }
    return product;
}

static void make_sboxes(Aes *aes) {
    byte p = 1, q = 1;
    do {
        p ^= twice(p);
        q ^= (byte)(q << 1);
        q ^= (byte)(q << 2);
        q ^= (byte)(q << 4);
        if (q & 0x80)
            q ^= 0x09;
        byte x = 0x63;
        for (int turn = 0; turn < 5; turn++)
            x ^= (byte)(q << turn | q >> (8 - turn));
        aes->sbox[p] = x;
        aes->inverse[x] = p;
    } while (p != 1);
    aes->sbox[0] = 0x63;
    aes->inverse[0x63] = 0;
}

int wc_AesInit(Aes *aes, void *heap, int device) {
    (void)heap;
    make_sboxes(aes);
    return device == -2 ? 0 : -1;
}

int wc_AesSetKey(Aes *aes, const byte *key, word32 length, const byte *iv, int direction) {
    byte constant = 1;
    word32 words = length / 4;
    if (direction != 0 && direction != 1)
        return -1;
    aes->rounds = words + 6;
    memcpy(aes->schedule, key, length);
    for (word32 i = words; i < 4 * (aes->rounds + 1); i++) {
        byte t[4];
        memcpy(t, aes->schedule + 4 * i - 4, 4);
        if (i % words == 0) {
            byte first = t[0];
            for (int j = 0; j < 3; j++)
                t[j] = aes->sbox[t[j + 1]];
            t[3] = aes->sbox[first];
            t[0] ^= constant;
            constant = twice(constant);
        } else if (words == 8 && i % words == 4) {
            for (int j = 0; j < 4; j++)
                t[j] = aes->sbox[t[j]];
        }
        for (int j = 0; j < 4; j++)
            aes->schedule[4 * i + j] = aes->schedule[4 * (i - words) + j] ^ t[j];
    }
    memset(aes->reg, 0, 16);
    if (iv != NULL)
        memcpy(aes->reg, iv, 16);
    return 0;
}

static void add_key(const Aes *aes, byte *state, word32 round) {
    for (int i = 0; i < 16; i++)
        state[i] ^= aes->schedule[16 * round + i];
}

static void mix(byte *state, const byte factors[4]) {
    for (int column = 0; column < 16; column += 4) {
        byte t[4];
        for (int i = 0; i < 4; i++) {
            t[i] = 0;
            for (int j = 0; j < 4; j++)
                t[i] ^= times(factors[(j - i) & 3], state[column + j]);
        }
        memcpy(state + column, t, 4);
    }
}

int wc_AesEncryptDirect(Aes *aes, byte *out, const byte *in) {
    static const byte factors[4] = {2, 3, 1, 1};
    byte state[16], moved[16];
    memcpy(state, in, 16);
    add_key(aes, state, 0);
    for (word32 round = 1; round <= aes->rounds; round++) {
        for (int i = 0; i < 16; i++)
            moved[i] = aes->sbox[state[(5 * i) & 15]];
        memcpy(state, moved, 16);
        if (round < aes->rounds)
            mix(state, factors);
        add_key(aes, state, round);
    }
    memcpy(out, state, 16);
    return 0;
}

int wc_AesDecryptDirect(Aes *aes, byte *out, const byte *in) {
    static const byte factors[4] = {14, 11, 13, 9};
    byte state[16], moved[16];
    memcpy(state, in, 16);
    for (word32 round = aes->rounds; round > 0; round--) {
        add_key(aes, state, round);
        if (round < aes->rounds)
            mix(state, factors);
        for (int i = 0; i < 16; i++)
            moved[(5 * i) & 15] = aes->inverse[state[i]];
        memcpy(state, moved, 16);
    }
    add_key(aes, state, 0);
    memcpy(out, state, 16);
    return 0;
}

int wc_AesCbcEncrypt(Aes *aes, byte *out, const byte *in, word32 length) {
    for (; length > 0; length -= 16, in += 16, out += 16) {
        for (int i = 0; i < 16; i++)
            aes->reg[i] ^= in[i];
        wc_AesEncryptDirect(aes, aes->reg, aes->reg);
        memcpy(out, aes->reg, 16);
    }
    return 0;
}

int wc_AesCbcDecrypt(Aes *aes, byte *out, const byte *in, word32 length) {
    for (; length > 0; length -= 16, in += 16, out += 16) {
        byte plain[16];
        wc_AesDecryptDirect(aes, plain, in);
        for (int i = 0; i < 16; i++)
            plain[i] ^= aes->reg[i];
        memcpy(aes->reg, in, 16);
        memcpy(out, plain, 16);
    }
    return 0;
}

static void count_up(byte *counter, int first) {
    for (int i = 15; i >= first && ++counter[i] == 0; i--) {
    }
}

static void counted(Aes *aes, byte *counter, int first, byte *out, const byte *in, word32 length) {
    byte stream[16];
    for (word32 i = 0; i < length; i++) {
        if (i % 16 == 0) {
            wc_AesEncryptDirect(aes, stream, counter);
            count_up(counter, first);
        }
        out[i] = in[i] ^ stream[i % 16];
    }
}

int wc_AesCtrEncrypt(Aes *aes, byte *out, const byte *in, word32 length) {
    counted(aes, aes->reg, 0, out, in, length);
    return 0;
}

int wc_AesGcmSetKey(Aes *aes, const byte *key, word32 length) {
    return wc_AesSetKey(aes, key, length, NULL, 0);
}

static void hash_in(const byte *h, byte *sum, const byte *in, word32 length) {
    for (; length > 0; in += 16) {
        word32 count = length < 16 ? length : 16;
        byte z[16] = {0}, v[16];
        for (word32 i = 0; i < count; i++)
            sum[i] ^= in[i];
        length -= count;
        memcpy(v, h, 16);
        for (int bit = 0; bit < 128; bit++) {
            byte low = v[15] & 1;
            if (sum[bit / 8] >> (7 - bit % 8) & 1) {
                for (int i = 0; i < 16; i++)
                    z[i] ^= v[i];
            }
            for (int i = 15; i > 0; i--)
                v[i] = (byte)(v[i] >> 1 | v[i - 1] << 7);
            v[0] = (byte)(v[0] >> 1 ^ low * 0xe1);
        }
        memcpy(sum, z, 16);
    }
}

static void gcm_tag(Aes *aes, byte *tag, const byte *sealed, word32 length, const byte *iv,
                    const byte *ad, word32 ad_length) {
    byte h[16] = {0}, lengths[16] = {0}, start[16] = {0}, sum[16] = {0};
    wc_AesEncryptDirect(aes, h, h);
    hash_in(h, sum, ad, ad_length);
    hash_in(h, sum, sealed, length);
    for (int i = 0; i < 4; i++) {
        lengths[7 - i] = (byte)(ad_length * 8 >> 8 * i);
        lengths[15 - i] = (byte)(length * 8 >> 8 * i);
    }
    hash_in(h, sum, lengths, 16);
    memcpy(start, iv, 12);
    start[15] = 1;
    wc_AesEncryptDirect(aes, tag, start);
    for (int i = 0; i < 16; i++)
        tag[i] ^= sum[i];
}

static void gcm_stream(Aes *aes, byte *out, const byte *in, word32 length, const byte *iv) {
    byte counter[16] = {0};
    memcpy(counter, iv, 12);
    counter[15] = 2;
    counted(aes, counter, 12, out, in, length);
}

static int differs(const byte *left, const byte *right, word32 length) {
    byte all = 0;
    while (length-- > 0)
        all |= *left++ ^ *right++;
    return all;
}

int wc_AesGcmEncrypt(Aes *aes, byte *out, const byte *in, word32 length, const byte *iv,
                     word32 iv_length, byte *tag, word32 tag_length, const byte *ad,
                     word32 ad_length) {
    byte whole[16];
    if (iv_length != 12)
        return -1;
    gcm_stream(aes, out, in, length, iv);
    gcm_tag(aes, whole, out, length, iv, ad, ad_length);
    memcpy(tag, whole, tag_length);
    return 0;
}

int wc_AesGcmDecrypt(Aes *aes, byte *out, const byte *in, word32 length, const byte *iv,
                     word32 iv_length, const byte *tag, word32 tag_length, const byte *ad,
                     word32 ad_length) {
    byte whole[16];
    if (iv_length != 12)
        return -1;
    gcm_tag(aes, whole, in, length, iv, ad, ad_length);
    if (differs(whole, tag, tag_length))
        return -2;
    gcm_stream(aes, out, in, length, iv);
    return 0;
}

int wc_AesCcmSetKey(Aes *aes, const byte *key, word32 length) {
    return wc_AesSetKey(aes, key, length, NULL, 0);
}

static void ccm_tag(Aes *aes, byte *tag, word32 tag_length, const byte *plain, word32 length,
                    const byte *iv, const byte *ad, word32 ad_length) {
    byte sum[16] = {0}, start[16] = {1};
    word32 place = 2;
    sum[0] = (byte)((ad_length > 0) << 6 | (tag_length - 2) / 2 << 3 | 1);
    memcpy(sum + 1, iv, 13);
    sum[14] = (byte)(length >> 8);
    sum[15] = (byte)length;
    wc_AesEncryptDirect(aes, sum, sum);
    if (ad_length > 0) {
        sum[0] ^= (byte)(ad_length >> 8);
        sum[1] ^= (byte)ad_length;
        for (word32 i = 0; i < ad_length; i++) {
            sum[place++] ^= ad[i];
            if (place == 16 || i + 1 == ad_length) {
                wc_AesEncryptDirect(aes, sum, sum);
                place = 0;
            }
        }
    }
    for (word32 i = 0; i < length; i++) {
        sum[i % 16] ^= plain[i];
        if (i % 16 == 15 || i + 1 == length)
            wc_AesEncryptDirect(aes, sum, sum);
    }
    memcpy(start + 1, iv, 13);
    counted(aes, start, 14, tag, sum, tag_length);
}

static void ccm_stream(Aes *aes, byte *out, const byte *in, word32 length, const byte *iv) {
    byte counter[16] = {1};
    memcpy(counter + 1, iv, 13);
    counter[15] = 1;
    counted(aes, counter, 14, out, in, length);
}

int wc_AesCcmEncrypt(Aes *aes, byte *out, const byte *in, word32 length, const byte *iv,
                     word32 iv_length, byte *tag, word32 tag_length, const byte *ad,
                     word32 ad_length) {
    if (iv_length != 13)
        return -1;
    ccm_tag(aes, tag, tag_length, in, length, iv, ad, ad_length);
    ccm_stream(aes, out, in, length, iv);
    return 0;
}

int wc_AesCcmDecrypt(Aes *aes, byte *out, const byte *in, word32 length, const byte *iv,
                     word32 iv_length, const byte *tag, word32 tag_length, const byte *ad,
                     word32 ad_length) {
    byte found[16];
    if (iv_length != 13)
        return -1;
    ccm_stream(aes, out, in, length, iv);
    ccm_tag(aes, found, tag_length, out, length, iv, ad, ad_length);
    if (!differs(found, tag, tag_length))
        return 0;
    memset(out, 0, length);
    return -2;
}
