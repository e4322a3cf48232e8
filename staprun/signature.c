// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Signed modules: members of stapusr and stapsys may load from anywhere what somebody whom the administrator trusts, a
 * compile server for one, has made for them.
 *
 * Beside NAME.ko lies NAME.ko.sgn, the RSA signature (PKCS #1 v1.5, SHA-256) of the whole file, as "openssl dgst
 * -sha256 -sign KEY" makes it. Trusted are the certificates (X.509, DER) that the administrator has put in a folder
 * which he alone can write. What is in them beside the key (names, dates, who has signed them) has no meaning here: a
 * key is trusted until its file is removed.
 *
 * The kernel does what takes cryptography: it makes the digest (AF_ALG; Documentation/crypto/userspace-if.rst), reads
 * the certificates (key type "asymmetric"; Documentation/crypto/asymmetric-keys.rst) and verifies (KEYCTL_PKEY_VERIFY;
 * Documentation/security/keys/core.rst), with the code that it trusts for modules of its own. So a program that may be
 * set-uid neither parses certificates nor is linked with what does.
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

#include "staprun/messages.h"
#include "staprun/privilege.h"
#include "translator/util/cleanup.h"
#include "translator/util/files.h"
#include "translator/util/i18n.h"
#include "translator/util/memory.h"
#include "translator/util/paths.h"

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
		return error_new(ERROR_LOOKUP, _("there is no signature %s"), path);
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
		return error_with_hint(error_errno(_("the kernel makes no digests (AF_ALG), so that no signature can "
						     "be checked")),
				       _("its module algif_hash may be missing; try as root: modprobe algif_hash"));
	operation = accept4(transform, NULL, NULL, SOCK_CLOEXEC);
	if (operation < 0)
		return error_errno(_("cannot compute the digest of the module"));
	error = feed(operation, data, size);
	if (!error && (send(operation, NULL, 0, 0) < 0 || read_up_to(operation, digest, DIGEST_SIZE) != DIGEST_SIZE))
		error = error_errno(_("cannot compute the digest of the module"));
	return error;
}

/* ---- the keys ---------------------------------------------------------------------------------------------------- */

/* What is to be verified. */
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
		message_warning(_("%s/%s is not used: the kernel verifies no signatures of its kind of key: %s"),
				keys_folder(), name, strerror(errno));
	return false;
}

/* A file of the folder that cannot be used is no reason to refuse what another one vouches for. */
static bool is_by_certificate(const struct claim *claim, int folder, const char *name)
{
	_cleanup_close_ int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	char certificate[CERTIFICATE_LIMIT];
	struct stat status;
	ssize_t size;
	bool verified;
	int key;

	if (fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode) || !privilege_is_roots_alone(&status)) {
		message_warning(_("%s/%s is not used: it must be a file that root alone can write"), keys_folder(),
				name);
		return false;
	}
	size = read_up_to(fd, certificate, sizeof(certificate));
	key = size < 0 ? -1
		       : syscall(SYS_add_key, "asymmetric", "", certificate, (size_t)size, KEY_SPEC_PROCESS_KEYRING);
	if (key < 0) {
		message_warning(_("%s/%s is not used: it is no certificate (X.509, DER) that the kernel can read: %s"),
				keys_folder(), name, strerror(errno));
		return false;
	}
	verified = is_by_key(claim, key, name);
	syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_PROCESS_KEYRING);
	return verified;
}

static void close_folder(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

static struct error *open_keys(DIR **keys)
{
	struct stat status;

	*keys = opendir(keys_folder());
	if (!*keys && errno == ENOENT)
		return error_with_hint(error_new(ERROR_LOOKUP, _("no key is trusted: there is no folder %s"),
						 keys_folder()),
				       _("the administrator puts there the certificates of those who may sign"));
	if (!*keys || fstat(dirfd(*keys), &status))
		return error_errno("%s", keys_folder());
	return privilege_check_roots_alone(keys_folder(), &status);
}

struct error *signature_check(const struct signature *signature, const void *data, size_t size)
{
	_cleanup_(close_folder) DIR *keys = NULL;
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
	return error_with_hint(error_new(ERROR_OTHER, _("its signature is not by any of the keys in %s"),
					 keys_folder()),
			       _("the module was changed after it was signed, or the certificate of who signed it is "
				 "not there"));
}
