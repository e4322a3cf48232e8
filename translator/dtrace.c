// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command dtrace, which is stap under another name. Its options become those of stap; long options are stap's own.
 * The programs are parsed by dlang/, and messages are worded as those of dtrace(1).
 */
#include "translator/dtrace.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/files.h"
#include "common/process.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/message.h"
#include "common/base/number.h"
#include "common/base/paths.h"
#include "translator/driver.h"
#include "translator/dtrace_libraries.h"
#include "translator/dtrace_probes.h"
#include "translator/script_cache.h"
#include "translator/sources.h"
#include "translator/sema/sema.h"

bool dtrace_is_name(const char *program)
{
	const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;

	return !strcmp(name, "dtrace") || !strcmp(name, "spile-dtrace");
}

/* Print an error and free its text. Return false, for callers to return. */
static bool usage_error(char *text)
{
	fputs("dtrace: ", stderr);
	message_put(stderr, text);
	fputc('\n', stderr);
	g_free(text);
	return false;
}

/* ---- options of the program: -x, #pragma D option ---------------------------------------------------------------- */

struct setting;
typedef bool setting_handler(struct dtrace_command *command, struct options *options, const struct setting *setting,
			     const char *value);

struct setting {
	const char *name;
	setting_handler *set;
	size_t datum; /* the offset of a member of struct d_options, dtrace_command or script_limits */
	const char *refused; /* why it is not supported, or NULL */
	bool needs_value;
};

static setting_handler set_flag, set_command, set_destructive, set_number, set_scratch_size, set_string_size,
	set_buffer, set_libraries, add_definition, set_standard, set_preprocessor, set_version, set_environment,
	set_start, set_least_stability, set_policy, set_map_size, check_resize, check_size, check_rate, check_count,
	accept_tuning;

#define OPTION(member) offsetof(struct d_options, member)
#define COMMAND(member) offsetof(struct dtrace_command, member)
#define LIMIT(member) offsetof(struct script_limits, member)
#define REFUSED(name, reason)                                                                                          \
	{                                                                                                              \
		name, NULL, 0, reason, false                                                                           \
	}

static const struct setting settings[] = {
	{"quiet", set_flag, OPTION(quiet), NULL, false},
	{"flowindent", set_flag, OPTION(flow_indent), NULL, false},
	{"destructive", set_destructive, OPTION(destructive), NULL, false},
	{"zdefs", set_flag, OPTION(allow_zero), NULL, false},
	{"aggsortkey", set_flag, OPTION(sorts_by_key), NULL, false},
	{"aggsortrev", set_flag, OPTION(sorts_in_reverse), NULL, false},
	{"aggzoom", set_flag, OPTION(zooms), NULL, false},
	{"noresolve", set_flag, OPTION(shows_addresses), NULL, false},
	{"rawbytes", set_flag, OPTION(shows_bytes), NULL, false},
	{"aggsortkeypos", set_number, OPTION(aggregation_sort_position), NULL, true},
	{"aggsortpos", set_number, OPTION(aggregation_sort_number), NULL, true},
	{"cpu", set_number, OPTION(cpu), NULL, true},
	{"nspec", set_number, OPTION(speculations), NULL, true},
	{"stackindent", set_number, OPTION(stack_indent), NULL, true},
	{"stackframes", set_number, OPTION(stack_frames), NULL, true},
	{"ustackframes", set_number, OPTION(user_stack_frames), NULL, true},
	{"maxframes", set_number, OPTION(most_frames), NULL, true},
	{"jstackframes", set_number, OPTION(user_stack_frames), NULL, true},
	{"scratchsize", set_scratch_size, 0, NULL, true},
	{"strsize", set_string_size, 0, NULL, true},
	{"bufsize", set_buffer, 0, NULL, true},
	{"defaultargs", set_command, COMMAND(defaults), NULL, false},
	{"cpp", set_command, COMMAND(runs_preprocessor), NULL, false},
	{"errtags", set_command, COMMAND(shows_tags), NULL, false},
	{"empty", set_command, COMMAND(allows_empty), NULL, false},
	{"argref", set_command, COMMAND(allows_unused), NULL, false},
	{"libdir", set_libraries, 0, NULL, true},
	{"define", add_definition, 'D', NULL, true},
	{"undef", add_definition, 'U', NULL, true},
	{"incdir", add_definition, 'I', NULL, true},
	{"cpphdrs", add_definition, 'H', NULL, false},
	{"stdc", set_standard, 0, NULL, true},
	{"cpppath", set_preprocessor, 0, NULL, true},
	{"cppargs", add_definition, 0, NULL, true},
	{"version", set_version, 0, NULL, true},
	{"setenv", set_environment, true, NULL, true},
	{"unsetenv", set_environment, false, NULL, true},
	{"amin", set_least_stability, 0, NULL, true},
	{"evaltime", set_start, 0, NULL, true},
	{"bufpolicy", set_policy, 0, NULL, true},
	/* Sizes and rates that need no setting: output is read at once, and memory grows with its use. */
	{"aggsize", set_map_size, LIMIT(aggregation_bytes), NULL, true},
	{"aggrate", check_rate, 0, NULL, true},
	{"switchrate", check_rate, 0, NULL, true},
	{"statusrate", check_rate, 0, NULL, true},
	{"cleanrate", check_rate, 0, NULL, true},
	{"dynvarsize", set_map_size, LIMIT(array_bytes), NULL, true},
	{"specsize", check_size, 0, NULL, true},
	{"bufresize", check_resize, 0, NULL, true},
	{"lockmem", accept_tuning, 0, NULL, true},
	{"pgmax", check_count, 0, NULL, true},
	{"jstackstrsize", check_count, 0, NULL, true},
	{"lazyload", accept_tuning, 0, NULL, false},
	{"nolibs", accept_tuning, 0, NULL, false},
	{"temporal", accept_tuning, 0, NULL, false},
	{"knodefs", accept_tuning, 0, NULL, false},
	{"unodefs", accept_tuning, 0, NULL, false},
	{"preallocate", check_size, 0, NULL, true},
	{"quietresize", accept_tuning, 0, NULL, false},
	REFUSED("agghist", N_("aggregations are printed as tables; use quantize() for bars")),
	REFUSED("aggpack", N_("distributions are printed with a line for each bucket")),
	REFUSED("core", N_("stap writes no core file; see core(5)")),
	REFUSED("pcapsize", N_("packets are not captured to files")),
	REFUSED("bpflog", N_("programs are not compiled to BPF")),
	REFUSED("bpflogsize", N_("programs are not compiled to BPF")),
	REFUSED("disasm", N_("programs are not compiled to BPF; use -S")),
	REFUSED("iregs", N_("programs are not compiled to DIF")),
	REFUSED("tregs", N_("programs are not compiled to DIF")),
	REFUSED("verbose", N_("use -v")),
	REFUSED("modpath", N_("debuginfo is that of the kernel of -r")),
	REFUSED("ctypes", N_("types are those of the kernel's debuginfo")),
	REFUSED("dtypes", N_("types are those of the kernel's debuginfo")),
	REFUSED("syslibdir", N_("the library is that of stap; see -L for others")),
	REFUSED("linkmode", N_("it concerns dtrace -G")),
	REFUSED("linktype", N_("it concerns dtrace -G")),
	REFUSED("grabanon", N_("there is no anonymous tracing; see stap-service(8) for scripts from boot")),
	REFUSED("ustack", N_("it concerns helpers of Java")),
};

