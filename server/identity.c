// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Identities of clients and servers. Each has a key and a self-signed certificate, created at first use. The peer knows
 * it by its fingerprint, which somebody has accepted there before. There are no authorities, names in certificates have
 * no meaning, and a certificate is valid until its fingerprint is removed. The handshake proves that the peer has the
 * key.
 */
#include "server/identity.h"

#include <fcntl.h>
#include <glib.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/read_write.h"

#define FINGERPRINT_HEAD "sha256:"

enum { RSA_BITS = 3072, DAYS = 100 * 365, DIGEST_DIGITS = 64 };

struct error *error_openssl(const char *format, ...)
{
	g_autofree char *text = NULL;
	char reason[256] = "";
	unsigned long code = ERR_get_error();
	va_list args;

	ERR_error_string_n(code, reason, sizeof(reason));
	ERR_clear_error();
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	return error_new(ERROR_SYSTEM, "%s: %s", text, code ? reason : _("unknown error"));
}

void identity_clear(struct identity *identity)
{
	EVP_PKEY_free(identity->key);
	X509_free(identity->certificate);
	*identity = (struct identity){0};
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static bool set_subject(X509 *certificate, const char *subject)
{
	X509_NAME *name = X509_get_subject_name(certificate);

	return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, (const unsigned char *)subject, -1, -1, 0) &&
	       X509_set_issuer_name(certificate, name);
}

static bool set_serial(X509 *certificate)
{
	uint64_t number = 0;

	return RAND_bytes((unsigned char *)&number, sizeof(number)) == 1 &&
	       ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), number >> 1);
}

static struct error *make(enum identity_kind kind, const char *subject, struct identity *ret)
{
	ret->key = kind == IDENTITY_OF_SIGNER ? EVP_RSA_gen(RSA_BITS) : EVP_EC_gen("P-256");
	ret->certificate = X509_new();
	if (ret->key && ret->certificate && X509_set_version(ret->certificate, X509_VERSION_3) &&
	    set_serial(ret->certificate) && set_subject(ret->certificate, subject) &&
	    X509_gmtime_adj(X509_getm_notBefore(ret->certificate), 0) &&
	    X509_time_adj_ex(X509_getm_notAfter(ret->certificate), DAYS, 0, NULL) &&
	    X509_set_pubkey(ret->certificate, ret->key) && X509_sign(ret->certificate, ret->key, EVP_sha256()))
		return NULL;
	identity_clear(ret);
	return error_openssl(_("cannot create a certificate"));
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static struct error *write_bio(BIO *bio, const char *path, mode_t mode)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode);
	char *data;
	long length = BIO_get_mem_data(bio, &data);

	if (fd < 0 || !write_all(fd, data, length) || fsync(fd))
		return error_errno(_("cannot write %s"), path);
	return NULL;
}

/* Write the certificate last: if it exists, the key does, too. */
static struct error *keep(const struct identity *identity, const char *key_path, const char *path)
{
	BIO *key = BIO_new(BIO_s_mem()), *certificate = BIO_new(BIO_s_mem());
	struct error *error = NULL;

	if (!PEM_write_bio_PrivateKey(key, identity->key, NULL, NULL, 0, NULL, NULL) ||
	    !PEM_write_bio_X509(certificate, identity->certificate))
		error = error_openssl(_("cannot create a certificate"));
	error = error ?: write_bio(key, key_path, 0600);
	error = error ?: write_bio(certificate, path, 0644);
	BIO_free(key);
	BIO_free(certificate);
	return error;
}

static struct error *load_certificate(const char *path, X509 **ret)
{
	_cleanup_fclose_ FILE *file = fopen(path, "re");

	if (!file)
		return error_errno(_("cannot read %s"), path);
	*ret = PEM_read_X509(file, NULL, NULL, NULL);
	return *ret ? NULL : error_openssl(_("cannot parse the certificate in %s"), path);
}

static struct error *load_key(const char *path, EVP_PKEY **ret)
{
	_cleanup_fclose_ FILE *file = fopen(path, "re");
	struct stat status;

	if (!file || fstat(fileno(file), &status))
		return error_errno(_("cannot read %s"), path);
	if (status.st_mode & (S_IRWXG | S_IRWXO))
		return error_with_hint(error_new(ERROR_OTHER, _("other users can read the key %s"), path),
				       _("run chmod 600 on it, or remove it and its certificate to create new ones"));
	*ret = PEM_read_PrivateKey(file, NULL, NULL, NULL);
	return *ret ? NULL : error_openssl(_("cannot parse the key in %s"), path);
}

