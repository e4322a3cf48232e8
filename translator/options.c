// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of stap: a table of options, each with what reads it and its line of --help; getopt_long() is told
 * from the same table. Options of the language's other implementation that are not built yet are rows, too, so that a
 * script's user is told "not supported yet" and not "unknown"; those that have no sense here say why, and end stap only
 * if what they ask for is not done. Nothing is accepted and then ignored.
 */
#include "translator/options.h"

#include <getopt.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "translator/util/diagnostic.h"
#include "translator/util/i18n.h"
#include "translator/util/paths.h"

/* What a handler has to go by. */
struct parsing {
	struct options *options;
	struct arena *arena;
	const struct option_row *row;
	const char *spelled; /* the option as the user wrote it */
	const char *argument; /* NULL: it has none */
	bool served; /* --help, --version: there is nothing left to do */
};

/* False: said what is wrong. */
typedef bool option_handler(struct parsing *p);

struct option_row {
	char letter; /* 0: it has none */
	const char *name; /* behind "--"; NULL: it has none */
	const char *argument; /* as --help shows it; "[=...]" may be left out; NULL: takes none */
	option_handler *set;
	size_t datum; /* of set(): the member of struct options, or a value */
	const char *help; /* NULL: not shown, being refused or another spelling */
	bool shapes; /* the module, which says so (emit/tables.c) */
};

static bool usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Always false, so that a caller can return it. */
static bool usage_error(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", _("ERROR"));
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n%s\n", _("Try 'stap --help'."));
	return false;
}

static bool parse_number(const char *text, int64_t low, int64_t high, int64_t *ret)
{
	char *end;

	*ret = g_ascii_strtoll(text, &end, 0);
	return *text && !*end && *ret >= low && *ret <= high;
}

/* ---- -D ---------------------------------------------------------------------------------------------------------- */

static bool is_macro_name(const char *name)
{
	size_t length = 0;

	while (g_ascii_isalnum(name[length]) || name[length] == '_')
		length++;
	return length && !g_ascii_isdigit(*name) && !name[length];
}

/* A name that is like that of a limit is more likely a slip than a macro. */
static void note_similar_limit(struct arena *arena, const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *near;

	for (size_t i = 0; i < limit_count; i++)
		if (!limit_table[i].is_option)
			g_ptr_array_add(names, (void *)limit_table[i].name);
	near = nearest_matches(arena, name, names, "", 3);
	if (near)
		fprintf(stderr, _("WARNING: -D %s is passed on to the C of the script; did you mean the limit %s?\n"),
			name, near);
}

static bool add_definition(struct options *options, struct arena *arena, const char *name, const char *value)
{
	if (!is_macro_name(name) || (value && strpbrk(value, "\n\\")))
		return usage_error(_("-D wants NAME or NAME=VALUE for a limit or a macro of the C, not '%s'"), name);
	note_similar_limit(arena, name);
	g_ptr_array_add(options->c_definitions, (void *)arena_printf(arena, "%s %s", name, value ?: "1"));
	return true;
}

static bool set_limit(struct parsing *p)
{
	struct options *options = p->options;
	g_auto(GStrv) parts = g_strsplit(p->argument, "=", 2);
	const struct limit *limit = limit_find(parts[0]);
	bool is_cut;

	if (limit && limit->is_flag) {
		*limit_value(&options->limits, limit) = true;
		return true;
	}
	if (limit) {
		const struct limit_range *possible = &limit->ranges[PRIVILEGE_STAPDEV];

		if (!parts[1] || !limit_parse(&options->limits, limit, parts[1], &is_cut))
			return usage_error(_("-D %s wants a number from %lld to %lld"), parts[0],
					   (long long)possible->low, (long long)possible->high);
		if (is_cut)
			fprintf(stderr, _("WARNING: -D %s=%s is beyond what is possible; %lld is taken\n"), limit->name,
				parts[1], (long long)*limit_value(&options->limits, limit));
		return true;
	}
	if (!strcmp(parts[0], "MAXUPROBES")) {
		fprintf(stderr, _("WARNING: -D %s has no effect: there is room for all places of programs\n"),
			parts[0]);
		return true;
	}
	return add_definition(options, p->arena, parts[0], parts[1]);
}

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

static void *member(struct parsing *p)
{
	return (char *)p->options + p->row->datum;
}

static bool set_flag(struct parsing *p)
{
	*(bool *)member(p) = true;
	return true;
}

static bool set_text(struct parsing *p)
{
	*(const char **)member(p) = p->argument;
	return true;
}

static bool add_text(struct parsing *p)
{
	g_ptr_array_add(*(GPtrArray **)member(p), (void *)p->argument);
	return true;
}

static bool add_setting(struct parsing *p)
{
	if (*p->argument != '=' && strchr(p->argument, '='))
		return add_text(p);
	if (p->row->letter)
		return usage_error(_("-%c wants NAME=VALUE, not '%s'"), p->row->letter, p->argument);
	return usage_error(_("--%s wants NAME=VALUE, not '%s'"), p->row->name, p->argument);
}

static bool add_verbosity(struct parsing *p)
{
	p->options->verbosity++;
	return true;
}

