#include "../point.inc"
