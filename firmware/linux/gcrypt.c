/* libgcrypt. Declared from The Libgcrypt Reference Manual, chapters 3 and 5 to 12. */
#include "library.h"

#include <string.h>

enum { /* gcry_control */
       CONTROL_INIT_FINISHED = 38,
       CONTROL_DISABLE_SECURE_MEMORY = 37,
       CONTROL_DISABLE_HARDWARE = 63,
       CONTROL_RESET = 4,
       CONTROL_FINALIZE = 5,
       CONTROL_SET_CCM_LENGTHS = 69,
       CONTROL_SET_TAG_LENGTH = 75,
};
enum { KDF_PBKDF2 = 34 };

static const struct {
    const char *mode;
    int number; /* enum gcry_cipher_modes */
} modes[] = {
    {"ecb", 1}, {"cfb", 2}, {"cbc", 3},       {"stream", 4}, {"ofb", 5},  {"ctr", 6},
    {"ccm", 8}, {"gcm", 9}, {"poly1305", 10}, {"ocb3", 11},  {"eax", 14},
};

#define GCRYPT_FUNCTIONS(X)                                                                        \
    X(const char *, gcry_check_version, (const char *))                                            \
    X(unsigned, gcry_control, (int, ...))                                                          \
    X(const char *, gcry_strerror, (unsigned))                                                     \
    X(int, gcry_cipher_map_name, (const char *))                                                   \
    X(unsigned, gcry_cipher_open, (void **, int, int, unsigned))                                   \
    X(void, gcry_cipher_close, (void *))                                                           \
    X(unsigned, gcry_cipher_ctl, (void *, int, void *, size_t))                                    \
    X(unsigned, gcry_cipher_setkey, (void *, const void *, size_t))                                \
    X(unsigned, gcry_cipher_setiv, (void *, const void *, size_t))                                 \
    X(unsigned, gcry_cipher_setctr, (void *, const void *, size_t))                                \
    X(unsigned, gcry_cipher_authenticate, (void *, const void *, size_t))                          \
    X(unsigned, gcry_cipher_gettag, (void *, void *, size_t))                                      \
    X(unsigned, gcry_cipher_checktag, (void *, const void *, size_t))                              \
    X(unsigned, gcry_cipher_encrypt, (void *, void *, size_t, const void *, size_t))               \
    X(unsigned, gcry_cipher_decrypt, (void *, void *, size_t, const void *, size_t))               \
    X(int, gcry_md_map_name, (const char *))                                                       \
    X(unsigned, gcry_md_open, (void **, int, unsigned))                                            \
    X(void, gcry_md_close, (void *))                                                               \
    X(void, gcry_md_write, (void *, const void *, size_t))                                         \
    X(unsigned char *, gcry_md_read, (void *, int))                                                \
    X(unsigned, gcry_md_extract, (void *, int, void *, size_t))                                    \
    X(unsigned, gcry_md_get_algo_dlen, (int))                                                      \
    X(int, gcry_mac_map_name, (const char *))                                                      \
    X(unsigned, gcry_mac_open, (void **, int, unsigned, void *))                                   \
    X(void, gcry_mac_close, (void *))                                                              \
    X(unsigned, gcry_mac_setkey, (void *, const void *, size_t))                                   \
    X(unsigned, gcry_mac_write, (void *, const void *, size_t))                                    \
    X(unsigned, gcry_mac_read, (void *, void *, size_t *))                                         \
    X(unsigned, gcry_kdf_derive,                                                                   \
      (const void *, size_t, int, int, const void *, size_t, unsigned long, size_t, void *))       \
    X(unsigned, gcry_sexp_build, (void **, size_t *, const char *, ...))                           \
    X(void, gcry_sexp_release, (void *))                                                           \
    X(void *, gcry_sexp_find_token, (void *, const char *, size_t))                                \
    X(const char *, gcry_sexp_nth_data, (const void *, int, size_t *))                             \
    X(unsigned, gcry_pk_sign, (void **, void *, void *))                                           \
    X(unsigned, gcry_pk_verify, (void *, void *, void *))                                          \
    X(unsigned, gcry_pk_encrypt, (void **, void *, void *))                                        \
    X(unsigned, gcry_pk_decrypt, (void **, void *, void *))

/* gcry_mac_reset is a macro of the second. */
#define GCRYPT_RESETS(X)                                                                           \
    X(void, gcry_md_reset, (void *))                                                               \
    X(unsigned, gcry_mac_ctl, (void *, int, void *, size_t))

#define DECLARE(result, name, arguments) static result(*name) arguments;
GCRYPT_FUNCTIONS(DECLARE)
GCRYPT_RESETS(DECLARE)

struct context {
    struct base base;
    void *handle;
    int algorithm, mode;
    void *secret, *public, *data; /* S-expressions */
};

