#include "../number.inc"
