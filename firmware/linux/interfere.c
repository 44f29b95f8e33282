/* Nothing is exchanged between the threads while they run: task, messages and observer follow the
 * same schedule from the same start. */
#define _GNU_SOURCE
#include "interfere.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#include "observe.h"
#include "wire.h"

#define STACK_BYTES         262144
#define LEAD_NS             20000000
#define CALIBRATION_NS      200000
#define CALIBRATION_BATCHES 200
#define STATES              8
#define WORDS_PER_LINE      16

struct job {
    int64_t release; /* number of its period */
    int64_t wakeup_ns;
    int64_t response_ns;
};

struct block {
    size_t first_job, jobs;
    int64_t messages_due, messages, encrypting_ns, encrypting_ns_max, message_delay_ns_max;
    int64_t spill_ns; /* how long after the block its last message ended */
};

/* What a thread got of what was asked for. */
struct standing {
    int priority, core;
    int fifo_error, core_error;
};

struct session {
    int64_t period_ns, block_periods, blocks;
    int64_t work_ns, work_rounds; /* either is asked for, the other follows */
    int64_t interval_ns;          /* between messages; 0: one after the other */
    uint64_t seed;
    struct standing task, messages;
    volatile int32_t *log;
    size_t log_words, log_at;
    bool overload;
    int32_t state[STATES];
    struct job *jobs;
    struct block *block;
    struct usage *usage;
    int64_t *steal_ticks;
    struct work load;
    int load_error;
    char problem[160];
    int lock_error;
    int64_t start_ns;
    sem_t ready, begin_task, begin_messages;
};

