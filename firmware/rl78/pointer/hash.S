; From C to a hash's routine that takes a pointer in AX.

#include "../support/core.h"

; void hash_block(hash_context *ctx)
function hash_block
    movw ax, [sp+4]
    br !_hash_block_ax
end_function hash_block
