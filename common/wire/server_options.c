// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The options of stap, as a client and a server treat them. Options that are sent affect the translation but name no
 * file, command or process of the server. The client uses this table to report unsupported options. The server uses it
 * to reject everything else, whatever program the client is.
 */
#include "common/wire/server_options.h"

#include <string.h>

#include "common/base/i18n.h"
#include "common/wire/request.h"

enum argument { NONE, ONE, MAYBE };

static const struct row {
	const char *name;
	enum server_option_kind kind;
	enum argument argument; /* of an option that is sent */
	const char *reason; /* of an option that is refused */
} rows[] = {
	{"a", SERVER_OPTION_SENT, ONE},
	{"b", SERVER_OPTION_SENT},
	{"c", SERVER_OPTION_SENT, ONE},
	{"d", SERVER_OPTION_SENT, ONE},
	{"D", SERVER_OPTION_SENT, ONE},
	{"E", SERVER_OPTION_SENT, ONE},
	{"e", SERVER_OPTION_SENT, ONE},
	{"G", SERVER_OPTION_SENT, ONE},
	{"g", SERVER_OPTION_GURU},
	{"I", SERVER_OPTION_DIRECTORY, ONE},
	{"L", SERVER_OPTION_SENT, ONE},
	{"l", SERVER_OPTION_SENT, ONE},
	{"m", SERVER_OPTION_SENT, ONE},
	{"s", SERVER_OPTION_SENT, ONE},
	{"T", SERVER_OPTION_SENT, ONE},
	{"t", SERVER_OPTION_SENT},
	{"u", SERVER_OPTION_SENT},
	{"v", SERVER_OPTION_SENT},
	{"W", SERVER_OPTION_SENT},
	{"w", SERVER_OPTION_SENT},
	{"x", SERVER_OPTION_SENT, ONE},
	{"check-version", SERVER_OPTION_SENT},
	{"color", SERVER_OPTION_SENT, MAYBE},
	{"colour", SERVER_OPTION_SENT, MAYBE},
	{"compatible", SERVER_OPTION_SENT, ONE},
	{"debug", SERVER_OPTION_SENT},
	{"externs", SERVER_OPTION_SENT},
	{"ldd", SERVER_OPTION_SENT},
	{"list-lines", SERVER_OPTION_SENT, ONE},
	{"list-vars", SERVER_OPTION_SENT, ONE},
	{"modinfo", SERVER_OPTION_SENT, ONE},
	{"no-global-var-display", SERVER_OPTION_SENT},
	{"privilege", SERVER_OPTION_SENT, MAYBE},
	{"runtime", SERVER_OPTION_SENT, ONE},
	{"script-option", SERVER_OPTION_SENT, ONE},
	{"semantic-keep-going", SERVER_OPTION_SENT},
	{"no-renames", SERVER_OPTION_SENT},
	{"skip-badvars", SERVER_OPTION_SENT},
	{"suppress-handler-errors", SERVER_OPTION_SENT},
	{"suppress-time-limits", SERVER_OPTION_GURU},
	{"unprivileged", SERVER_OPTION_SENT},
	{"vp", SERVER_OPTION_SENT, ONE},

	{"bundle-exporter", SERVER_OPTION_HERE},
	{"bundle-from", SERVER_OPTION_HERE},
	{"bundle-sign", SERVER_OPTION_HERE},
	{"cgroup", SERVER_OPTION_HERE},
	{"clean-cache", SERVER_OPTION_HERE},
	{"dump-functions", SERVER_OPTION_HERE},
	{"dump-probe-aliases", SERVER_OPTION_HERE},
	{"dump-probe-types", SERVER_OPTION_HERE},
	{"example", SERVER_OPTION_HERE},
	{"F", SERVER_OPTION_HERE},
	{"i", SERVER_OPTION_HERE},
	{"kernel-build-id", SERVER_OPTION_HERE},
	{"list-examples", SERVER_OPTION_HERE},
	{"list-servers", SERVER_OPTION_HERE},
	{"monitor", SERVER_OPTION_HERE},
	{"one-liners", SERVER_OPTION_HERE},
	{"o", SERVER_OPTION_HERE},
	{"P", SERVER_OPTION_HERE},
	{"p", SERVER_OPTION_HERE},
	{"prologue-searching", SERVER_OPTION_HERE},
	{"q", SERVER_OPTION_HERE},
	{"r", SERVER_OPTION_HERE},
	{"file", SERVER_OPTION_HERE},
	{"check", SERVER_OPTION_HERE},
	{"lint", SERVER_OPTION_REFUSED, NONE, N_("the kernels are those of this machine")},
	{"format-script", SERVER_OPTION_HERE},
	{"language-server", SERVER_OPTION_HERE},
	{"format", SERVER_OPTION_HERE}, /* a server sends its messages as text: options.c refuses JSON */
	{"remote", SERVER_OPTION_HERE},
	{"report", SERVER_OPTION_HERE},
	{"remote-prefix", SERVER_OPTION_HERE},
	{"rlimit-as", SERVER_OPTION_HERE},
	{"rlimit-cpu", SERVER_OPTION_HERE},
	{"rlimit-fsize", SERVER_OPTION_HERE},
	{"rlimit-nproc", SERVER_OPTION_HERE},
	{"rlimit-stack", SERVER_OPTION_HERE},
	{"S", SERVER_OPTION_HERE},
	{"save-uprobes", SERVER_OPTION_HERE},
	{"target-namespaces", SERVER_OPTION_HERE},
	{"tmpdir", SERVER_OPTION_HERE},
	{"trust-servers", SERVER_OPTION_HERE},
	{"use-server", SERVER_OPTION_HERE},
	{"use-server-on-error", SERVER_OPTION_HERE},

	{"all-modules", SERVER_OPTION_REFUSED, NONE,
	 N_("the server does not know the modules of this machine; name each with -d")},
	{"B", SERVER_OPTION_REFUSED, NONE, N_("the administrator configures the server's make")},
	{"build-as", SERVER_OPTION_REFUSED, NONE, N_("the server runs passes 1 to 4 with rights of its own")},
	{"bundle", SERVER_OPTION_REFUSED, NONE, N_("a server does not report how the script differs between kernels")},
	{"bundle-add", SERVER_OPTION_REFUSED, NONE,
	 N_("a server does not report how the script differs between kernels")},
	{"debuginfo", SERVER_OPTION_REFUSED, NONE, N_("a server uses its own debuginfo")},
	{"disable-cache", SERVER_OPTION_REFUSED, NONE, N_("the cache is the server's")},
	{"download-debuginfo", SERVER_OPTION_REFUSED, NONE, N_("a server does not download debuginfo")},
	{"export-debuginfo", SERVER_OPTION_REFUSED, NONE, N_("the debuginfo is the server's")},
	{"k", SERVER_OPTION_REFUSED, NONE, N_("the generated files are removed with the server's sandbox; use -p3")},
	{"modules", SERVER_OPTION_REFUSED, NONE, N_("the debuginfo is the server's")},
	{"poison-cache", SERVER_OPTION_REFUSED, NONE, N_("the cache is the server's")},
	{"prepare", SERVER_OPTION_REFUSED, NONE, N_("run 'stap-server prepare' on the server")},
	{"R", SERVER_OPTION_REFUSED, NONE, N_("a server compiles its own runtime")},
	{"sign-module", SERVER_OPTION_REFUSED, NONE, N_("the kernel's key is not the server's")},
	{"sysenv", SERVER_OPTION_REFUSED, NONE, N_("programs and libraries are searched for on the server")},
	{"sysroot", SERVER_OPTION_REFUSED, NONE, N_("kernels and programs are searched for on the server")},
};

