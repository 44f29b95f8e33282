; The places in memory that this GCC uses as registers; they have to lie one behind the other.
    .section .bss.memregs, "aw", @nobits
.irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .global mem\number
mem\number:
    .space 1
.endr
