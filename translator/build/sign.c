// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Signing a module. A kernel with CONFIG_MODULE_SIG_FORCE, or one locked down by Secure Boot, loads a module only if it
 * is signed with a trusted key: the kernel's own key, in its build tree, or a key that the machine's owner has enrolled
 * (MOK).
 *
 * The kernel's own program signs, with the configured digest (Documentation/admin-guide/module-signing.rst). It runs
 * last, because any later change of the file invalidates the signature.
 */
#include "translator/build/sign.h"

#include <string.h>
#include <unistd.h>

#include "common/process.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "translator/build/kbuild.h"

/* File names of keys: the kernel's, those of Debian's shim-signed, and those of DKMS. */
static const struct pair {
	const char *key, *certificate;
} pairs[] = {
	{"signing_key.pem", "signing_key.x509"},
	{"MOK.priv", "MOK.der"},
	{"mok.key", "mok.pub"},
};

struct signer {
	char *key, *certificate;
};

static void signer_clear(struct signer *signer)
{
	g_free(signer->key);
	g_free(signer->certificate);
}

static bool look_in(const char *directory, struct signer *signer)
{
	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
		g_autofree char *key = g_build_filename(directory, pairs[i].key, NULL);
		g_autofree char *certificate = g_build_filename(directory, pairs[i].certificate, NULL);

		if (access(key, R_OK) || access(certificate, R_OK))
			continue;
		signer->key = g_steal_pointer(&key);
		signer->certificate = g_steal_pointer(&certificate);
		return true;
	}
	return false;
}

/* Find a key in the directory given, or else in the usual directories. */
static bool find_key(const struct translation *t, struct signer *signer)
{
	g_autofree char *tree = g_build_filename(t->kernel.build_directory, "certs", NULL);
	const char *const directories[] = {tree, "/var/lib/shim-signed/mok", "/var/lib/dkms"};

	if (t->options->signing_directory)
		return look_in(t->options->signing_directory, signer);
	for (size_t i = 0; i < G_N_ELEMENTS(directories); i++)
		if (look_in(directories[i], signer))
			return true;
	return false;
}

/* Return the value of CONFIG_MODULE_SIG_HASH="sha256", without the quotes. To be freed. */
static char *digest(const struct translation *t)
{
	const char *text = kbuild_setting(t, "CONFIG_MODULE_SIG_HASH");

	text += *text == '"';
	return *text ? g_strndup(text, strcspn(text, "\"")) : g_strdup("sha256");
}

static struct error *no_key(const struct translation *t)
{
	struct error *error = t->options->signing_directory
				      ? error_new(ERROR_LOOKUP, _("there is no key to sign the module with in %s"),
						  t->options->signing_directory)
				      : error_new(ERROR_LOOKUP, _("there is no key to sign the module with"));

	return error_with_hint(error,
			       _("name a directory with MOK.priv and MOK.der by --sign-module=DIRECTORY; to make them: "
				 "openssl req -new -x509 -newkey rsa:2048 -keyout MOK.priv -outform DER -out MOK.der "
				 "-nodes -days 3650 -subj /CN=stap; to have them trusted: mokutil --import MOK.der"));
}

static struct error *run_signer(const struct translation *t, const struct signer *signer, const char *path)
{
	g_autofree char *program = g_build_filename(t->kernel.build_directory, "scripts/sign-file", NULL);
	g_autofree char *hash = digest(t), *output = NULL;
	const char *const argv[] = {program, hash, signer->key, signer->certificate, path, NULL};
	struct error *error;

	if (access(program, X_OK))
		return error_with_hint(
			error_new(ERROR_LOOKUP, _("the program that signs modules does not exist: %s"), program),
			_("install the kernel's headers, or run 'make modules_prepare' in the build tree"));
	error = process_run_inside(t->kernel.build_root, argv, NULL, &output);
	return error && output ? error_prefix(error, _("cannot sign the module: %s"), g_strchomp(output)) : error;
}

struct error *sign_module(const struct translation *t, const char *path)
{
	_cleanup_(signer_clear) struct signer signer = {NULL};

	if (!t->options->signs && *kbuild_setting(t, "CONFIG_MODULE_SIG_FORCE") != 'y')
		return NULL;
	if (find_key(t, &signer))
		return run_signer(t, &signer, path);
	/* Without --sign-module, let the kernel decide; the configuration alone does not. */
	return t->options->signs ? no_key(t) : NULL;
}
