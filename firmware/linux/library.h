/* A library of the device behind one interface: found at run time, asked for one operation at a
 * time.
 *
 * None of a library's headers is needed to build this: the functions used are declared here anew
 * from their documentation, and looked up by name when the library is loaded. */
#ifndef STEELYARD_LIBRARY_H
#define STEELYARD_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LIBRARY_WHY_BYTES     320
#define LIBRARY_VERSION_BYTES 96
/* More than any operation puts out beyond its input: a public-key ciphertext with its encoding. */
#define LIBRARY_EXTRA_BYTES 256

/* One operation, or a thread's part of it. Texts are the words of the request, names those of the
 * library; lengths are in bytes. `out` has room for `in_length` and LIBRARY_EXTRA_BYTES. */
struct task {
    const char *kind; /* block, stream, hash, mac, aead, signature or kdf */
    const char *name;
    const char *mode;      /* ecb, cbc ... of a block cipher; ccm, gcm ... of an AEAD; else NULL */
    const char *operation; /* as in a record; derive of a kdf */
    const uint8_t *key, *iv, *ad, *in;
    const uint8_t *public_key; /* of a signature: x and y */
    size_t key_length, iv_length, ad_length, in_length, public_key_length;
    size_t tag_length;    /* of a mac or an aead */
    size_t digest_length; /* of a hash that can make any length; 0: as long as it is */
    uint64_t effective_bits, iterations;
    bool rekey; /* give the key at every call: the library cannot begin anew without it */
    uint8_t *out;
};

/* A task made ready; each library has a structure of its own by this name, which begins with
 * `struct base`. */
struct context;

/* `use` returns how many bytes it put out, or -1. `set_key` is what an init measures, and makes the
 * next use the first one of a stream; NULL where there is no key. */
struct base {
    struct task task;
    bool encrypts; /* or seals, or has a key set up for that */
    bool is_init;
    long (*use)(struct context *);
    bool (*set_key)(struct context *);
};

/* How a library makes a task of a kind ready: it sets `use` and `set_key`, or leaves `why`. */
struct kind {
    const char *name;
    bool (*prepare)(struct context *context, char *why);
};

/* The last one of `kinds` has no name. `release` gives back what a context holds, whether it was
 * made ready or not. */
struct library {
    const char *name;
    bool (*load)(bool baseline, char *version, char *why);
    size_t context_bytes;
    const struct kind *kinds;
    void (*release)(struct context *context);
};

extern const struct library library_openssl, library_gcrypt, library_af_alg;

/* Opens the first of these shared objects (NULL ends the list) that there is; NULL and why. */
void *library_open(const char *const *names, char *why);

/* Looks up a function; NULL and why where the library lacks it. */
void *library_symbol(void *object, const char *name, char *why);

bool task_is(const char *text, const char *other);

#define library_why(why, ...) ((void)snprintf((why), LIBRARY_WHY_BYTES, __VA_ARGS__))

#endif
