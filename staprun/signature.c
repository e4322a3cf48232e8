// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Signed modules: members of stapusr and stapsys may load from anywhere a module that a trusted signer, such as a
 * compile server, built for them.
 *
 * NAME.ko.sgn is the RSA signature (PKCS #1 v1.5, SHA-256) of the whole file NAME.ko, as made by "openssl dgst -sha256
 * -sign KEY". The trusted keys are X.509 certificates (DER) in a directory that only the administrator can write. Their
 * other contents (names, dates, issuers) are ignored: a key is trusted until its file is removed.
 *
 * The kernel does the cryptography: it computes the digest (AF_ALG; Documentation/crypto/userspace-if.rst), parses the
 * certificates (key type "asymmetric"; Documentation/crypto/asymmetric-keys.rst) and verifies (KEYCTL_PKEY_VERIFY;
 * Documentation/security/keys/core.rst), with the code that it uses for its own modules. So a program that may be
 * set-uid neither parses certificates nor links with a library that does.
 */
#include "staprun/signature.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_alg.h>
#include <linux/keyctl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/paths.h"
#include "common/base/read_write.h"
#include "staprun/messages.h"
#include "staprun/privilege.h"

#define CERTIFICATE_SUFFIX ".x509"
#define ENCODING "enc=pkcs1 hash=sha256"

enum {
	DIGEST_SIZE = 32,
	CERTIFICATE_LIMIT = 16384,
};

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), size = strlen(end);

	return length > size && !strcmp(text + length - size, end);
}

struct error *signature_read(const char *module, struct signature *signature)
{
	_cleanup_free_ char *path = text_format("%s" SIGNATURE_SUFFIX, module);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	ssize_t size;

	if (fd < 0 && errno == ENOENT)
		return error_new(ERROR_LOOKUP, _("signature %s does not exist"), path);
	if (fd < 0 || fstat(fd, &status))
		return error_errno(_("cannot read %s"), path);
	if (!S_ISREG(status.st_mode) || !status.st_size || status.st_size > (off_t)sizeof(signature->bytes))
		return error_new(ERROR_UNSUPPORTED, _("%s is not the signature of a module"), path);
	size = read_up_to(fd, signature->bytes, sizeof(signature->bytes));
	if (size < 0)
		return error_errno(_("cannot read %s"), path);
	signature->size = size;
	return NULL;
}

/* ---- the digest -------------------------------------------------------------------------------------------------- */

static struct error *feed(int operation, const char *data, size_t size)
{
	while (size) {
		ssize_t taken = send(operation, data, size, MSG_MORE);

		if (taken <= 0)
			return error_errno(_("cannot compute the digest of the module"));
		data += taken;
		size -= taken;
	}
	return NULL;
}

static struct error *compute_digest(const void *data, size_t size, unsigned char *digest)
{
	const struct sockaddr_alg address = {.salg_family = AF_ALG, .salg_type = "hash", .salg_name = "sha256"};
	_cleanup_close_ int transform = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	_cleanup_close_ int operation = -1;
	struct error *error;

	if (transform < 0 || bind(transform, (const struct sockaddr *)&address, sizeof(address)))
		return error_with_hint(error_errno(_("cannot check the signature: the kernel does not support "
						     "hashes (AF_ALG)")),
				       _("run 'modprobe algif_hash' as root"));
	operation = accept4(transform, NULL, NULL, SOCK_CLOEXEC);
	if (operation < 0)
		return error_errno(_("cannot compute the digest of the module"));
	error = feed(operation, data, size);
	if (!error && (send(operation, NULL, 0, 0) < 0 || read_up_to(operation, digest, DIGEST_SIZE) != DIGEST_SIZE))
		error = error_errno(_("cannot compute the digest of the module"));
	return error;
}

/* ---- the keys ---------------------------------------------------------------------------------------------------- */

/* A signature and the digest that it should match. */
struct claim {
	const struct signature *signature;
	unsigned char digest[DIGEST_SIZE];
};

static bool is_by_key(const struct claim *claim, int key, const char *name)
{
	const struct keyctl_pkey_params parameters = {
		.key_id = key, .in_len = sizeof(claim->digest), .in2_len = claim->signature->size};

	if (!syscall(SYS_keyctl, KEYCTL_PKEY_VERIFY, &parameters, ENCODING, claim->digest, claim->signature->bytes))
		return true;
	if (errno == EOPNOTSUPP || errno == ENOPKG)
		message_warning(_("%s/%s is ignored: the kernel cannot verify signatures with this kind of key: %s"),
				keys_directory(), name, strerror(errno));
	return false;
}

/* Check a signature with one certificate. An unusable file is only a warning, because another one may match. */
static bool is_by_certificate(const struct claim *claim, int directory, const char *name)
{
	_cleanup_close_ int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	char certificate[CERTIFICATE_LIMIT];
	struct stat status;
	ssize_t size;
	bool verified;
	int key;

	if (fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode) || !privilege_is_roots_alone(&status)) {
		message_warning(_("%s/%s is ignored: it must be a regular file that only root can write"),
				keys_directory(), name);
		return false;
	}
	size = read_up_to(fd, certificate, sizeof(certificate));
	key = size < 0 ? -1
		       : syscall(SYS_add_key, "asymmetric", "", certificate, (size_t)size, KEY_SPEC_PROCESS_KEYRING);
	if (key < 0) {
		message_warning(_("%s/%s is ignored: the kernel cannot read it as a certificate (X.509, DER): %s"),
				keys_directory(), name, strerror(errno));
		return false;
	}
	verified = is_by_key(claim, key, name);
	syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_PROCESS_KEYRING);
	return verified;
}

static void close_directory(DIR **directory)
{
	if (*directory)
		closedir(*directory);
}

static struct error *open_keys(DIR **keys)
{
	struct stat status;

	*keys = opendir(keys_directory());
	if (!*keys && errno == ENOENT)
		return error_with_hint(error_new(ERROR_LOOKUP, _("no key is trusted: directory %s does not exist"),
						 keys_directory()),
				       _("ask the administrator to install the certificates of trusted signers there"));
	if (!*keys || fstat(dirfd(*keys), &status))
		return error_errno("%s", keys_directory());
	return privilege_check_roots_alone(keys_directory(), &status);
}

struct error *signature_check(const struct signature *signature, const void *data, size_t size)
{
	_cleanup_(close_directory) DIR *keys = NULL;
	struct claim claim = {.signature = signature};
	struct error *error = open_keys(&keys);
	const struct dirent *entry;

	error = error ?: compute_digest(data, size, claim.digest);
	if (error)
		return error;
	while ((entry = readdir(keys)))
		if (ends_with(entry->d_name, CERTIFICATE_SUFFIX) &&
		    is_by_certificate(&claim, dirfd(keys), entry->d_name))
			return NULL;
	return error_with_hint(error_new(ERROR_OTHER, _("its signature does not match any of the keys in %s"),
					 keys_directory()),
			       _("sign the module again if it was changed, or install the certificate of the signer "
				 "there"));
}
