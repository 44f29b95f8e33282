/* The context of the variant under test, so that its size stands in the image and its address is
 * known. The build defines HARNESS_CONTEXT as the type of the variant's kind. */
#include <stddef.h>
#include <stdint.h>

#include "context.h"

HARNESS_CONTEXT harness_context;
