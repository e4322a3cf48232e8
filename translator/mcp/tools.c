// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tools, and what each runs. A script runs only in a guest (--remote=vm:), never on this machine. Files that a
 * client names are those below the directory in which it started the server, because the server may be allowed to read
 * more than the client.
 *
 * Agents read the descriptions, so these are not translated.
 */
#include "translator/mcp/tools.h"

#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "common/arena.h"
#include "common/report_formats.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/json_rpc.h"
#include "translator/examples.h"

enum {
	KIB = 1024,
	MOST_SCRIPT = 100 * KIB, /* an argument of a program has 128 KB at most */
	MOST_OUTPUT = KIB * KIB,
	STANDARD_OUTPUT = 32 * KIB,
	MOST_ITEMS_OF_LIST = 1000, /* of an array of arguments */
};

/* ---- parameters -------------------------------------------------------------------------------------------------- */

enum parameter_type { PARAMETER_TEXT, PARAMETER_TEXTS, PARAMETER_NUMBER, PARAMETER_FLAG, PARAMETER_TYPE_COUNT_ };

/* The type in a schema. */
static const char *const type_names[PARAMETER_TYPE_COUNT_] = {
	[PARAMETER_TEXT] = "string",
	[PARAMETER_TEXTS] = "array",
	[PARAMETER_NUMBER] = "integer",
	[PARAMETER_FLAG] = "boolean",
};

struct parameter {
	const char *name;
	enum parameter_type type;
	const char *description;
	bool is_required;
	int64_t standard, least, most; /* of a number */
};

#define KERNEL                                                                                                         \
	{                                                                                                              \
		"kernel", PARAMETER_TEXT,                                                                              \
			"Kernel release or series, such as 6.1 (default: the running kernel); `stap-vm list` shows "   \
			"which are there."                                                                             \
	}
#define SCRIPT                                                                                                         \
	{                                                                                                              \
		"script", PARAMETER_TEXT, "The text of the script.", true                                              \
	}
#define SCRIPT_ARGUMENTS                                                                                               \
	{                                                                                                              \
		"arguments", PARAMETER_TEXTS, "Arguments of the script: $1, @1 and so on."                             \
	}
#define SCRIPT_OPTIONS                                                                                                 \
	{                                                                                                              \
		"options", PARAMETER_TEXTS,                                                                            \
			"NAME=VALUE of options that the script declares with @option_number() and "                    \
			"similar macros."                                                                              \
	}
#define GURU                                                                                                           \
	{                                                                                                              \
		"guru", PARAMETER_FLAG, "Accept embedded C and writing to the kernel's memory (-g)."                   \
	}
#define RUN                                                                                                            \
	SCRIPT, KERNEL, SCRIPT_ARGUMENTS, SCRIPT_OPTIONS, GURU,                                                        \
		{"command", PARAMETER_TEXT,                                                                            \
		 "Shell command to run in the guest while the script runs, such as 'ls -lR /sys'. The script ends "    \
		 "with it. Its program is copied into the guest."},                                                    \
		{"files", PARAMETER_TEXTS,                                                                             \
		 "Files and directories to copy into the guest, below the server's current directory."},               \
		{"seconds", PARAMETER_NUMBER, "End the script after this time, with its end probes.", false, 10, 1,    \
		 600},                                                                                                 \
		{"memory_kilobytes",                                                                                   \
		 PARAMETER_NUMBER,                                                                                     \
		 "Most kernel memory that the script may use.",                                                        \
		 false,                                                                                                \
		 64 * KIB,                                                                                             \
		 KIB,                                                                                                  \
		 256 * KIB},                                                                                           \
	{                                                                                                              \
		"output_bytes", PARAMETER_NUMBER, "End the script when it has printed this much.", false,              \
			STANDARD_OUTPUT, KIB, MOST_OUTPUT                                                              \
	}

