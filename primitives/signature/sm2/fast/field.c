#include "../field.inc"