static bool set_pass_verbosity(struct parsing *p)
{
	const char *digits = p->argument;
	size_t length = strlen(digits);

	if (!length || length > 5 || strspn(digits, "0123456789") != length)
		return usage_error(_("--vp wants up to five digits, one per pass"));
	for (size_t i = 0; i < length; i++)
		p->options->pass_verbosity[i + 1] += digits[i] - '0';
	return true;
}

static bool set_color(struct parsing *p)
{
	const char *when = p->argument ?: "always";

	if (!strcmp(when, "auto"))
		return true;
	if (strcmp(when, "always") && strcmp(when, "never"))
		return usage_error(_("--color wants auto, always or never"));
	p->options->color = !strcmp(when, "always");
	return true;
}

/* The name becomes a file name, a C identifier and a kernel module's name: nothing else is let through. */
static bool set_module_name(struct parsing *p)
{
	enum { LONGEST = 55 /* what the kernel allows (MODULE_NAME_LEN - 1) */ };
	const char *name = p->argument;
	size_t length = strlen(name);

	if (g_str_has_suffix(name, ".ko"))
		name = arena_strndup(p->arena, name, length -= strlen(".ko"));
	if (!length || g_ascii_isdigit(*name) ||
	    strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != length)
		return usage_error(_("'%s' cannot be a module's name: letters, digits and '_'"), name);
	if (length > LONGEST) {
		name = arena_strndup(p->arena, name, LONGEST);
		fprintf(stderr, _("WARNING: a module's name has at most %d characters; this one is called %s\n"),
			LONGEST, name);
	}
	p->options->module_name = name;
	return true;
}

static bool set_script(struct parsing *p)
{
	if (p->options->script_text)
		return usage_error(_("only one of -e, -l, -L, --list-lines and --list-vars can be given, once"));
	p->options->script_text = p->argument;
	return true;
}

static bool set_listing(struct parsing *p)
{
	return set_flag(p) && set_script(p);
}

static bool set_pid(struct parsing *p)
{
	int64_t pid;

	if (!parse_number(p->argument, 1, INT32_MAX, &pid))
		return usage_error(_("option %s wants a process id, not '%s'"), p->spelled, p->argument);
	return set_text(p);
}

static bool set_timeout(struct parsing *p)
{
	int64_t seconds;

	if (!parse_number(p->argument, 1, 1000000, &seconds))
		return usage_error(_("-T wants a number of seconds, not '%s'"), p->argument);
	return set_text(p);
}

static bool set_last_pass(struct parsing *p)
{
	int64_t pass;

	if (!parse_number(p->argument, 1, 5, &pass))
		return usage_error(_("-p wants a pass from 1 to 5, not '%s'"), p->argument);
	p->options->last_pass = pass;
	return true;
}

static bool set_buffer(struct parsing *p)
{
	return parse_number(p->argument, 1, limit_highest("-s", PRIVILEGE_STAPDEV),
			    &p->options->limits.buffer_megabytes) ||
	       usage_error(_("-s wants a number of megabytes from 1 to 4095, not '%s'"), p->argument);
}

static bool set_output_limit(struct parsing *p)
{
	g_auto(GStrv) parts = g_strsplit(p->argument, ",", 2);
	int64_t megabytes, files = 1;

	if (parts[0] && parse_number(parts[0], 1, 1 << 20, &megabytes) &&
	    (!parts[1] || parse_number(parts[1], 1, 1000000, &files)))
		return set_text(p);
	return usage_error(_("-S wants a number of megabytes and, behind a comma, of files, not '%s'"), p->argument);
}

/* SECONDS, SECONDS,json or json; nothing: a second */
static bool set_monitor(struct parsing *p)
{
	enum { MOST_SECONDS = 86400 };
	const char *wish = p->argument ? p->argument : "1";
	g_auto(GStrv) parts = g_strsplit(wish, ",", 2);
	int64_t seconds;

	p->options->monitor = wish;
	if (!strcmp(wish, "json") ||
	    (parts[0] && parse_number(parts[0], 1, MOST_SECONDS, &seconds) && (!parts[1] || !strcmp(parts[1], "json"))))
		return true;
	return usage_error(_("--monitor wants a number of seconds, \"json\", or both with a comma, not '%s'"), wish);
}

