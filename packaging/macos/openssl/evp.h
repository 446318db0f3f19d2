/* SPDX-License-Identifier: MIT
 *
 * Stands in for OpenSSL when packaging/macos/check compiles: the calls that the program makes, with
 * OpenSSL's own prototypes. A call that is added there must be added here by hand.
 */
#ifndef JA_STUB_EVP_H
#define JA_STUB_EVP_H

#include <stddef.h>

#define EVP_MAX_MD_SIZE 64

typedef struct engine_st ENGINE;
typedef struct evp_md_st EVP_MD;
typedef struct evp_md_ctx_st EVP_MD_CTX;

const EVP_MD *EVP_sha256(void);
EVP_MD_CTX *EVP_MD_CTX_new(void);
void EVP_MD_CTX_free(EVP_MD_CTX *context);
int EVP_DigestInit_ex(EVP_MD_CTX *context, const EVP_MD *type, ENGINE *engine);
int EVP_DigestUpdate(EVP_MD_CTX *context, const void *data, size_t length);
int EVP_DigestFinal_ex(EVP_MD_CTX *context, unsigned char *digest, unsigned int *length);
int EVP_Digest(const void *data, size_t length, unsigned char *digest, unsigned int *size,
               const EVP_MD *type, ENGINE *engine);

#endif
