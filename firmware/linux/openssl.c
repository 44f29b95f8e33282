/* OpenSSL 3 through its EVP interface, with the legacy provider where there is one.
 * Declared from the manual pages EVP_EncryptInit(3), EVP_DigestInit(3), EVP_MAC(3),
 * EVP_PKEY_fromdata(3), PKCS5_PBKDF2_HMAC(3), OSSL_PARAM(3), OSSL_PROVIDER(3), OPENSSL_ia32cap(3)
 * and core.h. */
#define _GNU_SOURCE
#include "library.h"

#include <stdlib.h>
#include <string.h>

/* OSSL_PARAM(3) */
struct parameter {
    const char *key;
    unsigned int data_type;
    void *data;
    size_t data_size;
    size_t return_size;
};
enum {
    PARAMETER_UNSIGNED_INTEGER = 2,
    PARAMETER_UTF8_STRING = 4,
    PARAMETER_OCTET_STRING = 5,
};
enum {
    CONTROL_SET_IV_LENGTH = 0x9,
    CONTROL_GET_TAG = 0x10,
    CONTROL_SET_TAG = 0x11,
};
/* Domain parameters, public and private key. */
#define SELECT_KEY_PAIR 0x87

#define OPENSSL_FUNCTIONS(X)                                                                       \
    X(const char *, OpenSSL_version, (int))                                                        \
    X(void *, OSSL_PROVIDER_load, (void *, const char *))                                          \
    X(void *, EVP_CIPHER_fetch, (void *, const char *, const char *))                              \
    X(void, EVP_CIPHER_free, (void *))                                                             \
    X(void *, EVP_CIPHER_CTX_new, (void))                                                          \
    X(void, EVP_CIPHER_CTX_free, (void *))                                                         \
    X(int, EVP_CIPHER_CTX_ctrl, (void *, int, int, void *))                                        \
    X(int, EVP_CIPHER_CTX_set_padding, (void *, int))                                              \
    X(int, EVP_CIPHER_CTX_set_params, (void *, const struct parameter *))                          \
    X(int, EVP_CIPHER_get_key_length, (const void *))                                              \
    X(int, EVP_CipherInit_ex,                                                                      \
      (void *, const void *, void *, const unsigned char *, const unsigned char *, int))           \
    X(int, EVP_CipherUpdate, (void *, unsigned char *, int *, const unsigned char *, int))         \
    X(int, EVP_CipherFinal_ex, (void *, unsigned char *, int *))                                   \
    X(void *, EVP_MD_fetch, (void *, const char *, const char *))                                  \
    X(void, EVP_MD_free, (void *))                                                                 \
    X(void *, EVP_MD_CTX_new, (void))                                                              \
    X(void, EVP_MD_CTX_free, (void *))                                                             \
    X(int, EVP_DigestInit_ex, (void *, const void *, void *))                                      \
    X(int, EVP_DigestUpdate, (void *, const void *, size_t))                                       \
    X(int, EVP_DigestFinal_ex, (void *, unsigned char *, unsigned int *))                          \
    X(int, EVP_DigestFinalXOF, (void *, unsigned char *, size_t))                                  \
    X(void *, EVP_MAC_fetch, (void *, const char *, const char *))                                 \
    X(void, EVP_MAC_free, (void *))                                                                \
    X(void *, EVP_MAC_CTX_new, (void *))                                                           \
    X(void, EVP_MAC_CTX_free, (void *))                                                            \
    X(int, EVP_MAC_init, (void *, const unsigned char *, size_t, const struct parameter *))        \
    X(int, EVP_MAC_update, (void *, const unsigned char *, size_t))                                \
    X(int, EVP_MAC_final, (void *, unsigned char *, size_t *, size_t))                             \
    X(void *, EVP_PKEY_CTX_new_from_name, (void *, const char *, const char *))                    \
    X(void *, EVP_PKEY_CTX_new_from_pkey, (void *, void *, const char *))                          \
    X(void, EVP_PKEY_CTX_free, (void *))                                                           \
    X(int, EVP_PKEY_fromdata_init, (void *))                                                       \
    X(int, EVP_PKEY_fromdata, (void *, void **, int, struct parameter *))                          \
    X(void, EVP_PKEY_free, (void *))                                                               \
    X(int, EVP_PKEY_sign_init, (void *))                                                           \
    X(int, EVP_PKEY_sign, (void *, unsigned char *, size_t *, const unsigned char *, size_t))      \
    X(int, EVP_PKEY_verify_init, (void *))                                                         \
    X(int, EVP_PKEY_verify,                                                                        \
      (void *, const unsigned char *, size_t, const unsigned char *, size_t))                      \
    X(int, EVP_PKEY_encrypt_init, (void *))                                                        \
    X(int, EVP_PKEY_encrypt, (void *, unsigned char *, size_t *, const unsigned char *, size_t))   \
    X(int, EVP_PKEY_decrypt_init, (void *))                                                        \
    X(int, EVP_PKEY_decrypt, (void *, unsigned char *, size_t *, const unsigned char *, size_t))   \
    X(int, PKCS5_PBKDF2_HMAC,                                                                      \
      (const char *, int, const unsigned char *, int, int, const void *, int, unsigned char *))    \
    X(unsigned long, ERR_get_error, (void))                                                        \
    X(void, ERR_error_string_n, (unsigned long, char *, size_t))

