#include "../verify.inc"
