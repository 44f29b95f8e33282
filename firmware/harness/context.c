/* The context of the variant under test, so that its size stands in the image and its address is
 * known. The build defines HARNESS_CONTEXT as the type of the variant's kind. */
#include <stddef.h>
#include <stdint.h>

#if defined(HARNESS_AEAD)
#include "aead_context.h"
#elif defined(HARNESS_MAC)
#include "mac_context.h"
#elif defined(HARNESS_SIGNATURE)
#include "signature_context.h"
#else
#include "context.h"
#endif

HARNESS_CONTEXT harness_context;