static bool set_flag(struct dtrace_command *command, struct options *options, const struct setting *setting,
		     const char *value)
{
	bool *flag = (bool *)((char *)&command->options + setting->datum);

	*flag = !value || (strcmp(value, "0") && g_ascii_strcasecmp(value, "no") &&
			   g_ascii_strcasecmp(value, "false") && g_ascii_strcasecmp(value, "off") &&
			   g_ascii_strcasecmp(value, "disable") && g_ascii_strcasecmp(value, "unset"));
	return true;
}

/* As in DTrace, do not end a destructive program because of the time that its probes take. */
static bool set_destructive(struct dtrace_command *command, struct options *options, const struct setting *setting,
			    const char *value)
{
	options->guru_mode = true;
	options->limits.no_overload = true;
	return set_flag(command, options, setting, value);
}

static bool set_number(struct dtrace_command *command, struct options *options, const struct setting *setting,
		       const char *value)
{
	return parse_number(value, 0, 0, INT32_MAX, (int64_t *)((char *)&command->options + setting->datum));
}

/* Parse a size such as "4k" or "1m" in bytes. */
static bool parse_size(const char *text, int64_t *ret)
{
	static const char units[] = "kmgt";
	const char *rest = parse_number_at(text, 10, 0, 1 << 30, ret), *unit;

	if (!rest || !*rest)
		return rest != NULL;
	unit = strchr(units, g_ascii_tolower(*rest));
	if (!unit || rest[1] || *ret > INT64_MAX >> 10 * (unit - units + 1))
		return false;
	*ret <<= 10 * (unit - units + 1);
	return true;
}

static bool set_string_size(struct dtrace_command *command, struct options *options, const struct setting *setting,
			    const char *value)
{
	enum { LOWEST = 64 };
	int64_t size;

	if (!parse_size(value, &size))
		return false;
	options->limits.max_string_length = MAX(size + 1, LOWEST);
	command->options.string_size = size;
	return true;
}

static bool set_scratch_size(struct dtrace_command *command, struct options *options, const struct setting *setting,
			     const char *value)
{
	enum { LARGEST = 8192 };
	int64_t size;

	if (!parse_size(value, &size) || size > LARGEST)
		return false;
	command->options.scratch_size = size;
	return true;
}

/* An option of the command itself. */
static bool set_command(struct dtrace_command *command, struct options *options, const struct setting *setting,
			const char *value)
{
	*(bool *)((char *)command + setting->datum) = true;
	return true;
}

static bool set_libraries(struct dtrace_command *command, struct options *options, const struct setting *setting,
			  const char *value)
{
	g_ptr_array_add(command->library_directories, (void *)value);
	return true;
}

/* An option of cpp; the datum is its letter. */
static bool add_definition(struct dtrace_command *command, struct options *options, const struct setting *setting,
			   const char *value)
{
	char letter[] = {'-', (char)setting->datum, '\0'};

	g_ptr_array_add(command->preprocessor, g_strconcat(setting->datum ? letter : "", value ?: "", NULL));
	return true;
}

/* -X: define __STDC__ for the preprocessor. The modes are those of old compilers: ANSI, conforming, K&R, transition. */
static bool set_standard(struct dtrace_command *command, struct options *options, const struct setting *setting,
			 const char *value)
{
	static const char *const definitions[][2] = {
		{"a", NULL}, {"c", NULL}, {"s", "-U__STDC__"}, {"t", "-D__STDC__=0"}};

	for (size_t i = 0; i < G_N_ELEMENTS(definitions); i++) {
		if (strcmp(value, definitions[i][0]))
			continue;
		if (definitions[i][1])
			g_ptr_array_add(command->preprocessor, (void *)definitions[i][1]);
		return true;
	}
	return false;
}

