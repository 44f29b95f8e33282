/* Measures one variant of one primitive, in one mode of operation where it is a block cipher.
 *
 * The build defines AGENT_BLOCK, AGENT_STREAM, AGENT_HASH, AGENT_MAC, AGENT_AEAD or
 * AGENT_SIGNATURE, the macros of the primitive, AGENT_MODE where there is one, AGENT_BACKWARDS to 1
 * where that mode decrypts with the inverse of the cipher, and AGENT_INIT_DECRYPT to 1 where the
 * variant has block_init_decrypt.
 *
 * A request is `cell`, with the words of measure.h, or `interfere`, with those of interfere.h and
 * one thread. Other words:
 *
 *   operation=encrypt     as in records
 *   seed= bytes=          the message, by wire_message
 *   padding=              none, zero or pkcs7: how it is made a whole number of blocks
 *   key= iv= ad=          hexadecimal; iv is the nonce of an AEAD and of a signature
 *   public_key=           to encrypt with and to verify
 *   threads= pieces=      how a message is shared out: see piece_iv
 *   windows=              parts of the ciphertext to be sent too; see wire_print_windows
 * A reply has, besides the series' members: "input", what was made first to be decrypted, opened or
 * verified, "output", "windows" and "context_bytes". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interfere.h"
#include "measure.h"
#include "observe.h"
#include "wire.h"

#if defined(AGENT_BLOCK)
#include "block.h"
#if defined(AGENT_MODE)
#include "mode.h"
#endif
typedef block_context agent_context;
#elif defined(AGENT_STREAM)
#include "stream.h"
typedef stream_context agent_context;
#elif defined(AGENT_HASH)
#include "digest.h"
typedef hash_context agent_context;
#elif defined(AGENT_MAC)
#include "mac_compute.h"
typedef mac_context agent_context;
#elif defined(AGENT_AEAD)
#include "aead.h"
typedef aead_context agent_context;
#elif defined(AGENT_SIGNATURE)
#include "signature.h"
#if defined(PRIMITIVE_OVERHEAD_BYTES)
#include "pke.h"
#endif
typedef signature_context agent_context;
#endif

#if defined(AGENT_BLOCK) && AGENT_INIT_DECRYPT && (!defined(AGENT_MODE) || AGENT_BACKWARDS)
#define USES_INIT_DECRYPT 1
#else
#define USES_INIT_DECRYPT 0
#endif
#define MESSAGE_BYTES_MAX (UINT64_C(64) << 20)
#define AD_BYTES_MAX      16384
#define SMALL_BYTES       4096

#if defined(PRIMITIVE_BLOCK_BYTES) && PRIMITIVE_BLOCK_BYTES > 0
#define STEP_BYTES PRIMITIVE_BLOCK_BYTES
#else
#define STEP_BYTES 1
#endif

/* A task of one cell. The message may be shared out: thread t does the bytes from pieces[t] to
 * pieces[t + 1] with an IV of its own. */
struct task {
    int (*once)(struct task *task, unsigned thread);
    agent_context context; /* after set-up */
    agent_context working; /* for what changes its context */
    uint8_t key[512];
    uint8_t iv[64];
    uint8_t *ad;
    size_t ad_bytes;
    uint8_t *in;
    uint8_t *out;
    size_t in_bytes;
    size_t out_bytes;
    uint8_t public_key[SMALL_BYTES];
    size_t pieces[MEASURE_THREADS_MAX + 1];
    uint8_t piece_ivs[MEASURE_THREADS_MAX][64];
};

static int part(void *state, unsigned thread) {
    struct task *task = state;

    return task->once(task, thread);
}

/* ---- What one call does, for each kind and operation. ---- */

#if defined(AGENT_BLOCK)

static int once_init(struct task *task, unsigned thread) {
    (void)thread;
    block_init(&task->context, task->key);
    return 0;
}

#if USES_INIT_DECRYPT
static int once_init_decrypt(struct task *task, unsigned thread) {
    (void)thread;
    block_init_decrypt(&task->context, task->key);
    return 0;
}
#endif

