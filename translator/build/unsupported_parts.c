// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Optional parts of the runtime.
 *
 * A new kernel may lack an interface that a part of the runtime needs, or have changed it. Optional parts are left out
 * then, and everything else works: only a script that needs such a part is refused, with the compiler's message.
 * Features that the kernel's configuration lacks are known before anything is compiled.
 *
 * The compiler's messages name the file. For an error within a macro of the kernel's headers, the file is in the
 * preceding line that names the function. If a file that cannot be left out has an error, no part is left out, and the
 * error is reported.
 */
#include "translator/build/unsupported_parts.h"

#include <string.h>

#include "common/cache.h"
#include "common/base/i18n.h"
#include "translator/build/kbuild.h"

/* A part, named after its first file. A script needs it if its C text contains one of the marks. */
static const struct part {
	const char *name, *definition;
	const char *files[4];
	const char *marks[4];
	const char *what;
} parts[] = {
	{"netfilter",
	 "#define STP_WITHOUT_NETFILTER\n",
	 {"probes/netfilter.c"},
	 {"STP_PROBE_NETFILTER", "stp_verdict"},
	 N_("probes of packets (netfilter.*)")},
	{"perf",
	 "#define STP_WITHOUT_PERF\n",
	 {"probes/perf.c", "probes/perf_program.c", "probes/process_data.c", "probes/watchpoint.c"},
	 {"STP_PROBE_PERF", "STP_PROBE_WATCHPOINT", "STP_PROBE_USER_DATA", "stp_perf_value"},
	 N_("perf events and watchpoints (perf.*, kernel.data)")},
	{"procfs",
	 "#define STP_WITHOUT_PROCFS\n",
	 {"probes/procfs.c"},
	 {"STP_PROBE_PROCFS", "stp_file_value"},
	 N_("files in /proc (procfs.*)")},
};

/* A setting that the kernel's configuration may lack, and the marks in a script's C text that need it. */
static const struct setting {
	const char *name;
	const char *marks[4];
	const char *what;
} settings[] = {
	{"CONFIG_TRACEPOINTS", {"STP_PROBE_SYSCALL"}, N_("probes of system calls by name (syscall.*)")},
	{"CONFIG_TRACEPOINTS",
	 {"STP_PROBE_PROCESS"},
	 N_("beginnings and ends of processes and threads, and their system calls (process.begin and similar)")},
	{"CONFIG_TRACEPOINTS", {"&stp_user_stacks"}, N_("stacks and symbols of programs")},
	{"CONFIG_UPROBES",
	 {"STP_PROBE_UPROBE", "STP_PROBE_URETPROBE", "STP_PROBE_USER_DATA"},
	 N_("probes in programs and libraries (process.function and similar)")},
};

/* What the kernels of an architecture cannot do for modules, and why. */
static const struct gap {
	const char *abi;
	const char *marks[4];
	const char *what, *why;
} gaps[] = {
	{"arm64",
	 {"STP_PROBE_THROWS"},
	 N_("return probes in programs that may throw exceptions"),
	 N_("the runtime cannot restore return addresses that the program has signed")},
};

static const struct part *part_of_file(const char *file)
{
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
		for (size_t j = 0; j < G_N_ELEMENTS(parts[i].files) && parts[i].files[j]; j++)
			if (!strcmp(parts[i].files[j], file))
				return &parts[i];
	return NULL;
}

