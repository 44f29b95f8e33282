/* The kernel's cryptography through sockets of the family AF_ALG, as
 * Documentation/crypto/userspace-if has it. A call crosses into the kernel and back, and copies the
 * message twice: that is its cost. */
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <linux/if_alg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifndef AF_ALG
#define AF_ALG 38
#endif
#ifndef SOL_ALG
#define SOL_ALG 279
#endif

/* A socket takes 16 pages in a piece; an authenticated message has to be one piece. */
#define PIECE_BYTES ((size_t)48 * 1024)

struct context {
    struct base base;
    int algorithm, operation; /* sockets */
    uint8_t iv[64];
    size_t iv_length;
    uint8_t *sealed; /* of `open`: associated data, then what comes out */
};

static bool load(bool baseline, char *version, char *why) {
    struct utsname name;
    int probe;

    if (baseline) {
        library_why(why, "the kernel chooses among its implementations itself");
        return false;
    }
    probe = socket(AF_ALG, SOCK_SEQPACKET, 0);
    if (probe < 0) {
        library_why(why, "this kernel lets no program use its cryptography: %s",
                    errno == EAFNOSUPPORT ? "it has no sockets of the family AF_ALG"
                                          : strerror(errno));
        return false;
    }
    close(probe);
    (void)snprintf(version, LIBRARY_VERSION_BYTES, "Linux %s",
                   uname(&name) == 0 ? name.release : "of unknown release");
    return true;
}

/* Sends what starts an operation: its direction, IV and length of associated data. */
static bool begin(const struct context *context, const uint8_t *data, size_t length, bool more) {
    const struct task *task = &context->base.task;
    union {
        char bytes[CMSG_SPACE(sizeof(uint32_t)) * 2 + CMSG_SPACE(sizeof(struct af_alg_iv) + 64)];
        struct cmsghdr aligned;
    } control;
    struct iovec piece = {(void *)(uintptr_t)data, length};
    struct msghdr message;
    struct cmsghdr *header;
    const uint32_t direction = context->base.encrypts ? ALG_OP_ENCRYPT : ALG_OP_DECRYPT;
    const uint32_t ad_length = (uint32_t)task->ad_length;

    memset(&control, 0, sizeof control);
    memset(&message, 0, sizeof message);
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_ALG;
    header->cmsg_type = ALG_SET_OP;
    header->cmsg_len = CMSG_LEN(sizeof direction);
    memcpy(CMSG_DATA(header), &direction, sizeof direction);
    message.msg_controllen = CMSG_SPACE(sizeof direction);
    if (task_is(task->kind, "aead")) {
        header = (struct cmsghdr *)(void *)(control.bytes + message.msg_controllen);
        header->cmsg_level = SOL_ALG;
        header->cmsg_type = ALG_SET_AEAD_ASSOCLEN;
        header->cmsg_len = CMSG_LEN(sizeof ad_length);
        memcpy(CMSG_DATA(header), &ad_length, sizeof ad_length);
        message.msg_controllen += CMSG_SPACE(sizeof ad_length);
    }
    if (context->iv_length > 0) {
        struct af_alg_iv iv = {.ivlen = (uint32_t)context->iv_length};

        header = (struct cmsghdr *)(void *)(control.bytes + message.msg_controllen);
        header->cmsg_level = SOL_ALG;
        header->cmsg_type = ALG_SET_IV;
        header->cmsg_len = CMSG_LEN(sizeof iv + context->iv_length);
        memcpy(CMSG_DATA(header), &iv, sizeof iv);
        memcpy(CMSG_DATA(header) + sizeof iv, context->iv, context->iv_length);
        message.msg_controllen += CMSG_SPACE(sizeof iv + context->iv_length);
    }
    return sendmsg(context->operation, &message, more ? MSG_MORE : 0) == (ssize_t)length;
}

static bool put(int socket_number, const uint8_t *data, size_t length, bool more) {
    while (length > 0) {
        ssize_t sent = send(socket_number, data, length, more ? MSG_MORE : 0);

        if (sent <= 0) {
            return false;
        }
        data += sent;
        length -= (size_t)sent;
    }
    return true;
}

static bool get(int socket_number, uint8_t *out, size_t length) {
    while (length > 0) {
        ssize_t got = read(socket_number, out, length);

        if (got <= 0) {
            return false;
        }
        out += got;
        length -= (size_t)got;
    }
    return true;
}

/* Block and stream ciphers */

static long call_cipher(struct context *context) {
    const struct task *task = &context->base.task;

    for (size_t done = 0; done < task->in_length;) {
        size_t rest = task->in_length - done;
        size_t piece = rest > PIECE_BYTES ? PIECE_BYTES : rest;
        bool more = piece < rest;

        /* The first piece brings direction and IV; the kernel goes on from there. */
        if (!(done == 0 ? begin(context, task->in, piece, more)
                        : put(context->operation, task->in + done, piece, more)) ||
            !get(context->operation, task->out + done, piece)) {
            return -1;
        }
        done += piece;
    }
    return (long)task->in_length;
}

