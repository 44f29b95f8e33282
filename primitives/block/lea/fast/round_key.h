/* Which word of the stored round key is which of the six of the LEA paper, section 2.3. */
#ifndef STEELYARD_LEA_ROUND_KEY_H
#define STEELYARD_LEA_ROUND_KEY_H

#if PRIMITIVE_KEY_BYTES == 16
#define LEA_RK1 1
#define LEA_RK3 1
#define LEA_RK4 3
#define LEA_RK5 1
#else
#define LEA_RK1 1
#define LEA_RK3 3
#define LEA_RK4 4
#define LEA_RK5 5
#endif

#endif
