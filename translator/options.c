// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of stap. Options of the language's other implementation that are not built yet are known by name, so
 * that a script's user is told "not supported yet" and not "unknown": nothing is accepted and then ignored.
 */
#include "translator/options.h"

#include <getopt.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "translator/util/diagnostic.h"
#include "translator/util/i18n.h"

enum long_option {
	OPTION_HELP = 256,
	OPTION_REMOTE,
	OPTION_VP,
	OPTION_COLOR,
	OPTION_SUPPRESS_HANDLER_ERRORS,
	OPTION_SUPPRESS_TIME_LIMITS,
	OPTION_SYSROOT,
	OPTION_CLEAN_CACHE,
	OPTION_DISABLE_CACHE,
	OPTION_POISON_CACHE,
	OPTION_NO_GLOBAL_VAR_DISPLAY,
	OPTION_DEBUG,
	OPTION_SIGN_MODULE,
	OPTION_PREPARE,
	OPTION_CHECK_VERSION,
	OPTION_COMPATIBLE,
	OPTION_DUMP_FUNCTIONS,
	OPTION_DUMP_ALIASES,
	OPTION_DUMP_TYPES,
	OPTION_EXAMPLE,
	OPTION_PRIVILEGE,
	OPTION_UNPRIVILEGED,
	OPTION_SEMANTIC_KEEP_GOING,
	OPTION_SKIP_BADVARS,
	OPTION_DEBUGINFO,
	OPTION_EXPORT_DEBUGINFO,
	OPTION_MODULES,
	OPTION_LIST_LINES,
	OPTION_LIST_VARS,
	OPTION_EXTERNS,
	OPTION_RUNTIME,
	OPTION_MODINFO,
	OPTION_RLIMIT_AS,
	OPTION_RLIMIT_CPU,
	OPTION_RLIMIT_FSIZE,
	OPTION_RLIMIT_NPROC,
	OPTION_RLIMIT_STACK,
	OPTION_UNSUPPORTED,
};

static const char short_options[] = ":hVp:vkwWge:E:l:L:r:I:D:m:c:x:o:s:utbiqFT:Pa:B:d:S:R:G:";

