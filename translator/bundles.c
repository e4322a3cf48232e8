// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --bundle: translate a script for several kernels, each with a driver of its own, and put the modules into one file
 * (bundle/). --bundle-add does the same with the script and the options of a bundle, whose modules it keeps.
 *
 * The kernels are those of all options -r, whose patterns stand for the kernels on this machine, and those that the
 * hosts in the file of --bundle-from have reported (TOOL --facts).
 */
#include "translator/bundles.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/files.h"
#include "common/json_reader.h"
#include "common/base/cleanup.h"
#include "common/base/foreign.h"
#include "common/base/i18n.h"
#include "common/base/message.h"
#include "translator/bundle/parts.h"
#include "translator/drivers.h"

/* ---- the kernels ------------------------------------------------------------------------------------------------- */

/* A kernel that a host has reported. */
struct reported {
	struct release release;
	struct build_id build_id;
	struct machine_name machine;
};

/* Read "release", "build_id" and "architecture" of a line. Other members, and members that are null, do not matter. */
static void read_members(struct json_reader *reader, struct reported *ret)
{
	struct json_bytes name;

	while (json_next_member(reader, &name)) {
		bool is_release = json_bytes_are(&name, "release"), is_build_id = json_bytes_are(&name, "build_id");
		bool is_machine = json_bytes_are(&name, "architecture");
		struct json_bytes text = {NULL, 0};

		if (json_peek(reader) != '"' || !(is_release || is_build_id || is_machine)) {
			json_skip(reader);
			continue;
		}
		text = json_read_string(reader);
		if ((is_release && !release_parse(text.bytes, text.length, &ret->release)) ||
		    (is_build_id && !build_id_parse(text.bytes, text.length, &ret->build_id)) ||
		    (is_machine && !machine_name_parse(text.bytes, text.length, &ret->machine)))
			json_fail(reader, _("this is not a kernel's release, build-id or architecture"));
	}
}

static struct error *parse_report(const char *file, int number, const char *line, struct reported *ret)
{
	struct json_reader reader;
	struct error *error = NULL;

	*ret = (struct reported){0};
	json_reader_init(&reader, line, strlen(line));
	read_members(&reader, ret);
	json_finish(&reader);
	if (!reader.mistake && !*ret->release.text)
		json_fail(&reader, _("there is no member \"release\""));
	if (reader.mistake)
		error = error_with_hint(error_new(ERROR_OTHER, _("line %d of %s is not a line of TOOL --facts: %s"),
						  number, file, reader.mistake),
					_("collect the lines with 'TOOL --facts' on each host"));
	json_reader_clear(&reader);
	return error;
}

/* Check that the kernel on this machine is the one that the host runs. */
static struct error *check_reported(const struct reported *reported, const struct target_kernel *kernel)
{
	if (*reported->build_id.text && kernel->build_id && strcmp(reported->build_id.text, kernel->build_id))
		return error_with_hint(
			error_new(ERROR_LOOKUP,
				  _("a host runs kernel %s with build-id %s, but the one on this machine "
				    "has build-id %s"),
				  kernel->release, reported->build_id.text, kernel->build_id),
			_("install the same kernel package here"));
	if (*reported->machine.text && architecture_by_name(reported->machine.text) != kernel->architecture)
		return error_new(ERROR_LOOKUP, _("a host runs kernel %s for %s, but the one on this machine is for %s"),
				 kernel->release, reported->machine.text, kernel->architecture->name);
	return NULL;
}

/* Add the driver of a line. Report a kernel that is not here, and go on, so that all are named at once. */
static struct error *find_reported(struct driver *first, GPtrArray *drivers, const char *file, int number,
				   const char *line)
{
	struct reported reported;
	struct error *error = parse_report(file, number, line, &reported);
	struct driver *d = NULL;

	if (error)
		return error;
	error = drivers_find(first, drivers, arena_strdup(first->t.arena, reported.release.text), &d);
	driver_note_failure(first, error ?: check_reported(&reported, &d->t.kernel));
	return NULL;
}

/* Read the whole file, which may be a pipe, or standard input ("-"). */
static struct error *read_lines(const char *file, char **text, size_t *length)
{
	enum { LARGEST = 64 << 20 };
	bool is_input = !strcmp(file, "-");
	_cleanup_fclose_ FILE *stream = is_input ? fdopen(dup(STDIN_FILENO), "re") : fopen(file, "re");

