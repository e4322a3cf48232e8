// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Providers of D: each turns a probe description into points of the SystemTap language, and says what arg0 and args[0]
 * are there. To add a provider, write its functions and add a row to the table at the end.
 */
#include "translator/dlang/lower.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "common/base/i18n.h"
#include "translator/probes/provider.h"
#include "translator/probes/syscall_rows.h"

bool d_part_matches(const char *part, const char *name)
{
	return !*part || (strpbrk(part, "*?[\\") ? !fnmatch(part, name, 0) : !strcmp(part, name));
}

/* Return "provider:module:function:name" of the place. */
static const char *place_name(struct d_lowering *l)
{
	const char *const *parts = l->place->parts;

	return arena_printf(l->arena, "%s:%s:%s:%s", parts[D_PROVIDER], parts[D_MODULE], parts[D_FUNCTION] ?: "",
			    parts[D_PROBE_NAME]);
}

static bool is_glob(const char *part)
{
	return !*part || strpbrk(part, "*?[\\");
}

static struct d_point *add_point(struct d_translation *d, GPtrArray *ret, const struct d_provider *provider,
				 const char *text, const char *module, const char *function, const char *name)
{
	struct d_point *point = arena_new0(d->arena, struct d_point);

	point->text = text;
	point->provider = provider;
	point->parts[D_PROVIDER] = provider->name;
	point->parts[D_MODULE] = module;
	point->parts[D_FUNCTION] = function;
	point->parts[D_PROBE_NAME] = name;
	g_ptr_array_add(ret, point);
	return point;
}

/* ---- dtrace ------------------------------------------------------------------------------------------------------ */

static void dtrace_points(struct d_translation *d, const struct d_provider *provider,
			  const struct d_description *description, GPtrArray *ret)
{
	static const char *const points[][2] = {{"BEGIN", "begin"}, {"END", "end"}, {"ERROR", "error"}};

	if (*description->parts[D_MODULE] || *description->parts[D_FUNCTION])
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(points); i++)
		if (d_part_matches(description->parts[D_PROBE_NAME], points[i][0]))
			add_point(d, ret, provider, points[i][1], "", "", points[i][0]);
}

/* ---- profile ----------------------------------------------------------------------------------------------------- */

static const struct {
	const char *suffix;
	int64_t nanoseconds; /* 0: a frequency */
} units[] = {
	{"nsec", 1},
	{"ns", 1},
	{"usec", 1000},
	{"us", 1000},
	{"msec", 1000000},
	{"ms", 1000000},
	{"sec", 1000000000},
	{"s", 1000000000},
	{"min", 60000000000},
	{"m", 60000000000},
	{"hour", 3600000000000},
	{"h", 3600000000000},
	{"day", 86400000000000},
	{"d", 86400000000000},
	{"hz", 0},
	{"", 0},
};

int64_t dlang_period(const char *text)
{
	char *end;
	int64_t number = (int64_t)g_ascii_strtoull(text, &end, 10);

	if (!g_ascii_isdigit(*text) || number <= 0)
		return 0;
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		if (g_ascii_strcasecmp(end, units[i].suffix))
			continue;
		if (!units[i].nanoseconds)
			return number > 1000000000 ? 0 : 1000000000 / number;
		return number > INT64_MAX / units[i].nanoseconds ? 0 : number * units[i].nanoseconds;
	}
	return 0;
}

static void add_profile(struct d_translation *d, const struct d_provider *provider,
			const struct d_description *description, GPtrArray *ret)
{
	enum { SHORTEST = 200000 /* ns: 5000 Hz, as DTrace allows */ };
	const char *name = description->parts[D_PROBE_NAME];
	bool ticks = g_str_has_prefix(name, "tick-"), profiles = g_str_has_prefix(name, "profile-");
	int64_t period = ticks || profiles ? dlang_period(strchr(name, '-') + 1) : 0;

	if (*description->parts[D_MODULE] || *description->parts[D_FUNCTION] || period < SHORTEST)
		return;
	add_point(d, ret, provider,
		  arena_printf(d->arena, ticks ? "timer.ns(%" PRId64 ")" : "perf.sw.cpu_clock.sample(%" PRId64 ")",
			       period),
		  "", "", name);
}

/* The probes of which -l shows that they exist; others are made when a program names them. */
static const char *const known_profiles[] = {
	"profile-97", "profile-199", "profile-499", "profile-997", "profile-1999", "profile-4001", "profile-4999",
	"tick-1",     "tick-10",     "tick-100",    "tick-500",	   "tick-1000",	   "tick-5000",
};

static void profile_points(struct d_translation *d, const struct d_provider *provider,
			   const struct d_description *description, GPtrArray *ret)
{
	for (size_t i = 0; i < G_N_ELEMENTS(known_profiles); i++) {
		struct d_description one = *description;

		if (!is_glob(description->parts[D_PROBE_NAME]) || !*description->parts[D_PROVIDER] ||
		    !d_part_matches(description->parts[D_PROBE_NAME], known_profiles[i]))
			continue;
		one.parts[D_PROBE_NAME] = known_profiles[i];
		add_profile(d, provider, &one, ret);
	}
	if (!is_glob(description->parts[D_PROBE_NAME]))
		add_profile(d, provider, description, ret);
}

/* arg0: the address in the kernel, arg1: that in the process; 0 if the other one was interrupted */
static struct expr *profile_argument(struct d_lowering *l, const struct location *at, unsigned int index)
{
	if (index > 1)
		return NULL;
	return build_call(l->arena, at, index ? "__dtrace_user_pc" : "__dtrace_kernel_pc", NULL);
}

/* ---- syscall ----------------------------------------------------------------------------------------------------- */

/* Return whether a part of a description names a call as the kernel does, by its function or number. */
static bool matches_kernel_name(const struct syscall_row *row, const struct abi *abi, const char *part)
{
	return d_part_matches(part, syscall_row_function(row, abi)) || syscall_row_has_number_name(row, abi, part);
}

/* The same for the name of SystemTap's alias: "pread" for pread64(). */
static bool matches_alias(const struct syscall_row *row, const struct abi *abi, const char *part)
{
	(void)abi;
	return d_part_matches(part, row->name);
}

