"""A small tree in the form of FELICS, with ciphers made up for it; every text is this file's own."""

from __future__ import annotations

from pathlib import Path

_CIPHER_H = """\
#ifndef CIPHER_H
#define CIPHER_H
#include <stdint.h>
#ifdef AVR
#include <avr/pgmspace.h>
#endif
#define SCENARIO_0 0
#define SCENARIO_2 2
#ifndef SCENARIO
#define SCENARIO SCENARIO_0
#endif
#ifndef ALIGNED
#if defined(AVR) || defined(MSP)
#define ALIGNED __attribute__((aligned(2)))
#elif defined(ARM)
#define ALIGNED __attribute__((aligned(8)))
#endif
#endif
#define RAM_DATA_BYTE uint8_t ALIGNED
#if defined(AVR)
#define ROM_DATA_BYTE const uint8_t PROGMEM ALIGNED
#define READ_ROM_DATA_BYTE(x) pgm_read_byte(&x)
#else
#define ROM_DATA_BYTE const uint8_t ALIGNED
#define READ_ROM_DATA_BYTE(x) x
#endif
#if SCENARIO == SCENARIO_2
#define READ_ROUND_KEY_BYTE(x) READ_ROM_DATA_BYTE(x)
#else
#define READ_ROUND_KEY_BYTE(x) x
#endif
"""
_BLOCK_H = """\
void RunEncryptionKeySchedule(uint8_t *key, uint8_t *roundKeys);
void RunDecryptionKeySchedule(uint8_t *key, uint8_t *roundKeys);
void Encrypt(uint8_t *block, uint8_t *roundKeys);
void Decrypt(uint8_t *block, uint8_t *roundKeys);
#endif
"""
_VECTORS_H = '#include <stdint.h>\n#include "constants.h"\n'
_SCENARIO_1 = """\
#include "cipher.h"
#include "constants.h"
void {way}cryptScenario1(uint8_t *data, uint8_t *roundKeys, uint8_t *iv)
{{
    uint8_t before[BLOCK_SIZE], next[BLOCK_SIZE];
    for (uint8_t i = 0; i < BLOCK_SIZE; i++) before[i] = iv[i];
    for (uint8_t at = 0; at < 128; at += BLOCK_SIZE) {{
        uint8_t *block = data + at;
        {body}
    }}
}}
"""
_ENCRYPT_CBC = """\
for (uint8_t i = 0; i < BLOCK_SIZE; i++) block[i] ^= before[i];
        Encrypt(block, roundKeys);
        for (uint8_t i = 0; i < BLOCK_SIZE; i++) before[i] = block[i];
        (void)next;"""
_DECRYPT_CBC = """\
for (uint8_t i = 0; i < BLOCK_SIZE; i++) next[i] = block[i];
        Decrypt(block, roundKeys);
        for (uint8_t i = 0; i < BLOCK_SIZE; i++) {
            block[i] ^= before[i];
            before[i] = next[i];
        }"""