#if defined(AGENT_MODE)
#define CRYPT(name, function)                                                                      \
    static int name(struct task *task, unsigned thread) {                                          \
        uint8_t iv[PRIMITIVE_BLOCK_BYTES];                                                         \
        size_t at = task->pieces[thread];                                                          \
        memcpy(iv, task->piece_ivs[thread], sizeof iv);                                            \
        function(&task->context, iv, task->out + at, task->in + at,                                \
                 task->pieces[thread + 1] - at);                                                   \
        return 0;                                                                                  \
    }
CRYPT(once_encrypt, mode_encrypt)
CRYPT(once_decrypt, mode_decrypt)
#else
static int once_encrypt(struct task *task, unsigned thread) {
    (void)thread;
    block_encrypt(&task->context, task->out, task->in);
    return 0;
}

static int once_decrypt(struct task *task, unsigned thread) {
    (void)thread;
    block_decrypt(&task->context, task->out, task->in);
    return 0;
}
#endif

#elif defined(AGENT_STREAM)

static int once_init(struct task *task, unsigned thread) {
    (void)thread;
    stream_init(&task->context, task->key, task->iv);
    return 0;
}

/* A message uses up the context, so each call begins with a copy of it. */
static int once_crypt(struct task *task, unsigned thread) {
    (void)thread;
    memcpy(&task->working, &task->context, sizeof task->working);
    stream_crypt(&task->working, task->out, task->in, task->in_bytes);
    return 0;
}

#elif defined(AGENT_HASH)

static int once_digest(struct task *task, unsigned thread) {
    (void)thread;
    hash_digest(&task->context, task->out, task->in, task->in_bytes);
    return 0;
}

#elif defined(AGENT_MAC)

static int once_init(struct task *task, unsigned thread) {
    (void)thread;
    mac_init(&task->context, task->key);
    return 0;
}

static int once_mac(struct task *task, unsigned thread) {
    (void)thread;
    memcpy(&task->working, &task->context, sizeof task->working);
    mac_compute(&task->working, task->out, task->in, task->in_bytes);
    return 0;
}

#elif defined(AGENT_AEAD)

static int once_init(struct task *task, unsigned thread) {
    (void)thread;
    aead_init(&task->context, task->key);
    return 0;
}

/* Sealed is the ciphertext with the tag behind it. */
static int once_seal(struct task *task, unsigned thread) {
    (void)thread;
    aead_seal(&task->context, task->out, task->out + task->in_bytes, task->iv, task->ad,
              task->ad_bytes, task->in, task->in_bytes);
    return 0;
}

static int once_open(struct task *task, unsigned thread) {
    (void)thread;
    return aead_open(&task->context, task->out, task->in + task->out_bytes, task->iv, task->ad,
                     task->ad_bytes, task->in, task->out_bytes);
}

#elif defined(AGENT_SIGNATURE)

static int once_init(struct task *task, unsigned thread) {
    (void)thread;
    return signature_init(&task->context, task->public_key, task->key);
}

static int once_sign(struct task *task, unsigned thread) {
    (void)thread;
    return signature_sign(&task->context, task->out, task->in, task->iv);
}

/* What is verified lies in `in`: the digest, the signature behind it. */
static int once_verify(struct task *task, unsigned thread) {
    (void)thread;
    return signature_verify(task->public_key, task->in + PRIMITIVE_DIGEST_BYTES, task->in);
}

#if defined(PRIMITIVE_OVERHEAD_BYTES)
static int once_encrypt(struct task *task, unsigned thread) {
    (void)thread;
    return pke_encrypt(task->public_key, task->out, task->iv, task->in, task->in_bytes);
}

static int once_decrypt(struct task *task, unsigned thread) {
    (void)thread;
    return pke_decrypt(task->key, task->out, task->in, task->out_bytes);
}
#endif
#endif

/* ---- Preparing a cell. ---- */

struct operation {
    const char *name;
    int (*once)(struct task *task, unsigned thread);
    int (*setup)(struct task *task, unsigned thread);  /* before the runs, or NULL */
    int (*before)(struct task *task, unsigned thread); /* makes the input of `once`, or NULL */
    int (*before_setup)(struct task *task, unsigned thread);
    int (*after)(struct task *task, unsigned thread); /* shows what a set-up did, or NULL */
};

