#include "rotate.h"
#include "serpent.h"

/* Specification, "The Key Schedule". PHI is the fraction of the golden ratio. */
#define PHI UINT32_C(0x9E3779B9)

void serpent_next_prekey(uint32_t *prekeys, uint8_t i) {
    prekeys[i & 7] = rotl32(prekeys[i & 7] ^ prekeys[(i + 3) & 7] ^ prekeys[(i + 5) & 7] ^
                                prekeys[(i + 7) & 7] ^ PHI ^ i,
                            11);
}

void serpent_round_key(uint32_t *round_key, const uint32_t *prekeys, uint8_t round) {
    prekeys += 4 * (round & 1);
    for (uint8_t i = 0; i < 4; i++) {
        round_key[i] = prekeys[i];
    }
    serpent_substitute(round_key, serpent_sboxes[(3 - round) & 7]);
}
