/* SPDX-License-Identifier: MIT */
#include "cli/hash.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/read.h"

#define BLOCK_BYTES ((size_t)64 * 1024)

void ja_hash_begin(struct ja_hash *hash)
{
    SHA256_Init(&hash->context);
}

void ja_hash_add(struct ja_hash *hash, const void *bytes, size_t length)
{
    SHA256_Update(&hash->context, bytes, length);
}

void ja_hash_end(struct ja_hash *hash, char ret_sha256[65])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256_Final(digest, &hash->context);
    for (size_t i = 0; i < sizeof digest; i++) {
        ret_sha256[2 * i] = digits[digest[i] >> 4];
        ret_sha256[2 * i + 1] = digits[digest[i] & 15];
    }
    ret_sha256[64] = '\0';
}

void ja_hash_bytes(const void *bytes, size_t length, char ret_sha256[65])
{
    struct ja_hash hash;
    ja_hash_begin(&hash);
    ja_hash_add(&hash, bytes, length);
    ja_hash_end(&hash, ret_sha256);
}

uint64_t ja_hash_head(const char *bytes, size_t length)
{
    size_t end = length < JA_HEAD_BYTES ? length : JA_HEAD_BYTES;
    uint64_t hash = UINT64_C(0xcbf29ce484222325), word;
    for (size_t at = 0; at < end; at += sizeof word) {
        word = 0;
        memcpy(&word, bytes + at, end - at < sizeof word ? end - at : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
    }
    return hash | 1;
}

bool ja_hash_open(int descriptor, char ret_sha256[65])
{
    static _Thread_local unsigned char block[BLOCK_BYTES];
    struct ja_hash hash;
    ja_hash_begin(&hash);
    if (lseek(descriptor, 0, SEEK_SET) != 0)
        return false;
    for (ssize_t got = 1; got != 0;) {
        got = ja_read_call(descriptor, block, sizeof block);
        if (got > 0)
            ja_hash_add(&hash, block, (size_t)got);
        else if (got < 0 && errno != EINTR)
            return false;
    }
    ja_hash_end(&hash, ret_sha256);
    return true;
}
