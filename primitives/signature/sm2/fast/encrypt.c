#include "../encrypt.inc"