static bool set_preprocessor(struct dtrace_command *command, struct options *options, const struct setting *setting,
			     const char *value)
{
	command->preprocessor_path = value;
	return *value;
}

/* The version of D that the program is written in: "1.9", "2.0.1". */
static bool set_version(struct dtrace_command *command, struct options *options, const struct setting *setting,
			const char *value)
{
	enum { NEWEST = 2 };
	char *end;
	uint64_t major = g_ascii_strtoull(value, &end, 10);

	return end != value && strspn(value, "0123456789.") == strlen(value) && major >= 1 && major <= NEWEST;
}

/* Change the environment of the command of -c. */
static bool set_environment(struct dtrace_command *command, struct options *options, const struct setting *setting,
			    const char *value)
{
	g_autofree char *name = g_strndup(value, strcspn(value, "="));

	if (!*name)
		return false;
	if (!setting->datum)
		return !unsetenv(name);
	return !setenv(name, value[strlen(name)] ? value + strlen(name) + 1 : "", 1);
}

static bool set_least_stability(struct dtrace_command *command, struct options *options, const struct setting *setting,
				const char *value)
{
	return dlang_parse_stability(value, &command->options.least);
}

/* The constructors of a program have run when its main() starts. */
static bool set_start(struct dtrace_command *command, struct options *options, const struct setting *setting,
		      const char *value)
{
	static const struct {
		const char *value, *start;
	} starts[] = {{"exec", "exec"}, {"postinit", "main"}, {"main", "main"}};

	for (size_t i = 0; i < G_N_ELEMENTS(starts); i++) {
		if (strcmp(value, starts[i].value))
			continue;
		command->start = starts[i].start;
		return true;
	}
	return false;
}

static bool set_policy(struct dtrace_command *command, struct options *options, const struct setting *setting,
		       const char *value)
{
	static const char *const policies[] = {
		[STP_BUFFER_SWITCH] = "switch", [STP_BUFFER_RING] = "ring", [STP_BUFFER_FILL] = "fill"};

	for (size_t i = 0; i < G_N_ELEMENTS(policies); i++) {
		if (strcmp(value, policies[i]))
			continue;
		options->limits.buffer_policy = (int64_t)i;
		return true;
	}
	return false;
}

static bool set_buffer(struct dtrace_command *command, struct options *options, const struct setting *setting,
		       const char *value)
{
	int64_t size;

	if (!parse_size(value, &size))
		return false;
	options->limits.buffer_megabytes = CLAMP(size >> 20, 1, 4095);
	return true;
}

/* The size of arrays; 0 would drop all elements. */
static bool set_map_size(struct dtrace_command *command, struct options *options, const struct setting *setting,
			 const char *value)
{
	const int64_t most = INT64_C(1) << 40;
	int64_t size;

	if (!parse_size(value, &size) || !size || size > most)
		return false;
	*(int64_t *)((char *)&options->limits + setting->datum) = size;
	return true;
}

static bool check_size(struct dtrace_command *command, struct options *options, const struct setting *setting,
		       const char *value)
{
	int64_t size;

	return parse_size(value, &size);
}

static bool check_count(struct dtrace_command *command, struct options *options, const struct setting *setting,
			const char *value)
{
	int64_t count;

	return parse_number(value, 0, 0, INT32_MAX, &count);
}

/* A rate: a number of times a second, or a period such as "10ms"; "0" is no rate of its own. */
static bool check_rate(struct dtrace_command *command, struct options *options, const struct setting *setting,
		       const char *value)
{
	return !strcmp(value, "0") || dlang_period(value) > 0;
}

static bool check_resize(struct dtrace_command *command, struct options *options, const struct setting *setting,
			 const char *value)
{
	return !strcmp(value, "auto") || !strcmp(value, "manual");
}

static bool accept_tuning(struct dtrace_command *command, struct options *options, const struct setting *setting,
			  const char *value)
{
	return true;
}

/* Apply an option. Return NULL, or the text of an error, which the arena keeps. */
static const char *apply_setting(struct arena *arena, struct dtrace_command *command, struct options *options,
				 const char *name, const char *value)
{
	for (size_t i = 0; i < G_N_ELEMENTS(settings); i++) {
		const struct setting *setting = &settings[i];

		if (strcmp(setting->name, name))
			continue;
		if (setting->refused)
			return arena_printf(arena, _("option '%s' is not supported: %s"), name, _(setting->refused));
		if (setting->needs_value && !value)
			return arena_printf(arena, _("option '%s' requires a value"), name);
		if (!setting->set(command, options, setting, value))
			return arena_printf(arena, _("invalid value for option '%s': '%s'"), name, value);
		return NULL;
	}
	return arena_printf(arena, _("invalid option name '%s'"), name);
}

/* ---- the command line -------------------------------------------------------------------------------------------- */

struct parsing {
	struct options *options;
	struct arena *arena;
	struct dtrace_command *command;
	GPtrArray *words; /* of const char *: the command line for stap */
	bool failed; /* the error is not one of usage */
};

static const struct {
	char letter;
	enum d_part last;
	const char *kind;
} source_letters[] = {
	{'P', D_PROVIDER, "provider"},	    {'m', D_MODULE, "module"},	  {'f', D_FUNCTION, "function"},
	{'n', D_PROBE_NAME, "description"}, {'i', D_PROBE_NAME, "probe"}, {'s', D_PROBE_NAME, "script"},
};