static bool load(bool baseline, char *version, char *why) {
    static const char *const names[] = {"libgcrypt.so.20", NULL};
    void *object = library_open(names, why);

    if (object == NULL) {
        return false;
    }
#define LOOK_UP(result, name, arguments)                                                           \
    *(void **)&name = library_symbol(object, #name, why);                                          \
    if (name == NULL) {                                                                            \
        return false;                                                                              \
    }
    GCRYPT_FUNCTIONS(LOOK_UP)
    GCRYPT_RESETS(LOOK_UP)
    /* Before the library looks at the CPU: none of the instructions that not every CPU has. */
    if (baseline) {
        (void)gcry_control(CONTROL_DISABLE_HARDWARE, "all", NULL);
    }
    if (gcry_check_version(NULL) == NULL) {
        library_why(why, "libgcrypt does not start");
        return false;
    }
    (void)snprintf(version, LIBRARY_VERSION_BYTES, "libgcrypt %s", gcry_check_version(NULL));
    (void)gcry_control(CONTROL_DISABLE_SECURE_MEMORY, 0);
    (void)gcry_control(CONTROL_INIT_FINISHED, 0);
    return true;
}

static void lacking(const struct task *task, char *why) {
    library_why(why, "this build of libgcrypt %s has no %s", gcry_check_version(NULL), task->name);
}

static bool refused(const struct task *task, unsigned error, char *why) {
    if (error != 0) {
        library_why(why, "%s refuses key, nonce or tag of %zu, %zu and %zu bytes: %s", task->name,
                    task->key_length, task->iv_length, task->tag_length, gcry_strerror(error));
    }
    return error != 0;
}

/* Block and stream ciphers, and authenticated encryption */

static unsigned set_iv(struct context *context) {
    const struct task *task = &context->base.task;

    if (task->mode != NULL && task_is(task->mode, "ctr")) {
        return gcry_cipher_setctr(context->handle, task->iv, task->iv_length);
    }
    return task->iv_length > 0 ? gcry_cipher_setiv(context->handle, task->iv, task->iv_length) : 0;
}

static unsigned crypt(struct context *context, size_t length) {
    const struct task *task = &context->base.task;

    return (context->base.encrypts ? gcry_cipher_encrypt : gcry_cipher_decrypt)(
        context->handle, task->out, length, task->in, length);
}

static long call_cipher(struct context *context) {
    return set_iv(context) == 0 && crypt(context, context->base.task.in_length) == 0
               ? (long)context->base.task.in_length
               : -1;
}

static bool set_key(struct context *context) {
    const struct task *task = &context->base.task;

    return gcry_cipher_setkey(context->handle, task->key, task->key_length) == 0 &&
           set_iv(context) == 0;
}

static long call_aead(struct context *context) {
    const struct task *task = &context->base.task;
    size_t length = context->base.encrypts ? task->in_length : task->in_length - task->tag_length;

    /* EAX does not begin anew with a nonce alone. */
    if (gcry_cipher_ctl(context->handle, CONTROL_RESET, NULL, 0) != 0 || set_iv(context) != 0) {
        return -1;
    }
    if (task_is(task->mode, "ccm")) {
        uint64_t lengths[3] = {length, task->ad_length, task->tag_length};

        if (gcry_cipher_ctl(context->handle, CONTROL_SET_CCM_LENGTHS, lengths, sizeof lengths) !=
            0) {
            return -1;
        }
    }
    if (task->ad_length > 0 &&
        gcry_cipher_authenticate(context->handle, task->ad, task->ad_length) != 0) {
        return -1;
    }
    /* OCB is told which piece is the last one. */
    if (task_is(task->mode, "ocb3")) {
        (void)gcry_cipher_ctl(context->handle, CONTROL_FINALIZE, NULL, 0);
    }
    if (crypt(context, length) != 0) {
        return -1;
    }
    if (context->base.encrypts) {
        return gcry_cipher_gettag(context->handle, task->out + length, task->tag_length) == 0
                   ? (long)(length + task->tag_length)
                   : -1;
    }
    return gcry_cipher_checktag(context->handle, task->in + length, task->tag_length) == 0
               ? (long)length
               : -1;
}

static bool prepare_cipher(struct context *context, char *why) {
    const struct task *task = &context->base.task;
    const char *mode = task_is(task->kind, "stream") ? "stream" : task->mode;
    bool is_aead = task_is(task->kind, "aead");

    context->algorithm = gcry_cipher_map_name(task->name);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (mode != NULL && task_is(mode, modes[i].mode)) {
            context->mode = modes[i].number;
        }
    }
    if (context->algorithm == 0 || context->mode == 0 ||
        gcry_cipher_open(&context->handle, context->algorithm, context->mode, 0) != 0) {
        library_why(why, "this build of libgcrypt %s has no %s%s%s", gcry_check_version(NULL),
                    task->name, mode == NULL ? "" : " in mode ", mode == NULL ? "" : mode);
        return false;
    }
    if (is_aead && task_is(mode, "ocb3") &&
        refused(task,
                gcry_cipher_ctl(context->handle, CONTROL_SET_TAG_LENGTH,
                                &(int){(int)task->tag_length}, sizeof(int)),
                why)) {
        return false;
    }
    if (refused(task, gcry_cipher_setkey(context->handle, task->key, task->key_length), why) ||
        refused(task, set_iv(context), why)) {
        return false;
    }
    context->base.use = is_aead ? call_aead : call_cipher;
    context->base.set_key = set_key;
    return true;
}

