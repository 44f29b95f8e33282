#include "../masked.inc"
