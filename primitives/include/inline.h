/* ALWAYS_INLINE: for the few functions whose call costs more than their body, or whose body folds
 * away where an argument is constant; compilers that optimise for size judge both wrongly. */
#ifndef STEELYARD_INLINE_H
#define STEELYARD_INLINE_H

#if defined(__GNUC__)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

#endif
