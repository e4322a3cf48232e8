/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys and certificates of clients and servers, and TLS contexts; see identity.c. */
#ifndef SPILE_SERVER_IDENTITY_H
#define SPILE_SERVER_IDENTITY_H

#include <openssl/ssl.h>
#include <stdbool.h>

#include "common/base/error.h"

/* A key and its self-signed certificate. */
struct identity {
	EVP_PKEY *key;
	X509 *certificate;
};

enum identity_kind {
	IDENTITY_OF_TLS, /* identifies a client or server to its peer */
	IDENTITY_OF_SIGNER, /* signs modules; RSA, as required for module signatures */
};

/**
 * Load NAME.key and NAME.pem from a directory, or create them. Only the owner can read the key.
 *
 * @param[in] subject The common name in a new certificate.
 */
struct error *identity_provide(const char *directory, const char *name, enum identity_kind kind, const char *subject,
			       struct identity *ret);
void identity_clear(struct identity *identity);

/** Return "sha256:" and the 64 hexadecimal digits of a certificate's digest. Free with g_free(). */
char *certificate_fingerprint(X509 *certificate);

/** Print the fingerprint of an identity. */
void identity_print_fingerprint(const struct identity *identity);

/** Return whether a text has the format of certificate_fingerprint(). */
bool is_fingerprint(const char *text);

/** Compute the fingerprint of the certificate in a PEM file. Free with g_free(). */
struct error *fingerprint_of_file(const char *path, char **ret);

/** Write the certificate in DER format to a descriptor. */
struct error *certificate_export(X509 *certificate, int fd);

/**
 * Sign bytes with RSA, PKCS #1 v1.5 and SHA-256, as "openssl dgst -sha256 -sign" does.
 *
 * @param[out] signature Free with g_free().
 */
struct error *identity_sign(const struct identity *identity, const void *data, size_t length, char **signature,
			    size_t *signature_length);

/**
 * Create a context for TLS 1.3 in which both peers present a certificate. There are no authorities: after the
 * handshake, the caller must check the peer's fingerprint.
 */
struct error *identity_context(const struct identity *identity, bool is_server, SSL_CTX **ret);

/** Create an error from OpenSSL's latest error. */
struct error *error_openssl(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
