// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-server: translate scripts for clients that have neither compilers nor debuginfo. This is its command line; see
 * service.c for listening, handler.c for serving a client, and sandbox.c for running translations.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/number.h"
#include "common/base/option_words.h"
#include "common/base/paths.h"
#include "common/base/standard_streams.h"
#include "common/wire/protocol.h"
#include "server/identity.h"
#include "server/sandbox.h"
#include "server/service.h"
#include "server/trust.h"

#define STATE_DIRECTORY "/var/lib/spile-server"
#define CACHE_DIRECTORY "/var/cache/spile-server"
#define USER "spile-server"

char *settings_clients_file(const struct server_settings *settings)
{
	return g_build_filename(settings->state_directory, "accepted-clients", NULL);
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

enum value { FLAG, TEXT, NUMBER, LIST, SHOW_HELP, SHOW_VERSION };

static const struct row {
	struct option_word word;
	enum value value;
	size_t datum; /* offset in struct server_settings */
	int64_t low, high; /* range of a number */
	const char *help; /* NULL: not in the list of options */
} rows[] = {
#define MEMBER(name) offsetof(struct server_settings, name)
	{'h', "help", NULL, SHOW_HELP},
	{'V', "version", NULL, SHOW_VERSION},
	{0, "accept-everybody", NULL, FLAG, MEMBER(accepts_everybody), 0, 0,
	 N_("translate for all clients, accepted or not; this gives them no rights")},
	{0, "address", N_("ADDRESS"), TEXT, MEMBER(address), 0, 0, N_("listen on this address only")},
	{0, "allow-build-roots", NULL, FLAG, MEMBER(allows_build_roots), 0, 0,
	 N_("let sandboxes create namespaces, for kernels with build roots (see stap-vm fetch)")},
	{0, "allow-guru", NULL, FLAG, MEMBER(allows_guru), 0, 0, N_("accept scripts in guru mode")},
	{0, "cache", N_("DIRECTORY"), TEXT, MEMBER(cache_directory), 0, 0, N_("cache directory")},
	{0, "connections", N_("NUMBER"), NUMBER, MEMBER(connections), 1, 10000,
	 N_("maximum number of clients (300); at most half from one network")},
	{0, "memory", N_("MEGABYTES"), NUMBER, MEMBER(memory), 64, 1 << 20, N_("memory limit of a request (4096)")},
	{0, "no-sandbox", NULL, FLAG, MEMBER(no_sandbox), 0, 0,
	 N_("translate without bubblewrap; only if no other user can reach the server")},
	{0, "port", N_("PORT"), TEXT, MEMBER(port), 0, 0, N_("listen on this port (7827)")},
	{0, "processes", N_("NUMBER"), NUMBER, MEMBER(processes), 8, 10000,
	 N_("maximum number of processes of a request (128)")},
	{0, "running", N_("NUMBER"), NUMBER, MEMBER(running), 1, 1000,
	 N_("maximum number of concurrent requests (number of CPUs)")},
	{0, "seconds", N_("NUMBER"), NUMBER, MEMBER(seconds), 1, 86400, N_("time limit of a request (120)")},
	{0, "show", N_("DIRECTORY"), LIST, MEMBER(shown), 0, 0,
	 N_("make a directory readable in sandboxes, for example one with kernels")},
	{0, "state", N_("DIRECTORY"), TEXT, MEMBER(state_directory), 0, 0,
	 N_("directory of keys and accepted clients")},
	{0, "user", N_("NAME"), TEXT, MEMBER(user), 0, 0, N_("user to run as, if started as root (spile-server)")},
	{0, "waiting", N_("NUMBER"), NUMBER, MEMBER(waiting), 0, 10000, N_("maximum number of waiting requests (200)")},
};

static const struct option_table option_table = OPTION_TABLE(rows);

static void set_standard(struct server_settings *settings)
{
	*settings = (struct server_settings){
		.state_directory = STATE_DIRECTORY,
		.cache_directory = CACHE_DIRECTORY,
		.port = SERVER_STANDARD_PORT,
		.running = sysconf(_SC_NPROCESSORS_ONLN),
		.waiting = 200,
		.connections = 300,
		.seconds = 120,
		.memory = 4096,
		.processes = 128,
		.shown = g_ptr_array_new(),
		.output = STDOUT_FILENO,
	};
}

static struct error *set(struct server_settings *settings, const struct row *row, const char *argument)
{
	void *member = (char *)settings + row->datum;

	switch (row->value) {
	case FLAG:
		*(bool *)member = true;
		return NULL;
	case TEXT:
		*(const char **)member = argument;
		return NULL;
	case LIST:
		g_ptr_array_add(*(GPtrArray **)member, g_canonicalize_filename(argument, NULL));
		return NULL;
	case NUMBER:
		if (parse_number(argument, 10, row->low, row->high, member))
			return NULL;
		break;
	case SHOW_HELP:
	case SHOW_VERSION:
		return NULL;
	}
	return error_new(ERROR_OTHER, _("--%s requires a number from %lld to %lld, not '%s'"), row->word.name,
			 (long long)row->low, (long long)row->high, argument);
}

static void show_help(void)
{
	printf(_("Usage: stap-server [options] run                     translate for clients\n"
		 "       stap-server accept FINGERPRINT|FILE NAME      accept a client\n"
		 "       stap-server reject NAME                       no longer accept it\n"
		 "       stap-server fingerprint                       print the fingerprint, for clients to compare\n"
		 "       stap-server certificate [FILE]                print the certificate of signed modules, for "
		 "%s\n"
		 "       stap-server prepare RELEASE...                build in advance what the first script for "
		 "a kernel would wait for\n"
		 "\n"),
	       keys_directory());
	option_words_show(&option_table, offsetof(struct row, help));
}

/*
 * @p served: set if only --help or --version was requested.
 */
static struct error *parse(struct server_settings *settings, int argc, char **argv, bool *served)
{
	struct error *error = NULL;
	struct option_words words;
	int option;

	option_words_make(&option_table, "", &words);
	while (!error && (option = getopt_long(argc, argv, words.letters, words.names, NULL)) != -1) {
		const struct row *row = option_row_of(&option_table, option);

		if (row && row->value == SHOW_HELP)
			show_help();
		else if (row && row->value == SHOW_VERSION)
			printf("stap-server (Spile) %s\n", PACKAGE_VERSION);
		else if (row)
			error = set(settings, row, optarg);
		else
			error = error_new(ERROR_OTHER, _("Try '%s --help'."), "stap-server");
		*served = *served || (row && (row->value == SHOW_HELP || row->value == SHOW_VERSION));
	}
	settings->state_directory = g_canonicalize_filename(settings->state_directory, NULL);
	settings->cache_directory = g_canonicalize_filename(settings->cache_directory, NULL);
	return error;
}

/* ---- who it is --------------------------------------------------------------------------------------------------- */

/* Become another user: root must not process data from strangers. */
static struct error *give_up_root(const struct server_settings *settings)
{
	const char *name = settings->user ?: USER;
	const struct passwd *user;

	if (geteuid() || !strcmp(name, "root"))
		return NULL;
	user = getpwnam(name);
	if (!user)
		return error_with_hint(
			error_new(ERROR_LOOKUP, _("user %s does not exist"), name),
			_("run 'adduser --system --group --home %s %s', or start stap-server as another user "
			  "or with --user=NAME"),
			STATE_DIRECTORY, name);
	if (initgroups(name, user->pw_gid) || setresgid(user->pw_gid, user->pw_gid, user->pw_gid) ||
	    setresuid(user->pw_uid, user->pw_uid, user->pw_uid))
		return error_errno(_("cannot become user %s"), name);
	return NULL;
}

static struct error *own_identity(const struct server_settings *settings, struct identity *ret)
{
	return identity_provide(settings->state_directory, "server", IDENTITY_OF_TLS, "stap-server", ret);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

typedef struct error *command(const struct server_settings *settings, char **words);

/* Create the directories that sandboxes use as mount points. */
static struct error *make_directories(const struct server_settings *settings)
{
	g_autofree char *modules = g_build_filename(settings->cache_directory, "modules", NULL);

	umask(022);
	if (g_mkdir_with_parents(modules, 0755))
		return error_errno(_("cannot make %s"), modules);
	return NULL;
}

static struct error *run(const struct server_settings *settings, char **words)
{
	struct identity identity = {0};
	SSL_CTX *context = NULL;
	struct error *error = make_directories(settings);

	error = error ?: sandbox_check(settings);
	error = error ?: own_identity(settings, &identity);
	error = error ?: identity_context(&identity, true, &context);
	identity_clear(&identity);
	/* Only root may read this process's memory, which holds the TLS key. */
	prctl(PR_SET_DUMPABLE, 0);
	error = error ?: service_run(settings, context);
	SSL_CTX_free(context);
	return error;
}

static struct error *accept_client(const struct server_settings *settings, char **words)
{
	g_autofree char *path = settings_clients_file(settings), *fingerprint = NULL;
	struct error *error = NULL;

	if (is_fingerprint(words[0]))
		fingerprint = g_strdup(words[0]);
	else
		error = fingerprint_of_file(words[0], &fingerprint);
	if (!error && strpbrk(words[1], " \t\n#"))
		error = error_new(ERROR_OTHER, _("invalid client name '%s': white space and '#' are not allowed"),
				  words[1]);
	return error ?: trust_set(path, words[1], fingerprint);
}

static struct error *reject_client(const struct server_settings *settings, char **words)
{
	g_autofree char *path = settings_clients_file(settings), *there = trust_find(path, words[0]);

	return there ? trust_set(path, words[0], NULL)
		     : error_new(ERROR_LOOKUP, _("client %s is not in %s"), words[0], path);
}

static struct error *show_fingerprint(const struct server_settings *settings, char **words)
{
	struct identity identity;
	struct error *error = own_identity(settings, &identity);

	if (!error)
		identity_print_fingerprint(&identity);
	identity_clear(&identity);
	return error;
}

static struct error *show_certificate(const struct server_settings *settings, char **words)
{
	struct identity signer;
	struct error *error =
		identity_provide(settings->state_directory, "signer", IDENTITY_OF_SIGNER, "stap-server", &signer);

	error = error ?: certificate_export(signer.certificate, settings->output);
	identity_clear(&signer);
	return error;
}

/* Prepare a kernel and show the messages of stap. */
static struct error *prepare_one(const struct server_settings *settings, struct arena *arena, const char *release)
{
	struct translation_process process;
	struct error *error = sandbox_start_preparation(settings, arena, release, &process);
	int status = 0;

	if (!error)
		sandbox_show(&process, &status);
	if (!error && status)
		error = error_new(ERROR_OTHER, _("cannot prepare kernel %s"), release);
	sandbox_end(&process);
	return error;
}

static struct error *prepare(const struct server_settings *settings, char **words)
{
	struct arena *arena = arena_new();
	struct error *error = make_directories(settings);

	error = error ?: sandbox_check(settings);
	for (; *words && !error; words++)
		error = prepare_one(settings, arena, *words);
	arena_free(arena);
	return error;
}

static const struct {
	const char *name;
	int fewest, most; /* number of arguments */
	command *serve;
} commands[] = {
	{"run", 0, 0, run},
	{"accept", 2, 2, accept_client},
	{"reject", 1, 1, reject_client},
	{"fingerprint", 0, 0, show_fingerprint},
	{"certificate", 0, 1, show_certificate},
	{"prepare", 1, 1000, prepare},
};

/* Open the FILE of "certificate FILE" before giving up root, because it is often in a directory of root. */
static struct error *open_output(struct server_settings *settings, char **words)
{
	if (!*words || strcmp(words[0], "certificate") || !words[1])
		return NULL;
	settings->output = open(words[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	return settings->output < 0 ? error_errno(_("cannot write %s"), words[1]) : NULL;
}

static struct error *serve(const struct server_settings *settings, char **words)
{
	int count = g_strv_length(words) - 1;

	for (size_t i = 0; i < G_N_ELEMENTS(commands) && *words; i++)
		if (!strcmp(words[0], commands[i].name) && count >= commands[i].fewest && count <= commands[i].most)
			return commands[i].serve(settings, words + 1);
	return error_new(ERROR_OTHER, _("Try '%s --help'."), "stap-server");
}

int main(int argc, char **argv)
{
	struct server_settings settings;
	bool served = false;
	struct error *error;

	standard_streams_open();
	i18n_init(locale_directory());
	set_standard(&settings);
	error = parse(&settings, argc, argv, &served);
	if (!error && served)
		return standard_output_finish(EXIT_SUCCESS);
	error = error ?: open_output(&settings, argv + optind);
	error = error ?: sandbox_hides(&settings, settings.state_directory);
	error = error ?: give_up_root(&settings);
	error = error ?: serve(&settings, argv + optind);
	return standard_output_finish(error_report_free(error) ? EXIT_FAILURE : EXIT_SUCCESS);
}
