/* The frame of a routine that is called by its name as an assembler knows it. */
.macro routine name
    .section ".text.\name", "ax", %progbits
    .align 4
    .global "\name"
    .type "\name", %function
"\name":
.endm
.macro finish name
    .size "\name", . - "\name"
.endm
