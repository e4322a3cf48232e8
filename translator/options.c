// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parse the command line of stap with a table of options: each row has the function that handles it and its line of
 * --help. The tables for getopt_long() are generated from it.
 *
 * Options of SystemTap that make no sense here have rows, too: they print why, and are an error only if stap would not
 * do what they ask for. No option is ignored silently.
 */
#include "translator/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/utf8.h"
#include "common/user_directories.h"
#include "common/base/i18n.h"
#include "common/base/message.h"
#include "common/base/number.h"
#include "common/base/option_words.h"
#include "common/base/paths.h"
#include "common/nearest.h"
#include "common/report_formats.h"

/* Arguments of an option_handler. */
struct parsing {
	struct options *options;
	struct arena *arena;
	const struct option_row *row;
	const char *spelled; /* the option as the user wrote it */
	const char *argument; /* or NULL */
	bool served; /* set by --help and --version: exit without running a script */
};

/* Return false after printing an error. */
typedef bool option_handler(struct parsing *p);

struct option_row {
	struct option_word word;
	option_handler *set;
	size_t datum; /* for set(): the offset of a member of struct options, or a value */
	const char *help; /* NULL: not in --help, because it is refused or another spelling */
	bool shapes; /* changes the module, which records the option (emit/tables.c) */
};

static bool usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print an error. Return false, for callers to return. */
static bool usage_error(const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	if (messages_are_json()) {
		message_print(MESSAGE_ERROR, text, _("Try 'stap --help'."), NULL);
	} else {
		message_print(MESSAGE_ERROR, text, NULL, NULL);
		fprintf(stderr, "%s\n", _("Try 'stap --help'."));
	}
	return false;
}

/* ---- -D ---------------------------------------------------------------------------------------------------------- */

static bool is_macro_name(const char *name)
{
	size_t length = 0;

	while (g_ascii_isalnum(name[length]) || name[length] == '_')
		length++;
	return length && !g_ascii_isdigit(*name) && !name[length];
}

/* Warn if the name of a macro resembles that of a limit: it may be a typing error. */
static void note_similar_limit(struct arena *arena, const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const GPtrArray *near;

	for (size_t i = 0; i < limit_count; i++)
		if (!limit_table[i].is_option)
			g_ptr_array_add(names, (void *)limit_table[i].name);
	near = nearest_matches(arena, name, names, "", 3);
	if (near)
		message_warn(_("-D %s defines a macro of the C code; did you mean the limit %s?"), name,
			     names_join(arena, near));
}

static bool add_definition(struct options *options, struct arena *arena, const char *name, const char *value)
{
	if (!is_macro_name(name) || (value && strpbrk(value, "\n\\")))
		return usage_error(_("-D requires NAME or NAME=VALUE for a limit or a C macro, not '%s'"), name);
	note_similar_limit(arena, name);
	g_ptr_array_add(options->c_definitions, (void *)arena_printf(arena, "%s %s", name, value ?: "1"));
	return true;
}

