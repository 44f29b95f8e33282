#include "../decrypt.inc"
