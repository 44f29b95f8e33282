/* Leads from C to a function in assembly for MSPGCC, which takes its first two arguments in r15 and
 * r14 where the EABI has r12 and r13. The build names the function; the linker's --wrap brings
 * callers here. */
#define JOINED_(first, second) first##second
#define JOINED(first, second) JOINED_(first, second)
#define CALLED JOINED(__wrap_, MSPGCC_FUNCTION)
#define ROUTINE JOINED(__real_, MSPGCC_FUNCTION)

    .section .text.mspgcc, "ax", @progbits
    .global CALLED
    .type CALLED, @function
CALLED:
    mov r12, r15
    mov r13, r14
    br #ROUTINE
    .size CALLED, . - CALLED
