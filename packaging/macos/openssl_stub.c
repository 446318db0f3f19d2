/* SPDX-License-Identifier: MIT
 *
 * Only to be linked with, never run: see openssl/sha.h.
 */
#include <openssl/crypto.h>
#include <openssl/sha.h>

int SHA256_Init(SHA256_CTX *context)
{
    (void)context;
    return 0;
}

int SHA256_Update(SHA256_CTX *context, const void *data, size_t length)
{
    (void)context, (void)data, (void)length;
    return 0;
}

int SHA256_Final(unsigned char *digest, SHA256_CTX *context)
{
    (void)digest, (void)context;
    return 0;
}

const char *OpenSSL_version(int what)
{
    (void)what;
    return "stub";
}