static const struct operation operations[] = {
#if defined(AGENT_BLOCK)
    {"encrypt", once_encrypt, once_init, NULL, NULL, NULL},
#if USES_INIT_DECRYPT
    {"decrypt", once_decrypt, once_init_decrypt, once_encrypt, once_init, NULL},
    {"init-decrypt", once_init_decrypt, NULL, NULL, NULL, once_decrypt},
#else
    {"decrypt", once_decrypt, once_init, once_encrypt, once_init, NULL},
#endif
    {"init", once_init, NULL, NULL, NULL, once_encrypt},
#elif defined(AGENT_STREAM)
    {"encrypt", once_crypt, once_init, NULL, NULL, NULL},
    {"decrypt", once_crypt, once_init, once_crypt, once_init, NULL},
    {"init", once_init, NULL, NULL, NULL, once_crypt},
#elif defined(AGENT_HASH)
    {"digest", once_digest, NULL, NULL, NULL, NULL},
#elif defined(AGENT_MAC)
    {"mac", once_mac, once_init, NULL, NULL, NULL},
    {"init", once_init, NULL, NULL, NULL, once_mac},
#elif defined(AGENT_AEAD)
    {"seal", once_seal, once_init, NULL, NULL, NULL},
    {"open", once_open, once_init, once_seal, once_init, NULL},
    {"init", once_init, NULL, NULL, NULL, once_seal},
#elif defined(AGENT_SIGNATURE)
    {"init", once_init, NULL, NULL, NULL, NULL},
    {"sign", once_sign, once_init, NULL, NULL, NULL},
    {"verify", once_verify, NULL, once_sign, once_init, NULL},
#if defined(PRIMITIVE_OVERHEAD_BYTES)
    {"encrypt", once_encrypt, NULL, NULL, NULL, NULL},
    {"decrypt", once_decrypt, NULL, once_encrypt, once_init, NULL},
#endif
#endif
};

#define OPERATION_COUNT (sizeof operations / sizeof operations[0])

/* Bytes that a message has after padding; (size_t)-1 for an unknown padding. */
static size_t padded(size_t length, const char *padding) {
    size_t rest = length % STEP_BYTES;

    if (padding == NULL || strcmp(padding, "none") == 0) {
        return length;
    }
    if (strcmp(padding, "pkcs7") == 0) {
        return length - rest + STEP_BYTES;
    }
    return strcmp(padding, "zero") == 0 ? length + (rest == 0 ? 0 : STEP_BYTES - rest) : (size_t)-1;
}

/* Length of what an operation makes of a message. */
static size_t made_bytes(const char *operation, size_t length) {
    (void)operation;
#if defined(AGENT_HASH)
    (void)length;
    return PRIMITIVE_DIGEST_BYTES;
#elif defined(AGENT_MAC)
    (void)length;
    return PRIMITIVE_TAG_BYTES;
#elif defined(AGENT_AEAD)
    return length + PRIMITIVE_TAG_BYTES;
#elif defined(AGENT_SIGNATURE)
    if (strcmp(operation, "sign") == 0 || strcmp(operation, "verify") == 0) {
        return PRIMITIVE_SIGNATURE_BYTES;
    }
#if defined(PRIMITIVE_OVERHEAD_BYTES)
    return length + PRIMITIVE_OVERHEAD_BYTES;
#else
    return length;
#endif
#else
    return length;
#endif
}

