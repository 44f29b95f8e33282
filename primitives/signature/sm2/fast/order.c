#include "../order.inc"