/* The key, and the socket that operations go through. */
static bool set_key(struct context *context) {
    const struct task *task = &context->base.task;

    if (context->operation >= 0) {
        close(context->operation);
        context->operation = -1;
    }
    if (task->key_length > 0 && setsockopt(context->algorithm, SOL_ALG, ALG_SET_KEY, task->key,
                                           (socklen_t)task->key_length) != 0) {
        return false;
    }
    if (task_is(task->kind, "aead") &&
        setsockopt(context->algorithm, SOL_ALG, ALG_SET_AEAD_AUTHSIZE, NULL,
                   (socklen_t)task->tag_length) != 0) {
        return false;
    }
    context->operation = accept(context->algorithm, NULL, 0);
    return context->operation >= 0;
}

/* Hashes and message authentication */

static long call_hash(struct context *context) {
    const struct task *task = &context->base.task;
    size_t length = task->tag_length > 0 ? task->tag_length : task->digest_length;
    ssize_t got;

    /* An empty message too has to be sent for its digest to be there. */
    if (task->in_length == 0 ? send(context->operation, "", 0, 0) != 0
                             : !put(context->operation, task->in, task->in_length, false)) {
        return -1;
    }
    got = read(context->operation, task->out, length > 0 ? length : LIBRARY_EXTRA_BYTES);
    return got > 0 ? (long)got : -1;
}

/* Authenticated encryption: associated data stand before what goes in and what comes out */

static long call_aead(struct context *context) {
    const struct task *task = &context->base.task;
    size_t out_length = context->base.encrypts ? task->in_length + task->tag_length
                                               : task->in_length - task->tag_length;
    ssize_t got;

    if (!(task->ad_length > 0 ? begin(context, task->ad, task->ad_length, true) &&
                                    put(context->operation, task->in, task->in_length, false)
                              : begin(context, task->in, task->in_length, false))) {
        return -1;
    }
    got = read(context->operation, context->sealed, task->ad_length + out_length);
    if (got != (ssize_t)(task->ad_length + out_length)) {
        /* A refused message is still in the socket. */
        (void)set_key(context);
        return -1;
    }
    memcpy(task->out, context->sealed + task->ad_length, out_length);
    return (long)out_length;
}

/* The IV as the kernel wants it: CCM's block with the length of its length field, a block counter
 * from 0 before a nonce that is shorter than the IV. */
static void make_iv(struct context *context) {
    const struct task *task = &context->base.task;

    memcpy(context->iv, task->iv, task->iv_length);
    context->iv_length = task->iv_length;
    if (task->mode != NULL && task_is(task->mode, "ccm")) {
        context->iv[0] = (uint8_t)(14 - task->iv_length);
        memcpy(context->iv + 1, task->iv, task->iv_length);
        context->iv_length = 16;
    }
}

/* A socket of an algorithm, and one for operations under the key. */
static bool open_sockets(struct context *context, const char *type, char *why) {
    const struct task *task = &context->base.task;
    struct sockaddr_alg address;

    context->algorithm = context->operation = -1;
    if (task->iv_length <= sizeof context->iv - 1) {
        make_iv(context);
    }
    memset(&address, 0, sizeof address);
    address.salg_family = AF_ALG;
    (void)snprintf((char *)address.salg_type, sizeof address.salg_type, "%s", type);
    (void)snprintf((char *)address.salg_name, sizeof address.salg_name, "%s", task->name);
    context->algorithm = socket(AF_ALG, SOCK_SEQPACKET, 0);
    if (context->algorithm < 0) {
        library_why(why, "no socket of the family AF_ALG: %s", strerror(errno));
    } else if (bind(context->algorithm, (struct sockaddr *)&address, sizeof address) != 0) {
        library_why(why, "this kernel has no %s: %s", task->name, strerror(errno));
    } else if (!set_key(context)) {
        library_why(why, "%s refuses a key of %zu bytes: %s", task->name, task->key_length,
                    strerror(errno));
    } else {
        context->base.set_key = set_key;
        return true;
    }
    return false;
}

static bool prepare_cipher(struct context *context, char *why) {
    context->base.use = call_cipher;
    return open_sockets(context, "skcipher", why);
}

static bool prepare_hash(struct context *context, char *why) {
    context->base.use = call_hash;
    return open_sockets(context, "hash", why);
}

static bool prepare_aead(struct context *context, char *why) {
    const struct task *task = &context->base.task;

    context->base.use = call_aead;
    if (!open_sockets(context, "aead", why)) {
        return false;
    }
    if (task->ad_length + task->in_length + task->tag_length > PIECE_BYTES) {
        library_why(why, "the kernel takes authenticated messages in one piece of at most %zu KiB",
                    PIECE_BYTES / 1024);
        return false;
    }
    context->sealed = malloc(task->ad_length + task->in_length + LIBRARY_EXTRA_BYTES);
    if (context->sealed == NULL) {
        library_why(why, "not enough memory");
    }
    return context->sealed != NULL;
}

static void release(struct context *context) {
    if (context->operation >= 0) {
        close(context->operation);
    }
    if (context->algorithm >= 0) {
        close(context->algorithm);
    }
    free(context->sealed);
}

static const struct kind kinds[] = {
    {"block", prepare_cipher}, {"stream", prepare_cipher}, {"hash", prepare_hash},
    {"mac", prepare_hash},     {"aead", prepare_aead},     {NULL, NULL},
};

const struct library library_af_alg = {"af-alg", load, sizeof(struct context), kinds, release};