static const struct {
	char letter;
	const char *reason;
} refused_letters[] = {
	{'3', N_("programs are compiled for the kernel, which has 64 bits")},
	{'a', N_("there is no anonymous tracing; see stap-service(8) for scripts from boot")},
	{'A', N_("there is no anonymous tracing; see stap-service(8) for scripts from boot")},
};

static void add_source(struct parsing *p, int letter, const char *text)
{
	for (size_t i = 0; i < G_N_ELEMENTS(source_letters); i++) {
		struct dtrace_source *source;

		if (source_letters[i].letter != letter)
			continue;
		source = arena_new0(p->arena, struct dtrace_source);
		*source = (struct dtrace_source){.last = source_letters[i].last,
						 .is_file = letter == 's',
						 .text = text,
						 .kind = source_letters[i].kind};
		g_ptr_array_add(p->command->sources, source);
	}
}

static void add_word(struct parsing *p, const char *word)
{
	g_ptr_array_add(p->words, (void *)word);
}

/* -x name[=value] */
static bool add_setting(struct parsing *p, const char *text)
{
	char *name = arena_strdup(p->arena, text), *value = strchr(name, '=');
	const char *problem;

	if (value)
		*value++ = '\0';
	problem = apply_setting(p->arena, p->command, p->options, name, value);
	p->failed |= problem != NULL;
	return !problem || usage_error(g_strdup_printf(_("failed to set -x %s: %s"), text, problem));
}

/* Apply the options in the environment: DTRACE_OPT_NAME=value is -x name=value before the command line. */
static bool add_environment(struct parsing *p)
{
	for (size_t i = 0; i < G_N_ELEMENTS(settings); i++) {
		const char *name = settings[i].name, *value;
		g_autofree char *upper = g_ascii_strup(name, -1), *variable = g_strconcat("DTRACE_OPT_", upper, NULL);

		value = getenv(variable);
		if (value && !add_setting(p, *value ? arena_printf(p->arena, "%s=%s", name, value) : name))
			return false;
	}
	return true;
}

static const char *const flag_settings[][2] = {
	{"q", "quiet"}, {"F", "flowindent"}, {"w", "destructive"}, {"Z", "zdefs"}, {"C", "cpp"},
};

static bool set_flag_letter(struct parsing *p, int letter)
{
	for (size_t i = 0; i < G_N_ELEMENTS(flag_settings); i++)
		if (*flag_settings[i][0] == letter)
			return add_setting(p, flag_settings[i][1]);
	return false;
}

static bool parse_letter(struct parsing *p, int letter, const char *argument)
{
	const char *spelled = arena_printf(p->arena, "-%c", letter);

	if (set_flag_letter(p, letter))
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(refused_letters); i++)
		if (refused_letters[i].letter == letter)
			return usage_error(g_strdup_printf(_("option %s is not supported: %s"), spelled,
							   _(refused_letters[i].reason)));
	switch (letter) {
	case 'l':
		p->command->lists = true;
		return true;
	case 'G':
	case 'h':
		p->command->makes = (char)letter;
		return true;
	case 'e':
		add_word(p, "--check");
		return true;
	case 'S':
		p->command->shows_code = true;
		return true;
	case 'v':
		p->command->is_verbose = true;
		return true;
	case 'L':
		return add_setting(p, arena_printf(p->arena, "libdir=%s", argument));
	case 'x':
		return add_setting(p, argument);
	case 'b':
		return add_setting(p, arena_printf(p->arena, "bufsize=%s", argument));
	case 'p':
		add_word(p, "-x");
		add_word(p, argument);
		return true;
	case 'c':
	case 'o':
	case 'r':
		add_word(p, spelled);
		add_word(p, argument);
		return true;
	case 'D':
	case 'I':
	case 'U':
		g_ptr_array_add(p->command->preprocessor, arena_printf(p->arena, "%s%s", spelled, argument));
		return true;
	case 'H':
		g_ptr_array_add(p->command->preprocessor, "-H");
		return true;
	case 'X':
		return add_setting(p, arena_printf(p->arena, "stdc=%s", argument));
	case '6':
		return !strcmp(argument, "4") || usage_error(g_strdup_printf(_("invalid option -%c"), letter));
	default:
		add_source(p, letter, argument);
		return true;
	}
}

static void show_usage(FILE *to)
{
	fputs(_("Usage: dtrace [-CeFGhHlqSvVwZ] [-b SIZE] [-c COMMAND] [-D NAME[=VALUE]] [-I DIRECTORY] [-o FILE]\n"
		"              [-p PID] [-r RELEASE] [-s SCRIPT] [-U NAME] [-x NAME[=VALUE]] [--OPTION-OF-STAP ...]\n"
		"              [-P PROVIDER] [-m [PROVIDER:]MODULE] [-f [[PROVIDER:]MODULE:]FUNCTION]\n"
		"              [-n [[[PROVIDER:]MODULE:]FUNCTION:]NAME[[PREDICATE]ACTION]] [ARGUMENT ...]\n"),
	      to);
}

/* Move the long options, which are stap's, to its command line. Return the other words. */
static GPtrArray *take_long_options(struct parsing *p, int argc, char **argv)
{
	GPtrArray *others = arena_ptr_array(p->arena);

	for (int i = 0; i < argc; i++) {
		if (i && g_str_has_prefix(argv[i], "--") && argv[i][2])
			add_word(p, argv[i]);
		else
			g_ptr_array_add(others, argv[i]);
	}
	g_ptr_array_add(others, NULL);
	return others;
}

