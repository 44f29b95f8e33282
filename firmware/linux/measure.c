#define _GNU_SOURCE
#include "measure.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_RUNS      50
#define RUNS_MAX          100000
#define RUNS_MIN          2
#define CALLS_MAX         10000000
#define DEFAULT_RUN_US    20
#define DEFAULT_WINDOW_MS 200
#define DEFAULT_LIMIT_MS  60000
#define NS_PER_US         INT64_C(1000)
#define NS_PER_MS         INT64_C(1000000)

/* Every thread but the caller waits at `start` for the next call and at `end` for the others. */
struct team {
    const struct work *work;
    pthread_barrier_t start, end;
    pthread_t threads[MEASURE_THREADS_MAX];
    int results[MEASURE_THREADS_MAX];
    bool over;
};

struct member {
    struct team *team;
    unsigned number;
};

static void *take_part(void *argument) {
    const struct member *member = argument;
    struct team *team = member->team;

    for (;;) {
        pthread_barrier_wait(&team->start);
        if (team->over) {
            return NULL;
        }
        team->results[member->number] = team->work->part(team->work->state, member->number);
        pthread_barrier_wait(&team->end);
    }
}

static int call(struct team *team) {
    const struct work *work = team->work;
    int result;

    if (work->threads == 1) {
        return work->part(work->state, 0);
    }
    pthread_barrier_wait(&team->start);
    result = work->part(work->state, 0);
    pthread_barrier_wait(&team->end);
    for (unsigned i = 1; i < work->threads && result == 0; i++) {
        result = team->results[i];
    }
    return result;
}

static int calls(struct team *team, int64_t count) {
    int result = 0;

    for (int64_t i = 0; i < count && result == 0; i++) {
        result = call(team);
    }
    return result;
}

static int64_t timed(struct team *team, int64_t count, int *result) {
    int64_t begun = observe_now_ns();

    *result = calls(team, count);
    return observe_now_ns() - begun;
}

/* As many calls as last `run_ns`, by the fastest of a few tries: one that was disturbed must not
 * shorten the runs. */
static int64_t calls_per_run(struct team *team, int64_t run_ns, int *result) {
    int64_t count = 1;

    while (count < CALLS_MAX) {
        int64_t shortest = timed(team, count, result);

        for (int i = 0; i < 2 && *result == 0 && shortest < run_ns; i++) {
            int64_t again = timed(team, count, result);
            shortest = again < shortest ? again : shortest;
        }
        if (*result != 0 || shortest >= run_ns) {
            break;
        }
        if (shortest < 1) {
            shortest = 1;
        }
        /* At most tenfold, since a short time says little about how long many calls last. */
        count = run_ns / shortest >= 9 ? count * 10 : count * (run_ns / shortest + 1);
    }
    return count < CALLS_MAX ? count : CALLS_MAX;
}

static bool start(struct team *team, struct member *members) {
    unsigned count = team->work->threads;

    if (pthread_barrier_init(&team->start, NULL, count) != 0) {
        return false;
    }
    if (pthread_barrier_init(&team->end, NULL, count) != 0) {
        return false;
    }
    for (unsigned i = 1; i < count; i++) {
        members[i].team = team;
        members[i].number = i;
        if (pthread_create(&team->threads[i], NULL, take_part, &members[i]) != 0) {
            /* Those that were started wait at a barrier that will never be complete. */
            for (unsigned j = 1; j < i; j++) {
                pthread_cancel(team->threads[j]);
                pthread_detach(team->threads[j]);
            }
            return false;
        }
    }
    return true;
}

static void stop(struct team *team) {
    if (team->work->threads > 1) {
        team->over = true;
        pthread_barrier_wait(&team->start);
        for (unsigned i = 1; i < team->work->threads; i++) {
            pthread_join(team->threads[i], NULL);
        }
        pthread_barrier_destroy(&team->start);
        pthread_barrier_destroy(&team->end);
    }
}

static void run_series(const struct request *request, struct team *team, struct series *series,
                       size_t wanted) {
    int64_t begun = observe_now_ns();
    int64_t limit_ns = (int64_t)wire_number(request, "limit_ms", DEFAULT_LIMIT_MS) * NS_PER_MS;
    int64_t window_ns = (int64_t)wire_number(request, "window_ms", DEFAULT_WINDOW_MS) * NS_PER_MS;
    int64_t run_ns = (int64_t)wire_number(request, "run_us", DEFAULT_RUN_US) * NS_PER_US;
    bool has_cycles = true, has_instructions = true;

    series->first_call_ns = timed(team, 1, &series->result);
    series->calls_per_run = (int64_t)wire_number(request, "calls", 0);
    if (series->calls_per_run < 1 && series->result == 0) {
        series->calls_per_run =
            series->first_call_ns >= 10 * run_ns ? 1 : calls_per_run(team, run_ns, &series->result);
    }
    series->before = observe_usage();
    while (series->runs < wanted && series->result == 0 &&
           (series->runs < RUNS_MIN || observe_now_ns() - begun < limit_ns)) {
        struct moment before = observe_moment(), after;

        series->result = calls(team, series->calls_per_run);
        after = observe_moment();
        has_cycles =
            has_cycles && before.cycles != OBSERVE_ABSENT && after.cycles != OBSERVE_ABSENT;
        has_instructions = has_instructions && before.instructions != OBSERVE_ABSENT &&
                           after.instructions != OBSERVE_ABSENT;
        series->delays_ns[series->runs] = after.time_ns - before.time_ns;
        series->cycles[series->runs] = has_cycles ? after.cycles - before.cycles : 0;
        series->instructions[series->runs] =
            has_instructions ? after.instructions - before.instructions : 0;
        series->runs++;
        series->window_calls += series->calls_per_run;
    }
    while (series->result == 0 && observe_now_ns() - series->before.time_ns < window_ns &&
           observe_now_ns() - begun < limit_ns) {
        series->result = calls(team, series->calls_per_run);
        series->window_calls += series->calls_per_run;
    }
    series->after = observe_usage();
    if (!has_cycles) {
        free(series->cycles);
        series->cycles = NULL;
    }
    if (!has_instructions) {
        free(series->instructions);
        series->instructions = NULL;
    }
}

