/* The cryptographic libraries of a device, measured: a program that needs the device's own dynamic
 * loader, built against an old C library so that it starts on most. The way of talking is wire.h's;
 * requests are `cell`, with the words of measure.h, and `interfere`, with those of interfere.h.
 * Both have these words:
 * - library=openssl|libgcrypt|af-alg: the first cell decides, a program has one library
 * - instructions=any|baseline; baseline: none that not every CPU of the architecture has
 * - kind= name= mode= operation=: see library.h
 * - key= iv= ad= public_key=: hexadecimal
 * - seed= bytes= padding= block_bytes=: the message, of which first that is made which is decrypted
 * - input=: the message in hexadecimal, used as it is
 * - tag_bytes= digest_bytes= effective_bits= iterations= rekey=1
 * - threads= pieces=: how a message is shared out; each piece is independent, has its own counter,
 *   or the ciphertext before it as IV
 * - windows=: parts of the ciphertext to be sent too
 * A reply has, besides the series' members: "version", "input" (what was made first), "output" and
 * "windows". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "interfere.h"
#include "library.h"
#include "measure.h"
#include "observe.h"
#include "wire.h"

#define KEY_BYTES     256
#define MAPPED_BYTES  (128 * 1024)
#define INPUT_BYTES   ((size_t)4096)
#define MESSAGE_BYTES ((uint64_t)1 << 30)

static const struct library *const libraries[] = {&library_openssl, &library_gcrypt,
                                                  &library_af_alg};

static const struct library *loaded;
static char loaded_version[LIBRARY_VERSION_BYTES];
static char loaded_instructions[16];

bool task_is(const char *text, const char *other) {
    return strcmp(text, other) == 0;
}

void *library_open(const char *const *names, char *why) {
    void *object = NULL;

    for (; *names != NULL && object == NULL; names++) {
        object = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (object == NULL) {
            const char *reason = dlerror();

            library_why(why, "%s", reason == NULL ? "the library cannot be loaded" : reason);
        }
    }
    return object;
}

void *library_symbol(void *object, const char *name, char *why) {
    void *found = dlsym(object, name);

    if (found == NULL) {
        library_why(why, "the library lacks %s", name);
    }
    return found;
}

/* What a request asks for, with the bytes it brings. */
struct cell {
    struct task task;
    uint8_t key[KEY_BYTES], iv[KEY_BYTES], public_key[KEY_BYTES], ad[INPUT_BYTES];
    uint8_t *in, *out;
    size_t block_length;
};

/* A thread's part of a cell. */
struct part {
    struct task task;
    struct context *context;
    uint8_t iv[KEY_BYTES];
    long length;
};

struct team {
    struct part parts[MEASURE_THREADS_MAX];
    unsigned count;
};

static bool load(const struct request *request, const char **status, char *why) {
    const char *name = wire_text(request, "library");
    const char *instructions = wire_text(request, "instructions");

    *status = "failed";
    if (name == NULL) {
        library_why(why, "no library named");
        return false;
    }
    instructions = instructions == NULL ? "any" : instructions;
    if (loaded != NULL) {
        if (task_is(loaded->name, name) && task_is(loaded_instructions, instructions)) {
            return true;
        }
        library_why(why, "this program has loaded %s with instructions=%s", loaded->name,
                    loaded_instructions);
        return false;
    }
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        if (task_is(libraries[i]->name, name)) {
            *status = "unsupported";
            if (!libraries[i]->load(task_is(instructions, "baseline"), loaded_version, why)) {
                return false;
            }
            loaded = libraries[i];
            (void)snprintf(loaded_instructions, sizeof loaded_instructions, "%s", instructions);
            return true;
        }
    }
    library_why(why, "no library is called %s", name);
    return false;
}

/* The common part of a library's context, which stands first in it. */
static struct base *base_of(struct context *context) {
    return (struct base *)context;
}

static void release(struct context *context) {
    loaded->release(context);
    free(context);
}

/* Makes a task ready; NULL and why for what the library cannot do. */
static struct context *prepare(const struct task *task, char *why) {
    const struct kind *kind = loaded->kinds;
    struct context *context;
    struct base *base;