/* clang-format off */
static const struct option long_options[] = {
	{ "help",                       no_argument,       NULL, OPTION_HELP },
	{ "version",                    no_argument,       NULL, 'V' },
	{ "remote",                     required_argument, NULL, OPTION_REMOTE },
	{ "vp",                         required_argument, NULL, OPTION_VP },
	{ "color",                      optional_argument, NULL, OPTION_COLOR },
	{ "colour",                     optional_argument, NULL, OPTION_COLOR },
	{ "suppress-handler-errors",    no_argument,       NULL, OPTION_SUPPRESS_HANDLER_ERRORS },
	{ "suppress-time-limits",       no_argument,       NULL, OPTION_SUPPRESS_TIME_LIMITS },
	{ "sysroot",                    required_argument, NULL, OPTION_SYSROOT },
	{ "all-modules",                no_argument,       NULL, OPTION_UNSUPPORTED },
	{ "bpf",                        no_argument,       NULL, OPTION_UNSUPPORTED },
	{ "clean-cache",                no_argument,       NULL, OPTION_CLEAN_CACHE },
	{ "check-version",              no_argument,       NULL, OPTION_CHECK_VERSION },
	{ "compatible",                 required_argument, NULL, OPTION_COMPATIBLE },
	{ "debug",                      no_argument,       NULL, OPTION_DEBUG },
	{ "disable-cache",              no_argument,       NULL, OPTION_DISABLE_CACHE },
	{ "download-debuginfo",         optional_argument, NULL, OPTION_UNSUPPORTED },
	{ "dump-functions",             no_argument,       NULL, OPTION_DUMP_FUNCTIONS },
	{ "dump-probe-aliases",         no_argument,       NULL, OPTION_DUMP_ALIASES },
	{ "dump-probe-types",           no_argument,       NULL, OPTION_DUMP_TYPES },
	{ "dyninst",                    no_argument,       NULL, OPTION_UNSUPPORTED },
	{ "debuginfo",                  required_argument, NULL, OPTION_DEBUGINFO },
	{ "example",                    no_argument,       NULL, OPTION_EXAMPLE },
	{ "export-debuginfo",           required_argument, NULL, OPTION_EXPORT_DEBUGINFO },
	{ "externs",                    no_argument,       NULL, OPTION_EXTERNS },
	{ "interactive",                no_argument,       NULL, OPTION_UNSUPPORTED },
	{ "ldd",                        no_argument,       NULL, OPTION_UNSUPPORTED },
	{ "list-lines",                 required_argument, NULL, OPTION_LIST_LINES },
	{ "list-servers",               optional_argument, NULL, OPTION_UNSUPPORTED },
	{ "list-vars",                  required_argument, NULL, OPTION_LIST_VARS },
	{ "modinfo",                    required_argument, NULL, OPTION_MODINFO },
	{ "modules",                    required_argument, NULL, OPTION_MODULES },
	{ "monitor",                    optional_argument, NULL, OPTION_UNSUPPORTED },
	{ "no-global-var-display",      no_argument,       NULL, OPTION_NO_GLOBAL_VAR_DISPLAY },
	{ "poison-cache",               no_argument,       NULL, OPTION_POISON_CACHE },
	{ "prepare",                    no_argument,       NULL, OPTION_PREPARE },
	{ "prologue-searching",         optional_argument, NULL, OPTION_UNSUPPORTED },
	{ "privilege",                  optional_argument, NULL, OPTION_PRIVILEGE },
	{ "remote-prefix",              no_argument,       NULL, OPTION_UNSUPPORTED },
	{ "rlimit-as",                  required_argument, NULL, OPTION_RLIMIT_AS },
	{ "rlimit-cpu",                 required_argument, NULL, OPTION_RLIMIT_CPU },
	{ "rlimit-fsize",               required_argument, NULL, OPTION_RLIMIT_FSIZE },
	{ "rlimit-nproc",               required_argument, NULL, OPTION_RLIMIT_NPROC },
	{ "rlimit-stack",               required_argument, NULL, OPTION_RLIMIT_STACK },
	{ "runtime",                    required_argument, NULL, OPTION_RUNTIME },
	{ "save-uprobes",               no_argument,       NULL, OPTION_UNSUPPORTED },
	{ "semantic-keep-going",        no_argument,       NULL, OPTION_SEMANTIC_KEEP_GOING },
	{ "sign-module",                optional_argument, NULL, OPTION_SIGN_MODULE },
	{ "skip-badvars",               no_argument,       NULL, OPTION_SKIP_BADVARS },
	{ "sysenv",                     required_argument, NULL, OPTION_UNSUPPORTED },
	{ "target-namespaces",          required_argument, NULL, OPTION_UNSUPPORTED },
	{ "tmpdir",                     required_argument, NULL, OPTION_UNSUPPORTED },
	{ "unprivileged",               no_argument,       NULL, OPTION_UNPRIVILEGED },
	{ "trust-servers",              optional_argument, NULL, OPTION_UNSUPPORTED },
	{ "use-server-on-error",        optional_argument, NULL, OPTION_UNSUPPORTED },
	{ "use-server",                 optional_argument, NULL, OPTION_UNSUPPORTED },
	{ NULL,                       0,                 NULL, 0 },
};
/* clang-format on */

static const char unsupported_short[] = "iqFPaBSR";