static void add_rows(struct d_translation *d, const struct d_provider *provider, const char *function, const char *name,
		     bool is_return, bool (*matches)(const struct syscall_row *, const struct abi *, const char *),
		     GPtrArray *ret)
{
	const struct abi *abi = d->t->kernel.abi;

	for (int i = 0; i < syscall_row_count; i++) {
		const struct syscall_row *row = &syscall_rows[i];
		struct d_point *one;

		if (!syscall_row_exists(row, abi) || !matches(row, abi, function))
			continue;
		one = add_point(d, ret, provider,
				arena_printf(d->arena, "__syscall(%d)%s", i + 1, is_return ? ".return" : ""), "vmlinux",
				syscall_row_function(row, abi), name);
		one->is_return = is_return;
		one->system_call = i + 1;
	}
}

static void add_syscalls(struct d_translation *d, const struct d_provider *provider, const char *function,
			 const char *name, bool is_return, GPtrArray *ret)
{
	guint before;

	if ((!*function || !strcmp(function, "*")) && !options_listing(d->t->options)) {
		struct d_point *all = add_point(d, ret, provider, is_return ? "__syscall_any.return" : "__syscall_any",
						"vmlinux", NULL, name);

		all->is_return = is_return;
		all->is_of_all = true;
		return;
	}
	before = ret->len;
	add_rows(d, provider, function, name, is_return, matches_kernel_name, ret);
	if (ret->len == before)
		add_rows(d, provider, function, name, is_return, matches_alias, ret);
}

static void syscall_points(struct d_translation *d, const struct d_provider *provider,
			   const struct d_description *description, GPtrArray *ret)
{
	const char *name = description->parts[D_PROBE_NAME], *function = description->parts[D_FUNCTION];

	if (!d_part_matches(description->parts[D_MODULE], "vmlinux"))
		return;
	if (d_part_matches(name, "entry"))
		add_syscalls(d, provider, function, "entry", false, ret);
	if (d_part_matches(name, "return"))
		add_syscalls(d, provider, function, "return", true, ret);
}

unsigned int d_syscall_count(const struct d_translation *d)
{
	unsigned int count = 0;

	for (int i = 0; i < syscall_row_count; i++)
		count += syscall_row_exists(&syscall_rows[i], d->t->kernel.abi);
	return count;
}

static struct expr *syscall_argument(struct d_lowering *l, const struct location *at, unsigned int index)
{
	enum { MOST = 6 };

	if (l->place->is_return)
		return index < 2 ? build_call(l->arena, at, "__syscall_result", NULL) : NULL;
	return index < MOST ? build_call(l->arena, at, "__syscall_argument", build_number(l->arena, at, index + 1))
			    : NULL;
}

/*
 * Return the type of an argument of a system call, by the kernel's function that implements it, or long. NULL: the call
 * has fewer arguments.
 */
static struct type *syscall_type(struct d_lowering *l, unsigned int index)
{
	struct function_query query = {.inlines = INCLUDE_BOTH};
	g_autoptr(GPtrArray) found = g_ptr_array_new(), parameters = g_ptr_array_new();
	struct debuginfo *debuginfo;
	struct error *error;

	if (!l->place->parts[D_FUNCTION])
		return d_base_type(D_LONG);
	query.name = arena_printf(l->arena, "__do_sys_%s", l->place->parts[D_FUNCTION]);
	error = translation_debuginfo(l->t, "kernel", &debuginfo);
	error = error ?: debuginfo_functions(debuginfo, &query, found);
	if (!error && found->len) {
		const struct function *function = g_ptr_array_index(found, 0);

		error = debuginfo_variables(function, function->entry.value, true, false, parameters);
	}
	error_free(error);
	if (!parameters->len)
		return d_base_type(D_LONG);
	return index < parameters->len ? ((const struct variable *)g_ptr_array_index(parameters, index))->type : NULL;
}

static bool syscall_typed(struct d_lowering *l, const struct location *at, unsigned int index, struct d_value *ret)
{
	struct expr *e = syscall_argument(l, at, index);
	struct type *type = NULL;

	if (e)
		type = l->place->is_return ? d_base_type(D_LONG) : syscall_type(l, index);
	if (!type)
		return d_fail(l, at, "D_ARGS_IDX", _("index %u is out of range for %s args[ ]"), index, place_name(l));
	if (d_is_integer(type))
		e = d_convert(l, e, d_base_type(D_LONG), type);
	*ret = (struct d_value){.type = type, .expr = e, .memory = MEMORY_USER};
	return true;
}

/* ---- fbt --------------------------------------------------------------------------------------------------------- */

static bool is_kernel_module(const char *module)
{
	return !*module || !strcmp(module, "vmlinux") || !strcmp(module, "kernel") || !strcmp(module, "genunix") ||
	       !strcmp(module, "unix");
}

static void add_functions(struct d_translation *d, const struct d_provider *provider, const char *module,
			  const char *function, bool is_return, GPtrArray *ret)
{
	g_autofree char *object =
		is_kernel_module(module) ? g_strdup("kernel") : g_strdup_printf("module(\"%s\")", module);
	struct d_point *point = add_point(d, ret, provider,
					  arena_printf(d->arena, "%s.function(\"%s\").%s", object,
						       *function ? function : "*", is_return ? "return" : "call"),
					  NULL, NULL, is_return ? "return" : "entry");

	point->is_return = is_return;
	point->names_function = true;
}

static void fbt_points(struct d_translation *d, const struct d_provider *provider,
		       const struct d_description *description, GPtrArray *ret)
{
	const char *name = description->parts[D_PROBE_NAME], *function = description->parts[D_FUNCTION];

	/* Without a provider, do not probe all functions of the kernel. */
	if (!*description->parts[D_PROVIDER] && !*function &&
	    (!options_listing(d->t->options) || !*description->parts[D_MODULE]))
		return;
	if (d_part_matches(name, "entry"))
		add_functions(d, provider, description->parts[D_MODULE], function, false, ret);
	if (d_part_matches(name, "return"))
		add_functions(d, provider, description->parts[D_MODULE], function, true, ret);
}