static bool set_limit(struct parsing *p)
{
	struct options *options = p->options;
	/* An empty text has no parts. */
	g_auto(GStrv) parts = g_strsplit(*p->argument ? p->argument : "=", "=", 2);
	const struct limit *limit = limit_find(parts[0]);
	bool is_cut;

	if (limit && limit->is_flag) {
		*limit_value(&options->limits, limit) = true;
		return true;
	}
	if (limit) {
		const struct limit_range *possible = &limit->ranges[PRIVILEGE_STAPDEV];

		if (!parts[1] || !limit_parse(&options->limits, limit, parts[1], &is_cut))
			return usage_error(_("-D %s requires a number from %lld to %lld"), parts[0],
					   (long long)possible->low, (long long)possible->high);
		if (is_cut)
			message_warn(_("-D %s=%s is out of range; using %lld"), limit->name, parts[1],
				     (long long)*limit_value(&options->limits, limit));
		return true;
	}
	if (!strcmp(parts[0], "MAXUPROBES")) {
		message_warn(_("-D %s has no effect: the number of probes in programs is not limited"), parts[0]);
		return true;
	}
	if (!strcmp(parts[0], "STP_FORCE_STDOUT_TTY")) {
		message_warn(_("-D %s has no effect: output is written as promptly to a file or pipe as to a terminal"),
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

static bool add_guest_file(struct parsing *p)
{
	if (!*p->argument || *p->argument == ':')
		return usage_error(_("--file requires HOSTPATH[:GUESTPATH], not '%s'"), p->argument);
	return add_text(p);
}

static bool add_setting(struct parsing *p)
{
	if (*p->argument != '=' && strchr(p->argument, '='))
		return add_text(p);
	if (p->row->word.letter)
		return usage_error(_("-%c requires NAME=VALUE, not '%s'"), p->row->word.letter, p->argument);
	return usage_error(_("--%s requires NAME=VALUE, not '%s'"), p->row->word.name, p->argument);
}

/*
 * Fields of .modinfo that have a meaning for the kernel (kernel/module/main.c and those of distributions), for modpost,
 * or for the programs of kmod and of the initramfs; and those that would make modinfo(8) or staprun -h show something
 * untrue.
 */
static const char *const read_fields[] = {
	"vermagic", "name",	 "license",	 "intree",     "staging",   "retpoline",   "livepatch",
	"test",	    "import_ns", "version",	 "srcversion", "supported", "rhelversion", "depends",
	"alias",    "softdep",	 "weakdep",	 "firmware",   "parm",	    "parmtype",	   "signature",
	"sig_id",   "sig_key",	 "sig_hashalgo", "signer",     "filename",  "built-in",	   "file",
};

static bool is_read_field(const char *setting)
{
	size_t length = strcspn(setting, "=");

	for (size_t i = 0; i < G_N_ELEMENTS(read_fields); i++)
		if (strlen(read_fields[i]) == length && !strncmp(read_fields[i], setting, length))
			return true;
	return g_str_has_prefix(setting, "spile_");
}

static bool add_module_info(struct parsing *p)
{
	if (is_read_field(p->argument))
		return usage_error(_("--%s=%s is refused: the kernel and its tools read the field %.*s"),
				   p->row->word.name, p->argument, (int)strcspn(p->argument, "="), p->argument);
	return add_setting(p);
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
		return usage_error(_("--vp requires up to five digits, one per pass"));
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
		return usage_error(_("--color requires auto, always or never"));
	p->options->color = !strcmp(when, "always");
	return true;
}

/* Accept only names that are valid as a file name, as a C identifier and as the name of a kernel module. */
static bool set_module_name(struct parsing *p)
{
	enum { LONGEST = 55 /* MODULE_NAME_LEN - 1 of the kernel */ };
	const char *name = p->argument;
	size_t length = strlen(name);

	if (g_str_has_suffix(name, ".ko"))
		name = arena_strndup(p->arena, name, length -= strlen(".ko"));
	if (!length || g_ascii_isdigit(*name) ||
	    strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != length)
		return usage_error(_("invalid module name '%s': use letters, digits and '_', and no leading digit"),
				   name);
	if (length > LONGEST) {
		name = arena_strndup(p->arena, name, LONGEST);
		message_warn(_("a module name has at most %d characters; using %s"), LONGEST, name);
	}
	p->options->module_name = name;
	return true;
}

static bool set_script(struct parsing *p)
{
	if (p->options->script_text)
		return usage_error(
			_("only one of -e, -l, -L, --list-lines and --list-vars may be given, and only once"));
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

	if (!parse_number(p->argument, 0, 1, INT32_MAX, &pid))
		return usage_error(_("option %s requires a process ID, not '%s'"), p->spelled, p->argument);
	return set_text(p);
}

static bool set_timeout(struct parsing *p)
{
	int64_t seconds;

	if (!parse_number(p->argument, 0, 1, 1000000, &seconds))
		return usage_error(_("-T requires a number of seconds, not '%s'"), p->argument);
	return set_text(p);
}

static bool set_last_pass(struct parsing *p)
{
	int64_t pass;

	if (!parse_number(p->argument, 0, 1, 5, &pass))
		return usage_error(_("-p requires a pass from 1 to 5, not '%s'"), p->argument);
	p->options->last_pass = pass;
	return true;
}

static bool set_buffer(struct parsing *p)
{
	return parse_number(p->argument, 0, 1, limit_highest("-s", PRIVILEGE_STAPDEV),
			    &p->options->limits.buffer_megabytes) ||
	       usage_error(_("-s requires a number of megabytes from 1 to 4095, not '%s'"), p->argument);
}

static bool set_output_limit(struct parsing *p)
{
	int64_t megabytes, files;
	const char *rest = parse_number_at(p->argument, 0, 1, 1 << 20, &megabytes);

	if (rest && (!*rest || (*rest == ',' && parse_number(rest + 1, 0, 1, 1000000, &files))))
		return set_text(p);
	return usage_error(_("-S requires a number of megabytes, or MEGABYTES,FILES, not '%s'"), p->argument);
}

enum { MOST_SECONDS = 86400 }; /* between two reports of a script that runs */

/* --monitor[=SECONDS | SECONDS,json | json]; the default is one second. */
static bool set_monitor(struct parsing *p)
{
	const char *wish = p->argument ? p->argument : "1";
	int64_t seconds;
	const char *rest = parse_number_at(wish, 0, 1, MOST_SECONDS, &seconds);

	p->options->monitor = wish;
	if (!strcmp(wish, "json") || (rest && (!*rest || !strcmp(rest, ",json"))))
		return true;
	return usage_error(_("--monitor requires a number of seconds, \"json\", or SECONDS,json, not '%s'"), wish);
}

/* Parse "SECONDS" or "SECONDSs", an interval. */
static bool parse_interval(const char *text, int *ret)
{
	int64_t seconds;
	const char *rest = parse_number_at(text, 10, 1, MOST_SECONDS, &seconds);

	*ret = rest ? (int)seconds : 0;
	return rest && (!*rest || !strcmp(rest, "s"));
}

/* Report a wrong interval after the value of an option. */
static bool wrong_interval(const char *option, const char *text)
{
	return usage_error(_("%s requires a number of seconds from 1 to %d after the comma, not '%s'"), option,
			   MOST_SECONDS, text);
}

static bool is_json_format(const char *argument)
{
	return !strcmp(argument, "json") || g_str_has_prefix(argument, "json,");
}

/*
 * --format=text|json[,SECONDS]; options_parse() has already selected the format of messages, so that errors about other
 * options are JSON, too.
 */
static bool set_format(struct parsing *p)
{
	const char *interval = g_str_has_prefix(p->argument, "json,") ? strchr(p->argument, ',') + 1 : NULL;

	p->options->json = is_json_format(p->argument);
	p->options->snapshot_seconds = 0;
	if (interval && !parse_interval(interval, &p->options->snapshot_seconds))
		return wrong_interval("--format=json", interval);
	return p->options->json || !strcmp(p->argument, "text") ||
	       usage_error(_("--format requires text, json, or json,SECONDS, not '%s'"), p->argument);
}

/* --report=FILE[,SECONDS]. On a terminal, the report is refreshed each second. */
static bool set_report(struct parsing *p)
{
	const char *comma = strrchr(p->argument, ',');
	int seconds;

	p->options->report = p->argument;
	p->options->snapshot_seconds = !strcmp(p->argument, "-") && isatty(STDOUT_FILENO);
	if (comma && parse_interval(comma + 1, &seconds)) {
		p->options->report = arena_printf(p->arena, "%.*s", (int)(comma - p->argument), p->argument);
		p->options->snapshot_seconds = seconds;
	} else if (comma) {
		g_autofree char *file = g_strndup(p->argument, (size_t)(comma - p->argument));

		if (report_format_of_file(file) < REPORT_FORMAT_COUNT_)
			return wrong_interval("--report", comma + 1);
	}
	return *p->options->report || usage_error(_("--report requires the name of a file, or -"));
}

static bool add_release(struct parsing *p)
{
	p->options->release = p->argument;
	return add_text(p);
}

/* Limit a resource of this process; child processes inherit the limit. */
static bool limit_resource(struct parsing *p)
{
	struct rlimit limit;
	int64_t most;

	if (!parse_number(p->argument, 0, 0, INT64_MAX, &most))
		return usage_error(_("option %s requires a number"), p->spelled);
	if (getrlimit(p->row->datum, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max = MIN(limit.rlim_max, (rlim_t)most);
		if (setrlimit(p->row->datum, &limit) == 0)
			return true;
	}
	return usage_error(_("option %s: %s"), p->spelled, g_strerror(errno));
}

static bool set_compatible(struct parsing *p)
{
	const char *version = p->argument;

	if (!g_ascii_isdigit(*version) || strspn(version, "0123456789.") != strlen(version))
		return usage_error(_("--compatible requires a version such as 4.2, not '%s'"), version);
	if (strverscmp(version, LANGUAGE_VERSION) > 0)
		return usage_error(_("--compatible=%s: the newest supported version of the language is %s"), version,
				   LANGUAGE_VERSION);
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
	return usage_error(_("--privilege requires stapusr, stapsys or stapdev, not '%s'"), p->argument);
}

static bool set_build_id(struct parsing *p)
{
	const char *digits = p->argument;

	if (!*digits || strspn(digits, "0123456789abcdef") != strlen(digits))
		return usage_error(_("--kernel-build-id requires hexadecimal digits, not '%s'"), digits);
	return set_text(p);
}

/* ---- compile servers --------------------------------------------------------------------------------------------- */

static bool add_server(struct parsing *p)
{
	const char *server = p->argument ?: "";

	if (*server == '-' || strpbrk(server, " \t\n/"))
		return usage_error(_("--use-server requires HOST or HOST:PORT, not '%s'"), server);
	g_ptr_array_add(p->options->servers, (void *)server);
	return true;
}

static bool set_server_on_error(struct parsing *p)
{
	const char *when = p->argument ?: "yes";

	if (strcmp(when, "yes") && strcmp(when, "no"))
		return usage_error(_("--use-server-on-error requires yes or no, not '%s'"), when);
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
		return usage_error(
			_("--trust-servers=signer is not supported: to let unprivileged users run a server's "
			  "modules, put its certificate into %s (see staprun(8))"),
			keys_directory());
	else if (strcmp(word, "ssl"))
		return usage_error(
			_("--trust-servers requires a fingerprint (sha256:...), ssl, no-prompt, all-users or "
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
		return usage_error(_("only one of the options --dump-... may be given"));
	p->options->dump = p->row->datum;
	return true;
}

static bool set_architecture(struct parsing *p)
{
	p->options->architecture = architecture_by_name(p->argument);
	return p->options->architecture ||
	       usage_error(_("-a %s: the supported architectures are x86_64 and arm64"), p->argument);
}

/* libdebuginfod downloads only if DEBUGINFOD_URLS is set. */
static bool set_download(struct parsing *p)
{
	const char *how = p->argument ?: "yes";
	int64_t seconds;

	if (!strcmp(how, "no"))
		g_unsetenv("DEBUGINFOD_URLS");
	else if (parse_number(how, 0, 1, INT32_MAX, &seconds))
		g_setenv("DEBUGINFOD_TIMEOUT", how, true);
	else if (strcmp(how, "yes") && strcmp(how, "ask"))
		return usage_error(_("--download-debuginfo requires yes, no, ask or a number of seconds, not '%s'"),
				   how);
	if (strcmp(how, "no") && !g_getenv("DEBUGINFOD_URLS"))
		message_warn(_("%s has no effect: DEBUGINFOD_URLS is not set"), p->spelled);
	return true;
}

/* ---- options that make no sense here ----------------------------------------------------------------------------- */

enum pointless { SEARCHED_PROLOGUES, TAPSET_COVERAGE, OWN_UPROBES, OTHER_RUNTIME, OWN_BENCHMARK, POINTLESS_COUNT_ };

static const char *const reasons[POINTLESS_COUNT_] = {
	[SEARCHED_PROLOGUES] = N_("debuginfo locates parameters from a function's first instruction on"),
	[TAPSET_COVERAGE] = N_("the use of library functions is not recorded"),
	[OWN_UPROBES] = N_("uprobes are part of the kernel; no module is compiled for them"),
	[OWN_BENCHMARK] = N_("stap contains no benchmark; use -t to measure the marks of a program"),
	[OTHER_RUNTIME] = N_("scripts run in the kernel; other runtimes are not supported"),
};

/* Warn about an option that changes nothing here. */
static bool explain(struct parsing *p)
{
	message_warn(_("%s has no effect: %s"), p->spelled, _(reasons[p->row->datum]));
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
	return strcmp(when, "always") ? usage_error(_("option %s requires never, always or auto"), p->spelled)
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

/* --sysenv: accept only the variables with the search paths of programs and libraries. */
static bool set_environment(struct parsing *p)
{
	struct sysroot *environment = &p->options->environment;

	if (g_str_has_prefix(p->argument, "PATH="))
		environment->program_path = p->argument + strlen("PATH=");
	else if (g_str_has_prefix(p->argument, "LD_LIBRARY_PATH="))
		environment->library_path = p->argument + strlen("LD_LIBRARY_PATH=");
	else
		return usage_error(_("--sysenv=%s: only PATH=… and LD_LIBRARY_PATH=… affect the translation"),
				   p->argument);
	return true;
}

/* ---- the options ------------------------------------------------------------------------------------------------- */

#define MEMBER(name) offsetof(struct options, name)

/* clang-format off */
static const struct option_row option_rows[] = {
	{'a', NULL, N_("ARCH"), set_architecture, 0,
	 N_("translate for a kernel of this architecture: x86_64 or arm64")},
	{'B', NULL, N_("NAME=VALUE"), add_setting, MEMBER(make_settings),
	 N_("pass this argument to make; the module is compiled without the cache")},
	{'b', NULL, NULL, set_flag, MEMBER(bulk),
	 N_("bulk mode: write a file for each CPU, FILE_0 (-o) or stpd_cpu0 and so on"), true},
	{'c', NULL, N_("COMMAND"), set_text, MEMBER(command),
	 N_("run COMMAND, and end when it ends; its process ID is target()")},
	{'d', NULL, N_("MODULE"), add_text, MEMBER(line_modules),
	 N_("include data about MODULE: a kernel module, program or library; may be repeated"), true},
	{'D', NULL, N_("NAME=VALUE"), set_limit, 0,
	 N_("set a limit: MAXACTION, MAXMAPENTRIES, MAXSTRINGLEN, ... (see stap(1))"), true},
	{'E', NULL, N_("SCRIPT"), add_text, MEMBER(extra_texts), N_("run this text, too"), true},
	{'e', NULL, N_("SCRIPT"), set_script, 0, N_("run this text")},
	{'F', NULL, NULL, set_flag, MEMBER(background),
	 N_("exit when the script has started; with -o, staprun writes FILE in the background")},
	{'G', NULL, N_("NAME=VALUE"), add_setting, MEMBER(global_settings),
	 N_("set the initial value of global NAME"), true},
	{'g', NULL, NULL, set_flag, MEMBER(guru_mode), N_("guru mode: allow embedded C"), true},
	{'h', "help", NULL, show_help, 0, N_("print this help")},
	{'I', NULL, N_("DIRECTORY"), add_text, MEMBER(tapset_directories), N_("search DIRECTORY for tapsets, too"),
	 true},
	{'i', "interactive", NULL, set_flag, MEMBER(interactive),
	 N_("enter a script line by line, and run it (see stap-interactive(1))")},
	{'k', NULL, NULL, set_flag, MEMBER(keep_directory), N_("keep the directory with the generated files")},
	{'L', NULL, N_("PROBE"), set_listing, MEMBER(list_variables),
	 N_("list the probe points that match, with their variables")},
	{'l', NULL, N_("PROBE"), set_listing, MEMBER(list), N_("list the probe points that match")},
	{'m', NULL, N_("NAME"), set_module_name, 0,
	 N_("name the module; with -p4, write it to NAME.ko in this directory")},
	{'o', NULL, N_("FILE"), set_text, MEMBER(output_file), N_("write the script's output to FILE")},
	{'p', NULL, N_("PASS"), set_last_pass, 0,
	 N_("stop after pass 1 (parse), 2 (analyze), 3 (translate), 4 (compile), 5 (run)")},
	{'R', NULL, N_("DIRECTORY"), set_text, MEMBER(runtime_directory),
	 N_("use the sources of the runtime in DIRECTORY"), true},
	{'r', NULL, N_("RELEASE"), add_release, MEMBER(releases),
	 N_("translate for this kernel: a release, its beginning (6.1), or a build directory")},
	{'S', NULL, N_("MB[,N]"), set_output_limit, MEMBER(output_limit),
	 N_("with -o: write files FILE.0, FILE.1 and so on of that size; keep the newest N")},
	{'s', NULL, N_("MEGABYTES"), set_buffer, 0, N_("set the buffer size per CPU"), true},
	{'T', NULL, N_("SECONDS"), set_timeout, MEMBER(stop_after), N_("end the script after this time"), true},
	{'t', NULL, NULL, set_flag, MEMBER(timing),
	 N_("at the end, print how often each probe was hit and how long it took"), true},
	{'u', NULL, NULL, set_flag, MEMBER(unoptimized), N_("do not optimize"), true},
	{'V', "version", NULL, show_version, 0, N_("print the version")},
	{'v', NULL, NULL, add_verbosity, 0, N_("be verbose; may be repeated")},
	{'W', NULL, NULL, set_flag, MEMBER(fatal_warnings), N_("treat warnings as errors")},
	{'w', NULL, NULL, set_flag, MEMBER(suppress_warnings), N_("do not print warnings")},
	{'x', NULL, N_("PID"), set_pid, MEMBER(target_pid), N_("make PID the value of target()")},
	{0, "all-modules", NULL, set_flag, MEMBER(all_modules),
	 N_("include data about the kernel and each loaded module, as -d does"), true},
	{0, "build-as", N_("USER"), set_text, MEMBER(build_as),
	 N_("as root, run passes 1 to 4 with the rights of USER")},
	{0, "bundle", N_("FILE"), set_text, MEMBER(bundle),
	 N_("write an executable file with modules for the kernels of all -r, which may be patterns ('6.*')")},
	{0, "bundle-add", N_("FILE"), set_text, MEMBER(bundle_add),
	 N_("add modules for the kernels of all -r to a bundle")},
	{0, "bundle-exporter", NULL, set_flag, MEMBER(bundle_exporter),
	 N_("with --bundle=oci:DIR: make an image that serves the script's values as metrics")},
	{0, "bundle-from", N_("FILE"), set_text, MEMBER(bundle_from),
	 N_("with --bundle: also for the kernels of the hosts in FILE, lines of 'TOOL --facts'")},
	{0, "bundle-sign", N_("KEY"), set_text, MEMBER(bundle_key),
	 N_("with --bundle: sign it with this private key (PEM)")},
	{0, "cgroup", N_("PATH"), set_text, MEMBER(cgroup),
	 N_("ignore events of tasks outside this control group and those below it")},
	{0, "check", NULL, set_flag, MEMBER(checks),
	 N_("report errors and warnings, and run nothing; exit with 1 after an error, 2 after a warning")},
	{0, "check-version", NULL, set_flag, MEMBER(check_version),
	 N_("warn about code that other versions of the language interpret differently")},
	{0, "clean-cache", NULL, set_flag, MEMBER(clean_cache),
	 N_("shrink the cache to its size limit, and exit")},
	{0, "color", N_("[=WHEN]"), set_color, 0, N_("color messages: auto, always, never")},
	{0, "colour", N_("[=WHEN]"), set_color, 0, NULL},
	{0, "compatible", N_("VERSION"), set_compatible, MEMBER(compatible),
	 N_("behave as that version of the language"), true},
	{0, "debug", NULL, set_flag, MEMBER(keep_debug), N_("keep the debug sections of the module"), true},
	{0, "debuginfo", N_("FILE"), set_text, MEMBER(digest), N_("use the digest that --export-debuginfo wrote")},
	{0, "disable-cache", NULL, set_flag, MEMBER(disable_cache), N_("neither read nor write the cache")},
	{0, "download-debuginfo", N_("[=yes|no|ask|SECONDS]"), set_download, 0,
	 N_("download missing debuginfo (see DEBUGINFOD_URLS); SECONDS: wait at most that long")},
	{0, "dump-functions", NULL, set_dump, DUMP_FUNCTIONS, N_("list the functions of the library")},
	{0, "dump-probe-aliases", NULL, set_dump, DUMP_ALIASES, N_("list the probe aliases of the library")},
	{0, "dump-probe-types", NULL, set_dump, DUMP_TYPES, N_("list the built-in forms of probe points")},
	{0, "example", NULL, set_flag, MEMBER(example), N_("run the example called FILE; see --list-examples")},
	{0, "export-debuginfo", N_("FILE"), set_text, MEMBER(export_digest), N_("write a digest of debuginfo")},
	{0, "externs", NULL, set_flag, MEMBER(list_externs), N_("with --list-vars: list file-level variables, too")},
	{0, "file", N_("PATH[:GUESTPATH]"), add_guest_file, MEMBER(guest_files),
	 N_("copy a file or directory into the guest of --remote; may be repeated")},
	{0, "format", N_("text|json[,SECONDS]"), set_format, 0,
	 N_("print output, messages and lists as text, or as lines of JSON, with the globals every SECONDS (see "
	    "stap-json(5))")},
	{0, "format-script", NULL, set_flag, MEMBER(format_script),
	 N_("print the script with uniform indentation and spaces")},
	{0, "kernel-build-id", N_("DIGITS"), set_build_id, MEMBER(build_id),
	 N_("fail unless the kernel has this build-id")},
	{0, "language-server", NULL, set_flag, MEMBER(language_server),
	 N_("serve an editor (see stap-language-server(1))")},
	{0, "ldd", NULL, set_flag, MEMBER(with_libraries),
	 N_("include data about the libraries of all included programs"), true},
	{0, "lint", NULL, set_flag, MEMBER(lint),
	 N_("report which names of the script exist on which of the kernels on this machine, or of all -r")},
	{0, "list-examples", NULL, set_flag, MEMBER(list_examples),
	 N_("list the examples that come with Spile, or those that match a word")},
	{0, "list-lines", N_("PROBE"), set_listing, MEMBER(list_lines),
	 N_("show source with the lines that can be probed")},
	{0, "list-servers", NULL, set_flag, MEMBER(list_servers),
	 N_("list the known compile servers, and whether they are trusted")},
	{0, "list-vars", N_("PROBE"), set_listing, MEMBER(list_locations), N_("list where variables are")},
	{0, "modinfo", N_("NAME=VALUE"), add_module_info, MEMBER(module_info),
	 N_("add this field to the module (see modinfo(8))")},
	{0, "modules", N_("LIST"), set_text, MEMBER(export_modules),
	 N_("with --export-debuginfo: include these modules in the digest")},
	{0, "report", N_("FILE[,SECONDS]"), set_report, 0,
	 N_("write a report with pictures of the globals to a file (.html and others, see stap-report(1)), or with - "
	    "to the terminal, at the end and every SECONDS")},
	{0, "monitor", N_("[=SECONDS[,json]]"), set_monitor, 0,
	 N_("show what the script does while it runs: on a screen, or as lines of JSON")},
	{0, "no-renames", NULL, set_flag, MEMBER(no_renames),
	 N_("refuse names that this kernel has changed, instead of using the new ones"), true},
	{0, "no-global-var-display", NULL, set_flag, MEMBER(no_global_display),
	 N_("do not display globals that are only written"), true},
	{0, "one-liners", NULL, set_flag, MEMBER(one_liners), N_("print twenty scripts of one line to start with")},
	{0, "poison-cache", NULL, set_flag, MEMBER(poison_cache), N_("write the cache, but do not read it")},
	{0, "prepare", NULL, set_flag, MEMBER(prepare),
	 N_("do the slow work for a kernel now, so that the first script starts fast (see stap-prep)")},
	{0, "privilege", N_("[=stapusr|stapsys|stapdev]"), set_privilege, 0,
	 N_("refuse scripts that these users may not run"), true},
	{0, "remote", N_("HOST"), add_text, MEMBER(remotes),
	 N_("run on HOST: [USER@]HOST by ssh, vm: or unix:SOCKET in a guest, direct: here; may be repeated")},
	{0, "remote-prefix", NULL, set_flag, MEMBER(remote_prefix),
	 N_("begin each line of output with the number of its host")},
	{0, "rlimit-as", N_("BYTES"), limit_resource, RLIMIT_AS,
	 N_("limit the address space of stap and its child processes")},
	{0, "rlimit-cpu", N_("SECONDS"), limit_resource, RLIMIT_CPU, N_("limit their CPU time")},
	{0, "rlimit-fsize", N_("BYTES"), limit_resource, RLIMIT_FSIZE, N_("limit the size of files that they write")},
	{0, "rlimit-nproc", N_("NUMBER"), limit_resource, RLIMIT_NPROC,
	 N_("limit the number of processes of the user")},
	{0, "rlimit-stack", N_("BYTES"), limit_resource, RLIMIT_STACK, N_("limit their stacks")},
	{0, "runtime", N_("kernel"), check_runtime, 0, N_("use this runtime: kernel, the only one")},
	{0, "script-option", N_("NAME=VALUE"), add_setting, MEMBER(script_options),
	 N_("set an option of the script, as --NAME=VALUE after its name does; the value becomes part of the module"),
	 true},
	{0, "semantic-keep-going", NULL, set_flag, MEMBER(keep_going), N_("report more errors in pass 2")},
	{0, "sign-module", N_("[=DIRECTORY]"), set_signing, MEMBER(signing_directory),
	 N_("sign the module with the key in DIRECTORY")},
	{0, "skip-badvars", NULL, set_flag, MEMBER(skip_bad_variables),
	 N_("replace $variables that do not exist by 0"), true},
	{0, "suppress-handler-errors", NULL, set_flag, MEMBER(suppress_handler_errors),
	 N_("continue after run-time errors"), true},
	{0, "suppress-time-limits", NULL, set_flag, MEMBER(suppress_time_limits),
	 N_("do not limit statements and time (requires -g)"), true},
	{0, "sysenv", N_("NAME=VALUE"), set_environment, 0,
	 N_("set PATH or LD_LIBRARY_PATH of the machine that runs the script"), true},
	{0, "sysroot", N_("DIRECTORY"), set_text, MEMBER(sysroot),
	 N_("find kernels, programs and libraries below DIRECTORY, the root of that machine"), true},
	{0, "target-namespaces", N_("PID"), set_pid, MEMBER(namespaces_pid),
	 N_("let ns_pid(), ns_uid() and similar use the namespaces of this process")},
	{0, "tmpdir", N_("DIRECTORY"), set_text, MEMBER(temporary_directory),
	 N_("write the generated files to DIRECTORY, which must exist, and keep them")},
	{0, "trust-servers", N_("[=FINGERPRINT|ssl|no-prompt|all-users|revoke,...]"), set_trust, 0,
	 N_("trust the compile server that --use-server names, or revoke that")},
	{0, "unprivileged", NULL, set_privilege, 0, N_("the same as --privilege=stapusr"), true},
	{0, "use-server", N_("[=HOST[:PORT]]"), add_server, MEMBER(servers),
	 N_("translate on a compile server; may be repeated: uses the first that answers")},
	{0, "use-server-on-error", N_("[=yes|no]"), set_server_on_error, 0,
	 N_("use a compile server if the kernel or its build headers are missing here")},
	{0, "vp", N_("12345"), set_pass_verbosity, 0, N_("set the verbosity of each pass, one digit per pass")},

	/* Options of SystemTap that make no sense here. */
	{'P', NULL, NULL, explain, SEARCHED_PROLOGUES},
	{'q', NULL, NULL, explain, TAPSET_COVERAGE},
	{0, "benchmark-sdt", NULL, explain_refusal, OWN_BENCHMARK},
	{0, "benchmark-sdt-loops", "=N", explain_refusal, OWN_BENCHMARK},
	{0, "benchmark-sdt-threads", "=N", explain_refusal, OWN_BENCHMARK},
	{0, "bpf", NULL, explain_refusal, OTHER_RUNTIME},
	{0, "dyninst", NULL, explain_refusal, OTHER_RUNTIME},
	{0, "prologue-searching", "[=WHEN]", search_prologues, SEARCHED_PROLOGUES},
	{0, "save-uprobes", NULL, explain, OWN_UPROBES},
};
/* clang-format on */

static const struct option_table option_table = OPTION_TABLE(option_rows);

const struct option_table *options_table(void)
{
	return &option_table;
}

/* "-c COMMAND", "-h, --help", "--vp=12345" */
static char *option_text(const struct option_word *word)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (word->letter)
		g_string_append_printf(text, "-%c", word->letter);
	if (word->name)
		g_string_append_printf(text, "%s--%s", word->letter ? ", " : "", word->name);
	if (word->argument)
		g_string_append_printf(text, "%s%s",
				       option_argument_is_optional(word) ? ""
				       : word->name			 ? "="
									 : " ",
				       _(word->argument));
	return g_strdup(text->str);
}

static bool show_help(struct parsing *p)
{
	printf("%s", _("Usage: stap [options] FILE [ARGUMENTS]       run the script in FILE (\"-\": standard input)\n"
		       "       stap FILE --help                      describe the script and its options\n"
		       "       stap [options] -e SCRIPT [ARGUMENTS]  run the given text\n"
		       "       stap [options] -l PROBE               list the probe points that match\n"
		       "       stap [options] -L PROBE               list probe points with their variables\n"
		       "       stap [options] --dump-functions | --dump-probe-aliases | --dump-probe-types\n"
		       "       stap [options] --export-debuginfo FILE [--modules LIST]  write a digest of debuginfo\n"
		       "       stap [options] --example NAME [ARGUMENTS]  run an example that comes with Spile\n"
		       "       stap --list-examples [WORD]           list the examples\n"
		       "       stap -i [options] [FILE]              enter a script line by line, and run it\n"
		       "       stap [options] --list-lines PROBE     show source with the lines that can be probed\n"
		       "       stap [options] --list-vars PROBE      list where variables are; --externs: file-level "
		       "ones, too\n"
		       "       stap [options] --check FILE           report errors and warnings\n"
		       "       stap [options] --lint FILE            report which names exist on which kernel\n"
		       "       stap [options] --bundle=TOOL FILE     write one file for several kernels\n"
		       "       stap [options] --format-script FILE   print the script with uniform indentation\n"
		       "\n"));
	for (size_t i = 0; i < G_N_ELEMENTS(option_rows); i++) {
		g_autofree char *option = option_rows[i].help ? option_text(&option_rows[i].word) : NULL;
		_cleanup_free_ char *padded = option ? utf8_padded(option, -13) : NULL;

		/* TRANSLATORS: an option, and what it does. */
		if (option)
			printf(_("  %s  %s\n"), padded, _(option_rows[i].help));
	}
	p->served = true;
	return true;
}

/* Return the option as the user wrote it. @word may be the separate argument of a long option instead. */
static const char *spelled(struct arena *arena, int option, const struct option_row *row, const char *word)
{
	if (option < FIRST_LONG_OPTION)
		return arena_printf(arena, "-%c", option);
	return g_str_has_prefix(word, "--") ? word : arena_printf(arena, "--%s", row->word.name);
}

/* Report the option that getopt_long() rejected. It has already advanced optind. */
static bool option_error(char **argv, int option)
{
	const char *word = argv[optind - 1];

	if (option == ':' && optopt && optopt < FIRST_LONG_OPTION)
		return usage_error(_("option -%c requires an argument"), optopt);
	if (option == ':')
		return usage_error(_("option %s requires an argument"), word);
	if (optopt && optopt < FIRST_LONG_OPTION)
		return usage_error(_("unknown option -%c"), optopt);
	return usage_error(_("unknown option %s"), word);
}

const struct option_word *option_word_of(const char *name, const char **help)
{
	for (size_t i = 0; i < G_N_ELEMENTS(option_rows); i++) {
		const struct option_row *row = &option_rows[i];
		bool is_letter = row->word.letter && name[0] == row->word.letter && !name[1];

		if (!is_letter && (row->word.letter || strcmp(name, row->word.name)))
			continue;
		*help = row->help;
		return &row->word;
	}
	return NULL;
}

bool options_listing(const struct options *options)
{
	return options->list || options->list_variables || options->list_lines || options->list_locations;
}

bool options_bundle(const struct options *options)
{
	return options->bundle || options->bundle_add;
}

const char *options_image_directory(const struct options *options)
{
	bool is_image = options->bundle && g_str_has_prefix(options->bundle, BUNDLE_IMAGE_PREFIX);

	return is_image ? options->bundle + strlen(BUNDLE_IMAGE_PREFIX) : NULL;
}

int options_verbosity(const struct options *options, int pass)
{
	return options->verbosity + options->pass_verbosity[pass];
}

bool options_have_target(const struct options *options)
{
	return options->command || options->target_pid;
}

int64_t options_target_pid(const struct options *options)
{
	return options->target_pid ? atoll(options->target_pid) : 0;
}

/* Is the value of a C macro harmless without guru mode: a number, a word, or a quoted word? */
static bool is_plain_value(const char *value)
{
	size_t length = strlen(value), quoted = length >= 2 && *value == '"' && value[length - 1] == '"';

	value += quoted || *value == '-';
	while (g_ascii_isalnum(*value) || *value == '_' || *value == '.')
		value++;
	return !strcmp(value, quoted ? "\"" : "");
}

/* Check options that bring the user's C code into the module: they require guru mode and privilege stapdev. */
static bool check_own_c(const struct options *options)
{
	bool is_trusted = !strcmp(options->privilege, "stapdev");

	for_each_ptr(const char *, definition, options->c_definitions) {
		int length = strcspn(definition, " ");

		if (!is_trusted)
			return usage_error(_("-D %.*s is not a limit; --privilege=%s allows only limits"), length,
					   definition, options->privilege);
		if (!options->guru_mode && !is_plain_value(definition + length + 1))
			return usage_error(_("-D %.*s: without guru mode (-g), the value must be a number or a word"),
					   length, definition);
	}
	if (!is_trusted && options->make_settings->len)
		return usage_error(_("-B and --privilege=%s exclude each other"), options->privilege);
	if (!is_trusted && options->runtime_directory)
		return usage_error(_("-R and --privilege=%s exclude each other"), options->privilege);
	return true;
}

/* Check that --privilege allows the limits: they protect the machine from less trusted users. */
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

static bool check_servers(const struct options *options)
{
	if (options->trust.wanted && !options->servers->len)
		return usage_error(_("--trust-servers requires --use-server=HOST"));
	if (options->server_on_error && options->servers->len)
		return usage_error(_("--use-server-on-error and --use-server exclude each other"));
	if (options->build_as && (options->servers->len || options->server_on_error))
		return usage_error(_("--build-as and --use-server exclude each other: the server runs passes 1 to 4"));
	return true;
}

/* Return what the options ask for that cannot be printed as JSON, or NULL. This is the only place that decides it. */
static const char *without_json(const struct options *options)
{
	if (options->trust.wanted)
		return "--trust-servers";
	if (options->list_servers)
		return "--list-servers";
	if (options->servers->len)
		return "--use-server";
	if (options->server_on_error)
		return "--use-server-on-error";
	if (options->prepare)
		return "--prepare";
	if (options->format_script)
		return "--format-script";
	if (options->lint)
		return "--lint";
	if (options->interactive)
		return "-i";
	if (options->one_liners)
		return "--one-liners";
	return options->language_server ? "--language-server" : NULL;
}

static bool has_run(const struct options *options)
{
	return options->last_pass == 5 && !options_listing(options) && !options->dump && !options->list_examples &&
	       !options->prepare && !options->clean_cache && !options->export_digest && !options->format_script &&
	       !options->lint;
}

/* Return the option that a run in JSON lines excludes, or NULL. */
static const char *excluded_by_json_run(const struct options *options)
{
	if (options->bulk)
		return "-b";
	if (options->background)
		return "-F";
	if (options->monitor)
		return "--monitor";
	if (options->output_limit)
		return "-S";
	return options->remote_prefix ? "--remote-prefix" : NULL;
}

static bool check_format(const struct options *options)
{
	const char *what = options->json ? without_json(options) : NULL;

	if (what)
		return usage_error(_("--format=json does not support %s"), what);
	what = options_run_is_json(options) ? excluded_by_json_run(options) : NULL;
	return !what ||
	       usage_error(_("%s and %s exclude each other: the lines of a run are one stream that ends with the "
			     "script"),
			   options->json ? "--format=json" : "--report", what);
}

bool options_run_is_json(const struct options *options)
{
	return (options->json || options->report) && has_run(options);
}

static bool check_report(const struct options *options)
{
	g_autofree char *directory = options->report ? g_path_get_dirname(options->report) : NULL;
	g_autofree char *endings = report_format_endings();

	if (!options->report)
		return true;
	if (!has_run(options))
		return usage_error(_("--report requires a script that runs; it excludes -l, -L, --list-... and -p"));
	if (options->json)
		return usage_error(_("--report and --format=json exclude each other: pass the lines to stap-report"));
	if (!strcmp(options->report, "-") && options->output_file)
		return usage_error(_("--report=- and -o exclude each other: the report replaces the output"));
	if (report_format_of_file(options->report) == REPORT_FORMAT_COUNT_)
		return usage_error(_("--report=%s: no format of reports has this ending; use one of %s"),
				   options->report, endings);
	return !access(directory, W_OK | X_OK) ||
	       usage_error(_("--report: cannot write files in %s: %s"), directory, strerror(errno));
}

/* --check and --lint stop after pass 2; --format-script does not need more than pass 1. */
static bool check_stops(struct options *options)
{
	const char *name = options->checks	    ? "--check"
			   : options->format_script ? "--format-script"
			   : options->lint	    ? "--lint"
						    : NULL;

	if (!name)
		return true;
	if (options->lint && options->remotes->len)
		return usage_error(_("--lint and --remote exclude each other: it runs nothing"));
	if (options->checks + options->format_script + options->lint > 1)
		return usage_error(_("--check, --format-script and --lint exclude each other"));
	if (options_listing(options) || options->last_pass != 5)
		return usage_error(_("%s excludes -l, -L, --list-... and -p"), name);
	options->keep_going |= options->lint; /* one run reports all */
	options->last_pass = options->format_script ? 1 : 2;
	return true;
}

/* Check that a bundle can honor the options. Those that concern a run are given to the bundle when it runs. */
static bool check_bundle(struct options *options)
{
	const char *own = options->bundle ? "--bundle" : "--bundle-add";
	const struct {
		bool is_given;
		const char *option, *reason;
	} refused[] = {
		{options->bundle && options->bundle_add, "--bundle-add", N_("one makes a file, the other changes one")},
		{options->command, "-c", N_("give -c to the bundle when it runs")},
		{options->target_pid, "-x", N_("give -x to the bundle when it runs")},
		{options->cgroup, "--cgroup", N_("give --cgroup to the bundle when it runs")},
		{options->namespaces_pid, "--target-namespaces", N_("give -N to the bundle when it runs")},
		{options->output_file, "-o", N_("give -o to the bundle when it runs")},
		{options->output_limit, "-S", N_("give -S to the bundle when it runs")},
		{options->background, "-F", N_("give -L, or -D and -o, to the bundle when it runs")},
		{options->monitor, "--monitor", N_("a bundle does not contain stap-monitor")},
		{options->json, "--format=json", N_("give -J to the bundle when it runs")},
		{options->report, "--report",
		 N_("give -J to the bundle when it runs, and what it prints to stap-report")},
		{options->remotes->len, "--remote", N_("copy the bundle to each host, and run it there")},
		{options->module_name, "-m", N_("each kernel's module has a name of its own")},
		{options->last_pass != 5, "-p", N_("it runs passes 1 to 4")},
		{options->checks, "--check", N_("it runs passes 1 to 4")},
		{options->lint, "--lint", N_("it runs passes 1 to 4")},
		{options->format_script, "--format-script", N_("it runs passes 1 to 4")},
		{options_listing(options), "-l", N_("it translates a script")},
		{options->prepare, "--prepare", N_("it translates a script")},
		{options->export_digest, "--export-debuginfo", N_("it translates a script")},
		{options->dump, "--dump-...", N_("it translates a script")},
		{options->list_examples, "--list-examples", N_("it translates a script")},
		{options->digest, "--debuginfo", N_("a digest is for one kernel")},
		{options->build_id, "--kernel-build-id", N_("the kernels have different ones")},
		{options->servers->len || options->server_on_error, "--use-server",
		 N_("a server does not report how the script differs between kernels")},
		{options->trust.wanted || options->list_servers, "--trust-servers", N_("it uses no server")},
		{options->build_as, "--build-as", N_("make the bundle as that user, who needs no rights for it")},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(refused); i++)
		if (refused[i].is_given)
			return usage_error(_("%s and %s exclude each other: %s"), own, refused[i].option,
					   _(refused[i].reason));
	if (options->bundle && !strcmp(options->bundle, BUNDLE_IMAGE_PREFIX))
		return usage_error(_("--bundle=%s requires a directory: --bundle=%sDIR"), BUNDLE_IMAGE_PREFIX,
				   BUNDLE_IMAGE_PREFIX);
	if (options->bundle_add && g_str_has_prefix(options->bundle_add, BUNDLE_IMAGE_PREFIX))
		return usage_error(_("--bundle-add cannot change an image; make it again with --bundle"));
	if (options->bundle_add && (options->script_text || options->script_path))
		return usage_error(_("--bundle-add takes no script: it uses the one in the bundle"));
	if (options->bundle_add && !options->releases->len && !options->bundle_from)
		return usage_error(_("--bundle-add requires -r RELEASE or --bundle-from"));
	options->last_pass = 4;
	return true;
}

static bool check_bundle_options(struct options *options)
{
	if (options->bundle_exporter && !options_image_directory(options))
		return usage_error(_("--bundle-exporter requires --bundle=%sDIR"), BUNDLE_IMAGE_PREFIX);
	if (options_bundle(options))
		return check_bundle(options);
	if (options->bundle_from || options->bundle_key)
		return usage_error(_("%s requires --bundle or --bundle-add"),
				   options->bundle_from ? "--bundle-from" : "--bundle-sign");
	return true;
}

static bool check_combination(struct options *options)
{
	if (!check_bundle_options(options) || !check_stops(options) || !check_format(options) ||
	    !check_servers(options) || !check_report(options))
		return false;
	if (options->trust.wanted || options->list_servers)
		return true;
	if (options->prepare && (options->script_text || options->script_path))
		return usage_error(_("--prepare takes no script"));
	if (options->clean_cache || options->prepare || options->dump || options->language_server ||
	    options->interactive || options->one_liners)
		return true;
	if (options->list_examples && (options->script_text || options->argument_count))
		return usage_error(_("--list-examples takes at most one word"));
	if (options->list_examples)
		return true;
	if (options->guru_mode && strcmp(options->privilege, "stapdev"))
		return usage_error(_("-g and --privilege=%s exclude each other"), options->privilege);
	if (!check_own_c(options) || !check_limits(options))
		return false;
	if (options->export_modules && !options->export_digest)
		return usage_error(_("--modules requires --export-debuginfo"));
	if (options->export_digest && (options->script_text || options->script_path))
		return usage_error(_("--export-debuginfo takes no script"));
	if (options->export_digest)
		return true;
	if (!options->script_text && !options->script_path && !options->bundle_add)
		return usage_error(_("no script: give a file name, \"-\", or a text with -e"));
	if (options->command && options->target_pid)
		return usage_error(_("-c and -x exclude each other"));
	if (options->example && (options->script_text || !strcmp(options->script_path, "-")))
		return usage_error(_("--example requires the name of an example"));
	if (options->list_externs && !options->list_locations)
		return usage_error(_("--externs requires --list-vars"));
	if (options->output_limit && !options->output_file)
		return usage_error(_("-S requires -o"));
	if (options->output_limit && options->remotes->len)
		return usage_error(_("-S and --remote exclude each other"));
	if (options->background && options->command && !options->output_file)
		return usage_error(_("-F without -o and -c exclude each other: no process would wait for the command"));
	if (options->background && options->bulk && !options->output_file)
		return usage_error(_("-F without -o and -b exclude each other: no process would write the files"));
	if (options->background && options->remotes->len && options->output_file)
		return usage_error(_("-F with -o and --remote exclude each other"));
	if (options->guest_files->len && !options->remotes->len)
		return usage_error(_("--file requires --remote=vm: or --remote=unix:SOCKET"));
	if (options->remote_prefix && !options->remotes->len)
		return usage_error(_("--remote-prefix requires --remote"));
	if (options->monitor && (options_listing(options) || options->last_pass < 5))
		return usage_error(_("--monitor requires a script that runs; it excludes -l, -L, --list-... and -p"));
	if (options->monitor && options->background)
		return usage_error(_("--monitor and -F exclude each other: stap exits when the script has started"));
	if (options->monitor && options->remotes->len && options->output_file)
		return usage_error(_("--monitor with -o and --remote exclude each other"));
	if (options->output_limit && options->bulk)
		return usage_error(_("-S and -b exclude each other"));
	if (options->temporary_directory && !g_file_test(options->temporary_directory, G_FILE_TEST_IS_DIR))
		return usage_error(_("--tmpdir: %s is not a directory"), options->temporary_directory);
	if (options->temporary_directory && path_character_unfit_for_make(options->temporary_directory))
		return usage_error(_("--tmpdir: the kernel's makefiles cannot build in %s, because of the '%c'"),
				   options->temporary_directory,
				   path_character_unfit_for_make(options->temporary_directory));
	if (options->suppress_time_limits && !options->guru_mode)
		return usage_error(_("--suppress-time-limits requires guru mode (-g)"));
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
	options->releases = arena_ptr_array(arena);
	options->tapset_directories = arena_ptr_array(arena);
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
	options->script_options = arena_ptr_array(arena);
	options->given = arena_ptr_array(arena);
	limits_set_standard(&options->limits);
}

/* Record an option that changes the module, as in "-D MAXACTION=5" or "--privilege=stapusr". */
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

	given->name = p->row->word.letter ? arena_printf(p->arena, "%c", p->row->word.letter) : p->row->word.name;
	given->argument = p->argument;
	g_ptr_array_add(p->options->given, given);
}

/* Find --format among the options before any of them is handled, since errors about others are printed in its form. */
static void choose_message_format(int argc, char **argv, const struct option_words *words)
{
	bool json = false;
	int option;

	optind = 0; /* a session parses several command lines */
	while ((option = getopt_long(argc, argv, words->letters, words->names, NULL)) != -1) {
		const struct option_row *row =
			option == '?' || option == ':' ? NULL : option_row_of(&option_table, option);

		if (row && row->set == set_format)
			json = is_json_format(optarg);
	}
	if (json)
		messages_use_json(stdout);
	optind = 0; /* makes getopt_long() begin anew */
}

enum options_outcome options_parse(struct options *options, struct arena *arena, int argc, char **argv)
{
	struct parsing p = {.options = options, .arena = arena};
	struct option_words words;
	int option;

	/* With a leading ":", getopt_long() distinguishes a missing argument from an unknown option. */
	option_words_make(&option_table, ":", &words);
	set_standard(options, arena);
	opterr = 0;
	choose_message_format(argc, argv, &words);
	while ((option = getopt_long(argc, argv, words.letters, words.names, NULL)) != -1) {
		if (option == '?' || option == ':') {
			option_error(argv, option);
			return OPTIONS_ERROR;
		}
		p.row = option_row_of(&option_table, option);
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