static void print_usage(void)
{
	printf("%s", _("Usage: stap [options] FILE [ARGUMENTS]       run the script in FILE (\"-\": standard input)\n"
		       "       stap [options] -e SCRIPT [ARGUMENTS]  run the given text\n"
		       "       stap [options] -l PROBE               list the probe points that match\n"
		       "       stap [options] -L PROBE               list them with their variables\n"
		       "       stap [options] --dump-functions | --dump-probe-aliases | --dump-probe-types\n"
		       "       stap [options] --export-debuginfo FILE [--modules LIST]  write a digest of debuginfo\n"
		       "       stap [options] --list-lines PROBE     show source with the lines that can be probed\n"
		       "       stap [options] --list-vars PROBE      list where variables are; --externs: file-level "
		       "ones too\n"
		       "\n"
		       "  -b             bulk mode: a file for each processor, FILE_0 (-o) or stpd_cpu0 and so on\n"
		       "  -c COMMAND     run COMMAND, end when it ends; its process id is target()\n"
		       "  -d MODULE      know the source lines of MODULE as well, if the script asks for lines\n"
		       "  -D NAME=VALUE  set a limit: MAXACTION, MAXMAPENTRIES, MAXSTRINGLEN, ... (see stap(1))\n"
		       "  -E SCRIPT      also run this text\n"
		       "  -e SCRIPT      the script itself\n"
		       "  -G NAME=VALUE  start with this value in global NAME\n"
		       "  -g             guru mode: allow embedded C\n"
		       "  -h, --help     this text\n"
		       "  -I FOLDER      look for tapsets in FOLDER as well\n"
		       "  -k             keep the folder with the generated files\n"
		       "  -m NAME        name of the module; with -p4 it is left here as NAME.ko\n"
		       "  -o FILE        send the script's output to FILE\n"
		       "  -p PASS        stop after pass 1 (parse), 2 (analyze), 3 (translate), 4 (compile), 5 (run)\n"
		       "  -r RELEASE     translate for this kernel: a release, its beginning (6.1), or a build folder\n"
		       "  -s MEGABYTES   buffer size per processor\n"
		       "  -T SECONDS     end the script after this time\n"
		       "  -t             at the end, say how often each probe was hit and how long it took\n"
		       "  -u             do not optimise\n"
		       "  -V, --version  print the version\n"
		       "  -v             say more; may be repeated\n"
		       "  -W             treat warnings as errors\n"
		       "  -w             no warnings\n"
		       "  -x PID         make PID the value of target()\n"
		       "  --check-version  warn about what other versions of the language see otherwise\n"
		       "  --clean-cache  remove from the cache what is beyond its limit, and end\n"
		       "  --color[=WHEN] colour messages: auto, always, never\n"
		       "  --compatible=VERSION  behave as that version of the language\n"
		       "  --debug        modules keep their debug sections\n"
		       "  --debuginfo FILE  use the digest that --export-debuginfo wrote\n"
		       "  --disable-cache  neither read nor write the cache\n"
		       "  --dump-functions       list the functions of the library\n"
		       "  --dump-probe-aliases   list the probe aliases of the library\n"
		       "  --dump-probe-types     list the forms of probe points that are built in\n"
		       "  --example        FILE is an example that comes with Spile\n"
		       "  --modinfo NAME=VALUE   say this of the module (see modinfo(8))\n"
		       "  --poison-cache   do not read the cache, but write it\n"
		       "  --prepare      make what the first script for a kernel would wait for (see stap-prep)\n"
		       "  --no-global-var-display  do not show globals that are only written\n"
		       "  --privilege[=stapusr|stapsys|stapdev]  refuse what these users may not do\n"
		       "  --remote=vm:   run in a throwaway guest that boots the kernel of -r\n"
		       "  --remote=unix:SOCKET  run in the guest that `stap-vm start` left at SOCKET\n"
		       "  --rlimit-as=BYTES and -cpu=SECONDS, -fsize, -nproc, -stack  limits of this process\n"
		       "  --semantic-keep-going  look for more mistakes in pass 2\n"
		       "  --sign-module[=FOLDER]  sign the module with the key in FOLDER\n"
		       "  --skip-badvars  context variables that are not there are 0\n"
		       "  --suppress-handler-errors  run-time errors do not end the script\n"
		       "  --suppress-time-limits     no limits on statements and time (needs -g)\n"
		       "  --sysroot=FOLDER  look for kernels below FOLDER\n"
		       "  --unprivileged  the same as --privilege=stapusr\n"
		       "  --vp=12345     verbosity of each pass, a digit each\n"));
}

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

/* ---- -D ------------------------------------------------------------------------------------------------------------- */