static struct expr *fbt_argument(struct d_lowering *l, const struct location *at, unsigned int index)
{
	if (l->place->is_return)
		return index == 1 ? build_call(l->arena, at, "returnval", NULL) : NULL;
	return build_call(l->arena, at, "ulong_arg", build_number(l->arena, at, index + 1));
}

/* Lower a $variable of the probe, and set @p ret to its value. */
static bool lower_target(struct d_lowering *l, const struct location *at, const char *name, struct d_value *ret)
{
	struct derived_probe *probe = l->place->derived;
	struct expr *target = expr_new(l->arena, EXPR_TARGET, at), *e;

	target->target = TARGET_VARIABLE;
	target->text = name;
	e = probe->provider->target_variable(l->t, probe, target);
	if (!e) {
		l->failed = true;
		return false;
	}
	*ret = (struct d_value){.type = e->c_type ?: d_base_type(D_LONG), .expr = e};
	ret->memory = type_memory(ret->type);
	return true;
}

/* Return the name of parameter @p index of the probed function; NULL if it has fewer. */
static const char *parameter_name(const struct derived_probe *probe, unsigned int index)
{
	g_autoptr(GPtrArray) parameters = g_ptr_array_new();

	error_free(debuginfo_variables(probe->function, probe->registration.address.value, true, false, parameters));
	return index < parameters->len ? ((const struct variable *)g_ptr_array_index(parameters, index))->name : NULL;
}

static bool function_typed(struct d_lowering *l, const struct location *at, unsigned int index, struct d_value *ret)
{
	const struct derived_probe *probe = l->place->derived;
	const char *name = probe->function ? parameter_name(probe, index) : NULL;

	if (l->place->is_return && index == 1)
		return lower_target(l, at, "return", ret);
	if (l->place->is_return && !index) {
		d_number_value(ret, d_base_type(D_ULONG), build_number(l->arena, at, 0));
		return true;
	}
	if (l->place->is_return || !name)
		return d_fail(l, at, "D_ARGS_IDX", _("index %u is out of range for %s args[ ]"), index, place_name(l));
	return lower_target(l, at, name, ret);
}

/* ---- sdt, rawtp -------------------------------------------------------------------------------------------------- */

static void sdt_points(struct d_translation *d, const struct d_provider *provider,
		       const struct d_description *description, GPtrArray *ret)
{
	const char *system = description->parts[D_MODULE], *name = description->parts[D_PROBE_NAME];
	struct d_point *point;

	if (!*description->parts[D_PROVIDER] || *description->parts[D_FUNCTION])
		return;
	point = add_point(d, ret, provider,
			  is_kernel_module(system)
				  ? arena_printf(d->arena, "kernel.trace(\"%s\")", *name ? name : "*")
				  : arena_printf(d->arena, "kernel.trace(\"%s:%s\")", system, *name ? name : "*"),
			  is_glob(system) ? "vmlinux" : system, "", NULL);
	point->names_probe = true;
}

static struct expr *sdt_argument(struct d_lowering *l, const struct location *at, unsigned int index)
{
	const struct derived_probe *probe = l->place->derived;
	struct d_value value;

	if (!probe->function || !parameter_name(probe, index + 1))
		return NULL;
	return lower_target(l, at, parameter_name(probe, index + 1), &value) ? value.expr : NULL;
}

static bool sdt_typed(struct d_lowering *l, const struct location *at, unsigned int index, struct d_value *ret)
{
	const struct derived_probe *probe = l->place->derived;
	/* The first parameter is the tracepoint's own data. */
	const char *name = probe->function ? parameter_name(probe, index + 1) : NULL;

	if (!name)
		return d_fail(l, at, "D_ARGS_IDX", _("index %u is out of range for %s args[ ]"), index, place_name(l));
	return lower_target(l, at, name, ret);
}

/* ---- pid --------------------------------------------------------------------------------------------------------- */

int64_t d_pid_of(const char *name)
{
	const char *digits = name + strlen("pid");

	if (!g_str_has_prefix(name, "pid") || !*digits || strspn(digits, "0123456789") != strlen(digits))
		return 0;
	return g_ascii_strtoll(digits, NULL, 10);
}

/* Return the length of "pid" in "pid2147483647", where the number stands for the command's process; else 0. */
static size_t length_before_target(const char *name)
{
	g_autofree char *target = g_strdup_printf("%d", D_TARGET_OF_COMMAND);

	return g_str_has_suffix(name, target) ? strlen(name) - strlen(target) : 0;
}

const char *d_shown_provider(struct arena *arena, const char *name)
{
	size_t length = length_before_target(name);

	return length ? arena_printf(arena, "%.*s$target", (int)length, name) : name;
}

struct expr *d_provider_name(struct d_lowering *l, const struct location *at)
{
	const char *name = l->place->parts[D_PROVIDER];
	size_t length = length_before_target(name);
	GPtrArray *format, *arguments;

	if (!length)
		return build_string(l->arena, at, name);
	format = arena_ptr_array(l->arena);
	arguments = arena_ptr_array(l->arena);
	format_add_literal(l->arena, format, arena_strndup(l->arena, name, length));
	format_add_directive(l->arena, format, FORMAT_SIGNED);
	g_ptr_array_add(arguments, build_call(l->arena, at, "target", NULL));
	return build_sprintf(l->arena, at, format, arguments);
}

/* Is it the name of the program that a process runs? @pid is its number, or "" for the command of -c. */
static bool is_program(struct d_translation *d, const char *pid, const char *module)
{
	const char *command = d->t->options->command;
	bool is_of_command = command && (!*pid || g_ascii_strtoll(pid, NULL, 10) == D_TARGET_OF_COMMAND);
	g_autofree char *link = g_strdup_printf("/proc/%s/exe", pid);
	g_autofree char *path =
		is_of_command ? g_strndup(command, strcspn(command, " ")) : g_file_read_link(link, NULL);
	g_autofree char *name = path ? g_path_get_basename(path) : NULL;

	return name && !strcmp(module, name);
}