_SCENARIO_2 = """\
#include "cipher.h"
#include "constants.h"
void EncryptScenario2(uint8_t *data, const uint8_t *roundKeys, uint8_t *counter)
{
    for (uint8_t at = 0; at < 16; at += BLOCK_SIZE) {
        uint8_t pad[BLOCK_SIZE];
        for (uint8_t i = 0; i < BLOCK_SIZE; i++) pad[i] = counter[i];
        Encrypt(pad, (uint8_t *)roundKeys);
        for (uint8_t i = 0; i < BLOCK_SIZE; i++) data[at + i] ^= pad[i];
        counter[BLOCK_SIZE - 1]++;
    }
}
"""
_INFO = """\
ImplementationDescription: a toy
EncryptCode:
UseEncryptionKeySchedule: {schedule}
ImplementationAVR: C
ImplementationMSP: C
ImplementationARM: C
"""
_TOY = {
    "constants.h": """\
#ifndef CONSTANTS_H
#define CONSTANTS_H
#define BLOCK_SIZE (4 * 2)
#define KEY_SIZE 10 /* bytes */
#define ROUND_KEYS_SIZE 2 * BLOCK_SIZE
extern ROM_DATA_BYTE table[4];
#endif
""",
    "constants.c": """\
#include "cipher.h"
#include "constants.h"
ROM_DATA_BYTE table[4] = {3, 5, 7, 11};
""",
    "encryption_key_schedule.c": """\
#include "cipher.h"
#include "constants.h"
void RunEncryptionKeySchedule(uint8_t *key, uint8_t *roundKeys)
{
    for (uint8_t i = 0; i < ROUND_KEYS_SIZE; i++)
        roundKeys[i] = key[i % KEY_SIZE] ^ READ_ROM_DATA_BYTE(table[i % 4]);
}
""",
    "decryption_key_schedule.c": """\
#include "cipher.h"
void RunDecryptionKeySchedule(uint8_t *key, uint8_t *roundKeys)
{
    /* nothing to do */
}
""",
    "encrypt.c": """\
#include "cipher.h"
#include "constants.h"
void Encrypt(uint8_t *block, uint8_t *roundKeys)
{
    for (uint8_t i = 0; i < BLOCK_SIZE; i++)
        block[i] = (block[i] + READ_ROUND_KEY_BYTE(roundKeys[i])) ^ READ_ROUND_KEY_BYTE(roundKeys[8 + i]);
}
""",
    "decrypt.c": """\
#include "cipher.h"
#include "constants.h"
void Decrypt(uint8_t *block, uint8_t *roundKeys)
{
    for (uint8_t i = 0; i < BLOCK_SIZE; i++)
        block[i] = (block[i] ^ READ_ROUND_KEY_BYTE(roundKeys[8 + i])) - READ_ROUND_KEY_BYTE(roundKeys[i]);
}
""",
    "implementation.info": _INFO.format(schedule="yes"),
}
KEY, BLOCK = bytes(range(1, 11)), bytes(range(100, 108))


def encrypted(key: bytes, block: bytes) -> bytes:
    """Return what the toy makes of a block."""
    keys = [key[i % 10] ^ (3, 5, 7, 11)[i % 4] for i in range(16)]
    return bytes((one + keys[i]) % 256 ^ keys[8 + i] for i, one in enumerate(block))


def array(name: str, size: str, content: bytes) -> str:
    """Return an array of known answers in C."""
    return f"const uint8_t {name}[{size}] = {{{', '.join(f'0x{one:02x}' for one in content)}}};\n"


def vectors(key: bytes, plaintext: bytes, ciphertext: bytes) -> str:
    """Return a file of known answers of a block cipher."""
    arrays = (
        ("Plaintext", "BLOCK_SIZE", plaintext),
        ("Key", "KEY_SIZE", key),
        ("Ciphertext", "BLOCK_SIZE", ciphertext),
    )
    return _VECTORS_H + "".join(array(f"expected{name}", size, content) for name, size, content in arrays)


def write(root: Path) -> Path:
    """Write a tree with one implementation, `Toy_64_80_v01`, and return its root."""
    common = root / "block_ciphers" / "source" / "common"
    texts = {
        common / "cipher.h": _CIPHER_H + _BLOCK_H,
        common / "scenario1" / "encrypt_scenario1.c": _SCENARIO_1.format(way="En", body=_ENCRYPT_CBC),
        common / "scenario1" / "decrypt_scenario1.c": _SCENARIO_1.format(way="De", body=_DECRYPT_CBC),
        common / "scenario2" / "encrypt_scenario2.c": _SCENARIO_2,
    }
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    add(root, "Toy_64_80_v01")
    return root


def add(root: Path, name: str, area: str = "block_ciphers", **changed: str | None) -> Path:
    """Add an implementation: the toy with texts changed by their names, dots as underscores; None leaves
    one out.
    """
    source = root / area / "source" / "ciphers" / name / "source"
    source.mkdir(parents=True)
    texts: dict[str, str | None] = {**_TOY, "test_vectors.c": vectors(KEY, BLOCK, encrypted(KEY, BLOCK))}
    texts |= {name.replace("__", "."): text for name, text in changed.items()}
    for file, text in texts.items():
        if text is not None:
            (source / file).write_text(text, "utf-8")
    return source