static const struct limit {
	const char *name;
	size_t offset;
	int64_t standard, low, high;
} limits[] = {
	{"MAXSTRINGLEN", offsetof(struct script_limits, max_string_length), 512, 16, 65536},
	{"MAXMAPENTRIES", offsetof(struct script_limits, max_map_entries), 2048, 1, 1 << 24},
	{"MAXACTION", offsetof(struct script_limits, max_action), 1000, 1, INT32_MAX},
	{"MAXACTION_INTERRUPTIBLE", offsetof(struct script_limits, max_action_interruptible), 0, 1, INT32_MAX},
	{"MAXNESTING", offsetof(struct script_limits, max_nesting), 0, 1, 1000},
	{"MAXERRORS", offsetof(struct script_limits, max_errors), 0, 0, INT32_MAX - 1},
	{"MAXSKIPPED", offsetof(struct script_limits, max_skipped), 100, 0, INT32_MAX},
	{"MAXTRYLOCK", offsetof(struct script_limits, max_trylock), 1000, 0, 1000000},
	{"TRYLOCKDELAY", offsetof(struct script_limits, trylock_delay), 10, 0, 1000},
	{"KRETACTIVE", offsetof(struct script_limits, kretactive), 0, 1, 65536},
	{"HIST_ELISION", offsetof(struct script_limits, hist_elision), 2, -1, 100000},
	{"MINSTACKSPACE", offsetof(struct script_limits, min_stack_space), 1024, 0, 1 << 24},
	{"MAXBACKTRACE", offsetof(struct script_limits, max_backtrace), 20, 1, 64},
	{"MAPHASHBIAS", offsetof(struct script_limits, map_hash_bias), 0, -24, 8},
	{"STP_PROCFS_BUFSIZE", offsetof(struct script_limits, procfs_buffer), 0, 1, 1 << 24},
	{"INTERRUPTIBLE", offsetof(struct script_limits, interruptible), 1, 0, 1},
	{"STP_FAIL_ALLOCATION", offsetof(struct script_limits, fail_allocation), 0, 0, 1000000},
	{"STP_OVERLOAD_INTERVAL", offsetof(struct script_limits, overload_interval), 1000000000, 1, INT64_MAX},
	{"STP_OVERLOAD_THRESHOLD", offsetof(struct script_limits, overload_threshold), 500000000, 1, INT64_MAX},
};

/* Limits of the language that would be passed on to the C and do nothing there. */
static const char *const unsupported_limits[] = {"MAXUPROBES", "STP_MAXMEMORY"};

static int64_t *limit_field(struct script_limits *values, const struct limit *limit)
{
	return (int64_t *)((char *)values + limit->offset);
}

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

	for (size_t i = 0; i < G_N_ELEMENTS(limits); i++)
		g_ptr_array_add(names, (void *)limits[i].name);
	near = nearest_matches(arena, name, names, "", 3);
	if (near)
		fprintf(stderr, _("WARNING: -D %s is passed on to the C of the script; did you mean the limit %s?\n"),
			name, near);
}

static bool add_definition(struct options *options, struct arena *arena, const char *name, const char *value)
{
	for (size_t i = 0; i < G_N_ELEMENTS(unsupported_limits); i++)
		if (!strcmp(unsupported_limits[i], name))
			return usage_error(_("-D %s is not supported yet"), name);
	if (!is_macro_name(name) || (value && strpbrk(value, "\n\\")))
		return usage_error(_("-D wants NAME or NAME=VALUE for a limit or a macro of the C, not '%s'"), name);
	note_similar_limit(arena, name);
	g_ptr_array_add(options->c_definitions, (void *)arena_printf(arena, "%s %s", name, value ?: "1"));
	return true;
}

static bool set_limit(struct options *options, struct arena *arena, const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "=", 2);

	if (!strcmp(parts[0], "STP_NO_OVERLOAD")) {
		options->limits.no_overload = true;
		return true;
	}
	if (!strcmp(parts[0], "STAP_CALLEE_MATCHALL")) {
		options->limits.callee_matchall = true;
		return true;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(limits); i++) {
		if (strcmp(limits[i].name, parts[0]))
			continue;
		if (parts[1] &&
		    parse_number(parts[1], limits[i].low, limits[i].high, limit_field(&options->limits, &limits[i])))
			return true;
		return usage_error(_("-D %s wants a number from %lld to %lld"), parts[0], (long long)limits[i].low,
				   (long long)limits[i].high);
	}
	return add_definition(options, arena, parts[0], parts[1]);
}

static void set_standard_limits(struct script_limits *values)
{
	for (size_t i = 0; i < G_N_ELEMENTS(limits); i++)
		*limit_field(values, &limits[i]) = limits[i].standard;
}

