; RFC 3713, section 2.2: Sigma1 to Sigma4, in words.
    .section .rodata.camellia_sigma_words, "a", @progbits
    .global _camellia_sigma_words
    .balign 2
_camellia_sigma_words:
    .short 0xa09e, 0x667f, 0x3bcc, 0x908b
    .short 0xb67a, 0xe858, 0x4caa, 0x73b2
    .short 0xc6ef, 0x372f, 0xe94f, 0x82be
    .short 0x54ff, 0x53a5, 0xf1d3, 0x6f1c
    .size _camellia_sigma_words, . - _camellia_sigma_words
