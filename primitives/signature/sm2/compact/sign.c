#include "../sign.inc"
