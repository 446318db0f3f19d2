/* SPDX-License-Identifier: MIT */
#ifndef JA_STUB_CRYPTO_H
#define JA_STUB_CRYPTO_H

#define OPENSSL_VERSION 0

const char *OpenSSL_version(int what);

#endif
