// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parsing --remote: a table of prefixes, and hosts without a prefix, which are for ssh.
 *
 * A host's name is checked only so far that it cannot be taken for something else on a command line. ssh and the user's
 * configuration interpret it.
 */
#include "translator/run/remote.h"

#include <string.h>

#include "common/base/i18n.h"

static struct error *refuse(const struct remote *remote, const char *format)
{
	return error_new(ERROR_OTHER, format, remote->text);
}

static struct error *parse_guest(struct arena *arena, struct remote *remote)
{
	if (*remote->rest)
		remote->kernel = remote->rest;
	return NULL;
}

static struct error *parse_socket(struct arena *arena, struct remote *remote)
{
	return *remote->rest ? NULL : refuse(remote, _("--remote=%s needs the path of a socket"));
}

static struct error *parse_here(struct arena *arena, struct remote *remote)
{
	return *remote->rest && strcmp(remote->rest, "//")
		       ? refuse(remote, _("--remote=%s: unexpected text after the colon"))
		       : NULL;
}

/* "[USER@]HOST" */
static struct error *check_host(const struct remote *remote)
{
	const char *at = strrchr(remote->rest, '@'), *host = at ? at + 1 : remote->rest;

	if (!*host || *host == '-' || *remote->rest == '-' || at == remote->rest)
		return refuse(remote, _("--remote=%s names no host"));
	for (const char *c = remote->rest; *c; c++)
		if (g_ascii_isspace(*c) || g_ascii_iscntrl(*c) || strchr("'\"\\`$;|&<>(){}*?!#,", *c))
			return refuse(remote, _("--remote=%s: invalid character in the name of the host"));
	return NULL;
}

/* "[USER@]HOST[:PORT]"; a host in brackets may have colons. */
static struct error *parse_ssh_uri(struct arena *arena, struct remote *remote)
{
	char *rest = arena_strdup(arena, remote->rest), *at = strrchr(rest, '@'), *host = at ? at + 1 : rest;
	char *bracket = *host == '[' ? strchr(host, ']') : NULL, *port;
	guint64 number;

	if (g_str_has_suffix(rest, "/"))
		rest[strlen(rest) - 1] = '\0';
	port = strchr(bracket ?: host, ':');
	if (port) {
		*port++ = '\0';
		if (!g_ascii_string_to_unsigned(port, 10, 1, 65535, &number, NULL))
			return refuse(remote, _("--remote=%s: the port is a number from 1 to 65535"));
	}
	if (bracket) {
		*bracket = '\0';
		memmove(host, host + 1, strlen(host));
	}
	remote->rest = rest;
	remote->port = port;
	return check_host(remote);
}

/* Parse "[USER@]HOST". A name with a colon is an unsupported form. */
static struct error *parse_host(struct arena *arena, struct remote *remote)
{
	if (!strchr(remote->rest, ':'))
		return check_host(remote);
	return error_with_hint(
		error_new(ERROR_UNSUPPORTED, _("--remote=%s is not supported"), remote->text),
		_("use [USER@]HOST or ssh://[USER@]HOST[:PORT] for a host behind ssh, vm: for a throwaway "
		  "guest, unix:SOCKET for a running guest, direct: for this host"));
}

static const struct form {
	const char *prefix;
	enum remote_kind kind;
	struct error *(*parse)(struct arena *arena, struct remote *remote);
} forms[] = {
	{"vm:", REMOTE_GUEST, parse_guest},    {"unix:", REMOTE_SOCKET, parse_socket},
	{"ssh://", REMOTE_SSH, parse_ssh_uri}, {"direct:", REMOTE_HERE, parse_here},
	{"", REMOTE_SSH, parse_host}, /* all others */
};

static struct error *parse(struct arena *arena, struct remote *remote)
{
	size_t i = 0;

	while (!g_str_has_prefix(remote->text, forms[i].prefix))
		i++;
	remote->kind = forms[i].kind;
	remote->rest = remote->text + strlen(forms[i].prefix);
	return forms[i].parse(arena, remote);
}

bool remote_has_shell(const struct remote *remote)
{
	return remote->kind == REMOTE_SSH || remote->kind == REMOTE_HERE;
}

/* Check the options that some kinds of hosts, or several hosts, do not support. */
static struct error *check_options(const struct options *options, const GPtrArray *remotes)
{
	bool has_shell = false;

	for_each_ptr(const struct remote *, remote, remotes) {
		has_shell = has_shell || remote_has_shell(remote);
		if (options->background && remote->kind == REMOTE_GUEST)
			return error_new(ERROR_OTHER,
					 _("-F leaves the script in the guest, which --remote=vm: discards; use "
					   "--remote=unix:"));
	}
	if (options->guest_files->len && has_shell)
		return error_new(ERROR_OTHER, _("--file is for guests (--remote=vm: and unix:), not for hosts"));
	if (options->bulk && remotes->len > 1)
		return error_new(ERROR_OTHER, _("-b is for one host: the files of several would have the same names"));
	if (options->bulk && has_shell)
		return error_new(ERROR_OTHER, _("-b is not for hosts behind ssh and direct:, because the files would "
						"stay there; without it, the output comes here"));
	return NULL;
}

struct error *remotes_parse(struct arena *arena, const struct options *options, GPtrArray *ret)
{
	struct error *error = NULL;

	for_each_ptr(const char *, text, options->remotes) {
		struct remote *remote = arena_new0(arena, struct remote);

		remote->number = ret->len;
		remote->text = text;
		remote->is_one_of_several = options->remotes->len > 1;
		error = parse(arena, remote);
		if (error)
			return error;
		g_ptr_array_add(ret, remote);
	}
	return check_options(options, ret);
}

void remote_fail(struct remote *remote, struct error *error)
{
	if (!error)
		return;
	remote->failed = true;
	error_report_free(error_prefix(error, "%s", remote->text));
}