/* ---- single options ------------------------------------------------------------------------------------------------- */

static bool set_pass_verbosity(struct options *options, const char *digits)
{
	size_t length = strlen(digits);

	if (!length || length > 5 || strspn(digits, "0123456789") != length)
		return usage_error(_("--vp wants up to five digits, one per pass"));
	for (size_t i = 0; i < length; i++)
		options->pass_verbosity[i + 1] += digits[i] - '0';
	return true;
}

static bool set_color(struct options *options, const char *when)
{
	if (!when || !strcmp(when, "always"))
		options->color = true;
	else if (!strcmp(when, "never"))
		options->color = false;
	else if (strcmp(when, "auto"))
		return usage_error(_("--color wants auto, always or never"));
	return true;
}

/* The name becomes a file name, a C identifier and a kernel module's name: nothing else is let through. */
static bool set_module_name(struct options *options, const char *name)
{
	enum { LONGEST = 40 };
	size_t length = strlen(name);

	if (!length || length > LONGEST || g_ascii_isdigit(*name) ||
	    strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != length)
		return usage_error(_("'%s' cannot be a module's name: letters, digits and '_', at most %d"), name,
				   LONGEST);
	options->module_name = name;
	return true;
}

static bool set_script(struct options *options, const char *text)
{
	if (options->script_text)
		return usage_error(_("only one of -e, -l, -L, --list-lines and --list-vars can be given, once"));
	options->script_text = text;
	return true;
}

static bool set_pid(struct options *options, const char *text)
{
	int64_t pid;

	if (!parse_number(text, 1, INT32_MAX, &pid))
		return usage_error(_("-x wants a process id, not '%s'"), text);
	options->target_pid = text;
	return true;
}

static bool set_timeout(struct options *options, const char *text)
{
	int64_t seconds;

	if (!parse_number(text, 1, 1000000, &seconds))
		return usage_error(_("-T wants a number of seconds, not '%s'"), text);
	options->stop_after = text;
	return true;
}

static bool set_last_pass(struct options *options, const char *text)
{
	int64_t pass;

	if (!parse_number(text, 1, 5, &pass))
		return usage_error(_("-p wants a pass from 1 to 5, not '%s'"), text);
	options->last_pass = pass;
	return true;
}

static bool add_global_setting(struct options *options, const char *text)
{
	if (*text == '=' || !strchr(text, '='))
		return usage_error(_("-G wants NAME=VALUE, not '%s'"), text);
	g_ptr_array_add(options->global_settings, (void *)text);
	return true;
}

/* What modinfo(8) shows of the module. */
static bool add_modinfo(struct options *options, const char *text)
{
	if (*text == '=' || !strchr(text, '='))
		return usage_error(_("--modinfo wants NAME=VALUE, not '%s'"), text);
	g_ptr_array_add(options->module_info, (void *)text);
	return true;
}

/* Of this process and those that it starts. */
static bool limit_resource(int resource, const char *text, const char *name)
{
	struct rlimit limit;
	int64_t most;

	if (!parse_number(text, 0, INT64_MAX, &most))
		return usage_error(_("option %s wants a number"), name);
	if (getrlimit(resource, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max = MIN(limit.rlim_max, (rlim_t)most);
		if (setrlimit(resource, &limit) == 0)
			return true;
	}
	return usage_error(_("option %s: %s"), name, g_strerror(errno));
}

/* "5.5" and older: a number, then numbers with points. */
static bool set_compatible(struct options *options, const char *version)
{
	if (!g_ascii_isdigit(*version) || strspn(version, "0123456789.") != strlen(version))
		return usage_error(_("--compatible wants a version such as 4.2, not '%s'"), version);
	if (strverscmp(version, LANGUAGE_VERSION) > 0)
		return usage_error(_("--compatible=%s: this is version %s of the language"), version, LANGUAGE_VERSION);
	options->compatible = version;
	return true;
}

static bool set_privilege(struct options *options, const char *who)
{
	static const char *const known[] = {"stapusr", "stapsys", "stapdev"};

	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		if (!strcmp(known[i], who ?: "stapusr")) {
			options->privilege = known[i];
			return true;
		}
	}
	return usage_error(_("--privilege wants stapusr, stapsys or stapdev, not '%s'"), who);
}

