/* A periodic control task with messages beside it, in some blocks of periods and not in others: how
 * late the task is woken, how long until it has answered. */
#ifndef STEELYARD_INTERFERE_H
#define STEELYARD_INTERFERE_H

#include "measure.h"

/* Words of a request that this reads:
 *   period_ns, block_periods, blocks
 *   work_ns or work_rounds  of the task, in a period
 *   working_set_bytes=64    that its work walks through
 *   overload=0              1: even where the work does not fit into the period
 *   priority=0, pin         of the task; 0 is SCHED_OTHER, without pin it goes where it is put
 *   encrypt_priority=0, encrypt_pin
 *   interval_ns=0           between messages; 0: one after the other
 *   moments_seed=1          of the messages' moments
 *
 * A message is a call of the work, which has one thread. A line {"id":..,"block":..,"blocks":..}
 * is printed as each block begins. NULL, with a `detail` that stays valid, where the run cannot be
 * made: the reply's status is then "impossible". */
struct session *interfere(const struct request *request, const struct work *work,
                          const char **detail);

/* The result of the call that failed, or 0. */
int interfere_result(const struct session *session);

/* The members of a reply from id on; the caller adds its own, such as output. */
void interfere_print(const struct request *request, const struct session *session);

/* NULL is none. */
void interfere_free(struct session *session);

#endif
