/* SPDX-License-Identifier: MIT
 *
 * Hashes for the model's tables of names. Every table compares the names themselves as well.
 */
#ifndef JA_MODEL_HASH_H
#define JA_MODEL_HASH_H

#include <stdint.h>

/* FNV-1a of a string. */
uint64_t ja_hash_text(const char *text);

#endif
