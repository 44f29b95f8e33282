#include "../add_public.inc"