/* Return process(…) or process(…).library("…") for a module of a pid probe. */
static const char *pid_object(struct d_translation *d, const char *provider, const char *module)
{
	const char *process = d->t->options->command && d_pid_of(provider) == D_TARGET_OF_COMMAND
				      ? "process"
				      : arena_printf(d->arena, "process(%s)", provider + strlen("pid"));

	if (!*module || !strcmp(module, "a.out") || is_program(d, provider + strlen("pid"), module))
		return process;
	return arena_printf(d->arena, "%s.library(\"%s%s\")", process, strchr(module, '/') || *module == '*' ? "" : "*",
			    strpbrk(module, "*?") ? module : arena_printf(d->arena, "%s*", module));
}

static void pid_points(struct d_translation *d, const struct d_provider *provider,
		       const struct d_description *description, GPtrArray *ret)
{
	const char *name = description->parts[D_PROBE_NAME], *function = description->parts[D_FUNCTION];
	static const char *const kinds[][2] = {{"entry", "call"}, {"return", "return"}};
	const char *module = description->parts[D_MODULE], *object;

	if (!d_pid_of(description->parts[D_PROVIDER]))
		return;
	/* Without a module, search the libraries, too; but do not probe all of their functions. */
	if ((!*module || !strcmp(module, "*")) && *function && strcmp(function, "*")) {
		struct d_description other = *description;

		other.parts[D_MODULE] = "a.out";
		pid_points(d, provider, &other, ret);
		module = "*";
	}
	object = pid_object(d, description->parts[D_PROVIDER], module);
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		struct d_point *point;

		if (!d_part_matches(name, kinds[i][0]))
			continue;
		point = add_point(d, ret, provider,
				  arena_printf(d->arena, "%s.function(\"%s\").%s", object, *function ? function : "*",
					       kinds[i][1]),
				  NULL, NULL, kinds[i][0]);
		point->parts[D_PROVIDER] = description->parts[D_PROVIDER];
		/* A function with several names is shown with that of the description. */
		point->parts[D_FUNCTION] = is_glob(function) ? NULL : function;
		point->is_return = i;
		point->names_function = true;
	}
	if (*name && strspn(name, "0123456789abcdef") == strlen(name) && *function && !is_glob(function)) {
		struct d_point *point = add_point(d, ret, provider,
						  arena_printf(d->arena, "%s.function(\"%s\").call", object, function),
						  NULL, NULL, name);

		point->parts[D_PROVIDER] = description->parts[D_PROVIDER];
		point->names_function = true;
		point->offset = strtoull(name, NULL, 16);
	}
}

/* ---- static probes of programs ----------------------------------------------------------------------------------- */

/* Return the length of the provider's name in "name1234", where 1234 is a process; 0 for other names. */
static size_t mark_provider_length(const char *name)
{
	size_t length = strlen(name);

	while (length && g_ascii_isdigit(name[length - 1]))
		length--;
	return name[length] && length && !g_str_has_prefix(name, "pid") && !strpbrk(name, "?[") ? length : 0;
}

/* Return the process of a description such as "name1234" or, with -c or -p, "name*". */
static const char *mark_object(struct d_translation *d, const char *provider, size_t length)
{
	int64_t pid = length ? g_ascii_strtoll(provider + length, NULL, 10) : 0;

	if (d->t->options->command && (!pid || pid == D_TARGET_OF_COMMAND))
		return "process";
	return arena_printf(d->arena, "process(%" PRId64 ")", pid ?: options_target_pid(d->t->options));
}

static void mark_points(struct d_translation *d, const struct d_provider *provider,
			const struct d_description *description, GPtrArray *ret)
{
	const char *text = description->parts[D_PROVIDER], *module = description->parts[D_MODULE], *name;
	size_t length = mark_provider_length(text);
	const char *object = mark_object(d, text, length);
	g_auto(GStrv) words = g_strsplit(description->parts[D_PROBE_NAME], "-", -1);
	g_autofree char *joined = g_strjoinv("__", words);
	struct d_point *point;

	name = arena_strdup(d->arena, joined);
	if (*module && strcmp(module, "a.out") && strcmp(module, "*") &&
	    !is_program(d, length ? text + length : "", module))
		object = arena_printf(d->arena, "%s.library(\"*%s*\")", object, module);
	point = add_point(d, ret, provider,
			  arena_printf(d->arena, "%s.provider(\"%s\").mark(\"%s\")", object,
				       length ? arena_strndup(d->arena, text, length) : text, *name ? name : "*"),
			  NULL, NULL, NULL);
	point->parts[D_PROVIDER] = text;
	point->names_function = point->names_mark = true;
	point->wanted_function = description->parts[D_FUNCTION];
}

/* Argument 0 of D is $arg1. */
static bool mark_typed(struct d_lowering *l, const struct location *at, unsigned int index, struct d_value *ret)
{
	return lower_target(l, at, arena_printf(l->arena, "arg%u", index + 1), ret);
}

static struct expr *mark_argument(struct d_lowering *l, const struct location *at, unsigned int index)
{
	struct d_value value;

	return mark_typed(l, at, index, &value) ? d_read(l, at, &value) : NULL;
}

/* ---- cpc --------------------------------------------------------------------------------------------------------- */

/* Events of performance counters, by the names of D and of perf. */
static const struct {
	const char *name, *perf;
} counter_events[] = {
	{"cpu_cycles", "hw.cpu_cycles"},
	{"cpu-cycles", "hw.cpu_cycles"},
	{"cycles", "hw.cpu_cycles"},
	{"instructions", "hw.instructions"},
	{"cache_references", "hw.cache_references"},
	{"cache-references", "hw.cache_references"},
	{"cache_misses", "hw.cache_misses"},
	{"cache-misses", "hw.cache_misses"},
	{"branch_instructions", "hw.branch_instructions"},
	{"branches", "hw.branch_instructions"},
	{"branch_misses", "hw.branch_misses"},
	{"branch-misses", "hw.branch_misses"},
	{"cpu_clock", "sw.cpu_clock"},
	{"cpu-clock", "sw.cpu_clock"},
	{"task_clock", "sw.task_clock"},
	{"task-clock", "sw.task_clock"},
	{"page_faults", "sw.page_faults"},
	{"page-faults", "sw.page_faults"},
	{"faults", "sw.page_faults"},
	{"context_switches", "sw.context_switches"},
	{"context-switches", "sw.context_switches"},
	{"cs", "sw.context_switches"},
	{"cpu_migrations", "sw.cpu_migrations"},
	{"cpu-migrations", "sw.cpu_migrations"},
	{"migrations", "sw.cpu_migrations"},
	{"minor_faults", "sw.page_faults_min"},
	{"minor-faults", "sw.page_faults_min"},
	{"major_faults", "sw.page_faults_maj"},
	{"major-faults", "sw.page_faults_maj"},
};

