/* The part of <valgrind/valgrind.h> that annotated code asks for: whether it runs where its marks
   count. */
#ifndef STEELYARD_VALGRIND_H
#define STEELYARD_VALGRIND_H

/* Code that asks marks its secrets only if the answer is yes. */
#define RUNNING_ON_VALGRIND 1u

#endif
