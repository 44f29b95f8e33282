#include "../leave.inc"
