/* <time.h> for code that includes it and asks for no time. */
#ifndef STEELYARD_TIME_H
#define STEELYARD_TIME_H

typedef long time_t;
typedef unsigned long clock_t;

#define CLOCKS_PER_SEC 1000

time_t time(time_t *now);
clock_t clock(void);

#endif
