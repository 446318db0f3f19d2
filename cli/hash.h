/* SPDX-License-Identifier: MIT
 *
 * SHA-256 of what is read and written.
 */
#ifndef JA_CLI_HASH_H
#define JA_CLI_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The plain functions ask for no memory and need no start of the library; EVP_Digest does both, and
 * dereferences NULL when memory ends there. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

struct ja_hash {
    SHA256_CTX context;
};

/* SHA-256 of bytes that come one after the other. */
void ja_hash_begin(struct ja_hash *hash);
void ja_hash_add(struct ja_hash *hash, const void *bytes, size_t length);
void ja_hash_end(struct ja_hash *hash, char ret_sha256[65]);

/* SHA-256 of an open regular file, from its start, in blocks. False with errno. */
bool ja_hash_open(int descriptor, char ret_sha256[65]);

#define JA_HEAD_BYTES 4096

/* A number that equal beginnings share, the first JA_HEAD_BYTES or all of fewer, and different
 * ones hardly ever. Never 0. */
uint64_t ja_hash_head(const char *bytes, size_t length);

/* SHA-256 of bytes in memory. */
void ja_hash_bytes(const void *bytes, size_t length, char ret_sha256[65]);

#endif