#define DECLARE(result, name, arguments) static result(*name) arguments;
OPENSSL_FUNCTIONS(DECLARE)

struct context {
    struct base base;
    void *algorithm; /* EVP_CIPHER, EVP_MD or EVP_MAC */
    void *state;     /* EVP_CIPHER_CTX, EVP_MD_CTX, EVP_MAC_CTX or EVP_PKEY_CTX */
    void *key;       /* EVP_PKEY */
};

static char no_legacy[LIBRARY_WHY_BYTES]; /* why the legacy provider is not there, or "" */

/* The library's own word on what went wrong last. */
static void last_error(char *text, size_t size) {
    unsigned long code = ERR_get_error(), next;

    while ((next = ERR_get_error()) != 0) {
        code = next;
    }
    if (code == 0) {
        (void)snprintf(text, size, "no reason given");
    } else {
        ERR_error_string_n(code, text, size);
    }
}

static bool load(bool baseline, char *version, char *why) {
    static const char *const names[] = {"libcrypto.so.3", NULL};
    void *object;

    /* Read when the library is loaded: none of the instructions that not every CPU has. */
    if (baseline) {
        setenv("OPENSSL_ia32cap", "0:0", 1);
        setenv("OPENSSL_armcap", "0", 1);
        setenv("OPENSSL_riscvcap", "rv64gc", 1);
    }
    object = library_open(names, why);
    if (object == NULL) {
        return false;
    }
#define LOOK_UP(result, name, arguments)                                                           \
    *(void **)&name = library_symbol(object, #name, why);                                          \
    if (name == NULL) {                                                                            \
        return false;                                                                              \
    }
    OPENSSL_FUNCTIONS(LOOK_UP)
    (void)snprintf(version, LIBRARY_VERSION_BYTES, "%s", OpenSSL_version(0));
    if (OSSL_PROVIDER_load(NULL, "legacy") == NULL) {
        char text[160];

        last_error(text, sizeof text);
        library_why(no_legacy, "; its legacy provider does not load (%s)", text);
    }
    if (OSSL_PROVIDER_load(NULL, "default") == NULL) {
        library_why(why, "the default provider of %s does not load", version);
        return false;
    }
    return true;
}

static void lacking(const struct task *task, char *why) {
    char version[LIBRARY_VERSION_BYTES];

    (void)snprintf(version, sizeof version, "%s", OpenSSL_version(0));
    /* Of "OpenSSL 3.0.19 27 Jan 2026" the name and the number. */
    for (char *at = version, spaces = 0; *at != '\0'; at++) {
        if (*at == ' ' && ++spaces == 2) {
            *at = '\0';
            break;
        }
    }
    library_why(why, "this build of %s has no %s%s", version, task->name, no_legacy);
}

/* Block and stream ciphers */

static long call_cipher(struct context *context) {
    const struct task *task = &context->base.task;
    int done = 0, rest = 0;

    if (EVP_CipherInit_ex(context->state, NULL, NULL, task->rekey ? task->key : NULL,
                          task->iv_length > 0 ? task->iv : NULL, -1) != 1 ||
        EVP_CipherUpdate(context->state, task->out, &done, task->in, (int)task->in_length) != 1 ||
        EVP_CipherFinal_ex(context->state, task->out + done, &rest) != 1) {
        return -1;
    }
    return done + rest;
}

/* A cipher without IV goes on with its stream from call to call. */
static long call_stream(struct context *context) {
    const struct task *task = &context->base.task;
    int done = 0;

    return EVP_CipherUpdate(context->state, task->out, &done, task->in, (int)task->in_length) == 1
               ? done
               : -1;
}

/* Setting up a key from nothing, as an application does; nothing is put out. */
static bool set_key(struct context *context) {
    const struct task *task = &context->base.task;
    size_t key_length = task->key_length, effective_bits = (size_t)task->effective_bits;
    struct parameter parameters[3];
    size_t count = 0;

    if (EVP_CipherInit_ex(context->state, context->algorithm, NULL, NULL, NULL,
                          context->base.encrypts) != 1) {
        return false;
    }
    memset(parameters, 0, sizeof parameters);
    if ((size_t)EVP_CIPHER_get_key_length(context->algorithm) != key_length) {
        parameters[count++] = (struct parameter){"keylen", PARAMETER_UNSIGNED_INTEGER, &key_length,
                                                 sizeof key_length, 0};
    }
    if (effective_bits > 0) {
        parameters[count++] = (struct parameter){"keybits", PARAMETER_UNSIGNED_INTEGER,
                                                 &effective_bits, sizeof effective_bits, 0};
    }
    return (count == 0 || EVP_CIPHER_CTX_set_params(context->state, parameters) == 1) &&
           EVP_CipherInit_ex(context->state, NULL, NULL, task->key,
                             task->iv_length > 0 ? task->iv : NULL, context->base.encrypts) == 1 &&
           EVP_CIPHER_CTX_set_padding(context->state, 0) == 1;
}

static bool prepare_cipher(struct context *context, char *why) {
    const struct task *task = &context->base.task;

    context->algorithm = EVP_CIPHER_fetch(NULL, task->name, NULL);
    if (context->algorithm == NULL) {
        lacking(task, why);
        return false;
    }
    context->state = EVP_CIPHER_CTX_new();
    if (context->state == NULL || !set_key(context)) {
        char text[160];

        last_error(text, sizeof text);
        library_why(why, "%s refuses a key of %zu bytes: %s", task->name, task->key_length, text);
        return false;
    }
    context->base.use =
        task_is(task->kind, "stream") && task->iv_length == 0 ? call_stream : call_cipher;
    context->base.set_key = set_key;
    return true;
}

/* Authenticated encryption; `in` of `open` is the ciphertext and its tag */

static bool begin_sealed(struct context *context, const uint8_t *key) {
    const struct task *task = &context->base.task;

    return EVP_CipherInit_ex(context->state, NULL, NULL, key, task->iv, context->base.encrypts) ==
           1;
}

static bool set_aead_key(struct context *context) {
    const struct task *task = &context->base.task;
    void *tag_to_come = NULL;

    /* Lengths come before the key: those of CCM and OCB go into the first block. */
    return EVP_CipherInit_ex(context->state, context->algorithm, NULL, NULL, NULL,
                             context->base.encrypts) == 1 &&
           EVP_CIPHER_CTX_ctrl(context->state, CONTROL_SET_IV_LENGTH, (int)task->iv_length, NULL) >
               0 &&
           (task_is(task->mode, "gcm") ||
            EVP_CIPHER_CTX_ctrl(context->state, CONTROL_SET_TAG, (int)task->tag_length,
                                tag_to_come) > 0) &&
           begin_sealed(context, task->key);
}

static long call_aead(struct context *context) {
    const struct task *task = &context->base.task;
    bool is_ccm = task->mode != NULL && task_is(task->mode, "ccm");
    size_t tag_length = task->tag_length;
    size_t length = context->base.encrypts ? task->in_length : task->in_length - tag_length;
    int done = 0, rest = 0;

    if (!begin_sealed(context, task->rekey ? task->key : NULL)) {
        return -1;
    }
    if (!context->base.encrypts &&
        EVP_CIPHER_CTX_ctrl(context->state, CONTROL_SET_TAG, (int)tag_length,
                            (void *)(uintptr_t)(task->in + length)) <= 0) {
        return -1;
    }
    if (is_ccm && EVP_CipherUpdate(context->state, NULL, &done, NULL, (int)length) != 1) {
        return -1;
    }
    if (task->ad_length > 0 &&
        EVP_CipherUpdate(context->state, NULL, &done, task->ad, (int)task->ad_length) != 1) {
        return -1;
    }
    done = 0;
    /* CCM knows the end by the length; without a call for an empty message it makes no tag. */
    if ((length > 0 || is_ccm) &&
        EVP_CipherUpdate(context->state, task->out, &done, task->in, (int)length) != 1) {
        return -1;
    }
    if ((context->base.encrypts || !is_ccm) &&
        EVP_CipherFinal_ex(context->state, task->out + done, &rest) != 1) {
        return -1;
    }
    if (context->base.encrypts) {
        if (EVP_CIPHER_CTX_ctrl(context->state, CONTROL_GET_TAG, (int)tag_length,
                                task->out + done + rest) <= 0) {
            return -1;
        }
        rest += (int)tag_length;
    }
    return done + rest;
}

static bool prepare_aead(struct context *context, char *why) {
    const struct task *task = &context->base.task;

    context->algorithm = EVP_CIPHER_fetch(NULL, task->name, NULL);
    if (context->algorithm == NULL) {
        lacking(task, why);
        return false;
    }
    context->state = EVP_CIPHER_CTX_new();
    if (context->state == NULL || !set_aead_key(context)) {
        char text[160];

        last_error(text, sizeof text);
        library_why(why, "%s refuses key, nonce or tag of %zu, %zu and %zu bytes: %s", task->name,
                    task->key_length, task->iv_length, task->tag_length, text);
        return false;
    }
    context->base.use = call_aead;
    context->base.set_key = set_aead_key;
    return true;
}

/* Hashes */

static long call_hash(struct context *context) {
    const struct task *task = &context->base.task;
    unsigned int length = 0;

    if (EVP_DigestInit_ex(context->state, context->algorithm, NULL) != 1 ||
        EVP_DigestUpdate(context->state, task->in, task->in_length) != 1) {
        return -1;
    }
    if (task->digest_length > 0) {
        return EVP_DigestFinalXOF(context->state, task->out, task->digest_length) == 1
                   ? (long)task->digest_length
                   : -1;
    }
    return EVP_DigestFinal_ex(context->state, task->out, &length) == 1 ? (long)length : -1;
}

static bool prepare_hash(struct context *context, char *why) {
    context->algorithm = EVP_MD_fetch(NULL, context->base.task.name, NULL);
    if (context->algorithm == NULL) {
        lacking(&context->base.task, why);
        return false;
    }
    context->state = EVP_MD_CTX_new();
    context->base.use = call_hash;
    return context->state != NULL;
}

/* Message authentication: the name is MAC:algorithm, as in HMAC:SHA256, or that of the MAC */

static long call_mac(struct context *context) {
    const struct task *task = &context->base.task;
    size_t length = 0;

    if (EVP_MAC_init(context->state, task->rekey ? task->key : NULL,
                     task->rekey ? task->key_length : 0, NULL) != 1 ||
        EVP_MAC_update(context->state, task->in, task->in_length) != 1 ||
        EVP_MAC_final(context->state, task->out, &length, task->in_length + LIBRARY_EXTRA_BYTES) !=
            1) {
        return -1;
    }
    return (long)length;
}

static bool set_mac_key(struct context *context) {
    const struct task *task = &context->base.task;
    const char *over = strchr(task->name, ':');
    struct parameter parameters[2];
    size_t size = task->tag_length;
    char copy[64];

    memset(parameters, 0, sizeof parameters);
    if (over != NULL) {
        (void)snprintf(copy, sizeof copy, "%s", over + 1);
        parameters[0] =
            (struct parameter){strncmp(task->name, "CMAC", 4) == 0 ? "cipher" : "digest",
                               PARAMETER_UTF8_STRING, copy, strlen(copy), 0};
    } else if (task_is(task->name, "SIPHASH")) {
        parameters[0] =
            (struct parameter){"size", PARAMETER_UNSIGNED_INTEGER, &size, sizeof size, 0};
    }
    return EVP_MAC_init(context->state, task->key, task->key_length, parameters) == 1;
}

static bool prepare_mac(struct context *context, char *why) {
    const struct task *task = &context->base.task;
    char name[64];

    (void)snprintf(name, sizeof name, "%s", task->name);
    name[strcspn(name, ":")] = '\0';
    context->algorithm = EVP_MAC_fetch(NULL, name, NULL);
    if (context->algorithm == NULL) {
        lacking(task, why);
        return false;
    }
    context->state = EVP_MAC_CTX_new(context->algorithm);
    if (context->state == NULL || !set_mac_key(context)) {
        lacking(task, why);
        return false;
    }
    context->base.use = call_mac;
    context->base.set_key = set_mac_key;
    return true;
}

/* PBKDF2: the key is the password, the IV the salt, and as many bytes come out as go in */

static long call_kdf(struct context *context) {
    const struct task *task = &context->base.task;

    return PKCS5_PBKDF2_HMAC((const char *)task->key, (int)task->key_length, task->iv,
                             (int)task->iv_length, (int)task->iterations, context->algorithm,
                             (int)task->in_length, task->out) == 1
               ? (long)task->in_length
               : -1;
}

static bool prepare_kdf(struct context *context, char *why) {
    context->algorithm = EVP_MD_fetch(NULL, context->base.task.name, NULL);
    if (context->algorithm == NULL) {
        lacking(&context->base.task, why);
        return false;
    }
    context->base.use = call_kdf;
    return true;
}

/* SM2 */

static void *make_key(const struct task *task) {
    void *maker = EVP_PKEY_CTX_new_from_name(NULL, task->name, NULL), *key = NULL;
    unsigned char point[1 + 64];
    unsigned char number[32];
    char group[32];
    struct parameter parameters[4];
    const uint16_t order = 1;

    if (maker == NULL || task->public_key_length != 64 || task->key_length != 32) {
        return NULL;
    }
    (void)snprintf(group, sizeof group, "%s", task->name);
    point[0] = 4;
    memcpy(point + 1, task->public_key, 64);
    /* Numbers are parameters in the order of the machine. */
    for (size_t i = 0; i < sizeof number; i++) {
        number[i] = task->key[*(const uint8_t *)&order == 1 ? sizeof number - 1 - i : i];
    }
    memset(parameters, 0, sizeof parameters);
    parameters[0] = (struct parameter){"group", PARAMETER_UTF8_STRING, group, strlen(group), 0};
    parameters[1] = (struct parameter){"pub", PARAMETER_OCTET_STRING, point, sizeof point, 0};
    parameters[2] =
        (struct parameter){"priv", PARAMETER_UNSIGNED_INTEGER, number, sizeof number, 0};
    if (EVP_PKEY_fromdata_init(maker) != 1 ||
        EVP_PKEY_fromdata(maker, &key, SELECT_KEY_PAIR, parameters) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(maker);
    return key;
}

static long call_sign(struct context *context) {
    size_t length = context->base.task.in_length + LIBRARY_EXTRA_BYTES;

    return EVP_PKEY_sign(context->state, context->base.task.out, &length, context->base.task.in,
                         context->base.task.in_length) == 1
               ? (long)length
               : -1;
}

/* The signature is the associated data. */
static long call_verify(struct context *context) {
    return EVP_PKEY_verify(context->state, context->base.task.ad, context->base.task.ad_length,
                           context->base.task.in, context->base.task.in_length) == 1
               ? 0
               : -1;
}

static long call_public_encrypt(struct context *context) {
    size_t length = context->base.task.in_length + LIBRARY_EXTRA_BYTES;

    return EVP_PKEY_encrypt(context->state, context->base.task.out, &length, context->base.task.in,
                            context->base.task.in_length) == 1
               ? (long)length
               : -1;
}

static long call_public_decrypt(struct context *context) {
    size_t length = context->base.task.in_length;

    return EVP_PKEY_decrypt(context->state, context->base.task.out, &length, context->base.task.in,
                            context->base.task.in_length) == 1
               ? (long)length
               : -1;
}

static bool prepare_signature(struct context *context, char *why) {
    const struct {
        const char *operation;
        int (*begin)(void *);
        long (*use)(struct context *);
    } operations[] = {
        {"sign", EVP_PKEY_sign_init, call_sign},
        {"verify", EVP_PKEY_verify_init, call_verify},
        {"encrypt", EVP_PKEY_encrypt_init, call_public_encrypt},
        {"decrypt", EVP_PKEY_decrypt_init, call_public_decrypt},
    };

    context->key = make_key(&context->base.task);
    if (context->key == NULL) {
        lacking(&context->base.task, why);
        return false;
    }
    context->state = EVP_PKEY_CTX_new_from_pkey(NULL, context->key, NULL);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (task_is(context->base.task.operation, operations[i].operation)) {
            context->base.use = operations[i].use;
            if (context->state != NULL && (operations[i].begin(context->state) == 1)) {
                return true;
            }
        }
    }
    library_why(why, "%s has no operation %s", context->base.task.name,
                context->base.task.operation);
    return false;
}

static void release(struct context *context) {
    const char *kind = context->base.task.kind;

    if (task_is(kind, "block") || task_is(kind, "stream") || task_is(kind, "aead")) {
        EVP_CIPHER_CTX_free(context->state);
        EVP_CIPHER_free(context->algorithm);
    } else if (task_is(kind, "mac")) {
        EVP_MAC_CTX_free(context->state);
        EVP_MAC_free(context->algorithm);
    } else if (task_is(kind, "signature")) {
        EVP_PKEY_CTX_free(context->state);
        EVP_PKEY_free(context->key);
    } else {
        EVP_MD_CTX_free(context->state);
        EVP_MD_free(context->algorithm);
    }
}

static const struct kind kinds[] = {
    {"block", prepare_cipher},        {"stream", prepare_cipher},
    {"hash", prepare_hash},           {"mac", prepare_mac},
    {"aead", prepare_aead},           {"kdf", prepare_kdf},
    {"signature", prepare_signature}, {NULL, NULL},
};

const struct library library_openssl = {"openssl", load, sizeof(struct context), kinds, release};