/* Parse the words that are left; false after an error. */
static bool parse_words(struct parsing *p, int argc, char **argv, GPtrArray *arguments)
{
	static const char letters[] = ":3:6:aAb:c:CD:ef:FGhHi:I:lL:m:n:o:p:P:qr:s:SU:vVwx:X:Z";
	int letter;

	opterr = 0;
	optind = 1;
	while ((letter = getopt(argc, argv, letters)) != -1) {
		if (letter == '?' || letter == ':') {
			usage_error(g_strdup_printf(letter == '?' ? _("invalid option -%c")
								  : _("option -%c requires an argument"),
						    optopt));
			show_usage(stderr);
			return false;
		}
		if (!parse_letter(p, letter, optarg))
			return false;
	}
	for (; optind < argc; optind++)
		g_ptr_array_add(arguments, argv[optind]);
	return true;
}

static struct dtrace_command *command_new(struct arena *arena)
{
	struct dtrace_command *command = arena_new0(arena, struct dtrace_command);

	command->sources = arena_ptr_array(arena);
	command->preprocessor = arena_ptr_array(arena);
	command->settings = arena_ptr_array(arena);
	command->library_directories = arena_ptr_array(arena);
	command->options.stack_frames = command->options.user_stack_frames = 20;
	command->options.most_frames = INT32_MAX;
	command->options.scratch_size = 256;
	command->options.speculations = 1;
	command->options.stack_indent = 14;
	command->options.cpu = -1;
	return command;
}

/* -h and -G make files from scripts only. */
static bool check_scripts(struct parsing *p)
{
	for_each_ptr(const struct dtrace_source *, source, p->command->sources)
		if (!source->is_file)
			return usage_error(g_strdup_printf(_("-%c requires scripts (-s)"), p->command->makes));
	return p->command->sources->len ||
	       usage_error(g_strdup_printf(_("-%c requires a script (-s)"), p->command->makes));
}

/* -l without a description lists everything. */
static bool check_sources(struct parsing *p)
{
	if (p->command->makes && !check_scripts(p))
		return false;

	if (p->command->lists && !p->command->sources->len)
		add_source(p, 'n', "*:::");
	if (!p->command->sources->len)
		return usage_error(g_strdup(_("no probes specified")));
	for_each_ptr(const struct dtrace_source *, source, p->command->sources) {
		if (!source->is_file || !strcmp(source->text, "-") || !access(source->text, R_OK))
			continue;
		p->failed = true;
		return usage_error(g_strdup_printf(_("failed to open %s: %s"), source->text, strerror(errno)));
	}
	return true;
}

/*
 * Set the limits of D, which has no loops: what a program does is bounded by the sizes of its arrays. Options of D that
 * set a limit are in @p chosen.
 */
static void set_limits(struct options *options, struct script_limits *chosen)
{
	static const size_t members[] = {LIMIT(max_string_length), LIMIT(buffer_megabytes), LIMIT(buffer_policy),
					 LIMIT(no_overload),	   LIMIT(array_bytes),	    LIMIT(aggregation_bytes)};
	struct script_limits *limits = &options->limits;
	enum privilege privilege = PRIVILEGE_STAPDEV;

	privilege_find(options->privilege, &privilege); /* options_parse() has checked the name */
	for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
		const int64_t value = *(const int64_t *)((const char *)chosen + members[i]);

		if (value)
			*(int64_t *)((char *)limits + members[i]) = value;
	}
	limits->drops_elements = true;
	limits->max_action = limit_highest("MAXACTION", privilege);
	limits->max_action_interruptible = limit_highest("MAXACTION_INTERRUPTIBLE", privilege);
	limits->max_skipped = limit_highest("MAXSKIPPED", privilege);
}

enum options_outcome dtrace_options_parse(struct options *options, struct arena *arena, int argc, char **argv)
{
	struct parsing p = {
		.options = options, .arena = arena, .command = command_new(arena), .words = arena_ptr_array(arena)};
	GPtrArray *arguments = arena_ptr_array(arena), *words;
	struct options shared = {0};
	enum options_outcome outcome;

	if (argc == 1) {
		show_usage(stderr);
		return OPTIONS_USAGE;
	}
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "-V")) {
			printf("dtrace: Spile %s\n", PACKAGE_VERSION);
			return OPTIONS_DONE;
		} else if (!strcmp(argv[i], "--help")) {
			show_usage(stdout);
			return OPTIONS_DONE;
		}
	add_word(&p, "stap");
	words = take_long_options(&p, argc, argv);
	if (!add_environment(&p) || !parse_words(&p, (int)words->len - 1, (char **)words->pdata, arguments) ||
	    !check_sources(&p))
		return p.failed ? OPTIONS_ERROR : OPTIONS_USAGE;
	if (p.command->is_verbose && !p.command->lists)
		add_word(&p, "-v");
	add_word(&p, "-e");
	add_word(&p, "");
	add_word(&p, "--no-global-var-display");
	shared = *options;
	g_ptr_array_add(p.words, NULL);
	optind = 0;
	outcome = options_parse(options, arena, (int)p.words->len - 1, (char **)p.words->pdata);
	options->guru_mode |= shared.guru_mode;
	set_limits(options, &shared.limits);
	options->list = p.command->lists;
	/* Types of arguments are read for -L only. */
	options->list_variables = p.command->lists && p.command->is_verbose;
	options->dtrace = p.command;
	options->arguments = (char **)arguments->pdata;
	options->argument_count = (int)arguments->len;
	return outcome;
}

