// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The program in a bundle: staprun, with modules for several kernels in its own file. It selects the module for the
 * running kernel and runs it with staprun's code, so checks, options, output and messages are the same.
 *
 * It is linked statically with musl, because the machines that it is copied to have other libraries, and because it
 * is then small. A bundle for several architectures begins with a shell script, which extracts the program for its
 * machine, opens the bundle as descriptor 3 and executes the program (translator/bundle/write.c).
 *
 * Messages are not translated, since no catalogs come with a bundle.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "bundle/host.h"
#include "bundle/show.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/script_line.h"
#include "common/base/standard_streams.h"
#include "monitor/json_relay.h"
#include "staprun/info.h"
#include "staprun/options.h"
#include "staprun/privilege.h"
#include "staprun/run.h"
#include "staprun/script_options.h"
#include "staprun/signature.h"

/* The descriptor of the bundle. The shell script of a bundle for several architectures opens it with this number. */
enum { BUNDLE_FD = STDERR_FILENO + 1 };

/* The bundle that the user runs, and the machine that it runs on. */
struct tool {
	struct bundle bundle;
	struct host host;
	const char *name; /* as it was called, without directories */
	char path[4096];
};

/*
 * Stand in for zstd's decompression of its older formats (program.mk), which the reader refuses. The result is an error
 * of zstd: as a number it is huge.
 */