/* Of this process and those that it starts. */
static bool limit_resource(struct parsing *p)
{
	struct rlimit limit;
	int64_t most;

	if (!parse_number(p->argument, 0, INT64_MAX, &most))
		return usage_error(_("option %s wants a number"), p->spelled);
	if (getrlimit(p->row->datum, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max = MIN(limit.rlim_max, (rlim_t)most);
		if (setrlimit(p->row->datum, &limit) == 0)
			return true;
	}
	return usage_error(_("option %s: %s"), p->spelled, g_strerror(errno));
}

/* "5.5" and older: a number, then numbers with points. */
static bool set_compatible(struct parsing *p)
{
	const char *version = p->argument;

	if (!g_ascii_isdigit(*version) || strspn(version, "0123456789.") != strlen(version))
		return usage_error(_("--compatible wants a version such as 4.2, not '%s'"), version);
	if (strverscmp(version, LANGUAGE_VERSION) > 0)
		return usage_error(_("--compatible=%s: this is version %s of the language"), version, LANGUAGE_VERSION);
	return set_text(p);
}

/* --privilege[=WHO], --unprivileged */
static bool set_privilege(struct parsing *p)
{
	const char *name = p->argument ?: "stapusr";
	enum privilege privilege;

	if (privilege_find(name, &privilege)) {
		p->options->privilege = privilege_names[privilege];
		return true;
	}
	return usage_error(_("--privilege wants stapusr, stapsys or stapdev, not '%s'"), p->argument);
}

static bool set_build_id(struct parsing *p)
{
	const char *digits = p->argument;

	if (!*digits || strspn(digits, "0123456789abcdef") != strlen(digits))
		return usage_error(_("--kernel-build-id wants hexadecimal digits, not '%s'"), digits);
	return set_text(p);
}

/* ---- compile servers --------------------------------------------------------------------------------------------- */

static bool add_server(struct parsing *p)
{
	const char *server = p->argument ?: "";

	if (*server == '-' || strpbrk(server, " \t\n/"))
		return usage_error(_("--use-server wants HOST or HOST:PORT, not '%s'"), server);
	g_ptr_array_add(p->options->servers, (void *)server);
	return true;
}

static bool set_server_on_error(struct parsing *p)
{
	const char *when = p->argument ?: "yes";

	if (strcmp(when, "yes") && strcmp(when, "no"))
		return usage_error(_("--use-server-on-error wants yes or no, not '%s'"), when);
	p->options->server_on_error = !strcmp(when, "yes");
	return true;
}

static bool set_one_trust(struct server_trust *trust, const char *word)
{
	if (!strcmp(word, "all-users"))
		trust->for_all = true;
	else if (!strcmp(word, "revoke"))
		trust->revokes = true;
	else if (!strcmp(word, "no-prompt") || g_str_has_prefix(word, "sha256:"))
		trust->fingerprint = word;
	else if (!strcmp(word, "signer"))
		return usage_error(_("--trust-servers=signer: whose modules unprivileged users may run is said by "
				     "certificates in %s (see staprun(8))"),
				   keys_folder());
	else if (strcmp(word, "ssl"))
		return usage_error(_("--trust-servers wants a fingerprint (sha256:...), ssl, no-prompt, all-users or "
				     "revoke, not '%s'"),
				   word);
	return true;
}

static bool set_trust(struct parsing *p)
{
	g_auto(GStrv) words = g_strsplit(p->argument ?: "ssl", ",", -1);

	p->options->trust.wanted = true;
	for (char **word = words; *word; word++)
		if (!set_one_trust(&p->options->trust, arena_strdup(p->arena, *word)))
			return false;
	return true;
}

static bool set_signing(struct parsing *p)
{
	p->options->signs = true;
	return set_text(p);
}

static bool set_dump(struct parsing *p)
{
	if (p->options->dump && p->options->dump != p->row->datum)
		return usage_error(_("only one list at a time can be asked for"));
	p->options->dump = p->row->datum;
	return true;
}

static bool check_architecture(struct parsing *p)
{
	return !strcmp(p->argument, "x86_64") || !strcmp(p->argument, "x86") ||
	       usage_error(_("-a %s: modules are made for x86_64, where this stap runs"), p->argument);
}

/* debuginfod is asked while DEBUGINFOD_URLS says where it is. */
static bool set_download(struct parsing *p)
{
	const char *how = p->argument ?: "yes";
	int64_t seconds;

	if (!strcmp(how, "no"))
		g_unsetenv("DEBUGINFOD_URLS");
	else if (parse_number(how, 1, INT32_MAX, &seconds))
		g_setenv("DEBUGINFOD_TIMEOUT", how, true);
	else if (strcmp(how, "yes") && strcmp(how, "ask"))
		return usage_error(_("--download-debuginfo wants yes, no, ask or a number of seconds, not '%s'"), how);
	if (strcmp(how, "no") && !g_getenv("DEBUGINFOD_URLS"))
		fprintf(stderr, _("WARNING: %s: DEBUGINFOD_URLS does not say where debuginfo can be had\n"),
			p->spelled);
	return true;
}

/* ---- what makes no sense here ------------------------------------------------------------------------------------ */

enum pointless { SEARCHED_PROLOGUES, TAPSET_COVERAGE, OWN_UPROBES, OTHER_RUNTIME, POINTLESS_COUNT_ };

static const char *const reasons[POINTLESS_COUNT_] = {
	[SEARCHED_PROLOGUES] = N_("parameters are found where debuginfo says, from the first instruction on"),
	[TAPSET_COVERAGE] = N_("there is no record of what of the library scripts use"),
	[OWN_UPROBES] = N_("kernels have uprobes themselves; no module is made for them"),
	[OTHER_RUNTIME] = N_("scripts run in the kernel: there is no other runtime"),
};

/* What was asked for is the case anyway, or changes nothing. */
static bool explain(struct parsing *p)
{
	fprintf(stderr, _("WARNING: %s has no effect: %s\n"), p->spelled, _(reasons[p->row->datum]));
	return true;
}

static bool explain_refusal(struct parsing *p)
{
	return usage_error("%s: %s", p->spelled, _(reasons[p->row->datum]));
}

static bool search_prologues(struct parsing *p)
{
	const char *when = p->argument ?: "always";

	if (!strcmp(when, "never") || !strcmp(when, "auto"))
		return true;
	return strcmp(when, "always") ? usage_error(_("option %s wants never, always or auto"), p->spelled)
				      : explain(p);
}

static bool check_runtime(struct parsing *p)
{
	return !strcmp(p->argument, "kernel") ||
	       usage_error(_("--runtime=%s is not supported; scripts run in the kernel"), p->argument);
}

static bool show_version(struct parsing *p)
{
	printf(_("Spile %s: translator and driver for the SystemTap language (version %s)\n"), PACKAGE_VERSION,
	       LANGUAGE_VERSION);
	p->served = true;
	return true;
}

static option_handler show_help;

/* --sysenv: those that decide where programs and libraries are. */
static bool set_environment(struct parsing *p)
{
	struct sysroot *environment = &p->options->environment;

	if (g_str_has_prefix(p->argument, "PATH="))
		environment->program_path = p->argument + strlen("PATH=");
	else if (g_str_has_prefix(p->argument, "LD_LIBRARY_PATH="))
		environment->library_path = p->argument + strlen("LD_LIBRARY_PATH=");
	else
		return usage_error(_("--sysenv=%s: only PATH=… and LD_LIBRARY_PATH=… change what is translated"),
				   p->argument);
	return true;
}

static bool refuse(struct parsing *p)
{
	return usage_error(_("option %s is not supported yet"), p->spelled);
}

/* ---- the options ------------------------------------------------------------------------------------------------- */

#define MEMBER(name) offsetof(struct options, name)

/* clang-format off */
static const struct option_row option_rows[] = {
	{'a', NULL, N_("ARCH"), check_architecture, 0, N_("the architecture to translate for: x86_64")},
	{'B', NULL, N_("NAME=VALUE"), add_setting, MEMBER(make_settings),
	 N_("tell this to make, which compiles the module without the cache then")},
	{'b', NULL, NULL, set_flag, MEMBER(bulk),
	 N_("bulk mode: a file for each processor, FILE_0 (-o) or stpd_cpu0 and so on"), true},
	{'c', NULL, N_("COMMAND"), set_text, MEMBER(command),
	 N_("run COMMAND, end when it ends; its process id is target()")},
	{'d', NULL, N_("MODULE"), add_text, MEMBER(line_modules),
	 N_("know the source lines of MODULE as well, if the script asks for lines"), true},
	{'D', NULL, N_("NAME=VALUE"), set_limit, 0,
	 N_("set a limit: MAXACTION, MAXMAPENTRIES, MAXSTRINGLEN, ... (see stap(1))"), true},
	{'E', NULL, N_("SCRIPT"), add_text, MEMBER(extra_texts), N_("also run this text"), true},
	{'e', NULL, N_("SCRIPT"), set_script, 0, N_("the script itself")},
	{'F', NULL, NULL, set_flag, MEMBER(background),
	 N_("leave the script to itself when it has begun; with -o, staprun writes FILE in the background")},
	{'G', NULL, N_("NAME=VALUE"), add_setting, MEMBER(global_settings),
	 N_("start with this value in global NAME"), true},
	{'g', NULL, NULL, set_flag, MEMBER(guru_mode), N_("guru mode: allow embedded C"), true},
	{'h', "help", NULL, show_help, 0, N_("this text")},
	{'I', NULL, N_("FOLDER"), add_text, MEMBER(tapset_folders), N_("look for tapsets in FOLDER as well"), true},
	{'k', NULL, NULL, set_flag, MEMBER(keep_folder), N_("keep the folder with the generated files")},
	{'L', NULL, N_("PROBE"), set_listing, MEMBER(list_variables),
	 N_("list the probe points that match, with their variables")},
	{'l', NULL, N_("PROBE"), set_listing, MEMBER(list), N_("list the probe points that match")},
	{'m', NULL, N_("NAME"), set_module_name, 0, N_("name of the module; with -p4 it is left here as NAME.ko")},
	{'o', NULL, N_("FILE"), set_text, MEMBER(output_file), N_("send the script's output to FILE")},
	{'p', NULL, N_("PASS"), set_last_pass, 0,
	 N_("stop after pass 1 (parse), 2 (analyze), 3 (translate), 4 (compile), 5 (run)")},
	{'R', NULL, N_("FOLDER"), set_text, MEMBER(runtime_folder),
	 N_("take the sources of the runtime from FOLDER"), true},
	{'r', NULL, N_("RELEASE"), set_text, MEMBER(release),
	 N_("translate for this kernel: a release, its beginning (6.1), or a build folder")},
	{'S', NULL, N_("MB[,N]"), set_output_limit, MEMBER(output_limit),
	 N_("with -o: files FILE.0, FILE.1 and so on of that size; only the newest N")},
	{'s', NULL, N_("MEGABYTES"), set_buffer, 0, N_("buffer size per processor"), true},
	{'T', NULL, N_("SECONDS"), set_timeout, MEMBER(stop_after), N_("end the script after this time"), true},
	{'t', NULL, NULL, set_flag, MEMBER(timing),
	 N_("at the end, say how often each probe was hit and how long it took"), true},
	{'u', NULL, NULL, set_flag, MEMBER(unoptimized), N_("do not optimise"), true},
	{'V', "version", NULL, show_version, 0, N_("print the version")},
	{'v', NULL, NULL, add_verbosity, 0, N_("say more; may be repeated")},
	{'W', NULL, NULL, set_flag, MEMBER(fatal_warnings), N_("treat warnings as errors")},
	{'w', NULL, NULL, set_flag, MEMBER(suppress_warnings), N_("no warnings")},
	{'x', NULL, N_("PID"), set_pid, MEMBER(target_pid), N_("make PID the value of target()")},
	{0, "all-modules", NULL, set_flag, MEMBER(all_modules),
	 N_("the same as -d kernel and a -d for each module that is loaded"), true},
	{0, "check-version", NULL, set_flag, MEMBER(check_version),
	 N_("warn about what other versions of the language see otherwise")},
	{0, "clean-cache", NULL, set_flag, MEMBER(clean_cache),
	 N_("remove from the cache what is beyond its limit, and end")},
	{0, "color", N_("[=WHEN]"), set_color, 0, N_("colour messages: auto, always, never")},
	{0, "colour", N_("[=WHEN]"), set_color, 0, NULL},
	{0, "compatible", N_("VERSION"), set_compatible, MEMBER(compatible),
	 N_("behave as that version of the language"), true},
	{0, "debug", NULL, set_flag, MEMBER(keep_debug), N_("modules keep their debug sections"), true},
	{0, "debuginfo", N_("FILE"), set_text, MEMBER(digest), N_("use the digest that --export-debuginfo wrote")},
	{0, "disable-cache", NULL, set_flag, MEMBER(disable_cache), N_("neither read nor write the cache")},
	{0, "download-debuginfo", N_("[=yes|no|ask|SECONDS]"), set_download, 0,
	 N_("fetch missing debuginfo (see DEBUGINFOD_URLS), or not, or no longer than that")},
	{0, "dump-functions", NULL, set_dump, DUMP_FUNCTIONS, N_("list the functions of the library")},
	{0, "dump-probe-aliases", NULL, set_dump, DUMP_ALIASES, N_("list the probe aliases of the library")},
	{0, "dump-probe-types", NULL, set_dump, DUMP_TYPES, N_("list the forms of probe points that are built in")},
	{0, "example", NULL, set_flag, MEMBER(example), N_("FILE is the name of an example that comes with Spile")},
	{0, "export-debuginfo", N_("FILE"), set_text, MEMBER(export_digest), N_("write a digest of debuginfo")},
	{0, "externs", NULL, set_flag, MEMBER(list_externs), N_("with --list-vars: file-level variables, too")},
	{0, "file", N_("PATH[:GUESTPATH]"), add_text, MEMBER(guest_files),
	 N_("bring a file or directory into the guest of --remote; may be repeated")},
	{0, "kernel-build-id", N_("DIGITS"), set_build_id, MEMBER(build_id),
	 N_("translate for no other kernel than the one with this build-id")},
	{0, "ldd", NULL, set_flag, MEMBER(with_libraries),
	 N_("stacks and symbols of the libraries of programs as well, in the module"), true},
	{0, "list-examples", NULL, set_flag, MEMBER(list_examples),
	 N_("list the examples that come with Spile, or those that have to do with a word")},
	{0, "list-lines", N_("PROBE"), set_listing, MEMBER(list_lines),
	 N_("show source with the lines that can be probed")},
	{0, "list-servers", NULL, set_flag, MEMBER(list_servers),
	 N_("list the compile servers that are known, and whether they are trusted")},
	{0, "list-vars", N_("PROBE"), set_listing, MEMBER(list_locations), N_("list where variables are")},
	{0, "modinfo", N_("NAME=VALUE"), add_setting, MEMBER(module_info),
	 N_("say this of the module (see modinfo(8))")},
	{0, "modules", N_("LIST"), set_text, MEMBER(export_modules),
	 N_("with --export-debuginfo: the digest has these, too")},
	{0, "monitor", N_("[=SECONDS[,json]]"), set_monitor, 0,
	 N_("show what the script does while it runs: on a screen, or as lines of JSON")},
	{0, "no-global-var-display", NULL, set_flag, MEMBER(no_global_display),
	 N_("do not show globals that are only written"), true},
	{0, "poison-cache", NULL, set_flag, MEMBER(poison_cache), N_("do not read the cache, but write it")},
	{0, "prepare", NULL, set_flag, MEMBER(prepare),
	 N_("make what the first script for a kernel would wait for (see stap-prep)")},
	{0, "privilege", N_("[=stapusr|stapsys|stapdev]"), set_privilege, 0,
	 N_("refuse what these users may not do"), true},
	{0, "remote", N_("HOST"), add_text, MEMBER(remotes),
	 N_("run on HOST: [USER@]HOST by ssh, vm: or unix:SOCKET in a guest, direct: here; may be repeated")},
	{0, "remote-prefix", NULL, set_flag, MEMBER(remote_prefix),
	 N_("begin each line of output with the number of its host")},
	{0, "rlimit-as", N_("BYTES"), limit_resource, RLIMIT_AS,
	 N_("limit the address space of this process, and of those that it starts")},
	{0, "rlimit-cpu", N_("SECONDS"), limit_resource, RLIMIT_CPU, N_("limit their processor time")},
	{0, "rlimit-fsize", N_("BYTES"), limit_resource, RLIMIT_FSIZE, N_("limit the size of files that they write")},
	{0, "rlimit-nproc", N_("NUMBER"), limit_resource, RLIMIT_NPROC,
	 N_("limit the number of processes of the user")},
	{0, "rlimit-stack", N_("BYTES"), limit_resource, RLIMIT_STACK, N_("limit their stacks")},
	{0, "runtime", N_("kernel"), check_runtime, 0, N_("scripts run in the kernel: there is no other runtime")},
	{0, "semantic-keep-going", NULL, set_flag, MEMBER(keep_going), N_("look for more mistakes in pass 2")},
	{0, "sign-module", N_("[=FOLDER]"), set_signing, MEMBER(signing_folder),
	 N_("sign the module with the key in FOLDER")},
	{0, "skip-badvars", NULL, set_flag, MEMBER(skip_bad_variables),
	 N_("context variables that are not there are 0"), true},
	{0, "suppress-handler-errors", NULL, set_flag, MEMBER(suppress_handler_errors),
	 N_("run-time errors do not end the script"), true},
	{0, "suppress-time-limits", NULL, set_flag, MEMBER(suppress_time_limits),
	 N_("no limits on statements and time (needs -g)"), true},
	{0, "sysenv", N_("NAME=VALUE"), set_environment, 0,
	 N_("PATH or LD_LIBRARY_PATH of the machine that runs the script"), true},
	{0, "sysroot", N_("FOLDER"), set_text, MEMBER(sysroot),
	 N_("look for kernels, programs and libraries below FOLDER, the root of that machine"), true},
	{0, "target-namespaces", N_("PID"), set_pid, MEMBER(namespaces_pid),
	 N_("ns_pid() and its like show numbers as this process sees them")},
	{0, "tmpdir", N_("FOLDER"), set_text, MEMBER(temporary_folder),
	 N_("put the generated files into FOLDER, which exists, and leave them there")},
	{0, "trust-servers", N_("[=FINGERPRINT|ssl|no-prompt|all-users|revoke,...]"), set_trust, 0,
	 N_("accept the compile server that --use-server names, or revoke that")},
	{0, "unprivileged", NULL, set_privilege, 0, N_("the same as --privilege=stapusr"), true},
	{0, "use-server", N_("[=HOST[:PORT]]"), add_server, MEMBER(servers),
	 N_("have a compile server translate the script; may be repeated: the first that answers")},
	{0, "use-server-on-error", N_("[=yes|no]"), set_server_on_error, 0,
	 N_("do so if the kernel, or what modules for it are built with, is not here")},
	{0, "vp", N_("12345"), set_pass_verbosity, 0, N_("verbosity of each pass, a digit each")},

	/* Known from the language's other implementation. They have no sense here... */
	{'P', NULL, NULL, explain, SEARCHED_PROLOGUES},
	{'q', NULL, NULL, explain, TAPSET_COVERAGE},
	{0, "bpf", NULL, explain_refusal, OTHER_RUNTIME},
	{0, "dyninst", NULL, explain_refusal, OTHER_RUNTIME},
	{0, "prologue-searching", "[=WHEN]", search_prologues, SEARCHED_PROLOGUES},
	{0, "save-uprobes", NULL, explain, OWN_UPROBES},

	/* ... or are not there yet. */
	{'i', "interactive", NULL, refuse},
};
/* clang-format on */

enum { FIRST_LONG = 256 /* getopt's value of row 0, if it was written as a long option */ };

static bool argument_is_optional(const struct option_row *row)
{
	return row->argument && *row->argument == '[';
}

/* "-c COMMAND", "-h, --help", "--vp=12345" */
static char *option_text(const struct option_row *row)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (row->letter)
		g_string_append_printf(text, "-%c", row->letter);
	if (row->name)
		g_string_append_printf(text, "%s--%s", row->letter ? ", " : "", row->name);
	if (row->argument)
		g_string_append_printf(text, "%s%s",
				       argument_is_optional(row) ? ""
				       : row->name		 ? "="
								 : " ",
				       _(row->argument));
	return g_strdup(text->str);
}