/* cpc:::EVENT-all-COUNT: a hit after each COUNT events. Modes other than "all" need attributes that stap lacks. */
static void cpc_points(struct d_translation *d, const struct d_provider *provider,
		       const struct d_description *description, GPtrArray *ret)
{
	const char *name = description->parts[D_PROBE_NAME], *mode = strstr(name, "-all-");
	int64_t count = mode ? g_ascii_strtoll(mode + strlen("-all-"), NULL, 10) : 0;

	if (!*description->parts[D_PROVIDER] || count <= 0)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(counter_events); i++)
		if (strlen(counter_events[i].name) == (size_t)(mode - name) &&
		    !strncmp(name, counter_events[i].name, (size_t)(mode - name)))
			add_point(d, ret, provider,
				  arena_printf(d->arena, "perf.%s.sample(%" PRId64 ")", counter_events[i].perf, count),
				  "", "", name);
}

/* ---- proc, sched, io: names of D for places of the kernel -------------------------------------------------------- */

/* One element of args[]. */
struct row_argument {
	const char *type; /* in D; a struct is the output of a translator */
	const char *variable; /* of the probe, without "$"; or NULL */
	const char *text; /* an expression of the SystemTap language; or NULL */
	bool is_user_text; /* `text` is the address of a string of the process */
	bool is_pointer; /* `text` is the pointer itself, not the input of a translator */
};

enum { ROW_ARGUMENTS = 6 };

struct probe_row {
	const char *provider, *name;
	const char *point; /* in the SystemTap language; "%" before the name of a system call stands for its row */
	const char *guard; /* a condition in the SystemTap language, or NULL */
	struct row_argument arguments[ROW_ARGUMENTS];
};

#define EXIT_CODE "@cast(task_current(), \"task_struct\", \"kernel\")->exit_code"

/* Packets: args[] of ip; of tcp and udp, with the socket. */
#define PACKET_ARGUMENTS                                                                                               \
	[0] = {"pktinfo_t *", "skb"}, [2] = {"ipinfo_t *", "skb"}, [3] = {"ifinfo_t *", "skb"},                        \
	[4] = {"ipv4info_t *", "skb"}, [5] = {"ipv6info_t *", "skb"}
#define TCP_ARGUMENTS                                                                                                  \
	[0] = {"pktinfo_t *", "skb"}, [1] = {"csinfo_t *", "sk"}, [2] = {"ipinfo_t *", "skb"},                         \
	[3] = {"tcpsinfo_t *", "sk"}, [4] = {"tcpinfo_t *", "skb"}
#define UDP_ARGUMENTS                                                                                                  \
	[0] = {"pktinfo_t *", "skb"}, [2] = {"ipinfo_t *", "skb"}, [3] = {"udpsinfo_t *", "sk"},                       \
	[4] = {"udpinfo_t *", "skb"}
#define IS_TCP "__dtrace_ip_protocol($skb) == 6"
#define IS_UDP "__dtrace_ip_protocol($skb) == 17"
#define IS_TCP_SOCKET "$sk->sk_protocol == 6"
#define OLD_STATE "@entry($sk->__sk_common->skc_state)"
#define STATE_ARGUMENTS                                                                                                \
	[1] = {"csinfo_t *", "sk"}, [3] = {"tcpsinfo_t *", "sk"}, [5] = {"tcplsinfo_t *", NULL, OLD_STATE}

/* Locks that are spun for; read-write locks with the kind of holder as in krw_t of Solaris: 0 writes, 1 reads. */
#define TIME_OF_CALL "gettimeofday_ns() - @entry(gettimeofday_ns())"
#define LOCK(name)                                                                                                     \
	{                                                                                                              \
		name, .text = "$lock", .is_pointer = true                                                              \
	}
#define SPIN_ARGUMENTS LOCK("spinlock_t *")
#define WRITER_ARGUMENTS                                                                                               \
	LOCK("rwlock_t *"),                                                                                            \
	{                                                                                                              \
		"int", NULL, "0"                                                                                       \
	}
#define READER_ARGUMENTS                                                                                               \
	LOCK("rwlock_t *"),                                                                                            \
	{                                                                                                              \
		"int", NULL, "1"                                                                                       \
	}