	return stream ? stream_read(stream, file, LARGEST, text, length) : error_errno(_("cannot read %s"), file);
}

/* --bundle-from: find the kernels of all hosts in a file of JSON lines. */
static struct error *find_all_reported(struct driver *first, GPtrArray *drivers, const char *file)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	size_t length;
	struct error *error = read_lines(file, &text, &length);

	if (error)
		return error;
	lines = g_strsplit(text, "\n", -1);
	for (int i = 0; lines[i] && !error; i++)
		if (*lines[i])
			error = find_reported(first, drivers, file, i + 1, lines[i]);
	if (!error && !drivers->len && first->exit_status == EXIT_SUCCESS)
		error = error_new(ERROR_OTHER, _("%s names no kernel"), file);
	return error;
}

static struct error *find_kernels(struct driver *first, GPtrArray *drivers)
{
	const struct options *options = &first->options;
	GPtrArray *names = options->releases;
	const char *file = options->bundle_from;
	struct error *error = NULL;
	struct driver *d = NULL;

	for_each_ptr(const char *, name, names)
		error = error ?: drivers_find_named(first, drivers, name);
	if (!error && file)
		error = find_all_reported(first, drivers, file);
	if (!error && !names->len && !file)
		error = drivers_find(first, drivers, options->release, &d);
	return error;
}

/* ---- the modules ------------------------------------------------------------------------------------------------- */

/* Translate for one kernel. An error names the kernel, and the others are translated nevertheless. */
static void translate_one(struct driver *first, struct driver *d)
{
	struct error *error;

	if (d->is_one_of_several && options_verbosity(&d->options, 1) >= 1) {
		fprintf(stderr, _("For kernel %s:"), d->t.kernel.release);
		fputc('\n', stderr);
	}
	meanings_record(&d->t);
	error = driver_translate(d);
	diagnostics_flush(d->t.diagnostics);
	if (error)
		driver_note_failure(d, error_prefix(error, _("kernel %s"), d->t.kernel.release));
	else if (d->exit_status != EXIT_SUCCESS && d->is_one_of_several)
		message_print(MESSAGE_NOTE, arena_printf(d->t.arena, _("this was for kernel %s"), d->t.kernel.release),
			      NULL, NULL);
	if (d->exit_status != EXIT_SUCCESS)
		first->exit_status = d->exit_status;
}

static struct error *add_module(const struct driver *d, struct bundle_parts *parts, GPtrArray *added)
{
	struct module_part *part = arena_new0(parts->arena, struct module_part);
	g_autofree char *image = NULL;
	struct error *error = file_read(d->module_path, &image, &part->size);

	if (error)
		return error;
	part->release = d->t.kernel.release;
	part->build_id = d->t.kernel.build_id;
	part->architecture = d->t.kernel.architecture;
	part->image = arena_strndup(parts->arena, image, part->size);
	part->notes = arena_ptr_array(parts->arena);
	bundle_parts_add(parts, part);
	g_ptr_array_add(added, part);
	return NULL;
}

static struct error *add_modules(GPtrArray *drivers, struct bundle_parts *parts)
{
	GPtrArray *translations = arena_ptr_array(parts->arena), *added = arena_ptr_array(parts->arena);
	struct error *error = NULL;

	for_each_ptr(struct driver *, d, drivers) {
		error = error ?: add_module(d, parts, added);
		g_ptr_array_add(translations, &d->t);
	}
	if (!error)
		differences_note(translations, added);
	return error;
}

/* ---- the script -------------------------------------------------------------------------------------------------- */

/* Fill in the script and what changes its modules, for a later --bundle-add. */
static void describe_script(const struct driver *first, struct bundle_parts *parts)
{
	const struct source_file *source = g_ptr_array_index(first->t.user_sources, 0);

	parts->script = source->name;
	parts->text = source->text;
	parts->text_length = source->length;
	parts->options = first->options.shaping;
	for (int i = 0; i < first->options.argument_count; i++)
		g_ptr_array_add(parts->arguments, first->options.arguments[i]);
}