static const struct parameter list_parameters[] = {
	{"pattern", PARAMETER_TEXT, "A probe point with wildcards, such as kernel.function(\"vfs_*\") or syscall.*.",
	 true},
	{"variables", PARAMETER_FLAG, "List the variables that each probe can use, with their types."},
	KERNEL,
	{"output_bytes", PARAMETER_NUMBER, "Cut the list at this size.", false, STANDARD_OUTPUT, KIB, MOST_OUTPUT},
};

static const struct parameter describe_parameters[] = {
	{"name", PARAMETER_TEXT, "A function, a probe alias or a probe point, such as execname or syscall.openat.",
	 true},
	KERNEL,
};

static const struct parameter check_parameters[] = {SCRIPT, KERNEL, SCRIPT_ARGUMENTS, SCRIPT_OPTIONS, GURU};

static const struct parameter run_parameters[] = {RUN};

static const struct parameter example_parameters[] = {
	{"word", PARAMETER_TEXT, "List only examples whose name, topic, title or question contains it."},
	{"name", PARAMETER_TEXT, "Return the text of this example instead of a list."},
};

static const struct parameter report_parameters[] = {
	RUN,
	{"file", PARAMETER_TEXT,
	 "Write the report to this new file, below the server's current directory, instead of returning it as text. "
	 "Its ending selects the format: .html, .txt, .folded, .speedscope.json, .pb.gz or .json."},
};

/* ---- tools ------------------------------------------------------------------------------------------------------- */

struct tool {
	const char *name, *description;
	const struct parameter *parameters;
	size_t count;
	void (*prepare)(struct session *session, struct call *call);
};

#define PARAMETERS(rows) rows, G_N_ELEMENTS(rows)

static void list_probes(struct session *session, struct call *call);
static void describe(struct session *session, struct call *call);
static void check(struct session *session, struct call *call);
static void run_in_guest(struct session *session, struct call *call);
static void examples(struct session *session, struct call *call);
static void report(struct session *session, struct call *call);

static const struct tool tools[] = {
	{"list_probes", "List the probe points of a kernel that match a pattern. Nothing is run.",
	 PARAMETERS(list_parameters), list_probes},
	{"describe", "Describe a function of the library, a probe alias or a probe point.",
	 PARAMETERS(describe_parameters), describe},
	{"check",
	 "Report the errors and warnings of a script, with places and hints, as lines of JSON. Nothing is run.",
	 PARAMETERS(check_parameters), check},
	{"run_in_guest",
	 "Run a script in a throwaway virtual machine and return what it prints. This machine's kernel is not touched.",
	 PARAMETERS(run_parameters), run_in_guest},
	{"examples", "List the example scripts, by topic and question, or return the text of one.",
	 PARAMETERS(example_parameters), examples},
	{"report", "Run a script in a throwaway virtual machine and report its globals: tables, histograms and stacks.",
	 PARAMETERS(report_parameters), report},
};

const struct tool *tool_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(tools); i++)
		if (!g_strcmp0(name, tools[i].name))
			return &tools[i];
	return NULL;
}

static void put_parameter(JsonBuilder *b, const struct parameter *parameter)
{
	json_builder_set_member_name(b, parameter->name);
	json_builder_begin_object(b);
	put_text(b, "type", type_names[parameter->type]);
	put_text(b, "description", parameter->description);
	if (parameter->type == PARAMETER_TEXTS) {
		json_builder_set_member_name(b, "items");
		json_builder_begin_object(b);
		put_text(b, "type", "string");
		json_builder_end_object(b);
	}
	if (parameter->type == PARAMETER_NUMBER) {
		put_number(b, "default", parameter->standard);
		put_number(b, "minimum", parameter->least);
		put_number(b, "maximum", parameter->most);
	}
	json_builder_end_object(b);
}

static void put_schema(JsonBuilder *b, const struct tool *tool)
{
	json_builder_set_member_name(b, "inputSchema");
	json_builder_begin_object(b);
	put_text(b, "type", "object");
	json_builder_set_member_name(b, "properties");
	json_builder_begin_object(b);
	for (size_t i = 0; i < tool->count; i++)
		put_parameter(b, &tool->parameters[i]);
	json_builder_end_object(b);
	json_builder_set_member_name(b, "required");
	json_builder_begin_array(b);
	for (size_t i = 0; i < tool->count; i++)
		if (tool->parameters[i].is_required)
			json_builder_add_string_value(b, tool->parameters[i].name);
	json_builder_end_array(b);
	put_flag(b, "additionalProperties", false);
	json_builder_end_object(b);
}