static const struct probe_row rows[] = {
	{"proc",
	 "create",
	 "kernel.trace(\"sched:sched_process_fork\")",
	 "$child->pid == $child->tgid",
	 {{"psinfo_t *", "child"}}},
	{"proc",
	 "lwp-create",
	 "kernel.trace(\"sched:sched_process_fork\")",
	 NULL,
	 {{"lwpsinfo_t *", "child"}, {"psinfo_t *", "child"}}},
	{"proc", "start", "kernel.function(\"schedule_tail\").call", "pid() == tid()", {{0}}},
	{"proc", "lwp-start", "kernel.function(\"schedule_tail\").call", NULL, {{0}}},
	{"proc", "exec", "__syscall(%execve)", NULL, {{"string", NULL, "__syscall_argument(1)", true}}},
	{"proc", "exec-success", "kernel.trace(\"sched:sched_process_exec\")", NULL, {{0}}},
	{"proc",
	 "exec-failure",
	 "__syscall(%execve).return",
	 "__syscall_result() < 0",
	 {{"int", NULL, "-__syscall_result()"}}},
	{"proc",
	 "exit",
	 "kernel.trace(\"sched:sched_process_exit\")",
	 "pid() == tid()",
	 {{"int", NULL, "(" EXIT_CODE " & 127 ? " EXIT_CODE " & 128 ? 3 : 2 : 1)"}}},
	{"proc", "lwp-exit", "kernel.trace(\"sched:sched_process_exit\")", NULL, {{0}}},
	{"proc",
	 "signal-send",
	 "kernel.trace(\"signal:signal_generate\")",
	 NULL,
	 {{"lwpsinfo_t *", "task"}, {"psinfo_t *", "task"}, {"int", "sig"}}},
	{"proc",
	 "signal-discard",
	 "kernel.trace(\"signal:signal_generate\")",
	 "$result == 1",
	 {{"lwpsinfo_t *", "task"}, {"psinfo_t *", "task"}, {"int", "sig"}}},
	{"proc",
	 "signal-clear",
	 "__syscall(%rt_sigtimedwait).return",
	 "__syscall_result() > 0",
	 {{"int", NULL, "__syscall_result()"}}},
	{"proc", "signal-handle", "kernel.trace(\"signal:signal_deliver\")", NULL, {{"int", "sig"}}},
	{"sched", "on-cpu", "kernel.function(\"finish_task_switch\").call", NULL, {{0}}},
	{"sched",
	 "off-cpu",
	 "kernel.trace(\"sched:sched_switch\")",
	 NULL,
	 {{"lwpsinfo_t *", "next"}, {"psinfo_t *", "next"}}},
	{"sched", "sleep", "kernel.trace(\"sched:sched_switch\")", "$prev->__state != 0", {{0}}},
	{"sched", "preempt", "kernel.trace(\"sched:sched_switch\")", "$preempt", {{0}}},
	{"sched", "wakeup", "kernel.trace(\"sched:sched_wakeup\")", NULL, {{"lwpsinfo_t *", "p"}, {"psinfo_t *", "p"}}},
	{"sched",
	 "enqueue",
	 "kernel.function(\"enqueue_task\")",
	 NULL,
	 {{"lwpsinfo_t *", "p"}, {"psinfo_t *", "p"}, {"cpuinfo_t *", NULL, "$rq->cpu"}}},
	{"sched",
	 "dequeue",
	 "kernel.function(\"dequeue_task\")",
	 NULL,
	 {{"lwpsinfo_t *", "p"}, {"psinfo_t *", "p"}, {"cpuinfo_t *", NULL, "$rq->cpu"}}},
	{"sched",
	 "change-pri",
	 "kernel.function(\"set_user_nice\").call",
	 NULL,
	 {{"lwpsinfo_t *", "p"}, {"psinfo_t *", "p"}, {"int", NULL, "$nice + 120"}}},
	{"sched",
	 "surrender",
	 "kernel.function(\"resched_curr\").call",
	 NULL,
	 {{"lwpsinfo_t *", NULL, "$rq->curr"}, {"psinfo_t *", NULL, "$rq->curr"}}},
	{"sched",
	 "tick",
	 "kernel.function(\"account_process_tick\").call",
	 NULL,
	 {{"lwpsinfo_t *", "p"}, {"psinfo_t *", "p"}}},
	{"io",
	 "start",
	 "kernel.trace(\"block:block_rq_issue\")",
	 NULL,
	 {{"bufinfo_t *", "rq"}, {"devinfo_t *", "rq"}, {"fileinfo_t *", "rq"}}},
	{"io",
	 "done",
	 "kernel.trace(\"block:block_rq_complete\")",
	 NULL,
	 {{"bufinfo_t *", "rq"}, {"devinfo_t *", "rq"}, {"fileinfo_t *", "rq"}}},
	{"io", "wait-start", "kernel.function(\"io_schedule\").call", NULL, {{0}}},
	{"io", "wait-done", "kernel.function(\"io_schedule\").return", NULL, {{0}}},
	{"ip", "send", "kernel.function(\"ip_output\").call", NULL, {PACKET_ARGUMENTS}},
	{"ip", "send", "kernel.function(\"ip6_output\").call", NULL, {PACKET_ARGUMENTS}},
	{"ip", "receive", "kernel.function(\"ip_rcv\").call", NULL, {PACKET_ARGUMENTS}},
	{"ip", "receive", "kernel.function(\"ipv6_rcv\").call", NULL, {PACKET_ARGUMENTS}},
	{"tcp", "send", "kernel.function(\"ip_output\").call", IS_TCP, {TCP_ARGUMENTS}},
	{"tcp", "send", "kernel.function(\"ip6_output\").call", IS_TCP, {TCP_ARGUMENTS}},
	{"tcp", "receive", "kernel.function(\"tcp_v4_do_rcv\").call", NULL, {TCP_ARGUMENTS}},
	{"tcp", "receive", "kernel.function(\"tcp_v6_do_rcv\").call", NULL, {TCP_ARGUMENTS}},
	{"tcp",
	 "connect-request",
	 "kernel.function(\"tcp_connect\").call",
	 NULL,
	 {[1] = {"csinfo_t *", "sk"}, [3] = {"tcpsinfo_t *", "sk"}}},
	{"tcp", "connect-established", "kernel.function(\"tcp_finish_connect\").call", NULL, {TCP_ARGUMENTS}},
	{"tcp",
	 "connect-refused",
	 "kernel.function(\"tcp_reset\").call",
	 "$sk->__sk_common->skc_state == 2",
	 {TCP_ARGUMENTS}},
	{"tcp", "accept-refused", "kernel.function(\"ip_output\").call", "__dtrace_refuses_tcp($skb)", {TCP_ARGUMENTS}},
	{"tcp",
	 "accept-refused",
	 "kernel.function(\"ip6_output\").call",
	 "__dtrace_refuses_tcp($skb)",
	 {TCP_ARGUMENTS}},
	{"tcp",
	 "accept-established",
	 "kernel.function(\"inet_sk_set_state\").return",
	 IS_TCP_SOCKET " && " OLD_STATE " == 3 && $state == 1",
	 {[1] = {"csinfo_t *", "sk"}, [3] = {"tcpsinfo_t *", "sk"}}},
	{"tcp",
	 "accept-established",
	 "kernel.function(\"inet_sk_state_store\").return",
	 IS_TCP_SOCKET " && " OLD_STATE " == 3 && $newstate == 1",
	 {[1] = {"csinfo_t *", "sk"}, [3] = {"tcpsinfo_t *", "sk"}}},
	{"tcp", "state-change", "kernel.function(\"inet_sk_set_state\").return", IS_TCP_SOCKET, {STATE_ARGUMENTS}},
	{"tcp", "state-change", "kernel.function(\"inet_sk_state_store\").return", IS_TCP_SOCKET, {STATE_ARGUMENTS}},
	{"udp", "send", "kernel.function(\"ip_output\").call", IS_UDP, {UDP_ARGUMENTS}},
	{"udp", "send", "kernel.function(\"ip6_output\").call", IS_UDP, {UDP_ARGUMENTS}},
	/* Where a packet has been assigned to a socket, in both versions of IP. */
	{"udp",
	 "receive",
	 "kernel.function(\"__udp_enqueue_schedule_skb\").call",
	 "$sk->sk_protocol == 17",
	 {UDP_ARGUMENTS}},
	{"lockstat", "adaptive-acquire", "kernel.function(\"mutex_lock\").return", NULL, {{"struct mutex *", "lock"}}},
	{"lockstat",
	 "adaptive-acquire",
	 "kernel.function(\"mutex_lock_interruptible\").return",
	 "!$return",
	 {{"struct mutex *", "lock"}}},
	{"lockstat",
	 "adaptive-acquire",
	 "kernel.function(\"mutex_lock_killable\").return",
	 "!$return",
	 {{"struct mutex *", "lock"}}},
	{"lockstat",
	 "adaptive-acquire",
	 "kernel.function(\"mutex_trylock\").return",
	 "$return",
	 {{"struct mutex *", "lock"}}},
	{"lockstat",
	 "adaptive-acquire-error",
	 "kernel.function(\"mutex_lock_interruptible\").return",
	 "$return",
	 {{"struct mutex *", "lock"}, {"int", NULL, "$return"}}},
	{"lockstat",
	 "adaptive-acquire-error",
	 "kernel.function(\"mutex_lock_killable\").return",
	 "$return",
	 {{"struct mutex *", "lock"}, {"int", NULL, "$return"}}},
	{"lockstat",
	 "adaptive-block",
	 "kernel.function(\"__mutex_lock_slowpath\").return",
	 NULL,
	 {{"struct mutex *", "lock"}, {"uint64_t", NULL, TIME_OF_CALL}}},
	{"lockstat", "adaptive-release", "kernel.function(\"mutex_unlock\").call", NULL, {{"struct mutex *", "lock"}}},
	{"lockstat",
	 "adaptive-spin",
	 "kernel.function(\"mutex_spin_on_owner\").return",
	 NULL,
	 {{"struct mutex *", "lock"}, {"uint64_t", NULL, TIME_OF_CALL}}},
	{"lockstat", "spin-acquire", "kernel.function(\"_raw_spin_lock*\").return", NULL, {SPIN_ARGUMENTS}},
	{"lockstat", "spin-acquire", "kernel.function(\"_raw_spin_trylock*\").return", "$return", {SPIN_ARGUMENTS}},
	{"lockstat", "spin-release", "kernel.function(\"_raw_spin_unlock*\").call", NULL, {SPIN_ARGUMENTS}},
	{"lockstat",
	 "spin-spin",
	 "kernel.function(\"native_queued_spin_lock_slowpath\").return",
	 NULL,
	 {SPIN_ARGUMENTS, {"uint64_t", NULL, TIME_OF_CALL}}},
	{"lockstat", "rw-acquire", "kernel.function(\"_raw_write_lock*\").return", NULL, {WRITER_ARGUMENTS}},
	{"lockstat", "rw-acquire", "kernel.function(\"_raw_write_trylock*\").return", "$return", {WRITER_ARGUMENTS}},
	{"lockstat", "rw-acquire", "kernel.function(\"_raw_read_lock*\").return", NULL, {READER_ARGUMENTS}},
	{"lockstat", "rw-acquire", "kernel.function(\"_raw_read_trylock*\").return", "$return", {READER_ARGUMENTS}},
	{"lockstat", "rw-release", "kernel.function(\"_raw_write_unlock*\").call", NULL, {WRITER_ARGUMENTS}},
	{"lockstat", "rw-release", "kernel.function(\"_raw_read_unlock*\").call", NULL, {READER_ARGUMENTS}},
	{"lockstat",
	 "rw-spin",
	 "kernel.function(\"queued_write_lock_slowpath\").return",
	 NULL,
	 {LOCK("rwlock_t *"), {"uint64_t", NULL, TIME_OF_CALL}}},
	{"lockstat",
	 "rw-spin",
	 "kernel.function(\"queued_read_lock_slowpath\").return",
	 NULL,
	 {LOCK("rwlock_t *"), {"uint64_t", NULL, TIME_OF_CALL}}},
};