    while (kind->name != NULL && !task_is(kind->name, task->kind)) {
        kind++;
    }
    if (kind->name == NULL) {
        library_why(why, "%s is not asked for a %s", loaded->name, task->kind);
        return NULL;
    }
    context = calloc(1, loaded->context_bytes);
    if (context == NULL) {
        library_why(why, "not enough memory");
        return NULL;
    }
    base = base_of(context);
    base->task = *task;
    base->is_init = strncmp(task->operation, "init", 4) == 0;
    base->encrypts = task_is(task->operation, "encrypt") || task_is(task->operation, "seal") ||
                     task_is(task->operation, "init");
    if (!kind->prepare(context, why)) {
        release(context);
        return NULL;
    }
    if (base->is_init && base->set_key == NULL) {
        library_why(why, "%s has no key to set up", task->name);
        release(context);
        return NULL;
    }
    return context;
}

static long call(struct context *context) {
    const struct base *base = base_of(context);

    if (base->is_init) {
        return base->set_key(context) ? 0 : -1;
    }
    return base->use(context);
}

/* Makes the next call the first one of a stream, or after an init the use of the key. */
static bool restart(struct context *context) {
    struct base *base = base_of(context);

    if (base->is_init) {
        base->is_init = false;
        return true;
    }
    return base->set_key(context);
}

/* Bytes of a word: how many, 0 where it is missing; false where they are none or too many. */
static bool read_bytes(const struct request *request, const char *word, uint8_t *out, size_t size,
                       size_t *length, char *why) {
    long count = wire_text(request, word) == NULL ? 0 : wire_bytes(request, word, out, size);

    *length = count < 0 ? 0 : (size_t)count;
    if (count < 0) {
        library_why(why, "%s is not hexadecimal or has more than %zu bytes", word, size);
    }
    return count >= 0;
}

/* The message: what is given, or a payload of the seed and its padding. */
static bool read_message(const struct request *request, struct cell *cell, char *why) {
    uint64_t payload = wire_number(request, "bytes", 0);
    const char *padding = wire_text(request, "padding");
    size_t length = (size_t)payload, block = cell->block_length;
    bool is_given = wire_text(request, "input") != NULL;

    if (payload > MESSAGE_BYTES) {
        library_why(why, "a message has at most %llu bytes", (unsigned long long)MESSAGE_BYTES);
        return false;
    }
    if (padding != NULL && !task_is(padding, "none") && !is_given && block > 0) {
        size_t missing = block - length % block;

        length += missing == block && task_is(padding, "zero") ? 0 : missing;
    }
    length = is_given ? INPUT_BYTES : length;
    cell->in = malloc(length + LIBRARY_EXTRA_BYTES);
    cell->out = malloc(length + LIBRARY_EXTRA_BYTES);
    if (cell->in == NULL || cell->out == NULL) {
        library_why(why, "not enough memory for a message of %zu bytes", length);
        return false;
    }
    if (is_given) {
        return read_bytes(request, "input", cell->in, INPUT_BYTES, &cell->task.in_length, why);
    }
    wire_message(cell->in, (size_t)payload, wire_number(request, "seed", 0));
    memset(cell->in + payload,
           padding != NULL && task_is(padding, "pkcs7") ? (int)(length - (size_t)payload) : 0,
           length - (size_t)payload);
    cell->task.in_length = length;
    /* Touched before anything is timed. */
    memset(cell->out, 0, length + LIBRARY_EXTRA_BYTES);
    return true;
}

static bool read_cell(const struct request *request, struct cell *cell, char *why) {
    struct task *task = &cell->task;

    task->kind = wire_text(request, "kind");
    task->name = wire_text(request, "name");
    task->mode = wire_text(request, "mode");
    task->operation = wire_text(request, "operation");
    if (task->kind == NULL || task->name == NULL || task->operation == NULL) {
        library_why(why, "a cell has a kind, a name and an operation");
        return false;
    }
    cell->block_length = (size_t)wire_number(request, "block_bytes", 0);
    task->tag_length = (size_t)wire_number(request, "tag_bytes", 0);
    task->digest_length = (size_t)wire_number(request, "digest_bytes", 0);
    task->effective_bits = wire_number(request, "effective_bits", 0);
    task->iterations = wire_number(request, "iterations", 1);
    task->rekey = wire_number(request, "rekey", 0) == 1;
    task->key = cell->key;
    task->iv = cell->iv;
    task->ad = cell->ad;
    task->public_key = cell->public_key;
    if (!read_bytes(request, "key", cell->key, sizeof cell->key, &task->key_length, why) ||
        !read_bytes(request, "iv", cell->iv, sizeof cell->iv, &task->iv_length, why) ||
        !read_bytes(request, "ad", cell->ad, sizeof cell->ad, &task->ad_length, why) ||
        !read_bytes(request, "public_key", cell->public_key, sizeof cell->public_key,
                    &task->public_key_length, why) ||
        !read_message(request, cell, why)) {
        return false;
    }
    if (task->tag_length + task->digest_length > LIBRARY_EXTRA_BYTES) {
        library_why(why, "a tag or digest has at most %d bytes", LIBRARY_EXTRA_BYTES);
        return false;
    }
    task->in = cell->in;
    task->out = cell->out;
    return true;
}