static bool show_help(struct parsing *p)
{
	printf("%s", _("Usage: stap [options] FILE [ARGUMENTS]       run the script in FILE (\"-\": standard input)\n"
		       "       stap [options] -e SCRIPT [ARGUMENTS]  run the given text\n"
		       "       stap [options] -l PROBE               list the probe points that match\n"
		       "       stap [options] -L PROBE               list them with their variables\n"
		       "       stap [options] --dump-functions | --dump-probe-aliases | --dump-probe-types\n"
		       "       stap [options] --export-debuginfo FILE [--modules LIST]  write a digest of debuginfo\n"
		       "       stap [options] --example NAME [ARGUMENTS]  run an example that comes with Spile\n"
		       "       stap --list-examples [WORD]           list them\n"
		       "       stap [options] --list-lines PROBE     show source with the lines that can be probed\n"
		       "       stap [options] --list-vars PROBE      list where variables are; --externs: file-level "
		       "ones too\n"
		       "\n"));
	for (size_t i = 0; i < G_N_ELEMENTS(option_rows); i++) {
		g_autofree char *option = option_rows[i].help ? option_text(&option_rows[i]) : NULL;

		/* TRANSLATORS: an option, and what it does. */
		if (option)
			printf(_("  %-13s  %s\n"), option, _(option_rows[i].help));
	}
	p->served = true;
	return true;
}