/* Hashes */

static long call_hash(struct context *context) {
    const struct task *task = &context->base.task;
    unsigned length = gcry_md_get_algo_dlen(context->algorithm);

    gcry_md_reset(context->handle);
    gcry_md_write(context->handle, task->in, task->in_length);
    if (task->digest_length > 0) {
        return gcry_md_extract(context->handle, context->algorithm, task->out,
                               task->digest_length) == 0
                   ? (long)task->digest_length
                   : -1;
    }
    memcpy(task->out, gcry_md_read(context->handle, context->algorithm), length);
    return (long)length;
}

static bool prepare_hash(struct context *context, char *why) {
    context->algorithm = gcry_md_map_name(context->base.task.name);
    if (context->algorithm == 0 || gcry_md_open(&context->handle, context->algorithm, 0) != 0) {
        lacking(&context->base.task, why);
        return false;
    }
    context->base.use = call_hash;
    return true;
}

/* Message authentication */

static long call_mac(struct context *context) {
    const struct task *task = &context->base.task;
    size_t length = task->tag_length;

    return gcry_mac_ctl(context->handle, CONTROL_RESET, NULL, 0) == 0 &&
                   gcry_mac_write(context->handle, task->in, task->in_length) == 0 &&
                   gcry_mac_read(context->handle, task->out, &length) == 0
               ? (long)length
               : -1;
}

static bool set_mac_key(struct context *context) {
    const struct task *task = &context->base.task;

    return gcry_mac_setkey(context->handle, task->key, task->key_length) == 0;
}

static bool prepare_mac(struct context *context, char *why) {
    const struct task *task = &context->base.task;

    context->algorithm = gcry_mac_map_name(task->name);
    if (context->algorithm == 0 ||
        gcry_mac_open(&context->handle, context->algorithm, 0, NULL) != 0) {
        lacking(task, why);
        return false;
    }
    if (refused(task, gcry_mac_setkey(context->handle, task->key, task->key_length), why)) {
        return false;
    }
    context->base.use = call_mac;
    context->base.set_key = set_mac_key;
    return true;
}

/* PBKDF2: the key is the password, the IV the salt, and as many bytes come out as go in */

static long call_kdf(struct context *context) {
    const struct task *task = &context->base.task;

    return gcry_kdf_derive(task->key, task->key_length, KDF_PBKDF2, context->algorithm, task->iv,
                           task->iv_length, (unsigned long)task->iterations, task->in_length,
                           task->out) == 0
               ? (long)task->in_length
               : -1;
}

static bool prepare_kdf(struct context *context, char *why) {
    context->algorithm = gcry_md_map_name(context->base.task.name);
    if (context->algorithm == 0) {
        lacking(&context->base.task, why);
        return false;
    }
    context->base.use = call_kdf;
    return true;
}

/* SM2 */

/* Appends a number of the result, `length` bytes long whatever zeros it begins with; 0: as it is.
 */
static bool append(const struct context *context, void *result, const char *token, size_t length,
                   size_t *done) {
    void *found = gcry_sexp_find_token(result, token, 0);
    const char *data = NULL;
    size_t size = 0;
    bool fits;

    if (found != NULL) {
        data = gcry_sexp_nth_data(found, 1, &size);
    }
    /* A number whose first bit is set begins with a zero. */
    while (data != NULL && length > 0 && size > length && *data == 0) {
        data++;
        size--;
    }
    fits =
        data != NULL && (length == 0 || size <= length) &&
        *done + (length > 0 ? length : size) <= context->base.task.in_length + LIBRARY_EXTRA_BYTES;
    if (fits) {
        if (length > 0) {
            memset(context->base.task.out + *done, 0, length - size);
            *done += length - size;
        }
        memcpy(context->base.task.out + *done, data, size);
        *done += size;
    }
    gcry_sexp_release(found);
    return fits;
}

/* The signature as r and s, as other implementations here have it. */
static long call_sign(struct context *context) {
    void *result = NULL;
    size_t done = 0;
    bool is_done = gcry_pk_sign(&result, context->data, context->secret) == 0 &&
                   append(context, result, "r", 32, &done) &&
                   append(context, result, "s", 32, &done);

    gcry_sexp_release(result);
    return is_done ? (long)done : -1;
}

