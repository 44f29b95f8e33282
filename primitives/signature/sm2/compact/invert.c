#include "../invert.inc"
