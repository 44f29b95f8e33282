/* <avr/sfr_defs.h>, whose macros are in <avr/io.h>. */
#include <avr/io.h>