#undef EXIT_CODE
#undef PACKET_ARGUMENTS
#undef TCP_ARGUMENTS
#undef UDP_ARGUMENTS
#undef IS_TCP
#undef IS_UDP
#undef IS_TCP_SOCKET
#undef OLD_STATE
#undef STATE_ARGUMENTS
#undef TIME_OF_CALL
#undef LOCK
#undef SPIN_ARGUMENTS
#undef WRITER_ARGUMENTS
#undef READER_ARGUMENTS

/* Return the point of a row, with the number of a system call for its name. */
static const char *row_point(struct d_translation *d, const struct probe_row *row)
{
	const char *name = strchr(row->point, '%');

	if (!name)
		return row->point;
	for (int i = 0; i < syscall_row_count; i++) {
		size_t length = strlen(syscall_rows[i].name);

		if (!strncmp(name + 1, syscall_rows[i].name, length) && name[1 + length] == ')')
			return arena_printf(d->arena, "%.*s%d%s", (int)(name - row->point), row->point, i + 1,
					    name + 1 + length);
	}
	return row->point;
}

static void row_points(struct d_translation *d, const struct d_provider *provider,
		       const struct d_description *description, GPtrArray *ret)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct d_point *point;

		if (strcmp(rows[i].provider, provider->name) ||
		    !d_part_matches(description->parts[D_PROBE_NAME], rows[i].name) ||
		    !d_part_matches(description->parts[D_MODULE], "vmlinux") || *description->parts[D_FUNCTION])
			continue;
		point = add_point(d, ret, provider, row_point(d, &rows[i]), "vmlinux", "", rows[i].name);
		point->guard = rows[i].guard;
	}
}