/* ---- pass 1 ------------------------------------------------------------------------------------------------------ */

/* Return the path of declarations that all programs share: those of the architecture, or of all if it is NULL. */
static const char *library_path(struct arena *arena, const char *architecture)
{
	return arena_printf(arena, "%s/tapset/dlang%s%s.d", data_directory(), architecture ? "-" : "",
			    architecture ?: "");
}

/* -C: run the C preprocessor on a program. */
static struct error *preprocess(struct translation *t, const struct dtrace_command *command, const char *path,
				struct source_file **ret)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	_cleanup_free_ char *output = NULL;
	struct error *error;
	size_t length;

	g_ptr_array_add(words, (void *)(command->preprocessor_path ?: "cpp"));
	g_ptr_array_add(words, "-D__SUNW_D=1");
	g_ptr_array_add(words, "-D__SUNW_D_VERSION=0x02000000");
	/* The headers of the C library hide extensions such as __attribute__ from other compilers. */
	g_ptr_array_add(words, "-U__GNUC__");
	for_each_ptr(const char *, word, command->preprocessor)
		g_ptr_array_add(words, (void *)word);
	g_ptr_array_add(words, (void *)path);
	g_ptr_array_add(words, NULL);
	error = process_read_output((const char *const *)words->pdata, &output, &length);
	if (!error)
		*ret = source_new(t, path, arena_strndup(t->arena, output, length), length);
	return error;
}

/* Drop the line "#!…", which the preprocessor would not understand. */
static struct error *read_source(struct translation *t, const struct dtrace_command *command,
				 const struct dtrace_source *source, struct source_file **ret)
{
	if (!source->is_file) {
		*ret = source_new(t, "<command line>", (char *)source->text, strlen(source->text));
		return NULL;
	}
	if (command->runs_preprocessor)
		return preprocess(t, command, source->text, ret);
	return source_read(t, source->text, ret);
}

struct error *dtrace_find_sources(struct translation *t, const struct options *options)
{
	/* The cache's key also depends on the library and on the user. */
	known_add_file(t, library_path(t->arena, NULL));
	known_add_file(t, library_path(t->arena, t->kernel.abi->name));
	known_add_text(t, arena_printf(t->arena, "%u %u %u %u", getuid(), geteuid(), getgid(), getegid()));
	for_each_ptr(const struct dtrace_source *, source, options->dtrace->sources) {
		struct source_file *file;
		struct error *error = read_source(t, options->dtrace, source, &file);

		if (error)
			return error;
		known_add_source(t, file);
		g_ptr_array_add(t->user_sources, file);
	}
	return NULL;
}

/* Apply the options of the program's pragmas. */
static void apply_pragmas(struct translation *t, struct options *options)
{
	struct dtrace_command *command = options->dtrace;

	for_each_ptr(const struct d_option *, option, command->program->options) {
		const char *problem = apply_setting(t->arena, command, options, option->name, option->value);

		if (problem)
			diagnose(t->diagnostics, PARSE_ERROR, &option->location, "[D_PRAGMA_OPTSET] %s", problem);
	}
}

/* Parse declarations that all programs share (library_path()). */
static struct error *parse_library_program(struct translation *t, const char *architecture,
					   const struct d_macros *macros, struct d_program *program)
{
	struct source_file *file;
	struct error *error = source_read(t, library_path(t->arena, architecture), &file);

	if (!error)
		dlang_parse(&t->language, file, macros, D_PROBE_NAME, program);
	return error;
}

/* Report macro arguments that the program does not use. */
static void check_arguments(struct translation *t, const struct options *options)
{
	if (options->dtrace->allows_unused || options->dtrace->lists || options->dtrace->makes ||
	    !t->language.argument_used)
		return;
	for (int i = 0; i < options->argument_count; i++)
		if (!t->language.argument_used[i]) {
			diagnose(t->diagnostics, PARSE_ERROR, NULL,
				 _("[D_MACRO_UNUSED] extraneous argument '%s' ($%d is not used)"),
				 options->arguments[i], i + 1);
			return;
		}
}

/* setopt(): options of the translation itself can no longer be changed. */
static const char *set_late_option(struct translation *t, struct d_options *options, const char *name,
				   const char *value)
{
	static const char *const early[] = {"destructive", "strsize", "bufsize", "bufpolicy", "cpp",	     "define",
					    "undef",	   "incdir",  "libdir",	 "zdefs",     "defaultargs", "empty",
					    "argref",	   "version", "aggsize", "dynvarsize"};
	struct dtrace_command *command = t->options->dtrace;
	struct options unused = *t->options;
	const char *problem;

	for (size_t i = 0; i < G_N_ELEMENTS(early); i++)
		if (!strcmp(name, early[i]))
			return arena_printf(t->arena, _("option '%s' cannot be set while the program runs"), name);
	command->options = *options;
	problem = apply_setting(t->arena, command, &unused, name, value);
	*options = command->options;
	return problem;
}

