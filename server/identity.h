/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys and certificates of clients and servers, and TLS with them; see identity.c. */
#ifndef SPILE_SERVER_IDENTITY_H
#define SPILE_SERVER_IDENTITY_H

#include <openssl/ssl.h>
#include <stdbool.h>

#include "translator/util/error.h"

/* A key with the certificate that it has signed itself. */
struct identity {
	EVP_PKEY *key;
	X509 *certificate;
};

enum identity_kind {
	IDENTITY_OF_TLS, /* who one is, to the other side */
	IDENTITY_OF_SIGNER, /* RSA, as those who check signatures of modules want it */
};

/**
 * Read NAME.key and NAME.pem of a folder; made at first use, the key for nobody else to read.
 *
 * @param[in] subject The common name in a certificate that is made.
 */
struct error *identity_provide(const char *folder, const char *name, enum identity_kind kind, const char *subject,
			       struct identity *ret);
void identity_clear(struct identity *identity);

/** "sha256:" and 64 digits of a certificate; free with g_free(). */
char *certificate_fingerprint(X509 *certificate);

/** Is it written as certificate_fingerprint() does? */
bool is_fingerprint(const char *text);

/** Of the certificate in a PEM file; free with g_free(). */
struct error *fingerprint_of_file(const char *path, char **ret);

/** Write the certificate in DER to a descriptor. */
struct error *certificate_export(X509 *certificate, int fd);

/**
 * RSA, PKCS#1 v1.5, SHA-256, over the bytes, as "openssl dgst -sha256 -sign" does.
 *
 * @param[out] signature Free with g_free().
 */
struct error *identity_sign(const struct identity *identity, const void *data, size_t length, char **signature,
			    size_t *signature_length);

/**
 * TLS 1.3 in which both sides show a certificate. Who it is of is for the caller to look at afterwards, by the
 * fingerprint: there are no authorities.
 */
struct error *identity_context(const struct identity *identity, bool is_server, SSL_CTX **ret);

/** An error of what OpenSSL said last. */
struct error *error_openssl(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