static const struct row_argument *row_argument(const struct d_place *place, unsigned int index)
{
	for (size_t i = 0; index < ROW_ARGUMENTS && i < G_N_ELEMENTS(rows); i++)
		if (!strcmp(rows[i].provider, place->provider->name) &&
		    !strcmp(rows[i].name, place->parts[D_PROBE_NAME]))
			return rows[i].arguments[index].type ? &rows[i].arguments[index] : NULL;
	return NULL;
}

/* Parse the expression of a row. */
static struct expr *row_expr(struct d_lowering *l, const struct location *at, const char *text)
{
	const struct statement *block = d_template(l->d, at, arena_printf(l->arena, "d_row = %s", text));

	return ((const struct statement *)g_ptr_array_index(block->statements, 0))->expr->right;
}

/* Return the type that a row names, such as "psinfo_t *". */
static struct type *row_type(struct d_lowering *l, const struct location *at, const char *name)
{
	const char *star = strchr(name, '*');
	bool is_struct = g_str_has_prefix(name, "struct ");
	const char *word = is_struct ? name + strlen("struct ") : name;
	struct d_written_type plain = {.kind = is_struct ? D_WRITTEN_STRUCT : D_WRITTEN_NAME,
				       .location = *at,
				       .name = arena_strndup(l->arena, word, strcspn(word, " "))};
	struct type *type = d_resolve_type(l, &plain);

	return type && star ? d_pointer_to(l->arena, type) : type;
}

static bool row_typed(struct d_lowering *l, const struct location *at, unsigned int index, struct d_value *ret)
{
	const struct row_argument *argument = row_argument(l->place, index);
	struct type *type, *task;
	struct d_value value;
	bool is_of_number;
	struct expr *e;

	if (!argument)
		return d_fail(l, at, "D_ARGS_IDX", _("index %u is out of range for %s args[ ]"), index, place_name(l));
	type = row_type(l, at, argument->type);
	if (!type)
		return false;
	if (argument->variable && type->kind == KIND_POINTER && !g_str_has_prefix(argument->type, "struct "))
		return lower_target(l, at, argument->variable, &value) && d_translate_value(l, at, type, &value, ret);
	if (argument->variable)
		return lower_target(l, at, argument->variable, ret);
	e = row_expr(l, at, argument->text);
	if (argument->is_user_text)
		e = build_call(l->arena, at, "user_string", e);
	if (type->kind != KIND_POINTER || argument->is_pointer) {
		d_number_value(ret, type, e);
		return true;
	}
	/* The input of a translator: a thread, or for some a number. */
	is_of_number = g_str_has_prefix(argument->type, "cpuinfo_t") || g_str_has_prefix(argument->type, "tcplsinfo_t");
	task = d_struct_pointer(l, "task_struct");
	d_number_value(&value, is_of_number ? d_base_type(D_INT) : task, e);
	return task && d_translate_value(l, at, type, &value, ret);
}

static const char *row_type_name(const struct d_place *place, unsigned int index)
{
	const struct row_argument *argument = row_argument(place, index);

	return argument ? argument->type : NULL;
}

static struct expr *row_value(struct d_lowering *l, const struct location *at, unsigned int index)
{
	const struct row_argument *argument = row_argument(l->place, index);
	struct d_value value;

	if (!argument)
		return NULL;
	if (argument->variable)
		return lower_target(l, at, argument->variable, &value) ? value.expr : NULL;
	return row_expr(l, at, argument->text);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static const struct d_provider providers_of_d[] = {
	{"dtrace", dtrace_points, NULL, NULL, NULL},
	{"profile", profile_points, profile_argument, NULL, NULL},
	{"syscall", syscall_points, syscall_argument, syscall_typed, NULL},
	{"fbt", fbt_points, fbt_argument, function_typed, NULL},
	{"rawfbt", fbt_points, fbt_argument, function_typed, NULL},
	{"sdt", sdt_points, sdt_argument, sdt_typed, NULL},
	{"rawtp", sdt_points, sdt_argument, sdt_typed, NULL},
	{"pid", pid_points, fbt_argument, function_typed, NULL},
	{"usdt", mark_points, mark_argument, mark_typed, NULL},
	{"cpc", cpc_points, profile_argument, NULL, NULL},
	{"proc", row_points, row_value, row_typed, row_type_name},
	{"sched", row_points, row_value, row_typed, row_type_name},
	{"io", row_points, row_value, row_typed, row_type_name},
	{"ip", row_points, row_value, row_typed, row_type_name},
	{"tcp", row_points, row_value, row_typed, row_type_name},
	{"udp", row_points, row_value, row_typed, row_type_name},
	{"lockstat", row_points, row_value, row_typed, row_type_name},
};

/* Does the description's provider name this one? */
static bool names_provider(const char *name, const struct d_provider *provider, bool has_target)
{
	if (!strcmp(provider->name, "pid"))
		return d_pid_of(name) != 0;
	if (!strcmp(provider->name, "usdt"))
		return mark_provider_length(name) || (*name && strpbrk(name, "*") && strcmp(name, "*") && has_target);
	/* rawfbt and rawtp are other names of places that fbt and sdt have. */
	if (g_str_has_prefix(provider->name, "raw") && !strcmp(name, ""))
		return false;
	return d_part_matches(name, provider->name);
}

const char *d_missing_provider(const char *name)
{
	static const char *const missing[][2] = {
		{"sctp", N_("use fbt probes of the functions of SCTP")},
		{"plockstat", N_("use pid probes of the functions of pthreads")},
		{"vminfo", N_("use sdt:vmscan:: and sdt:kmem::")},
		{"sysinfo", N_("use syscall and sched probes")},
		{"mib", N_("use fbt probes of the functions of the network")},
		{"fpuinfo", N_("Linux has no such counters")},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(missing); i++)
		if (!strcmp(name, missing[i][0]))
			return missing[i][1];
	return NULL;
}

bool dlang_has_provider(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(providers_of_d); i++)
		if (!strcmp(name, providers_of_d[i].name))
			return true;
	return false;
}

void d_find_points(struct d_translation *d, const struct d_description *description, GPtrArray *ret)
{
	for (size_t i = 0; i < G_N_ELEMENTS(providers_of_d); i++)
		if (names_provider(description->parts[D_PROVIDER], &providers_of_d[i],
				   options_have_target(d->t->options)))
			providers_of_d[i].points(d, &providers_of_d[i], description, ret);
}