size_t bundle_no_legacy(void);
size_t bundle_no_legacy(void)
{
	return (size_t)-1;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static struct error *open_at(struct tool *tool, const char *link)
{
	ssize_t length = readlink(link, tool->path, sizeof(tool->path) - 1);

	if (length < 0)
		return error_with_hint(error_errno(_("cannot find this bundle: %s"), link), _("mount proc on /proc"));
	tool->path[length] = '\0';
	tool->name = strrchr(tool->path, '/') ? strrchr(tool->path, '/') + 1 : tool->path;
	return bundle_open(BUNDLE_FD, tool->path, &tool->bundle);
}

/* Open the bundle: the executable file itself, or the file that the shell script opened. */
static struct error *open_bundle(struct tool *tool)
{
	int given = fcntl(BUNDLE_FD, F_DUPFD_CLOEXEC, BUNDLE_FD + 1);
	int own = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct error *error, *other;

	if (own < 0 || dup3(own, BUNDLE_FD, O_CLOEXEC) < 0) {
		if (own != BUNDLE_FD)
			return error_errno(_("cannot open this bundle"));
	}
	error = open_at(tool, "/proc/self/exe");
	if (!error || error->code != ERROR_LOOKUP || given < 0 || dup3(given, BUNDLE_FD, O_CLOEXEC) < 0)
		return error;
	other = open_at(tool, "/proc/self/fd/3");
	error_free(other ? other : error);
	return other ? error : NULL;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static struct error *check_signature(const struct bundle *bundle)
{
	struct signature signature = {.size = bundle->signature_size};
	_cleanup_free_ char *data = NULL;
	struct error *error;

	if (!bundle->signature_size)
		return error_new(ERROR_OTHER, _("%s is not signed"), bundle->name);
	memcpy(signature.bytes, bundle->signature, bundle->signature_size);
	error = bundle_read_signed(bundle, &data);
	error = error ?: signature_check(&signature, data, bundle->size);
	return error_prefix(error, _("cannot verify %s"), bundle->name);
}

/*
 * Refuse a bundle that was changed after it was signed. Where the administrator has not installed keys, nothing can be
 * checked, and a signature makes no difference.
 */
static struct error *check_changes(const struct bundle *bundle)
{
	struct error *error = bundle->signature_size ? check_signature(bundle) : NULL;

	if (!error || error->code != ERROR_LOOKUP)
		return error;
	error_free(error);
	return NULL;
}

/* Check that the module is what the index says. Whether it fits the kernel is checked by staprun's code. */
static struct error *check_module(const struct module_image *image, const struct bundle_module *module)
{
	struct module_info info;
	struct error *error = info_read(image->data, image->size, &info);
	bool matches;

	if (error)
		return error_prefix(error, _("cannot load %s"), image->path);
	matches = !strcmp(info.release.text, module->release.text);
	info_destroy(&info);
	return matches ? NULL : error_new(ERROR_UNSUPPORTED, _("%s is for another kernel"), image->path);
}

static struct error *check_user(void)
{
	if (!geteuid())
		return NULL;
	return error_with_hint(error_new(ERROR_SYSTEM, _("only root can load kernel modules")), _("run it with sudo"));
}

/* ---- what it does ------------------------------------------------------------------------------------------------ */

static int finish(struct error *error)
{
	return standard_output_finish(error_report_free(error) ? STATUS_FAILED : STATUS_OK);
}

static int list(struct tool *tool)
{
	show_contents(&tool->bundle, &tool->host);
	return finish(NULL);
}

static int help(struct tool *tool)
{
	return finish(show_help(&tool->bundle, &tool->host, tool->name));
}

static int print_facts(struct tool *tool)
{
	host_print_facts(&tool->bundle, &tool->host);
	return finish(NULL);
}

static int print_script(struct tool *tool)
{
	_cleanup_free_ char *text = NULL;
	struct error *error;
	size_t size;

	if (tool->bundle.text < 0)
		return finish(error_new(ERROR_LOOKUP, _("%s does not contain the script's text"), tool->path));
	error = bundle_extract(&tool->bundle, (unsigned int)tool->bundle.text, &text, &size);
	if (!error)
		fwrite(text, 1, size, stdout);
	return finish(error);
}

static int verify(struct tool *tool)
{
	struct error *error = check_signature(&tool->bundle);

	if (!error)
		printf(_("%s is signed with a key that this machine trusts\n"), tool->path);
	return finish(error);
}

static const struct {
	const char *option;
	int (*act)(struct tool *tool);
} modes[] = {
	{"--help", help}, {"--list", list}, {"--script", print_script}, {"--facts", print_facts}, {"--verify", verify},
};

static struct error *find_module(const struct tool *tool, struct module_image *image, char **name)
{
	const struct bundle_module *module = host_module(&tool->bundle, &tool->host);
	struct error *error;

	if (!module)
		return show_unknown_kernel(&tool->bundle, &tool->host);
	*name = text_format(_("the module for kernel %s of %s"), module->release.text, tool->path);
	image->path = *name;
	error = bundle_extract(&tool->bundle, module->blob, &image->data, &image->size);
	return error ?: check_module(image, module);
}

/* ---- options of the script --------------------------------------------------------------------------------------- */

static bool is_script_option(const char *word)
{
	return !strncmp(word, "--", 2) && word[2] && !options_has_word(word);
}

/* Return "GLOBAL=VALUE" for an option; @p *at is its word, and moves to the last one that belongs to it. */
static struct error *make_setting(const struct tool *tool, const struct module_options *options, char ***at,
				  char **setting)
{
	const char *word = **at, *name = word + 2, *equals = strchr(name, '=');
	const struct script_option *option =
		module_options_find(options, name, equals ? (size_t)(equals - name) : strlen(name));
	const char *value = equals ? equals + 1 : NULL;
	struct error *error;
	int64_t number;

	if (!option)
		return error_with_hint(error_new(ERROR_LOOKUP, _("unknown option %s"), word),
				       _("run '%s --help' to list the options"), tool->path);
	if (!option->global)
		return error_with_hint(error_new(ERROR_UNSUPPORTED,
						 _("option --%s was fixed when this bundle was made"), option->name),
				       _("make it again with 'stap --bundle' and --%s after the script's name"),
				       option->name);
	if (!value && option->kind != SCRIPT_OPTION_FLAG && (*at)[1])
		value = *++*at;
	error = script_option_parse(option, value, &number);
	if (!error)
		*setting = script_option_setting(option, value, number);
	return error;
}

/* Replace the options of the script, up to "--", by settings of globals at the end of the command line. */
static struct error *replace_options(const struct tool *tool, const struct module_options *options, int *argc,
				     char ***argv)
{
	char **words = memory_new((size_t)*argc + 1, sizeof(*words)), **from = *argv, **settings;
	struct error *error = NULL;
	int count = 0, setting_count = 0;

	settings = memory_new((size_t)*argc + 1, sizeof(*settings));
	for (; *from && strcmp(*from, "--") && !error; from++)
		if (is_script_option(*from))
			error = make_setting(tool, options, &from, &settings[setting_count++]);
		else
			words[count++] = *from;
	while (*from && !error)
		words[count++] = *from++;
	memcpy(words + count, settings, (size_t)setting_count * sizeof(*settings));
	free(settings);
	*argc = count + setting_count;
	*argv = words; /* until the process ends */
	return error;
}

static struct error *take_script_options(const struct tool *tool, int *argc, char ***argv)
{
	_cleanup_free_ char *image = NULL;
	struct module_options options = {0};
	struct error *error;
	size_t size = 0;
	int i = 1;

	while (i < *argc && !is_script_option((*argv)[i]))
		i++;
	if (i >= *argc)
		return NULL;
	error = show_extract(&tool->bundle, &tool->host, &image, &size);
	if (!error && !image)
		error = show_unknown_kernel(&tool->bundle, &tool->host);
	error = error ?: module_options_read(image, size, &options);
	error = error ?: replace_options(tool, &options, argc, argv);
	module_options_clear(&options);
	return error;
}

/* Return the texts of the index, and then @p more. */
static const char *const *join_words(const struct bundle_texts *texts, char **more)
{
	size_t count = 0;
	const char **words;

	while (more[count])
		count++;
	words = memory_new(texts->count + count + 1, sizeof(*words));
	for (unsigned int i = 0; i < texts->count; i++)
		words[i] = texts->texts[i];
	for (size_t i = 0; i < count; i++)
		words[texts->count + i] = more[i];
	return words; /* until the process ends */
}

/* Describe the script for the first line of -J: what it was made of, and the words of this command line. */
static struct error *describe_script(const struct tool *tool, char **words, struct script_line *line)
{
	static char *none[] = {NULL};
	const struct bundle *bundle = &tool->bundle;
	struct error *error = NULL;
	char *text = NULL; /* until the process ends */

	*line = (struct script_line){
		.options = join_words(&bundle->options, none),
		.arguments = join_words(&bundle->arguments, words),
		.stap = bundle->spile,
	};
	if (bundle->text < 0)
		return NULL;
	error = bundle_extract(bundle, (unsigned int)bundle->text, &text, &line->length);
	line->name = bundle->script;
	line->text = text;
	return error;
}

static int run(struct tool *tool, int argc, char **argv, char **environment)
{
	struct options options = OPTIONS_STANDARD(PROGRAM_BUNDLE);
	char **words = argv + (argc > 0);
	struct script_line line;
	_cleanup_free_ char *name = NULL;
	struct module_image image = {NULL};
	struct error *error = take_script_options(tool, &argc, &argv);
	int status;

	if (error)
		return finish(error);
	status = options_parse(&options, argc, argv);
	if (status)
		return status;
	if (options.describe)
		return help(tool);
	error = check_user() ?: check_changes(&tool->bundle);
	if (!error && options.module) /* -A, -d */
		return run_as_asked(&options, NULL, environment);
	error = error ?: find_module(tool, &image, &name);
	if (!error && options.json.view) {
		error = describe_script(tool, words, &line);
		options.script = &line;
	}
	if (error)
		return finish(error);
	options.rename = true;
	return run_as_asked(&options, &image, environment);
}

int main(int argc, char **argv)
{
	static struct tool tool;
	struct error *error;
	char **environment;

	/* -J starts this program as stap-json (staprun/monitor.c). */
	if (argc && !strcmp(argv[0], "stap-json")) {
		prctl(PR_SET_NAME, "stap-json");
		return json_relay_main(argc, argv);
	}
	/* Scripts compare execname() with "staprun", to leave out the process that runs them. */
	prctl(PR_SET_NAME, "staprun");
	standard_streams_open();
	if (getauxval(AT_SECURE))
		return finish(error_with_hint(error_new(ERROR_OTHER, _("a bundle must not be set-uid, nor have "
								       "capabilities")),
					      _("run it with sudo")));
	error = open_bundle(&tool);
	privilege_clean_descriptors(BUNDLE_FD + 1);
	/* Write whole lines: two processes and the user's command share standard error. */
	setvbuf(stderr, NULL, _IOLBF, 0);
	environment = privilege_clean_environment();
	error = error ?: host_read(&tool.host);
	if (error)
		return finish(error);
	for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(argv[1], modes[i].option))
			return modes[i].act(&tool);
	return run(&tool, argc, argv, environment);
}