static const struct row *find_row(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

enum server_option_kind server_option_kind(const char *name, const char **reason)
{
	const struct row *row = find_row(name);

	if (reason)
		*reason = row ? row->reason : NULL;
	return row ? row->kind : SERVER_OPTION_REFUSED;
}

struct error *server_option_refusal(const char *name)
{
	const char *dashes = name[1] ? "--" : "-", *reason;

	server_option_kind(name, &reason);
	return reason ? error_new(ERROR_OTHER, _("%s%s and a compile server exclude each other: %s"), dashes, name,
				  _(reason))
		      : error_new(ERROR_OTHER, _("%s%s is not an option for a compile server"), dashes, name);
}

bool server_option_takes(const char *name, bool has_argument)
{
	const struct row *row = find_row(name);

	return row && row->kind >= SERVER_OPTION_SENT &&
	       (row->argument == MAYBE || (row->argument == ONE) == has_argument);
}

enum privilege server_options_privilege(const GPtrArray *options)
{
	enum privilege privilege = PRIVILEGE_STAPDEV;

	for_each_ptr(const struct request_option *, option, options) {
		if (strcmp(option->name, "unprivileged") && strcmp(option->name, "privilege"))
			continue;
		/* Treat an unknown privilege as the lowest one. stap refuses it later. */
		if (!option->argument || !privilege_find(option->argument, &privilege))
			privilege = PRIVILEGE_STAPUSR;
	}
	return privilege;
}

/* Invalid limits are ignored here and refused by stap. */
static void note_limit(struct script_limits *limits, const struct request_option *option)
{
	g_auto(GStrv) parts = NULL;
	const struct limit *limit;

	if (!option->argument)
		return;
	parts = g_strsplit(option->argument, "=", 2);
	limit = !strcmp(option->name, "D") && parts[0] ? limit_find(parts[0]) : NULL;
	if (limit && limit->is_flag)
		*limit_value(limits, limit) = true;
	else if (limit && parts[1])
		limit_parse(limits, limit, parts[1], NULL);
	else if (!strcmp(option->name, "s"))
		limits->buffer_megabytes = g_ascii_strtoll(option->argument, NULL, 0);
}

struct error *server_limits_refusal(const GPtrArray *options)
{
	enum privilege privilege = server_options_privilege(options);
	struct script_limits limits;

	limits_set_standard(&limits);
	for_each_ptr(const struct request_option *, option, options) {
		note_limit(&limits, option);
		if (!strcmp(option->name, "suppress-handler-errors") && privilege != PRIVILEGE_STAPDEV)
			return error_new(ERROR_OTHER,
					 _("--suppress-handler-errors and --privilege=%s exclude each other"),
					 privilege_names[privilege]);
	}
	return limits_check(&limits, privilege);
}
