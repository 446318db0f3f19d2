/* SPDX-License-Identifier: MIT
 *
 * Stands in for OpenSSL when packaging/macos/check compiles: the calls that the program makes, with
 * OpenSSL's own prototypes. A call that is added there must be added here by hand.
 */
#ifndef JA_STUB_SHA_H
#define JA_STUB_SHA_H

#include <stddef.h>

#define SHA256_DIGEST_LENGTH 32

typedef struct SHA256state_st {
    unsigned int words[28];
} SHA256_CTX;

int SHA256_Init(SHA256_CTX *context);
int SHA256_Update(SHA256_CTX *context, const void *data, size_t length);
int SHA256_Final(unsigned char *digest, SHA256_CTX *context);

#endif