/* Shares a message out to threads, in whole blocks; false where the mode does not allow it. */
static bool share(struct task *task, unsigned threads, const char *pieces, const char **detail) {
    size_t blocks = (task->in_bytes + STEP_BYTES - 1) / STEP_BYTES;

    for (unsigned i = 0; i <= threads; i++) {
        size_t at = blocks * i / threads * STEP_BYTES;

        task->pieces[i] = at < task->in_bytes ? at : task->in_bytes;
    }
    memcpy(task->piece_ivs[0], task->iv, sizeof task->iv);
    if (threads == 1) {
        return true;
    }
    if (pieces == NULL || blocks < threads) {
        *detail = pieces == NULL
                      ? "every block needs the one before, so that one thread has to do all"
                      : "the message has fewer blocks than there are threads";
        return false;
    }
    for (unsigned i = 1; i < threads; i++) {
        uint8_t *iv = task->piece_ivs[i];

        if (strcmp(pieces, "counter") == 0) {
            uint64_t count = task->pieces[i] / STEP_BYTES;

            memcpy(iv, task->iv, sizeof task->iv);
            for (size_t byte = STEP_BYTES; byte > 0; byte--) {
                count += iv[byte - 1];
                iv[byte - 1] = (uint8_t)count;
                count >>= 8;
            }
        } else if (strcmp(pieces, "ciphertext") == 0) {
            memcpy(iv, task->in + task->pieces[i] - STEP_BYTES, STEP_BYTES);
        } else if (strcmp(pieces, "independent") != 0) {
            *detail = "it is not known how such pieces begin";
            return false;
        }
    }
    return true;
}

static bool read_inputs(const struct request *request, struct task *task, const char **detail) {
    const char *ad = wire_text(request, "ad");

    *detail = "key, iv or public_key is missing or too long";
    if (wire_bytes(request, "key", task->key, sizeof task->key) < 0 ||
        wire_bytes(request, "iv", task->iv, sizeof task->iv) < 0) {
        return false;
    }
    if (wire_text(request, "public_key") != NULL &&
        wire_bytes(request, "public_key", task->public_key, sizeof task->public_key) < 0) {
        return false;
    }
    if (ad != NULL) {
        long count = wire_bytes(request, "ad", task->ad, AD_BYTES_MAX);

        *detail = "the associated data is not hexadecimal or too long";
        if (count < 0) {
            return false;
        }
        task->ad_bytes = (size_t)count;
    }
    return true;
}

static void swap(struct task *task) {
    uint8_t *in = task->in;

    task->in = task->out;
    task->out = in;
}

/* The members of a reply that show what was computed. */
static void print_computed(const struct request *request, const struct operation *operation,
                           const struct task *task) {
    wire_print_number("context_bytes", (int64_t)sizeof(agent_context));
    if (operation->before != NULL) {
        wire_print_output("input", task->in, task->in_bytes);
    }
#if defined(AGENT_SIGNATURE)
    wire_print_output("public_key", task->public_key, PRIMITIVE_PUBLIC_KEY_BYTES);
#endif
    wire_print_output("output", task->out, task->out_bytes);
    if (operation->before != NULL) {
        wire_print_windows(request, task->in, task->in_bytes);
    } else {
        wire_print_windows(request, task->out, task->out_bytes);
    }
}

static void time_cell(const struct request *request, const struct operation *operation,
                      struct task *task, const struct work *work) {
    const char *detail = NULL;
    struct series series;

    if (!measure(request, work, &series, &detail)) {
        wire_refuse(request, "failed", detail);
        series_free(&series);
        return;
    }
    if (operation->after != NULL) {
        operation->after(task, 0);
    }
    wire_open(NULL, '{');
    series_print(request, &series);
    print_computed(request, operation, task);
    wire_close('}');
    series_free(&series);
}

static void run_beside_task(const struct request *request, const struct operation *operation,
                            struct task *task, const struct work *work) {
    const char *detail = NULL;
    struct session *session = interfere(request, work, &detail);

    if (session == NULL) {
        wire_refuse(request, "impossible", detail);
    } else if (interfere_result(session) != 0) {
        wire_refuse(request, "failed", "the operation failed");
    } else {
        wire_open(NULL, '{');
        interfere_print(request, session);
        print_computed(request, operation, task);
        wire_close('}');
    }
    interfere_free(session);
}

