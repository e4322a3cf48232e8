// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Signing a module. A kernel with CONFIG_MODULE_SIG_FORCE, or one that Secure Boot has locked down, loads a module only
 * if it is signed with a key that the kernel trusts: its own, which is in the build tree of who built it, or one that
 * the machine's owner has enrolled (MOK).
 *
 * The kernel's own program does it, with the digest that the kernel was configured for
 * (Documentation/admin-guide/module-signing.rst). It comes last, since any later change of the file would void it.
 */
#include "translator/build/sign.h"

#include <string.h>
#include <unistd.h>

#include "translator/build/kbuild.h"
#include "translator/util/cleanup.h"
#include "translator/util/i18n.h"
#include "translator/util/process.h"

/* What a folder with a key holds: the kernel's own names, those of Debian's shim-signed, and those of DKMS. */
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

static bool look_in(const char *folder, struct signer *signer)
{
	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
		g_autofree char *key = g_build_filename(folder, pairs[i].key, NULL);
		g_autofree char *certificate = g_build_filename(folder, pairs[i].certificate, NULL);

		if (access(key, R_OK) || access(certificate, R_OK))
			continue;
		signer->key = g_steal_pointer(&key);
		signer->certificate = g_steal_pointer(&certificate);
		return true;
	}
	return false;
}

/* The folder that was named, or else wherever a key is usually kept. */
static bool find_key(const struct translation *t, struct signer *signer)
{
	g_autofree char *tree = g_build_filename(t->kernel.build_folder, "certs", NULL);
	const char *const folders[] = {tree, "/var/lib/shim-signed/mok", "/var/lib/dkms"};

	if (t->signing_folder)
		return look_in(t->signing_folder, signer);
	for (size_t i = 0; i < G_N_ELEMENTS(folders); i++)
		if (look_in(folders[i], signer))
			return true;
	return false;
}

/* CONFIG_MODULE_SIG_HASH="sha256", without the quotes. To be freed. */
static char *digest(const struct translation *t)
{
	const char *text = kbuild_setting(t, "CONFIG_MODULE_SIG_HASH");

	text += *text == '"';
	return *text ? g_strndup(text, strcspn(text, "\"")) : g_strdup("sha256");
}

static struct error *no_key(const struct translation *t)
{
	struct error *error =
		t->signing_folder
			? error_new(ERROR_LOOKUP, _("there is no key to sign the module with in %s"), t->signing_folder)
			: error_new(ERROR_LOOKUP, _("there is no key to sign the module with"));

	return error_with_hint(error,
			       _("--sign-module=FOLDER names one that holds MOK.priv and MOK.der; to make them: "
				 "openssl req -new -x509 -newkey rsa:2048 -keyout MOK.priv -outform DER -out MOK.der "
				 "-nodes -days 3650 -subj /CN=stap; to have them trusted: mokutil --import MOK.der"));
}

static struct error *run_signer(const struct translation *t, const struct signer *signer, const char *path)
{
	g_autofree char *program = g_build_filename(t->kernel.build_folder, "scripts/sign-file", NULL);
	g_autofree char *hash = digest(t), *output = NULL;
	const char *const argv[] = {program, hash, signer->key, signer->certificate, path, NULL};
	struct error *error;

	if (access(program, X_OK))
		return error_with_hint(error_new(ERROR_LOOKUP, _("the program that signs modules is not there: %s"),
						 program),
				       _("it comes with the kernel's headers, or from: make modules_prepare"));
	error = process_run_inside(t->kernel.build_root, argv, NULL, &output);
	return error && output ? error_prefix(error, _("the module cannot be signed: %s"), g_strchomp(output)) : error;
}

struct error *sign_module(const struct translation *t, const char *path)
{
	_cleanup_(signer_clear) struct signer signer = {NULL};

	if (!t->signs && *kbuild_setting(t, "CONFIG_MODULE_SIG_FORCE") != 'y')
		return NULL;
	if (find_key(t, &signer))
		return run_signer(t, &signer, path);
	/* Unasked, it is left to the kernel to refuse: it may know better than its configuration. */
	return t->signs ? no_key(t) : NULL;
}