/* Adds to a counter of a whole block, last byte lowest. */
static void add(uint8_t *counter, size_t length, uint64_t count) {
    for (size_t i = length; i-- > 0 && count > 0;) {
        count += counter[i];
        counter[i] = (uint8_t)count;
        count >>= 8;
    }
}

/* Shares the blocks of the message out, each thread with a context of its own. */
static bool make_parts(const struct request *request, const struct cell *cell, struct team *team,
                       char *why) {
    const struct task *task = &cell->task;
    const char *pieces = wire_text(request, "pieces");
    unsigned threads = (unsigned)wire_number(request, "threads", 1);
    size_t blocks, begin = 0;

    if (threads < 1 || threads > MEASURE_THREADS_MAX) {
        library_why(why, "threads must be 1 to %d", MEASURE_THREADS_MAX);
        return false;
    }
    if (threads > 1 && (pieces == NULL || cell->block_length == 0)) {
        library_why(why, "%s%s%s goes on from one block to the next: it has no work for %u threads",
                    task->operation, task->mode == NULL ? "" : " in ",
                    task->mode == NULL ? "" : task->mode, threads);
        return false;
    }
    blocks = threads > 1 ? task->in_length / cell->block_length : 0;
    if (threads > 1 && blocks < threads) {
        library_why(why, "the message has less than %u blocks", threads);
        return false;
    }
    for (unsigned i = 0; i < threads; i++) {
        struct part *part = &team->parts[i];
        size_t end =
            i + 1 == threads ? task->in_length : blocks * (i + 1) / threads * cell->block_length;

        part->task = *task;
        part->task.in += begin;
        part->task.out += begin;
        part->task.in_length = end - begin;
        part->task.iv = part->iv;
        memcpy(part->iv, cell->iv, sizeof part->iv);
        if (begin > 0 && task_is(pieces, "counter")) {
            add(part->iv, task->iv_length, begin / cell->block_length);
        } else if (begin > 0 && task_is(pieces, "ciphertext")) {
            memcpy(part->iv, task->in + begin - task->iv_length, task->iv_length);
        }
        part->context = prepare(&part->task, why);
        if (part->context == NULL) {
            return false;
        }
        team->count = i + 1;
        begin = end;
    }
    return true;
}

static int call_part(void *state, unsigned thread) {
    struct team *team = state;
    struct part *part = &team->parts[thread];

    part->length = call(part->context);
    return part->length < 0;
}

/* What the last call put out, of all threads; of a stream what the first call does, since the
 * others went on from there. -1 where a call failed. */
static long last_output(struct team *team) {
    long length = 0;

    for (unsigned i = 0; i < team->count; i++) {
        struct part *part = &team->parts[i];

        if (task_is(part->task.kind, "stream") || base_of(part->context)->is_init) {
            part->length = restart(part->context) ? call(part->context) : -1;
        }
        if (part->length < 0) {
            return -1;
        }
        length += part->length;
    }
    return length;
}

/* The operation whose output is what this one begins with, or NULL. */
static const char *made_by(const struct task *task, bool is_given) {
    if (is_given) {
        return NULL;
    }
    return task_is(task->operation, "decrypt") ? "encrypt"
           : task_is(task->operation, "open")  ? "seal"
                                               : NULL;
}

static bool make_input(struct cell *cell, const char *operation, char *why) {
    struct task task = cell->task;
    struct context *context;
    long length;

    task.operation = operation;
    context = prepare(&task, why);
    if (context == NULL) {
        return false;
    }
    length = call(context);
    release(context);
    if (length < 0) {
        library_why(why, "%s refuses a message of %zu bytes", task.name, task.in_length);
        return false;
    }
    memcpy(cell->in, cell->out, (size_t)length);
    cell->task.in_length = (size_t)length;
    return true;
}