/* What getopt_long() wants to know. */
static struct option *long_options(struct arena *arena)
{
	struct option *all = arena_alloc(arena, sizeof(*all) * (G_N_ELEMENTS(option_rows) + 1)), *next = all;

	for (size_t i = 0; i < G_N_ELEMENTS(option_rows); i++) {
		const struct option_row *row = &option_rows[i];
		int argument = argument_is_optional(row) ? optional_argument
			       : row->argument		 ? required_argument
							 : no_argument;

		if (row->name)
			*next++ = (struct option){row->name, argument, NULL, FIRST_LONG + i};
	}
	*next = (struct option){0};
	return all;
}

static const char *short_options(struct arena *arena)
{
	/* ":": an argument that is missing is told from an option that there is not. */
	const char *letters = ":";

	for (size_t i = 0; i < G_N_ELEMENTS(option_rows); i++)
		if (option_rows[i].letter)
			letters = arena_printf(arena, "%s%c%s", letters, option_rows[i].letter,
					       option_rows[i].argument ? ":" : "");
	return letters;
}

static const struct option_row *find_row(int option)
{
	if (option >= FIRST_LONG)
		return &option_rows[option - FIRST_LONG];
	for (size_t i = 0; i < G_N_ELEMENTS(option_rows); i++)
		if (option_rows[i].letter == option)
			return &option_rows[i];
	return NULL;
}