/* `data` is the digest, `public` the key; the signature, r and s, is the associated data. */
static long call_verify(struct context *context) {
    const struct task *task = &context->base.task;
    void *signature = NULL;
    long result = -1;

    if (task->ad_length == 64 &&
        gcry_sexp_build(&signature, NULL, "(sig-val(sm2(r %b)(s %b)))", 32, task->ad, 32,
                        task->ad + 32) == 0 &&
        gcry_pk_verify(signature, context->data, context->public) == 0) {
        result = 0;
    }
    gcry_sexp_release(signature);
    return result;
}

/* The ciphertext as point, digest and concealed message. */
static long call_public_encrypt(struct context *context) {
    void *result = NULL;
    size_t done = 0;
    bool is_done = gcry_pk_encrypt(&result, context->data, context->public) == 0 &&
                   append(context, result, "a", 65, &done) &&
                   append(context, result, "b", 32, &done) &&
                   append(context, result, "c", context->base.task.in_length, &done);

    gcry_sexp_release(result);
    return is_done ? (long)done : -1;
}

/* libgcrypt gives the text back as a number: as many bytes as were concealed make it a text again.
 */
static long call_public_decrypt(struct context *context) {
    const struct task *task = &context->base.task;
    const size_t length = task->in_length > 97 ? task->in_length - 97 : 0;
    void *sealed = NULL, *result = NULL;
    size_t done = 0;
    bool is_done = length > 0 &&
                   gcry_sexp_build(&sealed, NULL, "(enc-val(flags sm2)(sm2(a %b)(b %b)(c %b)))", 65,
                                   task->in, 32, task->in + 65, (int)length, task->in + 97) == 0 &&
                   gcry_pk_decrypt(&result, sealed, context->secret) == 0 &&
                   append(context, result, "value", length, &done);

    gcry_sexp_release(result);
    gcry_sexp_release(sealed);
    return is_done ? (long)done : -1;
}

static unsigned make_keys(struct context *context) {
    const struct task *task = &context->base.task;
    uint8_t point[65];
    unsigned error;

    point[0] = 4;
    memcpy(point + 1, task->public_key, 64);
    error = gcry_sexp_build(&context->secret, NULL, "(private-key(ecc(curve %s)(q %b)(d %b)))",
                            task->name, 65, point, (int)task->key_length, task->key);
    return error != 0 ? error
                      : gcry_sexp_build(&context->public, NULL, "(public-key(ecc(curve %s)(q %b)))",
                                        task->name, 65, point);
}

static void free_keys(struct context *context) {
    gcry_sexp_release(context->secret);
    gcry_sexp_release(context->public);
    context->secret = context->public = NULL;
}

static bool prepare_signature(struct context *context, char *why) {
    const struct task *task = &context->base.task;
    const struct {
        const char *operation, *data;
        long (*use)(struct context *);
    } operations[] = {
        {"sign", "(data(flags sm2)(value %b))", call_sign},
        {"verify", "(data(flags sm2)(value %b))", call_verify},
        {"encrypt", "(data(flags sm2)(hash-algo sm3)(value %b))", call_public_encrypt},
        {"decrypt", NULL, call_public_decrypt},
    };

    if (task->public_key_length != 64 || make_keys(context) != 0) {
        lacking(task, why);
        return false;
    }
    if (task_is(task->operation, "encrypt") && task->in_length > 0 && task->in[0] == 0) {
        library_why(why, "libgcrypt takes a text for a number and loses the zeros it begins with");
        return false;
    }
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (task_is(task->operation, operations[i].operation)) {
            context->base.use = operations[i].use;
            if (operations[i].data != NULL &&
                gcry_sexp_build(&context->data, NULL, operations[i].data, (int)task->in_length,
                                task->in) != 0) {
                context->base.use = NULL;
            }
        }
    }
    if (context->base.use == NULL) {
        library_why(why, "%s has no operation %s", task->name, task->operation);
    }
    return context->base.use != NULL;
}

static void release(struct context *context) {
    const char *kind = context->base.task.kind;

    if (task_is(kind, "hash")) {
        gcry_md_close(context->handle);
    } else if (task_is(kind, "mac")) {
        gcry_mac_close(context->handle);
    } else {
        gcry_cipher_close(context->handle);
        free_keys(context);
        gcry_sexp_release(context->data);
    }
}

static const struct kind kinds[] = {
    {"block", prepare_cipher},        {"stream", prepare_cipher},
    {"hash", prepare_hash},           {"mac", prepare_mac},
    {"aead", prepare_cipher},         {"kdf", prepare_kdf},
    {"signature", prepare_signature}, {NULL, NULL},
};

const struct library library_gcrypt = {"libgcrypt", load, sizeof(struct context), kinds, release};