void put_tools(JsonBuilder *b)
{
	json_builder_set_member_name(b, "tools");
	json_builder_begin_array(b);
	for (size_t i = 0; i < G_N_ELEMENTS(tools); i++) {
		json_builder_begin_object(b);
		put_text(b, "name", tools[i].name);
		put_text(b, "description", tools[i].description);
		put_schema(b, &tools[i]);
		/* Only a report writes a file, and no existing one. */
		json_builder_set_member_name(b, "annotations");
		json_builder_begin_object(b);
		put_flag(b, "readOnlyHint", tools[i].prepare != report);
		put_flag(b, "destructiveHint", false);
		put_flag(b, "openWorldHint", false);
		json_builder_end_object(b);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static void __attribute__((format(printf, 2, 3))) refuse(struct call *call, const char *format, ...)
{
	va_list args;

	if (call->is_error)
		return;
	va_start(args, format);
	call->text = g_strdup_vprintf(format, args);
	va_end(args);
	call->is_error = true;
}

static const struct parameter *find_parameter(const struct tool *tool, const char *name)
{
	for (size_t i = 0; i < tool->count; i++)
		if (!strcmp(tool->parameters[i].name, name))
			return &tool->parameters[i];
	return NULL;
}

static bool is_text(JsonNode *node, const struct parameter *parameter)
{
	return JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING;
}

static bool are_texts(JsonNode *node, const struct parameter *parameter)
{
	JsonArray *array = JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;

	if (!array || json_array_get_length(array) > MOST_ITEMS_OF_LIST)
		return false;
	for (guint i = 0; i < json_array_get_length(array); i++)
		if (!is_text(json_array_get_element(array, i), parameter))
			return false;
	return true;
}

static bool is_number(JsonNode *node, const struct parameter *parameter)
{
	return JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_INT64 &&
	       json_node_get_int(node) >= parameter->least && json_node_get_int(node) <= parameter->most;
}

static bool is_flag(JsonNode *node, const struct parameter *parameter)
{
	return JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_BOOLEAN;
}

static bool has_type(JsonNode *node, const struct parameter *parameter)
{
	static bool (*const rows[PARAMETER_TYPE_COUNT_])(JsonNode * node, const struct parameter *parameter) = {
		[PARAMETER_TEXT] = is_text,
		[PARAMETER_TEXTS] = are_texts,
		[PARAMETER_NUMBER] = is_number,
		[PARAMETER_FLAG] = is_flag,
	};

	return rows[parameter->type](node, parameter);
}

static void check_argument(JsonObject *object, const char *name, JsonNode *node, gpointer data)
{
	struct call *call = data;
	const struct parameter *parameter = find_parameter(call->tool, name);

	if (!parameter)
		refuse(call, _("%s has no argument '%s'"), call->tool->name, name);
	else if (!has_type(node, parameter) && parameter->type == PARAMETER_NUMBER)
		refuse(call, _("'%s' is a number from %" PRId64 " to %" PRId64), name, parameter->least,
		       parameter->most);
	else if (!has_type(node, parameter))
		refuse(call, _("'%s' has not the type %s"), name, type_names[parameter->type]);
}

static void check_arguments(struct call *call)
{
	json_object_foreach_member(call->arguments, check_argument, call);
	for (size_t i = 0; i < call->tool->count; i++)
		if (call->tool->parameters[i].is_required &&
		    !json_object_has_member(call->arguments, call->tool->parameters[i].name))
			refuse(call, _("%s requires the argument '%s'"), call->tool->name,
			       call->tool->parameters[i].name);
}

static const char *text_of(const struct call *call, const char *name)
{
	return member_text(call->arguments, name);
}

static gint64 number_of(const struct call *call, const char *name)
{
	return member_number(call->arguments, name, find_parameter(call->tool, name)->standard);
}

/*
 * Return the path of a file below the current directory, without symbolic links; NULL, and an answer, if it is
 * elsewhere. To be freed.
 */
static char *path_below(struct call *call, const char *name)
{
	g_autofree char *here = g_get_current_dir(), *prefix = g_strconcat(here, "/", NULL);
	g_autofree char *whole = g_canonicalize_filename(name, here), *parent = g_path_get_dirname(whole);
	g_autofree char *base = g_path_get_basename(whole), *path = NULL;
	char *real = realpath(whole, NULL), *real_parent = real ? NULL : realpath(parent, NULL);

	path = real ? g_strdup(real) : real_parent ? g_build_filename(real_parent, base, NULL) : NULL;
	free(real);
	free(real_parent);
	if (path && g_str_has_prefix(path, prefix))
		return g_steal_pointer(&path);
	refuse(call, _("'%s' is not below the server's current directory, %s"), name, here);
	return NULL;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static void add(struct call *call, const char *word)
{
	g_ptr_array_add(call->argv, g_strdup(word));
}

static void __attribute__((format(printf, 2, 3))) add_formatted(struct call *call, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(call->argv, g_strdup_vprintf(format, args));
	va_end(args);
}

static void begin_command(struct call *call)
{
	call->argv = g_ptr_array_new_with_free_func(g_free);
	add(call, program_path("stap"));
	add(call, "--color=never");
	if (text_of(call, "kernel")) {
		add(call, "-r");
		add(call, text_of(call, "kernel"));
	}
	if (member_flag(call->arguments, "guru"))
		add(call, "-g");
}

/* Add the words of an array, each after an option if that is not NULL. */
static void add_all(struct call *call, const char *name, const char *option)
{
	JsonArray *words = member_array(call->arguments, name);

	for (guint i = 0; words && i < json_array_get_length(words); i++) {
		if (option)
			add(call, option);
		add(call, json_array_get_string_element(words, i));
	}
}

/* Add the script, its options and its arguments, which end the command. */
static void add_script(struct call *call)
{
	const char *script = text_of(call, "script");

	if (strlen(script) > MOST_SCRIPT)
		refuse(call, _("the script has more than %d bytes"), MOST_SCRIPT);
	add_all(call, "options", "--script-option");
	add(call, "-e");
	add(call, script);
	add(call, "--");
	add_all(call, "arguments", NULL);
}

static void list_probes(struct session *session, struct call *call)
{
	const char *pattern = text_of(call, "pattern");

	begin_command(call);
	add(call, member_flag(call->arguments, "variables") ? "-L" : "-l");
	add(call, pattern);
	call->most_output = (gsize)number_of(call, "output_bytes");
}

static void check(struct session *session, struct call *call)
{
	begin_command(call);
	add(call, "--check");
	add(call, "--format=json");
	add_script(call);
}

static void add_files(struct call *call)
{
	JsonArray *files = member_array(call->arguments, "files");

	for (guint i = 0; files && i < json_array_get_length(files); i++) {
		g_autofree char *path = path_below(call, json_array_get_string_element(files, i));

		if (path)
			add_formatted(call, "--file=%s", path);
	}
}

static void run_in_guest(struct session *session, struct call *call)
{
	const char *command = text_of(call, "command");

	begin_command(call);
	call->seconds = number_of(call, "seconds");
	call->most_output = (gsize)number_of(call, "output_bytes");
	add(call, "--remote=vm:");
	add_formatted(call, "-T%" G_GINT64_FORMAT, call->seconds);
	add_formatted(call, "-DSTP_MAXMEMORY=%" G_GINT64_FORMAT, number_of(call, "memory_kilobytes"));
	if (command)
		add_formatted(call, "-c%s", command);
	add_files(call);
	if (call->report)
		add_formatted(call, "--report=%s", call->report);
	add_script(call);
}

/* Choose the file of a report: the client's, or a temporary one whose text is the answer. */
static void choose_report(struct call *call)
{
	const char *file = text_of(call, "file");
	int fd;

	if (!file) {
		fd = g_file_open_tmp("stap-mcp-XXXXXX.txt", &call->report, NULL);
		call->is_report_temporary = fd >= 0;
		if (fd < 0)
			refuse(call, _("cannot make a file for the report"));
		else
			close(fd);
		return;
	}
	call->report = path_below(call, file);
	if (call->report && report_format_of_file(call->report) == REPORT_FORMAT_COUNT_)
		refuse(call, _("the ending of '%s' is not that of a format"), file);
	else if (call->report && g_file_test(call->report, G_FILE_TEST_EXISTS))
		refuse(call, _("'%s' exists"), file);
}

static void report(struct session *session, struct call *call)
{
	choose_report(call);
	if (!call->is_error)
		run_in_guest(session, call);
}

static void examples(struct session *session, struct call *call)
{
	const char *name = text_of(call, "name"), *path;
	struct arena *arena = arena_new();
	struct error *error = name ? examples_find(arena, name, &path) : NULL;

	if (error)
		refuse(call, "%s", error->message);
	else if (name && !g_file_get_contents(path, &call->text, NULL, NULL))
		refuse(call, _("cannot read %s"), path);
	error_free(error);
	arena_free(arena);
	if (name)
		return;
	begin_command(call);
	add(call, "--list-examples");
	if (text_of(call, "word"))
		add(call, text_of(call, "word"));
}

/* ---- descriptions ------------------------------------------------------------------------------------------------ */

/* Return the description of what is at @p offset of a script; NULL if there is none. To be freed. */
static char *description_at(struct session *session, const char *script, size_t offset)
{
	struct document *document = session_open(session, "/description.stp", script, strlen(script));
	struct description found;
	char *text = document_describe(document, offset, &found) ? g_strdup(found.text) : NULL;

	document_close(document);
	return text;
}

/* Describe a name by what the session says about a script that uses it. */
static void describe(struct session *session, struct call *call)
{
	const char *name = text_of(call, "name"), *kernel = text_of(call, "kernel"), *last = strrchr(name, '.');
	g_autofree char *called = g_strconcat("probe begin { ", name, "() }\n", NULL);
	g_autofree char *probed = g_strconcat("probe ", name, " { }\n", NULL);

	session_set_options(session, (const char *const[]){kernel ? "-r" : NULL, kernel, NULL});
	if (!strpbrk(name, ".("))
		call->text = description_at(session, called, strlen("probe begin { "));
	/* For the session, a name that is declared nowhere is a new variable, and a point without matches is itself. */
	if (call->text && g_str_has_prefix(call->text, "```systemtap\nlocal "))
		g_clear_pointer(&call->text, g_free);
	if (!call->text)
		call->text = description_at(session, probed, strlen("probe ") + (last ? (size_t)(last - name) + 1 : 0));
	if (call->text && g_str_has_prefix(call->text, "```systemtap\nprobe ") && g_str_has_suffix(call->text, "```\n"))
		g_clear_pointer(&call->text, g_free);
	if (!call->text)
		refuse(call, _("nothing is known about '%s'"), name);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

struct call *call_new(JsonNode *id, const struct tool *tool, JsonObject *arguments)
{
	struct call *call = g_new0(struct call, 1);

	call->id = id ? json_node_copy(id) : NULL;
	call->tool = tool;
	call->arguments = arguments ? json_object_ref(arguments) : json_object_new();
	call->most_output = MOST_OUTPUT;
	return call;
}

void call_free(struct call *call)
{
	if (!call)
		return;
	if (call->is_report_temporary)
		g_unlink(call->report);
	g_clear_pointer(&call->id, json_node_unref);
	g_clear_pointer(&call->argv, g_ptr_array_unref);
	json_object_unref(call->arguments);
	g_free(call->report);
	g_free(call->text);
	g_free(call);
}

void tool_prepare(struct session *session, struct call *call)
{
	check_arguments(call);
	if (!call->is_error)
		call->tool->prepare(session, call);
	if (call->is_error)
		g_clear_pointer(&call->argv, g_ptr_array_unref);
	else if (call->argv)
		g_ptr_array_add(call->argv, NULL);
}