/* The argument of a long option may be a word of its own, which getopt_long() has passed by then. */
static const char *spelled(struct arena *arena, int option, const struct option_row *row, const char *word)
{
	if (option < FIRST_LONG)
		return arena_printf(arena, "-%c", option);
	return g_str_has_prefix(word, "--") ? word : arena_printf(arena, "--%s", row->name);
}

/* What getopt_long() stumbled over; it has already moved on. */
static bool option_error(char **argv, int option)
{
	const char *word = argv[optind - 1];

	if (option == ':' && optopt && optopt < FIRST_LONG)
		return usage_error(_("option -%c wants an argument"), optopt);
	if (option == ':')
		return usage_error(_("option %s wants an argument"), word);
	if (optopt && optopt < FIRST_LONG)
		return usage_error(_("unknown option -%c"), optopt);
	return usage_error(_("unknown option %s"), word);
}

bool options_listing(const struct options *options)
{
	return options->list || options->list_variables || options->list_lines || options->list_locations;
}

/* A number, a word or a text without quotes in it, for which a macro of the C may stand without guru mode. */
static bool is_plain_value(const char *value)
{
	size_t length = strlen(value), quoted = length >= 2 && *value == '"' && value[length - 1] == '"';

	value += quoted || *value == '-';
	while (g_ascii_isalnum(*value) || *value == '_' || *value == '.')
		value++;
	return !strcmp(value, quoted ? "\"" : "");
}