static bool set_dump(struct options *options, enum dump_kind dump)
{
	if (options->dump && options->dump != dump)
		return usage_error(_("only one list at a time can be asked for"));
	options->dump = dump;
	return true;
}

static bool refuse(const char *name)
{
	return usage_error(_("option %s is not supported yet"), name);
}

static bool set_option(struct options *options, struct arena *arena, int option, const char *argument, const char *name)
{
	switch (option) {
	case 'p':
		return set_last_pass(options, argument);
	case 'v':
		options->verbosity++;
		return true;
	case OPTION_DEBUG:
		options->keep_debug = true;
		return true;
	case OPTION_PREPARE:
		options->prepare = true;
		return true;
	case OPTION_SIGN_MODULE:
		options->signs = true;
		options->signing_folder = argument;
		return true;
	case 'k':
		options->keep_folder = true;
		return true;
	case 'w':
		options->suppress_warnings = true;
		return true;
	case 'W':
		options->fatal_warnings = true;
		return true;
	case 'g':
		options->guru_mode = true;
		return true;
	case 'e':
		return set_script(options, argument);
	case 'E':
		g_ptr_array_add(options->extra_texts, (void *)argument);
		return true;
	case 'l':
		options->list = true;
		return set_script(options, argument);
	case 'L':
		options->list_variables = true;
		return set_script(options, argument);
	case OPTION_DEBUGINFO:
		options->digest = argument;
		return true;
	case OPTION_EXPORT_DEBUGINFO:
		options->export_digest = argument;
		return true;
	case OPTION_MODULES:
		options->export_modules = argument;
		return true;
	case OPTION_LIST_LINES:
		options->list_lines = true;
		return set_script(options, argument);
	case OPTION_LIST_VARS:
		options->list_locations = true;
		return set_script(options, argument);
	case OPTION_EXTERNS:
		options->list_externs = true;
		return true;
	case 'r':
		options->release = argument;
		return true;
	case 'I':
		g_ptr_array_add(options->tapset_folders, (void *)argument);
		return true;
	case 'D':
		return set_limit(options, arena, argument);
	case 'm':
		return set_module_name(options, argument);
	case 'c':
		options->command = argument;
		return true;
	case 'x':
		return set_pid(options, argument);
	case 'o':
		options->output_file = argument;
		return true;
	case 'b':
		options->bulk = true;
		return true;
	case 's':
		if (!parse_number(argument, 1, 4095, &options->buffer_megabytes))
			return usage_error(_("-s wants a number of megabytes from 1 to 4095, not '%s'"), argument);
		return true;
	case 'G':
		return add_global_setting(options, argument);
	case OPTION_NO_GLOBAL_VAR_DISPLAY:
		options->no_global_display = true;
		return true;
	case 't':
		options->timing = true;
		return true;
	case 'u':
		options->unoptimized = true;
		return true;
	case OPTION_CHECK_VERSION:
		options->check_version = true;
		return true;
	case OPTION_COMPATIBLE:
		return set_compatible(options, argument);
	case OPTION_DUMP_FUNCTIONS:
		return set_dump(options, DUMP_FUNCTIONS);
	case OPTION_DUMP_ALIASES:
		return set_dump(options, DUMP_ALIASES);
	case OPTION_DUMP_TYPES:
		return set_dump(options, DUMP_TYPES);
	case OPTION_EXAMPLE:
		options->example = true;
		return true;
	case OPTION_PRIVILEGE:
		return set_privilege(options, argument);
	case OPTION_UNPRIVILEGED:
		return set_privilege(options, "stapusr");
	case OPTION_SEMANTIC_KEEP_GOING:
		options->keep_going = true;
		return true;
	case OPTION_SKIP_BADVARS:
		options->skip_bad_variables = true;
		return true;
	case OPTION_REMOTE:
		options->remote = argument;
		return true;
	case OPTION_VP:
		return set_pass_verbosity(options, argument);
	case OPTION_COLOR:
		return set_color(options, argument);
	case OPTION_SUPPRESS_HANDLER_ERRORS:
		options->suppress_handler_errors = true;
		return true;
	case OPTION_SUPPRESS_TIME_LIMITS:
		options->suppress_time_limits = true;
		return true;
	case OPTION_CLEAN_CACHE:
		options->clean_cache = true;
		return true;
	case OPTION_DISABLE_CACHE:
		options->disable_cache = true;
		return true;
	case OPTION_POISON_CACHE:
		options->poison_cache = true;
		return true;
	case 'd':
		g_ptr_array_add(options->line_modules, (void *)argument);
		return true;
	case OPTION_MODINFO:
		return add_modinfo(options, argument);
	case OPTION_RLIMIT_AS:
		return limit_resource(RLIMIT_AS, argument, name);
	case OPTION_RLIMIT_CPU:
		return limit_resource(RLIMIT_CPU, argument, name);
	case OPTION_RLIMIT_FSIZE:
		return limit_resource(RLIMIT_FSIZE, argument, name);
	case OPTION_RLIMIT_NPROC:
		return limit_resource(RLIMIT_NPROC, argument, name);
	case OPTION_RLIMIT_STACK:
		return limit_resource(RLIMIT_STACK, argument, name);
	case OPTION_RUNTIME:
		return !strcmp(argument, "kernel") ||
		       usage_error(_("--runtime=%s is not supported; scripts run in the kernel"), argument);
	case 'T':
		return set_timeout(options, argument);
	case OPTION_SYSROOT:
		options->sysroot = argument;
		return true;
	default:
		return refuse(name);
	}
}