/* Return the runtime's file that a line of compiler output names, or NULL. To be freed. */
static char *file_in_line(const char *line)
{
	g_autoptr(GRegex) regex = g_regex_new("runtime/([a-z_/]+\\.[ch]):", G_REGEX_RAW, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	return g_regex_match(regex, line, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

/* The first error of each part, and the number of errors elsewhere. */
struct findings {
	char *errors[G_N_ELEMENTS(parts)];
	unsigned int elsewhere;
};

static void note_error(struct findings *findings, const char *file, const char *text)
{
	const struct part *part = file ? part_of_file(file) : NULL;

	if (!part)
		findings->elsewhere++;
	else if (!findings->errors[part - parts])
		findings->errors[part - parts] = g_strdup(text);
}

static void look_at_line(struct findings *findings, const char *line, char **function_file)
{
	const char *error = strstr(line, " error: ");
	char *file = file_in_line(line);

	/* Errors of make, and the compiler's summary, repeat the others. */
	if (error && !strstr(line, "cc1: "))
		note_error(findings, file ?: *function_file, error + strlen(" error: "));
	if (file && strstr(line, ": In function")) {
		g_free(*function_file);
		*function_file = g_steal_pointer(&file);
	}
	g_free(file);
}

void optional_find(const char *output, char **report)
{
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	g_autofree char *function_file = NULL;
	g_autoptr(GString) text = g_string_new(NULL);
	struct findings findings = {0};

	*report = NULL;
	for (char **line = lines; *line; line++)
		look_at_line(&findings, *line, &function_file);
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		if (findings.errors[i])
			g_string_append_printf(text, "%s\t%s\n", parts[i].name, findings.errors[i]);
		g_free(findings.errors[i]);
	}
	if (!findings.elsewhere && text->len)
		*report = g_strdup(text->str);
}

/*
 * ---- reports -------------------------------------------------------------------------------------------------------
 */

/* Return why a part was left out, or NULL. To be freed. */
static char *reason(const char *report, const struct part *part)
{
	g_auto(GStrv) lines = g_strsplit(report ?: "", "\n", -1);
	g_autofree char *prefix = g_strconcat(part->name, "\t", NULL);

	for (char **line = lines; *line; line++)
		if (g_str_has_prefix(*line, prefix))
			return g_strdup(*line + strlen(prefix));
	return NULL;
}

char *optional_definitions(const char *report)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *why = reason(report, &parts[i]);

		if (why)
			g_string_append(text, parts[i].definition);
	}
	return g_strdup(text->str);
}

static char *report_path(const char *cache, const char *object)
{
	return g_strdup_printf("%s/%s.left-out", cache, object);
}

void optional_keep(const char *cache, const char *object, const char *report)
{
	g_autofree char *path = report_path(cache, object);

	cache_store(path, report ?: "", report ? strlen(report) : 0);
}

char *optional_recall(const char *cache, const char *object)
{
	g_autofree char *path = report_path(cache, object);
	char *text = NULL;
	size_t length;

	return cache_load(path, &text, &length) && length ? text : (g_free(text), NULL);
}

/* Does the C text contain one of the marks? @p marks ends with NULL or after @p count. */
static bool needs(const char *const *marks, size_t count, const char *c_text)
{
	for (size_t i = 0; i < count && marks[i]; i++)
		if (strstr(c_text, marks[i]))
			return true;
	return false;
}

struct error *optional_check(const struct translation *t, const char *report, const char *c_text)
{
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *why = reason(report, &parts[i]);

		if (why && needs(parts[i].marks, G_N_ELEMENTS(parts[i].marks), c_text))
			return error_with_hint(error_new(ERROR_BUILD, _("%s are not available on kernel %s"),
							 _(parts[i].what), t->kernel.release),
					       _("that part of the runtime does not compile for it: %s"), why);
	}
	return NULL;
}

static struct error *check_gaps(const struct translation *t, const char *c_text)
{
	for (size_t i = 0; i < G_N_ELEMENTS(gaps); i++)
		if (!strcmp(gaps[i].abi, t->kernel.abi->name) &&
		    needs(gaps[i].marks, G_N_ELEMENTS(gaps[i].marks), c_text))
			return error_with_hint(error_new(ERROR_BUILD, _("%s are not available on kernel %s"),
							 _(gaps[i].what), t->kernel.release),
					       "%s", _(gaps[i].why));
	return NULL;
}

struct error *optional_check_kernel(const struct translation *t, const char *c_text)
{
	bool is_known = *kbuild_setting(t, "CONFIG_MODULES");
	struct error *error = check_gaps(t, c_text);

	if (error)
		return error;
	for (size_t i = 0; is_known && i < G_N_ELEMENTS(settings); i++)
		if (!*kbuild_setting(t, settings[i].name) &&
		    needs(settings[i].marks, G_N_ELEMENTS(settings[i].marks), c_text))
			return error_with_hint(error_new(ERROR_BUILD, _("%s are not available on kernel %s"),
							 _(settings[i].what), t->kernel.release),
					       _("it was built without %s"), settings[i].name);
	return NULL;
}

void optional_note(const struct translation *t, const char *report)
{
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *why = reason(report, &parts[i]);

		if (why)
			kbuild_note(t, _("Left out for kernel %s: %s (%s)."), t->kernel.release, _(parts[i].what), why);
	}
}