static void measure_cell(const struct request *request, const struct operation *operation,
                         struct task *task, size_t message_bytes, size_t plain_bytes) {
    const char *detail = NULL, *padding = wire_text(request, "padding");
    unsigned threads = (unsigned)wire_number(request, "threads", 1);
    struct work work = {part, task, threads};
    size_t made = made_bytes(operation->name, plain_bytes);

    if (!read_inputs(request, task, &detail)) {
        wire_refuse(request, "failed", detail);
        return;
    }
    if (threads < 1 || threads > MEASURE_THREADS_MAX) {
        wire_refuse(request, "failed", "threads must be 1 to 256");
        return;
    }
    wire_message(task->in, message_bytes, wire_number(request, "seed", 0));
    memset(task->in + message_bytes,
           padding != NULL && strcmp(padding, "pkcs7") == 0 ? (int)(plain_bytes - message_bytes)
                                                            : 0,
           plain_bytes - message_bytes);
    task->in_bytes = plain_bytes;
    task->out_bytes = made;
    share(task, 1, NULL, &detail);
    if (operation->before != NULL) {
#if defined(AGENT_SIGNATURE)
        uint8_t digest[PRIMITIVE_DIGEST_BYTES];

        memcpy(digest, task->in, plain_bytes < sizeof digest ? plain_bytes : sizeof digest);
#endif
        if (operation->before_setup(task, 0) != 0 || operation->before(task, 0) != 0) {
            wire_refuse(request, "failed", "the input of the operation could not be made");
            return;
        }
        swap(task);
#if defined(AGENT_SIGNATURE)
        if (strcmp(operation->name, "verify") == 0) {
            memmove(task->in + sizeof digest, task->in, made);
            memcpy(task->in, digest, sizeof digest);
            made += sizeof digest;
        }
#endif
        task->in_bytes = made;
        task->out_bytes = strcmp(operation->name, "verify") == 0 ? 0 : plain_bytes;
    }
    if ((operation->setup != NULL && operation->setup(task, 0) != 0)) {
        wire_refuse(request, "failed", "the set-up refused the key");
        return;
    }
    if (!share(task, threads, wire_text(request, "pieces"), &detail)) {
        wire_refuse(request, "unsupported", detail);
        return;
    }
    /* What an earlier operation left there must not pass for an output. */
    memset(task->out, 0, task->out_bytes);
    observe_reset_peak();
    task->once = operation->once;
    if (strcmp(request->verb, "interfere") == 0) {
        run_beside_task(request, operation, task, &work);
    } else {
        time_cell(request, operation, task, &work);
    }
}

static void answer(const struct request *request) {
    const char *name = wire_text(request, "operation"), *padding = wire_text(request, "padding");
    uint64_t bytes = wire_number(request, "bytes", 0);
    size_t plain_bytes = bytes <= MESSAGE_BYTES_MAX ? padded((size_t)bytes, padding) : (size_t)-1;
    size_t room;
    struct task *task;

    if (name == NULL || plain_bytes == (size_t)-1) {
        wire_refuse(request, "failed", "the operation, the length or the padding is wrong");
        return;
    }
    for (size_t i = 0; i < OPERATION_COUNT; i++) {
        if (strcmp(name, operations[i].name) == 0) {
            /* Room for whatever an operation adds: a tag, a signature with its digest. */
            room = made_bytes(name, plain_bytes) + plain_bytes % STEP_BYTES + SMALL_BYTES;
            task = calloc(1, sizeof *task);
            if (task != NULL) {
                task->in = malloc(room > plain_bytes ? room : plain_bytes + SMALL_BYTES);
                task->out = malloc(room > plain_bytes ? room : plain_bytes + SMALL_BYTES);
                task->ad = malloc(AD_BYTES_MAX);
            }
            if (task == NULL || task->in == NULL || task->out == NULL || task->ad == NULL) {
                wire_refuse(request, "failed", "the device has not enough memory for the message");
            } else {
                measure_cell(request, &operations[i], task, (size_t)bytes, plain_bytes);
            }
            if (task != NULL) {
                free(task->in);
                free(task->out);
                free(task->ad);
                free(task);
            }
            return;
        }
    }
    wire_refuse(request, "unsupported", "this program has no such operation");
}

int main(void) {
    static struct request request;

    observe_open();
    observe_print_machine("agent");
    while (wire_read(&request)) {
        answer(&request);
    }
    return 0;
}