/* Whether what must not be accepted is: an authenticated message, a signature or a public-key
 * ciphertext with a bit changed. */
static bool accepts_changed(const struct cell *cell, struct team *team) {
    struct part *part = &team->parts[0];
    bool verifies = task_is(part->task.operation, "verify");
    uint8_t *changed = NULL;
    bool accepted;

    if (verifies) {
        changed = (uint8_t *)(uintptr_t)&cell->ad[part->task.ad_length - 1];
    } else if (task_is(part->task.operation, "open") ||
               (task_is(part->task.kind, "signature") &&
                task_is(part->task.operation, "decrypt"))) {
        changed = &cell->in[part->task.in_length - 1];
    }
    if (changed == NULL) {
        return false;
    }
    *changed ^= 1;
    accepted = call(part->context) >= 0;
    *changed ^= 1;
    return accepted;
}

static void reply(const struct request *request, struct cell *cell, struct team *team,
                  struct series *series, bool is_made, char *why) {
    const struct work work = {call_part, team, team->count};
    const char *detail = "";
    struct session *session = NULL; /* of a request to run beside a task */
    uint8_t *output = NULL;
    long length;

    (void)observe_reset_peak();
    if (task_is(request->verb, "interfere")) {
        session = interfere(request, &work, &detail);
        if (session == NULL) {
            wire_refuse(request, "impossible", detail);
            return;
        }
    } else if (!measure(request, &work, series, &detail)) {
        wire_refuse(request, "failed", detail);
        return;
    }
    length = last_output(team);
    if (length >= 0) {
        output = malloc((size_t)length + 1);
    }
    if (output == NULL) {
        wire_refuse(request, "failed", length < 0 ? "the operation failed" : "not enough memory");
        interfere_free(session);
        return;
    }
    memcpy(output, cell->out, (size_t)length);
    if (accepts_changed(cell, team)) {
        library_why(why, "%s accepts what has a bit changed", cell->task.name);
        wire_refuse(request, "failed", why);
    } else {
        wire_open(NULL, '{');
        if (session != NULL) {
            interfere_print(request, session);
        } else {
            series_print(request, series);
        }
        wire_print_text("version", loaded_version);
        if (is_made) {
            wire_print_output("input", cell->in, cell->task.in_length);
        }
        wire_print_output("output", output, (size_t)length);
        wire_print_windows(request, is_made ? cell->in : output,
                           is_made ? cell->task.in_length : (size_t)length);
        wire_close('}');
    }
    free(output);
    interfere_free(session);
}

static void do_cell(const struct request *request) {
    static struct cell cell;
    static struct team team;
    struct series series;
    char why[LIBRARY_WHY_BYTES] = "";
    const char *status = "failed";

    memset(&cell, 0, sizeof cell);
    memset(&team, 0, sizeof team);
    memset(&series, 0, sizeof series);
    if (load(request, &status, why) && read_cell(request, &cell, why)) {
        const char *made = made_by(&cell.task, wire_text(request, "input") != NULL);

        status = "unsupported";
        if ((made == NULL || make_input(&cell, made, why)) &&
            make_parts(request, &cell, &team, why)) {
            status = "ok";
            reply(request, &cell, &team, &series, made != NULL, why);
        }
    } else if (loaded != NULL) {
        status = "failed";
    }
    if (!task_is(status, "ok")) {
        wire_refuse(request, status, why);
    }
    for (unsigned i = 0; i < team.count; i++) {
        release(team.parts[i].context);
    }
    series_free(&series);
    free(cell.in);
    free(cell.out);
}

int main(void) {
    static struct request request;

    /* What a cell frees goes back at once, so that the next one's memory is its own; left to
     * itself, the C library keeps long messages from the second one on. */
    (void)mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES);
    observe_open();
    observe_print_machine("libraries");
    while (wire_read(&request)) {
        if (task_is(request.verb, "cell") || task_is(request.verb, "interfere")) {
            do_cell(&request);
        } else {
            wire_refuse(&request, "failed", "the request is not known here: cell or interfere");
        }
    }
    return 0;
}