bool measure(const struct request *request, const struct work *work, struct series *series,
             const char **detail) {
    struct member members[MEASURE_THREADS_MAX];
    struct team team;
    size_t wanted = (size_t)wire_number(request, "runs", DEFAULT_RUNS);

    memset(series, 0, sizeof *series);
    memset(&team, 0, sizeof team);
    team.work = work;
    if (wanted < RUNS_MIN || wanted > RUNS_MAX) {
        *detail = "runs must be 2 to 100000";
        return false;
    }
    if (work->threads < 1 || work->threads > MEASURE_THREADS_MAX) {
        *detail = "threads must be 1 to 256";
        return false;
    }
    series->delays_ns = calloc(wanted, sizeof *series->delays_ns);
    series->cycles = calloc(wanted, sizeof *series->cycles);
    series->instructions = calloc(wanted, sizeof *series->instructions);
    if (series->delays_ns == NULL || series->cycles == NULL || series->instructions == NULL) {
        *detail = "not enough memory for the runs' times";
        return false;
    }
    if (work->threads > 1 && !start(&team, members)) {
        *detail = "the machine cannot start that many threads";
        return false;
    }
    run_series(request, &team, series, wanted);
    stop(&team);
    series->rss_peak_bytes = observe_rss_peak_bytes();
    series->pss_bytes = observe_pss_bytes();
    series->frequency_hz = observe_frequency_hz();
    series->temperature_millicelsius = observe_temperature_millicelsius();
    strncpy(series->governor, observe_governor(), sizeof series->governor - 1);
    *detail = series->result == 0 ? "" : "the operation failed";
    return series->result == 0;
}

void series_free(struct series *series) {
    free(series->delays_ns);
    free(series->cycles);
    free(series->instructions);
    memset(series, 0, sizeof *series);
}

/* part / whole in thousandths of a percent. */
static int64_t percent_thousandths(int64_t part, int64_t whole) {
    return whole > 0 ? (int64_t)((double)part / (double)whole * 100e3 + 0.5) : OBSERVE_ABSENT;
}

void series_print(const struct request *request, const struct series *series) {
    const struct usage *a = &series->before, *b = &series->after;
    int64_t window_ns = b->time_ns - a->time_ns;
    int64_t machine = OBSERVE_ABSENT;

    if (a->machine_total_ticks != OBSERVE_ABSENT && b->machine_total_ticks != OBSERVE_ABSENT) {
        machine = percent_thousandths(b->machine_busy_ticks - a->machine_busy_ticks,
                                      b->machine_total_ticks - a->machine_total_ticks);
    }
    wire_print_number("id", (int64_t)wire_number(request, "id", 0));
    wire_print_text("status", "ok");
    wire_print_text("detail", "");
    wire_print_numbers("delays_ns", series->delays_ns, series->runs);
    wire_print_numbers("cycles", series->cycles, series->runs);
    wire_print_numbers("instructions", series->instructions, series->runs);
    wire_print_number("calls_per_run", series->calls_per_run);
    wire_print_number("first_call_ns", series->first_call_ns);
    wire_print_number("window_ns", window_ns);
    wire_print_number("window_calls", series->window_calls);
    wire_print_number("cpu_process_ns", b->process_cpu_ns - a->process_cpu_ns);
    wire_print_thousandths("cpu_process_percent",
                           percent_thousandths(b->process_cpu_ns - a->process_cpu_ns, window_ns));
    wire_print_thousandths("cpu_machine_percent", machine);
    wire_print_number("rss_peak_bytes", series->rss_peak_bytes);
    wire_print_number("pss_bytes", series->pss_bytes);
    wire_print_number("switches_voluntary", b->switches_voluntary - a->switches_voluntary);
    wire_print_number("switches_involuntary", b->switches_involuntary - a->switches_involuntary);
    wire_print_number("frequency_hz", series->frequency_hz);
    if (series->governor[0] != '\0') {
        wire_print_text("governor", series->governor);
    } else {
        wire_print_null("governor");
    }
    wire_print_thousandths("temperature_celsius", series->temperature_millicelsius);
    wire_print_number("energy_uj", a->energy_uj == OBSERVE_ABSENT || b->energy_uj == OBSERVE_ABSENT
                                       ? OBSERVE_ABSENT
                                       : b->energy_uj - a->energy_uj);
    observe_print_absent();
}
