#include "../on_curve.inc"
