/* SPDX-License-Identifier: MIT
 *
 * Only to be linked with, never run: see openssl/evp.h.
 */
#include <openssl/crypto.h>
#include <openssl/evp.h>

const EVP_MD *EVP_sha256(void)
{
    return NULL;
}

EVP_MD_CTX *EVP_MD_CTX_new(void)
{
    return NULL;
}

void EVP_MD_CTX_free(EVP_MD_CTX *context)
{
    (void)context;
}

int EVP_DigestInit_ex(EVP_MD_CTX *context, const EVP_MD *type, ENGINE *engine)
{
    (void)context, (void)type, (void)engine;
    return 0;
}

int EVP_DigestUpdate(EVP_MD_CTX *context, const void *data, size_t length)
{
    (void)context, (void)data, (void)length;
    return 0;
}

int EVP_DigestFinal_ex(EVP_MD_CTX *context, unsigned char *digest, unsigned int *length)
{
    (void)context, (void)digest, (void)length;
    return 0;
}

int EVP_Digest(const void *data, size_t length, unsigned char *digest, unsigned int *size,
               const EVP_MD *type, ENGINE *engine)
{
    (void)data, (void)length, (void)digest, (void)size, (void)type, (void)engine;
    return 0;
}

const char *OpenSSL_version(int what)
{
    (void)what;
    return "stub";
}