/* What getopt_long() stumbled over; it has already moved on. */
static bool option_error(char **argv, int option)
{
	const char *word = argv[optind - 1];

	if (option == ':' && optopt && optopt < OPTION_HELP)
		return usage_error(_("option -%c wants an argument"), optopt);
	if (option == ':')
		return usage_error(_("option %s wants an argument"), word);
	if (optopt && optopt < OPTION_HELP)
		return usage_error(_("unknown option -%c"), optopt);
	return usage_error(_("unknown option %s"), word);
}

bool options_listing(const struct options *options)
{
	return options->list || options->list_variables || options->list_lines || options->list_locations;
}

static bool check_combination(struct options *options)
{
	if (options->prepare && (options->script_text || options->script_path))
		return usage_error(_("--prepare is for a kernel, whatever the scripts; it takes none"));
	if (options->clean_cache || options->prepare || options->dump)
		return true;
	if (options->guru_mode && strcmp(options->privilege, "stapdev"))
		return usage_error(_("-g and --privilege=%s exclude each other"), options->privilege);
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
	if (options->bulk && options->remote && g_str_has_prefix(options->remote, "vm:"))
		return usage_error(
			_("-b leaves its files in the guest, which --remote=vm: throws away; use --remote=unix:"));
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

enum options_outcome options_parse(struct options *options, struct arena *arena, int argc, char **argv)
{
	int option;

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
	options->module_info = arena_ptr_array(arena);
	set_standard_limits(&options->limits);
	opterr = 0;
	while ((option = getopt_long(argc, argv, short_options, long_options, NULL)) != -1) {
		char name[] = {'-', option, '\0'};

		if (option == 'h' || option == OPTION_HELP) {
			print_usage();
			return OPTIONS_DONE;
		}
		if (option == 'V') {
			printf(_("Spile %s: translator and driver for the SystemTap language (version %s)\n"),
			       PACKAGE_VERSION, LANGUAGE_VERSION);
			return OPTIONS_DONE;
		}
		if (option == '?' || option == ':') {
			option_error(argv, option);
			return OPTIONS_ERROR;
		}
		if (option == OPTION_UNSUPPORTED || (option < OPTION_HELP && strchr(unsupported_short, option))) {
			refuse(option == OPTION_UNSUPPORTED ? argv[optind - 1] : name);
			return OPTIONS_ERROR;
		}
		if (!set_option(options, arena, option, optarg, option < OPTION_HELP ? name : argv[optind - 1]))
			return OPTIONS_ERROR;
	}
	if (!options->script_text && optind < argc)
		options->script_path = argv[optind++];
	options->arguments = argv + optind;
	options->argument_count = argc - optind;
	return check_combination(options) ? OPTIONS_RUN : OPTIONS_ERROR;
}
