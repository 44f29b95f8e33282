#include "../load_point.inc"