/* The clock that clock_nanosleep can wait for. */
static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void sleep_until(int64_t time_ns) {
    struct timespec until = {.tv_sec = (time_t)(time_ns / 1000000000),
                             .tv_nsec = (long)(time_ns % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

static void take_standing(struct standing *standing) {
    /* A thread that is not of real time is woken up to 50 us late on purpose otherwise. */
    prctl(PR_SET_TIMERSLACK, 1UL);
    if (standing->core >= 0) {
        cpu_set_t cores;
        CPU_ZERO(&cores);
        CPU_SET((size_t)standing->core, &cores);
        if (sched_setaffinity(0, sizeof cores, &cores))
            standing->core_error = errno;
    }
    if (standing->priority > 0) {
        struct sched_param parameters = {.sched_priority = standing->priority};
        standing->fifo_error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
    }
}

/* A round is a step of a state-space controller in fixed point, with a log of what it did that goes
 * round the working set, a cache line a step. */
static void do_work(struct session *session, int64_t rounds) {
    static const int16_t gain[STATES] = {181, -97, 53, 211, -149, 67, 31, -227};
    int32_t *x = session->state;
    size_t at = session->log_at;
    for (int64_t round = 0; round < rounds; round++) {
        int32_t measured = session->log[at];
        int32_t output = 0;
        for (unsigned i = 0; i < STATES; i++) {
            int32_t next = measured >> 8;
            for (unsigned j = 0; j < STATES; j++)
                next += gain[(i + j) % STATES] * (x[j] >> 4);
            output += gain[i] * (x[i] >> 4);
            x[i] = (int16_t)(next >> 8);
        }
        session->log[at] = output;
        at += WORDS_PER_LINE;
        if (at >= session->log_words)
            at = 0;
    }
    session->log_at = at;
}

static int64_t time_of(struct session *session, int64_t rounds) {
    int64_t before_ns = now_ns();
    do_work(session, rounds);
    return now_ns() - before_ns;
}

/* The fastest of many short batches: what disturbs makes it slower only, and leaves some alone. */
static void calibrate(struct session *session) {
    int64_t rounds = 16;
    while (time_of(session, rounds) < CALIBRATION_NS)
        rounds *= 2;
    int64_t fastest_ns = INT64_MAX;
    for (unsigned batch = 0; batch < CALIBRATION_BATCHES; batch++) {
        int64_t ns = time_of(session, rounds);
        fastest_ns = ns < fastest_ns ? ns : fastest_ns;
    }
    double round_ns = (double)fastest_ns / (double)rounds;
    if (session->work_rounds < 0)
        session->work_rounds = (int64_t)((double)session->work_ns / round_ns);
    session->work_ns = (int64_t)((double)session->work_rounds * round_ns);
}

static void *task_thread(void *argument) {
    struct session *session = argument;
    take_standing(&session->task);
    calibrate(session);
    sem_post(&session->ready);
    while (sem_wait(&session->begin_task))
        ;
    int64_t start_ns = session->start_ns, period_ns = session->period_ns;
    int64_t releases = session->blocks * session->block_periods;
    for (int64_t release = 0; release < releases;) {
        struct block *block = &session->block[release / session->block_periods];
        int64_t due_ns = start_ns + release * period_ns;
        sleep_until(due_ns);
        int64_t woken_ns = now_ns();
        do_work(session, session->work_rounds);
        int64_t done_ns = now_ns();
        struct job *job = &session->jobs[block->first_job + block->jobs++];
        *job = (struct job){release, woken_ns - due_ns, done_ns - due_ns};
        /* Releases that went by meanwhile are lost: a sample not taken is not taken later. */
        int64_t passed = (done_ns - start_ns) / period_ns;
        release = passed > release ? passed + 1 : release + 1;
    }
    return NULL;
}

static uint64_t draw(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* SplitMix64, as wire_message */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Blocks go without, with, with, without: what drifts steadily falls on both alike. */
static bool encrypts(int64_t block) {
    return block % 4 == 1 || block % 4 == 2;
}

static void encrypt_one(struct session *session, struct block *block, int64_t due_ns) {
    int64_t began_ns = now_ns();
    int error = session->load.part(session->load.state, 0);
    int64_t ended_ns = now_ns();
    if (error)
        session->load_error = error;
    int64_t took_ns = ended_ns - began_ns, delay_ns = ended_ns - due_ns;
    block->messages++;
    block->encrypting_ns += took_ns;
    if (took_ns > block->encrypting_ns_max)
        block->encrypting_ns_max = took_ns;
    if (delay_ns > block->message_delay_ns_max)
        block->message_delay_ns_max = delay_ns;
}

/* A message falls due once in each interval, at a random moment of it: evenly spaced ones would
 * always meet the task at the same places of its period. Intervals count through the blocks that
 * encrypt only, so that they may be longer than a block. */
static void *message_thread(void *argument) {
    struct session *session = argument;
    take_standing(&session->messages);
    session->load_error = session->load.part(session->load.state, 0);
    sem_post(&session->ready);
    while (sem_wait(&session->begin_messages))
        ;
    int64_t block_ns = session->block_periods * session->period_ns;
    int64_t turn = 0, number = 0, offset_ns = -1;
    uint64_t random = session->seed;
    for (int64_t index = 0; index < session->blocks; index++) {
        if (!encrypts(index))
            continue;
        struct block *block = &session->block[index];
        int64_t begin_ns = session->start_ns + index * block_ns, end_ns = begin_ns + block_ns;
        int64_t turn_begin_ns = turn++ * block_ns;
        if (session->interval_ns == 0) {
            for (sleep_until(begin_ns); now_ns() < end_ns;)
                encrypt_one(session, block, now_ns());
            block->messages_due = block->messages;
        }
        while (session->interval_ns > 0) {
            if (offset_ns < 0) {
                double into = (double)(draw(&random) >> 11) / 9007199254740992.0;
                offset_ns = (int64_t)(((double)number++ + into) * (double)session->interval_ns);
            }
            if (offset_ns >= turn_begin_ns + block_ns)
                break;
            int64_t due_ns = begin_ns + offset_ns - turn_begin_ns;
            offset_ns = -1;
            block->messages_due++;
            sleep_until(due_ns);
            if (now_ns() < end_ns)
                encrypt_one(session, block, due_ns);
        }
        int64_t over_ns = now_ns() - end_ns;
        block->spill_ns = over_ns > 0 && block->messages > 0 ? over_ns : 0;
    }
    return NULL;
}

/* Time that a hypervisor gave to others while a core of this machine had something to do. */
static int64_t steal_ticks(void) {
    FILE *file = fopen("/proc/stat", "r");
    long long steal = 0;
    if (!file)
        return OBSERVE_ABSENT;
    int found = fscanf(file, "cpu %*d %*d %*d %*d %*d %*d %*d %lld", &steal);
    fclose(file);
    return found == 1 ? steal : OBSERVE_ABSENT;
}

static void print_standing(const char *name, const struct standing *standing) {
    wire_open(name, '{');
    bool fifo = standing->priority > 0 && !standing->fifo_error;
    wire_print_text("scheduler", fifo ? "SCHED_FIFO" : "SCHED_OTHER");
    wire_print_number("priority", fifo ? standing->priority : 0);
    wire_print_number("core",
                      standing->core >= 0 && !standing->core_error ? standing->core : INT64_MIN);
    wire_print_text("scheduler_refused",
                    standing->fifo_error ? strerror(standing->fifo_error) : "");
    wire_print_text("core_refused", standing->core_error ? strerror(standing->core_error) : "");
    wire_close('}');
}

static void print_column(const char *name, const struct job *jobs, size_t count, size_t member) {
    wire_open(name, '[');
    for (size_t i = 0; i < count; i++) {
        int64_t value;
        memcpy(&value, (const char *)&jobs[i] + member, sizeof value);
        wire_print_number(NULL, value);
    }
    wire_close(']');
}

static void print_block(const struct session *session, int64_t index) {
    const struct block *block = &session->block[index];
    const struct usage *before = &session->usage[index], *after = before + 1;
    const struct job *jobs = session->jobs + block->first_job;
    int64_t stolen = session->steal_ticks[index];
    wire_open(NULL, '{');
    wire_print_bool("encrypts", encrypts(index));
    print_column("releases", jobs, block->jobs, offsetof(struct job, release));
    print_column("wakeup_ns", jobs, block->jobs, offsetof(struct job, wakeup_ns));
    print_column("response_ns", jobs, block->jobs, offsetof(struct job, response_ns));
    wire_print_number("messages_due", block->messages_due);
    wire_print_number("messages", block->messages);
    wire_print_number("encrypting_ns", block->encrypting_ns);
    wire_print_number("encrypting_ns_max", block->encrypting_ns_max);
    wire_print_number("message_delay_ns_max", block->message_delay_ns_max);
    wire_print_number("spill_ns", block->spill_ns);
    wire_print_number("time_ns", after->time_ns - before->time_ns);
    wire_print_number("cpu_process_ns", after->process_cpu_ns - before->process_cpu_ns);
    wire_print_number("machine_busy_ticks", after->machine_busy_ticks - before->machine_busy_ticks);
    wire_print_number("machine_total_ticks",
                      after->machine_total_ticks - before->machine_total_ticks);
    wire_print_number("machine_steal_ticks", stolen == OBSERVE_ABSENT
                                                 ? OBSERVE_ABSENT
                                                 : session->steal_ticks[index + 1] - stolen);
    wire_print_number("switches_voluntary", after->switches_voluntary - before->switches_voluntary);
    wire_print_number("switches_involuntary",
                      after->switches_involuntary - before->switches_involuntary);
    wire_close('}');
}

/* Sleeps through the session and looks at the machine between blocks: before any messages' turn,
 * but never before the task's. */
static void watch(const struct request *request, struct session *session) {
    struct sched_param usual = {0}, above = {.sched_priority = 1};
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &above);
    int64_t block_ns = session->block_periods * session->period_ns;
    for (int64_t index = 0; index <= session->blocks; index++) {
        sleep_until(session->start_ns + index * block_ns);
        session->usage[index] = observe_usage();
        session->steal_ticks[index] = steal_ticks();
        if (index < session->blocks) {
            wire_open(NULL, '{');
            wire_print_number("id", (int64_t)wire_number(request, "id", 0));
            wire_print_number("block", index);
            wire_print_number("blocks", session->blocks);
            wire_close('}');
        }
    }
    pthread_setschedparam(pthread_self(), SCHED_OTHER, &usual);
}

static void complain(struct session *session, const char *format, int64_t value) {
    snprintf(session->problem, sizeof session->problem, format, (long long)value);
}

/* Whether the task got its core and its work fits; the threads wait meanwhile. */
static void check_standing(struct session *session) {
    if (session->task.core_error)
        complain(session, "there is no core %lld for the task", session->task.core);
    else if (session->messages.core_error)
        complain(session, "there is no core %lld for the messages", session->messages.core);
    else if (session->work_ns > 100 * session->period_ns)
        complain(session, "the work takes %lld us here, more than a hundred periods",
                 session->work_ns / 1000);
    else if (session->work_ns >= session->period_ns && !session->overload)
        complain(session, "the work takes %lld us here and does not fit into the period",
                 session->work_ns / 1000);
}

/* One after the other: the task's work is calibrated before messages are encrypted. */
static unsigned start_threads(struct session *session, pthread_t *threads) {
    void *(*const start[])(void *) = {task_thread, message_thread};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (unsigned i = 0; i < 2; i++) {
        int error = pthread_create(&threads[i], &attributes, start[i], session);
        if (error) {
            complain(session, "a thread cannot be started: error %lld", error);
            return i;
        }
        while (sem_wait(&session->ready))
            ;
    }
    return 2;
}

/* The threads wait for their begin; where there is nothing to run they find no blocks. */
static bool run(const struct request *request, struct session *session) {
    pthread_t threads[2];
    unsigned started = start_threads(session, threads);
    if (started == 2)
        check_standing(session);
    bool go = session->problem[0] == '\0';
    int64_t blocks = session->blocks;
    if (!go)
        session->blocks = 0;
    observe_reset_peak();
    session->lock_error = mlockall(MCL_CURRENT) ? errno : 0;
    session->start_ns = now_ns() + LEAD_NS;
    sem_post(&session->begin_task);
    sem_post(&session->begin_messages);
    if (go)
        watch(request, session);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    munlockall();
    session->blocks = blocks;
    return go;
}

static bool allocate(struct session *session) {
    size_t blocks = (size_t)session->blocks, periods = blocks * (size_t)session->block_periods;
    session->jobs = calloc(periods, sizeof *session->jobs);
    session->block = calloc(blocks, sizeof *session->block);
    session->usage = calloc(blocks + 1, sizeof *session->usage);
    session->steal_ticks = calloc(blocks + 1, sizeof *session->steal_ticks);
    session->log = calloc(session->log_words, sizeof *session->log);
    if (!session->jobs || !session->block || !session->usage || !session->steal_ticks ||
        !session->log)
        return false;
    for (size_t index = 0; index < blocks; index++)
        session->block[index].first_job = index * (size_t)session->block_periods;
    sem_init(&session->ready, 0, 0);
    sem_init(&session->begin_task, 0, 0);
    sem_init(&session->begin_messages, 0, 0);
    return true;
}

static int64_t number(const struct request *request, const char *key, int64_t fallback) {
    return (int64_t)wire_number(request, key, (uint64_t)fallback);
}

struct session *interfere(const struct request *request, const struct work *work,
                          const char **detail) {
    static struct session session;
    session = (struct session){
        .period_ns = number(request, "period_ns", 0),
        .block_periods = number(request, "block_periods", 0),
        .blocks = number(request, "blocks", 0),
        .work_ns = number(request, "work_ns", 0),
        .work_rounds = number(request, "work_rounds", -1),
        .interval_ns = number(request, "interval_ns", 0),
        .seed = wire_number(request, "moments_seed", 1),
        .overload = wire_number(request, "overload", 0) != 0,
        .log_words = (size_t)wire_number(request, "working_set_bytes", 64) / sizeof(int32_t),
        .load = *work,
        .task = {.priority = (int)number(request, "priority", 0),
                 .core = (int)number(request, "pin", -1)},
        .messages = {.priority = (int)number(request, "encrypt_priority", 0),
                     .core = (int)number(request, "encrypt_pin", -1)},
    };
    *detail = session.problem;
    if (session.period_ns <= 0 || session.block_periods <= 0 || session.blocks <= 0 ||
        session.log_words < WORDS_PER_LINE)
        *detail = "period_ns, block_periods and blocks are needed, and a working set of 64 bytes";
    else if (!allocate(&session))
        *detail = "not enough memory for so many periods";
    else if (run(request, &session))
        return &session;
    interfere_free(&session);
    return NULL;
}

int interfere_result(const struct session *session) {
    return session->load_error;
}

void interfere_print(const struct request *request, const struct session *session) {
    wire_print_number("id", number(request, "id", 0));
    wire_print_text("status", "ok");
    wire_print_text("detail", "");
    wire_print_number("work_rounds", session->work_rounds);
    wire_print_number("work_ns", session->work_ns);
    print_standing("task", &session->task);
    print_standing("encryption", &session->messages);
    wire_print_text("memory_not_locked", session->lock_error ? strerror(session->lock_error) : "");
    wire_print_number("rss_peak_bytes", observe_rss_peak_bytes());
    wire_print_number("pss_bytes", observe_pss_bytes());
    wire_print_number("recorder_bytes",
                      session->blocks * session->block_periods * (int64_t)sizeof(struct job));
    wire_print_number("frequency_hz", observe_frequency_hz());
    wire_print_text("governor", observe_governor());
    wire_print_number("temperature_millicelsius", observe_temperature_millicelsius());
    wire_open("blocks", '[');
    for (int64_t index = 0; index < session->blocks; index++)
        print_block(session, index);
    wire_close(']');
}

void interfere_free(struct session *session) {
    if (session == NULL)
        return;
    free(session->jobs);
    free(session->block);
    free(session->usage);
    free(session->steal_ticks);
    free((void *)session->log);
}