static struct error *load(const char *key_path, const char *path, struct identity *ret)
{
	struct error *error = load_certificate(path, &ret->certificate);

	error = error ?: load_key(key_path, &ret->key);
	if (!error && !X509_check_private_key(ret->certificate, ret->key))
		error = error_openssl(_("%s is not the key of %s"), key_path, path);
	if (error)
		identity_clear(ret);
	return error;
}

/* Lock a directory, because several programs may create an identity at once. */
static int lock_directory(const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		flock(fd, LOCK_EX);
	return fd;
}

struct error *identity_provide(const char *directory, const char *name, enum identity_kind kind, const char *subject,
			       struct identity *ret)
{
	g_autofree char *key_path = g_strdup_printf("%s/%s.key", directory, name);
	g_autofree char *path = g_strdup_printf("%s/%s.pem", directory, name);
	_cleanup_close_ int lock = -1;
	struct error *error;

	*ret = (struct identity){0};
	if (g_mkdir_with_parents(directory, 0700))
		return error_errno(_("cannot make %s"), directory);
	lock = lock_directory(directory);
	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return load(key_path, path, ret);
	error = make(kind, subject, ret);
	error = error ?: keep(ret, key_path, path);
	if (error)
		identity_clear(ret);
	return error;
}

/* ---- use --------------------------------------------------------------------------------------------------------- */

char *certificate_fingerprint(X509 *certificate)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned int length = 0;
	g_autoptr(GString) text = g_string_new(FINGERPRINT_HEAD);

	X509_digest(certificate, EVP_sha256(), digest, &length);
	for (unsigned int i = 0; i < length; i++)
		g_string_append_printf(text, "%02x", digest[i]);
	return g_strdup(text->str);
}

void identity_print_fingerprint(const struct identity *identity)
{
	g_autofree char *fingerprint = certificate_fingerprint(identity->certificate);

	printf("%s\n", fingerprint);
}

bool is_fingerprint(const char *text)
{
	return g_str_has_prefix(text, FINGERPRINT_HEAD) && strlen(text) == strlen(FINGERPRINT_HEAD) + DIGEST_DIGITS &&
	       strspn(text + strlen(FINGERPRINT_HEAD), "0123456789abcdef") == DIGEST_DIGITS;
}

struct error *fingerprint_of_file(const char *path, char **ret)
{
	X509 *certificate = NULL;
	struct error *error = load_certificate(path, &certificate);

	*ret = error ? NULL : certificate_fingerprint(certificate);
	X509_free(certificate);
	return error;
}

struct error *certificate_export(X509 *certificate, int fd)
{
	unsigned char *der = NULL;
	int length = i2d_X509(certificate, &der);
	struct error *error = NULL;

	if (length < 0)
		return error_openssl(_("cannot export the certificate"));
	if (!write_all(fd, (const char *)der, length))
		error = error_errno(_("cannot write the output"));
	OPENSSL_free(der);
	return error;
}

struct error *identity_sign(const struct identity *identity, const void *data, size_t length, char **signature,
			    size_t *signature_length)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	bool done = context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, identity->key) == 1 &&
		    EVP_DigestSign(context, NULL, signature_length, data, length) == 1;

	*signature = done ? g_malloc(*signature_length) : NULL;
	done = done && EVP_DigestSign(context, (unsigned char *)*signature, signature_length, data, length) == 1;
	EVP_MD_CTX_free(context);
	if (done)
		return NULL;
	g_clear_pointer(signature, g_free);
	return error_openssl(_("cannot sign the module"));
}

/* Accept any certificate; the caller checks the fingerprint after the handshake. */
static int accept_any(int verified, X509_STORE_CTX *store)
{
	return 1;
}

struct error *identity_context(const struct identity *identity, bool is_server, SSL_CTX **ret)
{
	SSL_CTX *context = SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method());

	if (!context || !SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) ||
	    SSL_CTX_use_certificate(context, identity->certificate) != 1 ||
	    SSL_CTX_use_PrivateKey(context, identity->key) != 1 || !SSL_CTX_set_num_tickets(context, 0)) {
		SSL_CTX_free(context);
		return error_openssl(_("cannot set up TLS"));
	}
	SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, accept_any);
	SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	*ret = context;
	return NULL;
}