void dtrace_parse_sources(struct translation *t, struct options *options)
{
	struct dtrace_command *command = options->dtrace;
	struct d_macros macros = {.argument_count = options->argument_count,
				  .arguments = options->arguments,
				  .defaults = command->defaults};

	struct error *error;

	if (options_have_target(options))
		macros.target = options->command ? D_TARGET_OF_COMMAND : options_target_pid(options);
	command->program = d_program_new(t->arena);
	error = parse_library_program(t, NULL, &macros, command->program);
	error = error ?: parse_library_program(t, t->kernel.abi->name, &macros, command->program);
	error = error ?: dtrace_parse_libraries(t, command->library_directories, &macros, command->program);
	if (error) {
		translation_report(t, &(struct location){0}, error);
		return;
	}
	for (guint i = 0; i < command->sources->len; i++) {
		const struct dtrace_source *source = g_ptr_array_index(command->sources, i);

		macros.script_name = source->is_file ? source->text : "dtrace";
		dlang_parse(&t->language, g_ptr_array_index(t->user_sources, i), &macros, source->last,
			    command->program);
	}
	apply_pragmas(t, options);
	check_arguments(t, options);
	if (command->makes)
		return;
	if (!command->program->clauses->len && !command->allows_empty)
		diagnose(t->diagnostics, PARSE_ERROR, NULL, "[D_EMPTY] %s", _("the program has no clause"));
	t->limits = options->limits;
	for_each_ptr(struct source_file *, file, t->user_sources)
		file->privileged = options->guru_mode;
	t->language.guru_mode = options->guru_mode;
	dlang_begin(t, command->program, &command->options, set_late_option);
}

/* ---- -h, -G ------------------------------------------------------------------------------------------------------ */

struct error *dtrace_make(const struct options *options)
{
	const struct dtrace_command *command = options->dtrace;
	const struct dtrace_source *first = g_ptr_array_index(command->sources, 0);
	g_autofree char *stem = g_str_has_suffix(first->text, ".d") ? g_strndup(first->text, strlen(first->text) - 2)
								    : g_strdup(first->text);
	g_autofree char *name = g_strconcat(stem, command->makes == 'h' ? ".h" : ".o", NULL);
	const char *path = options->output_file ?: name;

