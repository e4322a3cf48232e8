// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read the texts for pass 1: the user's script and those of -E. They are read first, but parsed only if the script was
 * not translated before (script_cache.c).
 */
#include "translator/sources.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/files.h"
#include "common/nearest.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "translator/list.h"
#include "translator/script_cache.h"
#include "translator/lang/script_options.h"

enum { LARGEST = 16 * 1024 * 1024 };

struct source_file *source_new(struct translation *t, const char *name, char *text, size_t length)
{
	struct source_file *source = arena_new0(t->arena, struct source_file);

	source->name = arena_strdup(t->arena, name);
	source->text = text;
	source->length = length;
	return source;
}

static struct error *read_stream(FILE *file, const char *name, struct translation *t, struct source_file **ret)
{
	g_autofree char *text = NULL;
	size_t length;
	struct error *error = stream_read(file, name, LARGEST, &text, &length);

	if (error)
		return error;
	*ret = source_new(t, name, arena_strndup(t->arena, text, length), length);
	return NULL;
}

static struct error *read_standard_input(struct translation *t, struct source_file **ret)
{
	const char *text;
	size_t length;
	struct error *error = standard_input_text(LARGEST, &text, &length);

	if (!error)
		*ret = source_new(t, "<stdin>", arena_strndup(t->arena, text, length), length);
	return error;
}

struct error *source_read(struct translation *t, const char *path, struct source_file **ret)
{
	_cleanup_fclose_ FILE *file = NULL;
	struct error *error;

	if (!strcmp(path, "-"))
		return read_standard_input(t, ret);
	file = fopen(path, "re");
	if (!file) {
		error = error_errno(_("cannot read %s"), path);
		if (errno == ENOENT && strpbrk(path, " {("))
			error_with_hint(error, _("use -e to give the text of a script"));
		return error;
	}
	return read_stream(file, path, t, ret);
}

/* Is the script without a declaration, because it has only comments, or because %( … %) removed everything? */
static bool is_empty(const struct script *script)
{
	return !script->probes->len && !script->aliases->len && !script->globals->len && !script->functions->len &&
	       !script->embeds->len;
}

static void parse_user_source(struct translation *t, const struct options *options, struct source_file *source)
{
	struct script *script;

	source->privileged = options->guru_mode;
	script = parse_script(&t->language, source);
	if (!script)
		return;
	script->privileged = options->guru_mode;
	if (is_empty(script)) {
		diagnose(t->diagnostics, PARSE_ERROR, &(struct location){0}, _("the script %s is empty"), source->name);
		diagnose_hint(t->diagnostics, _("a script needs at least one probe, as in: probe begin { exit() }"));
	}
	g_ptr_array_add(t->scripts, script);
}

/* Return the script for a listing: a probe on the point with an empty body. */
static char *listing_script(struct translation *t, const struct options *options, const char *point)
{
	if (options->list_lines)
		point = list_lines_point(t->arena, point);
	return arena_printf(t->arena, "probe %s {}", point);
}

/* Drop the probes of -E scripts from a listing; only their aliases matter. */
static void keep_first_probes(struct translation *t)
{
	for (guint i = 1; i < t->scripts->len; i++) {
		struct script *script = g_ptr_array_index(t->scripts, i);

		g_ptr_array_set_size(script->probes, 0);
	}
}

static void add_user_source(struct translation *t, struct source_file *source)
{
	known_add_source(t, source);
	g_ptr_array_add(t->user_sources, source);
}

struct error *find_user_scripts(struct translation *t, const struct options *options)
{
	struct source_file *source = NULL;
	struct error *error = NULL;

	if (options->script_text) {
		char *text = options_listing(options) ? listing_script(t, options, options->script_text)
						      : (char *)options->script_text;

		source = source_new(t, options->script_name ?: "<input>", text, strlen(text));
	} else {
		error = source_read(t, options->script_path, &source);
	}
	if (error)
		return error;
	add_user_source(t, source);
	for_each_ptr(const char *, text, options->extra_texts)
		add_user_source(t, source_new(t, "<input>", (char *)text, strlen(text)));
	if (options->stop_after && !options_listing(options)) {
		char *text = arena_printf(t->arena, "probe timer.s(%s) { exit() }", options->stop_after);

		add_user_source(t, source_new(t, "-T", text, strlen(text)));
	}
	return NULL;
}

/* --script-option: report options that the script does not declare. */
static void check_option_values(struct translation *t)
{
	for_each_ptr(const char *, setting, t->language.option_values) {
		GPtrArray *names = arena_ptr_array(t->arena);
		size_t length = strcspn(setting, "=");
		const GPtrArray *near;

		if (script_options_find(t->language.script_options, setting, length))
			continue;
		for_each_ptr(const struct declared_option *, declared, t->language.script_options)
			g_ptr_array_add(names, (void *)declared->option.name);
		diagnose(t->diagnostics, PARSE_ERROR, &(struct location){0}, _("the script has no option --%.*s"),
			 (int)length, setting);
		near = nearest_matches(t->arena, arena_strndup(t->arena, setting, length), names, "--", 3);
		if (near)
			diagnose_near(t->diagnostics, near);
	}
}

void parse_user_scripts(struct translation *t, const struct options *options)
{
	for_each_ptr(struct source_file *, source, t->user_sources)
		parse_user_source(t, options, source);
	if (!diagnostics_errors(t->diagnostics))
		check_option_values(t);
	if (options_listing(options))
		keep_first_probes(t);
}