/* What would bring C of the user's own into the module takes guru mode, and is not for others to be trusted with. */
static bool check_own_c(const struct options *options)
{
	bool is_trusted = !strcmp(options->privilege, "stapdev");

	for_each_ptr(const char *, definition, options->c_definitions) {
		int length = strcspn(definition, " ");

		if (!is_trusted)
			return usage_error(_("-D %.*s is no limit, and --privilege=%s allows limits alone"), length,
					   definition, options->privilege);
		if (!options->guru_mode && !is_plain_value(definition + length + 1))
			return usage_error(_("-D %.*s: without guru mode (-g) the value is a number or a word"), length,
					   definition);
	}
	if (!is_trusted && options->make_settings->len)
		return usage_error(_("-B and --privilege=%s exclude each other"), options->privilege);
	if (!is_trusted && options->runtime_folder)
		return usage_error(_("-R and --privilege=%s exclude each other"), options->privilege);
	return true;
}

/* Limits are there to protect the machine from users who are not trusted with it. */
static bool check_limits(const struct options *options)
{
	_cleanup_error_ struct error *error = NULL;
	enum privilege privilege;

	if (!privilege_find(options->privilege, &privilege))
		return false;
	error = limits_check(&options->limits, privilege);
	if (error) {
		error_report(error);
		return false;
	}
	if (options->suppress_handler_errors && privilege != PRIVILEGE_STAPDEV)
		return usage_error(_("--suppress-handler-errors and --privilege=%s exclude each other"),
				   options->privilege);
	return true;
}

/* What goes with compile servers, and a server's answer is for. */
static bool check_servers(const struct options *options)
{
	if (options->trust.wanted && !options->servers->len)
		return usage_error(_("--trust-servers goes with --use-server=HOST"));
	if (options->server_on_error && options->servers->len)
		return usage_error(_("--use-server-on-error and --use-server exclude each other: the first is for "
				     "when this stap cannot"));
	return true;
}