/* Split "-D NAME" into two words; "--name=value" and "-g" are one. */
static void add_option_words(struct arena *arena, GPtrArray *words, const char *option)
{
	const char *space = option[1] == '-' ? NULL : strchr(option, ' ');

	if (space)
		g_ptr_array_add(words, arena_strndup(arena, option, (size_t)(space - option)));
	g_ptr_array_add(words, (gpointer)(space ? space + 1 : option));
}

/* --bundle-add: parse the options of the bundle, and then those of the command line. */
static struct error *take_options(struct driver *first, const struct bundle_parts *parts)
{
	GPtrArray *words = arena_ptr_array(first->t.arena), *arguments = arena_ptr_array(first->t.arena);
	const char *path = first->options.bundle_add;

	g_ptr_array_add(words, first->argv[0]);
	for_each_ptr(const char *, option, parts->options)
		add_option_words(first->t.arena, words, option);
	for (int i = 1; i < first->argc; i++)
		g_ptr_array_add(words, first->argv[i]);
	first->argc = (int)words->len;
	g_ptr_array_add(words, NULL);
	first->argv = (char **)words->pdata;
	if (options_parse(&first->options, first->t.arena, first->argc, first->argv) != OPTIONS_RUN)
		return error_new(ERROR_OTHER, _("the options in bundle %s are invalid"), path);
	first->options.script_text = parts->text;
	first->options.script_name = parts->script;
	g_ptr_array_extend(arguments, parts->arguments, NULL, NULL);
	first->options.argument_count = (int)arguments->len;
	g_ptr_array_add(arguments, NULL);
	first->options.arguments = (char **)arguments->pdata;
	driver_init(first, first->t.cache_directory);
	return NULL;
}

/* Read the bundle of --bundle-add, and continue as if its script were on the command line. */
static struct error *read_bundle(struct driver *first, struct bundle_parts **parts)
{
	const char *path = first->options.bundle_add;
	struct error *error;

	if (first->options.shaping->len)
		return error_new(ERROR_OTHER,
				 _("--bundle-add excludes %s: all modules of a bundle are made with the "
				   "same options"),
				 (const char *)g_ptr_array_index(first->options.shaping, 0));
	error = bundle_read(first->t.arena, path, parts);
	if (!error && !(*parts)->text)
		error = error_new(ERROR_LOOKUP, _("%s does not contain the script's text"), path);
	return error ?: take_options(first, *parts);
}

/* Fill the request of --bundle=oci:DIR. Return false if the bundle is a file. */
static bool wants_image(const struct options *options, struct image_request *ret)
{
	*ret = (struct image_request){
		.directory = options_image_directory(options),
		.key = options->bundle_key,
		.has_exporter = options->bundle_exporter,
	};
	return ret->directory;
}

static struct error *write_result(const struct options *options, const struct bundle_parts *parts)
{
	struct image_request image;

	if (wants_image(options, &image))
		return image_write(parts, &image);
	return bundle_write(parts, options->bundle ?: options->bundle_add, options->bundle_key);
}

static struct error *build(struct driver *first, GPtrArray *drivers, struct bundle_parts *parts)
{
	const struct options *options = &first->options;
	struct image_request image;
	struct error *error = wants_image(options, &image) ? image_check(&image) : NULL;

	error = error ?: find_kernels(first, drivers);
	for_each_ptr(const struct driver *, d, drivers)
		error = error ?: image_check_architecture(&image, d->t.kernel.architecture);
	if (error || first->exit_status != EXIT_SUCCESS)
		return error;
	drivers_sort(drivers);
	for_each_ptr(struct driver *, d, drivers) {
		d->is_one_of_several = drivers->len > 1;
		translate_one(first, d);
	}
	if (first->exit_status != EXIT_SUCCESS)
		return NULL;
	if (!options->bundle_add)
		describe_script(first, parts);
	error = add_modules(drivers, parts);
	return error ?: write_result(options, parts);
}

struct error *make_bundle(struct driver *first)
{
	struct bundle_parts *parts = bundle_parts_new(first->t.arena);
	GPtrArray *drivers = arena_ptr_array(first->t.arena);
	struct error *error = first->options.bundle_add ? read_bundle(first, &parts) : NULL;

	/* The same script makes the same bytes. A module says when it was made, unless this is set already. */
	g_setenv("SOURCE_DATE_EPOCH", "0", false);
	error = error ?: build(first, drivers, parts);
	drivers_finish(first, drivers);
	return error;
}
