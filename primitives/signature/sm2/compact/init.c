#include "../init.inc"