static bool check_combination(struct options *options)
{
	if (!check_servers(options))
		return false;
	if (options->trust.wanted || options->list_servers)
		return true;
	if (options->prepare && (options->script_text || options->script_path))
		return usage_error(_("--prepare is for a kernel, whatever the scripts; it takes none"));
	if (options->clean_cache || options->prepare || options->dump)
		return true;
	if (options->list_examples && (options->script_text || options->argument_count))
		return usage_error(_("--list-examples wants no more than a word"));
	if (options->list_examples)
		return true;
	if (options->guru_mode && strcmp(options->privilege, "stapdev"))
		return usage_error(_("-g and --privilege=%s exclude each other"), options->privilege);
	if (!check_own_c(options) || !check_limits(options))
		return false;
	if (options->export_modules && !options->export_digest)
		return usage_error(_("--modules goes with --export-debuginfo"));
	if (options->export_digest && (options->script_text || options->script_path))
		return usage_error(_("--export-debuginfo runs no script"));
	if (options->export_digest)
		return true;
	if (!options->script_text && !options->script_path)
		return usage_error(_("no script: name a file, \"-\", or give it with -e"));
	if (options->command && options->target_pid)
		return usage_error(_("-c and -x exclude each other"));
	if (options->example && (options->script_text || !strcmp(options->script_path, "-")))
		return usage_error(_("--example wants the name of an example"));
	if (options->list_externs && !options->list_locations)
		return usage_error(_("--externs goes with --list-vars"));
	if (options->output_limit && !options->output_file)
		return usage_error(_("-S goes with -o"));
	if (options->output_limit && options->remotes->len)
		return usage_error(_("-S is for scripts that run here, not with --remote"));
	if (options->background && options->command && !options->output_file)
		return usage_error(_("-F without -o and -c exclude each other: nobody would wait for the command"));
	if (options->background && options->bulk && !options->output_file)
		return usage_error(_("-F without -o and -b exclude each other: nobody would write the files"));
	if (options->background && options->remotes->len && options->output_file)
		return usage_error(_("-F with -o is for scripts that run here, not with --remote"));
	if (options->guest_files->len && !options->remotes->len)
		return usage_error(_("--file goes with --remote=vm: or unix:"));
	if (options->remote_prefix && !options->remotes->len)
		return usage_error(_("--remote-prefix goes with --remote"));
	if (options->monitor && options->background)
		return usage_error(_("--monitor and -F exclude each other: nobody would see what it shows"));
	if (options->monitor && options->remotes->len && options->output_file)
		return usage_error(_("--monitor with -o is for scripts that run here, not with --remote"));
	if (options->output_limit && options->bulk)
		return usage_error(_("-S and -b exclude each other"));
	if (options->temporary_folder && !g_file_test(options->temporary_folder, G_FILE_TEST_IS_DIR))
		return usage_error(_("--tmpdir: %s is no folder"), options->temporary_folder);
	if (options->suppress_time_limits && !options->guru_mode)
		return usage_error(_("--suppress-time-limits needs guru mode (-g)"));
	if (options->suppress_time_limits) {
		options->limits.no_overload = true;
		options->limits.max_action = options->limits.max_action_interruptible = INT32_MAX;
	}
	if (!options->limits.max_action_interruptible)
		options->limits.max_action_interruptible = MIN(options->limits.max_action * 10, (int64_t)INT32_MAX);
	return true;
}

static void set_standard(struct options *options, struct arena *arena)
{
	memset(options, 0, sizeof(*options));
	options->last_pass = 5;
	options->color = isatty(STDERR_FILENO);
	options->privilege = "stapdev";
	options->compatible = LANGUAGE_VERSION;
	options->release = g_getenv("SYSTEMTAP_RELEASE");
	options->tapset_folders = arena_ptr_array(arena);
	options->extra_texts = arena_ptr_array(arena);
	options->global_settings = arena_ptr_array(arena);
	options->c_definitions = arena_ptr_array(arena);
	options->line_modules = arena_ptr_array(arena);
	options->make_settings = arena_ptr_array(arena);
	options->module_info = arena_ptr_array(arena);
	options->remotes = arena_ptr_array(arena);
	options->guest_files = arena_ptr_array(arena);
	options->shaping = arena_ptr_array(arena);
	options->servers = arena_ptr_array(arena);
	options->given = arena_ptr_array(arena);
	limits_set_standard(&options->limits);
}

/* "-D MAXACTION=5", "--privilege=stapusr" */
static void note_shaping(const struct parsing *p)
{
	const char *argument = optarg ?: "";
	int length = strcspn(p->spelled, "=");

	if (p->row->shapes)
		g_ptr_array_add(p->options->shaping, arena_printf(p->arena, "%.*s%s%s", length, p->spelled,
								  !optarg		 ? ""
								  : p->spelled[1] == '-' ? "="
											 : " ",
								  argument));
}

static void note_given(const struct parsing *p)
{
	struct given_option *given = arena_new0(p->arena, struct given_option);

	given->name = p->row->letter ? arena_printf(p->arena, "%c", p->row->letter) : p->row->name;
	given->argument = p->argument;
	g_ptr_array_add(p->options->given, given);
}

enum options_outcome options_parse(struct options *options, struct arena *arena, int argc, char **argv)
{
	const struct option *names = long_options(arena);
	const char *letters = short_options(arena);
	struct parsing p = {.options = options, .arena = arena};
	int option;

	set_standard(options, arena);
	opterr = 0;
	while ((option = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		if (option == '?' || option == ':') {
			option_error(argv, option);
			return OPTIONS_ERROR;
		}
		p.row = find_row(option);
		p.argument = optarg;
		p.spelled = spelled(arena, option, p.row, argv[optind - 1]);
		if (!p.row->set(&p))
			return OPTIONS_ERROR;
		note_shaping(&p);
		note_given(&p);
		if (p.served)
			return OPTIONS_DONE;
	}
	if (!options->script_text && optind < argc)
		options->script_path = argv[optind++];
	options->arguments = argv + optind;
	options->argument_count = argc - optind;
	return check_combination(options) ? OPTIONS_RUN : OPTIONS_ERROR;
}
