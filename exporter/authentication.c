// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Authentication by the Authorization header: "Basic" with user and password, or "Bearer" with a token. What a client
 * sends is compared by checksums, always with all entries and all bytes, so the time tells nothing about secrets.
 */
#include "exporter/authentication.h"

#include <glib.h>
#include <stdint.h>
#include <string.h>

#include "common/base/i18n.h"
#include "exporter/trusted_file.h"

enum { DIGEST_SIZE = 32 };

struct digest {
	guint8 bytes[DIGEST_SIZE];
};

struct authentication {
	GArray *users, *tokens; /* of struct digest; NULL: no such file */
};

static struct digest digest_of(const char *bytes, size_t length)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	gsize size = DIGEST_SIZE;
	struct digest digest;

	g_checksum_update(sum, (const guchar *)bytes, (gssize)length);
	g_checksum_get_digest(sum, digest.bytes, &size);
	return digest;
}

/* Read the lines of a file, except empty ones and comments. */
static struct error *read_secrets(const char *path, bool is_users, GArray **ret)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	size_t length;
	struct error *error = trusted_file_read(path, true, &text, &length);

	if (error)
		return error;
	*ret = g_array_new(FALSE, FALSE, sizeof(struct digest));
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		struct digest digest;

		g_strchomp(lines[i]);
		if (!*lines[i] || *lines[i] == '#')
			continue;
		if (is_users && (*lines[i] == ':' || !strchr(lines[i], ':')))
			return error_new(ERROR_OTHER, _("%s:%u: expected USER:PASSWORD"), path, i + 1);
		digest = digest_of(lines[i], strlen(lines[i]));
		g_array_append_val(*ret, digest);
	}
	return (*ret)->len ? NULL : error_new(ERROR_OTHER, _("cannot use %s: it is empty"), path);
}

struct error *authentication_read(const char *users, const char *tokens, struct authentication **ret)
{
	struct authentication *authentication;
	struct error *error = NULL;

	*ret = NULL;
	if (!users && !tokens)
		return NULL;
	authentication = g_new0(struct authentication, 1);
	if (users)
		error = read_secrets(users, true, &authentication->users);
	if (!error && tokens)
		error = read_secrets(tokens, false, &authentication->tokens);
	if (error)
		authentication_free(authentication);
	else
		*ret = authentication;
	return error;
}

void authentication_free(struct authentication *authentication)
{
	if (!authentication)
		return;
	if (authentication->users)
		g_array_unref(authentication->users);
	if (authentication->tokens)
		g_array_unref(authentication->tokens);
	g_free(authentication);
}

static bool is_among(const GArray *secrets, const char *bytes, size_t length)
{
	struct digest given = digest_of(bytes, length);
	guint found = 0;

	for (guint i = 0; secrets && i < secrets->len; i++) {
		const struct digest *secret = &g_array_index(secrets, struct digest, i);
		volatile guint8 difference = 0;

		for (guint j = 0; j < DIGEST_SIZE; j++)
			difference |= given.bytes[j] ^ secret->bytes[j];
		found |= !difference;
	}
	return found;
}

/* Return what follows the scheme of a header, or NULL. */
static const char *after_scheme(const char *header, const char *scheme)
{
	size_t length = strlen(scheme);

	if (g_ascii_strncasecmp(header, scheme, length) || header[length] != ' ')
		return NULL;
	return header + length + strspn(header + length, " ");
}

bool authentication_accepts(const struct authentication *authentication, const char *header)
{
	const char *given;

	if (!authentication)
		return true;
	if (!header)
		return false;
	given = after_scheme(header, "Bearer");
	if (given)
		return is_among(authentication->tokens, given, strlen(given));
	given = after_scheme(header, "Basic");
	if (given) {
		gsize length;
		g_autofree guchar *plain = g_base64_decode(given, &length);

		return is_among(authentication->users, (const char *)plain, length);
	}
	return false;
}

const char *authentication_challenge(const struct authentication *authentication)
{
	return authentication->users ? "Basic realm=\"stap-exporter\", charset=\"UTF-8\""
				     : "Bearer realm=\"stap-exporter\"";
}