	if (!options->output_file && !g_file_test(first->text, G_FILE_TEST_IS_REGULAR))
		return error_new(ERROR_OTHER, _("-%c: %s is not a regular file, so name the output file with -o"),
				 command->makes, first->text);
	/* The objects that DTrace changes need no change here, but they must exist. */
	for (int i = 0; command->makes == 'G' && i < options->argument_count; i++)
		if (access(options->arguments[i], R_OK))
			return error_errno(_("cannot open %s"), options->arguments[i]);
	return command->makes == 'h' ? dtrace_write_header(command->program, path)
				     : dtrace_write_object(command->program, path);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static void print_stability(const char *title, const struct d_stability *stability)
{
	printf("\n\t%s\n\t\tIdentifier Names: %s\n\t\tData Semantics:   %s\n\t\tDependency Class: %s\n", title,
	       stability->name, stability->data, stability->platforms);
}

/* A program is named by its file, or by its description. */
static int name_length(const struct dtrace_source *source)
{
	return (int)(source->is_file ? strlen(source->text) : strcspn(source->text, "/{"));
}

static void print_matches(const struct dtrace_source *source, unsigned int count)
{
	g_autofree char *text = g_strdup_printf(ngettext("dtrace: %s '%.*s' matched %u probe",
							 "dtrace: %s '%.*s' matched %u probes", count),
						source->kind, name_length(source), source->text, count);

	message_put(stderr, text);
	fputc('\n', stderr);
}

/* Print the lowest stability of the probes and variables of a program, for dtrace -v. */
static void print_use(const struct dtrace_source *source, const struct d_use *use)
{
	g_autofree char *name = g_strchomp(g_strndup(source->text, (gsize)name_length(source)));
	struct d_stability descriptions, statements;

	if (!use)
		return;
	descriptions = dlang_stability(&use->descriptions);
	statements = dlang_stability(&use->statements);
	printf("\nStability attributes for %s %s:\n", source->kind, name);
	print_stability("Minimum Probe Description Attributes", &descriptions);
	print_stability("Minimum Statement Attributes", &statements);
	putchar('\n');
}

/* Let staprun start the command, and report its end, as dtrace does. */
static void prepare_command(struct options *options, bool is_quiet)
{
	options->command_start = options->dtrace->start ?: "main";
	options->command_report = is_quiet ? "nothing" : "pid";
}

void dtrace_report_matches(const struct translation *t, struct options *options)
{
	const struct dtrace_command *command = options->dtrace;

	prepare_command(options, command->options.quiet);
	for (guint i = 0; !command->options.quiet && !options->checks && i < command->sources->len; i++)
		print_matches(g_ptr_array_index(command->sources, i),
			      dlang_matched(t, g_ptr_array_index(t->user_sources, i)));
	for (guint i = 0; command->is_verbose && i < command->sources->len; i++)
		print_use(g_ptr_array_index(command->sources, i), dlang_use(t, g_ptr_array_index(t->user_sources, i)));
}

/* ---- the cache of translated scripts ----------------------------------------------------------------------------- */

bool dtrace_may_recall(const struct translation *t, const struct options *options)
{
	static const char *const changing[] = {"$ppid", "$pgid", "$sid", "libdir"};
	const struct dtrace_command *command = options->dtrace;

	if (!command)
		return true;
	/* Included files are not part of the key. */
	if (command->lists || command->shows_code || command->is_verbose || command->runs_preprocessor ||
	    command->library_directories->len)
		return false;
	for_each_ptr(const struct source_file *, file, t->user_sources)
		for (size_t i = 0; i < G_N_ELEMENTS(changing); i++)
			if (strstr(file->text, changing[i]))
				return false;
	return true;
}

const char *dtrace_note(const struct translation *t, const struct options *options)
{
	const struct dtrace_command *command = options->dtrace;
	g_autoptr(GString) text = g_string_new(NULL);

	/* These options of the program concern more than the module. */
	for_each_ptr(const struct d_option *, option, command->program->options)
		if (strstr(option->name, "setenv") || !strcmp(option->name, "destructive") ||
		    !strcmp(option->name, "evaltime"))
			return NULL;
	g_string_append_printf(text, " %d", command->options.quiet);
	for_each_ptr(const struct source_file *, file, t->user_sources)
		g_string_append_printf(text, " %u", dlang_matched(t, file));
	return arena_strdup(t->arena, text->str);
}

void dtrace_recalled(struct options *options, const char *note)
{
	enum { BEFORE = 4 };
	const GPtrArray *sources = options->dtrace->sources;
	g_auto(GStrv) lines = g_strsplit(note, "\n", 2);
	g_auto(GStrv) words = g_strsplit(lines[0], " ", -1);

	if (g_strv_length(words) != BEFORE + 1 + sources->len)
		return;
	prepare_command(options, strcmp(words[BEFORE], "0"));
	if (strcmp(words[BEFORE], "0"))
		return;
	for (guint i = 0; i < sources->len; i++)
		print_matches(g_ptr_array_index(sources, i), (unsigned int)strtoul(words[BEFORE + 1 + i], NULL, 10));
}

static void print_list_head(void)
{
	printf("%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME");
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* Return the program that a diagnostic is about; those of libraries are shown with the first one. */
static guint failed_source(const struct translation *t, const struct diagnostic *report)
{
	for (guint i = 0; i < t->user_sources->len; i++)
		if (g_ptr_array_index(t->user_sources, i) == report->location.file)
			return i;
	return 0;
}

/* Append where in a program the error is: its line in a file; of a text, the part of the clause. */
static void append_error_place(GString *message, const struct dtrace_source *source, const struct source_file *file,
			       const struct location *at)
{
	const char *before;

	if (!at->file)
		return;
	if (at->file != file)
		g_string_append_printf(message, _("\"%s\", line %d: "), at->file->name, at->line);
	else if (source->is_file)
		g_string_append_printf(message, _("line %d: "), at->line);
	else if (at->line == 1 && at->column > 0) {
		g_autofree char *start = g_strndup(file->text, (size_t)at->column);

		before = strpbrk(start, "/{");
		if (before)
			g_string_append(message, strchr(start, '{') ? _("in action list: ") : _("in predicate: "));
	}
}

static void report_error(const struct translation *t, const struct dtrace_command *command,
			 const struct diagnostic *report)
{
	guint index = failed_source(t, report);
	const struct dtrace_source *source = g_ptr_array_index(command->sources, index);
	const struct source_file *file =
		index < t->user_sources->len ? g_ptr_array_index(t->user_sources, index) : NULL;
	const char *text = report->text, *end = *text == '[' ? strstr(text, "] ") : NULL;
	g_autoptr(GString) message = g_string_new(NULL);

	if (command->lists && g_str_has_prefix(text, "[D_PDESC_ZERO]")) {
		/* The program is good, but the list is empty. */
		print_list_head();
		g_string_append(message, "dtrace: ");
		file = NULL;
	} else {
		g_string_append_printf(message,
				       source->is_file ? _("dtrace: failed to compile script %s: ")
						       : _("dtrace: invalid probe specifier %s: "),
				       source->text);
	}
	if (end && command->shows_tags)
		g_string_append_len(message, text, end - text + 2);
	if (file)
		append_error_place(message, source, file, &report->location);
	g_string_append_printf(message, "%s\n", end ? end + 2 : text);
	/* Programs that read the tags do not expect a hint. */
	if (report->hint && !command->shows_tags)
		g_string_append_printf(message, "%s: %s\n", _("hint"), report->hint);
	message_put(stderr, message->str);
}

void dtrace_report_failure(const struct translation *t, const struct options *options)
{
	for_each_ptr(const struct diagnostic *, report, diagnostics_all(t->diagnostics)) {
		if (report->kind == WARNING)
			continue;
		report_error(t, options->dtrace, report);
		break;
	}
	diagnostics_shown(t->diagnostics);
}

/* ---- -l ---------------------------------------------------------------------------------------------------------- */

static void print_types(const GPtrArray *types)
{
	bool none = true;

	printf("\n\tArgument Types\n");
	for (guint i = 0; i < types->len; i++) {
		const char *type = g_ptr_array_index(types, i);

		if (!type)
			continue;
		printf("\t\targs[%u]: %s\n", i, type);
		none = false;
	}
	printf("%s\n", none ? "\t\tNone\n" : "");
}

static void print_place(const struct d_listed_probe *probe)
{
	const char *const *parts = probe->parts;

	/* A function that is known only at the hit stands for all system calls. */
	printf("%5u %10s %17s %33s %s\n", probe->id, parts[D_PROVIDER], parts[D_MODULE], parts[D_FUNCTION] ?: "*",
	       parts[D_PROBE_NAME]);
	if (!probe->types)
		return;
	print_stability("Probe Description Attributes", &probe->description);
	print_stability("Argument Attributes", &probe->arguments);
	print_types(probe->types);
}

void dtrace_list(struct translation *t)
{
	if (!derive_probes(t))
		return;
	print_list_head();
	dlang_visit_places(t, t->options->dtrace->is_verbose, print_place);
}
